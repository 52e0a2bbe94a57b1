//! `transom verify`: reads every record of a system directory's store and names the damaged ones.

use super::output::Terminal;
use super::store::seen_datasets;
use crate::system;
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use transom_datasets::check_structure;
use transom_log::say;
use transom_recovery::StoreError;
use transom_utilities::{StoreFailure, verify};

#[derive(Debug, Args)]
#[command(
    after_help = "The exit code is 0 without damage, 8 with, 16 when the store cannot be opened.

Example:
  transom verify my-system"
)]
pub(crate) struct VerifyArgs {
    /// The system directory
    #[arg(default_value = ".")]
    dir: PathBuf,
}

pub(crate) fn run(args: &VerifyArgs) -> ExitCode {
    match execute(&args.dir) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(8),
        Err(text) => {
            say(text);
            ExitCode::from(16)
        }
    }
}

fn execute(dir: &Path) -> Result<bool, String> {
    check_pages(dir)?;
    let datasets = seen_datasets(dir)?;
    verify(&datasets, &mut Terminal::default()).map_err(|e| e.to_string())
}

/// Pages that do not belong together could end this process once they are mapped.
fn check_pages(dir: &Path) -> Result<(), String> {
    let Ok((system, _)) = system::open(dir) else {
        // Opening the data sets says why.
        return Ok(());
    };
    match check_structure(&system.settings.data.path(&system.root)) {
        // A running region is told of when the data sets are opened.
        Ok(()) | Err(StoreError::InUse(_)) => Ok(()),
        Err(error) => Err(StoreFailure::from(error).to_string()),
    }
}
