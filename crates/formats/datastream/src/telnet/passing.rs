//! Telnet that passes by: what somebody between two ends must know of it.
//!
//! What: [`Passing`] finds the ends of records and the places where a command may be put in,
//! [`Marks`] takes the answers to such commands out again, so that the other end does not get what
//! it never asked for. Why no decoder: everything else must pass byte for byte, whatever it is.
//! Not here: what a record says.

use super::{DO, EOR, IAC, OPTION_TIMING_MARK, SB, SE, WILL, WONT};

/// The command that asks for a sign of life.
pub const ASK_TIMING_MARK: [u8; 3] = [IAC, DO, OPTION_TIMING_MARK];
/// Questions without an answer, at most: a client that never answers is asked no more.
const ASKED_MAX: u8 = 8;

/// Where in a command the last byte was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum At {
    /// Nothing has passed.
    #[default]
    Begin,
    /// Behind a record or a command.
    Between,
    /// Within a record, or text.
    Data,
    Iac,
    /// WILL, WONT, DO, DONT: its option follows.
    Option,
    Subnegotiation,
    SubnegotiationIac,
    /// The first byte was none of telnet.
    Foreign,
}

/// Watches one direction.
#[derive(Debug, Clone, Copy, Default)]
pub struct Passing(At);

impl Passing {
    /// Bytes pass; answers how many records end in them.
    pub fn pass(&mut self, bytes: &[u8]) -> u64 {
        let mut records = 0;
        let mut rest = bytes;
        loop {
            match self.0 {
                At::Foreign => return records,
                At::Data | At::Subnegotiation => {
                    let Some(at) = rest.iter().position(|byte| *byte == IAC) else {
                        return records;
                    };
                    rest = &rest[at..];
                }
                _ => {}
            }
            let Some((byte, behind)) = rest.split_first() else {
                return records;
            };
            records += u64::from(self.0 == At::Iac && *byte == EOR);
            self.0 = self.0.behind(*byte);
            rest = behind;
        }
    }

    /// A command may be put in here: neither a record nor a command has begun.
    pub fn is_between(self) -> bool {
        self.0 == At::Between
    }
}

impl At {
    fn behind(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::Begin, IAC) => Self::Iac,
            (Self::Begin | Self::Foreign, _) => Self::Foreign,
            (Self::Between | Self::Data, IAC) => Self::Iac,
            (Self::Between | Self::Data, _) => Self::Data,
            (Self::Iac, IAC) => Self::Data,
            (Self::Iac, SB) => Self::Subnegotiation,
            (Self::Iac, WILL..=0xFE) => Self::Option,
            (Self::Iac | Self::Option, _) => Self::Between,
            (Self::Subnegotiation, IAC) => Self::SubnegotiationIac,
            (Self::SubnegotiationIac, SE) => Self::Between,
            (Self::Subnegotiation | Self::SubnegotiationIac, _) => Self::Subnegotiation,
        }
    }
}

/// Takes answers to [`ASK_TIMING_MARK`] out of what a client sends.
#[derive(Debug, Clone, Copy, Default)]
pub struct Marks {
    asked: u8,
    /// Bytes of a command that may be an answer.
    held: [u8; 2],
    held_count: u8,
    inside: At,
}

impl Marks {
    /// Asks once more; `false`: too many answers are missing.
    pub fn ask(&mut self) -> bool {
        let more = self.asked < ASKED_MAX;
        self.asked += u8::from(more);
        more
    }

    /// An answer is waited for, so that bytes must go through [`Marks::take`].
    pub fn awaits(self) -> bool {
        self.asked > 0 || self.held_count > 0
    }

    /// Where the client is in its stream; for bytes that do not go through [`Marks::take`].
    pub fn pass(&mut self, bytes: &[u8]) {
        let mut passing = Passing(self.inside);
        passing.pass(bytes);
        self.inside = passing.0;
    }

    /// Appends what is no answer to `out`.
    pub fn take(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        for byte in bytes {
            self.byte(*byte, out);
        }
    }

    fn byte(&mut self, byte: u8, out: &mut Vec<u8>) {
        let before = self.inside;
        self.inside = before.behind(byte);
        let begins = matches!(before, At::Begin | At::Between | At::Data) && byte == IAC;
        let [iac, verb] = self.held;
        match self.held_count {
            0 if begins && self.asked > 0 => {
                self.held = [byte, 0];
                self.held_count = 1;
            }
            1 if matches!(byte, WILL | WONT) => {
                self.held = [iac, byte];
                self.held_count = 2;
            }
            2 if byte == OPTION_TIMING_MARK => {
                self.held_count = 0;
                self.asked -= 1;
            }
            count => {
                let held = [iac, verb];
                out.extend_from_slice(&held[..usize::from(count)]);
                out.push(byte);
                self.held_count = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &[u8] = &[0xF5, 0xC3, 0xFF, 0xFF, 0x01, IAC, EOR];

    #[test]
    fn records_are_counted_wherever_they_are_cut() {
        let subnegotiation = [IAC, SB, 24, 1, IAC, IAC, EOR, IAC, SE];
        let stream = [&[IAC, DO, 24], &subnegotiation[..], RECORD, RECORD].concat();
        for cut in 0..stream.len() {
            let mut passing = Passing::default();
            let records = passing.pass(&stream[..cut]) + passing.pass(&stream[cut..]);
            assert_eq!((records, passing.is_between()), (2, true), "{cut}");
        }
    }

    #[test]
    fn nothing_is_put_into_records_commands_and_what_is_no_telnet() {
        let between = |bytes: &[u8]| {
            let mut passing = Passing::default();
            passing.pass(bytes);
            passing.is_between()
        };
        assert!(between(&[IAC, DO, 24]) && between(RECORD.split_at(5).1));
        for bytes in [
            &[] as &[u8],
            &[IAC],
            &[IAC, DO],
            &[IAC, SB, 24],
            &[IAC, DO, 24, 0xF5],
            &[0x16, 3, 1, IAC, EOR],
        ] {
            assert!(!between(bytes), "{bytes:?}");
        }
    }

    #[test]
    fn answers_are_taken_out_and_nothing_else() {
        let asked = [IAC, WILL, OPTION_TIMING_MARK];
        let refused = [IAC, WONT, OPTION_TIMING_MARK];
        let other = [IAC, WILL, 24];
        // In data 0xFF is doubled; what follows it is no command.
        let data = [0x7D, IAC, IAC, WILL, OPTION_TIMING_MARK, IAC, EOR];
        let begin = [IAC, WILL, 25];
        let stream = [&begin[..], &data, &asked, &other, &refused, &data, &asked].concat();
        // The third answer belongs to a question of the host.
        let passes = [&begin[..], &data, &other, &data, &asked].concat();
        for cut in 0..stream.len() {
            let (mut marks, mut out) = (Marks::default(), Vec::new());
            assert!(marks.ask() && marks.ask());
            marks.take(&stream[..cut], &mut out);
            marks.take(&stream[cut..], &mut out);
            assert_eq!(out, passes, "{cut}");
            assert!(!marks.awaits());
        }
        let mut silent = Marks::default();
        assert!((0..ASKED_MAX).all(|_| silent.ask()) && !silent.ask());
    }
}
