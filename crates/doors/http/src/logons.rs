//! Who sends a request: Basic authentication against the users of a region.
//!
//! A header that was right is believed for a minute, or until the users change, by a keyed digest:
//! checking a password is slow on purpose, and each request brings one. Not here: users, wrong
//! passwords (the region), what a user may do, what a refused client is told (each door).

use crate::basic::{Digests, credentials};
use hyper::header::{self, HeaderMap};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use transom_region_api::{Claim, Denial, Users};
use transom_types::UserId;

/// Headers that were right and are remembered; all are forgotten when one more comes.
const KNOWN_MAX: usize = 1_024;
/// How long they are.
const KNOWN_TIME: Duration = Duration::from_secs(60);

/// Logon of all requests of a listener.
pub struct Logons {
    users: Arc<dyn Users>,
    digests: Digests,
    known: Mutex<HashMap<[u8; 32], Known>>,
}

#[derive(Debug, Clone, Copy)]
struct Known {
    user: UserId,
    generation: u64,
    since: Instant,
}

impl Logons {
    /// Against these users.
    pub fn new(users: Arc<dyn Users>) -> Self {
        Self {
            users,
            digests: Digests::default(),
            known: Mutex::default(),
        }
    }

    /// The user whose name and password a request brings; none are wrong ones.
    ///
    /// # Errors
    /// Why nobody is believed.
    pub async fn user(&self, from: IpAddr, headers: &HeaderMap) -> Result<UserId, Denial> {
        let header = headers.get(header::AUTHORIZATION).ok_or(Denial::Wrong)?;
        let header = header.as_bytes();
        let digest = self.digests.of(header);
        let generation = self.users.generation();
        let known = self.all().get(&digest).copied();
        let since = Instant::now();
        if let Some(known) = known
            && known.generation == generation
            && since.duration_since(known.since) < KNOWN_TIME
        {
            return Ok(known.user);
        }
        let (user, secret) = credentials(header).ok_or(Denial::Wrong)?;
        let user = self.users.sign_on(Claim { user, secret, from }).await?;
        let mut all = self.all();
        if all.len() >= KNOWN_MAX {
            all.clear();
        }
        let known = Known {
            user,
            generation,
            since,
        };
        all.insert(digest, known);
        Ok(user)
    }

    fn all(&self) -> MutexGuard<'_, HashMap<[u8; 32], Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
