//! The file of a plex: `plex.toml` in the folder of its regions' folders.

use std::path::Path;
use transom_messages::px;
use transom_settings::{PlexFile, parse_plex};

/// Name of the file.
pub(crate) const FILE: &str = "plex.toml";

/// The folder is that of a plex.
pub fn is_plex(folder: &Path) -> bool {
    folder.join(FILE).is_file()
}

/// Reads the file; what is wrong as lines.
pub(crate) fn read(folder: &Path) -> Result<PlexFile, String> {
    let path = folder.join(FILE);
    let shown = path.display();
    let text = std::fs::read_to_string(&path).map_err(|e| px::not_read(&shown, e).to_string())?;
    let (file, problems) = parse_plex(&text);
    if !problems.is_empty() {
        let line =
            |p: &transom_settings::SettingProblem| format!("{shown}:{}:{}: {p}", p.line, p.column);
        return Err(problems.iter().map(line).collect::<Vec<_>>().join("\n"));
    }
    for region in &file.regions {
        let dir = folder.join(region.dir());
        if !dir.is_dir() {
            return Err(px::no_folder(&region.name, dir.display()).to_string());
        }
    }
    Ok(file)
}
