//! What a service manager is told of a process that serves.
//!
//! What: the datagrams of `sd_notify`, to the socket that `NOTIFY_SOCKET` names: a unit of
//! Type=notify has started when the region takes requests, not when its process exists. Where there
//! is no such socket nothing is told. Not here: when.

use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};

/// Tells a state, as `READY=1`. Nobody waits for it, and nothing depends on it.
pub(crate) fn notify(state: &str) {
    let Some(place) = std::env::var_os("NOTIFY_SOCKET") else {
        return;
    };
    let address = match place.as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name),
        None => SocketAddr::from_pathname(&place),
    };
    if let (Ok(address), Ok(socket)) = (address, UnixDatagram::unbound()) {
        let _told = socket.send_to_addr(state.as_bytes(), &address);
    }
}
