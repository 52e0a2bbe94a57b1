//! The services there are: a table of the database, and all of it in memory.
//!
//! What: `SYSIBM.DSNSERVICE` with the columns of Db2 and three more (owner, qualifier and
//! statement, which Db2 keeps with its packages). Why a table: services come back with the data
//! they are about, after a restart and out of a backup, and `transom sql` shows them. It is made
//! with the first service. Not here: what a statement is, who may do what.

use crate::kept::Kept;
use crate::pace::Pace;
use crate::run::{Failed, cell, execute, rows};
use crate::statement::Text;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use transom_region_api::{RestFailure, RestServiceName};
use transom_region_sql::SqlSession;
use transom_sql::Type;
use transom_wire::sql::{SqlInput, SqlValue};

/// Services at a time; another one is refused.
pub(crate) const SERVICES_MAX: usize = 10_000;
/// Longest statement, bytes: that of the column.
pub(crate) const STATEMENT_MAX: usize = 32_704;
/// Longest description, bytes.
pub(crate) const DESCRIPTION_MAX: usize = 250;

const TABLE: &str = "CREATE TABLE SYSIBM.DSNSERVICE (\
    NAME VARCHAR(128) NOT NULL, \
    COLLID VARCHAR(128) NOT NULL, \
    CONTOKN CHAR(8) FOR BIT DATA NOT NULL, \
    ENABLED CHAR(1) NOT NULL, \
    CREATEDTS TIMESTAMP NOT NULL, \
    ALTEREDTS TIMESTAMP NOT NULL, \
    DESCRIPTION VARCHAR(250), \
    VERSIONID VARCHAR(64) NOT NULL WITH DEFAULT '', \
    ISDEFAULT CHAR(1) NOT NULL WITH DEFAULT 'Y', \
    OWNER VARCHAR(128) NOT NULL, \
    QUALIFIER VARCHAR(128) NOT NULL, \
    STATEMENT VARCHAR(32704) NOT NULL, \
    PRIMARY KEY (COLLID, NAME, VERSIONID))";

const ALL: &str = "SELECT COLLID, NAME, VERSIONID, ISDEFAULT, ENABLED, DESCRIPTION, OWNER, \
                   QUALIFIER, STATEMENT FROM SYSIBM.DSNSERVICE";

const INSERT: &str = "INSERT INTO SYSIBM.DSNSERVICE (COLLID, NAME, VERSIONID, ISDEFAULT, ENABLED, \
                      DESCRIPTION, OWNER, QUALIFIER, STATEMENT, CONTOKN, CREATEDTS, ALTEREDTS) \
                      VALUES (?, ?, ?, ?, 'Y', ?, ?, ?, ?, ?, CURRENT TIMESTAMP, \
                      CURRENT TIMESTAMP)";

const DELETE: &str =
    "DELETE FROM SYSIBM.DSNSERVICE WHERE COLLID = ? AND NAME = ? AND VERSIONID = ?";

/// All of them by name with version.
#[derive(Debug, Default)]
pub(crate) struct Catalog(BTreeMap<RestServiceName, Arc<Kept>>);

impl Catalog {
    /// Reads the table; none is no service.
    pub(crate) fn load(session: &mut dyn SqlSession) -> Result<Self, Failed> {
        let found = match rows(session, ALL) {
            Ok(found) => found,
            Err(Failed::Sql(answer)) if answer.code == -204 => Vec::new(),
            Err(failed) => return Err(failed),
        };
        let mut catalog = Self::default();
        for row in found {
            let text = |n: usize| cell(&row, n).trim_end_matches(' ').to_owned();
            // One that an earlier release could run and this one cannot is not there.
            let Ok(read) = Text::read(&cell(&row, 8)) else {
                continue;
            };
            catalog.put(Arc::new(Kept {
                name: RestServiceName {
                    collection: text(0),
                    name: text(1),
                    version: Some(text(2)),
                },
                is_default: text(3) == "Y",
                started: text(4) == "Y",
                description: Some(text(5)).filter(|text| !text.is_empty()),
                owner: text(6),
                qualifier: text(7),
                statement: cell(&row, 8),
                text: read,
                pace: Pace::default(),
            }));
        }
        Ok(catalog)
    }

