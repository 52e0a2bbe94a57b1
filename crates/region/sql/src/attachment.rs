//! How a task is connected to Db2: by the DB2CONN, and by the DB2ENTRY of its transaction.
//!
//! What: whether a statement may run, what a program gets when it may not, and DROLLBACK. Looked up
//! with the first statement of a unit of work: SET changes what the next one finds. Without a
//! DB2CONN there is nothing to look up, and statements run as `[sql]` says. Not here: how many run
//! at a time (`threads`).

use crate::threads::Wanted;
use std::collections::HashMap;
use std::sync::Mutex;
use transom_messages as messages;
use transom_recovery::UowId;
use transom_recovery::guard::lock;
use transom_types::{AbendCode, Resp};
use transom_wire::Shared;
use transom_wire::definitions::{
    Db2Connection, Db2Disabled, Db2Standby, Db2ThreadEntry, Installed, TaskEntry,
};
use transom_wire::requests::RegionAnswer;
use transom_wire::sql::{SqlAnswer, SqlUnit};

/// What holds for tasks in their units of work.
#[derive(Default)]
pub(crate) struct Attachments(Mutex<HashMap<u32, (UowId, Attachment)>>);

/// What holds for a unit of work; `None`: there is no DB2CONN.
#[derive(Clone, Copy, Default)]
pub struct Attachment(Option<Defined>);

#[derive(Clone, Copy)]
struct Defined {
    wanted: Wanted,
    drollback: bool,
    /// Without a database the program gets -923, not AEY9.
    sqlcode: bool,
}

impl Attachments {
    /// The attachment of a task that has run a statement in this unit of work.
    pub(crate) fn known(&self, task: u32, uow: UowId) -> Option<Attachment> {
        let known = lock(&self.0).get(&task).copied();
        known.filter(|(of, _)| *of == uow).map(|known| known.1)
    }

    /// It holds to the end of the unit of work.
    pub(crate) fn keep(&self, task: u32, uow: UowId, attachment: Attachment) {
        lock(&self.0).insert(task, (uow, attachment));
    }

    pub(crate) fn task_ended(&self, task: u32) {
        lock(&self.0).remove(&task);
    }
}

impl Attachment {
    /// As it is installed now. The error is the answer to the statement.
    pub(crate) fn look_up(shared: &dyn Shared, task: u32) -> Result<Self, RegionAnswer> {
        let Some(connection) = Db2Connection::only(shared) else {
            return Ok(Self::default());
        };
        if !connection.connected {
            let text = messages::sq::not_connected().to_string();
            return Err(RegionAnswer::abend(AbendCode::AEY9, text));
        }
        let standby = connection.standby != Db2Standby::NoConnect;
        let task = TaskEntry::find(shared, task);
        let at_terminal = task.as_ref().is_some_and(|task| !task.terminal.is_blank());
        let mut defined = Defined {
            wanted: Wanted::of(&connection, None, at_terminal),
            drollback: connection.drollback,
            sqlcode: connection.sqlcode && standby,
        };
        if let Some(entry) = task.and_then(|task| Db2ThreadEntry::of(shared, task.transid)) {
            match (entry.enabled, entry.when_disabled) {
                (true, _) => {
                    defined.drollback = entry.drollback;
                    defined.wanted = Wanted::of(&connection, Some(&entry), at_terminal);
                }
                (false, Db2Disabled::Pool) => {}
                (false, Db2Disabled::Abend) => {
                    let text = messages::sq::entry_disabled(named(&entry)).to_string();
                    return Err(RegionAnswer::abend(AbendCode::AD2Q, text));
                }
                (false, Db2Disabled::SqlCode) => {
                    let answer = not_established("DB2 CICS ENTRY DISABLED", &named(&entry));
                    return Err(RegionAnswer::with(&answer));
                }
            }
        }
        Ok(Self(Some(defined)))
    }

    /// The thread its unit of work needs; `None`: there is no DB2CONN.
    pub(crate) fn wanted(self) -> Option<Wanted> {
        self.0.map(|defined| defined.wanted)
    }

    /// There is no database: the attachment waits for it, or nothing is attached.
    pub(crate) fn without_database(self, why: String) -> RegionAnswer {
        match self.0.filter(|defined| defined.sqlcode) {
            // The unit of work has its thread.
            Some(_) => RegionAnswer::with(&SqlAnswer {
                unit: SqlUnit::Touched,
                ..not_established("DB2 NOT UP", "")
            }),
            None => RegionAnswer::refused(Resp::SYSIDERR, 0, why),
        }
    }

    /// What the unit of work makes of an answer: one that has a thread has to be ended, and after a
    /// deadlock or a time-out DROLLBACK decides whether all is backed out.
    pub(crate) fn complete(self, answer: &mut SqlAnswer) {
        if self.0.is_some() {
            answer.unit = SqlUnit::of(true, answer.unit.reads());
        }
        let Some(defined) = self.0.filter(|_| matches!(answer.code, -911 | -913)) else {
            return;
        };
        (answer.code, answer.state) = match defined.drollback {
            true => (-911, *b"40001"),
            false => (-913, *b"57033"),
        };
        answer.back_out = defined.drollback;
    }
}

fn named(entry: &Db2ThreadEntry) -> String {
    String::from_utf8_lossy(&entry.name).trim_end().to_owned()
}

/// -923. Reason and type are those of no Db2: zeros.
fn not_established(condition: &str, name: &str) -> SqlAnswer {
    let tokens = [condition, "00000000", "00000000", name];
    SqlAnswer {
        tokens: tokens.map(str::to_owned).to_vec(),
        ..SqlAnswer::of(-923, *b"57015")
    }
}
