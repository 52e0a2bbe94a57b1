//! Units of work in which somebody takes part that is no store: a ledger with a session, as an SQL
//! server or another region would be.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::Notify;
use transom_messages::Operator;
use transom_recovery::*;
use transom_types::Applid;

const FILE: &str = "file/ACCOUNTS";
const LEDGER: &str = "sql:LEDGER";

fn uow(n: u64) -> UowId {
    UowId::new(Applid::from_field(b"LEDGER"), n)
}

/// What goes wrong next.
#[derive(Default, Clone, Copy, PartialEq)]
enum Trouble {
    #[default]
    None,
    /// `prepare` is refused.
    Refuses,
    /// `prepare` is not possible at all.
    CannotPrepare,
    /// Dies when it is asked to prepare: what is not prepared is lost.
    DiesBefore,
    /// Dies as soon as it has prepared.
    DiesPrepared,
    /// The connection is lost during a commit.
    LostInCommit,
    /// Its own code ends after it has committed.
    FailsCommitted,
}

/// A total, and what units of work add to it.
#[derive(Default)]
struct Book {
    total: i64,
    changed: BTreeMap<UowId, i64>,
    prepared: BTreeMap<UowId, i64>,
    read: Vec<UowId>,
    away: bool,
    trouble: Trouble,
    asked_to_prepare: usize,
    /// It takes its time to prepare: until this is notified.
    busy: Option<Arc<Notify>>,
}

#[derive(Default, Clone)]
struct Ledger(Arc<Mutex<Book>>);

impl Ledger {
    fn book<T>(&self, work: impl FnOnce(&mut Book) -> T) -> T {
        work(&mut self.0.lock().unwrap())
    }

    fn add(&self, n: u64, amount: i64) {
        self.book(|book| *book.changed.entry(uow(n)).or_default() += amount);
    }

    fn total(&self) -> i64 {
        self.book(|book| book.total)
    }

    fn away(&self, away: bool) {
        self.book(|book| book.away = away);
    }
}

impl Book {
    fn here(&self) -> Result<(), StoreError> {
        match self.away {
            true => Err(StoreError::Unavailable("nobody listens".to_owned())),
            false => Ok(()),
        }
    }

    fn dies(&mut self) -> Result<(), StoreError> {
        self.changed.clear();
        self.away = true;
        self.here()
    }

    fn prepare(&mut self, uow: UowId) -> Result<(), StoreError> {
        self.asked_to_prepare += 1;
        match self.trouble {
            Trouble::Refuses => return Err(StoreError::NoSpace("the ledger is full".to_owned())),
            Trouble::CannotPrepare => return Err(StoreError::Unsupported("prepare")),
            Trouble::DiesBefore => return self.dies(),
            _ => {}
        }
        let amount = self.changed.remove(&uow).unwrap_or_default();
        self.prepared.insert(uow, amount);
        if self.trouble == Trouble::DiesPrepared {
            // The answer still arrives.
            let _ = self.dies();
        }
        Ok(())
    }

    fn end(&mut self, uow: UowId, outcome: Outcome) -> Result<(), StoreError> {
        self.here()?;
        self.read.retain(|reader| *reader != uow);
        let amount = self.changed.remove(&uow).or(self.prepared.remove(&uow));
        if outcome == Outcome::Commit {
            self.total += amount.unwrap_or_default();
        }
        match self.trouble {
            Trouble::LostInCommit => Err(StoreError::Unknown("the connection was lost".to_owned())),
            Trouble::FailsCommitted => Err(StoreError::Closed),
            _ => Ok(()),
        }
    }
}

impl Participant for Ledger {
    fn part(&self, uow: UowId) -> Part {
        self.book(|book| match () {
            () if book.prepared.contains_key(&uow) => Part::Prepared,
            () if book.changed.contains_key(&uow) => Part::Changes,
            () if book.read.contains(&uow) => Part::Locks,
            () => Part::None,
        })
    }

