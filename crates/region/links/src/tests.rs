//! Two regions of stores and mirrors without processes, and callers that misbehave.

#[path = "../../server/tests/it/fake_shared.rs"]
mod fake_shared;
mod over_tcp;

use crate::desk::{Desk, Ended, Later, NewMirror, OnEnd, info};
use crate::frames::{Answered, Asked, Attach, Hello, Holds, MAGIC, VERSION, table};
use crate::stream::Stream;
use crate::{LinkConfig, Links, Load, Own, Shipping, reach};
use fake_shared::FakeShared;
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use transom_messages::Operator;
use transom_recovery::*;
use transom_types::{Applid, Resp, SysId, TermId, TransId, UserId};
use transom_wire::definitions::ConnectionEntry;
use transom_wire::partner::Work;
use transom_wire::requests::RegionAnswer;

/// Nobody else may write where sockets lie, nor in the folder above.
const GROUP: &str = "group";
const TABLE: &str = "file/DATA";
/// A region with so many tasks is about to stop.
pub(crate) const STOPS: u32 = 99;
/// A command that begins so changes nothing.
const READS: &[u8] = b"??";
const PATIENCE: Duration = Duration::from_secs(60);

/// A region: its store, and mirrors that write what they are told.
pub(crate) struct Fake {
    applid: Applid,
    managed: Managed,
    links: OnceLock<Arc<Links>>,
    pub(crate) next: AtomicU32,
    units: Mutex<HashMap<u32, UowId>>,
    /// Tasks that were purged.
    pub(crate) purged: Mutex<Vec<u32>>,
    /// Tasks it says it has.
    pub(crate) busy: AtomicU32,
    /// Terminals that routed tasks were given.
    pub(crate) terminals: Mutex<Vec<TermId>>,
}

impl Fake {
    pub(crate) fn start(
        name: &str,
        partner: &str,
        folder: &Path,
        store: Arc<dyn UowStore>,
    ) -> Arc<Self> {
        Self::among(name, &[partner], folder, store)
    }

    /// With a link to each of these, among which it balances.
    pub(crate) fn among(
        name: &str,
        partners: &[&str],
        folder: &Path,
        store: Arc<dyn UowStore>,
    ) -> Arc<Self> {
        let shared = FakeShared::default();
        let mut net = LinkConfig::here(folder.join(GROUP));
        for partner in partners {
            let name = SysId::from_field(partner.as_bytes());
            let mut entry = ConnectionEntry::with_defaults(name);
            entry.netname = *b"        ";
            entry.netname[..partner.len()].copy_from_slice(partner.as_bytes());
            assert!(entry.install(&shared));
            net.balance.targets.push(name);
        }
        net.balance.keeps_conversations = true;
        Self::with(name, shared, net, store)
    }

    /// By the definitions that are installed.
    fn with(
        name: &str,
        shared: FakeShared,
        net: LinkConfig,
        store: Arc<dyn UowStore>,
    ) -> Arc<Self> {
        let (said, told) = (name.to_owned(), Operator::new(|_| {}));
        let applid = Applid::from_field(name.as_bytes());
        let fake = Arc::new(Self {
            applid,
            managed: Managed::new(store, told.clone()).unwrap(),
            links: OnceLock::new(),
            next: AtomicU32::new(1),
            units: Mutex::default(),
            purged: Mutex::default(),
            terminals: Mutex::default(),
            busy: AtomicU32::new(0),
        });
        wait(fake.managed.store.define(TABLE)).unwrap();
        let own = Own {
            applid,
            sysid: SysId::from_field(said.as_bytes()),
        };
        let desk = Arc::new(FakeDesk(fake.clone()));
        let links = Links::new(own, net, Arc::new(shared), desk, told);
        links.begin();
        assert!(fake.links.set(links).is_ok());
        fake
    }

    pub(crate) fn links(&self) -> &Arc<Links> {
        self.links.get().unwrap()
    }

    fn has(&self, key: &str) -> bool {
        let store = &self.managed.store;
        let read = store.read(None, TABLE, key.as_bytes(), Match::Equal, Lock::None);
        wait(read).unwrap().is_some()
    }

    fn in_doubt(&self) -> usize {
        wait(self.managed.manager.in_doubt()).unwrap().len()
    }

    fn stage(&self, uow: UowId, key: &str) {
        let put = Change::Put(b"x".to_vec());
        let store = &self.managed.store;
        wait(store.stage(uow, TABLE, key.as_bytes(), put, Wait::No)).unwrap();
    }

