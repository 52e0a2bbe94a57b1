//! An installed PROFILE: how a transaction uses its terminal.

use super::ProfileEntry;
use crate::shared::Shared;
use transom_types::ProfileName;

impl ProfileEntry {
    /// The installed profile; without one, the defaults.
    pub fn of(shared: &dyn Shared, profile: ProfileName) -> Self {
        Self::find(shared, profile).unwrap_or_else(|| Self::with_defaults(profile))
    }
}
