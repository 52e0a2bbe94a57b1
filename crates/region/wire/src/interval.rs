//! A START request on its way from the command to the region's clock and on to RETRIEVE.
//!
//! What: the request, its bytes and the requests of this domain. The same bytes lie in the store
//! when the request is protected, so a change of them needs a new [`FORMAT`]. Not here: clocks,
//! tasks.

use crate::codec::{Reader, Writer};
use transom_types::{TermId, TransId, UserId};

/// First byte of a stored request.
const FORMAT: u8 = 1;

/// First byte of the section of a task that a trigger level began; the queue's name follows.
pub const TRIGGER: u8 = 3;

/// Requests of this domain, first byte.
pub mod ask {
    /// START: milliseconds from now, then the request.
    pub const START: u8 = 1;
    /// RETRIEVE: WAIT, DTIMOUT in milliseconds, section of the task.
    pub const RETRIEVE: u8 = 2;
    /// CANCEL: REQID.
    pub const CANCEL: u8 = 3;
    /// INQUIRE REQID: REQID.
    pub const INQUIRE: u8 = 4;
    /// Browse of INQUIRE REQID: nothing.
    pub const LIST: u8 = 5;
}

/// What RETRIEVE answers: the data options of one START.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StartData {
    /// FROM.
    pub from: Option<Vec<u8>>,
    /// FMH.
    pub fmh: bool,
    /// RTRANSID.
    pub rtransid: Option<[u8; 4]>,
    /// RTERMID.
    pub rtermid: Option<[u8; 4]>,
    /// QUEUE.
    pub queue: Option<[u8; 8]>,
}

/// One START.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartRequest {
    /// REQID, given or made up; unique among requests with data.
    pub reqid: [u8; 8],
    /// Transaction.
    pub transid: TransId,
    /// TERMID.
    pub termid: Option<TermId>,
    /// Who the task runs for.
    pub userid: UserId,
    /// PROTECT.
    pub protect: bool,
    /// ATTACH: STARTCODE is U.
    pub attach: bool,
    /// When, in milliseconds since 1970 UTC; set by the region.
    pub due_ms: u64,
    /// What RETRIEVE answers.
    pub data: StartData,
    /// CHANNEL with its containers, as `payload` encodes a reply.
    pub channel: Option<Vec<u8>>,
}

impl StartData {
    /// RETRIEVE has something to answer.
    pub fn is_some(&self) -> bool {
        self.from.is_some()
            || self.rtransid.is_some()
            || self.rtermid.is_some()
            || self.queue.is_some()
    }

    pub fn write(&self, out: &mut Writer) {
        optional(out, self.from.as_deref());
        out.flag(self.fmh);
        optional(out, self.rtransid.as_ref().map(|name| &name[..]));
        optional(out, self.rtermid.as_ref().map(|name| &name[..]));
        optional(out, self.queue.as_ref().map(|name| &name[..]));
    }

    pub fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            from: read_optional(from)?.map(<[u8]>::to_vec),
            fmh: from.flag()?,
            rtransid: read_optional(from)?.and_then(|name| name.try_into().ok()),
            rtermid: read_optional(from)?.and_then(|name| name.try_into().ok()),
            queue: read_optional(from)?.and_then(|name| name.try_into().ok()),
        })
    }
}

impl StartRequest {
    /// Bytes the request keeps in memory, about.
    pub fn bytes(&self) -> usize {
        let length = |bytes: &Option<Vec<u8>>| bytes.as_ref().map_or(0, Vec::len);
        128 + length(&self.data.from) + length(&self.channel)
    }

    /// STARTCODE of its task.
    pub fn start_code(&self) -> [u8; 2] {
        match (self.attach, self.data.from.is_some()) {
            (true, _) => *b"U ",
            (_, true) => *b"SD",
            _ => *b"S ",
        }
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(self.bytes());
        out.u8(FORMAT).raw(&self.reqid).raw(self.transid.as_bytes());
        optional(
            &mut out,
            self.termid.as_ref().map(|name| &name.as_bytes()[..]),
        );
        out.raw(self.userid.as_bytes())
            .flag(self.protect)
            .flag(self.attach)
            .u64(self.due_ms);
        self.data.write(&mut out);
        optional(&mut out, self.channel.as_deref());
        out.0
    }

    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        if from.u8()? != FORMAT {
            return None;
        }
        Some(Self {
            reqid: from.raw(8)?.try_into().ok()?,
            transid: TransId::from_field(from.raw(4)?),
            termid: read_optional(&mut from)?.map(TermId::from_field),
            userid: UserId::from_field(from.raw(8)?),
            protect: from.flag()?,
            attach: from.flag()?,
            due_ms: from.u64()?,
            data: StartData::read(&mut from)?,
            channel: read_optional(&mut from)?.map(<[u8]>::to_vec),
        })
    }
}

fn optional(out: &mut Writer, bytes: Option<&[u8]>) {
    out.flag(bytes.is_some()).bytes(bytes.unwrap_or_default());
}

/// The outer `None`: the bytes are damaged.
fn read_optional<'a>(from: &mut Reader<'a>) -> Option<Option<&'a [u8]>> {
    let given = from.flag()?;
    let bytes = from.bytes()?;
    Some(given.then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_comes_back_from_its_bytes() {
        let request = StartRequest {
            reqid: *b"PAYROLL1",
            transid: TransId::from_field(b"PAY1"),
            termid: Some(TermId::from_field(b"T001")),
            userid: UserId::from_field(b"ALICE"),
            protect: true,
            attach: false,
            due_ms: 77,
            data: StartData {
                from: Some(b"DATA".to_vec()),
                queue: Some(*b"MYQUEUE "),
                ..StartData::default()
            },
            channel: None,
        };
        assert_eq!(request.start_code(), *b"SD");
        let bytes = request.encode();
        assert_eq!(StartRequest::decode(&bytes), Some(request));
        for cut in 0..bytes.len() {
            assert_eq!(StartRequest::decode(&bytes[..cut]), None);
        }
    }
}
