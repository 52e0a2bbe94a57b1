//! Requests and answers as bytes. Numbers are little-endian, texts and data have a length before
//! them.

use std::time::Duration;
use transom_region_api::{
    Container, ContainerData, Fault, LinkFailure, LinkOutput, LinkRequest, Payload, StartedBy,
};
use transom_types::{AbendCode, ChannelName, ContainerName, ProgramName, Resp, TransId, UserId};

/// First bytes of a conversation.
pub(crate) const MAGIC: [u8; 4] = *b"TXMI";
/// Most containers in one channel.
pub(crate) const CONTAINERS_MAX: usize = 10_000;
/// Longest text of a failure, bytes; longer ones are cut.
const TEXT_MAX: usize = 4_096;

/// What a frame holds.
pub(crate) mod kind {
    /// Client: magic, version, milliseconds to wait, registration. Server: magic, version, REU,
    /// MNC, MXC.
    pub(crate) const HELLO: u8 = 1;
    /// Server: a text, then the end.
    pub(crate) const REFUSED: u8 = 2;
    /// Client: a LINK request.
    pub(crate) const LINK: u8 = 3;
    /// Server: its output.
    pub(crate) const OUTPUT: u8 = 4;
    /// Server: its failure.
    pub(crate) const FAILURE: u8 = 5;
    /// Client: as HELLO, with a question behind it. One for each connection.
    pub(crate) const ASK: u8 = 6;
    /// Server: the answer to the question.
    pub(crate) const TOLD: u8 = 7;
}

/// The bytes are not what the protocol says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed;

type Result<T> = std::result::Result<T, Malformed>;

/// Bytes read from front to back.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (front, rest) = self.0.split_at_checked(count).ok_or(Malformed)?;
        self.0 = rest;
        Ok(front)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.take(N)?.try_into().map_err(|_| Malformed)
    }

    pub(crate) fn u8(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    pub(crate) fn u16(&mut self) -> Result<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn data(&mut self) -> Result<&'a [u8]> {
        let length = self.u32()? as usize;
        self.take(length)
    }

    pub(crate) fn text(&mut self) -> Result<&'a str> {
        std::str::from_utf8(self.data()?).map_err(|_| Malformed)
    }

    pub(crate) fn end(&self) -> Result<()> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(Malformed)
        }
    }
}

pub(crate) fn put_data(out: &mut Vec<u8>, data: &[u8]) {
    // Frames are checked to stay below 2^32 before they are sent.
    out.extend_from_slice(&(data.len() as u32).to_le_bytes());
    out.extend_from_slice(data);
}

/// Appends a LINK request.
pub(crate) fn put_request(out: &mut Vec<u8>, request: &LinkRequest) {
    out.push(kind::LINK);
    out.extend_from_slice(request.program.as_bytes());
    out.extend_from_slice(request.transid.unwrap_or(TransId::BLANK).as_bytes());
    out.extend_from_slice(request.userid.unwrap_or(UserId::BLANK).as_bytes());
    out.push(match request.started_by {
        StartedBy::Gateway => 0,
        StartedBy::Region => 1,
        _ => 2,
    });
    out.extend_from_slice(&(request.reply_bytes_max as u64).to_le_bytes());
    let micros = request.timeout.map_or(u64::MAX, |t| {
        u64::try_from(t.as_micros()).unwrap_or(u64::MAX)
    });
    out.extend_from_slice(&micros.to_le_bytes());
    put_payload(out, &request.payload);
}

