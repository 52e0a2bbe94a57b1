//! What the command line hands in, and what all commands need.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use transom_copybook::CodePage;
use transom_messages as messages;
use transom_region_sql::SqlEngine;

/// The database of a system directory.
pub struct Database {
    pub engine: Arc<dyn SqlEngine>,
    /// Of sources in EBCDIC.
    pub page: &'static CodePage,
}

/// How files are read: names and texts, of standard input without one.
pub type Texts<'a> = &'a dyn Fn(&[PathBuf], &CodePage) -> Result<Vec<(String, String)>, String>;

/// What the command line hands in.
pub struct Beside<'a> {
    /// Opens the database of a system directory.
    pub database: &'a dyn Fn(&Path) -> Result<Database, String>,
    pub texts: Texts<'a>,
    /// Prints a line.
    pub print: &'a mut dyn FnMut(&str),
}

/// The user of a session.
pub(crate) fn user(said: Option<&String>) -> String {
    let user = said.cloned().or_else(|| std::env::var("USER").ok());
    user.unwrap_or_default().to_ascii_uppercase()
}

pub(crate) fn not_opened(error: impl std::fmt::Display) -> String {
    messages::sq::not_opened(&error).to_string()
}
