//! Whether other machines could reach a region that checks nothing.
//!
//! What: with SEC=AUTO and no users a listener has an address of this machine, or the region does
//! not start. Not here: which checks are made (the region), who may administer a gateway.

use super::{SystemDirectory, gateway};
use std::net::SocketAddr;
use transom_messages::{self as messages, Message};

/// What a start would refuse, told from the files alone.
///
/// # Errors
/// As [`notice`], where there is no file of users and never was one.
pub(crate) fn foreseen(
    system: &SystemDirectory,
    gateway: Option<&gateway::Setup>,
    terminals: bool,
) -> Result<(), Message> {
    let users = system.settings.users.path(&system.root);
    let may_have_users = users.exists() || system.own("had-users").exists();
    let checked = system.settings.region.sec == "YES" || may_have_users;
    notice(system, gateway, terminals, checked).map(drop)
}

/// What is to be said of a region and its listeners; `checked`: it checks authority.
///
/// # Errors
/// Nobody wrote that everybody may do everything.
pub(crate) fn notice(
    system: &SystemDirectory,
    gateway: Option<&gateway::Setup>,
    terminals: bool,
    checked: bool,
) -> Result<Option<Message>, Message> {
    if checked {
        return Ok(None);
    }
    if system.settings.region.sec == "NO" {
        return Ok(Some(messages::xs::switched_off()));
    }
    let mut listeners: Vec<(&str, SocketAddr)> = Vec::new();
    if terminals {
        let address = SocketAddr::new(system.settings.terminals.address, 0);
        listeners.push(("the TN3270 listener", address));
    }
    let rest = &system.settings.dbrest;
    if rest.port.or(rest.https_port).is_some() {
        let address = SocketAddr::new(rest.address, 0);
        listeners.push(("the listener of REST services", address));
    }
    let operations = &system.settings.operations;
    if operations.port.is_some() {
        let address = SocketAddr::new(operations.address, 0);
        listeners.push(("the operations listener", address));
    }
    if let Some(setup) = gateway {
        let https = setup.config.https.as_ref().map(|(address, _)| *address);
        listeners.extend(
            setup
                .config
                .http
                .map(|address| ("the HTTP listener", address)),
        );
        listeners.extend(https.map(|address| ("the HTTPS listener", address)));
    }
    let open = listeners.iter().find(|(_, a)| !a.ip().is_loopback());
    match open {
        Some((name, _)) => Err(messages::xs::open_to_others(name)),
        None => Ok(Some(messages::xs::no_users())),
    }
}