    fn prepare<'a>(&'a self, uow: UowId, _info: &'a [u8]) -> StoreFuture<'a, ()> {
        let busy = self.book(|book| book.busy.clone());
        Box::pin(async move {
            if let Some(busy) = busy {
                busy.notified().await;
            }
            self.book(|book| book.prepare(uow))
        })
    }

    fn commit(&self, uow: UowId) -> StoreFuture<'_, ()> {
        ready(self.book(|book| book.end(uow, Outcome::Commit)))
    }

    fn backout(&self, uow: UowId) -> StoreFuture<'_, ()> {
        ready(self.book(|book| book.end(uow, Outcome::Backout)))
    }

    fn in_doubt(&self) -> StoreFuture<'_, Vec<InDoubt>> {
        let doubt = |uow: &UowId| InDoubt {
            uow: *uow,
            info: Vec::new(),
            since: SystemTime::now(),
            retained: true,
            untold: None,
        };
        ready(self.book(|book| {
            book.here()
                .map(|()| book.prepared.keys().map(doubt).collect())
        }))
    }

    fn resolve(&self, uow: UowId, outcome: Outcome) -> StoreFuture<'_, ()> {
        ready(self.book(|book| match book.prepared.contains_key(&uow) {
            true => book.end(uow, outcome),
            false => book.here().and(Err(StoreError::NotFound)),
        }))
    }

    fn release(&self, uow: UowId) {
        self.book(|book| book.changed.remove(&uow));
    }
}

/// What outlives a region: its records, the ledger, and what was said.
#[derive(Clone)]
struct World {
    local: Arc<MemoryStore>,
    ledger: Ledger,
    said: Arc<Mutex<Vec<String>>>,
}

impl World {
    fn new() -> Self {
        let local = Arc::new(MemoryStore::in_memory(1 << 20));
        wait(local.define(FILE)).unwrap();
        Self {
            local,
            ledger: Ledger::default(),
            said: Arc::default(),
        }
    }

    /// A region starts; nobody takes part yet.
    fn coordinator(&self) -> Coordinator {
        let said = self.said.clone();
        let say = Operator::new(move |line| said.lock().unwrap().push(line.to_string()));
        Coordinator::new(self.local.clone(), say)
    }

    fn join(&self, coordinator: &Coordinator) {
        let ledger = self.ledger.clone();
        let connect = move |_system| {
            ledger.book(|book| book.here())?;
            Ok(Arc::new(ledger.clone()) as Arc<dyn Participant>)
        };
        coordinator.join(LEDGER, Box::new(connect)).unwrap();
    }

    /// A region with the ledger.
    fn region(&self) -> Coordinator {
        let coordinator = self.coordinator();
        self.join(&coordinator);
        coordinator
    }

    /// A unit of work writes a record and adds to the ledger.
    fn both(&self, n: u64, amount: i64) {
        let change = Change::Put(amount.to_string().into_bytes());
        wait(self.local.stage(uow(n), FILE, b"k", change, Wait::No)).unwrap();
        self.ledger.add(n, amount);
    }

    fn record(&self) -> Option<String> {
        let read = self.local.read(None, FILE, b"k", Match::Equal, Lock::None);
        let row = wait(read).unwrap();
        row.map(|row| String::from_utf8(row.record).unwrap())
    }

    fn said(&self, part: &str) -> bool {
        self.said.lock().unwrap().iter().any(|l| l.contains(part))
    }
}

