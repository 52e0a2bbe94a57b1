//! Device types and functions of TN3270E, the server's part.
//!
//! What: DEVICE-TYPE REQUEST and FUNCTIONS, from subnegotiation to answer. Why: the only part of
//! the dialogue that is TN3270E's own. Not here: switching the option on and off (`dialogue`).

use super::{DEVICE_ATTEMPTS_MAX, LuRequest, Phase, Server, ServerEvent};
use crate::telnet::{CloseReason, OPTION_TN3270E, put_subnegotiation};
use crate::tn3270e::{DeviceType, Functions, RejectReason, word};

/// Longest LU name, in characters.
const LU_NAME_MAX: usize = 8;

impl Server {
    pub(super) fn tn3270e(&mut self, data: &[u8], events: &mut Vec<ServerEvent>) {
        match (self.phase, data) {
            (Phase::Device, [word::DEVICE_TYPE, word::REQUEST, rest @ ..])
                if self.pending.is_none() =>
            {
                self.device_request(rest, events);
            }
            (Phase::Functions, [word::FUNCTIONS, word::REQUEST, list @ ..]) => {
                self.functions_request(list, events);
            }
            (Phase::Functions, [word::FUNCTIONS, word::IS, list @ ..]) => {
                let (functions, unknown) = Functions::from_list(list);
                if !unknown && self.grantable().contains(functions) {
                    self.agree(functions, events);
                } else {
                    self.functions_request(list, events);
                }
            }
            _ => {}
        }
    }

    fn device_request(&mut self, data: &[u8], events: &mut Vec<ServerEvent>) {
        let at = data
            .iter()
            .position(|byte| matches!(*byte, word::CONNECT | word::ASSOCIATE));
        let (name, lu) = data.split_at(at.unwrap_or(data.len()));
        let name = String::from_utf8_lossy(name);
        let Some(device) = DeviceType::parse(&name) else {
            return self.reject(RejectReason::InvDeviceType, events);
        };
        let lu = match lu {
            [] => Some(LuRequest::Any),
            [word::CONNECT, name @ ..] => lu_name(name).map(LuRequest::Connect),
            [_, name @ ..] if device.is_printer() => lu_name(name).map(LuRequest::Associate),
            _ => return self.reject(RejectReason::InvAssociate, events),
        };
        match lu {
            Some(lu) => self.request(device, lu, events),
            None => self.reject(RejectReason::InvName, events),
        }
    }

    pub(super) fn reject(&mut self, reason: RejectReason, events: &mut Vec<ServerEvent>) {
        let answer = [word::DEVICE_TYPE, word::REJECT, word::REASON, reason as u8];
        put_subnegotiation(&mut self.out, OPTION_TN3270E, &answer);
        self.attempts += 1;
        if self.attempts > DEVICE_ATTEMPTS_MAX {
            self.close(CloseReason::DeviceRefused, events);
        }
    }

    /// Functions this server would grant the device it gave.
    fn grantable(&self) -> Functions {
        let printer = self.session.as_ref().is_some_and(|s| s.device.is_printer());
        let possible = if printer {
            Functions::PRINTER
        } else {
            Functions::DISPLAY
        };
        self.options.functions.and(possible)
    }

    fn functions_request(&mut self, list: &[u8], events: &mut Vec<ServerEvent>) {
        let (asked, unknown) = Functions::from_list(list);
        let agreed = asked.and(self.grantable());
        let whole = agreed == asked && !unknown;
        let answer = if whole { word::IS } else { word::REQUEST };
        let mut data = vec![word::FUNCTIONS, answer];
        data.extend(agreed.list());
        put_subnegotiation(&mut self.out, OPTION_TN3270E, &data);
        if whole {
            self.agree(agreed, events);
        }
    }

    fn agree(&mut self, functions: Functions, events: &mut Vec<ServerEvent>) {
        if let Some(session) = &mut self.session {
            session.functions = functions;
        }
        self.ready(events);
    }
}

/// Letters, digits and $ # @ only, 1 to 8 of them.
pub(super) fn lu_name(name: &[u8]) -> Option<String> {
    let valid = |byte: &u8| byte.is_ascii_alphanumeric() || b"$#@".contains(byte);
    let fits = (1..=LU_NAME_MAX).contains(&name.len()) && name.iter().all(valid);
    fits.then(|| String::from_utf8_lossy(name).to_ascii_uppercase())
}
