//! Asking for a task, and hearing of tasks.
//!
//! What: [`Starter`] runs any task, whoever asks for it: a LINK from outside, terminal input,
//! START, a trigger, RUN TRANSID. [`TaskEvents`] tells services when a task begins and ends. Why a
//! trait and events: starting tasks is general and knows no service. Not here: doing it (`tasks`).

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use transom_region_api::{Fault, LinkFailure, Payload, StartedBy};
use transom_types::{AbendCode, ProgramName, TcpClient, TransId, UserId};
use transom_wire::payload::{Section, Sections, Undone};

/// A task to run.
#[derive(Clone)]
pub(crate) struct NewTask {
    /// Transaction.
    pub transid: TransId,
    /// First program, of a LINK from outside; `None`: the transaction's.
    pub program: Option<ProgramName>,
    /// User; `None`: DFLTUSER.
    pub userid: Option<UserId>,
    /// COMMAREA or channel.
    pub payload: Payload,
    /// COMMAREA bytes the caller can take back; 0 = as many as it sent.
    pub reply_bytes_max: usize,
    /// Who asks.
    pub started_by: StartedBy,
    /// STARTCODE.
    pub start_code: [u8; 2],
    /// The client over TCP/IP whose request it is.
    pub client: Option<TcpClient>,
    /// What domains add.
    pub sections: Sections,
    /// How often it ran before and abended.
    pub restarts: u16,
}

impl NewTask {
    /// It has a terminal, and another region may run it; that of a trigger runs where its queue is.
    pub(crate) fn is_routable(&self) -> bool {
        let has_terminal = self.sections.get(Section::Terminal).is_some();
        has_terminal && self.started_by != StartedBy::Trigger
    }
}

/// A task of RESTART(YES) that abended.
pub(crate) struct Again {
    /// As it was started.
    pub task: NewTask,
    /// Its abend.
    pub code: AbendCode,
    /// What it had done.
    pub undone: Undone,
}

/// Called with the task that is to run in the place of one that abended, if one is.
pub(crate) type Decided = Box<dyn FnOnce(Option<NewTask>) + Send>;

/// How a task ended.
pub(crate) struct Ended {
    /// Its number.
    pub task_number: u32,
    /// Its transaction.
    pub transid: TransId,
    /// COMMAREA or channel and what domains add, or what went wrong.
    pub result: Result<(Payload, Sections), LinkFailure>,
    /// It may run again.
    pub again: Option<Box<Again>>,
}

/// Called once when the task ended, on the thread of the region's pump.
pub(crate) type OnEnd = Box<dyn FnOnce(Ended) + Send>;

/// A task that was accepted.
pub(crate) struct Accepted {
    /// Its number.
    pub task_number: u32,
    /// Set it when nobody wants the task any more: it is not attached if it still waits for a
    /// place.
    pub cancelled: Arc<AtomicBool>,
}

/// Runs tasks.
pub(crate) trait Starter: Send + Sync {
    /// Checks and admits a task.
    ///
    /// # Errors
    /// The task will not run; `on_end` is not called.
    fn start(&self, task: NewTask, on_end: OnEnd) -> Result<Accepted, LinkFailure>;

    /// Ends a task. One that waits for an answer of the region ends at once. `false`: there is no
    /// such task.
    fn purge(&self, task_number: u32, code: AbendCode, force: bool) -> bool;

    /// Decides whether a task that abended runs again, now or when the program that is asked has
    /// ended.
    fn decide(&self, again: Again, then: Decided) {
        let _ = again;
        then(None);
    }
}

/// How a task that had a number is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// By RETURN.
    Normal,
    /// By abend.
    Abnormal,
    /// Its worker died.
    WorkerDied,
    /// It never ran: there was no place for it.
    NoPlace,
}

/// What services hear of tasks, in the order they subscribed.
pub(crate) trait TaskEvents: Send + Sync {
    /// A task got its number.
    fn task_began(&self, task_number: u32, sections: &Sections) {
        let _ = (task_number, sections);
    }

    /// A task got no number. `busy`: it may be tried again.
    fn task_refused(&self, sections: &Sections, busy: bool) {
        let _ = (sections, busy);
    }

    /// A task is over, however it ended.
    fn task_ended(&self, task_number: u32, ending: Ending) {
        let _ = (task_number, ending);
    }
}

/// A failure before a task number was given.
pub(crate) fn refused(fault: Fault, text: String) -> LinkFailure {
    LinkFailure {
        fault,
        text,
        task_number: None,
    }
}
