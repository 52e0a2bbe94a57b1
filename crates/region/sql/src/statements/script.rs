//! Scripts of Db2 statements, as SPUFI and DSNTEP2 run them.

use super::answers::{coded, reason};
use crate::session::{Ends, SqlEngine, SqlSession};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use transom_messages::{self as messages, Message, Place, Problem};
use transom_recovery::StoreError;
use transom_wire::sql::{Request, SqlAnswer, SqlFrom, SqlRow};

/// What one statement of a script did.
#[derive(Debug)]
pub struct Done {
    /// Its first line, from 1.
    pub line: u32,
    /// Its text.
    pub text: String,
    /// SQLCODE and the others.
    pub answer: SqlAnswer,
    /// Names of the columns of its rows; empty: it gives none.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: Vec<SqlRow>,
}

impl Done {
    /// What is printed of it: its line, SQLCODE, beginning and count, then its rows as a table.
    pub fn report(&self) -> Vec<String> {
        let first: Vec<&str> = self.text.split_whitespace().take(3).collect();
        let (code, count) = (self.answer.code, self.answer.count);
        let mut line = format!("{:>5}  SQLCODE {code}  {}", self.line, first.join(" "));
        if count > 0 {
            line += &format!(" ({count} rows)");
        }
        let mut printed = vec![line];
        if self.columns.is_empty() || code < 0 {
            return printed;
        }
        let cells = |row: &SqlRow| row.values.iter().map(ToString::to_string).collect();
        let rows: Vec<Vec<String>> = self.rows.iter().map(cells).collect();
        let width = |n: usize, name: &str| {
            let cells = rows.iter().filter_map(|row| row.get(n));
            let widths = cells.map(|cell| cell.chars().count());
            widths.fold(name.chars().count(), usize::max)
        };
        let widths: Vec<usize> = (0..).zip(&self.columns).map(|(n, c)| width(n, c)).collect();
        for cells in std::iter::once(&self.columns).chain(&rows) {
            let padded = cells.iter().zip(&widths);
            let padded = padded.map(|(cell, width)| format!("{cell:width$}"));
            let row = padded.collect::<Vec<_>>().join(" | ");
            printed.push(format!("       {}", row.trim_end()));
        }
        printed.push(format!("       {} rows", rows.len()));
        printed
    }
}

impl Done {
    /// What the user is told of a statement that failed.
    pub fn problem(&self) -> Message {
        messages::sq::script_failed(self.answer.code, reason(&self.answer))
    }
}

/// A session for scripts.
pub struct Script {
    session: Box<dyn SqlSession>,
    from: SqlFrom,
}

impl Script {
    /// A session of a user on a database.
    pub fn on(engine: &dyn SqlEngine, user: &str) -> Result<Self, StoreError> {
        let abandoned = Arc::new(AtomicBool::new(false));
        let session = engine.session(abandoned)?;
        let from = SqlFrom {
            program: "SCRIPT".to_owned(),
            user: user.to_owned(),
            dynamic: true,
        };
        Ok(Self { session, from })
    }

    /// Runs scripts, by their names and texts, and prints what each statement did, then how many
    /// there were. The error is what ended them.
    pub fn print(
        &mut self,
        scripts: &[(String, String)],
        mut print: impl FnMut(&str),
    ) -> Result<(), Problem> {
        let (mut statements, mut rows) = (0_u64, 0_u64);
        for (name, text) in scripts {
            let mut failed = None;
            let ended = self.run(text, |done| {
                done.report().iter().for_each(|line| print(line));
                statements += 1;
                rows += u64::from(done.answer.count);
                if done.answer.code < 0 {
                    let place = Place::line(name.as_str(), done.line);
                    failed = Some(Problem::new(done.problem(), place));
                }
            });
            ended.map_err(|error| messages::sq::not_opened(&error))?;
            failed.map_or(Ok(()), Err)?;
        }
        print(messages::sq::script_done(statements, rows).as_ref());
        Ok(())
    }

    /// Runs all statements; each is told when it is done. The first that fails ends the script, and
    /// what was not committed is backed out. COMMIT and ROLLBACK are those of the script.
    pub fn run(&mut self, text: &str, mut tell: impl FnMut(&Done)) -> Result<(), StoreError> {
        for statement in transom_sql::script(text) {
            let done = self.statement(statement.line, statement.text);
            let failed = done.answer.code < 0;
            tell(&done);
            if failed {
                return self.session.backout();
            }
        }
        self.session.commit(None)
    }

    fn statement(&mut self, line: u32, text: String) -> Done {
        let mut done = Done {
            line,
            answer: SqlAnswer::done(),
            columns: Vec::new(),
            rows: Vec::new(),
            text,
        };
        let look = match self.session.look(&self.from, &done.text) {
            Ok(look) => look,
            Err(answer) => {
                done.answer = answer;
                return done;
            }
        };
        let ended = match look.ends {
            Some(Ends::Commit) => self.session.commit(None),
            Some(Ends::Backout) => self.session.backout(),
            None => {
                done.columns = look.columns;
                done.answer = self.session.run(Request::Execute {
                    from: self.from.clone(),
                    text: done.text.clone(),
                    inputs: Vec::new(),
                });
                done.rows = std::mem::take(&mut done.answer.rows);
                return done;
            }
        };
        if let Err(error) = ended {
            let tokens = ["00C90083", "00000300", "COMMIT"].map(str::to_owned);
            done.answer = SqlAnswer {
                text: error.to_string(),
                ..coded(-904, tokens.to_vec())
            };
        }
        done
    }
}
