//! A server of the same process, which is called without a connection.
//!
//! Why: two doors of one region talk HTTP; through sockets each request costs four system calls,
//! two changes of thread and two readings of its head. Not here: who is called so (the door that
//! calls), what is answered (the door that is called).

use bytes::Bytes;
use hyper::{Request, StatusCode};
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;

/// A listener without TLS, from the inside.
pub trait Nearby: Send + Sync {
    /// Where it listens.
    fn address(&self) -> SocketAddr;

    /// Answers a request as if it had come over a connection of this machine, with at most so many
    /// bytes. Dropping the answer ends the request, as the end of the connection does.
    fn answer(&self, request: Request<Bytes>, most: usize) -> NearbyAnswer<'_>;
}

/// Status and body.
pub type NearbyAnswer<'a> =
    Pin<Box<dyn Future<Output = Result<(StatusCode, Bytes), NearbyError>> + Send + 'a>>;

/// Why there is no answer although there was a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NearbyError {
    /// The answer broke off in the middle.
    BrokenOff,
    /// It is too long.
    TooLong,
}

/// A client that connects to this host and port comes to this address of this machine.
pub fn leads_to(host: &str, port: u16, address: SocketAddr) -> bool {
    let own = address.ip();
    let here = own.is_loopback() || own.is_unspecified();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let named = match bare.parse::<std::net::IpAddr>() {
        Ok(named) => named == own || own.is_unspecified() && named.is_loopback(),
        Err(_) => bare.eq_ignore_ascii_case("localhost"),
    };
    here && named && port == address.port()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_this_machine_leads_to_its_own_listener() {
        let own: SocketAddr = "127.0.0.1:42100".parse().unwrap();
        assert!(leads_to("localhost", 42100, own) && leads_to("127.0.0.1", 42100, own));
        for (host, port) in [
            ("localhost", 42101),
            ("127.0.0.2", 42100),
            ("::1", 42100),
            ("db2.example", 42100),
            ("localhost.example", 42100),
        ] {
            assert!(!leads_to(host, port, own), "{host}");
        }
        let all: SocketAddr = "[::]:42100".parse().unwrap();
        assert!(leads_to("[::1]", 42100, all) && leads_to("127.0.0.1", 42100, all));
        // It may be another machine's address, or one behind a balancer.
        assert!(!leads_to("10.0.0.1", 42100, all));
        let other: SocketAddr = "10.0.0.1:42100".parse().unwrap();
        assert!(!leads_to("10.0.0.1", 42100, other) && !leads_to("localhost", 42100, other));
    }
}
