//! The terminal's end of a TN3270(E) connection, without the socket.
//!
//! What: [`Client::feed`] takes bytes of a host and gives events; what must be sent collects in
//! [`Client::output`]. Why: the workload driver runs thousands of these, tests hold the server
//! against it, a browser terminal can be one. Not here: the screen (`Screen`), sockets, TLS.

mod dialogue;

use crate::telnet::{
    AO, BREAK, CloseReason, Decoder, IAC, IP, NEGOTIATIONS_MAX, Options, put_record,
};
use crate::tn3270e::{Bind, DataType, Functions, Header, Outcome, RESPONSE_NONE, RejectReason};

/// What a client asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientOptions {
    /// Terminal types offered in basic TN3270, in order; the first is asked for in TN3270E.
    pub types: Vec<String>,
    /// LU or pool wanted.
    pub lu: Option<String>,
    /// Agree to TN3270E.
    pub tn3270e: bool,
    /// Functions asked for in TN3270E.
    pub functions: Functions,
    /// Variables given if the host asks for NEW-ENVIRON; USER is sent as VAR, all others as
    /// USERVAR.
    pub environment: Vec<(String, String)>,
    /// Agree to START-TLS.
    pub start_tls: bool,
}

impl Default for ClientOptions {
    fn default() -> Self {
        Self {
            types: vec!["IBM-3278-2-E".to_owned()],
            lu: None,
            tn3270e: true,
            functions: Functions::DISPLAY,
            environment: Vec::new(),
            start_tls: false,
        }
    }
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientEvent {
    /// Send what is in the output, hand the connection to TLS, then call [`Client::tls_started`].
    /// Bytes that `feed` did not take belong to TLS.
    StartTls,
    /// 3270 mode: TN3270E or basic.
    Connected {
        tn3270e: bool,
        /// LU name given; empty in basic TN3270.
        lu: String,
        functions: Functions,
    },
    /// A 3270 data stream. If `response` is `RESPONSE_ALWAYS` (or, on errors, `RESPONSE_ERROR`)
    /// answer with [`Client::respond`].
    Data {
        stream: Vec<u8>,
        response: u8,
        sequence: u16,
    },
    /// A session with an application begins.
    Bind(Bind),
    /// It ends.
    Unbind,
    /// Unformatted text of the host's system services.
    SscpLu(Vec<u8>),
    /// Text outside 3270 mode.
    Text(Vec<u8>),
    /// SCS data for a printer.
    Scs(Vec<u8>),
    /// A printer job is complete.
    EndOfJob,
    /// The host refused the device; the client falls back to basic TN3270.
    Rejected(RejectReason),
    /// 3270 mode was left; negotiation begins anew.
    Disconnected,
    /// A record too short for its header or of unknown type was dropped; its length in bytes.
    BadRecord(usize),
    /// The session is over.
    Closed(CloseReason),
}

/// State of one connection.
#[derive(Debug, Clone)]
pub struct Client {
    options: ClientOptions,
    decoder: Decoder,
    telnet: Options,
    out: Vec<u8>,
    /// Next terminal type to name.
    next_type: usize,
    /// LU given by TN3270E.
    lu: String,
    /// Functions agreed; `None` outside 3270 mode.
    connected: Option<Functions>,
    tls_sent: bool,
    stopped: bool,
    negotiations: u32,
}

impl Client {
    pub fn new(options: ClientOptions) -> Self {
        Self {
            options,
            decoder: Decoder::new(),
            telnet: Options::default(),
            out: Vec::new(),
            next_type: 0,
            lu: String::new(),
            connected: None,
            tls_sent: false,
            stopped: false,
            negotiations: 0,
        }
    }

