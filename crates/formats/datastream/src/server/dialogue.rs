//! The server's part in negotiations: who answers what, and what comes next.
//!
//! What: option commands and subnegotiations of each phase. Why: kept apart from records, so that
//! the order of phases can be read in one place. Not here: option bookkeeping (`telnet`).

use super::tn3270e::lu_name;
use super::{
    Connected, DEVICE_ATTEMPTS_MAX, DeviceRequest, LuRequest, Phase, Server, ServerEvent, StartTls,
};
use crate::telnet::{
    self, Change, CloseReason, FOLLOWS, IS, Item, OPTION_BINARY, OPTION_EOR, OPTION_NEW_ENVIRON,
    OPTION_START_TLS, OPTION_TERMINAL_TYPE, OPTION_TIMING_MARK, OPTION_TN3270E, SEND, Side,
    put_subnegotiation,
};
use crate::tn3270e::{DeviceType, Functions, RejectReason, word};

/// INFO of NEW-ENVIRON: variables that changed later.
const NEW_ENVIRON_INFO: u8 = 2;

impl Server {
    /// Gives the device that was asked for, under this LU name.
    ///
    /// Does nothing if no request is pending.
    pub fn accept_device(&mut self, lu: &str, events: &mut Vec<ServerEvent>) {
        let Some(request) = self.pending.take() else {
            return;
        };
        if request.tn3270e {
            let mut answer = vec![word::DEVICE_TYPE, word::IS];
            answer.extend(request.device.name.bytes());
            answer.push(word::CONNECT);
            answer.extend(lu.bytes());
            put_subnegotiation(&mut self.out, OPTION_TN3270E, &answer);
            self.phase = Phase::Functions;
        } else {
            self.phase = Phase::BasicOptions;
            for option in [OPTION_EOR, OPTION_BINARY] {
                self.telnet.ask(Side::Remote, option, &mut self.out);
                self.telnet.ask(Side::Local, option, &mut self.out);
            }
        }
        self.session = Some(Connected {
            device: request.device,
            lu: lu.to_owned(),
            tn3270e: request.tn3270e,
            functions: Functions::NONE,
        });
        self.check_basic(events);
    }

    /// Refuses the device that was asked for; the client may ask for another one. In basic TN3270
    /// there is no reason to give: the next terminal type is asked for.
    pub fn reject_device(&mut self, reason: RejectReason, events: &mut Vec<ServerEvent>) {
        match self.pending.take() {
            Some(request) if request.tn3270e => self.reject(reason, events),
            Some(_) => self.next_type(events),
            None => {}
        }
    }

    /// Asks the client for a sign of life (TIMING-MARK); it answers with [`ServerEvent::Alive`].
    pub fn ask_alive(&mut self) {
        self.out
            .extend([telnet::IAC, telnet::DO, OPTION_TIMING_MARK]);
    }

    /// Sends what no client answers, to keep the connection open in between.
    pub fn keep_alive(&mut self) {
        self.out.extend([telnet::IAC, telnet::NOP]);
    }

    pub(super) fn begin(&mut self, tls: bool) {
        if tls {
            self.phase = Phase::AskTls;
            self.telnet
                .ask(Side::Remote, OPTION_START_TLS, &mut self.out);
            return;
        }
        if self.options.environment {
            self.telnet
                .ask(Side::Remote, OPTION_NEW_ENVIRON, &mut self.out);
        }
        if self.options.tn3270e {
            self.phase = Phase::AskTn3270e;
            self.telnet.ask(Side::Remote, OPTION_TN3270E, &mut self.out);
        } else {
            self.begin_basic();
        }
    }

    pub(super) fn item(&mut self, item: Item, events: &mut Vec<ServerEvent>) {
        match item {
            Item::Record(record) => self.record(record, events),
            Item::Text(text) => events.push(ServerEvent::Text(text)),
            Item::Command(command) => self.command(command, events),
            Item::Negotiate(verb, option) => {
                // A sign of life asks for nothing that could go round in circles.
                self.negotiations += u32::from(option != OPTION_TIMING_MARK);
                self.negotiate(verb, option, events);
            }
            Item::Subnegotiation(option, data) => {
                self.negotiations += 1;
                match option {
                    OPTION_START_TLS => self.tls_follows(&data, events),
                    OPTION_TERMINAL_TYPE => self.terminal_type(&data, events),
                    OPTION_NEW_ENVIRON => self.environment(&data, events),
                    OPTION_TN3270E => self.tn3270e(&data, events),
                    _ => {}
                }
            }
        }
    }