    /// A command of a unit of work, once the other one answers.
    async fn put(&self, partner: &str, uow: UowId, key: &str) -> RegionAnswer {
        let begin = Instant::now();
        loop {
            let shipping = Shipping {
                task: 0,
                system: SysId::from_field(partner.as_bytes()),
                userid: UserId::from_field(b"USER"),
                transid: TransId::BLANK,
                apart: false,
                command: key.as_bytes().to_vec(),
                uow: Some(uow),
            };
            let answer = self.links().ship(shipping).await;
            if answer.resp != Resp::SYSIDERR || begin.elapsed() > PATIENCE {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

pub(crate) struct FakeDesk(pub(crate) Arc<Fake>);

impl Desk for FakeDesk {
    fn start(&self, _: NewMirror, on_end: OnEnd) -> Result<u32, Ended> {
        let fake = self.0.clone();
        let task = fake.next.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(async move {
            let mut answer = None;
            while let Some(Work::Run(command)) = fake.links().next(task, answer).await {
                if command.starts_with(READS) {
                    answer = Some(command);
                    continue;
                }
                let uow = UowId::new(fake.applid, 1_000 + u64::from(task));
                fake.units.lock().unwrap().insert(task, uow);
                fake.stage(uow, std::str::from_utf8(&command).unwrap());
                answer = Some(command);
            }
            // What is left is backed out, as at the end of a task.
            let left = fake.units.lock().unwrap().remove(&task);
            if let Some(uow) = left {
                fake.managed.manager.release(uow);
            }
            on_end(Ended::Normal);
        });
        Ok(task)
    }

    fn origin(&self, _: u32) -> Option<Vec<u8>> {
        None
    }

    fn purge(&self, task: u32) {
        self.0.purged.lock().unwrap().push(task);
    }

    fn load(&self) -> Load {
        Load {
            tasks: self.0.busy.load(Ordering::SeqCst),
            queued: 0,
            max_tasks: 100,
            stopping: self.0.busy.load(Ordering::SeqCst) == STOPS,
        }
    }

    fn part(&self, task: u32) -> Option<Part> {
        let units = self.0.units.lock().unwrap();
        let uow = units.get(&task)?;
        Some(self.0.managed.manager.part(*uow))
    }

    fn prepare(&self, task: u32, caller: UowId) -> Later<Result<(), StoreError>> {
        let (fake, uow) = (self.0.clone(), self.0.units.lock().unwrap()[&task]);
        Box::pin(async move { fake.managed.manager.prepare(uow, &info(caller)).await })
    }

    fn end(&self, task: u32, outcome: Outcome) -> Later<Result<(), StoreError>> {
        let (fake, uow) = (self.0.clone(), self.0.units.lock().unwrap().remove(&task));
        Box::pin(async move {
            match (uow, outcome) {
                (None, _) => Ok(()),
                (Some(uow), Outcome::Commit) => fake.managed.manager.commit(uow).await,
                (Some(uow), Outcome::Backout) => fake.managed.manager.backout(uow).await,
            }
        })
    }

    fn abandon(&self, task: u32) {
        let mut units = self.0.units.lock().unwrap();
        let part = units
            .get(&task)
            .map(|uow| self.0.managed.manager.part(*uow));
        if part == Some(Part::Prepared) {
            units.remove(&task);
        }
    }

    fn in_doubt(&self) -> Later<Result<Vec<InDoubt>, StoreError>> {
        let fake = self.0.clone();
        Box::pin(async move { fake.managed.manager.in_doubt().await })
    }

    fn resolve(&self, uow: UowId, outcome: Outcome) -> Later<Result<(), StoreError>> {
        let fake = self.0.clone();
        Box::pin(async move { fake.managed.manager.resolve(uow, outcome).await })
    }

    fn manager(&self) -> Option<Arc<dyn SyncpointManager>> {
        Some(self.0.managed.manager.clone())
    }
}

pub(crate) fn memory() -> Arc<dyn UowStore> {
    Arc::new(MemoryStore::in_memory(1 << 20))
}

fn uow(n: u64) -> UowId {
    UowId::new(Applid::from_field(b"ONE"), n)
}

pub(crate) fn folder() -> tempfile::TempDir {
    // Short: the path of a Unix socket is limited.
    tempfile::tempdir_in("/tmp").unwrap()
}

pub(crate) async fn until(what: &str, holds: impl Fn() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < PATIENCE, "{what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).enable_all().build().unwrap()
}

#[test]
fn a_unit_of_work_ends_in_both_regions_alike() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let one = Fake::start("ONE", "TWO", dir.path(), memory());
        let two = Fake::start("TWO", "ONE", dir.path(), memory());
        // Both changed: two phases. Nothing is seen before.
        assert_eq!(one.put("TWO", uow(1), "A").await.resp, Resp::NORMAL);
        one.stage(uow(1), "B");
        assert!(!two.has("A") && !one.has("B"));
        one.managed.manager.commit(uow(1)).await.unwrap();
        assert!(two.has("A") && one.has("B"));
        // The partner alone: it decides.
        assert_eq!(one.put("TWO", uow(2), "C").await.resp, Resp::NORMAL);
        one.managed.manager.commit(uow(2)).await.unwrap();
        assert!(two.has("C"));
        // Backed out in both.
        assert_eq!(one.put("TWO", uow(3), "D").await.resp, Resp::NORMAL);
        one.stage(uow(3), "E");
        one.managed.manager.backout(uow(3)).await.unwrap();
        assert!(!two.has("D") && !one.has("E"));
        until("mirrors end", || two.links().mirrors() == 0).await;
        assert_eq!((one.in_doubt(), two.in_doubt()), (0, 0));
    });
}

#[test]
fn a_conversation_that_holds_nothing_ends_without_an_answer() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let one = Fake::start("ONE", "TWO", dir.path(), memory());
        let two = Fake::start("TWO", "ONE", dir.path(), memory());
        let manager = &one.managed.manager;
        for n in 1..100 {
            let answer = one.put("TWO", uow(n), "??").await;
            assert_eq!((answer.resp, answer.data.as_slice()), (Resp::NORMAL, READS));
            match n % 2 {
                0 => manager.commit(uow(n)).await.unwrap(),
                _ => manager.backout(uow(n)).await.unwrap(),
            }
        }
        until("mirrors end", || two.links().mirrors() == 0).await;
        let link = one.links().link(SysId::from_field(b"TWO")).unwrap();
        assert_eq!(link.conversations(), 0);
        assert_eq!(*two.purged.lock().unwrap(), []);
        // What has changed something ends as it must, whatever it did before and after.
        for key in ["??", "KEY", "??"] {
            one.put("TWO", uow(100), key).await;
        }
        manager.commit(uow(100)).await.unwrap();
        assert!(two.has("KEY"));
        // The partner is gone: what holds nothing there is committed all the same.
        one.put("TWO", uow(101), "??").await;
        two.links().stop();
        drop(two);
        manager.commit(uow(101)).await.unwrap();
    });
}

