//! What all sessions of a listener share.

use crate::config::Tn3270Config;
use crate::luname::LuNames;
use crate::statistics::SessionCounts;
use std::sync::Arc;
use transom_region_api::Terminals;
use transom_tcpip::Clients;

/// One for each listener.
pub(crate) struct Shared {
    pub(crate) config: Tn3270Config,
    pub(crate) region: Arc<dyn Terminals>,
    pub(crate) names: Arc<LuNames>,
    pub(crate) clients: Arc<Clients>,
    pub(crate) counts: SessionCounts,
}
