//! EXEC SQL: one statement of a program, from its items to its SQLCA.
//!
//! What: reads host variables, asks who has the engine, and fills host variables and SQLCA; rows of
//! a cursor that nobody updates come in blocks. Why here: tasks of a region and steps of jobs run
//! the same statements and differ in [`Asks`] alone. Not here: SQL (`formats/sql`), engines and
//! units of work (`region/sql`, `region/server`, `region/batch`).

use crate::kept::{Block, Last, ProgramSql};
use transom_commands::sql::{FLAG_HOLD, FLAG_ROWSET, FLAG_SCROLL, FLAG_UPDATE, Role, Verb};
use transom_types::{AbendCode, UserId};
use transom_wire::sql::{Request, SqlAnswer, SqlFetch, SqlInput, SqlRow};
use transom_workers::seam::{Host, Outcome, SqlCall};

/// Who runs a statement: a task of a region, or a step of a job.
pub trait Asks {
    /// The worker.
    fn host(&mut self) -> &mut dyn Host;

    /// Authorization ID.
    fn user(&self) -> UserId;

    /// What is kept between two statements.
    fn kept(&mut self) -> &mut ProgramSql;

    /// One question to who has the engine. After -911 the whole unit of work is backed out before
    /// the program learns it.
    fn ask(&mut self, request: &Request) -> Ran;

    /// COMMIT or ROLLBACK.
    fn end(&mut self, commit: bool) -> Ran;
}

/// Rows of the first blocks of a cursor, and of all others.
const BLOCK_FIRST: u32 = 8;
const BLOCK_MAX: u32 = 64;

/// Runs a statement.
pub fn execute(by: &mut dyn Asks, call: &mut dyn SqlCall) -> Outcome {
    let mut statement = Statement {
        by,
        call,
        warnings: crate::Warnings::default(),
    };
    let verb = statement.call.statement().verb;
    match statement.run() {
        Ok(answer) => {
            let warnings = statement.warnings;
            crate::fill(call, &answer, warnings);
            if verb != Verb::Diagnostics {
                by.kept().last = Some(Last::of(answer));
            }
            Outcome::Continue
        }
        Err((code, text)) => Outcome::Abend(code, text),
    }
}

/// An answer, or the abend that ends the task.
pub type Ran = Result<SqlAnswer, (AbendCode, String)>;

pub(crate) struct Statement<'a> {
    pub(crate) by: &'a mut dyn Asks,
    pub(crate) call: &'a mut dyn SqlCall,
    pub(crate) warnings: crate::Warnings,
}

