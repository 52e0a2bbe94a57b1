//! Where statements run.

use super::server::Cluster;

/// An engine of `[sql]`.
#[derive(Clone, Copy)]
pub(crate) enum Engine<'c> {
    Embedded,
    /// A server, and its database by name.
    Postgres(&'c Cluster, &'c str),
}

impl Engine<'_> {
    /// As figures name it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Engine::Embedded => "embedded",
            Engine::Postgres(..) => "postgresql",
        }
    }
}