fn soon(what: &str, mut is: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is() {
        assert!(begin.elapsed() < Duration::from_secs(10), "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_record_and_a_ledger_change_together() {
    let world = World::new();
    let region = world.region();
    world.both(1, 5);
    assert_eq!(region.part(uow(1)), Part::Changes);
    wait(region.commit(uow(1))).unwrap();
    assert_eq!(
        (world.record().as_deref(), world.ledger.total()),
        (Some("5"), 5)
    );
    world.both(2, 7);
    wait(region.backout(uow(2))).unwrap();
    assert_eq!(
        (world.record().as_deref(), world.ledger.total()),
        (Some("5"), 5)
    );
}

#[test]
fn a_refused_prepare_backs_out_everywhere() {
    for trouble in [
        Trouble::Refuses,
        Trouble::CannotPrepare,
        Trouble::DiesBefore,
    ] {
        let world = World::new();
        let region = world.region();
        world.both(1, 5);
        world.ledger.book(|book| book.trouble = trouble);
        wait(region.commit(uow(1))).unwrap_err();
        world.ledger.away(false);
        assert_eq!((world.record(), world.ledger.total()), (None, 0));
        assert_eq!(world.ledger.part(uow(1)), Part::None);
        // No lock is left.
        world.ledger.book(|book| book.trouble = Trouble::None);
        world.both(2, 7);
        wait(region.commit(uow(2))).unwrap();
        assert_eq!(
            (world.record().as_deref(), world.ledger.total()),
            (Some("7"), 7)
        );
    }
}

/// A task is purged while it commits: its unit of work ends all the same, and nothing of it is left
/// for the region to wait for when it closes.
#[test]
fn an_end_nobody_waits_for_any_more_comes_to_its_end() {
    let world = World::new();
    let region = world.region();
    let busy = Arc::new(Notify::new());
    world.ledger.book(|book| book.busy = Some(busy.clone()));
    world.both(1, 5);
    let mut commit = region.commit(uow(1));
    let mut context = Context::from_waker(Waker::noop());
    assert!(commit.as_mut().poll(&mut context).is_pending());
    drop(commit);
    busy.notify_one();
    soon("the ledger is told", || world.ledger.total() == 5);
    assert_eq!(world.record().as_deref(), Some("5"));
    let closing = Instant::now();
    drop(region);
    // Ends that are under way would be waited for ten seconds long.
    assert!(closing.elapsed() < Duration::from_secs(8));
}

#[test]
fn who_dies_between_prepare_and_commit_is_told_when_it_is_back() {
    let world = World::new();
    let region = world.region();
    world.both(1, 5);
    world
        .ledger
        .book(|book| book.trouble = Trouble::DiesPrepared);
    // The decision is on the disk: the task goes on.
    wait(region.commit(uow(1))).unwrap();
    assert_eq!(
        (world.record().as_deref(), world.ledger.total()),
        (Some("5"), 0)
    );
    assert!(world.said("TXMRM0006W store sql:LEDGER could not be told yet"));
    let untold = wait(region.in_doubt()).unwrap()[0].untold.clone().unwrap();
    assert_eq!(
        (untold.partner.as_str(), untold.outcome),
        (LEDGER, Outcome::Commit)
    );
    // Nobody can decide otherwise any more.
    let other = wait(region.resolve(uow(1), Outcome::Backout));
    assert_eq!(other, Err(StoreError::Prepared));
    world
        .ledger
        .book(|book| (book.away, book.trouble) = (false, Trouble::None));
    // An operator who agrees makes the region ask at once.
    wait(region.resolve(uow(1), Outcome::Commit)).unwrap();
    soon("the ledger is told", || world.ledger.total() == 5);
    soon("nothing is in doubt", || {
        wait(region.in_doubt()).unwrap().is_empty()
    });
}

#[test]
fn without_a_decision_a_restart_backs_out() {
    let world = World::new();
    drop(world.region());
    // The region died when the ledger had prepared.
    world.ledger.add(1, 5);
    world.ledger.book(|book| book.prepare(uow(1))).unwrap();
    let region = world.region();
    assert_eq!(
        (world.ledger.total(), world.ledger.part(uow(1))),
        (0, Part::None)
    );
    assert!(world.said("TXMRM0008I store sql:LEDGER has backed out unit of work"));
    assert_eq!(wait(region.in_doubt()), Ok(vec![]));
}

#[test]
fn a_decision_waits_for_who_joins_after_the_restart() {
    let world = World::new();
    let region = world.region();
    world.both(1, 5);
    world
        .ledger
        .book(|book| book.trouble = Trouble::DiesPrepared);
    wait(region.commit(uow(1))).unwrap();
    drop(region);
    world.ledger.book(|book| book.trouble = Trouble::None);
    let again = world.coordinator();
    // Somebody else joins first; the decision is not his and stays.
    let other = Ledger::default();
    let connect = move |_| Ok(Arc::new(other.clone()) as Arc<dyn Participant>);
    again.join("sql:OTHER", Box::new(connect)).unwrap();
    let doubt = wait(again.in_doubt()).unwrap();
    assert_eq!(doubt[0].untold.as_ref().unwrap().partner, LEDGER);
    // It is there, but cannot be reached; then it can.
    world.join(&again);
    assert_eq!(again.members()[1], (LEDGER, None, false));
    assert_eq!(world.ledger.total(), 0);
    world.ledger.away(false);
    wait(again.resolve(uow(1), Outcome::Commit)).unwrap();
    soon("the ledger is told", || world.ledger.total() == 5);
    assert!(world.said("TXMRM0008I store sql:LEDGER has committed unit of work"));
    soon("the decision is forgotten", || {
        wait(world.local.count("uow/decided")) == Ok(0)
    });
}

#[test]
fn who_alone_has_changes_commits_in_one_phase() {
    let world = World::new();
    let region = world.region();
    world
        .ledger
        .book(|book| book.trouble = Trouble::CannotPrepare);
    wait(world.local.lock(uow(1), FILE, b"k", Wait::No)).unwrap();
    world.ledger.add(1, 5);
    wait(region.commit(uow(1))).unwrap();
    assert_eq!(
        (world.ledger.total(), world.local.part(uow(1))),
        (5, Part::None)
    );
    // And one that only read has nothing to decide.
    world.ledger.book(|book| book.read.push(uow(2)));
    let change = Change::Put(b"2".to_vec());
    wait(world.local.stage(uow(2), FILE, b"k", change, Wait::No)).unwrap();
    wait(region.commit(uow(2))).unwrap();
    assert_eq!(world.record().as_deref(), Some("2"));
    assert_eq!(
        world
            .ledger
            .book(|book| (book.asked_to_prepare, book.read.len())),
        (0, 0)
    );
}

/// It commits for all and fails before it can say so: nobody may take that for a backout.
#[test]
fn a_participant_that_decides_and_gives_no_answer_leaves_the_outcome_open() {
    let world = World::new();
    let region = world.region();
    world
        .ledger
        .book(|book| book.trouble = Trouble::FailsCommitted);
    world.ledger.add(1, 5);
    let ended = wait(region.commit(uow(1)));
    assert!(matches!(ended, Err(StoreError::Unknown(_))), "{ended:?}");
    assert_eq!(world.ledger.total(), 5);
}

#[test]
fn an_outcome_nobody_knows_is_said_to_the_task() {
    let world = World::new();
    let region = world.region();
    world
        .ledger
        .book(|book| book.trouble = Trouble::LostInCommit);
    world.ledger.add(1, 5);
    let ended = wait(region.commit(uow(1)));
    assert!(matches!(ended, Err(StoreError::Unknown(_))), "{ended:?}");
    // In two phases the region has decided; the operator learns of the ledger.
    world.both(2, 7);
    wait(region.commit(uow(2))).unwrap();
    assert_eq!(world.record().as_deref(), Some("7"));
    assert!(world.said("TXMRM0009E unit of work"));
}

#[test]
fn a_dead_task_leaves_nothing_at_a_participant() {
    let world = World::new();
    let region = world.region();
    world.both(1, 5);
    region.release(uow(1));
    assert_eq!(region.part(uow(1)), Part::None);
    world.both(2, 7);
    wait(region.commit(uow(2))).unwrap();
    assert_eq!(world.ledger.total(), 7);
}

#[test]
fn without_participants_nothing_is_written() {
    let world = World::new();
    let region = world.coordinator();
    let before = wait(world.local.tables("")).unwrap();
    let change = Change::Put(b"1".to_vec());
    wait(world.local.stage(uow(1), FILE, b"k", change, Wait::No)).unwrap();
    wait(region.commit(uow(1))).unwrap();
    assert_eq!(world.record().as_deref(), Some("1"));
    assert_eq!(wait(world.local.tables("")).unwrap(), before);
}

#[test]
fn a_name_is_given_once_and_is_no_list() {
    let world = World::new();
    let region = world.region();
    for name in [LEDGER, "", "a,b"] {
        let ledger = world.ledger.clone();
        let connect = move |_| Ok(Arc::new(ledger.clone()) as Arc<dyn Participant>);
        let refused = region.join(name, Box::new(connect));
        assert!(matches!(refused, Err(StoreError::Wrong(_))), "{name}");
    }
}

/// The store was restored from a backup that is older than the decision: its absence says nothing.
#[test]
fn a_restored_store_leaves_to_the_operator_what_it_may_have_forgotten() {
    for outcome in [Outcome::Commit, Outcome::Backout] {
        let world = World::new();
        let restored = Restored {
            when_ns: 100,
            ..Restored::default()
        };
        restored.write(&*world.local).unwrap();
        let prepared = [(uow(99), 5), (uow(101), 7)];
        world.ledger.book(|book| book.prepared.extend(prepared));
        let region = world.region();
        // The younger one is of this store, which has not decided it.
        soon("the younger one is told", || {
            world.ledger.part(uow(101)) == Part::None
        });
        assert_eq!(world.ledger.part(uow(99)), Part::Prepared);
        assert!(world.said("TXMRM0014W"));
        let doubt = wait(region.in_doubt()).unwrap();
        assert_eq!(doubt.len(), 1);
        assert_eq!((doubt[0].uow, doubt[0].untold.is_none()), (uow(99), true));
        wait(region.resolve(uow(99), outcome)).unwrap();
        let total = if outcome == Outcome::Commit { 5 } else { 0 };
        soon("the ledger is told", || {
            world.ledger.part(uow(99)) == Part::None && world.ledger.total() == total
        });
        soon("nothing is in doubt", || {
            wait(region.in_doubt()).unwrap().is_empty()
        });
    }
}

/// A ledger that cannot prepare but marks what it commits.
#[derive(Default, Clone)]
struct Agent {
    ledger: Ledger,
    marks: Arc<Mutex<Vec<UowId>>>,
    /// Dies when it is asked to decide: `Some(true)` after it has.
    dies: Arc<Mutex<Option<bool>>>,
}

impl Participant for Agent {
    fn part(&self, uow: UowId) -> Part {
        self.ledger.part(uow)
    }

    fn commit(&self, uow: UowId) -> StoreFuture<'_, ()> {
        self.ledger.commit(uow)
    }

    fn backout(&self, uow: UowId) -> StoreFuture<'_, ()> {
        self.ledger.backout(uow)
    }

    fn is_last_agent(&self) -> bool {
        true
    }

    fn decide(&self, uow: UowId) -> StoreFuture<'_, ()> {
        let dies = *self.dies.lock().unwrap();
        if dies != Some(false) {
            self.marks.lock().unwrap().push(uow);
            self.ledger
                .book(|book| book.end(uow, Outcome::Commit))
                .unwrap();
        }
        ready(match dies {
            None => Ok(()),
            Some(_) => Err(StoreError::Unknown("the device failed".to_owned())),
        })
    }

    fn has_decided(&self, uow: UowId) -> StoreFuture<'_, bool> {
        // Nobody can ask it before its process is back.
        ready(match *self.dies.lock().unwrap() {
            None => Ok(self.marks.lock().unwrap().contains(&uow)),
            Some(_) => Err(StoreError::Unavailable("it is away".to_owned())),
        })
    }

    fn forget_mark(&self, uow: UowId) {
        self.marks.lock().unwrap().retain(|mark| *mark != uow);
    }

    fn release(&self, uow: UowId) {
        self.ledger.release(uow);
    }
}

