//! The front desk of a region: requests, replies and one trait.
//!
//! What: everything a door may ask of a region. Why: doors never see the core, and a remote region
//! is the same trait served over a connection. Not here: logic, an async runtime, sockets.

#![forbid(unsafe_code)]

mod inquire;
mod link;
mod terminal;

pub use inquire::{ProgramStatus, RegionInfo, Statistic, StatisticsGroup, TransactionStatus};
pub use link::{Fault, LinkFailure, LinkOutput, LinkRequest};

pub use terminal::{
    Attention, Delivery, Done, Logon, LogonRefused, Outcome, Seat, SeatRefused, Session,
    TerminalOutput,
};

pub use transom_types::{Container, ContainerData, Device, Payload, SetRequest, StartedBy};

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use transom_types::{ProgramName, TermId, TransId};

/// An answer that arrives later. Plain `std` types, so that no runtime is forced on anybody.
pub type Reply<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A transaction server as its doors see it.
pub trait Region: Send + Sync {
    /// Runs a program in a new task (a mirror) and answers with what it left in its COMMAREA or
    /// channel. Dropping the reply does not stop the task.
    fn link(&self, request: LinkRequest) -> Reply<Result<LinkOutput, LinkFailure>>;

    /// Name, size and state of the region.
    fn info(&self) -> RegionInfo;

    /// The installed program of this name.
    fn program(&self, name: ProgramName) -> Option<ProgramStatus>;

    /// The installed transaction of this name.
    fn transaction(&self, name: TransId) -> Option<TransactionStatus>;

    /// Changes the state of a resource (EXEC CICS SET, CEMT SET). The text says why not.
    fn set(&self, request: SetRequest) -> Result<(), String>;

    /// Totals and limits: every bounded thing with its peak and how often it was reached.
    fn statistics(&self) -> Vec<StatisticsGroup>;

    /// A terminal session begins: the region gives it a terminal definition (autoinstall or one of
    /// its LU name) and shows the good morning screen. What the region sends goes to `output`.
    fn logon(
        &self,
        logon: Logon,
        output: Arc<dyn TerminalOutput>,
    ) -> Result<Session, LogonRefused> {
        let _ = (logon, output);
        Err(LogonRefused {
            in_use: false,
            text: "TXMZC0001E this region takes no terminals".into(),
        })
    }

    /// Whether a client may have the LU it wants; the name of the LU when it must be a certain one.
    /// Asked before `logon`, which decides.
    fn seat(&self, seat: Seat<'_>, printer: bool) -> Result<Option<String>, SeatRefused> {
        let _ = printer;
        match seat {
            Seat::Any => Ok(None),
            Seat::Named(name) => Ok(Some(name.to_owned())),
            Seat::PrinterOf(_) => Err(SeatRefused::NoPartner),
        }
    }

    /// One inbound record of a terminal: AID, cursor address and fields, as the data stream has
    /// them. Never waits.
    fn terminal_input(&self, terminal: TermId, record: Vec<u8>) {
        let _ = (terminal, record);
    }

    /// A key that is not part of the data stream.
    fn terminal_attention(&self, terminal: TermId, attention: Attention) {
        let _ = (terminal, attention);
    }

    /// The session is gone; a task that uses the terminal gets TERMERR.
    fn logoff(&self, terminal: TermId) {
        let _ = terminal;
    }
}
