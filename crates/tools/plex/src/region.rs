//! `transom status`, `transom stop` and `transom reload`: the region of a system directory from
//! outside.
//!
//! Why it is handed how to print: that is the command line's. Not here: asking (`console`), what
//! the region does.

use crate::console::{Unreached, ask, wait_for_end};
use clap::Args;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use transom_messages::{Message, bk};

/// How the command line prints: text for standard output, and messages.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    /// Standard output.
    pub print: fn(&str),
    /// A message.
    pub say: fn(Message),
}

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
pub struct StatusArgs {
    /// The system directory
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Users, [authority], certificates of listeners, decks and [log] level are read again, as on SIGHUP; \
definitions that decks have changed are installed as CEDA INSTALL does it. What else has changed and needs a restart is named. Where something is wrong, everything stays as it was. The exit code is 0 when \
it was read, 1 when something is wrong, 3 when no region runs.

Examples:
  transom reload my-system
  transom reload my-system --json"
)]
pub struct ReloadArgs {
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
pub struct StopArgs {
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

/// `transom status`.
pub fn status(args: &StatusArgs, out: Output) -> ExitCode {
    match ask(&args.dir, &json!({"command": "status"})) {
        Ok((answer, _)) if answer["error"].is_null() => {
            match args.json {
                true => (out.print)(&format!("{answer:#}\n")),
                false => (out.print)(&shown(&answer)),
            }
            ExitCode::SUCCESS
        }
        Ok((answer, _)) => {
            (out.say)(bk::no_answer(args.dir.display(), text(&answer["error"])));
            ExitCode::from(FAILED)
        }
        Err(unreached) => {
            if args.json && matches!(unreached, Unreached::Nobody) {
                (out.print)(&format!("{:#}\n", json!({"state": "stopped"})));
            }
            not_reached(&args.dir, &unreached, out)
        }
    }
}

/// `transom stop`.
pub fn stop(args: &StopArgs, out: Output) -> ExitCode {
    let request = json!({"command": "stop", "immediate": args.immediate, "wait": true});
    let stream = match ask(&args.dir, &request) {
        Ok((answer, stream)) if answer["stopping"] == true => stream,
        Ok((answer, _)) => {
            (out.say)(bk::no_answer(args.dir.display(), text(&answer["error"])));
            return ExitCode::from(FAILED);
        }
        Err(unreached) => return not_reached(&args.dir, &unreached, out),
    };
    let ended = wait_for_end(stream, Duration::from_secs(args.timeout));
    if args.json {
        let state = if ended { "stopped" } else { "stopping" };
        (out.print)(&format!("{:#}\n", json!({"state": state})));
    }
    if !ended {
        (out.say)(bk::still_stopping(args.dir.display(), args.timeout));
        return ExitCode::from(LATE);
    }
    if !args.json {
        (out.print)(&format!("{}: the region has ended\n", args.dir.display()));
    }
    ExitCode::SUCCESS
}

/// `transom reload`.
pub fn reload(args: &ReloadArgs, out: Output) -> ExitCode {
    let (answer, _) = match ask(&args.dir, &json!({"command": "reload"})) {
        Ok(answered) => answered,
        Err(unreached) => return not_reached(&args.dir, &unreached, out),
    };
    if args.json {
        (out.print)(&format!("{answer:#}\n"));
    }
    match (&answer["error"], args.json) {
        (Value::Null, true) => ExitCode::SUCCESS,
        (Value::Null, false) => {
            for line in answer["told"].as_array().into_iter().flatten() {
                (out.print)(&format!("{}\n", text(line)));
            }
            ExitCode::SUCCESS
        }
        (error, json) => {
            if !json {
                (out.print)(&format!("{}\n", text(error)));
            }
            ExitCode::from(FAILED)
        }
    }
}

fn not_reached(dir: &Path, unreached: &Unreached, out: Output) -> ExitCode {
    let (message, code): (Message, u8) = match unreached {
        Unreached::Nobody => (bk::no_region(dir.display()), NOT_RUNNING),
        Unreached::Silent(error) => (bk::no_answer(dir.display(), error), FAILED),
    };
    (out.say)(message);
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
