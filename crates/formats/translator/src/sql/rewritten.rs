//! What cannot be rewritten for an engine, found before the program runs.
//!
//! Why here: a program that gets -84 in the one case nobody tried is worse than one that is not
//! compiled. What is not known yet, names of tables and columns, is told by `transom check`. Not
//! here: rewriting (`transom_sql`).

use super::made::Made;
use super::{Planner, Read};
use crate::api::SqlUse;
use transom_commands::sql::Verb;
use transom_messages as messages;
use transom_sql::{Dialect, NoCatalog, Setting, SqlProblem};

impl Planner<'_> {
    /// Refuses what the region would refuse when the statement runs.
    pub(super) fn look_at(&mut self, read: &Read, made: &Made) {
        let sent = [Verb::Select, Verb::Execute, Verb::Open, Verb::InsertRows];
        if !sent.contains(&made.verb) {
            return;
        }
        if let Some(problem) = refused(&made.text) {
            let words: Vec<&str> = made.text.split_whitespace().take(3).collect();
            let what = format!("EXEC SQL {}", words.join(" "));
            let message = messages::sq::refused(problem);
            self.session.not_done(what, message, read.place);
            return;
        }
        let place = self.session.place(read.place);
        self.session.sql.push(SqlUse {
            program: self.program.to_owned(),
            text: made.text.clone(),
            file: place.file,
            line: place.line,
        });
    }
}

/// Why no database could run a statement, whatever tables it has.
fn refused(text: &str) -> Option<SqlProblem> {
    let setting = Setting {
        dialect: Dialect::Sqlite,
        catalog: &NoCatalog,
        schema: "",
        hosts: &[],
        dec31: false,
    };
    let statement = transom_sql::statement(text).ok()?;
    let problem = transom_sql::rewrite(&statement, &setting).err()?;
    problem.refused.is_some().then_some(problem)
}
