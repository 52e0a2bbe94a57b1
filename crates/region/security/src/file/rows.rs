//! The file itself: its rows, read as a whole and replaced as a whole.
//!
//! Why a lock beside it: `transom user` and a running region do not lose each other's changes. Not
//! here: what a change is, and when the file is read again.

use crate::user::User;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use transom_messages::{self as messages, Message};

/// Most users of a file.
const USERS_MAX: usize = 100_000;
/// Largest file in bytes.
const FILE_BYTES_MAX: u64 = 64 << 20;

/// All rows.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rows {
    #[serde(default)]
    pub user: Vec<Row>,
}

/// A row of the file of users.
#[derive(Debug, Clone, Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub userid: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub password: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub phrase: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opclass: Vec<u8>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub opid: String,
    #[serde(default)]
    pub priority: u8,
    #[serde(default)]
    pub timeout: u32,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub language: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub certificates: Vec<String>,
    #[serde(default)]
    pub revoked: bool,
    #[serde(default)]
    pub must_change: bool,
    #[serde(default)]
    pub changed: u64,
}

impl Row {
    pub(super) fn user(&self) -> User {
        User {
            userid: self.userid.clone(),
            name: self.name.clone(),
            groups: self.groups.clone(),
            opclass: self.opclass.clone(),
            opid: self.opid.clone(),
            priority: self.priority,
            timeout_minutes: self.timeout,
            language: self.language.clone(),
            certificates: self.certificates.clone(),
            changed: self.changed,
            revoked: self.revoked,
            ..User::default()
        }
    }
}

/// The rows; none where there is no file.
///
/// # Errors
/// It cannot be read.
pub(super) fn load(path: &Path) -> Result<Rows, Message> {
    let failed = |why: String| messages::xs::registry_not_readable(path.display(), &why);
    let bytes = match File::open(path).and_then(|file| file.metadata()) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Rows::default()),
        Err(e) => return Err(failed(e.to_string())),
        Ok(meta) => meta.len(),
    };
    if bytes > FILE_BYTES_MAX {
        return Err(failed(format!("it is larger than {FILE_BYTES_MAX} bytes")));
    }
    let text = fs::read_to_string(path).map_err(|e| failed(e.to_string()))?;
    // The parser's text may quote the line, which holds a hash.
    let wrong = |e: toml::de::Error| {
        let before = e.span().and_then(|span| text.get(..span.start));
        let before = before.unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
        let place = format!("{}:{line}:{column}", path.display());
        messages::xs::registry_not_readable(place, e.message())
    };
    let mut rows: Rows = toml::from_str(&text).map_err(wrong)?;
    for row in &mut rows.user {
        row.userid.make_ascii_uppercase();
    }
    Ok(rows)
}

/// Reads, changes and replaces the file while nobody else does.
///
/// # Errors
/// What `change` says, or what is wrong with the file.
pub(super) fn change(
    path: &Path,
    change: impl FnOnce(&mut Vec<Row>) -> Result<(), Message>,
) -> Result<(), Message> {
    let failed = |e: std::io::Error| unwritten(path, &e);
    let open = |path: &Path| {
        let mut options = OpenOptions::new();
        options
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(path)
    };
    let lock = open(&beside(path, "lock")).map_err(failed)?;
    lock.lock().map_err(failed)?;
    let mut rows = load(path)?;
    change(&mut rows.user)?;
    if rows.user.len() > USERS_MAX {
        return Err(messages::xs::too_many_users(USERS_MAX));
    }
    let text = toml::to_string(&rows).map_err(|e| unwritten(path, &e))?;
    let next = beside(path, "new");
    let mut file = open(&next).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.sync_all().map_err(failed)?;
    fs::rename(&next, path).map_err(failed)?;
    // Without this the name may stand for the old file again after a loss of power: somebody who
    // was revoked would be back.
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
    let folder = fs::File::open(folder.unwrap_or(Path::new(".")));
    folder.and_then(|f| f.sync_all()).map_err(failed)
}

fn unwritten(path: &Path, why: &dyn std::fmt::Display) -> Message {
    messages::xs::registry_not_written(path.display(), why)
}

/// `users.toml` -> `users.toml.lock`.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}
