//! `[dbrest]` as listeners in front of the database of a region.

use super::{SystemDirectory, access};
use crate::lives::Lives;
use std::sync::Arc;
use transom_dbrest::{Dbrest, Desk, Plan};
use transom_log::operator;
use transom_messages as messages;
use transom_region_server::LocalRegion;
use transom_rest_services::{RestConfig, RestServiceManager};

/// Binds what the table wants.
pub(crate) fn listeners(
    system: &SystemDirectory,
    region: &Arc<LocalRegion>,
) -> Result<Vec<Dbrest>, String> {
    let settings = &system.settings.dbrest;
    if settings.port.is_none() && settings.https_port.is_none() {
        return Ok(Vec::new());
    }
    let location = &system.settings.sql.location;
    let config = RestConfig {
        threads_max: settings.max_threads,
        wait: settings.wait_seconds,
        subsystem: location.clone(),
    };
    let ends = Arc::downgrade(region);
    let manager = Arc::new(move || ends.upgrade()?.syncpoint_manager());
    let services = RestServiceManager::new(&config, region.sql(), manager, region.clone());
    let desk = Desk {
        services: Arc::new(services),
        users: region.clone(),
        subsystem: location.as_str().into(),
    };
    let plan = Plan {
        settings,
        root: &system.root,
        // Made when HTTPS is wanted and no certificate is named.
        own_certificate: system.own("dbrest.pem"),
        operator: operator(),
        access: access(system),
    };
    transom_dbrest::listeners(&plan, &desk).map_err(|e| e.to_string())
}

/// Serves them on this runtime.
pub(crate) fn serve(listeners: &[Dbrest], lives: &Lives) {
    for listener in listeners.iter().cloned() {
        let life = lives.must_live("a listener of REST services");
        tokio::spawn(async move {
            let address = listener.address();
            if let Err(error) = listener.serve().await {
                operator().tell(messages::rs::not_accepting(address, error));
            }
            life.may_end();
        });
    }
}
