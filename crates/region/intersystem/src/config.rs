//! What the two sides are started with.

use crate::rendezvous::socket_path;
use std::path::{Path, PathBuf};
use std::time::Duration;
use transom_settings::AdapterSettings;

/// Operands of BBOC START_SRVR.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkServerConfig {
    /// RGN: registration name, 1 to 12 characters.
    pub registration: String,
    /// Socket to listen on; its folder must exist.
    pub socket: PathBuf,
    /// MNC: connections a client keeps open.
    pub min_connections: usize,
    /// MXC: connections at most. A client waits for one as long as its `connectionWaitTimeout`
    /// says.
    pub max_connections: usize,
    /// SVC: programs that may be reached, `*` at the end for any rest. Empty: all.
    pub services: Vec<String>,
    /// SEC: take the user of a request. Otherwise every task runs for the region's default user.
    pub propagate_user: bool,
    /// LTSQ-like TRANID: transaction of the link tasks, when requests name none. `None` = the
    /// region's.
    pub transid: Option<transom_types::TransId>,
    /// REU: a connection serves many requests; otherwise it is closed after one.
    pub reuse: bool,
}

impl LinkServerConfig {
    /// The default settings, and the region's transaction.
    pub fn new(folder: &Path, registration: &str) -> Self {
        Self::with(folder, registration, &AdapterSettings::default())
    }

    /// As [local_adapters] says.
    pub fn with(folder: &Path, registration: &str, settings: &AdapterSettings) -> Self {
        Self {
            registration: registration.to_owned(),
            socket: socket_path(folder, registration),
            min_connections: settings.min_connections,
            max_connections: settings.max_connections,
            services: settings.services.clone(),
            propagate_user: settings.security,
            transid: None,
            reuse: settings.reuse,
        }
    }

    /// True when SVC lets the program be reached.
    pub(crate) fn serves(&self, program: &str) -> bool {
        let fits = |pattern: &String| match pattern.strip_suffix('*') {
            Some(stem) => program.starts_with(stem),
            None => program == pattern,
        };
        self.services.is_empty() || self.services.iter().any(fits)
    }
}

/// How a registration is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdaptersConfig {
    /// `registerName`.
    pub registration: String,
    /// Socket of its link server.
    pub socket: PathBuf,
    /// MNC: connections kept open when nothing is to do.
    pub min_connections: usize,
    /// MXC: connections at most; more requests wait.
    pub max_connections: usize,
    /// `connectionWaitTimeout`: how long a request waits for a connection.
    pub wait: Duration,
}

impl AdaptersConfig {
    /// The default settings, 30 seconds of waiting, the socket's usual place below a folder.
    pub fn new(folder: &Path, registration: &str) -> Self {
        Self::with(folder, registration, &AdapterSettings::default())
    }

    /// As [local_adapters] says.
    pub fn with(folder: &Path, registration: &str, settings: &AdapterSettings) -> Self {
        Self {
            registration: registration.to_owned(),
            socket: socket_path(folder, registration),
            min_connections: settings.min_connections,
            max_connections: settings.max_connections,
            wait: Duration::from_secs(30),
        }
    }
}
