//! The client's part in negotiations.
//!
//! What: answers to the host's options and subnegotiations. Why: a client only answers, so there is
//! no order of phases to keep. Not here: option bookkeeping (`telnet`).

use super::{Client, ClientEvent};
use crate::telnet::{
    self, Change, DO, FOLLOWS, IAC, IS, Item, OPTION_BINARY, OPTION_EOR, OPTION_NEW_ENVIRON,
    OPTION_START_TLS, OPTION_TERMINAL_TYPE, OPTION_TIMING_MARK, OPTION_TN3270E, SEND, Side, WILL,
    put_subnegotiation,
};
use crate::tn3270e::{Functions, RejectReason, word};

impl Client {
    pub(super) fn item(&mut self, item: Item, events: &mut Vec<ClientEvent>) {
        match item {
            Item::Record(record) => self.record(record, events),
            Item::Text(text) => events.push(ClientEvent::Text(text)),
            Item::Command(_) => {}
            Item::Negotiate(verb, option) => {
                // A sign of life asks for nothing that could go round in circles.
                self.negotiations += u32::from(option != OPTION_TIMING_MARK);
                self.negotiate(verb, option, events);
            }
            Item::Subnegotiation(option, data) => {
                self.negotiations += 1;
                match (option, data.as_slice()) {
                    (OPTION_START_TLS, [FOLLOWS]) if self.tls_sent => {
                        self.stopped = true;
                        events.push(ClientEvent::StartTls);
                    }
                    (OPTION_TERMINAL_TYPE, [SEND]) => self.name_type(),
                    (OPTION_NEW_ENVIRON, [SEND, asked @ ..]) => self.name_environment(asked),
                    (OPTION_TN3270E, data) => self.tn3270e(data, events),
                    _ => {}
                }
            }
        }
    }

    fn negotiate(&mut self, verb: u8, option: u8, events: &mut Vec<ClientEvent>) {
        if option == OPTION_TIMING_MARK {
            if verb == DO {
                self.out.extend([IAC, WILL, OPTION_TIMING_MARK]);
            }
            return;
        }
        let options = &self.options;
        let allowed = |side| match (side, option) {
            (_, OPTION_BINARY | OPTION_EOR) => true,
            (Side::Local, OPTION_TERMINAL_TYPE) => true,
            (Side::Local, OPTION_TN3270E) => options.tn3270e,
            (Side::Local, OPTION_NEW_ENVIRON) => true,
            (Side::Local, OPTION_START_TLS) => options.start_tls,
            _ => false,
        };
        match self.telnet.receive(verb, option, allowed, &mut self.out) {
            Change::On(Side::Local, OPTION_START_TLS) => {
                self.tls_sent = true;
                put_subnegotiation(&mut self.out, OPTION_START_TLS, &[FOLLOWS]);
            }
            Change::On(Side::Local, OPTION_TN3270E) => {
                self.leave(events);
                self.decoder.set_records(true);
            }
            Change::Off(Side::Local, OPTION_TN3270E) => {
                self.leave(events);
                self.decoder.set_records(false);
                self.check_basic(events);
            }
            Change::On(_, OPTION_BINARY | OPTION_EOR) => self.check_basic(events),
            Change::Off(_, OPTION_BINARY | OPTION_EOR) if !self.is_tn3270e() => {
                self.leave(events);
                self.decoder.set_records(false);
            }
            _ => {}
        }
    }

    fn leave(&mut self, events: &mut Vec<ClientEvent>) {
        self.next_type = 0;
        if self.connected.take().is_some() {
            events.push(ClientEvent::Disconnected);
        }
    }

    /// Basic 3270 mode: terminal type named, BINARY and EOR on at both ends.
    fn check_basic(&mut self, events: &mut Vec<ClientEvent>) {
        let all_on = [OPTION_EOR, OPTION_BINARY].into_iter().all(|option| {
            self.telnet.is_on(Side::Remote, option) && self.telnet.is_on(Side::Local, option)
        });
        let typed = self.telnet.is_on(Side::Local, OPTION_TERMINAL_TYPE);
        if all_on && typed && !self.is_tn3270e() && self.connected.is_none() {
            self.decoder.set_records(true);
            self.connect(Functions::NONE, events);
        }
    }

