//! Files that commands read and write.

use std::path::Path;
use transom_messages as messages;

pub(crate) fn folder_of(file: &Path) -> &Path {
    file.parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

pub(crate) fn read(file: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(file).map_err(|e| messages::si::not_read(file.display(), &e).to_string())
}

pub(crate) fn write(file: &Path, bytes: &[u8]) -> Result<(), String> {
    let cannot = |e: std::io::Error| messages::si::not_written(file.display(), &e).to_string();
    std::fs::create_dir_all(folder_of(file)).map_err(cannot)?;
    std::fs::write(file, bytes).map_err(cannot)
}
