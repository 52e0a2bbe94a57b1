//! `transom status` and `transom stop`: the region of a system directory from outside.

use super::output::print;
use crate::console::{Unreached, ask, wait_for_end};
use clap::Args;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use transom_log::say;
use transom_messages::{Message, bk};

/// No region runs.
const NOT_RUNNING: u8 = 3;
/// One runs, and the command could not be done.
const FAILED: u8 = 1;
/// It still runs when the time is over.
const LATE: u8 = 4;

#[derive(Debug, Args)]
#[command(
    after_help = "The exit code is 0 when a region runs, 3 when none does, 1 when it does not answer.

Examples:
  transom status my-system
  transom status my-system --json"
)]
pub(crate) struct StatusArgs {
    /// The system directory
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Tasks that run are waited for, as with CEMT PERFORM SHUTDOWN; the command returns when the \
region has ended. The exit code is 0 then, 3 when no region ran, 4 when it still runs after the time, 1 when it \
does not answer. Only the user of the region, the owner of the directory and root can stop it.

Examples:
  transom stop my-system
  transom stop my-system --immediate --timeout 30"
)]
pub(crate) struct StopArgs {
    /// The system directory
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Do not wait for tasks that run
    #[arg(long)]
    immediate: bool,
    /// Seconds to wait for the end
    #[arg(long, default_value_t = 60)]
    timeout: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn status(args: &StatusArgs) -> ExitCode {
    match ask(&args.dir, &json!({"command": "status"})) {
        Ok((answer, _)) if answer["error"].is_null() => {
            match args.json {
                true => print(&format!("{answer:#}\n")),
                false => print(&shown(&answer)),
            }
            ExitCode::SUCCESS
        }
        Ok((answer, _)) => {
            say(bk::no_answer(args.dir.display(), text(&answer["error"])));
            ExitCode::from(FAILED)
        }
        Err(unreached) => {
            if args.json && matches!(unreached, Unreached::Nobody) {
                print(&format!("{:#}\n", json!({"state": "stopped"})));
            }
            not_reached(&args.dir, &unreached)
        }
    }
}

pub(crate) fn stop(args: &StopArgs) -> ExitCode {
    let request = json!({"command": "stop", "immediate": args.immediate, "wait": true});
    let stream = match ask(&args.dir, &request) {
        Ok((answer, stream)) if answer["stopping"] == true => stream,
        Ok((answer, _)) => {
            say(bk::no_answer(args.dir.display(), text(&answer["error"])));
            return ExitCode::from(FAILED);
        }
        Err(unreached) => return not_reached(&args.dir, &unreached),
    };
    let ended = wait_for_end(stream, Duration::from_secs(args.timeout));
    if args.json {
        let state = if ended { "stopped" } else { "stopping" };
        print(&format!("{:#}\n", json!({"state": state})));
    }
    if !ended {
        say(bk::still_stopping(args.dir.display(), args.timeout));
        return ExitCode::from(LATE);
    }
    if !args.json {
        print(&format!("{}: the region has ended\n", args.dir.display()));
    }
    ExitCode::SUCCESS
}

fn not_reached(dir: &Path, unreached: &Unreached) -> ExitCode {
    let (message, code): (Message, u8) = match unreached {
        Unreached::Nobody => (bk::no_region(dir.display()), NOT_RUNNING),
        Unreached::Silent(error) => (bk::no_answer(dir.display(), error), FAILED),
    };
    say(message);
    ExitCode::from(code)
}

fn shown(answer: &Value) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now_ms = now.map_or(0, |now| now.as_millis() as u64);
    let since_ms = answer["since_ms"].as_u64().unwrap_or(now_ms);
    let seconds = now_ms.saturating_sub(since_ms) / 1_000;
    let mut lines = format!(
        "region {} {} for {} s (process {}, version {})\ntasks {} of {}, workers {}\n",
        text(&answer["applid"]),
        text(&answer["state"]),
        seconds,
        answer["pid"],
        text(&answer["version"]),
        answer["tasks"],
        answer["max_tasks"],
        answer["workers"],
    );
    for listener in answer["listeners"].as_array().into_iter().flatten() {
        lines += &format!("{}\n", text(listener));
    }
    lines
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default().trim_end()
}
