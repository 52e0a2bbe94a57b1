//! The way of requests to the access log.

use super::SystemDirectory;
use transom_http::AccessLog;

/// Where requests are told, where that is wanted.
pub(crate) fn access(system: &SystemDirectory) -> Option<AccessLog> {
    let table = &system.settings.log;
    table.access.as_ref()?;
    Some(AccessLog::new(table.access_query, transom_log::access))
}
