//! How a task is connected to Db2: by the DB2CONN, and by the DB2ENTRY of its transaction.
//!
//! What: whether a statement may run, what a program gets when it may not, and DROLLBACK. Looked up
//! with the first statement of a unit of work: SET changes what the next one finds. Without a
//! DB2CONN there is nothing to look up, and statements run as `[sql]` says. Not here: threads and
//! their limits, which nothing has yet.

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
use transom_wire::sql::SqlAnswer;

/// What holds for tasks in their units of work.
#[derive(Default)]
pub(crate) struct Attachments(Mutex<HashMap<u32, (UowId, Attachment)>>);

/// What holds for a unit of work; `None`: there is no DB2CONN.
#[derive(Clone, Copy, Default)]
pub(crate) struct Attachment(Option<Defined>);

#[derive(Clone, Copy)]
struct Defined {
    drollback: bool,
    /// Without a database the program gets -923, not AEY9.
    sqlcode: bool,
}

impl Attachments {
    /// The attachment of a task in its unit of work. The error is the answer to its statement.
    pub(crate) fn of(
        &self,
        shared: &dyn Shared,
        task: u32,
        uow: UowId,
    ) -> Result<Attachment, RegionAnswer> {
        let known = lock(&self.0).get(&task).copied();
        if let Some((_, attachment)) = known.filter(|(of, _)| *of == uow) {
            return Ok(attachment);
        }
        let attachment = Attachment::look_up(shared, task)?;
        lock(&self.0).insert(task, (uow, attachment));
        Ok(attachment)
    }

    pub(crate) fn task_ended(&self, task: u32) {
        lock(&self.0).remove(&task);
    }
}

impl Attachment {
    fn look_up(shared: &dyn Shared, task: u32) -> Result<Self, RegionAnswer> {
        let Some(connection) = Db2Connection::only(shared) else {
            return Ok(Self::default());
        };
        if !connection.connected {
            let text = messages::sq::not_connected().to_string();
            return Err(RegionAnswer::abend(AbendCode::AEY9, text));
        }
        let standby = connection.standby != Db2Standby::NoConnect;
        let mut defined = Defined {
            drollback: connection.drollback,
            sqlcode: connection.sqlcode && standby,
        };
        let task = TaskEntry::find(shared, task);
        if let Some(entry) = task.and_then(|task| Db2ThreadEntry::of(shared, task.transid)) {
            match (entry.enabled, entry.when_disabled) {
                (true, _) => defined.drollback = entry.drollback,
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

    /// There is no database: the attachment waits for it, or nothing is attached.
    pub(crate) fn without_database(self, why: String) -> RegionAnswer {
        match self.0.filter(|defined| defined.sqlcode) {
            Some(_) => RegionAnswer::with(&not_established("DB2 NOT UP", "")),
            None => RegionAnswer::refused(Resp::SYSIDERR, 0, why),
        }
    }

    /// After a deadlock or a time-out DROLLBACK decides whether all is backed out.
    pub(crate) fn roll_back(self, answer: &mut SqlAnswer) {
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
