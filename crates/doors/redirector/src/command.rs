//! `transom redirector`: the process around the door.
//!
//! What: options, signals, the socket for figures. SIGHUP reads the file again; SIGTERM ends
//! listening and waits for sessions, a second one ends them. Not here: the operator's log, which
//! the executable brings.

use crate::door::{Redirector, check, read};
use crate::problem::Problem;
use crate::status;
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::signal::unix::{Signal, SignalKind, signal};
use transom_messages::{self as messages, Operator};

/// Options of `transom redirector`.
#[derive(Debug, Args)]
#[command(
    after_help = "SIGHUP: read the file and its certificates again; sessions stay, and a file that cannot be \
used changes nothing.
SIGTERM: listen no more and wait for sessions (drain_seconds); a second one ends them.

Examples:
  transom redirector redirector.toml --check
  transom redirector redirector.toml
  transom redirector redirector.toml --status"
)]
pub struct RedirectorArgs {
    /// The file with the hosts, redirector.toml
    file: PathBuf,
    /// Read the file and its certificates, say what is wrong, and end
    #[arg(long)]
    check: bool,
    /// Print the figures of the redirector that runs with this file
    #[arg(long, conflicts_with = "check")]
    status: bool,
    /// With --status: print one JSON object
    #[arg(long, requires = "status")]
    json: bool,
}

/// Does what the options say; serving ends by a signal. `begin` is called before it serves.
///
/// # Errors
/// What cannot be used, or nobody to ask for figures.
pub fn run(
    args: &RedirectorArgs,
    operator: &Operator,
    print: fn(&str),
    begin: fn() -> std::io::Result<()>,
) -> Result<(), Problem> {
    if args.check {
        let file = check(&args.file, operator)?;
        let shown = args.file.display();
        print(&format!(
            "{shown}: {} hosts can be served\n",
            file.hosts.len()
        ));
        return Ok(());
    }
    if args.status {
        return figures(args, print);
    }
    begin().map_err(|e| messages::rd::cannot_start(&e))?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| messages::rd::cannot_start(&e))?;
    runtime.block_on(serve(args, operator))
}

fn figures(args: &RedirectorArgs, print: fn(&str)) -> Result<(), Problem> {
    let said = read(&args.file)?.redirector.status_socket;
    let path = status::path(&args.file, said.as_ref());
    let figures = status::ask(&path);
    let figures = figures.map_err(|e| messages::rd::nobody_answers(path.display(), &e))?;
    print(&match args.json {
        true => format!("{figures:#}\n"),
        false => status::shown(&figures),
    });
    Ok(())
}

/// Signals that end it.
struct Ends {
    interrupt: Signal,
    terminate: Signal,
}

impl Ends {
    fn new() -> std::io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

async fn serve(args: &RedirectorArgs, operator: &Operator) -> Result<(), Problem> {
    let failed = |e: std::io::Error| messages::rd::cannot_start(&e);
    let mut ends = Ends::new().map_err(failed)?;
    let mut reload = signal(SignalKind::hangup()).map_err(failed)?;
    let settings = read(&args.file)?.redirector;
    let path = status::path(&args.file, settings.status_socket.as_ref());
    let socket = status::bind(&path);
    let socket = socket.map_err(|e| messages::rd::status_not_usable(path.display(), &e))?;
    let redirector = Arc::new(Redirector::start(&args.file, operator)?);
    let answers = tokio::spawn(status::serve(socket, redirector.clone()));
    operator.tell(messages::rd::ready(args.file.display()));
    loop {
        tokio::select! {
            _ = reload.recv() => redirector.reload(),
            () = ends.next() => break,
        }
    }
    // Read again: a reload may have changed it.
    let time = read(&args.file).map_or(settings.drain_seconds, |f| f.redirector.drain_seconds);
    operator.tell(messages::rd::draining(
        redirector.sessions(),
        time.as_secs(),
    ));
    tokio::select! {
        () = redirector.drain(time) => {}
        () = ends.next() => {}
    }
    let left = redirector.end().await;
    answers.abort();
    let _ = std::fs::remove_file(&path);
    operator.tell(messages::rd::ended(left));
    Ok(())
}
