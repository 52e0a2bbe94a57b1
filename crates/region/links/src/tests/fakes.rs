//! Regions without processes: a store, and mirrors that write what they are told.
//!
//! Not here: what is expected of them.

use super::fake_shared::FakeShared;
use crate::desk::{Desk, Ended, Later, NewMirror, OnEnd, info};
use crate::{LinkConfig, Links, Load, Own, Shipping};
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};
use transom_messages::Operator;
use transom_recovery::*;
use transom_types::{Applid, Resp, SysId, TermId, TransId, UserId};
use transom_wire::definitions::ConnectionEntry;
use transom_wire::partner::Work;
use transom_wire::requests::RegionAnswer;

/// Nobody else may write where sockets lie, nor in the folder above.
pub(crate) const GROUP: &str = "group";
pub(crate) const TABLE: &str = "file/DATA";
/// A region with so many tasks is about to stop.
pub(crate) const STOPS: u32 = 99;
/// A command that begins so changes nothing.
pub(crate) const READS: &[u8] = b"??";
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A region: its store, and mirrors that write what they are told.
pub(crate) struct Fake {
    pub(crate) applid: Applid,
    pub(crate) managed: Managed,
    pub(crate) links: OnceLock<Arc<Links>>,
    pub(crate) next: AtomicU32,
    pub(crate) units: Mutex<HashMap<u32, UowId>>,
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
    pub(crate) fn with(
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

    pub(crate) fn has(&self, key: &str) -> bool {
        let store = &self.managed.store;
        let read = store.read(None, TABLE, key.as_bytes(), Match::Equal, Lock::None);
        wait(read).unwrap().is_some()
    }

    pub(crate) fn in_doubt(&self) -> usize {
        wait(self.managed.manager.in_doubt()).unwrap().len()
    }

    pub(crate) fn stage(&self, uow: UowId, key: &str) {
        let put = Change::Put(b"x".to_vec());
        let store = &self.managed.store;
        wait(store.stage(uow, TABLE, key.as_bytes(), put, Wait::No)).unwrap();
    }

    /// A command of a unit of work, once the other one answers.
    pub(crate) async fn put(&self, partner: &str, uow: UowId, key: &str) -> RegionAnswer {
        let begin = Instant::now();
        loop {
            let shipping = Shipping {
                waits: true,
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

    fn unit(&self, task: u32) -> Option<UowId> {
        let uow = *self.0.units.lock().unwrap().get(&task)?;
        let prepared = self.0.managed.manager.part(uow) == Part::Prepared;
        (!prepared).then_some(uow)
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

pub(crate) fn uow(n: u64) -> UowId {
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
