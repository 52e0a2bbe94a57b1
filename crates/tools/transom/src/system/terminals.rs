//! `[terminals]` as listeners of the 3270 door.

use super::SystemDirectory;
use std::sync::Arc;
use transom_log::operator;
use transom_region_api::Terminals;
use transom_tn3270::{Plan, Tn3270};

/// Certificate that is made when TLS is wanted and none is named.
const OWN_CERTIFICATE: &str = "terminals.pem";

/// Binds what the table wants; `ports` stand in place of its own.
pub(crate) fn listeners(
    system: &SystemDirectory,
    region: &Arc<dyn Terminals>,
    ports: (Option<u16>, Option<u16>),
) -> Result<Vec<Tn3270>, String> {
    let plan = Plan {
        settings: &system.settings.terminals,
        root: &system.root,
        own_certificate: system.own(OWN_CERTIFICATE),
        applid: &system.settings.region.applid,
        ports,
        operator: operator(),
    };
    transom_tn3270::listeners(&plan, region).map_err(|e| e.to_string())
}
