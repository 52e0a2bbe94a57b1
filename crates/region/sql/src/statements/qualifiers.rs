//! Schemas of names without one, as BIND says it on z/OS.
//!
//! Not here: what SET changes of them (`names`).

use std::sync::Arc;

/// Schemas of names without one, as BIND says it on z/OS.
#[derive(Debug, Clone, Default)]
pub struct Qualifiers {
    /// Of all programs and scripts; empty: such names are names of no schema.
    pub(crate) all: Arc<str>,
    /// Of packages: name, or the beginning of names with `*`; what is more exact comes first.
    packages: Vec<(String, Arc<str>)>,
    /// CURRENT SERVER.
    pub(crate) location: String,
}

impl Qualifiers {
    /// The qualifier of all, those of packages (names, or beginnings of names with `*`), and the
    /// location.
    pub fn new(
        all: &str,
        packages: impl IntoIterator<Item = (String, String)>,
        location: &str,
    ) -> Self {
        let shared = |(name, schema): (String, String)| (name, Arc::from(schema));
        let mut packages: Vec<(String, Arc<str>)> = packages.into_iter().map(shared).collect();
        packages.sort_by_key(|(name, _)| (name.ends_with('*'), usize::MAX - name.len()));
        Self {
            all: Arc::from(all),
            packages,
            location: location.to_owned(),
        }
    }

    /// Those of packages: name, or the beginning of names with `*`.
    pub(crate) fn packages(&self) -> impl Iterator<Item = (&str, &str)> {
        let packages = self.packages.iter();
        packages.map(|(name, schema)| (name.as_str(), &**schema))
    }

    /// Of the static statements of a program.
    pub fn of_package(&self, program: &str) -> Arc<str> {
        let is_of = |name: &str| match name.strip_suffix('*') {
            Some(beginning) => program.starts_with(beginning),
            None => program == name,
        };
        let found = self.packages.iter().find(|(name, _)| is_of(name));
        found.map_or(&self.all, |(_, schema)| schema).clone()
    }
}
