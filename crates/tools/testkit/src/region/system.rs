//! The region that is tortured: its directory, its process, its worker processes, and what its
//! store holds.
//!
//! What: a system directory with one COBOL program; `transom run` on it; the checks of the store
//! when it is down. Not here: who sends the requests, when the region dies.

use crate::child::MAP_BYTES;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read as _;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use transom_datasets::{LocalOptions, PgOptions, PgStore, open_local};
use transom_messages::Operator;
use transom_recovery::{Direction, JointStore, Partner, Row, Settings, StoreError, UowStore, wait};
use transom_types::Applid;

const CONFIG: &str = "[region]\nAPPLID = \"TORTURE\"\nMXT = 60\nDUMP = \"NO\"\nMINWORKERS = 3\n\
                      [local_adapters]\nfolder = \"run\"\n[data]\nmax_gigabytes = 1\ndefine_missing = \"yes\"\n";
const PROGRAM: &str = include_str!("transfer.cbl");
/// How long a region may take to start, and its workers to go.
const PATIENCE: Duration = Duration::from_secs(60);
/// Lines shown of the beginning and of the end of a log.
const LINES_SHOWN: usize = 5;
/// Records of a file that are read at a time.
const BATCH: usize = 1_000;

/// A system directory.
pub(super) struct System {
    dir: PathBuf,
    exe: PathBuf,
    /// Connection string of the database that keeps ACCTB.
    bank: Option<String>,
}

impl System {
    /// Writes the directory and compiles its program.
    pub(super) fn make(dir: PathBuf, exe: &Path, bank: Option<String>) -> Result<Self, String> {
        let file = |name: &str, key: u32| {
            format!(
                "DEFINE FILE({name}) GROUP(TORTURE) DSNAME(TORTURE.{name})\n\
                 RECOVERY(BACKOUTONLY) KEYLENGTH({key}) RECORDSIZE(40)\n\
                 ADD(YES) READ(YES) UPDATE(YES)\n"
            )
        };
        let deck = [
            file("ACCTA", 4),
            file("ACCTB", 4),
            file("NOTES", 8),
            "DEFINE TDQUEUE(TORT) GROUP(TORTURE) TYPE(INTRA) RECOVSTATUS(LOGICAL)\n".to_owned(),
            "DEFINE TSMODEL(TORT) GROUP(TORTURE) PREFIX(TORT) RECOVERY(YES)\n".to_owned(),
        ];
        let store = bank.as_ref().map_or_else(String::new, |connect| {
            format!(
                "[data.stores.bank]\npostgresql = \"{connect}\"\ndata_sets = \"TORTURE.ACCTB\"\n"
            )
        });
        let config = format!("{CONFIG}{store}");
        for (name, text) in [
            ("transom.toml", config.as_str()),
            ("cobol/TRANSFER.cbl", PROGRAM),
            ("csd/torture.csd", &deck.concat()),
        ] {
            let path = dir.join(name);
            let folder = path.parent().unwrap_or(&dir);
            fs::create_dir_all(folder).map_err(|e| e.to_string())?;
            fs::write(&path, text).map_err(|e| e.to_string())?;
        }
        let system = Self {
            dir,
            exe: exe.to_owned(),
            bank,
        };
        let built = Command::new(exe).arg("build").arg(&system.dir).output();
        let built = built.map_err(|e| format!("{}: {e}", exe.display()))?;
        match built.status.success() {
            true => Ok(system),
            false => Err(String::from_utf8_lossy(&built.stderr).into_owned()),
        }
    }

    /// Changes its configuration.
    pub(super) fn configure(&self, from: &str, to: &str) -> Result<(), String> {
        let path = self.dir.join("transom.toml");
        let text = fs::read_to_string(&path).map_err(|e| e.to_string())?;
        fs::write(&path, text.replacen(from, to, 1)).map_err(|e| e.to_string())
    }

    /// The folder where clients meet the region.
    pub(super) fn meeting_place(&self) -> PathBuf {
        transom_intersystem::group_folder(&self.dir.join("run"), ["", "", ""])
    }

