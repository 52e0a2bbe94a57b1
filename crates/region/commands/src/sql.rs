//! EXEC SQL of tasks: who a statement asks.
//!
//! What: the region, which has the engine; after -911 the unit of work of the task is backed out,
//! as a command would do it. The first statement of a unit of work always goes there; as long as
//! it has changed nothing, the worker reads by itself. Not here: statements and host variables
//! (`region/hostvariables`), reading (`region/sql`).

use crate::command::{Cx, Fail, RegionView, ask_region};
use crate::diagnostic::trace;
use crate::task_state::TaskState;
use transom_hostvariables::{Asks, ProgramSql, Ran};
use transom_types::{AbendCode, Resp, UserId};
use transom_wire::monitoring::Doing;
use transom_wire::sql::{Request, SqlAnswer, SqlReading};
use transom_workers::NoCall;
use transom_workers::seam::{Host, Outcome, SqlCall};

/// Runs a statement.
pub(crate) fn execute(
    host: &mut dyn Host,
    call: &mut dyn SqlCall,
    task: &mut TaskState,
    region: &mut RegionView,
) -> Outcome {
    transom_hostvariables::execute(&mut Task { host, task, region }, call)
}

/// The first word of a statement.
fn verb(request: &Request) -> [u8; 8] {
    let text = match request {
        Request::Select { .. } => "SELECT",
        Request::Execute { text, .. }
        | Request::Immediate { text, .. }
        | Request::InsertRows { text, .. } => text.split_whitespace().next().unwrap_or_default(),
        Request::Open { .. } | Request::OpenPrepared { .. } => "OPEN",
        Request::Fetch { .. } | Request::FetchRows { .. } => "FETCH",
        Request::Close(_) => "CLOSE",
        Request::Prepare { .. } => "PREPARE",
        Request::ExecutePrepared { .. } => "EXECUTE",
        Request::Describe { .. } | Request::DescribeTable { .. } => "DESCRIBE",
        Request::Reading => "",
    };
    let mut verb = [b' '; 8];
    for (to, from) in verb.iter_mut().zip(text.bytes()) {
        *to = from.to_ascii_uppercase();
    }
    verb
}

struct Task<'a> {
    host: &'a mut dyn Host,
    task: &'a mut TaskState,
    region: &'a mut RegionView,
}

impl Task<'_> {
    /// Answers without the region; `None`: it is to be asked.
    fn read(&mut self, request: &Request) -> Option<SqlAnswer> {
        let reading = &mut self.region.caches.sql;
        if let Some(answer) = reading.of_cursor(request) {
            return Some(answer);
        }
        let cursor = match request {
            _ if !self.task.sql.reads => return None,
            Request::Select { .. } => None,
            Request::Open { cursor, .. } => Some(&cursor.name),
            _ => return None,
        };
        // It is open in the region: -502.
        if cursor.is_some_and(|name| self.task.sql.blocks.contains_key(name)) {
            return None;
        }
        if reading.asks() {
            let answered = ask_region(self.host, &Request::Reading);
            reading.open(&SqlReading::decode(&answered.data)?);
        }
        reading.read(request)
    }
}

impl Asks for Task<'_> {
    fn host(&mut self) -> &mut dyn Host {
        self.host
    }

    fn user(&self) -> UserId {
        self.task.userid
    }

    fn kept(&mut self) -> &mut ProgramSql {
        &mut self.task.sql
    }

    fn ask(&mut self, request: &Request) -> Ran {
        let program = self.task.program();
        trace::sql(self.host, program, None);
        let called = self.task.calls.begins(Doing::Sql);
        if let Some(answer) = self.read(request) {
            self.task
                .calls
                .ends_as(&called, || verb(request), answer.code);
            trace::sql(self.host, program, Some(answer.code));
            return Ok(answer);
        }
        self.region.caches.sql.rest();
        let answered = ask_region(self.host, request);
        if let Some(code) = answered.abend {
            return Err((code, answered.text));
        }
        let answer = SqlAnswer::decode(&answered.data);
        let Some(answer) = answer.filter(|_| answered.resp == Resp::NORMAL) else {
            // The connection is not there.
            return Err((AbendCode::AEY9, answered.text));
        };
        self.task
            .calls
            .ends_as(&called, || verb(request), answer.code);
        trace::sql(self.host, program, Some(answer.code));
        self.task.sql.reads = answer.unit.reads();
        if answer.unit.touched() {
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
                Ok(_) | Err(Fail::Raise(..) | Fail::Ship(_)) => {}
            }
        }
        Ok(answer)
    }

    /// CICS ends units of work, not the program.
    fn end(&mut self, commit: bool) -> Ran {
        Ok(SqlAnswer::of(if commit { -925 } else { -926 }, *b"2D521"))
    }
}
