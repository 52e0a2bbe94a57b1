//! TCP and TLS under links between regions.
//!
//! What: [`connect`] reaches a region, [`Door`] is where regions come in; with TLS both ends show a
//! certificate whose DNS name is the APPLID they claim ([`Keyring`]). Why its own room: who a
//! region is must be decided before a byte of the links' protocol is read, and by nothing else.
//! Not here: that protocol (`region/links`), definitions (`region/wire`).

#![forbid(unsafe_code)]

mod connect;
mod door;
mod keyring;

pub use connect::{Carrier, Reached, connect};
pub use door::{Came, Door, Shown, Strange};
pub use keyring::Keyring;

use rustls::pki_types::ServerName;
use transom_types::Applid;

/// The DNS name that the certificate of a region has; `None`: the APPLID can be none.
pub(crate) fn name_of(applid: Applid) -> Option<ServerName<'static>> {
    let name = applid.as_str().trim_end().to_ascii_lowercase();
    match ServerName::try_from(name).ok()? {
        name @ ServerName::DnsName(_) => Some(name),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
