//! The process that works until it dies, and the one that watches it.
//!
//! What: the child says on its standard output which transfers were committed (`+n`) and which were
//! backed out (`-n`), after they were; the parent keeps what was said. Why a process: kill -9 and
//! panics are real then. Not here: which deaths there are.

use crate::bank::{Bank, Ended, Target};
use crate::plan::myself;
use crate::strike::Blow;
use crate::target::compact;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use transom_recovery::StoreError;

/// Between the numbers of two runs: no number is used again, whether its transfer is there or not.
const GAP: u64 = 1_000_000;
/// Runs so far.
static RUNS: AtomicU64 = AtomicU64::new(1);
/// Size of the store where nothing else is said.
pub(crate) const MAP_BYTES: usize = 1 << 30;
/// Transfers after a server was struck: it works again.
const SINCE_MAX: u64 = 5;
/// How long ends of units of work may be under way when a child ends.
const SETTLED_MAX: Duration = Duration::from_secs(3);
/// Exit code of a child that could not open its store.
const REFUSED: u8 = 4;
/// Exit code of a child whose store stopped because of a device error.
const STOPPED: u8 = 5;

/// What a child does.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct WorkArgs {
    /// Where the money lies
    #[arg(long)]
    target: Target,
    /// Folder of the embedded store
    #[arg(long)]
    folder: PathBuf,
    /// Connection string of PostgreSQL
    #[arg(long, default_value = "")]
    connect: String,
    /// Milliseconds after which it ends by itself
    #[arg(long)]
    life_ms: u64,
    /// Transfers at a time
    #[arg(long, default_value_t = 3)]
    threads: u64,
    /// Transfers after which it ends by itself
    #[arg(long, default_value_t = u64::MAX)]
    count: u64,
    /// Size of the store
    #[arg(long, default_value_t = MAP_BYTES)]
    map_bytes: usize,
    /// Bytes each journal entry is longer than it need be
    #[arg(long, default_value_t = 0)]
    padding: usize,
    /// Runs before this one, of any store
    #[arg(long, default_value_t = 0)]
    run: u64,
    /// Makes the embedded store shorter first
    #[arg(long)]
    compact: bool,
    /// What happens to the server of its database, and when
    #[arg(long)]
    strike: Option<Blow>,
}

impl WorkArgs {
    /// Three threads for a time.
    pub(crate) fn new(target: Target, folder: &Path, connect: &str, life: Duration) -> Self {
        Self {
            target,
            folder: folder.to_owned(),
            connect: connect.to_owned(),
            life_ms: u64::try_from(life.as_millis()).unwrap_or(u64::MAX),
            threads: 3,
            count: u64::MAX,
            map_bytes: MAP_BYTES,
            padding: 0,
            compact: false,
            strike: None,
            run: RUNS.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// The command that runs it.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(myself());
        command.args(["work", "--target", &self.target.word(), "--folder"]);
        command.arg(&self.folder).args(["--connect", &self.connect]);
        for (name, value) in [
            ("--life-ms", self.life_ms),
            ("--threads", self.threads),
            ("--count", self.count),
            ("--map-bytes", self.map_bytes as u64),
            ("--padding", self.padding as u64),
            ("--run", self.run),
        ] {
            command.args([name, &value.to_string()]);
        }
        if let Some(blow) = &self.strike {
            command.args(["--strike", &blow.to_string()]);
        }
        command
    }

    /// Sets the number of threads and of transfers.
    pub(crate) fn limited(mut self, threads: u64, count: u64) -> Self {
        (self.threads, self.count) = (threads, count);
        self
    }

    /// Something happens to the server of its database.
    pub(crate) fn struck_by(mut self, blow: Blow) -> Self {
        self.strike = Some(blow);
        self
    }

    /// Fills the store fast.
    pub(crate) fn greedy(mut self) -> Self {
        self.padding = 3_000;
        self
    }

    /// Sets the size of the store.
    pub(crate) fn with_map(mut self, bytes: usize) -> Self {
        self.map_bytes = bytes;
        self
    }
}

/// What a child did.
#[derive(Debug)]
pub(crate) struct Life {
    /// Lines of its standard output.
    pub(crate) said: Vec<String>,
    /// Its standard error.
    pub(crate) complaints: String,
    pub(crate) status: ExitStatus,
    /// It was killed because it did not end.
    pub(crate) hung: bool,
}

impl Life {
    /// It could not open its store.
    pub(crate) fn was_refused(&self) -> bool {
        self.status.code() == Some(i32::from(REFUSED))
    }

    /// It ended as it should: by itself, in order or because the store had stopped.
    pub(crate) fn ended_well(&self) -> bool {
        let code = self.status.code();
        code == Some(0) || code == Some(i32::from(STOPPED))
    }

    /// The store stopped because of a device error.
    pub(crate) fn stopped(&self) -> bool {
        self.status.code() == Some(i32::from(STOPPED))
    }
}

/// Runs a child to its end; it is killed with SIGKILL when it lives longer than `most`.
pub(crate) fn run(mut command: Command, most: Duration) -> Result<Life, String> {
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| format!("{command:?}: {e}"))?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let lines = std::thread::spawn(move || {
        let lines = out.map(|o| BufReader::new(o).lines().map_while(Result::ok).collect());
        lines.unwrap_or_default()
    });
    let complaints = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = err.map(|mut e| e.read_to_end(&mut text));
        String::from_utf8_lossy(&text).into_owned()
    });
    let (status, hung) = end_of(&mut child, most)?;
    Ok(Life {
        said: lines.join().unwrap_or_default(),
        complaints: complaints.join().unwrap_or_default(),
        status,
        hung,
    })
}