/// Reads what [`put_request`] wrote, behind its kind byte.
pub(crate) fn request(reader: &mut Reader<'_>) -> Result<LinkRequest> {
    let program = ProgramName::from_field(reader.take(ProgramName::LEN)?);
    let transid = TransId::from_field(reader.take(TransId::LEN)?);
    let userid = UserId::from_field(reader.take(UserId::LEN)?);
    let started_by = match reader.u8()? {
        0 => StartedBy::Gateway,
        1 => StartedBy::Region,
        2 => StartedBy::Internal,
        _ => return Err(Malformed),
    };
    let reply_bytes_max = usize::try_from(reader.u64()?).map_err(|_| Malformed)?;
    let timeout = Some(reader.u64()?)
        .filter(|t| *t != u64::MAX)
        .map(Duration::from_micros);
    let payload = payload(reader)?;
    reader.end()?;
    Ok(LinkRequest {
        program,
        transid: (!transid.is_blank()).then_some(transid),
        userid: (!userid.is_blank()).then_some(userid),
        payload,
        reply_bytes_max,
        timeout,
        started_by,
    })
}

/// Appends the answer to a LINK request.
pub(crate) fn put_answer(out: &mut Vec<u8>, answer: &std::result::Result<LinkOutput, LinkFailure>) {
    match answer {
        Ok(output) => {
            out.push(kind::OUTPUT);
            out.extend_from_slice(&output.task_number.to_le_bytes());
            out.extend_from_slice(output.transid.as_bytes());
            out.extend_from_slice(&output.cpu_ns.to_le_bytes());
            put_payload(out, &output.payload);
        }
        Err(failure) => {
            out.push(kind::FAILURE);
            put_fault(out, failure.fault);
            out.extend_from_slice(&failure.task_number.unwrap_or(u32::MAX).to_le_bytes());
            let cut = (0..=failure.text.len().min(TEXT_MAX)).rev();
            let end = cut
                .into_iter()
                .find(|i| failure.text.is_char_boundary(*i))
                .unwrap_or(0);
            put_data(out, &failure.text.as_bytes()[..end]);
        }
    }
}

/// Reads what [`put_answer`] wrote.
pub(crate) fn answer(
    reader: &mut Reader<'_>,
) -> Result<std::result::Result<LinkOutput, LinkFailure>> {
    match reader.u8()? {
        kind::OUTPUT => {
            let task_number = reader.u32()?;
            let transid = TransId::from_field(reader.take(TransId::LEN)?);
            let cpu_ns = reader.u64()?;
            let payload = payload(reader)?;
            reader.end()?;
            Ok(Ok(LinkOutput {
                payload,
                task_number,
                transid,
                cpu_ns,
            }))
        }
        kind::FAILURE => {
            let fault = fault(reader)?;
            let task_number = Some(reader.u32()?).filter(|t| *t != u32::MAX);
            let text = reader.text()?.to_owned();
            reader.end()?;
            Ok(Err(LinkFailure {
                fault,
                text,
                task_number,
            }))
        }
        _ => Err(Malformed),
    }
}

fn put_fault(out: &mut Vec<u8>, fault: Fault) {
    match fault {
        Fault::Abend(code) => {
            out.push(0);
            out.extend_from_slice(code.as_bytes());
        }
        Fault::Refused { resp, resp2 } => {
            out.push(1);
            out.extend_from_slice(&resp.0.to_le_bytes());
            out.extend_from_slice(&resp2.to_le_bytes());
        }
        Fault::Busy => out.push(2),
        Fault::TimedOut => out.push(3),
        Fault::Unavailable => out.push(4),
    }
}

fn fault(reader: &mut Reader<'_>) -> Result<Fault> {
    Ok(match reader.u8()? {
        0 => Fault::Abend(AbendCode::from_field(reader.take(4)?)),
        1 => Fault::Refused {
            resp: Resp(reader.u16()?),
            resp2: reader.u32()?,
        },
        2 => Fault::Busy,
        3 => Fault::TimedOut,
        4 => Fault::Unavailable,
        _ => return Err(Malformed),
    })
}

