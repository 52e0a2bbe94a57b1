//! Cursors of one program: what their declarations and the statements that name them say.
//!
//! Why before anything is planned: WHERE CURRENT OF makes a cursor one for changes, wherever it
//! stands. Not here: their host variables (`hosts`), where they are at run time (the region).

use std::collections::{HashMap, HashSet};
use transom_commands::sql::{FLAG_HOLD, FLAG_ROWSET, FLAG_SCROLL, FLAG_SENSITIVE, FLAG_UPDATE};
use transom_sql::{At, Cursor, Kind, Scroll, SqlProblem, Statement};

/// A cursor of the program.
pub(super) struct Declared {
    pub(super) cursor: Cursor,
    /// Which of the program's statements declares it.
    pub(super) read: usize,
    /// WHERE CURRENT OF names it.
    current: bool,
}

/// All cursors of a program, by name.
pub(super) fn cursors<'s>(
    statements: impl Iterator<Item = &'s Statement> + Clone,
) -> HashMap<String, Declared> {
    let mut out = HashMap::new();
    for (n, statement) in statements.clone().enumerate() {
        if let Kind::DeclareCursor(cursor) = &statement.kind {
            let declared = Declared {
                cursor: cursor.clone(),
                read: n,
                current: false,
            };
            out.insert(cursor.name.clone(), declared);
        }
    }
    let named = |statement: &Statement| match &statement.kind {
        Kind::Update { current } | Kind::Delete { current } => {
            current.as_ref().map(|current| current.cursor.clone())
        }
        _ => None,
    };
    let named: HashSet<String> = statements.filter_map(named).collect();
    for (name, declared) in &mut out {
        declared.current = named.contains(name);
    }
    out
}

impl Declared {
    pub(super) fn flags(&self) -> u8 {
        let cursor = &self.cursor;
        let update = self.current || cursor.update.is_some();
        let set = |condition: bool, flag: u8| if condition { flag } else { 0 };
        set(cursor.hold, FLAG_HOLD)
            | set(update, FLAG_UPDATE)
            | set(cursor.scroll != Scroll::No, FLAG_SCROLL)
            | set(cursor.scroll == Scroll::SensitiveStatic, FLAG_SENSITIVE)
            | set(cursor.rowset, FLAG_ROWSET)
    }

    /// Why it cannot be opened, as its declaration and its other statements stand.
    pub(super) fn refused(&self) -> Option<SqlProblem> {
        let updated = self.current || self.cursor.update.is_some();
        let name = self.cursor.name.as_str();
        match self.cursor.scroll {
            Scroll::Insensitive if self.cursor.update.is_some() => {
                Some(SqlProblem::new(-228, &[name], At::default()))
            }
            Scroll::Insensitive if self.current => Some(SqlProblem::new(-510, &[], At::default())),
            Scroll::SensitiveDynamic => {
                let why = "a cursor that is SENSITIVE DYNAMIC SCROLL is not done";
                Some(SqlProblem::refused(why, At::default()))
            }
            Scroll::Asensitive if updated => {
                let why = "an ASENSITIVE SCROLL cursor with changes, which Db2 takes for a \
                           SENSITIVE DYNAMIC one, is not done";
                Some(SqlProblem::refused(why, At::default()))
            }
            _ => None,
        }
    }
}

/// Why a FETCH does not fit the declaration of its cursor.
pub(super) fn fetches(cursor: &Cursor, kind: &Kind) -> Option<SqlProblem> {
    let Kind::Fetch(fetch) = kind else {
        return None;
    };
    let name = cursor.name.as_str();
    let sensitive = cursor.scroll == Scroll::SensitiveStatic;
    match fetch.sensitive {
        Some(true) if !sensitive => {
            Some(SqlProblem::new(-244, &["SENSITIVE", name], At::default()))
        }
        Some(false) if sensitive => {
            let why = "FETCH INSENSITIVE of a SENSITIVE cursor is not done";
            Some(SqlProblem::refused(why, At::default()))
        }
        _ => None,
    }
}