impl Statement<'_> {
    fn run(&mut self) -> Ran {
        let view = self.call.statement();
        let (verb, flags) = (view.verb, view.flags);
        match verb {
            Verb::Commit | Verb::Rollback => return self.by.end(verb == Verb::Commit),
            Verb::Diagnostics => return Ok(self.diagnostics()),
            _ => {}
        }
        match verb {
            Verb::Fetch => return self.fetch(self.cursor()),
            Verb::FetchRows => return self.fetch_rows(self.cursor()),
            Verb::InsertRows => return self.insert_rows(),
            _ => {}
        }
        let inputs = match self.inputs() {
            Ok(inputs) => inputs,
            Err(answer) => return Ok(answer),
        };
        let request = crate::request(&self.call.statement(), self.by.user(), inputs);
        let mut answer = self.by.ask(&request)?;
        match verb {
            Verb::Open | Verb::OpenPrepared if answer.code >= 0 => {
                // Nobody here knows whether rows of a prepared SELECT are updated.
                let known = verb == Verb::Open;
                let single = FLAG_UPDATE | FLAG_SCROLL | FLAG_ROWSET;
                let blocks = known && flags & single == 0;
                let block = Block::new(blocks, flags & FLAG_HOLD != 0, BLOCK_FIRST);
                let cursor = self.cursor();
                self.by.kept().blocks.insert(cursor, block);
            }
            Verb::Close => {
                let cursor = self.cursor();
                self.by.kept().blocks.remove(&cursor);
            }
            Verb::Prepare | Verb::Describe | Verb::DescribeTable if answer.code >= 0 => {
                self.describe(&mut answer);
            }
            Verb::Select if answer.code >= 0 => {
                if let Some(row) = answer.rows.pop() {
                    self.give(row, &mut answer);
                }
            }
            _ => {}
        }
        Ok(answer)
    }

    /// The cursor of the statement, with its program.
    fn cursor(&self) -> String {
        let view = self.call.statement();
        crate::qualified(view.program, view.cursor)
    }

    /// The SQLDA of the statement.
    fn descriptor(&self) -> Option<usize> {
        let mut roles = self.call.statement().roles();
        roles.position(|role| role == Role::Descriptor)
    }

    /// Values that the program gives, by host variables or by an SQLDA.
    fn inputs(&mut self) -> Result<Vec<SqlInput>, SqlAnswer> {
        let view = self.call.statement();
        let given = matches!(
            view.verb,
            Verb::ExecutePrepared | Verb::Open | Verb::OpenPrepared
        );
        match self.descriptor().filter(|_| given) {
            Some(at) => {
                let area = self.call.bytes(at);
                let places = crate::places(area, view, self.by.host(), false)?;
                crate::values(&places)
            }
            None => crate::values(self.call),
        }
    }

    /// Fills an SQLDA with what a prepared statement has.
    fn describe(&mut self, answer: &mut SqlAnswer) {
        let Some(at) = self.descriptor() else {
            return;
        };
        let described = crate::describe(self.call.bytes_mut(at), &answer.columns);
        if let Err(wrong) = described {
            *answer = SqlAnswer {
                unit: answer.unit,
                ..wrong
            };
        }
    }

    /// FETCH of one row, from the block where there is one.
    fn fetch(&mut self, cursor: String) -> Ran {
        let to = crate::direction(self.call.statement().text, self.call);
        let Some(to) = to else {
            return Ok(SqlAnswer::of(-84, *b"42612"));
        };
        let block = self.by.kept().blocks.get_mut(&cursor);
        let block = block.filter(|block| block.blocks && to == SqlFetch::Next);
        let rows = match block {
            Some(block) => match block.rows.pop_front() {
                Some(row) => {
                    let end = block.end && block.rows.is_empty();
                    return Ok(self.given(row, end));
                }
                None if block.end => return Ok(SqlAnswer::of(100, *b"02000")),
                None => std::mem::replace(&mut block.next, BLOCK_MAX),
            },
            None => 1,
        };
        let request = Request::Fetch {
            cursor: cursor.clone(),
            to,
            rows,
        };
        let mut answer = self.by.ask(&request)?;
        let mut found = std::mem::take(&mut answer.rows).into_iter();
        let first = found.next();
        if rows > 1
            && let Some(block) = self.by.kept().blocks.get_mut(&cursor)
        {
            block.end = answer.end;
            block.rows.extend(found);
            // The program has one of them.
            answer.end &= block.rows.is_empty();
        }
        if answer.code >= 0
            && let Some(row) = first
        {
            self.give(row, &mut answer);
        }
        Ok(answer)
    }

    fn given(&mut self, row: SqlRow, end: bool) -> SqlAnswer {
        let mut answer = SqlAnswer {
            end,
            ..SqlAnswer::done()
        };
        self.give(row, &mut answer);
        answer
    }

    /// Fills the output items; what does not fit is the answer.
    fn give(&mut self, row: SqlRow, answer: &mut SqlAnswer) {
        let given = match self.descriptor() {
            Some(at) => {
                let area = self.call.bytes(at).to_vec();
                let view = self.call.statement();
                let places = crate::places(&area, view, self.by.host(), true);
                places.map(|mut at| crate::give(&mut at, &row.values, &mut self.warnings))
            }
            None => Ok(crate::give(self.call, &row.values, &mut self.warnings)),
        };
        if let Some(wrong) = given.unwrap_or_else(Some) {
            *answer = SqlAnswer {
                unit: answer.unit,
                ..wrong
            };
        }
    }
}
