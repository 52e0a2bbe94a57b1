//! `[terminals]` as listeners of the 3270 door.

use super::SystemDirectory;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use transom_region_api::Region;
use transom_tcpip::{Tls, create_self_signed};
use transom_tn3270::{Tn3270, Tn3270Config};

/// Certificate that is made when TLS is wanted and none is named.
const OWN_CERTIFICATE: &str = "terminals.pem";

/// Binds what the table wants; `ports` stand in place of its own.
pub(crate) fn listeners(
    system: &SystemDirectory,
    region: &Arc<dyn Region>,
    (plain, secure): (Option<u16>, Option<u16>),
) -> Result<Vec<Tn3270>, String> {
    let table = &system.config.terminals;
    let tls = match table.start_tls || secure.or(table.tls_port).is_some() {
        true => Some(certificate(system)?),
        false => None,
    };
    let config = |port| {
        let address = SocketAddr::new(table.address, port);
        let mut config = Tn3270Config::new(address, system.config.sit.text("APPLID"));
        config.ccsid = table.ccsid;
        config.sessions_max = table.max_sessions;
        let seconds = |n: u32| Some(Duration::from_secs(u64::from(n))).filter(|t| !t.is_zero());
        config.idle_time = seconds(table.idle_seconds);
        config.keep_alive = seconds(table.keepalive_seconds);
        config.answer_time = seconds(table.answer_seconds);
        config.logon_time = Duration::from_secs(u64::from(table.logon_seconds));
        config.sessions_per_client_max = table.max_sessions_per_client;
        config
    };
    let mut wanted = Vec::new();
    if let Some(port) = plain.or(table.port) {
        let mut config = config(port);
        config.start_tls = table.start_tls;
        config.tls = tls.clone().filter(|_| table.start_tls);
        wanted.push(config);
    }
    if let Some(port) = secure.or(table.tls_port) {
        let mut config = config(port);
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
    let file: PathBuf = match &system.config.terminals.certificate {
        Some(name) => system.root.join(name),
        None => {
            let own = system.own(OWN_CERTIFICATE);
            if !own.exists() {
                create_self_signed(&own, &["localhost", "127.0.0.1"]).map_err(|e| e.to_string())?;
                eprintln!(
                    "TXMTC0004I A self-signed certificate for localhost was made in {}",
                    own.display()
                );
            }
            own
        }
    };
    Tls::from_pem_files(&[file]).map_err(|e| e.to_string())
}