    fn command(&mut self, command: u8, events: &mut Vec<ServerEvent>) {
        match command {
            telnet::BREAK | telnet::IP => events.push(ServerEvent::Attention),
            telnet::AO => events.push(ServerEvent::SysReq),
            telnet::AYT => self.keep_alive(),
            _ => {}
        }
    }

    fn negotiate(&mut self, verb: u8, option: u8, events: &mut Vec<ServerEvent>) {
        if option == OPTION_TIMING_MARK {
            match verb {
                telnet::DO => self
                    .out
                    .extend([telnet::IAC, telnet::WILL, OPTION_TIMING_MARK]),
                telnet::WILL | telnet::WONT => events.push(ServerEvent::Alive),
                _ => {}
            }
            return;
        }
        let allowed = |side| match (side, option) {
            (_, OPTION_BINARY | OPTION_EOR) => true,
            (Side::Remote, OPTION_TERMINAL_TYPE) => true,
            (Side::Remote, OPTION_TN3270E) => self.options.tn3270e,
            (Side::Remote, OPTION_NEW_ENVIRON) => self.options.environment,
            _ => false,
        };
        match self.telnet.receive(verb, option, allowed, &mut self.out) {
            Change::None => {}
            Change::On(side, option) => self.switched_on(side, option, events),
            Change::Off(side, option) => self.switched_off(side, option, events),
        }
    }

    fn switched_on(&mut self, side: Side, option: u8, events: &mut Vec<ServerEvent>) {
        match (side, option) {
            (Side::Remote, OPTION_START_TLS) if self.phase == Phase::AskTls => {
                self.phase = Phase::TlsFollows;
                put_subnegotiation(&mut self.out, OPTION_START_TLS, &[FOLLOWS]);
            }
            (Side::Remote, OPTION_TN3270E) if self.phase != Phase::AskTls => {
                self.session = None;
                self.pending = None;
                self.phase = Phase::Device;
                self.decoder.set_records(true);
                put_subnegotiation(
                    &mut self.out,
                    OPTION_TN3270E,
                    &[word::SEND, word::DEVICE_TYPE],
                );
            }
            (Side::Remote, OPTION_TERMINAL_TYPE) if self.phase == Phase::TerminalTypes => {
                self.send_type();
            }
            (Side::Remote, OPTION_NEW_ENVIRON) => {
                put_subnegotiation(&mut self.out, OPTION_NEW_ENVIRON, &[SEND]);
            }
            _ => self.check_basic(events),
        }
    }