/// A region whose ledger is a last agent.
fn with_agent(world: &World, agent: &Agent) -> Coordinator {
    let coordinator = world.coordinator();
    let agent = agent.clone();
    let connect = move |_| Ok(Arc::new(agent.clone()) as Arc<dyn Participant>);
    coordinator.join("sql:AGENT", Box::new(connect)).unwrap();
    coordinator
}

#[test]
fn a_last_agent_decides_and_its_mark_goes() {
    let world = World::new();
    let agent = Agent {
        ledger: world.ledger.clone(),
        ..Agent::default()
    };
    let region = with_agent(&world, &agent);
    world.both(1, 5);
    wait(region.commit(uow(1))).unwrap();
    let both = (world.record(), world.ledger.total());
    assert_eq!(both, (Some("5".to_owned()), 5));
    assert!(agent.marks.lock().unwrap().is_empty());
    assert_eq!(wait(region.in_doubt()).unwrap(), []);
    // Alone it needs no mark, and with a refusal of others nothing stays.
    world.ledger.add(2, 3);
    wait(region.commit(uow(2))).unwrap();
    assert_eq!(world.ledger.total(), 8);
    world.both(3, 7);
    wait(region.backout(uow(3))).unwrap();
    assert_eq!(world.ledger.total(), 8);
}

