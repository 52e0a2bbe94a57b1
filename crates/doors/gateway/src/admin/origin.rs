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
use hyper::http::request::Parts;
use transom_http::{is_cross_site, is_this_machine};

/// Refuses what another site's page sends.
pub(super) fn own_site(door: &Door, peer: Peer, parts: &Parts) -> Outcome<()> {
    let other = is_cross_site(host(parts), &parts.headers);
    let allowed = || door.cors.allows(parts.uri.path(), &parts.headers);
    match other && !allowed() {
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
