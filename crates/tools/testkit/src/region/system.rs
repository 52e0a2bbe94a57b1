//! The region that is tortured: its directory, and what its store holds.
//!
//! What: a system directory with one COBOL program; `transom run` on it; the checks of the store
//! when it is down. Not here: who sends the requests, when the region dies.

use super::process::Process;
use crate::child::MAP_BYTES;
use crate::sql_money::{Engine, SqlMoney};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use transom_datasets::{LocalOptions, PgOptions, PgStore, open_local};
use transom_messages::Operator;
use transom_recovery::{
    Direction, JointStore, Managed, Partner, Row, Settings, StoreError, UowStore, wait,
};
use transom_types::Applid;
use transom_wire::sql::SqlValue;

const CONFIG: &str = "[region]\nAPPLID = \"TORTURE\"\nMXT = 60\nDUMP = \"NO\"\nMINWORKERS = 3\n\
                      [local_adapters]\nfolder = \"run\"\n[data]\nmax_gigabytes = 1\ndefine_missing = \"yes\"\n";
const PROGRAM: &str = include_str!("transfer.cbl");
/// The same with ACCTB and a journal in tables of EXEC SQL.
const SQL_PROGRAM: &str = include_str!("transfer-sql.cbl");
const TABLES: &str =
    "CREATE TABLE ACCTB (NO INTEGER NOT NULL PRIMARY KEY, BALANCE INTEGER NOT NULL);
CREATE TABLE JOURNAL (NO CHAR(8) NOT NULL PRIMARY KEY, AMOUNT INTEGER NOT NULL);
";
/// How long what is in doubt may take to end.
const PATIENCE: Duration = Duration::from_secs(60);
/// Records of a file that are read at a time.
const BATCH: usize = 1_000;

/// Who keeps ACCTB.
#[derive(Debug, Clone)]
pub(super) enum Bank {
    /// The region's own store.
    Own,
    /// A store in PostgreSQL, by its connection string.
    Store(String),
    /// EXEC SQL on PostgreSQL.
    Tables(String),
}

/// A system directory.
pub(super) struct System {
    dir: PathBuf,
    exe: PathBuf,
    bank: Bank,
}

/// What is open while the region is down.
struct Books {
    store: Arc<dyn UowStore>,
    tables: Option<SqlMoney>,
}

impl System {
    /// Writes the directory and compiles its program.
    pub(super) fn make(dir: PathBuf, exe: &Path, bank: Bank) -> Result<Self, String> {
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
        let (more, program) = match &bank {
            Bank::Own => (String::new(), PROGRAM),
            Bank::Store(connect) => (
                format!(
                    "[data.stores.bank]\npostgresql = \"{connect}\"\ndata_sets = \"TORTURE.ACCTB\"\n"
                ),
                PROGRAM,
            ),
            Bank::Tables(connect) => (
                format!("[sql]\nengine = \"POSTGRES\"\npostgresql = \"{connect}\"\n"),
                SQL_PROGRAM,
            ),
        };
        let config = format!("{CONFIG}{more}");
        for (name, text) in [
            ("transom.toml", config.as_str()),
            ("cobol/TRANSFER.cbl", program),
            ("tables.sql", TABLES),
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
        if matches!(system.bank, Bank::Tables(_)) {
            let tables = system.dir.join("tables.sql");
            let mut made = Command::new(exe);
            made.arg("sql").arg(&system.dir).arg("--in").arg(tables);
            succeeds(made)?;
        }
        let mut build = Command::new(exe);
        build.arg("build").arg(&system.dir);
        succeeds(build)?;
        Ok(system)
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
        let child = command
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| e.to_string())?;
        Ok(Process::of(child))
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

    fn books(&self) -> Result<Books, StoreError> {
        let options = LocalOptions {
            map_bytes: MAP_BYTES,
            ..LocalOptions::default()
        };
        let local = open_local(&self.dir.join("data/store"), options, Settings::default())?;
        let applid = Applid::from_field(b"TORTURE");
        // What they say the region has said, or will.
        let nobody = Operator::nobody();
        let (store, tables): (Arc<dyn UowStore>, _) = match self.bank.clone() {
            Bank::Own => (Arc::new(local), None),
            Bank::Store(connect) => {
                let bank = Partner {
                    name: "bank".to_owned(),
                    connect: Box::new(move |system| {
                        let mut options = PgOptions::new(connect.as_str(), applid);
                        options.system = system;
                        Ok(Arc::new(PgStore::open(options)?))
                    }),
                    owns: Box::new(|table| table.ends_with("/TORTURE.ACCTB")),
                };
                let joint = JointStore::open(Arc::new(local), vec![bank], nobody)?;
                (Arc::new(joint), None)
            }
            Bank::Tables(connect) => {
                let Managed { store, manager } = Managed::new(Arc::new(local), nobody)?;
                let tables = SqlMoney::join(Engine::Server(connect, applid), &*manager)?;
                settled(&*store)?;
                (store, Some(tables))
            }
        };
        Ok(Books { store, tables })
    }

    /// What the store holds: everything must add up, nothing may be damaged or in doubt. Numbers of
    /// the transfers.
    pub(super) fn check(&self) -> Result<BTreeSet<String>, String> {
        self.checked().map_err(|e| format!("the store: {e}"))?
    }

    fn checked(&self) -> Result<Result<BTreeSet<String>, String>, StoreError> {
        let Books { store, tables } = self.books()?;
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
        if let Some(tables) = &tables {
            balances.extend(table_balances(tables)?);
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
        let noted = tables.as_ref().map(journal).transpose()?;
        if let Some(noted) = noted.filter(|noted| *noted != there) {
            let (rows, there) = (noted.len(), there.len());
            return Ok(Err(format!(
                "the table has {rows} rows, the file {there} records"
            )));
        }
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

/// Balances of ACCTB as tables have them.
fn table_balances(tables: &SqlMoney) -> Result<BTreeMap<String, i64>, StoreError> {
    let rows = tables.script("SELECT NO, BALANCE FROM ACCTB ORDER BY NO;")?;
    let pairs = rows.iter().map(|row| match row.as_slice() {
        [SqlValue::Integer(no), SqlValue::Integer(balance)] => (format!("ACCTB {no:04}"), *balance),
        other => (format!("{other:?}"), i64::MIN / 2),
    });
    Ok(pairs.collect())
}

/// Numbers of the transfers that a table has.
fn journal(tables: &SqlMoney) -> Result<BTreeSet<String>, StoreError> {
    let rows = tables.script("SELECT NO, AMOUNT FROM JOURNAL ORDER BY NO;")?;
    let numbers = rows.iter().filter_map(|row| row.first());
    Ok(numbers.map(ToString::to_string).collect())
}

/// A command that must end well.
fn succeeds(mut command: Command) -> Result<(), String> {
    let ended = command.output();
    let ended = ended.map_err(|e| format!("{}: {e}", command.get_program().display()))?;
    match ended.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&ended.stderr).into_owned()),
    }
}

/// What earlier runs left in doubt is ended in the background.
fn settled(store: &dyn UowStore) -> Result<(), StoreError> {
    let begin = Instant::now();
    while !wait(store.in_doubt())?.is_empty() && begin.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(())
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
