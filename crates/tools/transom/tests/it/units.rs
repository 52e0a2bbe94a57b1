//! Units of work in doubt and over two stores, as COBOL programs and operators meet them.

use crate::desk::Desk;
use crate::files::file;
use crate::harness::Programs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use transom_datasets::conformance::Cluster;
use transom_datasets::{MemoryStore, PgOptions, PgStore};
use transom_messages::Operator;
use transom_recovery::*;
use transom_region_server::{StartMode, StoreHandle};
use transom_types::Applid;
use transom_wire::definitions::Recovery;

/// What PUT is given and answers.
macro_rules! put_area {
    () => {
        "           05 FILE-F PIC X(8).
           05 KEY-F PIC X(4).
           05 DATA-F PIC X(8).
           05 RESP-F PIC 9(4).
           05 RESP2-F PIC 9(4).
           05 OLD-F PIC X(8).
"
    };
}

/// Puts a value into a record of a file; tells the response of the first command that was refused.
const PUT: &str = concat!(
    "       IDENTIFICATION DIVISION.
       PROGRAM-ID. PUT.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  REC.
           05 REC-KEY PIC X(4).
           05 REC-DATA PIC X(36).
       01  TASK-N PIC S9(8) COMP.
       01  TASK-P PIC S9(7) COMP-3.
       01  UOW-ID PIC X(16).
       01  UOW-STATE PIC S9(8) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
",
    put_area!(),
    "       PROCEDURE DIVISION.
           MOVE SPACES TO OLD-F.
           EXEC CICS READ FILE(FILE-F) INTO(REC) RIDFLD(KEY-F) UPDATE
                NOHANDLE END-EXEC.
           IF EIBRESP = DFHRESP(NOTFND)
              MOVE KEY-F TO REC-KEY
              MOVE DATA-F TO REC-DATA
              EXEC CICS WRITE FILE(FILE-F) FROM(REC) RIDFLD(KEY-F)
                   NOHANDLE END-EXEC
           ELSE IF EIBRESP = 0
              MOVE REC-DATA TO OLD-F
              MOVE DATA-F TO REC-DATA
              EXEC CICS REWRITE FILE(FILE-F) FROM(REC) NOHANDLE
                   END-EXEC.
           MOVE EIBRESP TO RESP-F.
           MOVE EIBRESP2 TO RESP2-F.
           IF RESP-F = 0 PERFORM OWN-UOW.
           EXEC CICS RETURN END-EXEC.
       OWN-UOW.
           MOVE EIBTASKN TO TASK-N.
           MOVE LOW-VALUES TO UOW-ID.
           EXEC CICS INQUIRE TASK(TASK-N) UOW(UOW-ID (1:8)) END-EXEC.
           EXEC CICS INQUIRE UOW(UOW-ID) UOWSTATE(UOW-STATE)
                TASKID(TASK-P) NOHANDLE END-EXEC.
           IF EIBRESP NOT = 0 OR TASK-P NOT = TASK-N
              OR UOW-STATE NOT = DFHVALUE(INFLIGHT)
              MOVE 9999 TO RESP-F.
"
);

/// The same with HERE, THERE and a recoverable queue in one unit of work, which ends as HOW says.
const BOTH: &str = concat!(
    "       IDENTIFICATION DIVISION.
       PROGRAM-ID. BOTH.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  CA.
",
    put_area!(),
    "       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 HOW PIC X.
           05 KEY-C PIC X(4).
           05 DATA-C PIC X(8).
           05 ANSWER PIC X(20).
       PROCEDURE DIVISION.
           MOVE KEY-C TO KEY-F.
           MOVE DATA-C TO DATA-F.
           MOVE 'HERE' TO FILE-F.
           EXEC CICS LINK PROGRAM('PUT') COMMAREA(CA) END-EXEC.
           IF RESP-F NOT = 0 MOVE RESP-F TO ANSWER GOBACK.
           MOVE 'THERE' TO FILE-F.
           EXEC CICS LINK PROGRAM('PUT') COMMAREA(CA) END-EXEC.
           MOVE RESP-F TO ANSWER.
           IF RESP-F NOT = 0
              EXEC CICS SYNCPOINT ROLLBACK END-EXEC
              GOBACK.
           EXEC CICS WRITEQ TD QUEUE('RECQ') FROM(DATA-C) NOHANDLE
                END-EXEC.
           MOVE EIBRESP TO RESP-F.
           MOVE RESP-F TO ANSWER.
           IF HOW = 'R' EXEC CICS SYNCPOINT ROLLBACK END-EXEC
           ELSE EXEC CICS SYNCPOINT NOHANDLE END-EXEC.
           IF EIBRESP NOT = 0 MOVE 'SYNCPOINT' TO ANSWER.
           EXEC CICS RETURN END-EXEC.
"
);

