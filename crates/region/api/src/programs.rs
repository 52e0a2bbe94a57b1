//! LINK from outside: what a mirror task is asked and what it answers.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;
use transom_types::{AbendCode, Payload, ProgramName, Resp, StartedBy, TcpClient, TransId, UserId};

/// An answer that arrives later. Plain `std` types, so that no runtime is forced on anybody.
pub type Reply<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A region that runs programs for callers outside of it.
pub trait Programs: Send + Sync {
    /// Runs a program in a new task (a mirror) and answers with what it left in its COMMAREA or
    /// channel. Dropping the reply does not stop the task.
    fn link(&self, request: LinkRequest) -> Reply<Result<LinkOutput, LinkFailure>>;
}

/// Ask a region to run a program.
#[derive(Debug, Clone)]
pub struct LinkRequest {
    /// The program to run.
    pub program: ProgramName,
    /// Transaction the mirror task runs under; `None` takes the region's default mirror (`CSMI`).
    pub transid: Option<TransId>,
    /// User the task runs for; `None` takes DFLTUSER.
    pub userid: Option<UserId>,
    /// COMMAREA or channel.
    pub payload: Payload,
    /// COMMAREA bytes the caller can take back; 0 = as many as it sent.
    pub reply_bytes_max: usize,
    /// Give up and answer [`Fault::TimedOut`] after this long; the task is purged.
    pub timeout: Option<Duration>,
    /// Who asks, for monitoring and ASSIGN STARTCODE.
    pub started_by: StartedBy,
    /// The client over TCP/IP whose request it is, for INQUIRE ASSOCIATION.
    pub client: Option<TcpClient>,
}

/// A program that ended normally.
#[derive(Debug, Clone)]
pub struct LinkOutput {
    /// What the program left.
    pub payload: Payload,
    /// Task number, for logs and audit records.
    pub task_number: u32,
    /// Transaction the task ran under.
    pub transid: TransId,
    /// User plus system time the task used, in nanoseconds; 0 when not measured.
    pub cpu_ns: u64,
}

/// A LINK that did not end normally.
#[derive(Debug, Clone)]
pub struct LinkFailure {
    /// What went wrong.
    pub fault: Fault,
    /// One sentence for the log and the operator; begins with the TXM message identifier.
    pub text: String,
    /// The task, when one was attached.
    pub task_number: Option<u32>,
}

/// Kinds of failure, each with one meaning for every door.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The program ended with this abend code. The unit of work was backed out.
    Abend(AbendCode),
    /// The request was refused before a program ran: PGMIDERR, LENGERR, NOTAUTH, DISABLED ...
    Refused {
        /// Condition.
        resp: Resp,
        /// Its reason code.
        resp2: u32,
    },
    /// The region takes no work now: MXT or class queue full, or it is stopping. A retry is safe.
    Busy,
    /// The time limit of the request passed. The task was purged; a retry may run it twice.
    TimedOut,
    /// The region or the way to it failed. Whether the program ran is not known.
    Unavailable,
}

impl Fault {
    /// True when nothing has run, so that the same request may be sent again.
    pub fn retry_is_safe(self) -> bool {
        matches!(self, Fault::Busy | Fault::Refused { .. })
    }
}
