//! Units of work over two stores.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use transom_messages::Operator;
use transom_recovery::*;
use transom_types::Applid;

const HERE: &str = "file/HERE";
const THERE: &str = "file/BANK.THERE";

fn uow(n: u64) -> UowId {
    UowId::new(Applid::from_field(b"JOINT"), n)
}

/// Two stores that outlive the joint one, as data outlive a region.
struct World {
    local: Arc<MemoryStore>,
    bank: Arc<MemoryStore>,
    away: Arc<AtomicBool>,
    said: Arc<Mutex<Vec<String>>>,
}

impl World {
    fn new() -> Self {
        Self {
            local: Arc::new(MemoryStore::in_memory(1 << 20)),
            bank: Arc::new(MemoryStore::in_memory(1 << 20)),
            away: Arc::default(),
            said: Arc::default(),
        }
    }

    fn open(&self) -> Result<JointStore, StoreError> {
        let (bank, away, said) = (self.bank.clone(), self.away.clone(), self.said.clone());
        let partner = Partner {
            name: "bank".to_owned(),
            connect: Box::new(move |_| match away.load(Ordering::SeqCst) {
                true => Err(StoreError::Unavailable("nobody listens".to_owned())),
                false => Ok(bank.clone()),
            }),
            owns: Box::new(|table| table.contains("/BANK.")),
        };
        let say = Operator::new(move |line| said.lock().unwrap().push(line.to_string()));
        JointStore::open(self.local.clone(), vec![partner], say)
    }

    fn tables(&self) -> JointStore {
        let store = self.open().unwrap();
        wait(store.define(HERE)).unwrap();
        wait(store.define(THERE)).unwrap();
        store
    }

    fn said(&self, part: &str) -> bool {
        self.said.lock().unwrap().iter().any(|l| l.contains(part))
    }
}

fn put(store: &dyn UowStore, n: u64, table: &str, value: &[u8]) -> Result<(), StoreError> {
    let change = Change::Put(value.to_vec());
    wait(store.stage(uow(n), table, b"k", change, Wait::No))
}

fn get(store: &dyn UowStore, table: &str) -> Option<Vec<u8>> {
    let read = store.read(None, table, b"k", Match::Equal, Lock::None);
    wait(read).unwrap().map(|row| row.record)
}

