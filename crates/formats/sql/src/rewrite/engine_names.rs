//! Names of tables in each engine.

use super::api::Dialect;
use crate::tree::Name;

/// A table or view as an engine's text names it. SQLite has no schemas: a qualifier is part of the
/// name.
pub fn engine_name(name: &Name, dialect: Dialect) -> String {
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    match (&name.qualifier, dialect) {
        (None, _) => quoted(&name.name),
        (Some(schema), Dialect::Sqlite) => quoted(&format!("{schema}.{}", name.name)),
        (Some(schema), Dialect::PostgreSql) => {
            format!("{}.{}", quoted(schema), quoted(&name.name))
        }
    }
}
