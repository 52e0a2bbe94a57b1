//! What BIND would find: tables and columns of statements that are not there.
//!
//! Not here: which statements programs have (the translator).

use super::answers::reason;
use crate::session::SqlEngine;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use transom_messages::{self as messages, Place, Problem};
use transom_wire::sql::SqlFrom;

/// SQLCODEs of names, and of counts that a table says.
const TOLD: [i32; 5] = [-117, -203, -204, -205, -206];

/// Looks for the names of static statements: program, text, file and line.
pub fn not_bound<'a>(
    engine: &dyn SqlEngine,
    statements: impl Iterator<Item = (&'a str, &'a str, (&'a str, u32))>,
) -> Vec<Problem> {
    let mut session = match engine.session(Arc::new(AtomicBool::new(false))) {
        Ok(session) => session,
        Err(error) => return vec![messages::sq::not_opened(&error).into()],
    };
    let mut told = Vec::new();
    for (program, text, (file, line)) in statements {
        let from = SqlFrom {
            program: program.to_owned(),
            ..SqlFrom::default()
        };
        let Err(answer) = session.look(&from, text) else {
            continue;
        };
        if TOLD.contains(&answer.code) {
            let message = messages::sq::not_bound(answer.code, reason(&answer));
            told.push(Problem::new(message, Place::line(file, line)));
        }
    }
    told
}