#[test]
fn who_lets_go_of_changes_has_not_committed_them() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let two = Fake::start("TWO", "ONE", dir.path(), memory());
        let mut stream = greeted(dir.path()).await;
        for key in ["FIRST", "SECOND"] {
            let answered = stream.exchange(&attach(key)).await.unwrap();
            assert!(matches!(
                answered,
                Answered::Ran {
                    holds: Holds::Changes,
                    ..
                }
            ));
            stream.say(&Asked::LetGo).await.unwrap();
        }
        until("mirrors end", || two.links().mirrors() == 0).await;
        assert!(!two.has("FIRST") && !two.has("SECOND"));
    });
}

#[test]
fn a_caller_that_dies_leaves_nothing_that_it_had_not_prepared() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let two = Fake::start("TWO", "ONE", dir.path(), memory());
        let mut stream = greeted(dir.path()).await;
        stream.exchange(&attach("A")).await.unwrap();
        drop(stream);
        until("the mirror ends", || two.links().mirrors() == 0).await;
        assert!(!two.has("A"));
        assert_eq!(two.in_doubt(), 0);
    });
}

/// A caller that dies after it has prepared; what its log says when it comes back.
fn comes_back(decided: bool) -> bool {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let two = Fake::start("TWO", "ONE", dir.path(), memory());
        let mut stream = greeted(dir.path()).await;
        stream.exchange(&attach("A")).await.unwrap();
        let prepare = Asked::Prepare(uow(7).to_bytes());
        let answered = stream.exchange(&prepare).await.unwrap();
        assert_eq!(answered, Answered::Done);
        drop(stream);
        until("the mirror ends", || two.links().mirrors() == 0).await;
        assert_eq!(two.in_doubt(), 1);
        assert!(!two.has("A"));
        let store = memory();
        if decided {
            let names = Change::Put(b"region:TWO".to_vec());
            store.define("uow/decided").await.unwrap();
            let write = Write::new("uow/decided", uow(7).to_bytes(), names);
            store.write_now(None, vec![write], Wait::No).await.unwrap();
        }
        let _one = Fake::start("ONE", "TWO", dir.path(), store);
        until("it is resolved", || two.in_doubt() == 0).await;
        two.has("A")
    })
}