    fn connect(&mut self, functions: Functions, events: &mut Vec<ClientEvent>) {
        self.connected = Some(functions);
        events.push(ClientEvent::Connected {
            tn3270e: self.is_tn3270e(),
            lu: self.lu.clone(),
            functions,
        });
    }

    /// The next terminal type; the last one again and again when all are named.
    fn name_type(&mut self) {
        let last = self.options.types.len().saturating_sub(1);
        let name = self.options.types.get(self.next_type.min(last));
        let mut answer = vec![IS];
        answer.extend(name.map_or("UNKNOWN", String::as_str).bytes());
        if let Some(lu) = &self.options.lu {
            answer.push(b'@');
            answer.extend(lu.bytes());
        }
        self.next_type = (self.next_type + 1).min(last + 1);
        put_subnegotiation(&mut self.out, OPTION_TERMINAL_TYPE, &answer);
    }

    fn name_environment(&mut self, asked: &[u8]) {
        let names: Vec<&[u8]> = asked
            .split(|byte| matches!(byte, 0 | 3))
            .filter(|name| !name.is_empty())
            .collect();
        let mut answer = vec![IS];
        for (name, value) in &self.options.environment {
            if !names.is_empty() && !names.contains(&name.as_bytes()) {
                continue;
            }
            answer.push(if name == "USER" { 0 } else { 3 });
            put_variable(&mut answer, name);
            answer.push(1);
            put_variable(&mut answer, value);
        }
        put_subnegotiation(&mut self.out, OPTION_NEW_ENVIRON, &answer);
    }

    fn tn3270e(&mut self, data: &[u8], events: &mut Vec<ClientEvent>) {
        if !self.is_tn3270e() {
            return;
        }
        match data {
            [word::SEND, word::DEVICE_TYPE] => self.request_device(),
            [word::DEVICE_TYPE, word::IS, rest @ ..] => {
                let lu = rest.split(|byte| *byte == word::CONNECT).nth(1);
                self.lu = String::from_utf8_lossy(lu.unwrap_or_default()).into_owned();
                self.put_functions(word::REQUEST, self.options.functions);
            }
            [word::DEVICE_TYPE, word::REJECT, rest @ ..] => {
                let reason = rest
                    .last()
                    .copied()
                    .unwrap_or(RejectReason::UnknownError as u8);
                events.push(ClientEvent::Rejected(RejectReason::from_byte(reason)));
                self.telnet.stop(Side::Local, OPTION_TN3270E, &mut self.out);
                self.decoder.set_records(false);
            }
            [word::FUNCTIONS, word::IS, list @ ..] => {
                let (functions, _) = Functions::from_list(list);
                self.connect(functions.and(self.options.functions), events);
            }
            [word::FUNCTIONS, word::REQUEST, list @ ..] => {
                let (asked, unknown) = Functions::from_list(list);
                let agreed = asked.and(self.options.functions);
                if agreed == asked && !unknown {
                    self.put_functions(word::IS, agreed);
                    self.connect(agreed, events);
                } else {
                    self.put_functions(word::REQUEST, agreed);
                }
            }
            _ => {}
        }
    }

    fn request_device(&mut self) {
        let mut request = vec![word::DEVICE_TYPE, word::REQUEST];
        let name = self.options.types.first();
        request.extend(name.map_or("IBM-3278-2-E", String::as_str).bytes());
        if let Some(lu) = &self.options.lu {
            request.push(word::CONNECT);
            request.extend(lu.bytes());
        }
        put_subnegotiation(&mut self.out, OPTION_TN3270E, &request);
    }

    fn put_functions(&mut self, kind: u8, functions: Functions) {
        let mut data = vec![word::FUNCTIONS, kind];
        data.extend(functions.list());
        put_subnegotiation(&mut self.out, OPTION_TN3270E, &data);
    }
}

/// A name or value of NEW-ENVIRON, with its own control bytes escaped.
fn put_variable(out: &mut Vec<u8>, text: &str) {
    for byte in text.bytes() {
        if byte <= telnet::ENVIRONMENT_ESCAPE + 1 {
            out.push(telnet::ENVIRONMENT_ESCAPE);
        }
        out.push(byte);
    }
}
