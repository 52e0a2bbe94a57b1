//! `transom init`: a system directory to begin with, made of the files that a tutorial shows.
//!
//! What: files and commands are taken from the page itself ([`page`]), so the page and what is
//! written can't differ. The folder appears as a whole or not at all. Not here: what a system
//! directory means; compiling and running it.

#![forbid(unsafe_code)]

mod page;

use clap::{Args, ValueEnum};
use page::Page;
use std::fs;
use std::path::{Path, PathBuf};
use transom_messages::{Message, ns};

/// Options of `transom init`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  transom init api quotes
  transom init terminal hello")]
pub struct InitArgs {
    /// What it shall be: a program behind a REST API, or a transaction of 3270 terminals
    kind: Kind,
    /// The system directory to make; it must not exist, or be empty
    name: PathBuf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Kind {
    /// COBOL program, copybook, service, API and gateway
    Api,
    /// COBOL program, map, transaction and a script that types
    Terminal,
}

/// Writes the files and prints the commands that come next.
///
/// # Errors
/// The folder has something in it, or cannot be written; nothing is left of it.
pub fn init(args: &InitArgs, print: fn(&str)) -> Result<(), String> {
    let text = match args.kind {
        Kind::Api => include_str!("../../../../docs/tutorials/first-api.md"),
        Kind::Terminal => include_str!("../../../../docs/tutorials/first-terminal.md"),
    };
    let page = Page::read(text);
    make(&args.name, &page)?;
    print(&told(&args.name, &page));
    Ok(())
}

/// The folder with its files, made beside the place it goes to.
fn make(dir: &Path, page: &Page) -> Result<(), Message> {
    let name = dir.file_name().filter(|_| free(dir));
    let name = name.ok_or_else(|| ns::not_empty(dir.display()))?;
    let parent = match dir.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let new = parent.join(format!(
        ".{}.{}.init",
        name.to_string_lossy(),
        std::process::id()
    ));
    let made = fill(&new, page)
        .and_then(|()| fs::rename(&new, dir).map_err(|why| ns::not_written(dir.display(), why)));
    if made.is_err() {
        // What cannot be removed is named by what could not be written.
        let _ = fs::remove_dir_all(&new);
    }
    made
}

/// Nothing stands there.
fn free(dir: &Path) -> bool {
    match fs::read_dir(dir) {
        Ok(mut entries) => entries.next().is_none(),
        Err(_) => fs::symlink_metadata(dir).is_err(),
    }
}

fn fill(new: &Path, page: &Page) -> Result<(), Message> {
    for file in &page.files {
        let path = new.join(&file.path);
        let folder = path.parent().unwrap_or(new);
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, &file.text));
        written.map_err(|why| ns::not_written(path.display(), why))?;
    }
    Ok(())
}

/// What was written, and the commands of the page.
fn told(dir: &Path, page: &Page) -> String {
    let dir = dir.display().to_string();
    let mut lines = vec![format!("{dir} has {} files:", page.files.len())];
    lines.extend(
        page.files
            .iter()
            .map(|file| format!("  {dir}/{}", file.path)),
    );
    lines.push("Next:".to_owned());
    lines.extend(page.commands(&page.before, &dir));
    lines.push("Then, in a second terminal:".to_owned());
    lines.extend(page.commands(&page.behind, &dir));
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_made_as_a_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let page = Page::read(include_str!("../../../../docs/tutorials/first-terminal.md"));
        let dir = folder.path().join("mine");
        make(&dir, &page).unwrap();
        assert!(
            fs::read_to_string(dir.join("csd/hello.csd"))
                .unwrap()
                .contains("DEFINE")
        );
        let again = make(&dir, &page).unwrap_err();
        assert!(
            again.line().contains("TXMNS0001E") && again.line().contains("mine"),
            "{again}"
        );
        // An empty folder is filled.
        let empty = folder.path().join("empty");
        fs::create_dir(&empty).unwrap();
        make(&empty, &page).unwrap();
        // A file, and a parent that is none.
        let file = folder.path().join("file");
        fs::write(&file, "x").unwrap();
        assert_eq!(make(&file, &page).unwrap_err().id(), "TXMNS0001E");
        assert_eq!(
            make(&file.join("below"), &page).unwrap_err().id(),
            "TXMNS0002E"
        );
        assert_eq!(make(Path::new("/"), &page).unwrap_err().id(), "TXMNS0001E");
        let left = fs::read_dir(folder.path()).unwrap().flatten();
        let left = left.filter(|entry| entry.file_name().to_string_lossy().ends_with(".init"));
        assert_eq!(left.count(), 0);
    }
}
