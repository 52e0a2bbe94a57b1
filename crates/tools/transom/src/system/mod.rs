//! A system directory as the rooms that are wired together take it.
//!
//! What: one file per table or folder that a room is started with. Not here: finding, reading and
//! compiling (`region/system`), starting anything (see `commands::run`).

pub(crate) mod adapters;
pub(crate) mod collating;
pub(crate) mod dbrest;
pub(crate) mod descriptors;
pub(crate) mod exposure;
pub(crate) mod figures;
pub(crate) mod gateway;
pub(crate) mod operations;
pub(crate) mod paging;
pub(crate) mod region;
pub(crate) mod sql;
pub(crate) mod store;
pub(crate) mod terminals;
pub(crate) mod users;

use std::net::SocketAddr;
use std::path::Path;
use transom_http::AccessLog;
use transom_log::say;
use transom_messages::{self as messages, Message};
pub(crate) use transom_system::{
    Finding, SystemDirectory, build, data_texts, decks, library, page, program_lists, read_source,
    read_text,
};

/// Reads the folder. Problems of `transom.toml` are among the findings. A process of root is that
/// of the directory's user from now on.
pub(crate) fn open(folder: &Path) -> Result<(SystemDirectory, Vec<Finding>), Message> {
    let opened = SystemDirectory::open(folder, users::problems)?;
    let (system, user) = (&opened.0, &opened.0.settings.region.user);
    if let Some(user) = transom_workers::leave_root(user, &system.root)? {
        // A file that root made in the store is none the region could open.
        say(messages::si::goes_on_as(user, system.root.display()));
    }
    Ok(opened)
}

/// The way of requests to the access log and to a collector, where there is one of them.
pub(crate) fn access(system: &SystemDirectory) -> Option<AccessLog> {
    let table = &system.settings.log;
    let (logged, sender) = (table.access.is_some(), transom_otlp::sender());
    (logged || sender.is_some()).then(|| {
        AccessLog::new(table.access_query, move |access| {
            if logged {
                transom_log::access(access);
            }
            if let Some(sender) = sender {
                sender.request(access);
            }
        })
    })
}

/// An address as somebody on this machine names it.
pub(crate) fn host_and_port(address: SocketAddr) -> String {
    let host = address.ip();
    if host.is_loopback() || host.is_unspecified() {
        return format!("localhost:{}", address.port());
    }
    address.to_string()
}

/// The address with another port, where one is said.
pub(crate) fn at_port(address: Option<SocketAddr>, port: Option<u16>) -> Option<SocketAddr> {
    let mut address = address?;
    if let Some(port) = port {
        address.set_port(port);
    }
    Some(address)
}
