//! What BIND would find: tables and columns of statements that are not there.
//!
//! Not here: which statements programs have (the translator).

use super::engine::Sqlite;
use super::errors;
use super::session::Session;
use super::shared::SqliteOptions;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use transom_messages::{self as messages, Place, Problem};

/// SQLCODEs of names, and of counts that a table says.
const TOLD: [i32; 5] = [-117, -203, -204, -205, -206];

/// Looks for the names of static statements: program, text, file and line. Nothing is told where
/// there is no database yet.
pub fn not_bound<'a>(
    options: SqliteOptions,
    statements: impl Iterator<Item = (&'a str, &'a str, (&'a str, u32))>,
) -> Vec<Problem> {
    if !options.file.exists() {
        return Vec::new();
    }
    let session = Sqlite::open(options)
        .and_then(|engine| Session::open(engine.shared, Arc::new(AtomicBool::new(false))));
    let mut session = match session {
        Ok(session) => session,
        Err(error) => return vec![messages::sq::not_opened(&error).into()],
    };
    let mut told = Vec::new();
    for (program, text, (file, line)) in statements {
        let schema = session.shared.options.qualifiers.of_package(program);
        let Err(answer) = session.plan((text, &schema), &[]) else {
            continue;
        };
        if TOLD.contains(&answer.code) {
            let message = messages::sq::not_bound(answer.code, errors::reason(&answer));
            told.push(Problem::new(message, Place::line(file, line)));
        }
    }
    told
}
