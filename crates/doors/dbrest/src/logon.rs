//! Whose a request is: a user of the region, or the default user where the region checks nothing.
//!
//! Then requests come only from this machine by a name of this machine: a page in a browser must
//! not reach services by a name of its own. Not here: passwords (`transom_http`), users (the
//! region), what a user may do.

use crate::peer::Peer;
use crate::reply::Failure;
use crate::shared::Shared;
use hyper::StatusCode;
use hyper::header::{self, HeaderMap};
use transom_http::is_this_machine;
use transom_region_api::Denial;
use transom_types::UserId;

/// The user of a request.
pub(crate) async fn user(
    shared: &Shared,
    peer: Peer,
    headers: &HeaderMap,
) -> Result<UserId, Failure> {
    let users = &shared.desk.users;
    if !users.checks() {
        is_local(headers)?;
        return Ok(users.default_user());
    }
    let user = shared.logons.user(peer.address, headers).await;
    user.map_err(|denial| match denial {
        Denial::TooMany => Failure::new(
            StatusCode::TOO_MANY_REQUESTS,
            "Too many passwords were refused to this address.",
        ),
        Denial::Unavailable => Failure::busy("Too many logons at the same time."),
        Denial::Wrong | Denial::MustChange | Denial::Revoked => unauthorized(),
    })
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
    match is_this_machine(host.unwrap_or("localhost")) {
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