fn soon(what: &str, mut is: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is() {
        assert!(begin.elapsed() < Duration::from_secs(10), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn changes_in_two_stores_come_together() {
    let world = World::new();
    let store = world.tables();
    assert_eq!((store.place(HERE), store.place(THERE)), ("", "bank"));
    put(&store, 1, HERE, b"1").unwrap();
    put(&store, 1, THERE, b"1").unwrap();
    assert_eq!(get(&store, THERE), None);
    wait(store.commit(uow(1))).unwrap();
    assert_eq!(get(&*world.local, HERE), Some(b"1".to_vec()));
    assert_eq!(get(&*world.bank, THERE), Some(b"1".to_vec()));
    assert_eq!(world.bank.stats().prepares, 1);
    // The decision is not kept longer than it is needed.
    soon("the decision is forgotten", || {
        wait(world.local.count("uow/decided")) == Ok(0)
    });
    put(&store, 2, HERE, b"2").unwrap();
    put(&store, 2, THERE, b"2").unwrap();
    wait(store.backout(uow(2))).unwrap();
    assert_eq!(get(&store, HERE), Some(b"1".to_vec()));
    assert_eq!(get(&store, THERE), Some(b"1".to_vec()));
}

#[test]
fn one_changed_store_needs_no_second_phase() {
    let world = World::new();
    let store = world.tables();
    // Read for update here, changed there.
    let lock = Lock::Update(Wait::No);
    wait(store.lock(uow(1), HERE, b"k", Wait::No)).unwrap();
    put(&store, 1, THERE, b"1").unwrap();
    wait(store.commit(uow(1))).unwrap();
    // The other way round.
    put(&store, 2, HERE, b"2").unwrap();
    wait(store.read(Some(uow(2)), THERE, b"k", Match::Equal, lock)).unwrap();
    wait(store.commit(uow(2))).unwrap();
    assert_eq!(world.bank.stats().prepares, 0);
    assert_eq!(wait(world.local.count("uow/decided")), Ok(0));
    // No lock is left.
    put(&store, 3, HERE, b"3").unwrap();
    put(&store, 3, THERE, b"3").unwrap();
}

#[test]
fn a_restart_ends_what_was_prepared_as_it_was_decided() {
    for decided in [false, true] {
        let world = World::new();
        drop(world.tables());
        // A region died between PREPARE and the end.
        put(&*world.bank, 1, THERE, b"1").unwrap();
        wait(world.bank.prepare(uow(1), b"")).unwrap();
        world.bank.retain(uow(1));
        if decided {
            let change = Change::Put(b"bank".to_vec());
            let write = Write::new("uow/decided", uow(1).to_bytes(), change);
            wait(world.local.write_now(None, vec![write], Wait::No)).unwrap();
        }
        assert_eq!(put(&*world.bank, 2, THERE, b"2"), Err(StoreError::Locked));
        let store = world.open().unwrap();
        assert_eq!(get(&store, THERE), decided.then(|| b"1".to_vec()));
        assert!(world.said("TXMRM0008I"));
        put(&store, 2, THERE, b"2").unwrap();
        soon("the decision is forgotten", || {
            wait(world.local.count("uow/decided")) == Ok(0)
        });
    }
}

#[test]
fn a_partner_that_is_away_is_asked_again() {
    let world = World::new();
    drop(world.tables());
    put(&*world.bank, 1, THERE, b"1").unwrap();
    wait(world.bank.prepare(uow(1), b"")).unwrap();
    let change = Change::Put(b"bank".to_vec());
    let write = Write::new("uow/decided", uow(1).to_bytes(), change);
    wait(world.local.write_now(None, vec![write], Wait::No)).unwrap();
    world.away.store(true, Ordering::SeqCst);
    let store = world.open().unwrap();
    assert!(world.said("TXMRM0005W"));
    // What the region keeps itself can be used, the rest says why not.
    put(&store, 2, HERE, b"2").unwrap();
    wait(store.commit(uow(2))).unwrap();
    let refused = put(&store, 3, THERE, b"3");
    assert!(matches!(refused, Err(StoreError::Unavailable(_))));
    let doubt = wait(store.in_doubt()).unwrap();
    let untold = doubt[0].untold.clone().unwrap();
    assert_eq!((doubt[0].uow, untold.partner.as_str()), (uow(1), "bank"));
    // What is decided cannot be decided otherwise.
    let other = wait(store.resolve(uow(1), Outcome::Backout));
    assert_eq!(other, Err(StoreError::Prepared));
    world.away.store(false, Ordering::SeqCst);
    soon("the partner is told", || {
        wait(store.in_doubt()).unwrap().is_empty()
    });
    assert_eq!(get(&store, THERE), Some(b"1".to_vec()));
    assert!(world.said("TXMRM0007I"));
}

#[test]
fn data_that_lie_here_are_not_hidden() {
    let world = World::new();
    wait(world.local.define(THERE)).unwrap();
    let refused = world.open().err().map(|e| e.to_string()).unwrap();
    assert!(refused.contains("BANK.THERE lies in the region's own store"));
}

#[test]
fn records_of_two_stores_cannot_change_in_one_step() {
    let world = World::new();
    let store = world.tables();
    let writes = [HERE, THERE].map(|table| Write::new(table, *b"k", Change::Put(vec![1])));
    let refused = wait(store.stage_all(uow(1), writes.to_vec(), Wait::No));
    assert!(matches!(refused, Err(StoreError::Unsupported(_))));
}

#[test]
fn a_circle_through_two_stores_ends() {
    let world = World::new();
    let store = world.tables();
    store.set_patience(Duration::from_millis(100));
    wait(store.lock(uow(1), HERE, b"k", Wait::No)).unwrap();
    wait(store.lock(uow(2), THERE, b"k", Wait::No)).unwrap();
    std::thread::scope(|scope| {
        let (first, second) = (&store, &store);
        let one = scope.spawn(|| wait(first.lock(uow(1), THERE, b"k", Wait::Forever)));
        let two = scope.spawn(|| {
            let refused = wait(second.lock(uow(2), HERE, b"k", Wait::Forever));
            wait(second.backout(uow(2))).unwrap();
            refused
        });
        let ends = [one.join().unwrap(), two.join().unwrap()];
        assert!(ends.contains(&Err(StoreError::Deadlock)), "{ends:?}");
    });
}

#[test]
fn several_partners_need_a_decision_even_without_changes_here() {
    let world = World::new();
    let second = Arc::new(MemoryStore::in_memory(1 << 20));
    let (bank, shop) = (world.bank.clone(), second.clone());
    let partner = |name: &str, store: Arc<MemoryStore>| {
        let part = format!("/{}.", name.to_uppercase());
        Partner {
            name: name.to_owned(),
            connect: Box::new(move |_| Ok(store.clone())),
            owns: Box::new(move |table| table.contains(&part)),
        }
    };
    let partners = vec![partner("bank", bank), partner("shop", shop)];
    let store = JointStore::open(world.local.clone(), partners, Operator::nobody()).unwrap();
    let tables = [THERE, "file/SHOP.THERE"];
    for table in tables {
        wait(store.define(table)).unwrap();
        put(&store, 1, table, b"1").unwrap();
    }
    assert_eq!(store.part(uow(1)), Part::Changes);
    wait(store.commit(uow(1))).unwrap();
    assert_eq!(world.local.stats().commits, 1, "the decision");
    assert_eq!(get(&*second, tables[1]), Some(b"1".to_vec()));
    assert_eq!(get(&*world.bank, THERE), Some(b"1".to_vec()));
    assert_eq!(wait(store.tables("file/")).unwrap(), tables);
}

#[test]
fn a_decision_that_finds_no_room_backs_out_everywhere() {
    let mut world = World::new();
    world.local = Arc::new(MemoryStore::in_memory(4_096));
    let store = world.tables();
    put(&store, 1, HERE, &[b'x'; 8_000]).unwrap();
    put(&store, 1, THERE, b"1").unwrap();
    let refused = wait(store.commit(uow(1)));
    assert!(
        matches!(refused, Err(StoreError::NoSpace(_))),
        "{refused:?}"
    );
    // The caller backs out, as it does after any refusal.
    wait(store.backout(uow(1))).unwrap();
    assert_eq!((get(&store, HERE), get(&store, THERE)), (None, None));
    assert_eq!(wait(world.bank.in_doubt()), Ok(vec![]));
    put(&store, 2, HERE, b"2").unwrap();
    put(&store, 2, THERE, b"2").unwrap();
    wait(store.commit(uow(2))).unwrap();
    assert_eq!(get(&*world.bank, THERE), Some(b"2".to_vec()));
}
