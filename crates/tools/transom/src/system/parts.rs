//! `[terminals]`, `[data]` and `[users]`: the parts of a region beside programs.
//!
//! What: the keys of the three tables, checked. Not here: listeners (`doors/tn3270`), stores
//! (`region/datasets`), passwords (`region/server`).

use super::config::{Config, ConfigProblem, nearest};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use transom_region_server::{PasswordRules, SecurityMode, UserConfig};

/// Keys of `[terminals]` with default and text of the reference page.
#[rustfmt::skip]
pub(crate) const TERMINAL_KEYS: &[(&str, &str, &str)] = &[
    ("port", "none", "Port of the TN3270 listener. Without it and without tls_port no terminal can connect."),
    ("tls_port", "none", "Port of the TN3270 listener that begins with TLS."),
    ("address", "127.0.0.1", "Address both listen on."),
    ("certificate", "none", "PEM file with certificate chain and key, below the directory; needed for tls_port and start_tls."),
    ("start_tls", "NO", "YES: `port` offers telnet START_TLS and serves no client that refuses it."),
    ("ccsid", "37", "Coded character set of terminals whose Query Reply names none."),
    ("max_sessions", "10000", "Sessions at a time, 1 to 100000; further connections are closed."),
    ("idle_seconds", "0", "Sessions without input for so long are ended; 0: never."),
    ("logon_seconds", "30", "Time from connection to logon, 1 to 600; a client that is slower is closed."),
    ("keepalive_seconds", "120", "A client silent for so long is sent a telnet NOP, so that one that vanished is found out; 0: never."),
    ("answer_seconds", "0", "The client must answer that sign of life (then a TIMING-MARK) within this time or its session ends; 0: it need not."),
    ("max_sessions_per_client", "0", "Connections of one client address at a time; 0: no limit but max_sessions."),
    ("autoinstall", "YES", "NO: only LU names of TERMINAL definitions are served; others are rejected."),
];

/// Keys of `[data]`.
#[rustfmt::skip]
pub(crate) const DATA_KEYS: &[(&str, &str, &str)] = &[
    ("folder", "data/store", "Folder of the record store, below the directory."),
    ("max_gigabytes", "64", "Largest size of the store in GiB, 1 to 16384; reserved address space, not disk."),
    ("log_megabytes", "32", "MiB of changes after which the store is flushed and its log begins again, 1 to 1024; twice that is used of the disk."),
    ("postgresql", "none", "Connection string of a PostgreSQL server that keeps files and units of work instead."),
];

/// Keys of `[data.stores.NAME]`.
#[rustfmt::skip]
pub(crate) const STORE_KEYS: &[(&str, &str, &str)] = &[
    ("postgresql", "none", "Connection string of the database."),
    ("data_sets", "none", "Data sets it keeps, names or beginnings of names that end with `*`; their alternate indexes must be among them."),
];

/// Keys of `[users]`.
#[rustfmt::skip]
pub(crate) const USER_KEYS: &[(&str, &str, &str)] = &[
    ("file", "users.toml", "File with users and password hashes, below the directory; `transom user` writes it."),
    ("attempts_max", "5", "Wrong passwords in a row after which a user is revoked, up to 255; 0: never."),
    ("password_days", "0", "Days after which a password must be changed, up to 3650; 0: never."),
    ("password_min", "1", "Characters a new password has at least, 1 to 8."),
];

/// `[terminals]`.
#[derive(Debug, Clone)]
pub(crate) struct TerminalSection {
    pub(crate) port: Option<u16>,
    pub(crate) tls_port: Option<u16>,
    pub(crate) address: IpAddr,
    pub(crate) certificate: Option<String>,
    pub(crate) start_tls: bool,
    pub(crate) ccsid: u32,
    pub(crate) max_sessions: usize,
    pub(crate) idle_seconds: u32,
    pub(crate) logon_seconds: u32,
    pub(crate) keepalive_seconds: u32,
    pub(crate) answer_seconds: u32,
    pub(crate) max_sessions_per_client: usize,
    pub(crate) autoinstall: bool,
}

impl Default for TerminalSection {
    fn default() -> Self {
        Self {
            port: None,
            tls_port: None,
            address: IpAddr::from([127, 0, 0, 1]),
            certificate: None,
            start_tls: false,
            ccsid: 37,
            max_sessions: 10_000,
            idle_seconds: 0,
            logon_seconds: 30,
            keepalive_seconds: 120,
            answer_seconds: 0,
            max_sessions_per_client: 0,
            autoinstall: true,
        }
    }
}