/// Shows the first shunted unit of work; HOW is what to set it to.
const UOWS: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. UOWS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  UOW-ID PIC X(16).
       01  UOW-STATE PIC S9(8) COMP.
       01  WAIT-STATE PIC S9(8) COMP.
       01  WAIT-CAUSE PIC S9(8) COMP.
       01  LINK-F PIC X(8).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 HOW PIC X.
           05 ANSWER PIC X(29).
       PROCEDURE DIVISION.
           MOVE 'NONE' TO ANSWER.
           EXEC CICS INQUIRE UOW START END-EXEC.
       NEXT-UOW.
           EXEC CICS INQUIRE UOW(UOW-ID) NEXT UOWSTATE(UOW-STATE)
                WAITSTATE(WAIT-STATE) WAITCAUSE(WAIT-CAUSE)
                LINK(LINK-F) NOHANDLE END-EXEC.
           IF EIBRESP NOT = 0 GO TO DONE.
           IF WAIT-STATE NOT = DFHVALUE(SHUNTED) GO TO NEXT-UOW.
           MOVE 'OTHER' TO ANSWER.
           IF UOW-STATE = DFHVALUE(INDOUBT) MOVE 'INDOUBT' TO ANSWER.
           IF UOW-STATE = DFHVALUE(COMMIT) MOVE 'COMMIT' TO ANSWER.
           IF WAIT-CAUSE = DFHVALUE(CONNECTION)
              MOVE 'CONN' TO ANSWER (9:4).
           MOVE LINK-F TO ANSWER (14:8).
           IF HOW = 'C'
              EXEC CICS SET UOW(UOW-ID) COMMIT NOHANDLE END-EXEC
              MOVE EIBRESP TO UOW-STATE
              IF EIBRESP NOT = 0 MOVE 'REFUSED' TO ANSWER
           END-IF.
           IF HOW = 'B'
              EXEC CICS SET UOW(UOW-ID) BACKOUT NOHANDLE END-EXEC
              IF EIBRESP = DFHRESP(INVREQ) AND EIBRESP2 = 4
                 MOVE 'INVREQ 4' TO ANSWER
           END-IF.
       DONE.
           EXEC CICS INQUIRE UOW END END-EXEC.
           MOVE LOW-VALUES TO UOW-ID.
           EXEC CICS SET UOW(UOW-ID) BACKOUT NOHANDLE END-EXEC.
           IF EIBRESP NOT = DFHRESP(UOWNOTFOUND) OR EIBRESP2 NOT = 1
              MOVE 'FOUND' TO ANSWER.
           EXEC CICS RETURN END-EXEC.
";

fn region(store: Arc<dyn UowStore>) -> Programs {
    Programs::with(&[PUT, BOTH, UOWS], |config| {
        config.data.opened = Some(StoreHandle(store));
        config.data.files = vec![
            file("HERE", Recovery::BackoutOnly),
            file("THERE", Recovery::BackoutOnly),
        ];
        let mut queue =
            transom_wire::definitions::TdQueueEntry::new(transom_types::TdQueueName::new(*b"RECQ"));
        queue.recovery = transom_wire::definitions::TdRecovery::Logical;
        config.queues.td_queues = vec![queue];
    })
}

/// Response, reason, and what was there before.
fn put(programs: &Programs, file: &str, key: &str, data: &str) -> (u32, u32, String) {
    let area = format!("{file:8}{key:4}{data:8}{:16}", "");
    let got = programs.link("PUT", area.as_bytes());
    let got = got.unwrap_or_else(|e| panic!("{e:?} {}", programs.log.lock().unwrap()));
    let text = String::from_utf8_lossy(&got).into_owned();
    let number = |from: usize| text[from..from + 4].parse().unwrap();
    (number(20), number(24), text[28..].trim_end().to_owned())
}

