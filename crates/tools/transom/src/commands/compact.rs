//! `transom compact`: makes the store of a system directory as short as its data.

use super::backup::{FAILED, opened};
use super::output::print;
use crate::system::store as stores;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;
use transom_datasets::{Compacted, compact_local};
use transom_log::say;
use transom_messages::bk;
use transom_recovery::Space;

#[derive(Debug, Args)]
#[command(
    after_help = "No region may run, and the disk must have room for the data once more. A command that is \
interrupted leaves the old store or the new one. While a region runs it gives room of free pages back to the disk by itself; the \
length of the file stays then. The exit code is 0, or 8 when the store is as it was.

Examples:
  transom compact my-system
  transom compact my-system --json"
)]
pub(crate) struct CompactArgs {
    /// The system directory
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &CompactArgs) -> ExitCode {
    match compact(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            say(text);
            ExitCode::from(FAILED)
        }
    }
}

fn compact(args: &CompactArgs) -> Result<(), String> {
    let system = opened(&args.dir)?;
    let folder = system.settings.data.path(&system.root);
    let dir = args.dir.display();
    let done = compact_local(&folder, stores::local_options(&system));
    let Compacted { before, after } = done.map_err(|e| bk::not_compacted(&dir, e).to_string())?;
    if args.json {
        let space = |space: &Space| {
            json!({
                "net_bytes": space.net, "free_bytes": space.free,
                "file_bytes": space.file, "disk_bytes": space.disk,
            })
        };
        let answer = json!({"before": space(&before), "after": space(&after)});
        print(&format!("{answer:#}\n"));
    } else {
        let line = bk::compacted(dir, after.file, before.file);
        print(&format!("{line}\n"));
    }
    Ok(())
}
