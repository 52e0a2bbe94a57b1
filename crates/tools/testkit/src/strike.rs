//! What happens to a PostgreSQL server while somebody works with it.
//!
//! What: signals to the postmaster or to a process that serves a session, at once or a moment
//! later, so that a COMMIT may be on its way. Not here: when (`server`), what must hold then.

use crate::rng::Rng;
use rustix::process::{Pid, Signal, kill_process};
use std::fmt;
use std::fs;
use std::str::FromStr;
use std::time::{Duration, Instant};
use transom_datasets::conformance::Cluster;

/// How long a server may take until it answers again.
const BACK_MAX: Duration = Duration::from_secs(60);

/// Who gets which signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strike {
    /// SIGTERM to a process that serves a session: it ends in order.
    EndSession,
    /// SIGKILL to such a process: the postmaster ends all others and recovers.
    KillSession,
    /// SIGQUIT to the postmaster: all end at once.
    StopServer,
    /// SIGKILL to the postmaster.
    KillServer,
}

impl Strike {
    pub(crate) const ALL: [Self; 4] = [
        Self::EndSession,
        Self::KillSession,
        Self::StopServer,
        Self::KillServer,
    ];

    /// Does it; `choice` says to which session.
    pub(crate) fn at(self, postmaster: u32, choice: u64) {
        let (signal, whom) = match self {
            Self::EndSession => (Signal::TERM, one_of(&sessions(postmaster), choice)),
            Self::KillSession => (Signal::KILL, one_of(&sessions(postmaster), choice)),
            Self::StopServer => (Signal::QUIT, Some(postmaster)),
            Self::KillServer => (Signal::KILL, Some(postmaster)),
        };
        let pid = whom.and_then(|pid| Pid::from_raw(pid.cast_signed()));
        if let Some(pid) = pid {
            // One that has ended meanwhile has what it was to get.
            let _ = kill_process(pid, signal);
        }
    }
}

fn one_of(all: &[u32], choice: u64) -> Option<u32> {
    all.get(choice as usize % all.len().max(1)).copied()
}

/// Processes of sessions; those without a client belong to the server itself.
fn sessions(postmaster: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Ok(pid) = name.parse::<u32>() else {
            continue;
        };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let after = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        let parent = after.split_whitespace().nth(1);
        let title = fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default();
        if parent.and_then(|p| p.parse().ok()) == Some(postmaster) && title.contains("[local]") {
            found.push(pid);
        }
    }
    found
}

/// A strike at a place, the n-th time it is passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Blow {
    pub(crate) place: String,
    pub(crate) passes: u64,
    pub(crate) strike: Strike,
    pub(crate) postmaster: u32,
    /// The work goes on at once, and the signal comes this much later; `None`: it comes first.
    pub(crate) later: Option<Duration>,
}

impl Blow {
    /// Waits for its place; then it happens, once.
    #[cfg(feature = "failpoints")]
    pub(crate) fn at_its_place(
        self,
        struck: std::sync::Arc<std::sync::atomic::AtomicBool>,
        say: fn(),
    ) {
        use std::sync::atomic::{AtomicU64, Ordering};
        let (place, passed) = (self.place.clone(), AtomicU64::new(0));
        let set = fail::cfg_callback(place, move || {
            if passed.fetch_add(1, Ordering::SeqCst) != self.passes {
                return;
            }
            say();
            struck.store(true, Ordering::SeqCst);
            let (strike, postmaster, choice) = (self.strike, self.postmaster, self.passes);
            match self.later {
                None => strike.at(postmaster, choice),
                Some(later) => drop(std::thread::spawn(move || {
                    std::thread::sleep(later);
                    strike.at(postmaster, choice);
                })),
            }
        });
        if let Err(error) = set {
            eprintln!("{error}");
        }
    }
}

/// `place passes strike postmaster microseconds`, the last one `-` where it comes first.
impl fmt::Display for Blow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let later = self.later.map(|later| later.as_micros().to_string());
        let later = later.unwrap_or_else(|| "-".to_owned());
        let (place, passes, postmaster) = (&self.place, self.passes, self.postmaster);
        write!(f, "{place} {passes} {:?} {postmaster} {later}", self.strike)
    }
}

impl FromStr for Blow {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no strike");
        let words: Vec<&str> = text.split(' ').collect();
        let [place, passes, strike, postmaster, later] = words.as_slice() else {
            return Err(wrong());
        };
        let named = |one: &Strike| format!("{one:?}") == **strike;
        Ok(Self {
            place: (*place).to_owned(),
            passes: passes.parse().map_err(|_| wrong())?,
            strike: Strike::ALL.into_iter().find(named).ok_or_else(wrong)?,
            postmaster: postmaster.parse().map_err(|_| wrong())?,
            later: match *later {
                "-" => None,
                micros => Some(Duration::from_micros(micros.parse().map_err(|_| wrong())?)),
            },
        })
    }
}

/// Strikes a server that lives lives with, and lets it come back, or not yet.
pub(crate) fn strike_at(cluster: &Cluster, rng: &mut Rng) {
    let strike = Strike::ALL[rng.below(Strike::ALL.len() as u64) as usize];
    if let Some(postmaster) = cluster.postmaster() {
        strike.at(postmaster, rng.next());
    }
}

/// Starts the server where it has ended, and waits until it answers.
pub(crate) fn revive(cluster: &Cluster) -> Result<(), String> {
    let begin = Instant::now();
    loop {
        let asked = cluster.sql("postgres", "SELECT 1");
        let Err(error) = asked else { return Ok(()) };
        if begin.elapsed() > BACK_MAX {
            return Err(format!("the server does not come back: {error}"));
        }
        // What a killed postmaster left behind goes by itself; until then a start is refused.
        if !cluster.is_running() {
            let _ = cluster.begin();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