fn both(programs: &Programs, how: char, key: &str, data: &str) -> String {
    let got = programs.text("BOTH", &format!("{how}{key:4}{data:8}{:20}", ""));
    got.get(13..).unwrap_or(&got).trim().to_owned()
}

fn shunted(programs: &Programs, how: char) -> String {
    let got = programs.text("UOWS", &format!("{how}{:29}", ""));
    got.get(1..).unwrap_or(&got).trim().to_owned()
}

fn soon(what: &str, mut is: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is() {
        assert!(begin.elapsed() < Duration::from_secs(40), "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn record(key: &str, data: &str) -> Change {
    Change::Put(format!("{key:4}{data:36}").into_bytes())
}

#[test]
fn records_of_a_unit_of_work_in_doubt_are_locked_until_it_is_resolved() {
    let store: Arc<dyn UowStore> = Arc::new(MemoryStore::in_memory(1 << 24));
    let programs = region(store.clone());
    assert_eq!(put(&programs, "HERE", "K001", "old"), (0, 0, String::new()));
    programs.stop();
    // A partner that coordinated is gone since it asked to prepare.
    let uow = UowId::new(Applid::from_field(b"TEST"), 0x0012_3400_0000_5678);
    let change = record("K001", "new");
    wait(store.stage(uow, "file/TEST.HERE", b"K001", change, Wait::No)).unwrap();
    wait(store.prepare(uow, b"elsewhere")).unwrap();
    let programs = region(store.clone());
    let begin = Instant::now();
    let locked = (100, 106, String::new());
    assert_eq!(put(&programs, "HERE", "K001", "x"), locked);
    assert!(
        begin.elapsed() < Duration::from_secs(5),
        "LOCKED does not wait"
    );
    assert_eq!(put(&programs, "HERE", "K002", "x").0, 0, "others are free");
    assert_eq!(shunted(&programs, ' '), "INDOUBT CONN");
    let mut desk = Desk::new(&programs);
    let shown = desk.run("CEMT I UOW");
    assert!(
        shown.contains("Uow(0012340000005678) Ind") && shown.contains("Shu"),
        "{shown}"
    );
    drop(desk);
    assert_eq!(put(&programs, "HERE", "K001", "x"), locked);
    assert_eq!(shunted(&programs, 'C'), "INDOUBT CONN");
    assert!(programs.log.lock().unwrap().contains("TXMRM0012I"));
    assert_eq!(shunted(&programs, ' '), "NONE");
    let was = put(&programs, "HERE", "K001", "next");
    assert_eq!(was, (0, 0, "new".to_owned()), "it was committed");
}

fn joint(cluster: &Cluster, local: &Arc<dyn UowStore>) -> Result<Arc<dyn UowStore>, StoreError> {
    let connect = cluster.connect();
    let bank = Partner {
        name: "bank".to_owned(),
        connect: Box::new(move |system| {
            let mut options = PgOptions::new(connect.as_str(), Applid::from_field(b"TEST"));
            options.system = system;
            Ok(Arc::new(PgStore::open(options)?))
        }),
        owns: Box::new(|table| table.ends_with("/TEST.THERE")),
    };
    let store = JointStore::open(
        local.clone(),
        vec![bank],
        Operator::new(|line| println!("{line}")),
    )?;
    Ok(Arc::new(store))
}

/// Writes a record and an item (W), or reads and keeps them (R): what they hold, or the response.
const OWNQ: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. OWNQ.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  N PIC S9(4) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 HOW PIC X.
           05 TEXT-1 PIC X(4).
           05 RECORD-1 PIC X(4).
           05 ITEM-1 PIC X(4).
       PROCEDURE DIVISION.
           MOVE 4 TO N.
           IF HOW = 'W'
              EXEC CICS WRITEQ TD QUEUE('RECQ') FROM(TEXT-1) END-EXEC
              EXEC CICS WRITEQ TS QUEUE('KEPT') FROM(TEXT-1) END-EXEC
              EXEC CICS RETURN END-EXEC.
           MOVE 'NONE' TO RECORD-1 ITEM-1.
           EXEC CICS READQ TD QUEUE('RECQ') INTO(RECORD-1) LENGTH(N)
                NOHANDLE END-EXEC.
           EXEC CICS READQ TS QUEUE('KEPT') INTO(ITEM-1) LENGTH(N)
                ITEM(1) NOHANDLE END-EXEC.
           EXEC CICS SYNCPOINT ROLLBACK END-EXEC.
           EXEC CICS RETURN END-EXEC.
";

fn region_of_several(cluster: &Cluster, applid: &str, start: StartMode) -> Programs {
    let applid = Applid::from_field(applid.as_bytes());
    let store = PgStore::open(PgOptions::new(cluster.connect(), applid)).unwrap();
    Programs::with(&[OWNQ], |config| {
        config.data.opened = Some(StoreHandle(Arc::new(store)));
        config.system.applid = applid;
        config.queues.start = start;
        let name = transom_types::TdQueueName::new(*b"RECQ");
        let mut queue = transom_wire::definitions::TdQueueEntry::new(name);
        queue.recovery = transom_wire::definitions::TdRecovery::Logical;
        config.queues.td_queues = vec![queue];
        let mut model = transom_wire::definitions::TsModelEntry::new(*b"KEPTMODL", b"KEPT");
        model.recovery = true;
        config.queues.ts_models.push(model);
    })
}

#[test]
fn regions_that_share_a_database_have_queues_of_their_own() {
    let Some(cluster) = Cluster::of_test(Cluster::start()) else {
        return;
    };
    // An earlier release had one table for all.
    let before = PgStore::open(PgOptions::new(
        cluster.connect(),
        Applid::from_field(b"OLD"),
    ));
    let before = before.unwrap();
    wait(before.define("td/OLDQ")).unwrap();
    let row = Write::new("td/OLDQ", *b"00000001", record("0000", "old"));
    wait(before.write_now(None, vec![row], Wait::No)).unwrap();
    drop(before);

    let one = region_of_several(&cluster, "ONE", StartMode::Auto);
    let log = |programs: &Programs| programs.log.lock().unwrap().clone();
    assert!(log(&one).contains("TXMTS0017I 1 records"), "{}", log(&one));
    let two = region_of_several(&cluster, "TWO", StartMode::Auto);
    assert!(!log(&two).contains("TXMTS0017I"), "{}", log(&two));
    let read = |programs: &Programs| programs.text("OWNQ", &format!("R{:12}", ""));
    one.text("OWNQ", &format!("Wone {:8}", ""));
    assert_eq!(read(&one), "R    one one");
    assert_eq!(read(&two), "R    NONENONE");
    two.text("OWNQ", &format!("Wtwo {:8}", ""));
    one.stop();

    // A cold start of one region leaves those of the other.
    let one = region_of_several(&cluster, "ONE", StartMode::Cold);
    assert_eq!(read(&one), "R    NONENONE");
    assert_eq!(read(&two), "R    two two");
    two.stop();
    let two = region_of_several(&cluster, "TWO", StartMode::Auto);
    assert_eq!(read(&two), "R    two two");
}

#[test]
fn a_unit_of_work_changes_files_here_and_in_postgresql() {
    let Some(cluster) = Cluster::of_test(Cluster::start()) else {
        return;
    };
    let local: Arc<dyn UowStore> = Arc::new(MemoryStore::in_memory(1 << 24));
    let programs = region(joint(&cluster, &local).unwrap());
    assert_eq!(both(&programs, 'C', "K001", "one"), "0000");
    let was = |file: &str| put(&programs, file, "K001", "one").2;
    assert_eq!((was("HERE"), was("THERE")), ("one".into(), "one".into()));
    assert_eq!(both(&programs, 'R', "K001", "two"), "0000");
    assert_eq!((was("HERE"), was("THERE")), ("one".into(), "one".into()));
    let queued = "SELECT count(*) FROM transom_data.\"file/TEST.THERE\"";
    assert_eq!(cluster.sql("postgres", queued), Ok("1".to_owned()));

    // Another region on the same database died with prepared work.
    let other = PgOptions::new(cluster.connect(), Applid::from_field(b"OTHER"));
    let other = PgStore::open(other).unwrap();
    let uow = UowId::new(Applid::from_field(b"OTHER"), 1);
    let change = record("K009", "theirs");
    wait(other.stage(uow, "file/TEST.THERE", b"K009", change, Wait::No)).unwrap();
    wait(other.prepare(uow, b"")).unwrap();
    other.retain(uow);
    let locked = put(&programs, "THERE", "K009", "x");
    assert_eq!((locked.0, locked.1), (100, 106));
    wait(other.resolve(uow, Outcome::Commit)).unwrap();
    assert_eq!(put(&programs, "THERE", "K009", "x").2, "theirs");

    // The server dies under the region: a clean condition, nothing half done, work goes on when it
    // is back.
    cluster.stop().unwrap();
    assert_eq!(both(&programs, 'C', "K002", "lost"), "0017");
    assert_eq!(
        put(&programs, "HERE", "K003", "here"),
        (0, 0, String::new())
    );
    cluster.begin().unwrap();
    assert_eq!(both(&programs, 'C', "K002", "found"), "0000");
    assert_eq!(put(&programs, "HERE", "K002", "x").2, "found");
    programs.stop();

    // A region starts without its partner.
    cluster.stop().unwrap();
    let programs = region(joint(&cluster, &local).unwrap());
    assert_eq!(put(&programs, "HERE", "K003", "again").2, "here");
    assert_eq!(put(&programs, "THERE", "K001", "no").0, 17);
    cluster.begin().unwrap();
    soon("the partner is back", || {
        put(&programs, "THERE", "K001", "yes").0 == 0
    });
    assert_eq!(both(&programs, 'C', "K004", "end"), "0000");
}

#[test]
fn a_decision_waits_for_a_partner_that_is_away() {
    let Some(cluster) = Cluster::of_test(Cluster::start()) else {
        return;
    };
    let local: Arc<dyn UowStore> = Arc::new(MemoryStore::in_memory(1 << 24));
    let programs = region(joint(&cluster, &local).unwrap());
    assert_eq!(both(&programs, 'C', "K001", "one"), "0000");
    programs.stop();
    // The region died after its decision, before the partner was told: so the stores look then.
    {
        let store = joint(&cluster, &local).unwrap();
        let system = wait(local.read(None, "uow/system", b"number", Match::Equal, Lock::None));
        let system = system.unwrap().unwrap().record.try_into().unwrap();
        drop(store);
        let mut options = PgOptions::new(cluster.connect(), Applid::from_field(b"TEST"));
        options.system = u64::from_be_bytes(system);
        let bank = PgStore::open(options).unwrap();
        let uow = UowId::new(Applid::from_field(b"TEST"), 5);
        let change = record("K001", "decided");
        wait(bank.stage(uow, "file/TEST.THERE", b"K001", change, Wait::No)).unwrap();
        wait(bank.prepare(uow, b"")).unwrap();
        let decision = Write::new("uow/decided", uow.to_bytes(), Change::Put(b"bank".to_vec()));
        wait(local.write_now(None, vec![decision], Wait::No)).unwrap();
    }
    cluster.stop().unwrap();
    let programs = region(joint(&cluster, &local).unwrap());
    assert_eq!(shunted(&programs, ' '), "COMMIT  CONN bank");
    assert_eq!(shunted(&programs, 'B'), "INVREQ 4", "it is decided");
    cluster.begin().unwrap();
    soon("the partner is told", || shunted(&programs, ' ') == "NONE");
    assert_eq!(put(&programs, "THERE", "K001", "x").2, "decided");
}

/// Takes part in every unit of work and keeps no records: an SQL session, say.
#[derive(Default)]
struct Voter {
    refuses: AtomicBool,
    committed: AtomicUsize,
}

impl Participant for Voter {
    fn part(&self, _: UowId) -> Part {
        Part::Changes
    }

    fn prepare<'a>(&'a self, _: UowId, _: &'a [u8]) -> StoreFuture<'a, ()> {
        let refuses = self.refuses.load(Ordering::SeqCst);
        ready(match refuses {
            true => Err(StoreError::Limit("rows")),
            false => Ok(()),
        })
    }

    fn commit(&self, _: UowId) -> StoreFuture<'_, ()> {
        let counter = &self.committed;
        counter.fetch_add(1, Ordering::SeqCst);
        ready(Ok(()))
    }

    fn backout(&self, _: UowId) -> StoreFuture<'_, ()> {
        ready(Ok(()))
    }

    fn release(&self, _: UowId) {}
}

