//! The telnet byte stream cut into items.
//!
//! What: records, text, commands, options, subnegotiations; escapes removed. Why: any split of the
//! input into packets gives the same items. Not here: answers.

use super::{CloseReason, DO, DONT, EOR, IAC, RECORD_BYTES_MAX, SB, SE};
use super::{SUBNEGOTIATION_BYTES_MAX, WILL, WONT};

/// One item of the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// Data up to end of record.
    Record(Vec<u8>),
    /// Data of a peer that does not send records (yet): as much as there was.
    Text(Vec<u8>),
    /// A command without operand: BREAK, IP, AO, NOP ...
    Command(u8),
    /// DO, DONT, WILL or WONT with its option.
    Negotiate(u8, u8),
    Subnegotiation(u8, Vec<u8>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Data,
    Iac,
    Verb(u8),
    SubOption,
    Sub,
    SubIac,
}

/// Decoder of one direction. Its memory is bounded by [`RECORD_BYTES_MAX`] and
/// [`SUBNEGOTIATION_BYTES_MAX`].
#[derive(Debug, Clone)]
pub struct Decoder {
    state: State,
    records: bool,
    data: Vec<u8>,
    option: u8,
    sub: Vec<u8>,
}

impl Default for Decoder {
    fn default() -> Self {
        Self {
            state: State::Data,
            records: false,
            data: Vec::new(),
            option: 0,
            sub: Vec::new(),
        }
    }
}

impl Decoder {
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether data is kept until end of record, or handed on as text.
    pub fn set_records(&mut self, records: bool) {
        self.records = records;
    }

    /// Takes bytes off the front of `input` until there is an item; `None` when all input is taken.
    ///
    /// # Errors
    /// A limit was exceeded; the session must end.
    pub fn next(&mut self, input: &mut &[u8]) -> Result<Option<Item>, CloseReason> {
        while let Some((&byte, rest)) = input.split_first() {
            if self.state == State::Data {
                self.take_run(input)?;
                if input.is_empty() {
                    break;
                }
                *input = input.get(1..).unwrap_or_default();
                self.state = State::Iac;
                continue;
            }
            // Text before a command comes first; the command byte is looked at again.
            let ends_text = self.state == State::Iac && byte != IAC && byte != EOR;
            if ends_text
                && !self.records
                && let Some(text) = self.text()
            {
                return Ok(Some(text));
            }
            *input = rest;
            if let Some(item) = self.step(byte)? {
                return Ok(Some(item));
            }
        }
        let in_data = matches!(self.state, State::Data);
        Ok(if in_data && !self.records {
            self.text()
        } else {
            None
        })
    }

    /// Data bytes up to the next IAC.
    fn take_run(&mut self, input: &mut &[u8]) -> Result<(), CloseReason> {
        let end = input.iter().position(|b| *b == IAC).unwrap_or(input.len());
        let (run, rest) = input.split_at(end);
        if self.data.len() + run.len() > RECORD_BYTES_MAX {
            return Err(CloseReason::RecordTooLong);
        }
        self.data.extend_from_slice(run);
        *input = rest;
        Ok(())
    }

    fn text(&mut self) -> Option<Item> {
        (!self.data.is_empty()).then(|| Item::Text(std::mem::take(&mut self.data)))
    }

    fn step(&mut self, byte: u8) -> Result<Option<Item>, CloseReason> {
        let (state, item) = match (self.state, byte) {
            (State::Data, _) => (State::Data, None),
            (State::Iac, IAC) => {
                if self.data.len() >= RECORD_BYTES_MAX {
                    return Err(CloseReason::RecordTooLong);
                }
                self.data.push(IAC);
                (State::Data, None)
            }
            (State::Iac, EOR) => {
                let record = std::mem::take(&mut self.data);
                (State::Data, Some(Item::Record(record)))
            }
            (State::Iac, WILL | WONT | DO | DONT) => (State::Verb(byte), None),
            (State::Iac, SB) => (State::SubOption, None),
            (State::Iac, command) => (State::Data, Some(Item::Command(command))),
            (State::Verb(verb), option) => (State::Data, Some(Item::Negotiate(verb, option))),
            (State::SubOption, option) => {
                self.option = option;
                self.sub.clear();
                (State::Sub, None)
            }
            (State::Sub, IAC) => (State::SubIac, None),
            (State::SubIac, SE) => {
                let data = std::mem::take(&mut self.sub);
                (State::Data, Some(Item::Subnegotiation(self.option, data)))
            }
            // IAC IAC is a data byte; IAC and anything else is taken as that byte, since no peer
            // sends it.
            (State::Sub | State::SubIac, byte) => {
                if self.sub.len() >= SUBNEGOTIATION_BYTES_MAX {
                    return Err(CloseReason::SubnegotiationTooLong);
                }
                self.sub.push(byte);
                (State::Sub, None)
            }
        };
        self.state = state;
        Ok(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(records: bool, packets: &[&[u8]]) -> Vec<Item> {
        let mut decoder = Decoder::new();
        decoder.set_records(records);
        let mut found = Vec::new();
        for packet in packets {
            let mut input = *packet;
            while let Some(item) = decoder.next(&mut input).expect("within limits") {
                found.push(item);
            }
        }
        found
    }

    #[test]
    fn any_split_gives_the_same_items() {
        let stream = [
            0xFF, 0xFB, 0x18, 0x01, 0xFF, 0xFF, 0x02, 0xFF, 0xEF, 0xFF, 0xFA, 0x18, 0x00, 0xFF,
            0xFF, 0xFF, 0xF0, 0xFF, 0xF3, 0xFF, 0xEF,
        ];
        let expected = [
            Item::Negotiate(WILL, 24),
            Item::Record(vec![1, 0xFF, 2]),
            Item::Subnegotiation(24, vec![0, 0xFF]),
            Item::Command(0xF3),
            Item::Record(vec![]),
        ];
        assert_eq!(items(true, &[&stream]), expected);
        for split in 0..stream.len() {
            let (first, second) = stream.split_at(split);
            assert_eq!(items(true, &[first, second]), expected, "split at {split}");
        }
    }

    #[test]
    fn text_of_a_plain_telnet_comes_at_once() {
        let found = items(false, &[b"hello\xFF\xFD\x03there"]);
        let expected = [
            Item::Text(b"hello".to_vec()),
            Item::Negotiate(DO, 3),
            Item::Text(b"there".to_vec()),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn limits_end_the_session() {
        let mut decoder = Decoder::new();
        decoder.set_records(true);
        let big = vec![0x40; RECORD_BYTES_MAX + 1];
        assert_eq!(
            decoder.next(&mut big.as_slice()),
            Err(CloseReason::RecordTooLong)
        );
        let mut decoder = Decoder::new();
        let mut sub = vec![IAC, SB, 24];
        sub.resize(SUBNEGOTIATION_BYTES_MAX + 4, 0x40);
        assert_eq!(
            decoder.next(&mut sub.as_slice()),
            Err(CloseReason::SubnegotiationTooLong)
        );
    }
}
