//! Names of connections and registrations, and the regions they lead to.

use std::collections::HashMap;
use std::sync::Arc;
use transom_region_api::Programs;

/// The regions a gateway can reach.
#[derive(Clone)]
pub struct Regions {
    local: Arc<dyn Programs>,
    named: HashMap<String, Arc<dyn Programs>>,
}

impl Regions {
    /// Every connection leads to one region.
    pub fn new(local: Arc<dyn Programs>) -> Self {
        Self {
            local,
            named: HashMap::new(),
        }
    }

    /// Gives a `connectionRef` or `registerName` a region of its own.
    #[must_use]
    pub fn with(mut self, name: &str, region: Arc<dyn Programs>) -> Self {
        self.named.insert(name.to_owned(), region);
        self
    }

    /// The region of a name; names nobody defined lead to the local region.
    pub fn find(&self, name: &str) -> Arc<dyn Programs> {
        self.named.get(name).unwrap_or(&self.local).clone()
    }

    /// True when the name has a region of its own.
    pub fn knows(&self, name: &str) -> bool {
        self.named.contains_key(name)
    }
}