#[test]
fn a_last_agent_is_asked_for_its_mark_after_a_restart() {
    for decided in [true, false] {
        let world = World::new();
        let agent = Agent {
            ledger: world.ledger.clone(),
            ..Agent::default()
        };
        let region = with_agent(&world, &agent);
        world.both(1, 5);
        *agent.dies.lock().unwrap() = Some(decided);
        let ended = wait(region.commit(uow(1)));
        assert!(matches!(ended, Err(StoreError::Unknown(_))), "{ended:?}");
        assert_eq!(world.record(), None);
        drop(region);
        *agent.dies.lock().unwrap() = None;
        // What a session had without a mark goes with its process.
        world.ledger.release(uow(1));
        let region = with_agent(&world, &agent);
        let record = decided.then(|| "5".to_owned());
        assert_eq!(world.record(), record);
        assert_eq!(wait(region.in_doubt()).unwrap(), []);
        assert!(world.said("sql:AGENT has"));
        world.both(2, 7);
        wait(region.commit(uow(2))).unwrap();
        assert_eq!(world.record(), Some("7".to_owned()));
    }
}

#[test]
fn others_beside_a_last_agent_hear_its_decision() {
    let world = World::new();
    let agent = Agent::default();
    let region = with_agent(&world, &agent);
    world.join(&region);
    let both = |n, amount| {
        world.both(n, amount);
        agent.ledger.add(n, amount);
    };
    both(1, 5);
    wait(region.commit(uow(1))).unwrap();
    assert_eq!((world.ledger.total(), agent.ledger.total()), (5, 5));
    both(2, 7);
    *agent.dies.lock().unwrap() = Some(true);
    wait(region.commit(uow(2))).unwrap_err();
    assert_eq!((world.ledger.total(), agent.ledger.total()), (5, 12));
    drop(region);
    *agent.dies.lock().unwrap() = None;
    // The ledger that has prepared is not told before the agent has answered.
    let region = world.region();
    assert_eq!(world.ledger.total(), 5);
    let late = agent.clone();
    let connect = move |_| Ok(Arc::new(late.clone()) as Arc<dyn Participant>);
    region.join("sql:AGENT", Box::new(connect)).unwrap();
    soon("the ledger is told", || world.ledger.total() == 12);
    assert_eq!(world.record().as_deref(), Some("7"));
}