/// `[data]`.
#[derive(Debug, Clone)]
pub(crate) struct DataSection {
    folder: String,
    pub(crate) max_gigabytes: u32,
    pub(crate) log_megabytes: u32,
    pub(crate) postgresql: Option<String>,
    /// `[data.stores]`, in the order of their names.
    pub(crate) stores: Vec<StoreSection>,
}

/// `[data.stores.NAME]`: a database that keeps some of the data sets.
#[derive(Debug, Clone, Default)]
pub(crate) struct StoreSection {
    pub(crate) name: String,
    pub(crate) postgresql: String,
    data_sets: Vec<String>,
}

impl Default for DataSection {
    fn default() -> Self {
        Self {
            folder: "data/store".into(),
            max_gigabytes: 64,
            log_megabytes: 32,
            postgresql: None,
            stores: Vec::new(),
        }
    }
}

/// `[users]`.
#[derive(Debug, Clone)]
pub(crate) struct UserSection {
    file: String,
    pub(crate) passwords: PasswordRules,
}

impl Default for UserSection {
    fn default() -> Self {
        Self {
            file: "users.toml".into(),
            passwords: PasswordRules::default(),
        }
    }
}

impl TerminalSection {
    /// Takes one `key = value`.
    pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigProblem> {
        let port = || number(key, value, 1, 65_535).map(|n| Some(n as u16));
        match key {
            "port" => self.port = port()?,
            "tls_port" => self.tls_port = port()?,
            "address" => {
                let wrong = |_| ConfigProblem::value(key, value, "an IP address is needed".into());
                self.address = value.parse().map_err(wrong)?;
            }
            "certificate" => self.certificate = Some(super::config::inside(key, value)?),
            "start_tls" => self.start_tls = yes(key, value)?,
            "ccsid" => self.ccsid = number(key, value, 1, 65_535)?,
            "max_sessions" => self.max_sessions = number(key, value, 1, 100_000)? as usize,
            "idle_seconds" => self.idle_seconds = number(key, value, 0, 604_800)?,
            "logon_seconds" => self.logon_seconds = number(key, value, 1, 600)?,
            "keepalive_seconds" => self.keepalive_seconds = number(key, value, 0, 86_400)?,
            "answer_seconds" => self.answer_seconds = number(key, value, 0, 600)?,
            "max_sessions_per_client" => {
                self.max_sessions_per_client = number(key, value, 0, 100_000)? as usize;
            }
            "autoinstall" => self.autoinstall = yes(key, value)?,
            _ => return Err(unknown("[terminals]", key, TERMINAL_KEYS)),
        }
        Ok(())
    }
}

impl DataSection {
    /// Takes one `key = value`.
    pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigProblem> {
        match key {
            "folder" => self.folder = super::config::inside(key, value)?,
            "max_gigabytes" => self.max_gigabytes = number(key, value, 1, 16_384)?,
            "log_megabytes" => self.log_megabytes = number(key, value, 1, 1_024)?,
            "postgresql" => self.postgresql = Some(value.to_owned()),
            _ => return Err(unknown("[data]", key, DATA_KEYS)),
        }
        Ok(())
    }

    /// Folder of the store.
    pub(crate) fn folder(&self, root: &Path) -> PathBuf {
        root.join(&self.folder)
    }
}

impl Config {
    /// Users, rules and what is checked; without the greeting.
    pub(crate) fn users(&self, root: &Path) -> UserConfig {
        UserConfig {
            file: Some(self.users.file(root)),
            passwords: self.users.passwords.clone(),
            security: match self.sit.text("SEC") {
                "YES" => SecurityMode::Yes,
                "NO" => SecurityMode::No,
                _ => SecurityMode::Auto,
            },
            commands_always: self.sit.text("CMDSEC") == "ALWAYS",
            resources_always: self.sit.text("RESSEC") == "ALWAYS",
            rules: self.authority.clone(),
            ..UserConfig::default()
        }
    }
}

impl StoreSection {
    /// An empty section of that name.
    pub(crate) fn named(name: &str) -> Result<Self, ConfigProblem> {
        let good = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || name.len() > 32 || !name.chars().all(good) {
            let why = "1 to 32 letters, digits, - and _ are needed".to_owned();
            return Err(ConfigProblem::value("[data.stores]", name, why));
        }
        Ok(Self {
            name: name.to_owned(),
            ..Self::default()
        })
    }

