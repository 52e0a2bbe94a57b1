//! Telnet as far as 3270 terminals use it: bytes, commands, options.
//!
//! What: a decoder of the byte stream, option bookkeeping, encoders. Why: server and client differ
//! in what they ask for, not in how telnet works. Not here: the dialogues (`server`, `client`) and
//! time limits (doors).
//!
//! Limits, and what happens beyond them: a record longer than [`RECORD_BYTES_MAX`], a
//! subnegotiation longer than [`SUBNEGOTIATION_BYTES_MAX`], or more than [`NEGOTIATIONS_MAX`]
//! option commands without data between them end the session.

mod decoder;
mod options;
mod passing;

pub use decoder::{Decoder, Item};
pub use options::{Change, Options, Side};
pub use passing::{ASK_TIMING_MARK, Marks, Passing};

/// Most bytes of one record from the peer, telnet escapes removed. A Read Buffer of 62x160 with an
/// attribute per character stays below.
pub const RECORD_BYTES_MAX: usize = 131_072;
/// Most bytes of one subnegotiation.
pub const SUBNEGOTIATION_BYTES_MAX: usize = 2_048;
/// Most option commands and subnegotiations without a data record between them.
pub const NEGOTIATIONS_MAX: u32 = 256;

pub const IAC: u8 = 0xFF;
pub const DONT: u8 = 0xFE;
pub const DO: u8 = 0xFD;
pub const WONT: u8 = 0xFC;
pub const WILL: u8 = 0xFB;
pub const SB: u8 = 0xFA;
/// Are you there.
pub const AYT: u8 = 0xF6;
/// Abort output: the SysReq key of TN3270E.
pub const AO: u8 = 0xF5;
/// Interrupt process: the Attn key of TN3270E.
pub const IP: u8 = 0xF4;
/// The Attn key of basic TN3270.
pub const BREAK: u8 = 0xF3;
pub const NOP: u8 = 0xF1;
pub const SE: u8 = 0xF0;
/// End of record.
pub const EOR: u8 = 0xEF;

pub const OPTION_BINARY: u8 = 0;
pub const OPTION_TIMING_MARK: u8 = 6;
pub const OPTION_TERMINAL_TYPE: u8 = 24;
pub const OPTION_EOR: u8 = 25;
pub const OPTION_NEW_ENVIRON: u8 = 39;
pub const OPTION_TN3270E: u8 = 40;
pub const OPTION_START_TLS: u8 = 46;

/// IS and SEND of TERMINAL-TYPE and NEW-ENVIRON; FOLLOWS of START-TLS is 1 too.
pub const IS: u8 = 0;
pub const SEND: u8 = 1;
pub const FOLLOWS: u8 = 1;
/// ESC of NEW-ENVIRON: the next byte is data. VAR 0, VALUE 1 and USERVAR 3 are its neighbours.
pub const ENVIRONMENT_ESCAPE: u8 = 2;

/// Why a session cannot go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CloseReason {
    /// More than [`RECORD_BYTES_MAX`] bytes without end of record.
    RecordTooLong,
    /// More than [`SUBNEGOTIATION_BYTES_MAX`] bytes without end.
    SubnegotiationTooLong,
    /// More than [`NEGOTIATIONS_MAX`] option commands without data.
    NegotiationStorm,
    /// TLS is required and the client does not know START-TLS.
    TlsRefused,
    /// No device type or LU was acceptable within the attempts allowed.
    DeviceRefused,
}

/// Appends data with IAC doubled.
pub fn put_escaped(out: &mut Vec<u8>, data: &[u8]) {
    out.reserve(data.len() + 2);
    for run in data.split_inclusive(|byte| *byte == IAC) {
        out.extend_from_slice(run);
        if run.last() == Some(&IAC) {
            out.push(IAC);
        }
    }
}

/// Appends one record: data escaped, then end of record.
pub fn put_record(out: &mut Vec<u8>, header: &[u8], data: &[u8]) {
    put_escaped(out, header);
    put_escaped(out, data);
    out.extend([IAC, EOR]);
}

/// Appends a subnegotiation with its data escaped.
pub fn put_subnegotiation(out: &mut Vec<u8>, option: u8, data: &[u8]) {
    out.extend([IAC, SB, option]);
    put_escaped(out, data);
    out.extend([IAC, SE]);
}

/// Variables of a NEW-ENVIRON IS or INFO, name and value; undefined ones are left out.
pub fn environment(data: &[u8]) -> Vec<(String, String)> {
    let mut found: Vec<(Vec<u8>, Option<Vec<u8>>)> = Vec::new();
    let mut bytes = data.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            // VAR and USERVAR.
            0 | 3 => found.push((Vec::new(), None)),
            // VALUE.
            1 => {
                if let Some((_, value)) = found.last_mut() {
                    *value = Some(Vec::new());
                }
            }
            byte => {
                // ESC takes the next byte as it is.
                let byte = if byte == 2 {
                    bytes.next().unwrap_or(2)
                } else {
                    byte
                };
                match found.last_mut() {
                    Some((_, Some(value))) => value.push(byte),
                    Some((name, None)) => name.push(byte),
                    None => {}
                }
            }
        }
    }
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let defined = found
        .into_iter()
        .filter_map(|(name, value)| Some((text(name), text(value?))));
    defined.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iac_in_data_is_doubled() {
        let mut out = Vec::new();
        put_record(&mut out, &[], &[0x01, 0xFF, 0x02]);
        assert_eq!(out, [0x01, 0xFF, 0xFF, 0x02, 0xFF, 0xEF]);
    }

    #[test]
    fn environment_variables_of_express_logon() {
        let data = b"\x03IBMELF\x01YES\x03IBMAPPLID\x01None\x00USER";
        let found = environment(data);
        assert_eq!(found[0], ("IBMELF".to_owned(), "YES".to_owned()));
        assert_eq!(found.len(), 2);
    }
}
