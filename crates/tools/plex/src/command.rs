//! `transom plex status` and `transom plex stop`.

use crate::console::{Unreached, ask, wait_for_end};
use crate::file;
use crate::status::{self, Found};
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use transom_messages::px;
use transom_settings::PlexFile;

/// No region of the plex runs.
const NOT_RUNNING: u8 = 3;
/// A region does not run or answer while others do, or the command could not be done.
const FAILED: u8 = 1;
/// A region still runs when the time is over.
const LATE: u8 = 4;

/// Regions that are run together.
#[derive(Debug, Subcommand)]
pub enum PlexCommand {
    /// One table of all regions: tasks, links, queues, units of work in doubt
    Status(StatusArgs),
    /// End the regions in the reverse order of their start
    Stop(StopArgs),
}

/// Options of `transom plex status`.
#[derive(Debug, Args)]
#[command(
    after_help = "The exit code is 0 when all regions run, 1 when some do not or do not answer, 3 when none runs.

Examples:
  transom plex status samples/dsw
  transom plex status samples/dsw --json"
)]
pub struct StatusArgs {
    /// The folder of plex.toml
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Options of `transom plex stop`.
#[derive(Debug, Args)]
#[command(
    after_help = "Each region waits for its tasks, as with `transom stop`. A plex that `transom run` keeps is \
stopped by Ctrl-C there: it starts what dies again where plex.toml says so, but no region that was stopped. The \
exit code is 0 when all have ended, 3 when none ran, 4 when one still runs after its time, 1 when one does not answer.

Examples:
  transom plex stop samples/dsw"
)]
pub struct StopArgs {
    /// The folder of plex.toml
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Do not wait for tasks that run
    #[arg(long)]
    immediate: bool,
}

/// Runs a command; `print` and `say` are the ways of results and of messages to the user.
pub fn command(command: &PlexCommand, print: fn(&str), say: fn(&str)) -> ExitCode {
    let folder = match command {
        PlexCommand::Status(args) => &args.dir,
        PlexCommand::Stop(args) => &args.dir,
    };
    let file = match file::read(folder) {
        Ok(file) => file,
        Err(text) => {
            say(&text);
            return ExitCode::from(FAILED);
        }
    };
    match command {
        PlexCommand::Status(args) => show(args, &file, print),
        PlexCommand::Stop(args) => stop(args, &file, print, say),
    }
}

/// What each region answers.
fn found(folder: &Path, file: &PlexFile) -> Vec<Found> {
    let one = |region: &transom_settings::PlexRegion| {
        let asked = ask(&folder.join(region.dir()), &json!({"command": "status"}));
        let answer = match asked {
            Ok((answer, _)) if answer["error"].is_null() => answer,
            Ok(_) | Err(Unreached::Silent(_)) => json!({"state": "silent"}),
            Err(Unreached::Nobody) => json!({"state": "down"}),
        };
        Found {
            name: region.name.clone(),
            answer,
        }
    };
    file.regions.iter().map(one).collect()
}

fn show(args: &StatusArgs, file: &PlexFile, print: fn(&str)) -> ExitCode {
    let all = found(&args.dir, file);
    match args.json {
        true => print(&format!("{:#}\n", status::json(&all))),
        false => print(&status::table(&all)),
    }
    let answers = all.iter().filter(|r| r.answer["pid"].is_u64()).count();
    match answers {
        0 => ExitCode::from(NOT_RUNNING),
        some if some < all.len() => ExitCode::from(FAILED),
        _ => ExitCode::SUCCESS,
    }
}

fn stop(args: &StopArgs, file: &PlexFile, print: fn(&str), say: fn(&str)) -> ExitCode {
    let request = json!({"command": "stop", "immediate": args.immediate, "wait": true});
    let (mut code, mut ran) = (0, false);
    for region in file.regions.iter().rev() {
        let name = &region.name;
        let patience = file.plex.stop_seconds + Duration::from_secs(1);
        match ask(&args.dir.join(region.dir()), &request) {
            Err(Unreached::Nobody) => continue,
            Ok((answer, stream)) if answer["stopping"] == Value::Bool(true) => {
                if wait_for_end(stream, patience) {
                    print(&format!("{name}: the region has ended\n"));
                } else {
                    code = LATE;
                    say(px::still_runs(name, patience.as_secs()).as_ref());
                }
            }
            Ok(_) | Err(Unreached::Silent(_)) => {
                code = FAILED;
                say(px::silent(name).as_ref());
            }
        }
        ran = true;
    }
    ExitCode::from(if ran { code } else { NOT_RUNNING })
}
