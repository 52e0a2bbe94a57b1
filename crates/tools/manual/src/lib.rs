//! The command line, described for those who read it elsewhere than in `--help`.
//!
//! What: from the one declaration of the command line the reference page, the manual pages and
//! the completions of shells. Why a room: a package needs all of them, and what they say must be
//! what `--help` says. Pages of messages are shown here too (`explain`). Not here: the declaration
//! itself, and what commands do.

#![forbid(unsafe_code)]

mod explain;
mod man;
mod page;

pub use explain::explain;
pub use man::{ManPage, man_pages};
pub use page::reference_page;

use clap::{Args, Command};
use clap_complete::Shell;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  transom completions bash > /usr/share/bash-completion/completions/transom
  transom completions zsh > ~/.zfunc/_transom")]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// The script that completes `command` in the shell asked for.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> String {
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

#[derive(Debug, Args)]
#[command(
    after_help = "One page for each command: transom.1, transom-run.1 and so on.

Examples:
  transom manual /usr/local/share/man/man1
  transom manual /tmp/pages && man /tmp/pages/transom-run.1"
)]
pub struct ManualArgs {
    /// Folder for the pages; it must be there
    folder: PathBuf,
}

/// Writes the manual pages of `command` into the folder asked for.
///
/// # Errors
///
/// The first file that cannot be written, and why.
pub fn manual(args: &ManualArgs, command: Command) -> Result<(), String> {
    for page in man_pages(command) {
        write(&args.folder, &page)?;
    }
    Ok(())
}

fn write(folder: &Path, page: &ManPage) -> Result<(), String> {
    let path = folder.join(&page.file);
    std::fs::write(&path, &page.text).map_err(|e| format!("{}: {e}", path.display()))
}
