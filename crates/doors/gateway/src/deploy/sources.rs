//! What was deployed, kept so that an API can be compiled again when one of its services changes.
//!
//! Not here: deploying (the parent module).

use super::files::Folder;
use crate::config::GatewayConfig;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use transom_apidef::aar::ApiArchive;
use transom_apidef::plan::ServicePlan;

/// What the archives said, kept to compile again when a service changes.
pub(crate) struct Deployments {
    sources: Mutex<Sources>,
    pub(super) services: Folder,
    pub(super) apis: Folder,
}

/// By name.
#[derive(Default)]
pub(super) struct Sources {
    pub(super) services: BTreeMap<String, ServiceSource>,
    pub(super) apis: BTreeMap<String, ApiSource>,
}

/// A service as its archive, or server.xml, has it.
pub(super) struct ServiceSource {
    pub(super) plan: Arc<ServicePlan>,
    pub(super) file: Option<PathBuf>,
    /// Of the archive's bytes; tells whether a polled file is the running version.
    pub(super) fingerprint: Fingerprint,
    /// Defined in server.xml: cannot be changed over HTTP.
    pub(super) configured: bool,
}

/// An API as its archive has it.
pub(super) struct ApiSource {
    pub(super) archive: Arc<ApiArchive>,
    pub(super) file: Option<PathBuf>,
    pub(super) fingerprint: Fingerprint,
}

/// SHA-256 of an archive.
pub(super) type Fingerprint = [u8; 32];

pub(super) fn fingerprint(bytes: &[u8]) -> Fingerprint {
    Sha256::digest(bytes).into()
}

impl ServiceSource {
    pub(super) fn matches(&self, file: &Path, bytes: &[u8]) -> bool {
        self.file.as_deref() == Some(file) && self.fingerprint == fingerprint(bytes)
    }
}

impl ApiSource {
    pub(super) fn matches(&self, file: &Path, bytes: &[u8]) -> bool {
        self.file.as_deref() == Some(file) && self.fingerprint == fingerprint(bytes)
    }
}

impl Deployments {
    pub(crate) fn new(config: &GatewayConfig) -> Self {
        Self {
            sources: Mutex::default(),
            services: Folder::new(config.services_dir.clone(), "sar"),
            apis: Folder::new(config.apis_dir.clone(), "aar"),
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Sources> {
        self.sources.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