    /// Takes bytes of the host; appends events. Returns how many bytes were taken: all of them,
    /// unless [`ClientEvent::StartTls`] is the last event.
    pub fn feed(&mut self, input: &[u8], events: &mut Vec<ClientEvent>) -> usize {
        let mut rest = input;
        while !self.stopped {
            match self.decoder.next(&mut rest) {
                Ok(Some(item)) => self.item(item, events),
                Ok(None) => break,
                Err(reason) => self.close(reason, events),
            }
            if self.negotiations > NEGOTIATIONS_MAX && !self.stopped {
                self.close(CloseReason::NegotiationStorm, events);
            }
        }
        if events.last() == Some(&ClientEvent::StartTls) {
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
        let options = std::mem::take(&mut self.options);
        *self = Self::new(ClientOptions {
            start_tls: false,
            ..options
        });
    }

    /// In TN3270E mode (or negotiating it).
    pub fn is_tn3270e(&self) -> bool {
        self.telnet
            .is_on(crate::telnet::Side::Local, crate::telnet::OPTION_TN3270E)
    }

    pub fn is_connected(&self) -> bool {
        self.connected.is_some()
    }

    /// Sends an inbound record as [`crate::Screen::press`] makes it; false and nothing sent outside
    /// 3270 mode.
    pub fn send(&mut self, record: &[u8]) -> bool {
        self.send_record(DataType::Data3270, RESPONSE_NONE, 0, record)
    }

    /// Sends text to the host's system services, in EBCDIC.
    pub fn send_sscp_lu(&mut self, text: &[u8]) -> bool {
        self.is_tn3270e() && self.send_record(DataType::SscpLuData, RESPONSE_NONE, 0, text)
    }

    /// Answers a record.
    pub fn respond(&mut self, sequence: u16, outcome: Outcome) -> bool {
        let (flag, code) = outcome.bytes();
        self.is_tn3270e() && self.send_record(DataType::Response, flag, sequence, &[code])
    }

    /// The Attn key.
    pub fn attention(&mut self) {
        let command = if self.is_tn3270e() { IP } else { BREAK };
        self.out.extend([IAC, command]);
    }

    /// The SysReq key: AO with SYSREQ agreed, a test request record otherwise.
    pub fn system_request(&mut self) {
        let agreed = self.connected.unwrap_or_default();
        if self.is_tn3270e() && agreed.contains(Functions::SYSREQ) {
            self.out.extend([IAC, AO]);
        } else {
            self.send(&[0x01, 0x6C, 0x61, 0x02]);
        }
    }

    fn send_record(&mut self, kind: DataType, flag: u8, sequence: u16, data: &[u8]) -> bool {
        if self.connected.is_none() {
            return false;
        }
        if self.is_tn3270e() {
            let header = Header::new(kind, flag, sequence);
            put_record(&mut self.out, &header.bytes(), data);
        } else {
            put_record(&mut self.out, &[], data);
        }
        true
    }

    fn record(&mut self, mut record: Vec<u8>, events: &mut Vec<ClientEvent>) {
        self.negotiations = 0;
        if !self.is_tn3270e() {
            if !record.is_empty() {
                events.push(ClientEvent::Data {
                    stream: record,
                    response: RESPONSE_NONE,
                    sequence: 0,
                });
            }
            return;
        }
        let length = record.len();
        let Some((header, data)) = Header::split(&record) else {
            events.push(ClientEvent::BadRecord(length));
            return;
        };
        let event = match header.data_type {
            DataType::Data3270 => ClientEvent::Data {
                stream: record.split_off(Header::BYTES),
                response: header.response_flag,
                sequence: header.sequence,
            },
            DataType::BindImage => match Bind::parse(data) {
                Some(bind) => ClientEvent::Bind(bind),
                None => ClientEvent::BadRecord(length),
            },
            DataType::Unbind => ClientEvent::Unbind,
            DataType::SscpLuData => ClientEvent::SscpLu(record.split_off(Header::BYTES)),
            DataType::NvtData => ClientEvent::Text(record.split_off(Header::BYTES)),
            DataType::ScsData => ClientEvent::Scs(record.split_off(Header::BYTES)),
            DataType::PrintEoj => ClientEvent::EndOfJob,
            DataType::Response | DataType::Request => ClientEvent::BadRecord(length),
        };
        events.push(event);
    }

    fn close(&mut self, reason: CloseReason, events: &mut Vec<ClientEvent>) {
        self.stopped = true;
        self.connected = None;
        events.push(ClientEvent::Closed(reason));
    }
}
