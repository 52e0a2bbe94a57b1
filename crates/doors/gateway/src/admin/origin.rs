//! Whether a page of another site sent a request through the user's browser.
//!
//! What: a browser says where a request comes from (`Sec-Fetch-Site`, `Origin`); what comes from
//! elsewhere is refused unless a `cors` element allows that origin. A page whose name was made to
//! point at this machine is caught by its `Host`: where nobody has to log on, clients of this
//! machine must name it as this machine. Why: a page that anybody can visit must not stop a service
//! or deploy one. Not here: what other sites may do with operations (`cors`).

use crate::door::{Door, Outcome};
use crate::errors;
use crate::peer::{Peer, host, url};
use hyper::header;
use hyper::http::request::Parts;
use std::net::IpAddr;

/// Refuses what another site's page sends.
pub(super) fn own_site(door: &Door, peer: Peer, parts: &Parts) -> Outcome<()> {
    let text = |name| parts.headers.get(name).map(|v| v.to_str().unwrap_or("?"));
    let elsewhere = matches!(text("sec-fetch-site"), Some("cross-site" | "same-site"));
    let other = text(header::ORIGIN.as_str()).is_some_and(|origin| {
        let named = origin.split_once("://").map(|(_, authority)| authority);
        !named.is_some_and(|named| named.eq_ignore_ascii_case(host(parts)))
    });
    let allowed = || door.cors.allows(parts.uri.path(), &parts.headers);
    match (elsewhere || other) && !allowed() {
        true => Err(errors::other_site(&url(parts, peer))),
        false => Ok(()),
    }
}

/// Refuses a client of this machine that names it otherwise, where nobody has to log on.
pub(super) fn own_name(peer: Peer, parts: &Parts, user: Option<&str>) -> Outcome<()> {
    let foreign = user.is_none() && peer.address.to_canonical().is_loopback();
    match foreign && !is_this_machine(host(parts)) {
        true => Err(errors::other_host(&url(parts, peer))),
        false => Ok(()),
    }
}

fn is_this_machine(authority: &str) -> bool {
    let name = match authority.strip_prefix('[').and_then(|a| a.split_once(']')) {
        Some((address, _)) => address,
        None => authority
            .rsplit_once(':')
            .map_or(authority, |(name, _)| name),
    };
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let address = name.parse::<IpAddr>().is_ok_and(|a| a.is_loopback());
    address || name == "localhost" || name.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_this_machine() {
        for own in [
            "localhost",
            "LOCALHOST:80",
            "a.localhost:2222",
            "127.0.0.1:1",
            "[::1]:2222",
        ] {
            assert!(is_this_machine(own), "{own}");
        }
        for other in [
            "localhost.example",
            "10.0.0.1:80",
            "evil.example",
            "[2001:db8::1]:1",
            "",
        ] {
            assert!(!is_this_machine(other), "{other}");
        }
    }
}
