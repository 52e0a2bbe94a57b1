//! `[operations]` as a listener.
//!
//! Not here: a connection (`serve`).

use crate::desk::Desk;
use crate::door::Operations;
use crate::reply::no_room;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use transom_messages::Operator;
use transom_settings::OperationsSettings;
use transom_tcpip::{Limits, Listener, ListenerConfig, TcpError, Tls};

/// What the listener is made of.
pub struct Plan<'a> {
    /// `[operations]`.
    pub settings: &'a OperationsSettings,
    /// The folder its files are below.
    pub root: &'a Path,
    /// Certificate that is made when HTTPS is wanted and none is named.
    pub own_certificate: PathBuf,
    /// Is told of a certificate that is made.
    pub operator: Operator,
}

/// Binds what the table wants, if anything. What other machines reach is HTTPS with a logon.
///
/// # Errors
/// A port that cannot be listened on, a certificate that cannot be used.
pub fn listener(plan: &Plan<'_>, desk: &Desk) -> Result<Option<Operations>, TcpError> {
    let table = plan.settings;
    let Some(port) = table.port else {
        return Ok(None);
    };
    let for_others = !table.address.is_loopback();
    let tls = match for_others || table.https {
        true => {
            let named = table.certificate.as_ref().map(|name| plan.root.join(name));
            Some(Tls::named_or_own(
                named,
                &plan.own_certificate,
                &plan.operator,
            )?)
        }
        false => None,
    };
    let listener = Listener::bind(ListenerConfig {
        address: SocketAddr::new(table.address, port),
        tls,
        limits: Limits {
            connections: table.max_connections,
            per_client: table.max_connections.div_ceil(2),
            // Nobody sends one.
            body_bytes: 0,
            ..Limits::default()
        },
        refusal: no_room(),
    })?;
    let logon = for_others || table.logon == "YES";
    let bound = Operations::new(listener, desk.clone(), (logon, table.names_max));
    Ok(Some(bound))
}
