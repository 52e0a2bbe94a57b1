//! Options of `transom drive 3270`.

use crate::options::duration_ms;
use clap::Args;
use std::path::PathBuf;

/// Drive 3270 terminals by a script and report on it.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Times are 250ms, 2s, 1m or a number of milliseconds.

A script has one statement a line:
  transaction CUST                   CLEAR where the screen has fields, CUST, ENTER
  expect \"CUSTOMER INQUIRY\" at 1,26  the text must be there (without a place: anywhere)
  type 4,21 \"000017\"                 into the field at row,column; its rest is erased
  field 2 \"secret\"                   into the second input field of the screen
  cursor 6,2                         place the cursor
  key ENTER as \"inquiry\"             also CLEAR, PA1-PA3, PF1-PF24; `as` names the screen
  think 500ms                        pause
  loop 10 ... end                    repeat; without a number: until the run is over
  capture NAME 5,21,30               keep text of the screen: row,column,length
  random ID 1 000500                 a number with as many digits as the highest one
  user-file users.csv                a row of values per terminal, columns by name
  # $NAME or ${NAME} in a text is such a value, $USER the number of the terminal

Examples:
  transom drive 3270 localhost:3270 --script inquiry.3270 --once --show
  transom drive 3270 localhost:3270 --script inquiry.3270 --terminals 100,500 --think 1s \\
      --duration 30s --process @3270 --html terminals.html
  transom drive 3270 localhost:3270 --script inquiry.3270 --terminals 500 --paced 1000
  transom drive 3270 localhost:992 --tls --script mall.3270 --terminals 1000,2000 --method r2 \\
      --process transom --json new.json --compare old.json

Ctrl-C ends a run early; what was measured is kept. The exit code is 0 when all terminals were connected and no
screen failed, 1 when not or when nothing could be measured, 2 when the command line is wrong.")]
pub struct TerminalArgs {
    /// Host and port of the TN3270 listener
    #[arg(required_unless_present = "check")]
    pub host: Option<String>,
    /// What each terminal does, again and again
    #[arg(long)]
    pub script: PathBuf,
    /// Read the script and report mistakes; connect nowhere
    #[arg(long)]
    pub check: bool,
    /// Run the script once with one terminal; a failure ends the command with an error
    #[arg(long)]
    pub once: bool,
    /// With --once: print each screen
    #[arg(long, requires = "once")]
    pub show: bool,
    /// Numbers of terminals, one step of the run each
    #[arg(long, value_delimiter = ',', default_value = "10")]
    pub terminals: Vec<u32>,
    /// Times as a published test has them. r2: a terminal connects each second, 10 s settle, 10
    /// minutes measured, 3.68 s pause after each screen; options of time beside it count
    #[arg(long, value_parser = ["r2"])]
    pub method: Option<String>,
    /// Pause of a terminal after each screen (closed loop) [default: 0ms]
    #[arg(long, value_parser = duration_ms)]
    pub think: Option<u64>,
    /// Screens per second of all terminals, on a fixed schedule; late ones count in full. Pauses of
    /// script and --think are left out
    #[arg(long, conflicts_with = "think")]
    pub paced: Option<f64>,
    /// Time over which the terminals of a step connect [default: 1s]
    #[arg(long, alias = "ramp-up", value_parser = duration_ms)]
    pub ramp: Option<u64>,
    /// Time between two terminals that connect, in place of --ramp
    #[arg(long, conflicts_with = "ramp", value_parser = duration_ms)]
    pub ramp_each: Option<u64>,
    /// Time with load that is not measured [default: 2s]
    #[arg(long, alias = "settle", value_parser = duration_ms)]
    pub warm_up: Option<u64>,
    /// Time that is measured [default: 10s]
    #[arg(long, value_parser = duration_ms)]
    pub duration: Option<u64>,
    /// A screen that takes longer fails
    #[arg(long, default_value = "10s", value_parser = duration_ms)]
    pub timeout: u64,
    /// Time a screen has after the keyboard is unlocked until `expect` fails
    #[arg(long, default_value = "1s", value_parser = duration_ms)]
    pub patience: u64,
    /// Terminal type: 3278 or 3279, model 2 to 5, -E for extended attributes
    #[arg(long, default_value = "3278-2-E")]
    pub model: String,
    /// LU names to ask for: the prefix, then the number of the terminal, 8 characters together
    #[arg(long)]
    pub lu_prefix: Option<String>,
    /// Basic TN3270, without the TN3270E extensions
    #[arg(long)]
    pub basic: bool,
    /// Connections begin with TLS
    #[arg(long, conflicts_with = "start_tls")]
    pub tls: bool,
    /// Connections change to TLS when the server offers telnet START-TLS, and fail if it does not
    #[arg(long)]
    pub start_tls: bool,
    /// PEM file with certificates to trust; without it any certificate of the server is taken
    #[arg(long)]
    pub ca: Option<PathBuf>,
    /// Coded character set of the screens
    #[arg(long, default_value_t = 37)]
    pub ccsid: u32,
    /// Threads of the driver; 0 = half of the processors
    #[arg(long, default_value_t = 0)]
    pub threads: u32,
    /// Process to charge CPU time to: a pid, a command name, or @PORT for whoever listens there,
    /// with the processes below; may be repeated
    #[arg(long = "process")]
    pub processes: Vec<String>,
    /// Title of the report
    #[arg(long, default_value = "terminals")]
    pub title: String,
    /// Write the result as JSON
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// Result of an earlier run (--json) that is printed beside this one
    #[arg(long)]
    pub compare: Option<PathBuf>,
    /// Write the report as one HTML page
    #[arg(long)]
    pub html: Option<PathBuf>,
    /// No progress bar
    #[arg(long)]
    pub quiet: bool,
}
