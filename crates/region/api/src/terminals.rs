//! Terminal sessions: what a door knows of a device, and what a region needs to write to it.
//!
//! Data streams cross as bytes, commands and orders as a 3270 has them; `transom_datastream` reads
//! and writes them on both sides. Not here: telnet, sockets, what screens mean.

use std::sync::Arc;
use transom_types::{ClientCertificate, Device, TcpClient, TermId};

/// A region that serves terminals.
pub trait Terminals: Send + Sync {
    /// Whether a client may have the LU it wants; the name of the LU when it must be a certain one.
    /// Asked before [`Terminals::logon`], which decides.
    ///
    /// # Errors
    /// The client does not get this LU.
    fn seat(&self, seat: Seat<'_>, printer: bool) -> Result<Option<String>, SeatRefused>;

    /// A terminal session begins: the region gives it a terminal definition (autoinstall or the one
    /// of its LU name) and shows the good morning screen. What the region sends goes to `output`.
    ///
    /// # Errors
    /// There is no such terminal, or it is in use.
    fn logon(&self, logon: Logon, output: Arc<dyn TerminalOutput>)
    -> Result<Session, LogonRefused>;

    /// One inbound record of a terminal: AID, cursor address and fields, as the data stream has
    /// them. Never waits.
    fn input(&self, terminal: TermId, record: Vec<u8>);

    /// A key that is not part of the data stream.
    fn attention(&self, terminal: TermId, attention: Attention);

    /// The session is gone; a task that uses the terminal gets TERMERR.
    fn logoff(&self, terminal: TermId);
}

/// A session as its door offers it.
#[derive(Debug, Clone)]
pub struct Logon {
    /// LU name the client asked for, at most 8 characters; `None`: any terminal will do.
    pub netname: Option<String>,
    /// The device.
    pub device: Device,
    /// Address of the client, for logs and INQUIRE TERMINAL.
    pub peer: String,
    /// The same as addresses, for INQUIRE ASSOCIATION; `None`: it came another way.
    pub client: Option<TcpClient>,
    /// The session is protected by TLS.
    pub tls: bool,
    /// The certificate the client showed, which is one to believe.
    pub certificate: Option<ClientCertificate>,
    /// A printer: LU name of the display it belongs to (ASSOCIATE of TN3270E).
    pub partner: Option<String>,
}

/// Which LU a client wants, before it is a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seat<'a> {
    /// Any.
    Any,
    /// This one, upper case.
    Named(&'a str),
    /// The printer of this display, upper case.
    PrinterOf(&'a str),
}

/// Why a client does not get the LU it wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeatRefused {
    /// There is no LU of this name.
    Unknown,
    /// Another session has it, or it is out of service.
    InUse,
    /// The LU is a display and the client a printer, or the other way round.
    WrongType,
    /// There is no such display to be the printer of.
    NoPartner,
}

/// The way back to a terminal. Implemented by doors; a region calls it from any thread.
pub trait TerminalOutput: Send + Sync {
    /// Queues one 3270 data stream that begins with its command code. Never waits. `false`: the
    /// session is gone, or its queue is full because the client reads nothing; the region then ends
    /// the session.
    fn write(&self, stream: Vec<u8>) -> bool;

    /// Ends the session after what is queued was written.
    fn disconnect(&self);

    /// The same way back for what the device is to confirm; `None` when it cannot, and the region
    /// writes without knowing the outcome.
    fn confirmed(&self) -> Option<&dyn ConfirmedOutput>;
}

/// The way back to a terminal whose device confirms what it gets.
pub trait ConfirmedOutput {
    /// As [`TerminalOutput::write`], and tells what the device made of it. `done` is called later,
    /// never from inside this call; it is dropped when the session ends before.
    fn deliver(&self, delivery: Delivery, done: Done) -> bool;
}

/// What a device is to confirm.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Delivery {
    /// A 3270 data stream that begins with its command code, or SCS; empty: nothing but the end of
    /// the job.
    pub stream: Vec<u8>,
    /// The stream is SCS, for a printer of LU type 1.
    pub scs: bool,
    /// A printer's job ends here.
    pub end_of_job: bool,
}

/// Takes the outcome of a delivery.
pub type Done = Box<dyn FnOnce(Outcome) + Send>;

/// What a device made of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Displayed or printed. From a device that sends no responses: written to the network.
    Taken,
    /// Refused as wrong.
    Refused,
}

/// A session the region accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Terminal identifier.
    pub terminal: TermId,
    /// LU name, as INQUIRE TERMINAL shows it.
    pub netname: String,
    /// A printer that gets SCS (LU type 1), not 3270 data streams.
    pub scs: bool,
}

/// Why a session was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogonRefused {
    /// The LU name is used by another session; else there is none, or no more terminals.
    pub in_use: bool,
    /// One sentence that begins with its TXM identifier.
    pub text: String,
}

/// Keys that TN3270 carries beside the data stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attention {
    /// ATTN.
    Attn,
    /// SYSREQ.
    SysReq,
}