    /// Takes one `key = value`.
    pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigProblem> {
        match key {
            "postgresql" => self.postgresql = value.to_owned(),
            "data_sets" => {
                let names = value.split([',', ' ']).filter(|name| !name.is_empty());
                self.data_sets = names.map(str::to_ascii_uppercase).collect();
            }
            _ => return Err(unknown("[data.stores]", key, STORE_KEYS)),
        }
        Ok(())
    }

    /// What is missing.
    pub(crate) fn complete(&self) -> Result<(), ConfigProblem> {
        let why = "a value is needed".to_owned();
        if self.postgresql.is_empty() {
            return Err(ConfigProblem::value("postgresql", "", why));
        }
        if self.data_sets.is_empty() {
            return Err(ConfigProblem::value("data_sets", "", why));
        }
        Ok(())
    }

    /// Whether it keeps a data set.
    pub(crate) fn keeps(&self, data_set: &str) -> bool {
        // The name of a table may have a number behind it.
        let data_set = data_set.split('~').next().unwrap_or_default();
        let fits = |pattern: &String| match pattern.strip_suffix('*') {
            Some(beginning) => data_set.starts_with(beginning),
            None => data_set == pattern,
        };
        self.data_sets.iter().any(fits)
    }
}

impl UserSection {
    /// Takes one `key = value`.
    pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigProblem> {
        match key {
            "file" => self.file = super::config::inside(key, value)?,
            "attempts_max" => self.passwords.attempts_max = number(key, value, 0, 255)?,
            "password_days" => self.passwords.days = number(key, value, 0, 3_650)?,
            "password_min" => self.passwords.chars_min = number(key, value, 1, 8)? as usize,
            _ => return Err(unknown("[users]", key, USER_KEYS)),
        }
        Ok(())
    }

    /// The file with users.
    pub(crate) fn file(&self, root: &Path) -> PathBuf {
        root.join(&self.file)
    }
}

fn unknown(table: &str, key: &str, keys: &[(&'static str, &str, &str)]) -> ConfigProblem {
    ConfigProblem::unknown(table, key, nearest(key, keys.iter().map(|k| k.0)))
}

fn number(key: &str, value: &str, low: u32, high: u32) -> Result<u32, ConfigProblem> {
    let given = value.parse::<u32>().ok();
    given.filter(|n| (low..=high).contains(n)).ok_or_else(|| {
        let why = format!("a whole number from {low} to {high} is needed");
        ConfigProblem::value(key, value, why)
    })
}

fn yes(key: &str, value: &str) -> Result<bool, ConfigProblem> {
    match value.to_ascii_uppercase().as_str() {
        "YES" | "Y" => Ok(true),
        "NO" | "N" => Ok(false),
        _ => Err(ConfigProblem::value(
            key,
            value,
            "YES or NO is needed".into(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_bounds_and_near_names() {
        let mut terminals = TerminalSection::default();
        terminals.set("port", "3270").unwrap();
        assert_eq!(terminals.port, Some(3270));
        for (key, value, part) in [
            ("port", "0", "1 to 65535"),
            ("address", "localhost", "IP address"),
            ("certificate", "../key.pem", "below the system directory"),
            ("ports", "1", "nearest known one is port"),
        ] {
            let error = terminals.set(key, value).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        let mut data = DataSection::default();
        data.set("max_gigabytes", "2").unwrap();
        assert_eq!(data.folder(Path::new("/sys")), Path::new("/sys/data/store"));
        assert!(data.set("folder", "/var").is_err());
    }

    #[test]
    fn a_store_keeps_what_its_names_say() {
        let mut bank = StoreSection::named("bank").unwrap();
        assert!(bank.complete().is_err());
        bank.set("postgresql", "host=/tmp").unwrap();
        bank.set("data_sets", "BANK.*,Other.Accounts").unwrap();
        bank.complete().unwrap();
        let kept = ["BANK.A", "BANK.A.INDEX", "OTHER.ACCOUNTS"];
        assert!(kept.iter().all(|name| bank.keeps(name)));
        assert!(!bank.keeps("OTHER.ACCOUNTS2") && !bank.keeps("BANK"));
        assert!(StoreSection::named("b,c").is_err());
    }
}
