//! What a region is told of its users.
//!
//! Not here: reading transom.toml and users.toml.

use crate::rules::Rules;
use crate::user::{PasswordRules, UserRegistry};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Whether authority is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SecurityMode {
    /// Once there are users.
    #[default]
    Auto,
    /// SEC=YES.
    Yes,
    /// SEC=NO: everybody may do everything.
    No,
}

/// Users.
#[derive(Clone)]
pub struct UserConfig {
    /// File with users and password hashes; `None`: nobody can sign on.
    pub file: Option<PathBuf>,
    /// Another registry in place of the file.
    pub registry: Option<Arc<dyn UserRegistry>>,
    /// File that remembers that there have been users; `None`: that is not remembered.
    pub memory: Option<PathBuf>,
    /// What the file asks of passwords.
    pub passwords: PasswordRules,
    /// SEC: whether authority is checked.
    pub security: SecurityMode,
    /// CMDSEC=ALWAYS: system programming commands of every transaction are checked.
    pub commands_always: bool,
    /// RESSEC=ALWAYS: resources of every transaction are checked.
    pub resources_always: bool,
    /// Who may do what.
    pub rules: Rules,
    /// Length of a minute of a user's idle time; only tests shorten it.
    pub idle_minute: Duration,
    /// GMTEXT: what CSGM and CESN show, at most 246 characters.
    pub greeting: String,
}

impl Default for UserConfig {
    fn default() -> Self {
        Self {
            file: None,
            registry: None,
            memory: None,
            passwords: PasswordRules::default(),
            security: SecurityMode::Auto,
            commands_always: false,
            resources_always: false,
            rules: Rules::default(),
            idle_minute: Duration::from_secs(60),
            greeting: "Welcome to Transom".into(),
        }
    }
}

impl fmt::Debug for UserConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, registry) = (&self.file, self.registry.is_some());
        write!(f, "UserConfig {{ file: {file:?}, registry: {registry} }}")
    }
}
