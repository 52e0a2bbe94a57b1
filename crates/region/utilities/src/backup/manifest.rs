//! `backup.json`: what a backup is of.
//!
//! What: written last, so a folder without it is no backup; its sums tell whether the data are the
//! ones that were written. Not here: the data.

use crate::backup_failure::BackupFailure;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use transom_messages::bk;
use transom_recovery::LogPlace;

/// The file.
const NAME: &str = "backup.json";
/// The data beside it.
pub(super) const DATA: &str = "data.mdb";
/// Version of this file and of what lies beside it. A backup of a higher one is refused.
pub(super) const VERSION: u64 = 2;
/// The database of EXEC SQL beside the data; backups of version 1 have none.
pub(super) const DATABASE: &str = "sql.db";
/// Longest file that is believed.
const BYTES_MAX: u64 = 1 << 20;

/// What a backup is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// Version of the product that made it.
    pub product: String,
    /// Identity of the store; none: it had none.
    pub identity: Option<String>,
    /// APPLID of the region.
    pub applid: String,
    /// When it was begun, as UTC.
    pub made: String,
    /// A region or a utility had the store open meanwhile.
    pub in_use: bool,
    /// Bytes of the data.
    pub bytes: u64,
    /// SHA-256 of the data.
    pub sha256: String,
    /// Bytes and SHA-256 of the database of EXEC SQL; none: there was none.
    pub sql: Option<(u64, String)>,
    /// Version of the file.
    pub version: u64,
    /// Where forward recovery goes on.
    pub logs: Vec<LogPlace>,
    /// Databases that keep some data sets: not in here.
    pub databases: Vec<String>,
}

impl Manifest {
    /// Reads that of a backup, and its data.
    ///
    /// # Errors
    /// TXMBK0005E to TXMBK0007E: it is no backup, or no longer what was written.
    pub fn checked(backup: &Path) -> Result<Self, BackupFailure> {
        let manifest = Self::read(backup)?;
        let data = (manifest.bytes, manifest.sha256.clone());
        let mut parts = vec![(DATA, &data)];
        parts.extend(manifest.sql.as_ref().map(|sql| (DATABASE, sql)));
        for (name, wanted) in parts {
            let found = sum(&backup.join(name));
            let found = found.map_err(|e| bk::not_a_backup(backup.display(), e))?;
            if found != *wanted {
                return Err(bk::damaged(backup.display()).into());
            }
        }
        Ok(manifest)
    }

    /// The database of EXEC SQL in a backup, or that there was none; `None`: a backup of the
    /// version that does not say.
    pub fn database(&self, backup: &Path) -> Option<Option<PathBuf>> {
        let copy = self.sql.as_ref().map(|_| backup.join(DATABASE));
        (self.version > 1).then_some(copy)
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        let log =
            |log: &LogPlace| json!({"name": log.name, "bytes": log.bytes, "number": log.number});
        json!({
            "transom_backup": self.version,
            "product": self.product,
            "identity": self.identity,
            "applid": self.applid,
            "made": self.made,
            "in_use": self.in_use,
            "data": {"bytes": self.bytes, "sha256": self.sha256},
            "sql": self.sql.as_ref().map(|(bytes, sha256)| json!({"bytes": bytes, "sha256": sha256})),
            "logs": self.logs.iter().map(log).collect::<Vec<_>>(),
            "databases": self.databases,
        })
    }

    /// Writes it; it is on the disk when this returns.
    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        let mut file = File::create(folder.join(NAME))?;
        writeln!(file, "{:#}", self.json())?;
        file.sync_all()?;
        File::open(folder)?.sync_all()
    }

    /// Reads that of a backup.
    pub(super) fn read(folder: &Path) -> Result<Self, BackupFailure> {
        let not_one = |why: &dyn std::fmt::Display| {
            BackupFailure::from(bk::not_a_backup(folder.display(), why))
        };
        let file = File::open(folder.join(NAME)).map_err(|e| not_one(&e))?;
        let mut text = String::new();
        let read = file.take(BYTES_MAX).read_to_string(&mut text);
        read.map_err(|e| not_one(&e))?;
        let value: Map<String, Value> = serde_json::from_str(&text).map_err(|e| not_one(&e))?;
        match value.get("transom_backup").and_then(Value::as_u64) {
            Some(1..=VERSION) => {}
            Some(_) => {
                let by = text_of(&value, "product").unwrap_or_default();
                return Err(bk::other_version(folder.display(), by).into());
            }
            None => return Err(not_one(&"it says no version")),
        }
        Self::of(&value).ok_or_else(|| not_one(&"backup.json is not whole"))
    }

    fn of(value: &Map<String, Value>) -> Option<Self> {
        let data = value.get("data")?.as_object()?;
        let log = |log: &Value| {
            let log = log.as_object()?;
            Some(LogPlace {
                name: text_of(log, "name")?,
                bytes: log.get("bytes")?.as_u64()?,
                number: log.get("number")?.as_u64()?.try_into().ok()?,
            })
        };
        let databases = value.get("databases")?.as_array()?.iter();
        let name = |name: &Value| name.as_str().map(str::to_owned);
        Some(Self {
            product: text_of(value, "product")?,
            identity: text_of(value, "identity"),
            applid: text_of(value, "applid")?,
            made: text_of(value, "made")?,
            in_use: value.get("in_use")?.as_bool()?,
            bytes: data.get("bytes")?.as_u64()?,
            sha256: text_of(data, "sha256")?,
            sql: match value.get("sql").and_then(Value::as_object) {
                Some(sql) => Some((sql.get("bytes")?.as_u64()?, text_of(sql, "sha256")?)),
                None => None,
            },
            version: value.get("transom_backup")?.as_u64()?,
            logs: value
                .get("logs")?
                .as_array()?
                .iter()
                .map(log)
                .collect::<Option<_>>()?,
            databases: databases.map(name).collect::<Option<_>>()?,
        })
    }
}

fn text_of(value: &Map<String, Value>, key: &str) -> Option<String> {
    value.get(key)?.as_str().map(str::to_owned)
}

/// Length and SHA-256 of a file.
pub(super) fn sum(path: &Path) -> io::Result<(u64, String)> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    let mut bytes = 0;
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            n => {
                hash.update(&buffer[..n]);
                bytes += n as u64;
            }
        }
    }
    let sum = hash.finalize().iter().map(|b| format!("{b:02x}")).collect();
    Ok((bytes, sum))
}
