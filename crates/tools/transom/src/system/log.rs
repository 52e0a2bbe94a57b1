//! `[log]` as the log of a process that serves.

use super::SystemDirectory;
use transom_log::{Format, LogConfig, LogFile};
use transom_messages as messages;

/// From now on the process serves; `asked`: the format of the command line.
pub(crate) fn serve(system: &SystemDirectory, asked: Option<&str>) -> Result<(), String> {
    let table = &system.settings.log;
    let file = table.file.as_ref().map(|name| LogFile {
        path: system.root.join(name),
        bytes_max: table.file_megabytes << 20,
        files_max: table.files,
    });
    transom_log::configure(LogConfig {
        format: Format::named(asked.unwrap_or(table.format)),
        file,
    });
    transom_log::serve().map_err(|e| messages::si::region_cannot_start(&e).to_string())
}