fn end_of(child: &mut Child, most: Duration) -> Result<(ExitStatus, bool), String> {
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            return Ok((status, false));
        }
        if begin.elapsed() > most {
            // SIGKILL.
            let _ = child.kill();
            return Ok((child.wait().map_err(|e| e.to_string())?, true));
        }
        std::thread::sleep(Duration::from_millis(3));
    }
}

/// The child.
pub(crate) fn work(args: &WorkArgs) -> ExitCode {
    #[cfg(feature = "failpoints")]
    let _points = fail::FailScenario::setup();
    let struck = Arc::new(AtomicBool::new(false));
    #[cfg(feature = "failpoints")]
    if let Some(blow) = args.strike.clone() {
        blow.at_its_place(struck.clone(), || say("struck"));
    }
    let compacted = match args.compact {
        true => compact(&args.folder, args.map_bytes),
        false => Ok(()),
    };
    let open = || Bank::open(args.target, &args.folder, &args.connect, args.map_bytes);
    let opened = compacted.and_then(|()| open());
    let ready = opened.map(|b| b.padded(args.padding)).and_then(|bank| {
        bank.resolve(|| true)?;
        let first = bank.last()?.max(args.run.saturating_mul(GAP)) + GAP;
        Ok((bank, first))
    });
    let (bank, first) = match ready {
        Ok((bank, first)) => (Arc::new(bank), first),
        Err(error) => {
            say(&format!("refused: {error}"));
            return ExitCode::from(REFUSED);
        }
    };
    say("ready");
    let crew = Arc::new(Crew {
        bank,
        next: AtomicU64::new(first),
        end: first.saturating_add(args.count),
        until: Instant::now() + Duration::from_millis(args.life_ms),
        stop: AtomicBool::new(false),
        struck,
        since: AtomicU64::new(0),
    });
    let threads: Vec<_> = (0..args.threads)
        .map(|_| {
            let crew = crew.clone();
            std::thread::spawn(move || crew.work())
        })
        .collect();
    threads.into_iter().for_each(|t| drop(t.join()));
    match settled(&crew.bank) {
        Ok((locks, doubts)) => say(&format!("left {locks} locks, {doubts} in doubt")),
        Err(error) => say(&format!("closed: {error}")),
    }
    if crew.stop.load(Ordering::Relaxed) {
        return ExitCode::from(STOPPED);
    }
    ExitCode::SUCCESS
}

/// What is left when the ends have come that are under way: a last agent is asked again by another
/// thread.
fn settled(bank: &Bank) -> Result<(u64, usize), StoreError> {
    let begin = Instant::now();
    loop {
        let left = bank.left()?;
        let under_way = left.0 > 0 && left.1 == 0;
        if !under_way || begin.elapsed() > SETTLED_MAX {
            return Ok(left);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The threads of a child.
struct Crew {
    bank: Arc<Bank>,
    next: AtomicU64,
    end: u64,
    until: Instant,
    stop: AtomicBool,
    /// The server was struck.
    struck: Arc<AtomicBool>,
    /// Transfers that were committed since.
    since: AtomicU64,
}

impl Crew {
    fn work(&self) {
        let done = || self.since.load(Ordering::Relaxed) >= SINCE_MAX;
        while !self.stop.load(Ordering::Relaxed) && Instant::now() < self.until && !done() {
            let n = self.next.fetch_add(1, Ordering::Relaxed);
            if n >= self.end {
                return;
            }
            let one = std::panic::AssertUnwindSafe(|| self.one(n));
            if std::panic::catch_unwind(one).is_err() {
                // As a region does when a task dies.
                self.bank.abandon(n);
            }
        }
    }

    fn one(&self, n: u64) {
        match self.bank.transfer(n) {
            Ended::Committed => {
                if self.struck.load(Ordering::Relaxed) {
                    self.since.fetch_add(1, Ordering::Relaxed);
                }
                say(&format!("+{n}"));
            }
            Ended::BackedOut => say(&format!("-{n}")),
            Ended::Unknown(error) => self.look_at(&error),
        }
        if n.is_multiple_of(10)
            && let Err(error) = self.bank.scratch()
        {
            self.look_at(&error);
        }
    }

    /// A store that stopped takes nothing more; there is no use in asking again.
    fn look_at(&self, error: &StoreError) {
        say(&format!("error: {error}"));
        if matches!(error, StoreError::Closed) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Says a line at once; a child whose parent is gone goes on.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out
        .write_all(format!("{text}\n").as_bytes())
        .and_then(|()| out.flush());
}

/// Compares what a child said with what is there.
pub(crate) fn believe(
    said: &[String],
    there: &std::collections::BTreeSet<u64>,
) -> Result<(), String> {
    for line in said {
        let Some((sign, digits)) = line.split_at_checked(1) else {
            continue;
        };
        let Ok(n) = digits.parse::<u64>() else {
            continue;
        };
        match (sign, there.contains(&n)) {
            ("+", false) => return Err(format!("transfer {n} was acknowledged and is lost")),
            ("-", true) => return Err(format!("transfer {n} was backed out and is there")),
            _ => {}
        }
    }
    Ok(())
}
