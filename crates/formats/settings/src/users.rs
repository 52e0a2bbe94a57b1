//! `[users]`.

use crate::kind::{Inside, Number};
use std::path::{Path, PathBuf};

settings! {
    /// Who may sign on.
    pub struct UserSettings in "[users]" {
        /// File with users and password hashes, below the directory; `transom user` writes it.
        file: String = "users.toml".into(), Inside;
        /// Wrong passwords in a row after which a user is revoked, up to {max}; 0: never.
        attempts_max: u32 = 5, Number(0, 255);
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
