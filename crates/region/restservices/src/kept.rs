//! A service as the database keeps it.

use crate::pace::Pace;
use crate::statement::Text;
use transom_region_api::RestServiceName;

/// A service as it is kept.
#[derive(Debug)]
pub(crate) struct Kept {
    /// With its version.
    pub(crate) name: RestServiceName,
    pub(crate) is_default: bool,
    pub(crate) started: bool,
    pub(crate) description: Option<String>,
    pub(crate) owner: String,
    /// Empty: names without a schema go by the database's settings.
    pub(crate) qualifier: String,
    pub(crate) statement: String,
    pub(crate) text: Text,
    pub(crate) pace: Pace,
}
