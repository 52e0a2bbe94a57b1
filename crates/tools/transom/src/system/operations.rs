//! `[operations]` in front of a region and its gateway.
//!
//! Not here: what is shown, and to whom (`doors/operations`).

use super::SystemDirectory;
use crate::lives::Lives;
use std::sync::{Arc, OnceLock};
use transom_gateway::Gateway;
use transom_log::operator;
use transom_messages as messages;
use transom_operations::{Desk, Opened, Operations, Plan, Told, ToldLine};
use transom_region_server::LocalRegion;

/// Certificate that is made when HTTPS is wanted and none is named.
const OWN_CERTIFICATE: &str = "operations.pem";

/// A listener that serves, and what it waits for.
pub(crate) struct Watched {
    listener: Option<Operations>,
    opened: Arc<OnceLock<Opened>>,
}

/// Opens the listener, if the table wants one.
pub(crate) fn open(
    system: &SystemDirectory,
    region: &Arc<LocalRegion>,
    lives: &Lives,
) -> Result<Watched, String> {
    let desk = Desk {
        control: region.clone(),
        overview: region.clone(),
        users: region.clone(),
        version: env!("CARGO_PKG_VERSION"),
        told: Arc::new(told),
        opened: Arc::default(),
    };
    let plan = Plan {
        settings: &system.settings.operations,
        root: &system.root,
        own_certificate: system.own(OWN_CERTIFICATE),
        operator: operator(),
    };
    let listener = transom_operations::listener(&plan, &desk).map_err(|e| e.to_string())?;
    if let Some(listener) = listener.clone() {
        let (life, address) = (lives.must_live("the operations port"), listener.address());
        let ended = move |why| {
            operator().tell(messages::op::not_accepting(address, why));
            life.may_end();
        };
        let started = listener.start(ended);
        started.map_err(|e| messages::si::region_cannot_start(&e).to_string())?;
    }
    let opened = desk.opened;
    Ok(Watched { listener, opened })
}

impl Watched {
    /// The listener.
    pub(crate) fn listener(&self) -> Option<&Operations> {
        self.listener.as_ref()
    }

    /// Where it is, as a line for the operator.
    pub(crate) fn shown(&self) -> String {
        let shown = self.listener.as_ref().map(|listener| {
            let scheme = if listener.secure() { "https" } else { "http" };
            let place = super::host_and_port(listener.address());
            format!("{scheme}://{place} (operations)\n")
        });
        shown.unwrap_or_default()
    }

    /// The region takes requests from now on.
    pub(crate) fn is_open(&self, gateway: Option<&Gateway>, listeners: Vec<String>) {
        let figures = gateway.map(Gateway::figures);
        let http = gateway.and_then(Gateway::http).map(|a| ("http", a));
        let https = || Some(("https", gateway?.https()?));
        let apis_at = http.or_else(https);
        let _once = self.opened.set(Opened {
            operations: Box::new(move || figures.as_ref().map_or_else(Vec::new, |read| read())),
            listeners,
            apis_at: apis_at.map(|(scheme, at)| format!("{scheme}://{}", super::host_and_port(at))),
        });
    }
}

fn told() -> Told {
    let (lines, counts) = transom_log::recent();
    let lines = lines.into_iter().map(|line| ToldLine {
        unix_ms: line.unix_ms,
        level: line.level,
        text: line.text,
    });
    Told {
        lines: lines.collect(),
        counts,
        lost: transom_log::lost(),
        access_lost: transom_log::access_lost(),
    }
}
