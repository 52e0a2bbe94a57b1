//! `transom csd`: the commands of DFHCSDUP on the definitions of a system directory.
//!
//! What: [`csd`] reads a deck of commands, carries them out one after the other and prints what
//! came of each, with the return codes of DFHCSDUP. Reading order: here, `commands` (which commands
//! there are), `list` and `extract` (what is printed). Why a room: it needs no region, and
//! definitions are those that CEDA works on. Not here: what a statement means (`formats/csd`),
//! writing and locks (`region/decks`).

#![forbid(unsafe_code)]

mod commands;
mod extract;
mod list;
mod report;

use clap::Args;
use commands::Run;
use report::Report;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use transom_csd::{Command, MAX_DECK_BYTES};
use transom_decks::{CsdConfig, Session};
use transom_messages::{Message, cs, si};
use transom_settings::Settings;
use transom_system::{SystemDirectory, read_text};

/// The deck or the definitions cannot be read or written.
const NO_CSD: u8 = 12;

/// The command line.
#[derive(Debug, Args)]
#[command(
    after_help = "Commands are those of DFHCSDUP: DEFINE, USERDEFINE, ALTER, DELETE, ADD, REMOVE, APPEND, COPY, LIST, EXTRACT, SCAN, VERIFY, INITIALIZE. What they change is added to \
csd/local.csd, where CEDA writes, too; decks of the user are never written. A command with a mistake does nothing, and of those behind it only LIST is carried out.

While a region runs, CEDA waits until the deck is carried out, and sees its definitions then; what is installed stays as it is until CEDA INSTALL or the next start. A group or list that \
somebody has locked by CEDA LOCK is not changed, unless --user names who did.

The exit code is 0, 4 with warnings (nothing to delete, defined already), 8 when a command was refused, 12 when the deck or the definitions cannot be read or written.

Examples:
  transom csd my-system --deck new.csd
  echo 'LIST ALL OBJECTS' | transom csd my-system
  echo 'EXTRACT GROUP(PAY*) OBJECTS' | transom csd my-system --extract pay.csd
  transom csd my-system --deck new.csd --json"
)]
pub struct CsdArgs {
    /// The system directory
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// The deck of commands; standard input without it
    #[arg(long, value_name = "FILE")]
    deck: Option<PathBuf>,
    /// Where EXTRACT writes definitions; without it they are printed
    #[arg(long, value_name = "FILE")]
    extract: Option<PathBuf>,
    /// Whose locks of groups and lists are no hindrance
    #[arg(long, value_name = "USER", default_value = "")]
    user: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What the executable brings.
#[derive(Clone, Copy)]
pub struct Around {
    /// Problems of settings that other rooms read, each with its line.
    pub problems: fn(&Settings) -> Vec<(usize, String)>,
    /// Prints results.
    pub print: fn(&str),
    /// Tells why there are none.
    pub say: fn(&str),
}

/// Carries the deck out.
pub fn csd(args: &CsdArgs, around: Around) -> ExitCode {
    match run(args, around) {
        Ok(report) => {
            (around.print)(&match args.json {
                true => report.json(),
                false => report.text(),
            });
            ExitCode::from(report.code())
        }
        Err(messages) => {
            for message in messages {
                (around.say)(message.as_ref());
            }
            ExitCode::from(NO_CSD)
        }
    }
}

fn run(args: &CsdArgs, around: Around) -> Result<Report, Vec<Message>> {
    let one = |message| vec![message];
    let (system, _) = SystemDirectory::open(&args.dir, around.problems).map_err(one)?;
    let (name, text) = deck(args.deck.as_deref()).map_err(one)?;
    let config = config(&system);
    let user = args.user.to_ascii_uppercase();
    let session = Session::open(&config, &user).map_err(one)?;
    let (commands, wrong) = Command::all(&name, &text);
    let mut run = Run::new(session, &name, args.extract.is_some());
    run.lines(wrong);
    for command in &commands {
        run.command(command);
    }
    let (report, extracted) = run.finish()?;
    if let Some(file) = &args.extract {
        let written = std::fs::write(file, extracted);
        written.map_err(|e| vec![si::not_written(file.display(), e)])?;
    }
    Ok(report)
}

/// The decks of a system directory as a region has them.
fn config(system: &SystemDirectory) -> CsdConfig {
    CsdConfig {
        decks: system.decks.clone(),
        local: Some(system.root.join("csd/local.csd")),
    }
}

/// The name of the deck and its text.
fn deck(file: Option<&Path>) -> Result<(String, String), Message> {
    let Some(file) = file.filter(|file| *file != Path::new("-")) else {
        let mut bytes = Vec::new();
        let stdin = std::io::stdin().lock();
        let most = MAX_DECK_BYTES as u64 + 1;
        let read = stdin.take(most).read_to_end(&mut bytes);
        read.map_err(|e| si::not_read("standard input", e))?;
        return Ok(("SYSIN".into(), transom_types::text(bytes)));
    };
    let size = std::fs::metadata(file).map_or(0, |found| found.len());
    if size > MAX_DECK_BYTES as u64 {
        return Err(cs::deck_too_long(MAX_DECK_BYTES));
    }
    Ok((file.display().to_string(), read_text(file)?))
}