fn put_payload(out: &mut Vec<u8>, payload: &Payload) {
    match payload {
        Payload::Commarea(bytes) => {
            out.push(0);
            put_data(out, bytes);
        }
        Payload::Channel { name, containers } => {
            out.push(1);
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(&(containers.len() as u32).to_le_bytes());
            for container in containers {
                out.extend_from_slice(container.name.as_bytes());
                match &container.data {
                    ContainerData::Bit(bytes) => {
                        out.push(0);
                        put_data(out, bytes);
                    }
                    ContainerData::Char { ccsid, bytes } => {
                        out.push(1);
                        out.extend_from_slice(&ccsid.to_le_bytes());
                        put_data(out, bytes);
                    }
                }
            }
        }
    }
}

fn payload(reader: &mut Reader<'_>) -> Result<Payload> {
    match reader.u8()? {
        0 => Ok(Payload::Commarea(reader.data()?.to_vec())),
        1 => {
            let name = ChannelName::from_field(reader.take(ChannelName::LEN)?);
            let count = reader.u32()? as usize;
            if count > CONTAINERS_MAX {
                return Err(Malformed);
            }
            let mut containers = Vec::with_capacity(count.min(64));
            for _ in 0..count {
                let name = ContainerName::from_field(reader.take(ContainerName::LEN)?);
                let data = match reader.u8()? {
                    0 => ContainerData::Bit(reader.data()?.to_vec()),
                    1 => {
                        let ccsid = reader.u32()?;
                        ContainerData::Char {
                            ccsid,
                            bytes: reader.data()?.to_vec(),
                        }
                    }
                    _ => return Err(Malformed),
                };
                containers.push(Container { name, data });
            }
            Ok(Payload::Channel { name, containers })
        }
        _ => Err(Malformed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> LinkRequest {
        LinkRequest {
            program: ProgramName::new("CABASIC").unwrap(),
            transid: None,
            userid: Some(UserId::new("FRED").unwrap()),
            payload: Payload::Channel {
                name: ChannelName::new("CHAN").unwrap(),
                containers: vec![
                    Container {
                        name: ContainerName::new("A").unwrap(),
                        data: ContainerData::Bit(vec![1, 2, 3]),
                    },
                    Container {
                        name: ContainerName::new("B").unwrap(),
                        data: ContainerData::Char {
                            ccsid: 819,
                            bytes: b"text".to_vec(),
                        },
                    },
                ],
            },
            reply_bytes_max: 1_024,
            timeout: Some(Duration::from_millis(1_500)),
            started_by: StartedBy::Gateway,
        }
    }

    #[test]
    fn requests_come_back_as_they_went() {
        let mut bytes = Vec::new();
        put_request(&mut bytes, &sample());
        let mut reader = Reader(&bytes[1..]);
        let read = request(&mut reader).unwrap();
        assert_eq!(format!("{read:?}"), format!("{:?}", sample()));
    }

    #[test]
    fn every_cut_is_noticed() {
        let mut bytes = Vec::new();
        put_request(&mut bytes, &sample());
        for end in 1..bytes.len() {
            assert!(request(&mut Reader(&bytes[1..end])).is_err(), "{end}");
        }
        bytes.push(0);
        assert!(request(&mut Reader(&bytes[1..])).is_err());
    }

    #[test]
    fn failures_keep_their_kind() {
        for fault in [
            Fault::Abend(AbendCode::ASRA),
            Fault::Refused {
                resp: Resp::PGMIDERR,
                resp2: 3,
            },
            Fault::Busy,
            Fault::TimedOut,
            Fault::Unavailable,
        ] {
            let failure = LinkFailure {
                fault,
                text: "TXMAP0001E why".into(),
                task_number: Some(7),
            };
            let mut bytes = Vec::new();
            put_answer(&mut bytes, &Err(failure));
            let read = answer(&mut Reader(&bytes)).unwrap().unwrap_err();
            assert_eq!((read.fault, read.task_number), (fault, Some(7)));
            assert_eq!(read.text, "TXMAP0001E why");
        }
    }
}
