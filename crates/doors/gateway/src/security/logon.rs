//! Basic authentication without paying the slow hash on every request.
//!
//! A verified `Authorization` header is remembered per serving thread under a keyed digest, so
//! neither passwords nor headers are kept. Checks of new ones run on blocking threads, a few at a
//! time.

use super::{Principal, Users};
use crate::errors::{self, Failure};
use arc_swap::ArcSwap;
use base64::Engine as _;
use hyper::header::{self, HeaderMap};
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::sync::Semaphore;

/// Verified headers a serving thread remembers; all are forgotten when one more comes.
const VERIFIED_ENTRIES: usize = 1_024;
/// Passwords checked at the same time; each needs 7 MiB and a core.
const CHECKS_AT_ONCE: usize = 2;
/// Checks that wait for their turn; more are answered 503.
const CHECKS_WAITING: usize = 64;
/// Longest Authorization header looked at, bytes.
const AUTHORIZATION_BYTES: usize = 2_048;

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
    key: [u8; 32],
    turns: Arc<Semaphore>,
    waiting: Semaphore,
    checked: AtomicU64,
    refusals: Refusals,
}

/// A logon that did not succeed.
pub(crate) struct Refused {
    pub(crate) failure: Failure,
    /// The user to tell the operator of.
    pub(crate) user: Option<String>,
}

impl Logons {
    pub(crate) fn new(users: Users) -> Self {
        use argon2::password_hash::rand_core::{OsRng, RngCore};
        let mut key = [0; 32];
        OsRng.fill_bytes(&mut key);
        // Generations of two gateways in one process must differ: they share the threads' memory.
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self {
            users: ArcSwap::from_pointee(users),
            generation: AtomicU64::new(NEXT.fetch_add(1, Relaxed)),
            key,
            turns: Arc::new(Semaphore::new(CHECKS_AT_ONCE)),
            waiting: Semaphore::new(CHECKS_WAITING),
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
        let digest = self.digest(headers.get(header::AUTHORIZATION)?.as_bytes());
        let generation = self.generation.load(Relaxed);
        VERIFIED.with_borrow(|verified| {
            let (made, principal) = verified.get(&digest)?;
            (*made == generation).then(|| principal.clone())
        })
    }

    /// Checks user and password.
    ///
    /// # Errors
    /// 401 for everything that is no valid pair, 503 when too many are being checked.
    pub(crate) async fn log_on(&self, headers: &HeaderMap) -> Result<Arc<Principal>, Refused> {
        let users = self.users.load_full();
        let unknown = || Refused {
            failure: errors::unauthorized(&users.realm),
            user: None,
        };
        let busy = || Refused {
            failure: errors::logon_busy(),
            user: None,
        };
        let value = headers.get(header::AUTHORIZATION).ok_or_else(unknown)?;
        let (name, password) = credentials(value.as_bytes()).ok_or_else(unknown)?;
        let digest = self.digest(value.as_bytes());
        let generation = self.generation.load(Relaxed);
        let _place = self.waiting.try_acquire().map_err(|_| busy())?;
        let turn = self.turns.clone().acquire_owned().await;
        let turn = turn.map_err(|_| busy())?;
        self.checked.fetch_add(1, Relaxed);
        let (registry, user) = (users.clone(), name.clone());
        let check = move || {
            let _turn = turn;
            registry.verify(&user, &password)
        };
        let found = tokio::task::spawn_blocking(check).await.ok().flatten();
        let found = found.ok_or_else(|| Refused {
            failure: errors::unauthorized(&users.realm),
            user: self.refusals.may_be_told().then(|| printable(&name)),
        })?;
        VERIFIED.with_borrow_mut(|verified| {
            if verified.len() >= VERIFIED_ENTRIES {
                verified.clear();
            }
            verified.insert(digest, (generation, found.clone()));
        });
        Ok(found)
    }

    fn digest(&self, header: &[u8]) -> [u8; 32] {
        Sha256::new()
            .chain_update(self.key)
            .chain_update(header)
            .finalize()
            .into()
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

fn credentials(header: &[u8]) -> Option<(String, String)> {
    if header.len() > AUTHORIZATION_BYTES {
        return None;
    }
    let (scheme, encoded) = std::str::from_utf8(header).ok()?.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(encoded.trim())
        .ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let (name, password) = text.split_once(':')?;
    Some((name.to_owned(), password.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::credentials;

    #[test]
    fn takes_basic_credentials_only() {
        let pair = credentials(b"Basic aWJtdXNlcjpTWVMxOng=").unwrap();
        assert_eq!(pair, ("ibmuser".into(), "SYS1:x".into()));
        assert_eq!(credentials(b"Bearer aWJtdXNlcjpTWVMx"), None);
        assert_eq!(credentials(b"Basic ****"), None);
        assert_eq!(credentials(b"Basic"), None);
    }
}
