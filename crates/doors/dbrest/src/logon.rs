//! Basic authentication against the users of the region.
//!
//! What: whose a request is. A header that was right is believed for a minute, or until the users
//! change, by a keyed digest: checking a password is slow on purpose, and each request brings one.
//! Where the region checks nothing, requests are the default user's, and only from this machine by
//! a name of this machine: a page in a browser must not reach them by a name of its own. Not here:
//! users, wrong passwords (the region), what a user may do.

use crate::peer::Peer;
use crate::reply::Failure;
use hyper::StatusCode;
use hyper::header::{self, HeaderMap};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use transom_http::{Digests, credentials};
use transom_region_api::{Claim, Denial, Users};
use transom_types::UserId;

/// Headers that were right and are remembered; all are forgotten when one more comes.
const KNOWN_MAX: usize = 1_024;
/// How long they are.
const KNOWN_TIME: Duration = Duration::from_secs(60);

/// Logon of all requests of a listener.
pub(crate) struct Logons {
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
    pub(crate) fn new(users: Arc<dyn Users>) -> Self {
        Self {
            users,
            digests: Digests::default(),
            known: Mutex::default(),
        }
    }

    /// The user of a request.
    pub(crate) async fn user(&self, peer: Peer, headers: &HeaderMap) -> Result<UserId, Failure> {
        if !self.users.checks() {
            is_local(headers)?;
            return Ok(self.users.default_user());
        }
        let header = headers.get(header::AUTHORIZATION);
        let header = header.ok_or_else(unauthorized)?.as_bytes();
        let digest = self.digests.of(header);
        let generation = self.users.generation();
        let known = self.all().get(&digest).copied();
        let now = Instant::now();
        if let Some(known) = known
            && known.generation == generation
            && now.duration_since(known.since) < KNOWN_TIME
        {
            return Ok(known.user);
        }
        let (user, secret) = credentials(header).ok_or_else(unauthorized)?;
        let from = peer.address;
        let claim = Claim { user, secret, from };
        match self.users.sign_on(claim).await {
            Ok(user) => {
                let mut all = self.all();
                if all.len() >= KNOWN_MAX {
                    all.clear();
                }
                let since = now;
                all.insert(
                    digest,
                    Known {
                        user,
                        generation,
                        since,
                    },
                );
                Ok(user)
            }
            Err(Denial::TooMany) => Err(Failure::new(
                StatusCode::TOO_MANY_REQUESTS,
                "Too many passwords were refused to this address.",
            )),
            Err(Denial::Unavailable) => Err(Failure::busy("Too many logons at the same time.")),
            Err(Denial::Wrong | Denial::MustChange | Denial::Revoked) => Err(unauthorized()),
        }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<[u8; 32], Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unauthorized() -> Failure {
    let text = "The request needs a valid user identifier and password.";
    Failure::new(StatusCode::UNAUTHORIZED, text).header(
        header::WWW_AUTHENTICATE,
        "Basic realm=\"Db2 REST services\"",
    )
}

/// A region without users listens on this machine only; a client of it names it as it is.
fn is_local(headers: &HeaderMap) -> Result<(), Failure> {
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let host = host.unwrap_or("localhost");
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    let local = name.eq_ignore_ascii_case("localhost")
        || name
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback());
    match local {
        true => Ok(()),
        false => Err(Failure::new(
            StatusCode::FORBIDDEN,
            "Without users of the region, services are for localhost.",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

    #[test]
    fn without_users_this_machine_is_named_as_it_is() {
        let named = |host: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static(host));
            is_local(&headers).is_ok()
        };
        for good in ["localhost:42100", "LOCALHOST", "127.0.0.1:1", "[::1]:42100"] {
            assert!(named(good), "{good}");
        }
        for bad in [
            "attacker.example:42100",
            "127.0.0.1.attacker.example",
            "10.0.0.1",
        ] {
            assert!(!named(bad), "{bad}");
        }
    }
}
