//! server.xml and what it refers to, ready for the gateway.

use super::{SystemDirectory, read_text};
use transom_apidef::server::ServerConfig;
use transom_gateway::GatewayConfig;

/// A gateway's configuration and what is to be said about it.
pub(crate) struct Setup {
    pub(crate) config: GatewayConfig,
    pub(crate) notices: Vec<String>,
}

/// Files that may be included, all together.
const INCLUDES_MAX: usize = 100;

/// `None` where the system directory has no server.xml.
pub(crate) fn read(system: &SystemDirectory) -> Result<Option<Setup>, String> {
    let Some(file) = &system.server_xml else { return Ok(None) };
    let name = system.shown(file);
    let documents = with_includes(system, &name, read_text(file)?)?;
    let borrowed: Vec<(&str, &str)> = documents.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
    let server = ServerConfig::read(&borrowed).map_err(|p| p.to_string())?;
    let from = GatewayConfig::from_server_xml(&server, &system.root).map_err(|e| e.to_string())?;
    let mut config = from.config;
    config.threads = system.config.gateway.threads as usize;
    config.limits.body_bytes = system.config.gateway.body_bytes_max as _;
    let mut notices: Vec<String> = server.notices.iter().map(ToString::to_string).collect();
    notices.extend(from.notices);
    Ok(Some(Setup { config, notices }))
}

/// The file and everything it includes, each once.
fn with_includes(system: &SystemDirectory, name: &str, text: String) -> Result<Vec<(String, String)>, String> {
    let mut documents = vec![(name.to_owned(), text)];
    let mut at = 0;
    while at < documents.len() && at < INCLUDES_MAX {
        let (file, text) = &documents[at];
        let includes = ServerConfig::parse(file, text).map_err(|p| p.to_string())?.includes;
        for include in includes {
            let location = include.location.trim_start_matches("./").to_owned();
            let inside = !location.starts_with('/') && !location.split('/').any(|part| part == "..");
            if documents.iter().any(|d| d.0 == location) {
                continue;
            }
            match read_text(&system.root.join(&location)) {
                Ok(text) if inside => documents.push((location, text)),
                _ if include.optional => {}
                Ok(_) => return Err(format!("TXMSI0019E {name}: include {location} is outside the system directory")),
                Err(error) => return Err(error),
            }
        }
        at += 1;
    }
    Ok(documents)
}
