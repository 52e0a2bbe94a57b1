//! `[users]`.

use crate::kind::{Inside, Number, Seconds};
use std::path::{Path, PathBuf};
use std::time::Duration;

settings! {
    /// Who may sign on.
    pub struct UserSettings in "[users]" {
        /// File with users and password hashes, below the directory; `transom user` writes it.
        file: String = "users.toml".into(), Inside;
        /// Wrong passwords of a user in a row that are too many, up to {max}; 0: none are.
        attempts_max: u32 = 5, Number(0, 255);
        /// So long the user is refused then where they came from, {values}; 0: the user is revoked,
        /// everywhere.
        lockout_seconds: Option<Duration> = Some(Duration::from_secs(900)), Seconds(0, 86_400);
        /// Days after which a password must be changed, up to {max}; 0: never.
        password_days: u32 = 0, Number(0, 3_650);
        /// Characters a new password has at least, {values}.
        password_min: usize = 1, Number(1, 8);
    }
}

impl UserSettings {
    /// The file with users.
    pub fn path(&self, root: &Path) -> PathBuf {
        root.join(&self.file)
    }
}
