//! Users in a TOML file, with argon2id hashes.
//!
//! What: [`UserFile`], read again whenever the file changed, rewritten as a whole under a lock so that
//! `transom user` and a running region do not lose each other's changes. Not here: the command line.

use super::user::{Denied, PasswordRules, Row, Secret, User, UserRegistry, userid};
use argon2::Argon2;
use argon2::password_hash::rand_core::OsRng;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::SystemTime;

/// Most users of a file.
const USERS_MAX: usize = 100_000;
/// Largest file in bytes.
const FILE_BYTES_MAX: u64 = 64 << 20;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    #[serde(default)]
    user: Vec<Row>,
}

/// What the file said when it was read, and what is only remembered.
#[derive(Default)]
struct Known {
    read_at: Option<(SystemTime, u64)>,
    rows: Rows,
    attempts: HashMap<String, u32>,
    /// Users whose revocation the file did not take.
    unwritten: HashSet<String>,
    last_use: HashMap<String, u64>,
}

/// The file of users.
pub struct UserFile {
    path: PathBuf,
    rules: PasswordRules,
    known: Mutex<Known>,
}

impl UserFile {
    /// The file need not exist yet.
    pub fn new(path: &Path, rules: PasswordRules) -> Self {
        Self {
            path: path.to_owned(),
            rules,
            known: Mutex::default(),
        }
    }

    /// All users, and whether each is revoked.
    ///
    /// # Errors
    /// The file cannot be read: one sentence with its TXM identifier.
    pub fn list(&self) -> Result<Vec<(User, bool)>, String> {
        let rows = self.read()?;
        Ok(rows
            .user
            .iter()
            .map(|row| (row.user(), row.revoked))
            .collect())
    }

    /// Adds a user or replaces one.
    ///
    /// # Errors
    /// A bad user identifier, a secret that is not acceptable, a file that cannot be written.
    pub fn put(&self, user: &User, secret: &Secret, must_change: bool) -> Result<(), String> {
        let userid = userid(&user.userid)
            .ok_or_else(|| format!("TXMXS0010E {:?} is not a user identifier", user.userid))?;
        let hash = self.hashed(secret)?;
        self.change(|rows| {
            let old = rows.iter().position(|row| row.userid == userid);
            let mut row = old.map(|at| rows.remove(at)).unwrap_or_default();
            row.userid.clone_from(&userid);
            row.name.clone_from(&user.name);
            row.groups.clone_from(&user.groups);
            row.opclass.clone_from(&user.opclass);
            row.priority = user.priority;
            row.timeout = user.timeout_minutes;
            row.language.clone_from(&user.language);
            set_hash(&mut row, secret, hash, must_change);
            row.revoked = false;
            rows.push(row);
            rows.sort_by(|a, b| a.userid.cmp(&b.userid));
            Ok(())
        })
    }

    /// Gives an existing user another password or phrase and ends a revocation.
    ///
    /// # Errors
    /// As for [`Self::put`], and a user that does not exist.
    pub fn reset(&self, name: &str, secret: &Secret, must_change: bool) -> Result<(), String> {
        let hash = self.hashed(secret)?;
        self.change_row(name, |row| {
            set_hash(row, secret, hash, must_change);
            row.revoked = false;
        })
    }

    /// Removes a user.
    ///
    /// # Errors
    /// The user does not exist, or the file cannot be written.
    pub fn delete(&self, name: &str) -> Result<(), String> {
        let wanted = userid(name).unwrap_or_default();
        self.change(|rows| {
            let before = rows.len();
            rows.retain(|row| row.userid != wanted);
            match rows.len() == before {
                true => Err(format!("TXMXS0011E there is no user {name}")),
                false => Ok(()),
            }
        })
    }

    fn change_row(&self, name: &str, change: impl FnOnce(&mut Row)) -> Result<(), String> {
        let wanted = userid(name).unwrap_or_default();
        self.change(
            |rows| match rows.iter_mut().find(|row| row.userid == wanted) {
                Some(row) => {
                    change(row);
                    Ok(())
                }
                None => Err(format!("TXMXS0011E there is no user {name}")),
            },
        )
    }