    fn switched_off(&mut self, side: Side, option: u8, events: &mut Vec<ServerEvent>) {
        match (side, option) {
            (Side::Remote, OPTION_START_TLS) if self.phase == Phase::AskTls => {
                if self.options.start_tls == StartTls::Require {
                    self.close(CloseReason::TlsRefused, events);
                } else {
                    self.begin(false);
                }
            }
            (Side::Remote, OPTION_TN3270E) => {
                if self.session().is_some() {
                    events.push(ServerEvent::Renegotiating);
                }
                self.decoder.set_records(false);
                self.begin_basic();
            }
            (Side::Remote, OPTION_TERMINAL_TYPE) if self.phase == Phase::TerminalTypes => {
                self.text_only(events);
            }
            (_, OPTION_EOR | OPTION_BINARY) => match self.phase {
                Phase::BasicOptions => self.text_only(events),
                Phase::Ready if !self.in_tn3270e() => {
                    events.push(ServerEvent::Renegotiating);
                    self.text_only(events);
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn in_tn3270e(&self) -> bool {
        self.telnet.is_on(Side::Remote, OPTION_TN3270E)
    }

    fn begin_basic(&mut self) {
        self.session = None;
        self.pending = None;
        self.types.clear();
        self.phase = Phase::TerminalTypes;
        if self.telnet.is_on(Side::Remote, OPTION_TERMINAL_TYPE) {
            self.send_type();
        } else {
            self.telnet
                .ask(Side::Remote, OPTION_TERMINAL_TYPE, &mut self.out);
        }
    }

    fn send_type(&mut self) {
        put_subnegotiation(&mut self.out, OPTION_TERMINAL_TYPE, &[SEND]);
    }

    /// Asks for the next terminal type, or gives up when the client repeats its last one.
    fn next_type(&mut self, events: &mut Vec<ServerEvent>) {
        self.attempts += 1;
        let repeated = matches!(self.types.as_slice(), [.., a, b] if a == b);
        if repeated || self.attempts > DEVICE_ATTEMPTS_MAX {
            let any_3270 = self.types.iter().any(|name| device(name).is_some());
            if any_3270 {
                self.close(CloseReason::DeviceRefused, events);
            } else {
                self.text_only(events);
            }
        } else {
            self.send_type();
        }
    }

    fn text_only(&mut self, events: &mut Vec<ServerEvent>) {
        self.phase = Phase::Text;
        self.session = None;
        self.pending = None;
        self.decoder.set_records(false);
        events.push(ServerEvent::NotA3270(std::mem::take(&mut self.types)));
    }

    /// Ready as soon as BINARY and EOR are on at both ends.
    fn check_basic(&mut self, events: &mut Vec<ServerEvent>) {
        let all_on = [OPTION_EOR, OPTION_BINARY].into_iter().all(|option| {
            self.telnet.is_on(Side::Remote, option) && self.telnet.is_on(Side::Local, option)
        });
        if self.phase == Phase::BasicOptions && all_on {
            self.decoder.set_records(true);
            self.ready(events);
        }
    }

    pub(super) fn ready(&mut self, events: &mut Vec<ServerEvent>) {
        self.phase = Phase::Ready;
        self.attempts = 0;
        self.sequence = 0;
        if let Some(session) = &self.session {
            events.push(ServerEvent::Connected(session.clone()));
        }
    }

    fn tls_follows(&mut self, data: &[u8], events: &mut Vec<ServerEvent>) {
        if self.phase == Phase::TlsFollows && data == [FOLLOWS] {
            self.phase = Phase::Stopped;
            events.push(ServerEvent::StartTls);
        }
    }

    fn environment(&mut self, data: &[u8], events: &mut Vec<ServerEvent>) {
        if let [IS | NEW_ENVIRON_INFO, rest @ ..] = data {
            events.push(ServerEvent::Environment(telnet::environment(rest)));
        }
    }

    fn terminal_type(&mut self, data: &[u8], events: &mut Vec<ServerEvent>) {
        let [IS, name @ ..] = data else { return };
        if self.phase != Phase::TerminalTypes || self.pending.is_some() {
            return;
        }
        let name = String::from_utf8_lossy(name).to_ascii_uppercase();
        let repeated = self.types.last() == Some(&name);
        self.types.push(name.clone());
        match device(&name) {
            Some((device, lu)) if !repeated => {
                self.request(device, lu, events);
            }
            _ => self.next_type(events),
        }
    }

    pub(super) fn request(
        &mut self,
        device: DeviceType,
        lu: LuRequest,
        events: &mut Vec<ServerEvent>,
    ) {
        let request = DeviceRequest {
            device,
            lu,
            tn3270e: self.phase == Phase::Device,
        };
        self.pending = Some(request.clone());
        events.push(ServerEvent::Device(request));
    }
}

/// A terminal type of basic telnet, with the LU behind `@`.
fn device(name: &str) -> Option<(DeviceType, LuRequest)> {
    let (name, lu) = match name.split_once('@') {
        Some((name, lu)) => (name, LuRequest::Connect(lu_name(lu.as_bytes())?)),
        None => (name, LuRequest::Any),
    };
    Some((DeviceType::parse(name)?, lu))
}
