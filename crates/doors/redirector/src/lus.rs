//! Which LU a client gets: what it asks for by telnet, held against `[hosts.NAME.lus]`.
//!
//! What: bytes of the client pass, but for what names a device: TN3270E DEVICE-TYPE REQUEST and
//! TERMINAL-TYPE IS. Those are read as a whole, get an LU or are refused, and are written anew, so
//! that the host reads what was decided on. Why not at the beginning only: a client may ask again.
//! Not here: what the host answers.

use crate::counts::count;
use crate::host::Host;
use std::net::SocketAddr;
use std::sync::Arc;
use transom_datastream::telnet::{
    DO, DONT, IAC, IS, OPTION_TERMINAL_TYPE, OPTION_TN3270E, SB, SE, SUBNEGOTIATION_BYTES_MAX,
    WILL, WONT, put_subnegotiation,
};
use transom_settings::LuRule;
use transom_types::ClientCertificate;

/// Requests of a session that may be refused before it ends.
const REFUSED_MAX: u32 = 24;
/// Words of TN3270E (RFC 2355).
const ASSOCIATE: u8 = 0;
const CONNECT: u8 = 1;
const DEVICE_TYPE: u8 = 2;
const REASON: u8 = 5;
const REJECT: u8 = 6;
const REQUEST: u8 = 7;
const DEVICE_IN_USE: u8 = 1;
const INV_NAME: u8 = 3;

/// Why a session ends here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Denied {
    /// What it asks for cannot be seen.
    NoTelnet,
    /// It asks for an LU that it may not have, and cannot be told so or will not hear.
    Lu,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Begin,
    Data,
    Iac,
    Verb,
    Option,
    /// In a subnegotiation that passes as it is.
    Other,
    OtherIac,
    /// In one that names a device.
    Device(u8),
    DeviceIac(u8),
}

/// What a client asks for is changed or refused.
pub(crate) struct Lus {
    host: Arc<Host>,
    client: SocketAddr,
    rules: Arc<[LuRule]>,
    /// Places among the rules of those about this client.
    own: Vec<usize>,
    /// What this session has of the host's LUs.
    taken: Option<String>,
    /// LUs it was given before and asks again: the host did not want them.
    tried: Vec<String>,
    at: At,
    asked: Vec<u8>,
    refused: u32,
}

/// What is to be done with a request.
enum Answer {
    /// It goes on, to this LU.
    To(Option<String>),
    Refused(u8),
}

impl Lus {
    /// Of a client; `None`: the host has no rules.
    pub(crate) fn of(
        host: &Arc<Host>,
        rules: &Arc<[LuRule]>,
        client: SocketAddr,
        certificate: Option<&ClientCertificate>,
    ) -> Option<Box<Self>> {
        let about = |rule: &LuRule| rule.is_for(client.ip(), certificate);
        let own = (0..rules.len()).filter(|nth| rules.get(*nth).is_some_and(about));
        let own = own.collect();
        let lus = || Self {
            host: host.clone(),
            client,
            rules: rules.clone(),
            own,
            taken: None,
            tried: Vec::new(),
            at: At::Begin,
            asked: Vec::new(),
            refused: 0,
        };
        (!rules.is_empty()).then(|| Box::new(lus()))
    }

    /// Takes bytes of the client; what passes is in `out`, what it is answered in `back`.
    pub(crate) fn pass(
        &mut self,
        bytes: &[u8],
        out: &mut Vec<u8>,
        back: &mut Vec<u8>,
    ) -> Result<(), Denied> {
        for byte in bytes {
            self.at = self.step(*byte, out, back)?;
        }
        Ok(())
    }

    fn step(&mut self, byte: u8, out: &mut Vec<u8>, back: &mut Vec<u8>) -> Result<At, Denied> {
        Ok(match (self.at, byte) {
            (At::Begin | At::Data, IAC) => At::Iac,
            (At::Begin, _) => return Err(Denied::NoTelnet),
            (At::Iac, SB) => At::Option,
            (At::Option, OPTION_TN3270E | OPTION_TERMINAL_TYPE) => {
                self.asked.clear();
                At::Device(byte)
            }
            (At::Option, option) => {
                out.extend([IAC, SB, option]);
                At::Other
            }
            (At::Device(option), IAC) => At::DeviceIac(option),
            (At::Device(option), byte) => self.keep(option, byte)?,
            (At::DeviceIac(option), IAC) => self.keep(option, IAC)?,
            (At::DeviceIac(option), SE) => {
                self.whole(option, out, back)?;
                At::Data
            }
            // Nobody sends it, and hosts may read it in different ways.
            (At::DeviceIac(_), _) => return Err(Denied::Lu),
            (at, byte) => {
                if at == At::Iac {
                    out.push(IAC);
                }
                out.push(byte);
                match (at, byte) {
                    (At::Iac, DO | DONT | WILL | WONT) => At::Verb,
                    (At::Other, IAC) => At::OtherIac,
                    (At::OtherIac, SE) => At::Data,
                    (At::Other | At::OtherIac, _) => At::Other,
                    _ => At::Data,
                }
            }
        })
    }

