//! What all requests share.

use crate::desk::Desk;
use bytes::Bytes;
use std::sync::Mutex;
use std::time::Instant;
use transom_http::Logons;
use transom_tcpip::Listener;

/// What all connections share.
pub(crate) struct Shared {
    pub(crate) listener: Listener,
    pub(crate) desk: Desk,
    pub(crate) logons: Logons,
    /// Clients say who they are.
    pub(crate) logon: bool,
    /// Rows of each list, and series of each kind of thing.
    pub(crate) rows_max: usize,
    /// The last metrics, and when they were read.
    pub(crate) metrics: Mutex<Option<(Instant, Bytes)>>,
}
