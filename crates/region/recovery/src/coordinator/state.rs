//! What a coordinator knows: who takes part, and what they have to be told still.
//!
//! What: the state that the ends of units of work and the background thread share. Not here: what
//! they do with it.

use crate::{Outcome, Participant, StoreError, UowId, UowStore};
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::SystemTime;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use transom_messages::{self as messages, Operator};

/// Decisions that not all participants know yet; written with the changes they decide.
pub(super) const DECIDED: &str = "uow/decided";
/// Most participants beside the region's own store; each costs a look at each end of a unit of
/// work.
const MEMBERS_MAX: usize = 16;

/// Reaches a participant for the system of this number.
pub(super) type Reach = Box<dyn Fn(u64) -> Result<Present, StoreError> + Send + Sync>;

/// A participant that was reached.
pub(super) enum Present {
    /// It keeps tables of records.
    Store(Arc<dyn UowStore>),
    /// It does not.
    Other(Arc<dyn Participant>),
}

pub(super) struct Inner {
    pub(super) local: Arc<dyn UowStore>,
    /// Filled from the front, never emptied.
    pub(super) members: [OnceLock<Member>; MEMBERS_MAX],
    pub(super) system: OnceLock<u64>,
    /// Units of work whose end is under way.
    pub(super) ending: Mutex<HashSet<UowId>>,
    /// What participants have to be told still, by their names.
    pub(super) untold: Mutex<BTreeMap<(UowId, Arc<str>), Told>>,
    /// What participants have prepared and the store cannot know the end of: it was restored from a
    /// backup that may be older than the decision.
    pub(super) doubtful: Mutex<BTreeMap<(UowId, Arc<str>), SystemTime>>,
    /// What an earlier run prepared in the region's own store and a last agent of this name
    /// decided.
    pub(super) with_agent: Mutex<BTreeMap<UowId, Arc<str>>>,
    /// When the store was restored, in nanoseconds since 1970; 0: never.
    pub(super) restored_ns: AtomicU64,
    /// Decisions that all participants know.
    pub(super) settled: Mutex<Vec<UowId>>,
    pub(super) work: Notify,
    pub(super) stop: AtomicBool,
    pub(super) runtime: OnceLock<Handle>,
    pub(super) operator: Operator,
}

pub(super) struct Member {
    pub(super) name: Arc<str>,
    pub(super) connect: Reach,
    /// Itself, when it could be reached.
    pub(super) present: OnceLock<Present>,
    /// Its units of work of earlier runs are ended.
    pub(super) clean: AtomicBool,
    /// That it is away, or wrong, was said.
    pub(super) complained: AtomicBool,
}

#[derive(Clone, Copy)]
pub(super) struct Told {
    pub(super) outcome: Outcome,
    pub(super) since: SystemTime,
}

impl Present {
    pub(super) fn participant(&self) -> &dyn Participant {
        match self {
            Self::Store(store) => &**store,
            Self::Other(other) => &**other,
        }
    }
}

impl Inner {
    pub(super) fn new(local: Arc<dyn UowStore>, operator: Operator) -> Self {
        Self {
            local,
            members: Default::default(),
            system: OnceLock::new(),
            ending: Mutex::default(),
            untold: Mutex::default(),
            doubtful: Mutex::default(),
            with_agent: Mutex::default(),
            restored_ns: AtomicU64::new(0),
            settled: Mutex::default(),
            work: Notify::new(),
            stop: AtomicBool::new(false),
            runtime: OnceLock::new(),
            operator,
        }
    }

    pub(super) fn members(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().map_while(OnceLock::get)
    }

    /// Participants that can be reached, with their numbers.
    pub(super) fn present(&self) -> impl Iterator<Item = (usize, &dyn Participant)> {
        let members = self.members().enumerate();
        members.filter_map(|(n, member)| Some((n, member.present.get()?.participant())))
    }

    pub(super) fn member(&self, n: usize) -> Result<&Present, StoreError> {
        let member = self.members().nth(n).ok_or(StoreError::Closed)?;
        member
            .present
            .get()
            .ok_or_else(|| StoreError::Unavailable(format!("store {} is away", member.name)))
    }

    pub(super) fn participant(&self, n: usize) -> Result<&dyn Participant, StoreError> {
        self.member(n).map(Present::participant)
    }

    pub(super) fn number_of(&self, name: &str) -> Option<usize> {
        self.members().position(|member| *member.name == *name)
    }

    pub(super) fn name(&self, n: usize) -> Arc<str> {
        let member = self.members().nth(n);
        member.map_or_else(|| Arc::from(""), |member| member.name.clone())
    }

    pub(super) fn complain(&self, member: &Member, error: &StoreError) {
        if !member.complained.swap(true, Ordering::Relaxed) {
            let line = messages::rm::store_away(&member.name, error);
            self.operator.tell(line);
        }
    }
}

impl Member {
    pub(super) fn new(name: &str, connect: Reach) -> Self {
        Self {
            name: name.into(),
            connect,
            present: OnceLock::new(),
            clean: AtomicBool::new(false),
            complained: AtomicBool::new(false),
        }
    }
}