#[test]
fn who_keeps_no_records_has_a_say_in_a_syncpoint_too() {
    let store: Arc<dyn UowStore> = Arc::new(MemoryStore::in_memory(1 << 24));
    let programs = region(store);
    let voter = Arc::new(Voter::default());
    let joins = voter.clone();
    let connect = move |_| Ok(joins.clone() as Arc<dyn Participant>);
    let coordinator = programs.region.syncpoint_manager().unwrap();
    coordinator.join("sql:VOTER", Box::new(connect)).unwrap();
    assert_eq!(both(&programs, 'C', "K001", "one"), "0000");
    let count = || voter.committed.load(Ordering::SeqCst);
    let committed = count();
    assert!(committed > 0);
    voter.refuses.store(true, Ordering::SeqCst);
    assert_eq!(both(&programs, 'C', "K001", "two"), "SYNCPOINT");
    assert_eq!(count(), committed);
    assert!(programs.log.lock().unwrap().contains("TXMRM0001E"));
    voter.refuses.store(false, Ordering::SeqCst);
    let was = |file: &str| put(&programs, file, "K001", "three").2;
    assert_eq!((was("HERE"), was("THERE")), ("one".into(), "one".into()));
}

/// A system directory whose store has a unit of work in doubt, which changed a file and a queue.
fn in_doubt() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let settings = "[region]\nAPPLID = \"TEST\"\n[terminals]\n";
    std::fs::write(folder.path().join("transom.toml"), settings).unwrap();
    let data = transom_settings::parse(settings).0.data.path(folder.path());
    let store = open(&data);
    let elsewhere = UowId::new(Applid::from_field(b"TEST"), 0x0012_3400_0000_5678);
    for (table, key) in [("file/TEST.HERE", "K001"), ("td/LOGQ", "0001")] {
        wait(store.define(table)).unwrap();
        let before = Write::new(table, key.as_bytes(), record(key, "old"));
        wait(store.write_now(None, vec![before], Wait::No)).unwrap();
        let change = record(key, "new");
        wait(store.stage(elsewhere, table, key.as_bytes(), change, Wait::No)).unwrap();
    }
    wait(store.prepare(elsewhere, b"elsewhere")).unwrap();
    (folder, data)
}

