//! `invokeURI` paths that end in `*`: the longest that a path begins with.
//!
//! Not here: paths without a `*`, which are routes.

use crate::operation::Operation;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

/// Of each prefix the services that want it.
#[derive(Default, Clone)]
pub(super) struct Prefixes(Arc<BTreeMap<Box<[u8]>, Services>>);

/// By name; the first has the prefix.
type Services = BTreeMap<String, Arc<Operation>>;

impl Prefixes {
    pub(super) fn add(&mut self, prefix: &str, service: &str, operation: Arc<Operation>) {
        let all = Arc::make_mut(&mut self.0);
        let of_prefix = all.entry(prefix.as_bytes().into()).or_default();
        of_prefix.insert(service.to_owned(), operation);
    }

    pub(super) fn remove(&mut self, prefix: &str, service: &str) {
        let all = Arc::make_mut(&mut self.0);
        if let Some(of_prefix) = all.get_mut(prefix.as_bytes()) {
            of_prefix.remove(service);
            if of_prefix.is_empty() {
                all.remove(prefix.as_bytes());
            }
        }
    }

    /// The greatest prefix up to the path either is one of the path, or shows how much of the path
    /// a prefix can have at most: no step looks at more than one.
    pub(super) fn find(&self, path: &str) -> Option<&Arc<Operation>> {
        let mut rest = path.as_bytes();
        loop {
            let up_to = (Bound::Unbounded, Bound::Included(rest));
            let (prefix, services) = self.0.range::<[u8], _>(up_to).next_back()?;
            let same = prefix.iter().zip(rest).take_while(|(a, b)| a == b).count();
            if same == prefix.len() {
                return services.values().next();
            }
            rest = &rest[..same];
        }
    }
}