    /// Reads, changes and replaces the file while nobody else does.
    fn change(
        &self,
        change: impl FnOnce(&mut Vec<Row>) -> Result<(), String>,
    ) -> Result<(), String> {
        let failed = |e: std::io::Error| {
            format!("TXMXS0013E {} cannot be written: {e}", self.path.display())
        };
        let open = |path: &Path| {
            let mut options = OpenOptions::new();
            options
                .write(true)
                .create(true)
                .truncate(true)
                .mode(0o600)
                .open(path)
        };
        let lock = open(&beside(&self.path, "lock")).map_err(failed)?;
        lock.lock().map_err(failed)?;
        let mut rows = load(&self.path)?;
        change(&mut rows.user)?;
        if rows.user.len() > USERS_MAX {
            return Err(format!(
                "TXMXS0014E more than {USERS_MAX} users are not possible"
            ));
        }
        let text = toml::to_string(&rows)
            .map_err(|e| format!("TXMXS0013E {} cannot be written: {e}", self.path.display()))?;
        let next = beside(&self.path, "new");
        let mut file = open(&next).map_err(failed)?;
        file.write_all(text.as_bytes()).map_err(failed)?;
        file.sync_all().map_err(failed)?;
        fs::rename(&next, &self.path).map_err(failed)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The rows; the file is parsed again when its time or size changed.
    fn read(&self) -> Result<Rows, String> {
        let stamp = fs::metadata(&self.path)
            .and_then(|meta| Ok((meta.modified()?, meta.len())))
            .ok();
        let mut known = self.known();
        if known.read_at != stamp || stamp.is_none() {
            known.rows = load(&self.path)?;
            known.read_at = stamp;
        }
        Ok(known.rows.clone())
    }

    /// Counts a wrong attempt; the one too many revokes the user.
    fn wrong(&self, userid: &str) -> Denied {
        let attempts = {
            let mut known = self.known();
            let attempts = known.attempts.entry(userid.to_owned()).or_insert(0);
            *attempts = attempts.saturating_add(1);
            *attempts
        };
        let most = self.rules.attempts_max;
        if most == 0 || attempts < most {
            return Denied::Wrong;
        }
        self.revoke(userid);
        Denied::WrongTooOften
    }

    /// Revokes a user; where the file cannot be written, until the region ends.
    fn revoke(&self, userid: &str) {
        let written = self.change_row(userid, |row| row.revoked = true).is_ok();
        let mut known = self.known();
        match written {
            true => known.unwritten.remove(userid),
            false => known.unwritten.insert(userid.to_owned()),
        };
    }

    /// The hash of a secret somebody may have.
    fn hashed(&self, secret: &Secret) -> Result<String, String> {
        let least = self.rules.chars_min;
        if !secret.is_phrase() && secret.bytes().len() < least {
            return Err(format!(
                "TXMXS0019E a password has at least {least} characters"
            ));
        }
        hashed(secret)
    }

    /// When a secret of that time must be changed; 0: never.
    fn expires(&self, changed: u64) -> u64 {
        match self.rules.days {
            0 => 0,
            days => changed + u64::from(days) * 86_400,
        }
    }

    fn expired(&self, row: &Row) -> bool {
        self.rules.days > 0 && now() >= self.expires(row.changed)
    }

    fn has_too_many(&self, userid: &str) -> bool {
        let known = self.known();
        let attempts = known.attempts.get(userid).copied().unwrap_or(0);
        self.rules.attempts_max > 0 && attempts >= self.rules.attempts_max
    }
}

impl UserRegistry for UserFile {
    fn verify(&self, name: &str, secret: &Secret, new: Option<&Secret>) -> Result<User, Denied> {
        let rows = self.read().map_err(Denied::Unavailable)?;
        let wanted = userid(name).unwrap_or_default();
        let row = rows.user.iter().find(|row| row.userid == wanted);
        let hash = row.map_or("", |row| {
            if secret.is_phrase() {
                &row.phrase
            } else {
                &row.password
            }
        });
        let right = matches(hash, secret);
        let mut changed = None;
        let Some(row) = row else {
            return Err(Denied::Unknown);
        };
        if row.revoked {
            return Err(Denied::Revoked);
        }
        // Somebody took the revocation away: the count begins again. One that could not be written is tried again.
        if self.has_too_many(&wanted) {
            let mut known = self.known();
            if known.unwritten.contains(&wanted) {
                drop(known);
                self.revoke(&wanted);
                return Err(Denied::Revoked);
            }
            known.attempts.remove(&wanted);
        }
        if secret.is_empty() {
            return Err(Denied::NoSecret);
        }
        if !right {
            return Err(self.wrong(&wanted));
        }
        match new {
            None if row.must_change || self.expired(row) => return Err(Denied::MustChange),
            Some(new) if new == secret || new.is_phrase() != secret.is_phrase() => {
                return Err(Denied::NewNotAcceptable);
            }
            Some(new) => {
                let hash = self.hashed(new).map_err(|_| Denied::NewNotAcceptable)?;
                self.change_row(&wanted, |row| set_hash(row, new, hash, false))
                    .map_err(Denied::Unavailable)?;
                changed = Some(now());
            }
            None => {}
        }
        let mut user = row.user();
        user.changed = changed.unwrap_or(user.changed);
        user.expires = self.expires(user.changed);
        let mut known = self.known();
        user.wrong_attempts = known.attempts.remove(&wanted).unwrap_or(0);
        user.last_use = known.last_use.insert(wanted, now()).unwrap_or(0);
        Ok(user)
    }

