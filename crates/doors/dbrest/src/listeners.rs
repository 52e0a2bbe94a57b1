//! `[dbrest]` as listeners.
//!
//! Not here: a connection (`serve`).

use crate::door::{Dbrest, no_room};
use crate::shared::Desk;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use transom_http::AccessLog;
use transom_messages::Operator;
use transom_settings::DbrestSettings;
use transom_tcpip::{Limits, Listener, ListenerConfig, TcpError, Tls};

/// What listeners are made of.
pub struct Plan<'a> {
    /// `[dbrest]`.
    pub settings: &'a DbrestSettings,
    /// The folder its files are below.
    pub root: &'a Path,
    /// Certificate that is made when HTTPS is wanted and none is named.
    pub own_certificate: PathBuf,
    /// Is told of certificates that are made, and of services.
    pub operator: Operator,
    /// Is told of each request that is over.
    pub access: Option<AccessLog>,
}

/// Binds what the table wants: none, HTTP, HTTPS or both.
///
/// # Errors
/// A port that cannot be listened on, a certificate that cannot be used.
pub fn listeners(plan: &Plan<'_>, desk: &Desk) -> Result<Vec<Dbrest>, TcpError> {
    let table = plan.settings;
    let mut bound = Vec::new();
    for (port, secure) in [(table.port, false), (table.https_port, true)] {
        let Some(port) = port else {
            continue;
        };
        let listener = Listener::bind(ListenerConfig {
            address: SocketAddr::new(table.address, port),
            tls: if secure { Some(plan.tls()?) } else { None },
            limits: Limits {
                connections: table.max_connections,
                per_client: table.max_connections.div_ceil(2),
                body_bytes: table.body_bytes_max,
                ..Limits::default()
            },
            refusal: no_room(),
        })?;
        let told = (plan.operator.clone(), plan.access.clone());
        bound.push(Dbrest::new(listener, desk.clone(), told));
    }
    Ok(bound)
}

impl Plan<'_> {
    /// The named certificate, or one of our own.
    fn tls(&self) -> Result<Tls, TcpError> {
        let named = self.settings.certificate.as_ref();
        let named = named.map(|name| self.root.join(name));
        Tls::named_or_own(named, &self.own_certificate, &self.operator)
    }
}
