//! Listeners: bound sockets, limits with counters, TLS and graceful drain.
//!
//! What: everything between the operating system's socket and a door's protocol. Why: every door
//! must survive slow, broken and hostile clients in the same way, so the rules live once.
//! Not here: any application protocol, any knowledge of regions.
//!
//! A door binds a [`Listener`], accepts [`Incoming`] connections in a loop, turns each into a
//! [`Connection`] inside a task of its own (that is where a TLS handshake waits) and tells the
//! connection's [`Watch`] what it is waiting for. [`Listener::reap`] closes those that wait too
//! long.

#![forbid(unsafe_code)]

mod client;
mod clients;
mod descriptors;
mod error;
mod figures;
mod limits;
mod listener;
mod registry;
mod revoked;
mod stream;
mod terminal;
mod tls;
mod trust;

pub use client::ClientTls;
pub use clients::{Clients, Counted};
pub use descriptors::Descriptors;
pub use error::TcpError;
pub use limits::{Budget, LimitCounter, LimitReading, Limits, ListenerCounters};
pub use listener::{
    Acceptor, Connection, Incoming, Listener, ListenerConfig, OpenConnection, RawConnection,
};
pub use registry::{CloseReason, Phase, Watch};
pub use stream::Stream;
pub use terminal::TerminalTls;
pub use tls::{KeyStoreKind, Renewal, Tls, create_self_signed, key_store_kind};
pub use trust::{ClientTrust, shown};