    fn keep(&mut self, option: u8, byte: u8) -> Result<At, Denied> {
        if self.asked.len() >= SUBNEGOTIATION_BYTES_MAX {
            return Err(Denied::Lu);
        }
        self.asked.push(byte);
        Ok(At::Device(option))
    }

    /// A whole subnegotiation.
    fn whole(&mut self, option: u8, out: &mut Vec<u8>, back: &mut Vec<u8>) -> Result<(), Denied> {
        let asked = std::mem::take(&mut self.asked);
        match (option, asked.as_slice()) {
            (OPTION_TN3270E, [DEVICE_TYPE, REQUEST, request @ ..]) => {
                self.request(request, out, back)
            }
            (OPTION_TERMINAL_TYPE, [IS, name @ ..]) => self.terminal_type(name, out),
            _ => {
                put_subnegotiation(out, option, &asked);
                Ok(())
            }
        }
    }

    /// A device type, CONNECT or ASSOCIATE, an LU.
    fn request(
        &mut self,
        asked: &[u8],
        out: &mut Vec<u8>,
        back: &mut Vec<u8>,
    ) -> Result<(), Denied> {
        let end = asked.iter().position(|byte| *byte < b' ');
        let (device, rest) = asked.split_at(end.unwrap_or(asked.len()));
        let answer = match rest {
            [] => self.answer(None, false),
            [verb @ (CONNECT | ASSOCIATE), lu @ ..] => self.answer(Some(lu), *verb == ASSOCIATE),
            _ => Answer::Refused(INV_NAME),
        };
        match answer {
            Answer::To(lu) => {
                let verb = match rest {
                    [ASSOCIATE, ..] => ASSOCIATE,
                    _ => CONNECT,
                };
                let mut request = [&[DEVICE_TYPE, REQUEST], device].concat();
                if let Some(lu) = lu {
                    request.push(verb);
                    request.extend_from_slice(lu.as_bytes());
                }
                put_subnegotiation(out, OPTION_TN3270E, &request);
                Ok(())
            }
            Answer::Refused(_) if self.refused >= REFUSED_MAX => Err(Denied::Lu),
            Answer::Refused(why) => {
                let reject = [DEVICE_TYPE, REJECT, REASON, why];
                put_subnegotiation(back, OPTION_TN3270E, &reject);
                Ok(())
            }
        }
    }

    /// Without TN3270E an LU stands behind the type, `IBM-3278-2@LU`, and nobody can be told no.
    fn terminal_type(&mut self, name: &[u8], out: &mut Vec<u8>) -> Result<(), Denied> {
        let mut parts = name.splitn(2, |byte| *byte == b'@');
        let device = parts.next().unwrap_or_default();
        let lu = match self.answer(parts.next(), false) {
            Answer::To(lu) => lu,
            Answer::Refused(_) => return Err(Denied::Lu),
        };
        let mut is = [&[IS], device].concat();
        if let Some(lu) = lu {
            is.push(b'@');
            is.extend_from_slice(lu.as_bytes());
        }
        put_subnegotiation(out, OPTION_TERMINAL_TYPE, &is);
        Ok(())
    }

    fn answer(&mut self, asked: Option<&[u8]>, associate: bool) -> Answer {
        let Some(asked) = asked else {
            return self.any();
        };
        let lu = String::from_utf8_lossy(asked).trim().to_ascii_uppercase();
        let has = |nth: &usize| self.rules.get(*nth).is_some_and(|rule| rule.has(&lu));
        let may = match self.own.is_empty() {
            true => !self.rules.iter().any(|rule| rule.has(&lu)),
            false => self.own.iter().any(has),
        };
        if !may {
            return self.refuse(&lu, INV_NAME);
        }
        if !associate {
            self.leave();
            self.host.seats.take(&lu);
            self.taken = Some(lu.clone());
        }
        Answer::To(Some(lu))
    }

    /// No LU is asked for.
    fn any(&mut self) -> Answer {
        if self.own.is_empty() {
            return Answer::To(None);
        }
        self.tried.extend(self.taken.clone());
        self.leave();
        let rules = self.own.iter().filter_map(|nth| self.rules.get(*nth));
        let names = rules.flat_map(LuRule::names);
        let fresh = names.filter(|lu| !self.tried.contains(lu));
        match self.host.seats.first(fresh) {
            Some(lu) => {
                self.taken = Some(lu.clone());
                Answer::To(Some(lu))
            }
            None => self.refuse("of its own, all are in use", DEVICE_IN_USE),
        }
    }

    fn refuse(&mut self, lu: &str, why: u8) -> Answer {
        self.refused += 1;
        count(&self.host.counts.lus_refused);
        let shown: String = lu.chars().filter(|c| !c.is_control()).take(40).collect();
        self.host.lu_refused(self.client, &shown);
        Answer::Refused(why)
    }

    fn leave(&mut self) {
        if let Some(lu) = self.taken.take() {
            self.host.seats.leave(&lu);
        }
    }
}

impl Drop for Lus {
    fn drop(&mut self) {
        self.leave();
    }
}