    /// Starts the region; with a variable for the library of failing calls.
    pub(super) fn start(&self, shim: Option<(&Path, String)>) -> Result<Process, String> {
        let mut command = Command::new(&self.exe);
        command.arg("run").arg(&self.dir).arg("--no-gateway");
        if let Some((library, what)) = shim {
            command.env("LD_PRELOAD", library).env("TORTURE_SHIM", what);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let mut child = command
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| e.to_string())?;
        let said = Arc::new(Mutex::new(String::new()));
        let (kept, err) = (said.clone(), child.stderr.take());
        std::thread::spawn(move || {
            let mut buffer = [0; 4_096];
            let mut err = err;
            while let Some(Ok(n @ 1..)) = err.as_mut().map(|e| e.read(&mut buffer)) {
                let text =
                    String::from_utf8_lossy(buffer.get(..n).unwrap_or_default()).into_owned();
                kept.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push_str(&text);
            }
        });
        Ok(Process { child, said })
    }

    /// A second region on the same data must not start.
    pub(super) fn second_is_refused(&self) -> Result<(), String> {
        let mut command = Command::new(&self.exe);
        command.arg("run").arg(&self.dir).arg("--no-gateway");
        let life = crate::child::run(command, Duration::from_secs(20))?;
        let refused = transom_messages::si::store_not_opened("", "");
        match life.status.code() {
            Some(code) if code != 0 && life.complaints.contains(refused.id()) => Ok(()),
            _ => Err(format!(
                "a second region: {} {}",
                life.status, life.complaints
            )),
        }
    }

    /// `transom verify` finds nothing wrong.
    pub(super) fn verify(&self) -> Result<(), String> {
        let output = Command::new(&self.exe)
            .arg("verify")
            .arg(&self.dir)
            .output();
        let output = output.map_err(|e| e.to_string())?;
        match output.status.success() {
            true => Ok(()),
            false => Err(format!(
                "transom verify: {}{}",
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            )),
        }
    }

    fn store(&self) -> Result<Arc<dyn UowStore>, StoreError> {
        let options = LocalOptions {
            map_bytes: MAP_BYTES,
            ..LocalOptions::default()
        };
        let local = open_local(&self.dir.join("data/store"), options, Settings::default())?;
        let Some(connect) = self.bank.clone() else {
            return Ok(Arc::new(local));
        };
        let bank = Partner {
            name: "bank".to_owned(),
            connect: Box::new(move |system| {
                let mut options = PgOptions::new(connect.as_str(), Applid::from_field(b"TORTURE"));
                options.system = system;
                Ok(Arc::new(PgStore::open(options)?))
            }),
            owns: Box::new(|table| table.ends_with("/TORTURE.ACCTB")),
        };
        // What it says the region has said, or will.
        let store = JointStore::open(Arc::new(local), vec![bank], Operator::nobody())?;
        Ok(Arc::new(store))
    }

    /// What the store holds: everything must add up, nothing may be damaged or in doubt. Numbers of
    /// the transfers.
    pub(super) fn check(&self) -> Result<BTreeSet<String>, String> {
        self.checked().map_err(|e| format!("the store: {e}"))?
    }

    fn checked(&self) -> Result<Result<BTreeSet<String>, String>, StoreError> {
        let store = self.store()?;
        let damage = wait(store.verify(""))?;
        if let Some(first) = damage.first() {
            return Ok(Err(format!(
                "{} damaged records, first {first:?}",
                damage.len()
            )));
        }
        let doubts = wait(store.in_doubt())?.len();
        if doubts > 0 {
            return Ok(Err(format!("{doubts} units of work are in doubt")));
        }
        let mut balances: BTreeMap<String, i64> = BTreeMap::new();
        for file in ["ACCTA", "ACCTB"] {
            for row in rows(&*store, &format!("file/TORTURE.{file}"))? {
                let (key, balance) = (part(&row.record, 0, 4), part(&row.record, 4, 14));
                let balance = balance.parse().unwrap_or(i64::MIN / 2);
                balances.insert(format!("{file} {key}"), balance);
            }
        }
        let notes = rows(&*store, "file/TORTURE.NOTES")?;
        for note in &notes {
            let amount: i64 = part(&note.record, 16, 20).parse().unwrap_or(i64::MAX / 2);
            let (from, to) = (part(&note.record, 8, 12), part(&note.record, 12, 16));
            *balances.entry(format!("ACCTA {from}")).or_default() += amount;
            *balances.entry(format!("ACCTB {to}")).or_default() -= amount;
        }
        let off = balances.iter().filter(|b| *b.1 != 0);
        let off: Vec<String> = off.map(|(name, by)| format!("{name} by {by}")).collect();
        if !off.is_empty() {
            return Ok(Err(format!("accounts are off: {}", off.join(", "))));
        }
        let there: BTreeSet<String> = notes.iter().map(|n| part(&n.record, 0, 8)).collect();
        for (table, what) in [
            ("td/TORT", "transient data"),
            ("ts/items", "temporary storage"),
        ] {
            let items = rows(&*store, table)?;
            let queued: BTreeSet<String> = items.iter().map(|i| last_digits(&i.record)).collect();
            if queued != there || items.len() != there.len() {
                let (items, there) = (items.len(), there.len());
                return Ok(Err(format!(
                    "{what} has {items} items, the file {there} records"
                )));
            }
        }
        Ok(Ok(there))
    }
}

