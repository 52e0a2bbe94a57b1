//! What was deployed, kept so that an API can be compiled again when one of its services changes.
//!
//! Not here: deploying (the parent module).

use super::files::Folder;
use crate::config::GatewayConfig;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use transom_apidef::aar::ApiArchive;
use transom_apidef::plan::AnyPlan;

/// What the archives said, kept to compile again when a service changes.
pub(crate) struct Deployments {
    sources: Mutex<Sources>,
    pub(super) services: Folder,
    pub(super) apis: Folder,
}

/// What was deployed of each kind.
#[derive(Default)]
pub(super) struct Sources {
    pub(super) services: Deployed<ServiceSource>,
    pub(super) apis: Deployed<ApiSource>,
}

/// Sources by name, found by file too.
pub(super) struct Deployed<T> {
    by_name: BTreeMap<String, T>,
    /// What was deployed from a file: more than one name where its content was replaced.
    by_file: HashMap<PathBuf, BTreeSet<String>>,
}

/// What is deployed from a file.
pub(super) trait Source {
    fn file(&self) -> Option<&Path>;
    fn fingerprint(&self) -> &Fingerprint;
}

/// A service as its archive, or server.xml, has it.
pub(super) struct ServiceSource {
    pub(super) plan: AnyPlan,
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

impl<T> Default for Deployed<T> {
    fn default() -> Self {
        Self {
            by_name: BTreeMap::new(),
            by_file: HashMap::new(),
        }
    }
}

impl<T: Source> Deployed<T> {
    pub(super) fn get(&self, name: &str) -> Option<&T> {
        self.by_name.get(name)
    }

    pub(super) fn insert(&mut self, name: String, source: T) {
        self.remove(&name);
        if let Some(file) = source.file() {
            let names = self.by_file.entry(file.to_owned()).or_default();
            names.insert(name.clone());
        }
        self.by_name.insert(name, source);
    }

    pub(super) fn remove(&mut self, name: &str) {
        let gone = self.by_name.remove(name);
        let Some(file) = gone.as_ref().and_then(Source::file) else {
            return;
        };
        if let Some(names) = self.by_file.get_mut(file) {
            names.remove(name);
            if names.is_empty() {
                self.by_file.remove(file);
            }
        }
    }

    /// The names that were deployed from a file.
    pub(super) fn of_file(&self, file: &Path) -> Vec<String> {
        self.by_file
            .get(file)
            .into_iter()
            .flatten()
            .cloned()
            .collect()
    }

    /// True when these bytes of the file are deployed.
    pub(super) fn runs(&self, file: &Path, bytes: &[u8]) -> bool {
        let names = self.of_file(file);
        let mut running = names.iter().filter_map(|name| self.get(name)).peekable();
        if running.peek().is_none() {
            return false;
        }
        let fingerprint = fingerprint(bytes);
        running.any(|source| *source.fingerprint() == fingerprint)
    }
}

impl Source for ServiceSource {
    fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }
}

impl Source for ApiSource {
    fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
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
