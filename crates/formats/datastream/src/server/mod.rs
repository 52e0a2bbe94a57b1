//! The host's end of a TN3270(E) connection, without the socket.
//!
//! What: [`Server::feed`] takes bytes of a client and gives events; what must be sent collects in
//! [`Server::output`]. The door decides on LUs when it gets [`ServerEvent::Device`], everything
//! else of the dialogue runs by itself. Why: the whole protocol can be tested without a network.
//! Not here: sockets, TLS, time limits, the data stream inside records.
//!
//! Dialogue: START-TLS if asked for, then TN3270E; a client that refuses it is asked for its
//! terminal types one by one (basic TN3270); one without any 3270 type is reported as
//! [`ServerEvent::NotA3270`] and its input comes as text. Limits are those of [`crate::telnet`] and
//! [`DEVICE_ATTEMPTS_MAX`]; the session ends with [`ServerEvent::Closed`], after which all input is
//! dropped.

mod dialogue;
mod records;
mod tn3270e;

use crate::telnet::{CloseReason, Decoder, NEGOTIATIONS_MAX, Options};
use crate::tn3270e::{DeviceType, Functions, Outcome};

/// Most device types a client may try, and LUs that may be refused, before the session ends.
pub const DEVICE_ATTEMPTS_MAX: u32 = 24;

/// What a server asks for and grants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerOptions {
    pub start_tls: StartTls,
    /// Ask for TN3270E; otherwise basic TN3270 at once.
    pub tn3270e: bool,
    /// Functions granted when asked for; printers get no more than printers can have.
    pub functions: Functions,
    /// Ask for NEW-ENVIRON (USER, DEVNAME, IBMELF ...).
    pub environment: bool,
}

/// TLS by telnet option 46.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartTls {
    No,
    /// A client that does not know it goes on without TLS.
    Offer,
    /// A client that does not know it is refused.
    Require,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            start_tls: StartTls::No,
            tn3270e: true,
            functions: Functions::PRINTER,
            environment: false,
        }
    }
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerEvent {
    /// Both ends agreed: send what is in the output, then hand the connection to TLS, then call
    /// [`Server::tls_started`]. Bytes that `feed` did not take belong to TLS.
    StartTls,
    /// Answer with [`Server::accept_device`] or [`Server::reject_device`].
    Device(DeviceRequest),
    /// Negotiation is complete; records can be sent.
    Connected(Connected),
    /// Variables of NEW-ENVIRON: names and values.
    Environment(Vec<(String, String)>),
    /// A 3270 data stream.
    Data(Vec<u8>),
    /// Answer to the record of that sequence number.
    Response { sequence: u16, outcome: Outcome },
    /// Text typed in SSCP-LU state, in EBCDIC.
    SscpLu(Vec<u8>),
    /// Text of a client outside 3270 mode.
    Text(Vec<u8>),
    /// The Attn key (BREAK or IP).
    Attention,
    /// The SysReq key (AO).
    SysReq,
    /// The client is alive: it answered [`Server::ask_alive`].
    Alive,
    /// A printer is ready again.
    ConditionCleared,
    /// A record too short for its header or of unknown type was dropped; its length in bytes.
    BadRecord(usize),
    /// The client left 3270 mode and negotiates again; a new `Device` event may follow.
    Renegotiating,
    /// A telnet client without 3270 device types; those it named.
    NotA3270(Vec<String>),
    /// The session is over; send what is in the output and close.
    Closed(CloseReason),
}

/// A client asks for a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceRequest {
    pub device: DeviceType,
    pub lu: LuRequest,
    /// By TN3270E; otherwise by terminal type, `TYPE@LU` (RFC 1646) included.
    pub tn3270e: bool,
}

/// Which LU a client wants; names in upper case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LuRequest {
    /// Any.
    Any,
    /// This LU, or one of this pool.
    Connect(String),
    /// The printer that belongs to this terminal.
    Associate(String),
}

/// A session that is ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connected {
    pub device: DeviceType,
    pub lu: String,
    pub tn3270e: bool,
    /// None in basic TN3270. If it has BIND-IMAGE, send [`Server::send_bind`] before any data.
    pub functions: Functions,
}

/// Where the dialogue stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// DO START-TLS sent.
    AskTls,
    /// FOLLOWS sent; the client's is awaited.
    TlsFollows,
    /// DO TN3270E sent.
    AskTn3270e,
    /// TN3270E is on; a device request is awaited, or its decision.
    Device,
    /// A device was given; functions are negotiated.
    Functions,
    /// Terminal types are cycled.
    TerminalTypes,
    /// BINARY and EOR are asked for.
    BasicOptions,
    Ready,
    /// A client without 3270.
    Text,
    /// TLS takes the connection over, or it is closed.
    Stopped,
}

/// State of one connection.
#[derive(Debug, Clone)]
pub struct Server {
    options: ServerOptions,
    decoder: Decoder,
    telnet: Options,
    phase: Phase,
    out: Vec<u8>,
    /// Terminal types of basic telnet seen so far.
    types: Vec<String>,
    pending: Option<DeviceRequest>,
    session: Option<Connected>,
    attempts: u32,
    negotiations: u32,
    sequence: u16,
}

impl Server {
    /// A new connection; the first commands are in the output.
    pub fn new(options: ServerOptions) -> Self {
        let mut server = Self {
            options,
            decoder: Decoder::new(),
            telnet: Options::default(),
            phase: Phase::Stopped,
            out: Vec::new(),
            types: Vec::new(),
            pending: None,
            session: None,
            attempts: 0,
            negotiations: 0,
            sequence: 0,
        };
        server.begin(options.start_tls != StartTls::No);
        server
    }

    /// Takes bytes of the client; appends events. Returns how many bytes were taken: all of them,
    /// unless [`ServerEvent::StartTls`] is the last event.
    pub fn feed(&mut self, input: &[u8], events: &mut Vec<ServerEvent>) -> usize {
        let mut rest = input;
        while self.phase != Phase::Stopped {
            match self.decoder.next(&mut rest) {
                Ok(Some(item)) => self.item(item, events),
                Ok(None) => break,
                Err(reason) => self.close(reason, events),
            }
            if self.negotiations > NEGOTIATIONS_MAX && self.phase != Phase::Stopped {
                self.close(CloseReason::NegotiationStorm, events);
            }
        }
        if events.last() == Some(&ServerEvent::StartTls) {
            input.len() - rest.len()
        } else {
            input.len()
        }
    }

    /// Bytes to send; the caller writes them and clears what was written.
    pub fn output(&mut self) -> &mut Vec<u8> {
        &mut self.out
    }

    /// The TLS handshake is done: negotiation begins anew, inside TLS.
    pub fn tls_started(&mut self) {
        self.decoder = Decoder::new();
        self.telnet = Options::default();
        self.begin(false);
    }

    /// The session, once it is ready.
    pub fn session(&self) -> Option<&Connected> {
        self.session.as_ref().filter(|_| self.phase == Phase::Ready)
    }

    fn close(&mut self, reason: CloseReason, events: &mut Vec<ServerEvent>) {
        self.phase = Phase::Stopped;
        self.session = None;
        events.push(ServerEvent::Closed(reason));
    }
}
