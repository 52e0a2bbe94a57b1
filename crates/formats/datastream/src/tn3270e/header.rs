//! The five bytes in front of each TN3270E record, and RESPONSE records.
//!
//! What: header and response, both ways. Why: sequence numbers tie a response to what it answers.
//! Not here: when to ask for responses.

/// What follows a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum DataType {
    Data3270 = 0,
    ScsData = 1,
    Response = 2,
    BindImage = 3,
    Unbind = 4,
    NvtData = 5,
    Request = 6,
    SscpLuData = 7,
    PrintEoj = 8,
}

/// Response flag: no answer wanted.
pub const RESPONSE_NONE: u8 = 0;
/// Response flag: answer on errors only.
pub const RESPONSE_ERROR: u8 = 1;
/// Response flag: always answer.
pub const RESPONSE_ALWAYS: u8 = 2;

/// A TN3270E header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Header {
    pub data_type: DataType,
    /// Only with REQUEST: 0 is "error condition cleared".
    pub request_flag: u8,
    /// One of the `RESPONSE_` constants; in a RESPONSE 0 is positive, 1 negative.
    pub response_flag: u8,
    pub sequence: u16,
}

/// What a client answers to a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Positive response: processed.
    Done,
    /// Negative: a command or order it cannot take.
    CommandReject,
    /// Negative: printer not ready.
    InterventionRequired,
    /// Negative: the data stream is in error.
    OperationCheck,
    /// Negative: the device is gone.
    ComponentDisconnected,
    /// Negative, with a code RFC 2355 does not have.
    Other(u8),
}

impl DataType {
    pub fn from_byte(byte: u8) -> Option<Self> {
        Some(match byte {
            0 => Self::Data3270,
            1 => Self::ScsData,
            2 => Self::Response,
            3 => Self::BindImage,
            4 => Self::Unbind,
            5 => Self::NvtData,
            6 => Self::Request,
            7 => Self::SscpLuData,
            8 => Self::PrintEoj,
            _ => return None,
        })
    }
}

impl Header {
    /// Length of a header in bytes.
    pub const BYTES: usize = 5;

    pub fn new(data_type: DataType, response_flag: u8, sequence: u16) -> Self {
        Self {
            data_type,
            request_flag: 0,
            response_flag,
            sequence,
        }
    }

    /// Header and rest of a record; `None` if it is shorter than a header or of unknown type.
    pub fn split(record: &[u8]) -> Option<(Self, &[u8])> {
        let (&[data_type, request_flag, response_flag, high, low], rest) =
            record.split_first_chunk::<5>()?;
        let header = Self {
            data_type: DataType::from_byte(data_type)?,
            request_flag,
            response_flag,
            sequence: u16::from_be_bytes([high, low]),
        };
        Some((header, rest))
    }

    pub fn bytes(self) -> [u8; 5] {
        let [high, low] = self.sequence.to_be_bytes();
        [
            self.data_type as u8,
            self.request_flag,
            self.response_flag,
            high,
            low,
        ]
    }
}

impl Outcome {
    /// From the response flag and the data of a RESPONSE record.
    pub fn parse(response_flag: u8, data: &[u8]) -> Self {
        match (response_flag, data.first().copied()) {
            (0, _) => Self::Done,
            (_, Some(0)) => Self::CommandReject,
            (_, Some(1)) => Self::InterventionRequired,
            (_, Some(2)) => Self::OperationCheck,
            (_, Some(3)) => Self::ComponentDisconnected,
            (_, code) => Self::Other(code.unwrap_or(0xFF)),
        }
    }

    /// Response flag and data byte of a RESPONSE record.
    pub fn bytes(self) -> (u8, u8) {
        match self {
            Self::Done => (0, 0),
            Self::CommandReject => (1, 0),
            Self::InterventionRequired => (1, 1),
            Self::OperationCheck => (1, 2),
            Self::ComponentDisconnected => (1, 3),
            Self::Other(code) => (1, code),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_both_ways() {
        let header = Header::new(DataType::Data3270, RESPONSE_ALWAYS, 258);
        assert_eq!(header.bytes(), [0, 0, 2, 1, 2]);
        assert_eq!(
            Header::split(&[0, 0, 2, 1, 2, 0xF5]),
            Some((header, &[0xF5][..]))
        );
        assert_eq!(Header::split(&[0, 0, 2, 1]), None);
        assert_eq!(Header::split(&[9, 0, 2, 1, 2]), None);
    }

    #[test]
    fn responses_both_ways() {
        for outcome in [
            Outcome::Done,
            Outcome::CommandReject,
            Outcome::OperationCheck,
        ] {
            let (flag, code) = outcome.bytes();
            assert_eq!(Outcome::parse(flag, &[code]), outcome);
        }
    }
}