fn open(data: &std::path::Path) -> impl UowStore + use<> {
    let options = transom_datasets::LocalOptions::default();
    transom_datasets::open_local(data, options, Settings::default()).unwrap()
}

/// Units of work in doubt, and whether the file has the record from before.
fn left(data: &std::path::Path) -> (usize, bool) {
    let store = open(data);
    let doubts = wait(store.in_doubt()).unwrap().len();
    let table = "file/TEST.HERE";
    let row = wait(store.read(None, table, b"K001", Match::Equal, Lock::None)).unwrap();
    let old = row.is_some_and(|row| row.record.starts_with(b"K001old"));
    (doubts, old)
}

#[test]
fn an_initial_start_is_refused_while_units_of_work_are_in_doubt() {
    let (folder, data) = in_doubt();
    let dir = folder.path();
    let refused = crate::harness::transom(&["run", ".", "--start", "INITIAL"], dir);
    assert!(
        !refused.0 && refused.2.contains("TXMTS0012E"),
        "{refused:?}"
    );
    assert_eq!(left(&data), (1, true), "nothing was lost");
    let options = ["--start", "INITIAL", "--back-out-in-doubt"];
    let system = crate::system::System::start_with(dir, dir, &options);
    system.says("TXMTS0011I");
    assert!(system.stop());
    assert_eq!(left(&data), (0, true), "it was backed out");
}

#[test]
fn a_cold_start_leaves_units_of_work_in_doubt() {
    let (folder, data) = in_doubt();
    let dir = folder.path();
    let system = crate::system::System::start_with(dir, dir, &["--start", "COLD"]);
    system.says("TXMTS0011I");
    assert!(system.stop());
    assert_eq!(left(&data), (1, true));
    // The decision brings its changes, those of the queue too.
    let store = open(&data);
    let doubt = wait(store.in_doubt()).unwrap().remove(0);
    wait(store.resolve(doubt.uow, Outcome::Commit)).unwrap();
    for (table, key) in [("file/TEST.HERE", "K001"), ("td/LOGQ", "0001")] {
        let row = wait(store.read(None, table, key.as_bytes(), Match::Equal, Lock::None));
        let row = row.unwrap().unwrap_or_else(|| panic!("{table}"));
        assert_eq!(row.record, format!("{key:4}{:36}", "new").into_bytes());
    }
}
