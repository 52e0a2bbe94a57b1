//! Who ends units of work in which several take part.
//!
//! What: the region's own store and up to sixteen participants beside it: stores that keep some of
//! its tables, sessions of other systems. At a syncpoint participants with changes prepare, the
//! commit of the region's own store decides (the record that says so is one write with its
//! changes), participants are told, the record is forgotten. Without the record a prepared unit of
//! work is backed out (presumed abort). One participant that alone has changes commits in one
//! phase; one that only read is just let go; one that cannot prepare decides as last agent
//! (`last_agent`). Begin at `ends`. Why here: what a participant keeps
//! does not matter for how a unit of work ends. Not here: which table lies where
//! ([`JointStore`](crate::JointStore)).

mod ends;
mod last_agent;
mod reach;
mod resync;
mod state;

use crate::guard::lock;
use crate::{
    Connect, InDoubt, OpenStore, Outcome, Part, Participant, StoreError, StoreFuture,
    SyncpointManager, UowId, UowStore, ready, wait,
};
use state::{Inner, Member, Present, Reach};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use transom_messages::{self as messages, Operator};

/// Longest name of a participant.
const NAME_MAX: usize = 32;

/// Ends units of work in all places alike.
pub struct Coordinator {
    inner: Arc<Inner>,
    /// Runs ends of units of work and what is to be told later; from the first participant on. Its
    /// lock makes those who join come one after the other.
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Coordinator {
    /// Over the store of the region, which decides. Nobody else takes part yet, and nothing is
    /// written before somebody does.
    pub fn new(local: Arc<dyn UowStore>, operator: Operator) -> Self {
        Self {
            inner: Arc::new(Inner::new(local, operator)),
            thread: Mutex::default(),
        }
    }

    /// As [`SyncpointManager::join`], for a store; its number, for [`Coordinator::store`].
    pub fn join_store(&self, name: &str, open: OpenStore) -> Result<usize, StoreError> {
        self.take_in(
            name,
            Box::new(move |system| open(system).map(Present::Store)),
        )
    }

    /// The store that joined under a number; an error while it cannot be reached.
    pub fn store(&self, n: usize) -> Result<&dyn UowStore, StoreError> {
        match self.inner.member(n)? {
            Present::Store(store) => Ok(&**store),
            Present::Other(_) => Err(StoreError::Closed),
        }
    }

    /// Participants that can be reached, with their numbers.
    pub(crate) fn present(&self) -> impl Iterator<Item = (usize, &dyn Participant)> {
        self.inner.present()
    }

    /// Says which decisions name a participant that is not there, when all who are there from the
    /// beginning have joined. Names with a colon are of those who may join later.
    pub(crate) fn say_missing(&self) {
        for (uow, name) in lock(&self.inner.untold).keys() {
            if !name.contains(':') && self.inner.number_of(name).is_none() {
                let line = messages::rm::store_not_defined(uow, name);
                self.inner.operator.tell(line);
            }
        }
    }

    fn take_in(&self, name: &str, connect: Reach) -> Result<usize, StoreError> {
        let mut thread = lock(&self.thread);
        let inner = &self.inner;
        let good = !name.is_empty() && name.len() <= NAME_MAX && !name.contains(',');
        if !good || inner.number_of(name).is_some() {
            let text = format!("{name:?} cannot be the name of another participant");
            return Err(StoreError::Wrong(text));
        }
        let n = inner.members().count();
        let Some(place) = inner.members.get(n) else {
            return Err(StoreError::Limit("stores of a region"));
        };
        inner.begin()?;
        let member = Member::new(name, connect);
        match inner.connect(&member) {
            Ok(()) => {}
            Err(error @ StoreError::Unavailable(_)) => inner.complain(&member, &error),
            Err(error) => return Err(error),
        }
        // Free: who joins holds the lock.
        let _ = place.set(member);
        wait(inner.resync());
        if thread.is_none() {
            *thread = Some(resync::start(inner)?);
        }
        inner.work.notify_one();
        Ok(n)
    }
}

impl SyncpointManager for Coordinator {
    fn join(&self, name: &str, connect: Connect) -> Result<(), StoreError> {
        let reach = move |system| connect(system).map(Present::Other);
        self.take_in(name, Box::new(reach)).map(|_| ())
    }

    fn look_again(&self) {
        self.inner.work.notify_one();
    }

    fn forget<'a>(&'a self, uow: UowId, name: &'a str) -> StoreFuture<'a, ()> {
        Box::pin(self.inner.forget_at(uow, name))
    }

    fn members(&self) -> Vec<(&str, Option<String>, bool)> {
        let all = self.inner.members();
        all.map(|member| {
            let present = member.present.get();
            let identity = present.and_then(|p| p.participant().identity());
            (&*member.name, identity, present.is_some())
        })
        .collect()
    }
}

/// The whole takes part in what somebody else decides as one.
impl Participant for Coordinator {
    fn part(&self, uow: UowId) -> Part {
        let others = self.inner.present().map(|(_, one)| one.part(uow));
        let here = self.inner.local.part(uow);
        others.fold(here, Part::max)
    }

    /// Somebody else could decide; but there is nobody yet.
    fn prepare<'a>(&'a self, uow: UowId, info: &'a [u8]) -> StoreFuture<'a, ()> {
        let mut others = self.inner.present();
        if others.any(|(_, one)| one.part(uow) == Part::Changes) {
            return ready(Err(StoreError::Unsupported(
                "be prepared with changes in partners",
            )));
        }
        self.inner.local.prepare(uow, info)
    }

    /// A unit of work with changes in several places is backed out when this is refused.
    fn commit(&self, uow: UowId) -> StoreFuture<'_, ()> {
        Box::pin(self.inner.commit(uow))
    }

    fn backout(&self, uow: UowId) -> StoreFuture<'_, ()> {
        Box::pin(self.inner.backout(uow))
    }

    fn in_doubt(&self) -> StoreFuture<'_, Vec<InDoubt>> {
        Box::pin(self.inner.in_doubt())
    }

    fn retain(&self, uow: UowId) {
        self.inner.local.retain(uow);
        self.inner.present().for_each(|(_, one)| one.retain(uow));
    }

    /// An operator decides. What is decided already is only told again.
    fn resolve(&self, uow: UowId, outcome: Outcome) -> StoreFuture<'_, ()> {
        Box::pin(self.inner.resolve(uow, outcome))
    }

    fn release(&self, uow: UowId) {
        if lock(&self.inner.ending).contains(&uow) {
            // It goes on to its end.
            return;
        }
        self.inner.local.release(uow);
        for (_, one) in self.inner.present() {
            if one.part(uow) != Part::None {
                one.release(uow);
            }
        }
    }
}

impl Drop for Coordinator {
    fn drop(&mut self) {
        self.inner.stop.store(true, Ordering::SeqCst);
        self.inner.work.notify_one();
        if let Some(thread) = lock(&self.thread).take() {
            // Ends under way are waited for there.
            let _ = thread.join();
        }
    }
}