    /// The service of a name; without a version the default one.
    pub(crate) fn find(&self, name: &RestServiceName) -> Option<Arc<Kept>> {
        match name.version {
            Some(_) => self.0.get(name).cloned(),
            None => self.versions(name).find(|kept| kept.is_default).cloned(),
        }
    }

    /// All versions of a name.
    pub(crate) fn versions<'a>(
        &'a self,
        name: &'a RestServiceName,
    ) -> impl Iterator<Item = &'a Arc<Kept>> {
        let first = RestServiceName {
            version: None,
            ..name.clone()
        };
        let same = |kept: &&Arc<Kept>| {
            kept.name.collection == name.collection && kept.name.name == name.name
        };
        self.0.range(first..).map(|(_, kept)| kept).take_while(same)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<Kept>> {
        self.0.values()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn put(&mut self, kept: Arc<Kept>) {
        self.0.insert(kept.name.clone(), kept);
    }

    pub(crate) fn remove(&mut self, name: &RestServiceName) {
        self.0.remove(name);
    }
}

/// Writes a service into the table, which is made where there is none.
pub(crate) fn insert(session: &mut dyn SqlSession, kept: &Kept) -> Result<(), Failed> {
    let inputs = || {
        let name = &kept.name;
        let default = if kept.is_default { "Y" } else { "N" };
        vec![
            text(&name.collection),
            text(&name.name),
            text(name.version.as_deref().unwrap_or_default()),
            text(default),
            kept.description.as_deref().map_or(null(), text),
            text(&kept.owner),
            text(&kept.qualifier),
            text(&kept.statement),
            token(kept),
        ]
    };
    match execute(session, INSERT, inputs()) {
        Err(Failed::Sql(answer)) if answer.code == -204 => {
            execute(session, TABLE, Vec::new())?;
            execute(session, INSERT, inputs()).map(drop)
        }
        other => other.map(drop),
    }
}

/// Takes a service out of the table.
pub(crate) fn delete(session: &mut dyn SqlSession, name: &RestServiceName) -> Result<(), Failed> {
    let version = name.version.as_deref().unwrap_or_default();
    let inputs = vec![text(&name.collection), text(&name.name), text(version)];
    execute(session, DELETE, inputs).map(drop)
}

/// What the columns have no room for.
pub(crate) fn check_sizes(statement: &str, description: Option<&str>) -> Result<(), RestFailure> {
    if statement.len() > STATEMENT_MAX {
        let text = format!("sqlStmt is longer than {STATEMENT_MAX} bytes");
        return Err(RestFailure::Refused(text));
    }
    if description.is_some_and(|text| text.len() > DESCRIPTION_MAX) {
        let text = format!("description is longer than {DESCRIPTION_MAX} bytes");
        return Err(RestFailure::Refused(text));
    }
    Ok(())
}

/// The consistency token: another statement has another one.
fn token(kept: &Kept) -> SqlInput {
    let mut hasher = DefaultHasher::new();
    (&kept.name, &kept.statement).hash(&mut hasher);
    SqlInput {
        kind: Type::CharBit(8).code(),
        value: SqlValue::Bytes(hasher.finish().to_be_bytes().to_vec()),
    }
}

fn text(text: &str) -> SqlInput {
    SqlInput {
        kind: Type::VarChar(u32::try_from(text.len()).unwrap_or(u32::MAX)).code(),
        value: SqlValue::Text(text.to_owned()),
    }
}

fn null() -> SqlInput {
    SqlInput {
        kind: Type::VarChar(1).code(),
        value: SqlValue::Null,
    }
}
