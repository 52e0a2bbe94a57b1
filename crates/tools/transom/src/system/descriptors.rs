//! File descriptors of the listeners that a process opens.
//!
//! Not here: how many there are (`transom_tcpip::Descriptors`), listeners.

use super::{SystemDirectory, gateway};
use transom_messages::{self as messages, Message};
use transom_tcpip::Descriptors;

/// Bounds what the listeners that will be opened take by what the process may have; answers what is
/// to be said of it. `terminals`: some listen for terminals.
pub(crate) fn bound(
    system: &mut SystemDirectory,
    gateway: Option<&mut gateway::Setup>,
    terminals: bool,
) -> Option<Message> {
    let descriptors = Descriptors::raise();
    let table = &mut system.settings.terminals;
    let config = gateway.map(|setup| &mut setup.config);
    let asked = |there: bool, most: usize| if there { most } else { 0 };
    let (mut http, mut https) = config.as_ref().map_or((0, 0), |config| {
        let most = config.limits.connections;
        (
            asked(config.http.is_some(), most),
            asked(config.https.is_some(), most),
        )
    });
    let mut screens = asked(terminals, table.max_sessions);
    let rest = &mut system.settings.dbrest;
    let mut services = asked(rest.port.is_some(), rest.max_connections);
    let mut secure = asked(rest.https_port.is_some(), rest.max_connections);
    let few = descriptors.share([
        &mut http,
        &mut https,
        &mut screens,
        &mut services,
        &mut secure,
    ]);
    rest.max_connections = match services.max(secure) {
        0 => rest.max_connections,
        most => most,
    };
    if let Some(limits) = config.map(|config| &mut config.limits) {
        // Both have as many.
        limits.connections = http.max(https);
        limits.per_client = half(limits.per_client, limits.connections);
    }
    if terminals {
        table.max_sessions = screens;
    }
    table.max_sessions_per_client = half(table.max_sessions_per_client, table.max_sessions);
    few.then(|| messages::si::few_descriptors(descriptors.limit, http, https, screens))
}

/// What one client may have when nothing is said, so that it keeps nobody else out.
fn half(said: usize, all: usize) -> usize {
    match said {
        0 => all.div_ceil(2),
        said => said,
    }
}
