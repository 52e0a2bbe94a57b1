//! `[terminals]` as listeners of the 3270 door.

use super::SystemDirectory;
use crate::operator::operator;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use transom_messages as messages;
use transom_region_api::Terminals;
use transom_tcpip::{Tls, create_self_signed};
use transom_tn3270::{Tn3270, Tn3270Config};

/// Certificate that is made when TLS is wanted and none is named.
const OWN_CERTIFICATE: &str = "terminals.pem";

/// Binds what the table wants; `ports` stand in place of its own.
pub(crate) fn listeners(
    system: &SystemDirectory,
    region: &Arc<dyn Terminals>,
    (plain, secure): (Option<u16>, Option<u16>),
) -> Result<Vec<Tn3270>, String> {
    let table = &system.settings.terminals;
    let tls = match table.start_tls || secure.or(table.tls_port).is_some() {
        true => Some(certificate(system)?),
        false => None,
    };
    let config = |port| {
        let address = SocketAddr::new(table.address, port);
        let mut config = Tn3270Config::new(address, &system.settings.region.applid);
        config.settings = table.clone();
        config
    };
    let mut wanted = Vec::new();
    if let Some(port) = plain.or(table.port) {
        let mut config = config(port);
        config.tls = tls.clone().filter(|_| table.start_tls);
        wanted.push(config);
    }
    if let Some(port) = secure.or(table.tls_port) {
        let mut config = config(port);
        config.settings.start_tls = false;
        config.tls = tls;
        wanted.push(config);
    }
    wanted
        .into_iter()
        .map(|config| Tn3270::bind(config, region.clone()).map_err(|e| e.to_string()))
        .collect()
}

/// The named certificate, or one of our own that is made at the first start.
fn certificate(system: &SystemDirectory) -> Result<Tls, String> {
    let file: PathBuf = match &system.settings.terminals.certificate {
        Some(name) => system.root.join(name),
        None => {
            let own = system.own(OWN_CERTIFICATE);
            if !own.exists() {
                create_self_signed(&own, &["localhost", "127.0.0.1"]).map_err(|e| e.to_string())?;
                operator().tell(messages::tc::certificate_made("localhost", own.display()));
            }
            own
        }
    };
    Tls::from_pem_files(&[file]).map_err(|e| e.to_string())
}
