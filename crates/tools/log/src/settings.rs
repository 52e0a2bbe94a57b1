//! `[log]` as the log of a process that serves.

use crate::config::{Format, LogConfig, LogFile};
use crate::level::set_level;
use std::path::Path;
use transom_messages::{self as messages, Message};
use transom_settings::LogSettings;

/// From now on the process serves, and writes as the table says; `root`: the folder its files are
/// below; `asked`: the format of the command line.
///
/// # Errors
/// One file for two logs, or no thread.
pub fn serve_as(table: &LogSettings, root: &Path, asked: Option<&str>) -> Result<(), Message> {
    let file = |name: &String| LogFile {
        path: root.join(name),
        bytes_max: table.file_megabytes << 20,
        files_max: table.files,
    };
    let config = LogConfig {
        format: Format::named(asked.unwrap_or(table.format)),
        file: table.file.as_ref().map(file),
        access: table.access.as_ref().map(file),
    };
    let path = |file: &Option<LogFile>| file.as_ref().map(|file| file.path.clone());
    if let Some(both) = path(&config.file).filter(|p| Some(p) == path(&config.access).as_ref()) {
        return Err(messages::si::one_file_for_two_logs(both.display()));
    }
    set_level(table);
    crate::configure(config);
    crate::serve().map_err(|e| messages::si::region_cannot_start(&e))
}