/// A running region.
pub(super) struct Process {
    child: Child,
    said: Arc<Mutex<String>>,
}

impl Process {
    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether its log has this text.
    pub(super) fn has_said(&self, text: &str) -> bool {
        self.said
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .contains(text)
    }

    /// Beginning and end of its log.
    pub(super) fn said(&self) -> String {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let lines: Vec<&str> = said.lines().collect();
        let (first, last) = (
            lines.iter().take(LINES_SHOWN),
            lines.iter().rev().take(LINES_SHOWN),
        );
        let shown: Vec<&str> = first.chain(last.rev()).copied().collect();
        shown.join("\n")
    }

    /// True when it has ended by itself.
    pub(super) fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Kills one of its worker processes; false when there is none.
    pub(super) fn kill_a_worker(&self, choice: u64) -> bool {
        let all = descendants(self.child.id());
        let parents: BTreeSet<u32> = all.iter().map(|p| p.1).collect();
        let workers: Vec<u32> = all
            .iter()
            .map(|p| p.0)
            .filter(|p| !parents.contains(p))
            .collect();
        let Some(worker) = workers.get(choice as usize % workers.len().max(1)) else {
            return false;
        };
        let killed = Command::new("kill")
            .args(["-9", &worker.to_string()])
            .output();
        killed.is_ok_and(|o| o.status.success())
    }

    /// SIGKILL; its workers must go, too.
    pub(super) fn kill(mut self) -> Result<(), String> {
        let workers = descendants(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
        let begin = Instant::now();
        while workers.iter().any(|(pid, _)| is_alive(*pid)) {
            if begin.elapsed() > PATIENCE {
                return Err("worker processes outlive their region".to_owned());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn rows(store: &dyn UowStore, table: &str) -> Result<Vec<Row>, StoreError> {
    let mut found: Vec<Row> = Vec::new();
    loop {
        let from = found
            .last()
            .map_or(Bound::Unbounded, |r| Bound::Excluded(r.key.as_slice()));
        match wait(store.scan(None, table, from, &[], Direction::Forward, BATCH)) {
            Ok(rows) if rows.is_empty() => return Ok(found),
            Ok(rows) => found.extend(rows),
            // Not used yet.
            Err(StoreError::NoTable(_)) => return Ok(found),
            Err(error) => return Err(error),
        }
    }
}

fn part(record: &[u8], from: usize, to: usize) -> String {
    String::from_utf8_lossy(record.get(from..to).unwrap_or_default()).into_owned()
}

/// The number of a transfer stands at the end of an item.
fn last_digits(record: &[u8]) -> String {
    part(record, record.len().saturating_sub(8), record.len())
}

/// Processes below a process, with their parents.
fn descendants(root: u32) -> Vec<(u32, u32)> {
    let mut all = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let pid = entry.file_name().to_string_lossy().parse::<u32>();
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // The name in parentheses may hold anything.
        let after = stat.rsplit_once(')').map_or("", |(_, r)| r);
        let parent = after.split_whitespace().nth(1).and_then(|p| p.parse().ok());
        if let (Ok(pid), Some(parent)) = (pid, parent) {
            all.push((pid, parent));
        }
    }
    let mut below = BTreeSet::from([root]);
    loop {
        let more: Vec<u32> = all
            .iter()
            .filter(|(pid, parent)| below.contains(parent) && !below.contains(pid))
            .map(|(pid, _)| *pid)
            .collect();
        if more.is_empty() {
            break;
        }
        below.extend(more);
    }
    below.remove(&root);
    all.retain(|(pid, _)| below.contains(pid));
    all
}

fn is_alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").and_then(|(_, r)| r.chars().next());
    state.is_some_and(|s| s != 'Z' && s != 'X')
}
