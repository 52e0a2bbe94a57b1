//! EXEC SQL: one statement of a program, from its items to its SQLCA.
//!
//! What: reads host variables, asks the region, which has the engine, and fills host variables and
//! SQLCA; rows of a cursor that nobody updates come in blocks. Not here: SQL (`formats/sql`),
//! engines and units of work (`region/sql`, `region/server`).

pub(crate) mod state;

use crate::command::{Cx, Fail, RegionView, ask_region};
use crate::task_state::TaskState;
use state::Block;
use transom_commands::sql::{FLAG_HOLD, FLAG_SCROLL, FLAG_UPDATE, Verb, View};
use transom_hostvariables as hostvariables;
use transom_types::{AbendCode, Resp};
use transom_wire::sql::{Request, SqlAnswer, SqlCursor, SqlFetch, SqlInput, SqlRow, SqlValue};
use transom_workers::NoCall;
use transom_workers::seam::{Host, Outcome, SqlCall};

/// Rows of the first blocks of a cursor, and of all others.
const BLOCK_FIRST: u32 = 8;
const BLOCK_MAX: u32 = 64;

/// Runs a statement.
pub(crate) fn execute(
    host: &mut dyn Host,
    call: &mut dyn SqlCall,
    task: &mut TaskState,
    region: &mut RegionView,
) -> Outcome {
    let mut statement = Statement {
        host,
        call,
        task,
        region,
        warnings: hostvariables::Warnings::default(),
    };
    match statement.run() {
        Ok(answer) => {
            let warnings = statement.warnings;
            hostvariables::fill(call, &answer, warnings);
            Outcome::Continue
        }
        Err((code, text)) => Outcome::Abend(code, text),
    }
}

/// An answer, or the abend that ends the task.
type Ran = Result<SqlAnswer, (AbendCode, String)>;

struct Statement<'a> {
    host: &'a mut dyn Host,
    call: &'a mut dyn SqlCall,
    task: &'a mut TaskState,
    region: &'a mut RegionView,
    warnings: hostvariables::Warnings,
}

