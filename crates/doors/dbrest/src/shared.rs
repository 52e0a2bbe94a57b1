//! What all requests of a listener share.

use std::sync::Arc;
use transom_http::{AccessLog, Logons};
use transom_messages::Operator;
use transom_region_api::{RestServices, Users};
use transom_tcpip::Listener;

/// The facets of the region this door uses.
#[derive(Clone)]
pub struct Desk {
    /// The services.
    pub services: Arc<dyn RestServices>,
    /// Who asks.
    pub users: Arc<dyn Users>,
    /// Name in front of resources of rules.
    pub subsystem: Arc<str>,
}

/// What all its connections share.
pub(crate) struct Shared {
    pub(crate) listener: Listener,
    pub(crate) desk: Desk,
    pub(crate) logons: Logons,
    pub(crate) operator: Operator,
    /// Is told of each request that is over.
    pub(crate) access: Option<AccessLog>,
}