#[test]
fn what_a_dead_caller_had_decided_is_committed_when_it_is_back() {
    assert!(comes_back(true));
}

#[test]
fn what_a_dead_caller_had_not_decided_is_backed_out_when_it_is_back() {
    assert!(!comes_back(false));
}

#[test]
fn a_partner_that_dies_before_the_end_backs_the_unit_of_work_out() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let one = Fake::start("ONE", "TWO", dir.path(), memory());
        let two = Fake::start("TWO", "ONE", dir.path(), memory());
        assert_eq!(one.put("TWO", uow(1), "A").await.resp, Resp::NORMAL);
        one.stage(uow(1), "B");
        // Its session breaks off.
        one.links().break_off(uow(1)).await;
        assert!(one.managed.manager.commit(uow(1)).await.is_err());
        assert!(!one.has("B") && !two.has("A"));
        until("the mirror ends", || two.links().mirrors() == 0).await;
    });
}

impl Links {
    /// Ends the session of a unit of work, as a death does.
    async fn break_off(&self, uow: UowId) {
        let links: Vec<_> = self.table.lock().unwrap().values().cloned().collect();
        for link in links {
            if let Some(talk) = link.talk(uow) {
                talk.stream.lock().await.take();
            }
        }
    }
}

fn hello(version: u16, applid: &str, partner: &str) -> Asked {
    Asked::Hello(Hello {
        magic: MAGIC,
        version,
        table: table(),
        applid: Applid::from_field(applid.as_bytes()),
        sysid: SysId::from_field(b"S"),
        partner: Applid::from_field(partner.as_bytes()),
    })
}

fn attach(key: &str) -> Asked {
    Asked::Attach(Attach {
        userid: UserId::BLANK,
        transid: TransId::BLANK,
        depth: 1,
        apart: false,
        command: key.as_bytes().to_vec(),
        origin: Vec::new(),
    })
}

pub(crate) async fn connected(dir: &Path) -> UnixStream {
    let socket = reach::socket(&dir.join(GROUP), Applid::from_field(b"TWO"));
    let begin = Instant::now();
    loop {
        match UnixStream::connect(&socket).await {
            Ok(carrier) => return carrier,
            Err(error) => assert!(begin.elapsed() < PATIENCE, "{error}"),
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

pub(crate) async fn greeted(dir: &Path) -> Stream {
    let mut stream = Stream::new(connected(dir).await);
    let welcome = stream.exchange(&hello(VERSION, "ONE", "TWO")).await;
    assert!(matches!(welcome, Ok(Answered::Welcome(_))));
    stream
}

/// What somebody who says this first is told.
async fn refused(dir: &Path, first: Asked) -> String {
    let mut stream = Stream::new(connected(dir).await);
    match stream.exchange(&first).await.unwrap() {
        Answered::Refused(text) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn strangers_are_refused_and_harm_nobody() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let _two = Fake::start("TWO", "ONE", dir.path(), memory());
        let dir = dir.path();
        let begins = |text: String, id: &str| assert!(text.starts_with(id), "{text}");
        begins(refused(dir, hello(9, "ONE", "TWO")).await, "TXMIS0021E");
        begins(
            refused(dir, hello(VERSION, "SIX", "TWO")).await,
            "TXMIS0023E",
        );
        begins(
            refused(dir, hello(VERSION, "ONE", "SIX")).await,
            "TXMIS0022E",
        );
        begins(refused(dir, attach("A")).await, "TXMIS0020E");
        // Garbage, more than a frame may have, half a frame: the connection ends.
        for bytes in [
            &b"\x08\0\0\0garbage!"[..],
            b"\xFF\xFF\xFF\xFF",
            b"\x40\0\0\0half",
        ] {
            let mut carrier = connected(dir).await;
            carrier.write_all(bytes).await.unwrap();
            carrier.shutdown().await.unwrap();
            let mut told = Vec::new();
            let read = carrier.read_to_end(&mut told);
            let ended = tokio::time::timeout(PATIENCE, read).await;
            assert!(ended.is_ok(), "{bytes:?}");
        }
        // A frame out of turn.
        let mut stream = greeted(dir).await;
        assert!(stream.exchange(&Asked::Commit).await.is_err());
        // Regions still get what they ask for.
        let mut stream = greeted(dir).await;
        let doubts = stream.exchange(&Asked::Doubts).await.unwrap();
        assert_eq!(doubts, Answered::Doubts(Vec::new()));
    });
}
