//! Basic authentication without paying the slow hash on every request.
//!
//! A verified `Authorization` header is remembered per serving thread under a keyed digest, so
//! neither passwords nor headers are kept. Checks of new ones run on blocking threads, a few at a
//! time; who may have one checked says `budget`.

use super::budget::{Admission, Budget};
use super::{Principal, Users};
use crate::errors::{self, Failure};
use arc_swap::ArcSwap;
use hyper::header::{self, HeaderMap};
use std::cell::RefCell;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::sync::Semaphore;
use transom_http::{Digests, credentials};
use transom_types::ClientCertificate;

/// Verified headers a serving thread remembers; all are forgotten when one more comes.
const VERIFIED_ENTRIES: usize = 1_024;
/// Checks that wait for their turn, in each queue; more are answered 503.
const CHECKS_WAITING: usize = 256;

/// By digest of the header: the registry's generation and the user.
type Verified = HashMap<[u8; 32], (u64, Arc<Principal>)>;

thread_local! {
    static VERIFIED: RefCell<Verified> = RefCell::default();
}

/// Logon of all requests.
pub(crate) struct Logons {
    users: ArcSwap<Users>,
    /// Counts registries; entries verified against an older one do not count.
    generation: AtomicU64,
    digests: Digests,
    usual: Queue,
    /// Of addresses that sent wrong passwords: one check at a time.
    suspects: Queue,
    budget: Arc<Budget>,
    checked: AtomicU64,
    refusals: Refusals,
}

/// Checks that wait for each other; each takes 7 MiB and a core.
struct Queue {
    turns: Arc<Semaphore>,
    waiting: Semaphore,
}

impl Queue {
    fn new(at_once: usize) -> Self {
        Self {
            turns: Arc::new(Semaphore::new(at_once)),
            waiting: Semaphore::new(CHECKS_WAITING),
        }
    }
}

/// A logon that did not succeed.
pub(crate) struct Refused {
    pub(crate) failure: Failure,
    /// The user to tell the operator of.
    pub(crate) user: Option<String>,
}

impl Refused {
    fn silently(failure: Failure) -> Self {
        Self {
            failure,
            user: None,
        }
    }
}

impl Logons {
    pub(crate) fn new(users: Users) -> Self {
        // Generations of two gateways in one process must differ: they share the threads' memory.
        static NEXT: AtomicU64 = AtomicU64::new(1);
        // Programs need the other half of the machine.
        let cores = std::thread::available_parallelism().map_or(1, |n| (n.get() / 2).max(1));
        Self {
            users: ArcSwap::from_pointee(users),
            generation: AtomicU64::new(NEXT.fetch_add(1, Relaxed)),
            digests: Digests::default(),
            usual: Queue::new(cores),
            suspects: Queue::new(1),
            budget: Arc::new(Budget::new()),
            checked: AtomicU64::new(0),
            refusals: Refusals::new(),
        }
    }

    /// Passwords checked with the slow hash.
    pub(crate) fn checked(&self) -> u64 {
        self.checked.load(Relaxed)
    }

    /// The user a verified header stands for, found without waiting.
    pub(crate) fn known(&self, headers: &HeaderMap) -> Option<Arc<Principal>> {
        let digest = self
            .digests
            .of(headers.get(header::AUTHORIZATION)?.as_bytes());
        let generation = self.generation.load(Relaxed);
        VERIFIED.with_borrow(|verified| {
            let (made, principal) = verified.get(&digest)?;
            (*made == generation).then(|| principal.clone())
        })
    }

    /// The user a client's certificate stands for: the common name of its subject, as Liberty's
    /// basic registry has it.
    pub(crate) fn certified(&self, certificate: &ClientCertificate) -> Option<Arc<Principal>> {
        self.users.load().named(certificate.common_name.as_deref()?)
    }

    /// The operator may be told of a refusal.
    pub(crate) fn may_be_told(&self) -> bool {
        self.refusals.may_be_told()
    }

    /// Checks user and password.
    ///
    /// # Errors
    /// 401 for everything that is no valid pair, 429 when the address tried too many, 503 when too
    /// many are being checked.
    pub(crate) async fn log_on(
        &self,
        address: IpAddr,
        headers: &HeaderMap,
    ) -> Result<Arc<Principal>, Refused> {
        let users = self.users.load_full();
        let unknown = || Refused::silently(errors::unauthorized(&users.realm));
        let busy = || Refused::silently(errors::logon_busy());
        let value = headers.get(header::AUTHORIZATION).ok_or_else(unknown)?;
        let (name, password) = credentials(value.as_bytes()).ok_or_else(unknown)?;
        let digest = self.digests.of(value.as_bytes());
        let generation = self.generation.load(Relaxed);
        let turn = match self.budget.admit(address, &name, Instant::now()) {
            Admission::Check(turn) => turn,
            Admission::Wait(time) => {
                return Err(self.refused(errors::too_many_logons(time), &name));
            }
        };
        let queue = if turn.suspect {
            &self.suspects
        } else {
            &self.usual
        };
        let _place = queue.waiting.try_acquire().map_err(|_| busy())?;
        let place = queue.turns.clone().acquire_owned().await;
        let place = place.map_err(|_| busy())?;
        if let Some(time) = turn.too_late(Instant::now()) {
            return Err(self.refused(errors::too_many_logons(time), &name));
        }
        self.checked.fetch_add(1, Relaxed);
        let (registry, user) = (users.clone(), name.clone());
        // Who goes away before the answer has tried a password too.
        let check = move || {
            let _place = place;
            match registry.verify(&user, &password) {
                Some(found) => {
                    turn.proved(Instant::now());
                    Ok(found)
                }
                None => Err(turn.refused(Instant::now())),
            }
        };
        let found = match tokio::task::spawn_blocking(check).await {
            Ok(Ok(found)) => found,
            Ok(Err(later)) => {
                tokio::time::sleep(later).await;
                return Err(self.refused(errors::unauthorized(&users.realm), &name));
            }
            Err(_) => return Err(unknown()),
        };
        VERIFIED.with_borrow_mut(|verified| {
            if verified.len() >= VERIFIED_ENTRIES {
                verified.clear();
            }
            verified.insert(digest, (generation, found.clone()));
        });
        Ok(found)
    }

    /// A refusal that the operator is told of.
    fn refused(&self, failure: Failure, name: &str) -> Refused {
        Refused {
            failure,
            user: self.refusals.may_be_told().then(|| printable(name)),
        }
    }
}

/// Refused logons told in one second; who tries thousands of passwords must not fill the log.
const TOLD_PER_SECOND: u64 = 10;

/// Counts what the operator is told.
struct Refusals {
    start: Instant,
    /// The second since the start, and how many were told in it.
    told: Mutex<(u64, u64)>,
}

impl Refusals {
    fn new() -> Self {
        Self {
            start: Instant::now(),
            told: Mutex::new((0, 0)),
        }
    }

    fn may_be_told(&self) -> bool {
        let second = self.start.elapsed().as_secs();
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.0 != second {
            *told = (second, 0);
        }
        told.1 += 1;
        told.1 <= TOLD_PER_SECOND
    }
}

/// A name from outside, fit for a log.
fn printable(name: &str) -> String {
    let shown = |c: char| if c.is_control() { '?' } else { c };
    name.chars().take(64).map(shown).collect()
}