impl Statement<'_> {
    fn run(&mut self) -> Ran {
        let view = self.call.statement();
        let (verb, flags) = (view.verb, view.flags);
        // CICS ends units of work, not the program.
        match verb {
            Verb::Commit => return Ok(SqlAnswer::of(-925, *b"2D521")),
            Verb::Rollback => return Ok(SqlAnswer::of(-926, *b"2D521")),
            _ => {}
        }
        let cursor = qualified(view.program, view.cursor);
        if verb == Verb::Fetch {
            return self.fetch(cursor);
        }
        let request = match hostvariables::values(self.call) {
            Ok(inputs) => request(&view, inputs),
            Err(answer) => return Ok(answer),
        };
        let mut answer = self.ask(&request)?;
        match verb {
            Verb::Open | Verb::OpenPrepared if answer.code >= 0 => {
                let blocks = flags & (FLAG_UPDATE | FLAG_SCROLL) == 0;
                let block = Block::new(blocks, flags & FLAG_HOLD != 0, BLOCK_FIRST);
                self.task.sql.blocks.insert(cursor, block);
            }
            Verb::Close => drop(self.task.sql.blocks.remove(&cursor)),
            Verb::Select if answer.code >= 0 => {
                if let Some(row) = answer.rows.pop() {
                    self.give(row, &mut answer);
                }
            }
            _ => {}
        }
        Ok(answer)
    }

    /// FETCH of one row, from the block where there is one.
    fn fetch(&mut self, cursor: String) -> Ran {
        let to = direction(self.call.statement().text, self.call);
        let Some(to) = to else {
            return Ok(SqlAnswer::of(-84, *b"42612"));
        };
        let block = self.task.sql.blocks.get_mut(&cursor);
        let block = block.filter(|block| block.blocks && to == SqlFetch::Next);
        let rows = match block {
            Some(block) => match block.rows.pop_front() {
                Some(row) => return Ok(self.given(row)),
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
        let mut answer = self.ask(&request)?;
        let mut found = std::mem::take(&mut answer.rows).into_iter();
        let first = found.next();
        if rows > 1
            && let Some(block) = self.task.sql.blocks.get_mut(&cursor)
        {
            block.end = answer.end;
            block.rows.extend(found);
        }
        if answer.code >= 0
            && let Some(row) = first
        {
            self.give(row, &mut answer);
        }
        Ok(answer)
    }

    fn given(&mut self, row: SqlRow) -> SqlAnswer {
        let mut answer = SqlAnswer::done();
        self.give(row, &mut answer);
        answer
    }

    /// Fills the output items; what does not fit is the answer.
    fn give(&mut self, row: SqlRow, answer: &mut SqlAnswer) {
        if let Some(wrong) = hostvariables::give(self.call, &row.values, &mut self.warnings) {
            *answer = SqlAnswer {
                touched: answer.touched,
                ..wrong
            };
        }
    }

    /// One question; after -911 the whole unit of work is backed out before the program learns it.
    fn ask(&mut self, request: &Request) -> Ran {
        let answered = ask_region(self.host, request);
        if let Some(code) = answered.abend {
            return Err((code, answered.text));
        }
        let answer = SqlAnswer::decode(&answered.data);
        let Some(answer) = answer.filter(|_| answered.resp == Resp::NORMAL) else {
            // The connection is not there.
            return Err((AbendCode::AEY9, answered.text));
        };
        if answer.touched {
            self.task.unit.touch();
        }
        if answer.back_out {
            self.task.unit.touch();
            let mut cx = Cx {
                host: self.host,
                call: &mut NoCall,
                task: self.task,
                region: self.region,
            };
            match crate::syncpoint::end_unit(&mut cx, true) {
                Err(Fail::Abend(code, text)) => return Err((code, text)),
                Ok(_) | Err(Fail::Raise(..)) => {}
            }
        }
        Ok(answer)
    }
}

/// What the region is asked for a statement that is no FETCH.
fn request(view: &View<'_>, inputs: Vec<SqlInput>) -> Request {
    let text = view.text.to_owned();
    let name = qualified(view.program, view.cursor);
    match view.verb {
        Verb::Select => Request::Select { text, inputs },
        Verb::Open => Request::Open {
            cursor: described(view),
            text,
            inputs,
        },
        Verb::OpenPrepared => Request::OpenPrepared {
            cursor: described(view),
            name: qualified(view.program, &text),
            inputs,
        },
        Verb::Close => Request::Close(name),
        Verb::Prepare => Request::Prepare {
            name,
            text: given_text(inputs, text),
        },
        Verb::ExecutePrepared => Request::ExecutePrepared { name, inputs },
        Verb::ExecuteImmediate => Request::Execute {
            text: given_text(inputs, text),
            program: view.program.to_owned(),
            inputs: Vec::new(),
        },
        Verb::Execute | Verb::Fetch | Verb::Commit | Verb::Rollback => Request::Execute {
            text,
            program: view.program.to_owned(),
            inputs,
        },
    }
}

/// Names of cursors and prepared statements are those of one program.
fn qualified(program: &str, name: &str) -> String {
    format!("{program}.{name}")
}

fn described(view: &View<'_>) -> SqlCursor {
    SqlCursor {
        name: qualified(view.program, view.cursor),
        hold: view.has(FLAG_HOLD),
        update: view.has(FLAG_UPDATE),
        scroll: view.has(FLAG_SCROLL),
    }
}

/// The text of a dynamic statement.
fn given_text(inputs: Vec<SqlInput>, constant: String) -> String {
    match inputs.into_iter().next().map(|input| input.value) {
        Some(SqlValue::Text(text)) => text,
        _ => constant,
    }
}

/// Where FETCH goes: a word, and for ABSOLUTE and RELATIVE a number or the first input item.
fn direction(text: &str, call: &dyn SqlCall) -> Option<SqlFetch> {
    let mut words = text.split_whitespace();
    let word = words.next().unwrap_or("NEXT");
    let number = || match words.clone().next() {
        Some("?") => match hostvariables::values(call).ok()?.into_iter().next()?.value {
            SqlValue::Integer(rows) => Some(rows),
            SqlValue::Decimal {
                digits, scale: 0, ..
            } => i64::try_from(digits).ok(),
            _ => None,
        },
        given => given?.parse().ok(),
    };
    Some(match word {
        "NEXT" => SqlFetch::Next,
        "PRIOR" => SqlFetch::Prior,
        "FIRST" => SqlFetch::First,
        "LAST" => SqlFetch::Last,
        "CURRENT" => SqlFetch::Current,
        "BEFORE" => SqlFetch::Before,
        "AFTER" => SqlFetch::After,
        "ABSOLUTE" => SqlFetch::Absolute(number()?),
        "RELATIVE" => SqlFetch::Relative(number()?),
        _ => return None,
    })
}
