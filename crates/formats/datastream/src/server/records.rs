//! Records of a session that is ready: framing out, taking apart in.
//!
//! What: TN3270E headers, sequence numbers, BIND, UNBIND, SSCP-LU. Why: the door sends a data
//! stream and does not care which flavour of TN3270 the client speaks. Not here: negotiation.

use super::{Phase, Server, ServerEvent};
use crate::telnet::put_record;
use crate::tn3270e::{Bind, DataType, Functions, Header, Outcome, RESPONSE_NONE};

impl Server {
    /// Sends a 3270 data stream. `response` is one of the `RESPONSE_` constants of
    /// [`crate::tn3270e`] and counts only if RESPONSES was agreed. Gives the sequence number a
    /// response will carry, or `None` if the session is not ready and nothing was sent.
    pub fn send(&mut self, stream: &[u8], response: u8) -> Option<u16> {
        self.send_record(DataType::Data3270, response, stream)
    }

    /// Sends a printer data stream of SNA characters (SCS), to TN3270E printers with SCS-CTL-CODES.
    pub fn send_scs(&mut self, stream: &[u8], response: u8) -> Option<u16> {
        let printer = self.has(Functions::SCS_CTL_CODES);
        printer.then(|| self.send_record(DataType::ScsData, response, stream))?
    }

    /// Tells a printer that its job is complete (DATA-STREAM-CTL and SCS-CTL-CODES).
    pub fn send_end_of_job(&mut self) -> bool {
        let wanted = self.has(Functions::DATA_STREAM_CTL) || self.has(Functions::SCS_CTL_CODES);
        wanted
            && self
                .send_record(DataType::PrintEoj, RESPONSE_NONE, &[])
                .is_some()
    }

    /// Sends a BIND image; false and nothing sent unless BIND-IMAGE was agreed.
    pub fn send_bind(&mut self, bind: &Bind) -> bool {
        self.has(Functions::BIND_IMAGE)
            && self
                .send_record(DataType::BindImage, RESPONSE_NONE, &bind.bytes())
                .is_some()
    }

    /// Sends an UNBIND with an SNA type (1 is normal end); false and nothing sent unless BIND-IMAGE
    /// was agreed.
    pub fn send_unbind(&mut self, kind: u8) -> bool {
        self.has(Functions::BIND_IMAGE)
            && self
                .send_record(DataType::Unbind, RESPONSE_NONE, &[kind])
                .is_some()
    }

    /// Sends text to a client in SSCP-LU state, in EBCDIC; false and nothing sent outside TN3270E.
    pub fn send_sscp_lu(&mut self, text: &[u8]) -> bool {
        let possible = self.session().is_some_and(|s| s.tn3270e);
        possible
            && self
                .send_record(DataType::SscpLuData, RESPONSE_NONE, text)
                .is_some()
    }

    /// Sends a line of text to a client without 3270; ASCII. Line ends must be CR LF.
    pub fn send_text(&mut self, text: &[u8]) {
        crate::telnet::put_escaped(&mut self.out, text);
    }

    fn has(&self, function: Functions) -> bool {
        self.session()
            .is_some_and(|s| s.tn3270e && s.functions.contains(function))
    }

    fn send_record(&mut self, data_type: DataType, response: u8, data: &[u8]) -> Option<u16> {
        let session = self.session()?;
        if !session.tn3270e {
            put_record(&mut self.out, &[], data);
            return Some(0);
        }
        let numbered = session.functions.contains(Functions::RESPONSES);
        let response = if numbered { response } else { RESPONSE_NONE };
        let sequence = if numbered { self.sequence } else { 0 };
        if numbered {
            // Numbers run from 0 to 32,767.
            self.sequence = (self.sequence + 1) & 0x7FFF;
        }
        let header = Header::new(data_type, response, sequence);
        put_record(&mut self.out, &header.bytes(), data);
        Some(sequence)
    }

    pub(super) fn record(&mut self, mut record: Vec<u8>, events: &mut Vec<ServerEvent>) {
        if self.phase == Phase::Text {
            events.push(ServerEvent::Text(record));
            return;
        }
        let Some(session) = self.session() else {
            return;
        };
        let tn3270e = session.tn3270e;
        self.negotiations = 0;
        if record.is_empty() {
            return;
        }
        if !tn3270e {
            events.push(ServerEvent::Data(record));
            return;
        }
        let Some((header, data)) = Header::split(&record) else {
            events.push(ServerEvent::BadRecord(record.len()));
            return;
        };
        let event = match header.data_type {
            DataType::Response => ServerEvent::Response {
                sequence: header.sequence,
                outcome: Outcome::parse(header.response_flag, data),
            },
            DataType::Request => ServerEvent::ConditionCleared,
            DataType::Data3270 => ServerEvent::Data(record.split_off(Header::BYTES)),
            DataType::SscpLuData => ServerEvent::SscpLu(record.split_off(Header::BYTES)),
            DataType::NvtData => ServerEvent::Text(record.split_off(Header::BYTES)),
            _ => ServerEvent::BadRecord(record.len()),
        };
        events.push(event);
    }
}