    fn users(&self) -> Result<Option<Vec<User>>, String> {
        let rows = self.read()?;
        Ok(Some(rows.user.iter().map(Row::user).collect()))
    }
}

fn set_hash(row: &mut Row, secret: &Secret, hash: String, must_change: bool) {
    match secret.is_phrase() {
        true => row.phrase = hash,
        false => row.password = hash,
    }
    row.changed = now();
    row.must_change = must_change;
}

/// Seconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// `users.toml` -> `users.toml.lock`.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

fn load(path: &Path) -> Result<Rows, String> {
    let failed = |why: String| format!("TXMXS0012E {} cannot be read: {why}", path.display());
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
    let mut rows: Rows = toml::from_str(&text).map_err(|e| failed(e.message().to_owned()))?;
    for row in &mut rows.user {
        row.userid.make_ascii_uppercase();
    }
    Ok(rows)
}

fn hashed(secret: &Secret) -> Result<String, String> {
    if !secret.is_acceptable() {
        return Err(
            "TXMXS0015E a password has 1 to 8 characters without blanks, a phrase 9 to 100".into(),
        );
    }
    let salt = SaltString::generate(&mut OsRng);
    let hash = Argon2::default().hash_password(secret.bytes(), &salt);
    hash.map(|hash| hash.to_string())
        .map_err(|e| format!("TXMXS0016E the password cannot be hashed: {e}"))
}

/// Without a usable hash the same work is done on one nobody's secret fits.
fn matches(hash: &str, secret: &Secret) -> bool {
    static NOBODY: OnceLock<String> = OnceLock::new();
    let nobody = NOBODY.get_or_init(|| hashed(&Secret::password(b"nobody")).unwrap_or_default());
    let parsed = PasswordHash::new(hash);
    let known = parsed.is_ok() && !secret.is_empty();
    let Ok(hash) = parsed.or_else(|_| PasswordHash::new(nobody)) else {
        return false;
    };
    Argon2::default()
        .verify_password(secret.bytes(), &hash)
        .is_ok()
        && known
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);
    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn users(name: &str) -> (Folder, UserFile) {
        let folder =
            std::env::temp_dir().join(format!("transom-users-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let rules = PasswordRules {
            attempts_max: 3,
            ..PasswordRules::default()
        };
        let users = UserFile::new(&folder.join("users.toml"), rules);
        let alice = User {
            userid: "alice".into(),
            name: "Alice Example".into(),
            groups: vec!["CLERKS".into()],
            ..User::default()
        };
        users
            .put(&alice, &Secret::password(b"wonder1"), false)
            .unwrap();
        (Folder(folder), users)
    }

    fn password(text: &str) -> Secret {
        Secret::password(text.as_bytes())
    }

    #[test]
    fn right_and_wrong_passwords() {
        let (folder, users) = users("verify");
        let text = fs::read_to_string(folder.0.join("users.toml")).unwrap();
        assert!(
            text.contains("$argon2id$") && !text.contains("wonder1"),
            "{text}"
        );
        let alice = users.verify("ALICE", &password("wonder1 "), None).unwrap();
        assert_eq!((alice.userid.as_str(), alice.groups.len()), ("ALICE", 1));
        let verify = |user: &str, word: &str| users.verify(user, &password(word), None);
        assert_eq!(verify("ALICE", ""), Err(Denied::NoSecret));
        assert_eq!(verify("MALLORY", "nobody"), Err(Denied::Unknown));
        for denied in [Denied::Wrong, Denied::Wrong, Denied::WrongTooOften] {
            assert_eq!(verify("ALICE", "guess"), Err(denied));
        }
        assert_eq!(verify("ALICE", "wonder1"), Err(Denied::Revoked));
        users.reset("alice", &password("wonder2"), true).unwrap();
        assert_eq!(verify("ALICE", "wonder2"), Err(Denied::MustChange));
    }

    #[test]
    fn passwords_grow_old_and_have_a_length() {
        let (folder, mut users) = users("rules");
        users.rules.days = 30;
        users.rules.chars_min = 6;
        let alice = users.verify("ALICE", &password("wonder1"), None).unwrap();
        assert_eq!(alice.expires, alice.changed + 30 * 86_400);
        let path = folder.0.join("users.toml");
        let text = fs::read_to_string(&path).unwrap();
        let old = format!("changed = {}", alice.changed);
        fs::write(&path, text.replace(&old, "changed = 1000")).unwrap();
        let verify =
            |new: Option<Secret>| users.verify("ALICE", &password("wonder1"), new.as_ref());
        assert_eq!(verify(None), Err(Denied::MustChange));
        assert_eq!(
            verify(Some(password("short"))),
            Err(Denied::NewNotAcceptable)
        );
        assert!(verify(Some(password("longer"))).unwrap().expires > alice.expires - 60);
        assert!(users.verify("ALICE", &password("longer"), None).is_ok());
        assert!(
            users
                .reset("ALICE", &password("abc"), false)
                .unwrap_err()
                .starts_with("TXMXS0019E")
        );
    }

    #[test]
    fn changing() {
        let (_folder, users) = users("change");
        let change = |old: &str, new: &[u8]| {
            let new = Secret::phrase(new);
            users.verify("ALICE", &password(old), Some(&new)).map(drop)
        };
        assert_eq!(change("wonder1", b"wonder1"), Err(Denied::NewNotAcceptable));
        assert_eq!(
            change("wonder1", b"two words"),
            Err(Denied::NewNotAcceptable)
        );
        assert_eq!(change("wrong", b"secret"), Err(Denied::Wrong));
        assert_eq!(change("wonder1", b"secret"), Ok(()));
        assert!(users.verify("ALICE", &password("secret"), None).is_ok());
        assert_eq!(format!("{:?}", password("secret")), "Secret(..)");
        users.delete("ALICE").unwrap();
        assert!(users.list().unwrap().is_empty());
        assert!(users.delete("ALICE").unwrap_err().starts_with("TXMXS0011E"));
    }

    #[test]
    fn a_revocation_the_file_does_not_take_holds() {
        let (folder, users) = users("unwritten");
        let lock = folder.0.join("users.toml.lock");
        fs::remove_file(&lock).unwrap();
        fs::create_dir(&lock).unwrap();
        let verify = |word: &str| users.verify("ALICE", &password(word), None);
        for denied in [Denied::Wrong, Denied::Wrong, Denied::WrongTooOften] {
            assert_eq!(verify("guess"), Err(denied));
        }
        assert_eq!(verify("guess"), Err(Denied::Revoked));
        assert_eq!(verify("wonder1"), Err(Denied::Revoked));
        fs::remove_dir(&lock).unwrap();
        assert_eq!(verify("wonder1"), Err(Denied::Revoked));
        assert!(users.list().unwrap()[0].1, "the file has it now");
    }
}
