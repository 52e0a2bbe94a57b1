//! An installed API or service: its definition, whether it is started, its rules, its counters.
//!
//! Not here: who installs it (`catalog`) and how a request finds it (`live`).

use crate::definition::{ApiDefinition, ServiceDefinition};
use crate::security::Policy;
use crate::statistics::OperationCounters;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// An installed service.
pub(crate) struct Service {
    pub(crate) definition: ServiceDefinition,
    pub(crate) installed: Arc<Installed>,
    pub(crate) counters: Arc<OperationCounters>,
}

/// An installed API.
pub(crate) struct Api {
    pub(crate) definition: ApiDefinition,
    pub(crate) installed: Arc<Installed>,
    /// One per operation of the definition.
    pub(crate) counters: Vec<Arc<OperationCounters>>,
}

/// An installed API or service: what its operations share.
#[derive(Debug)]
pub(crate) struct Installed {
    /// Name.
    pub name: Arc<str>,
    /// Version, may be empty.
    pub version: Arc<str>,
    pub(crate) started: AtomicBool,
    pub(crate) policy: Arc<Policy>,
}

impl Api {
    /// The base path without a slash at its end.
    pub(crate) fn base_path(&self) -> &str {
        self.definition.base_path.trim_end_matches('/')
    }
}

impl Installed {
    pub(crate) fn new(name: &str, version: &str, started: bool, policy: Arc<Policy>) -> Self {
        Self {
            name: name.into(),
            version: version.into(),
            started: AtomicBool::new(started),
            policy,
        }
    }

    /// True when requests are taken.
    pub(crate) fn started(&self) -> bool {
        self.started.load(Relaxed)
    }
}
