//! HTTP/1.1 as every door serves it, and Basic authentication.
//!
//! What: [`accept`] runs the connections of a listener, each until one side has had enough;
//! [`credentials`] reads an Authorization header, [`Digests`] lets a door remember one without
//! keeping it, [`Logons`] checks it against the users of a region; [`is_cross_site`] and
//! [`is_this_machine`] tell a browser that was sent by another site; an [`AccessLog`] is told of
//! each request; a [`Nearby`] server of the same process needs no connection. Why a room: a reply
//! that refuses an unread body, a drain and a header that is believed again go wrong in each door
//! that writes them itself. Not here: sockets, TLS and limits (`tcpip`), what a request is
//! answered.

#![forbid(unsafe_code)]

mod access;
mod basic;
mod connection;
mod logons;
mod nearby;
mod origin;

pub use access::{AccessLog, Served};
pub use basic::{Digests, credentials};
pub use connection::accept;
pub use logons::Logons;
pub use nearby::{Nearby, NearbyAnswer, NearbyError, leads_to};
pub use origin::{is_cross_site, is_this_machine};
