//! COMMAREA or channel on its way to a task and back: `AttachBlock.input` and the task's reply.
//!
//! What: one encoding used by the region (attach, reply) and the worker (task start, task end).
//! Why: COMMAREAs are the hot path, so their bytes lie first, untouched, and everything else is a
//! trailer: both sides append to or cut off the vector they have and never copy the data.
//! Not here: CCSID conversion (channel domain), who waits for the reply (dispatcher).

use crate::codec::{Reader, Writer};
use std::fmt;
use transom_types::{AbendCode, ChannelName, ContainerName, Resp};
use transom_types::{Container, ContainerData, Payload, StartedBy};

/// Most bytes a COMMAREA may have between regions and doors (CICS: 32,763).
pub const COMMAREA_BYTES_MAX: usize = 32_763;
/// Most containers one channel may bring along.
pub const CONTAINERS_MAX: usize = 65_535;
/// Bytes the encoders append behind a COMMAREA. Reserve them to avoid a reallocation.
pub const TRAILER_BYTES: usize = 16;
const START_TRAILER: usize = 16;

const START_COMMAREA: u8 = 1;
const START_CHANNEL: u8 = 2;
const REPLY_NORMAL: u8 = 0x10;
const REPLY_ABEND: u8 = 0x20;
const REPLY_REFUSED: u8 = 0x30;

/// What a task is started with besides its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StartInfo {
    /// The kind of door it came through.
    pub started_by: StartedBy,
    /// COMMAREA bytes the caller can take back; 0 = as many as it sent.
    pub reply_bytes_max: u32,
    /// STARTCODE as ASSIGN shows it.
    pub start_code: [u8; 2],
}

/// Domains that add something to the start or the end of a task, one section each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Section {
    /// Terminal facts and input at the start; output and the next transaction at the end.
    Terminal = 1,
    /// What RETRIEVE answers.
    Retrieve = 2,
    /// Parent of a child task.
    Parent = 3,
}

/// Sections on their way; most tasks have none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sections(Vec<u8>);

impl Sections {
    /// Adds one.
    pub fn add(&mut self, section: Section, bytes: &[u8]) {
        let mut out = Writer(std::mem::take(&mut self.0));
        out.u8(section as u8).bytes(bytes);
        self.0 = out.0;
    }

    /// The bytes of one.
    pub fn get(&self, section: Section) -> Option<&[u8]> {
        SectionsView(&self.0).get(section)
    }
}

/// Sections read in place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SectionsView<'a>(&'a [u8]);

impl<'a> SectionsView<'a> {
    /// The bytes of one.
    pub fn get(&self, section: Section) -> Option<&'a [u8]> {
        let mut from = Reader(self.0);
        while let Some(code) = from.u8() {
            let bytes = from.bytes()?;
            if code == section as u8 {
                return Some(bytes);
            }
        }
        None
    }
}

/// Data of a task about to start, read in place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StartData<'a> {
    /// COMMAREA; empty when the task has none.
    Commarea(&'a [u8]),
    /// Channel.
    Channel(ChannelName, Vec<ContainerView<'a>>),
}

/// One container, read in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContainerView<'a> {
    /// Name.
    pub name: ContainerName,
    /// Coded character set of a CHAR container; `None` for BIT.
    pub ccsid: Option<u32>,
    /// The data.
    pub bytes: &'a [u8],
}

/// How a task ended, as its caller sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskReply {
    /// Normal end, with what else the task left.
    Normal(Payload, Sections),
    /// Abnormal end with the log text.
    Abend(AbendCode, String),
    /// No program ran: PGMIDERR, LENGERR ...
    Refused {
        /// Condition.
        resp: Resp,
        /// Reason.
        resp2: u32,
        /// Log text.
        text: String,
    },
}

/// Bytes that are not one of core's payload encodings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadPayload;

impl fmt::Display for BadPayload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        transom_messages::ei::payload_damaged().fmt(f)
    }
}

impl std::error::Error for BadPayload {}

/// Encodes what a task starts with. A COMMAREA vector is taken over, not copied.
pub fn encode_start(info: StartInfo, payload: Payload, sections: &Sections) -> Vec<u8> {
    let (mut out, kind) = match payload {
        Payload::Commarea(bytes) => (Writer(bytes), START_COMMAREA),
        Payload::Channel { name, containers } => {
            let views = containers.iter().map(view);
            (encode_channel(name, containers.len(), views), START_CHANNEL)
        }
    };
    let length = out.0.len() as u32;
    out.raw(&sections.0)
        .u32(length)
        .u32(sections.0.len() as u32)
        .u32(info.reply_bytes_max)
        .raw(&info.start_code)
        .u8(started_by_code(info.started_by))
        .u8(kind);
    out.0
}

/// Reads what [`encode_start`] wrote.
pub fn decode_start(
    input: &[u8],
) -> Result<(StartInfo, StartData<'_>, SectionsView<'_>), BadPayload> {
    let (body, mut trailer) = split_trailer(input, START_TRAILER).ok_or(BadPayload)?;
    let length = trailer.u32().ok_or(BadPayload)? as usize;
    let sections = trailer.u32().ok_or(BadPayload)? as usize;
    let reply_bytes_max = trailer.u32().ok_or(BadPayload)?;
    let start_code = trailer.raw(2).and_then(|code| code.first_chunk());
    let start_code = *start_code.ok_or(BadPayload)?;
    let started_by = started_by(trailer.u8().ok_or(BadPayload)?);
    let (data, sections_at) = body.split_at_checked(length).ok_or(BadPayload)?;
    if sections_at.len() != sections {
        return Err(BadPayload);
    }
    let data = match trailer.u8() {
        Some(START_COMMAREA) => StartData::Commarea(data),
        Some(START_CHANNEL) => {
            let (name, containers) = decode_channel(data).ok_or(BadPayload)?;
            StartData::Channel(name, containers)
        }
        _ => return Err(BadPayload),
    };
    Ok((
        StartInfo {
            started_by,
            reply_bytes_max,
            start_code,
        },
        data,
        SectionsView(sections_at),
    ))
}

/// Encodes a normal end that hands a COMMAREA back; the vector is taken over.
pub fn encode_commarea_reply(commarea: Vec<u8>, sections: &Sections) -> Vec<u8> {
    let mut out = Writer(commarea);
    out.raw(&sections.0).u32(sections.0.len() as u32);
    out.u8(START_COMMAREA).u8(REPLY_NORMAL);
    out.0
}

/// Encodes a normal end that hands a channel back.
pub fn encode_channel_reply<'a>(
    name: ChannelName,
    count: usize,
    containers: impl Iterator<Item = ContainerView<'a>>,
    sections: &Sections,
) -> Vec<u8> {
    let mut out = encode_channel(name, count, containers);
    out.raw(&sections.0).u32(sections.0.len() as u32);
    out.u8(START_CHANNEL).u8(REPLY_NORMAL);
    out.0
}

/// Encodes an abnormal end.
pub fn encode_abend_reply(code: AbendCode, text: &str) -> Vec<u8> {
    let mut out = Writer::with_capacity(text.len() + TRAILER_BYTES);
    out.raw(text.as_bytes())
        .raw(code.as_bytes())
        .u8(REPLY_ABEND);
    out.0
}

/// Encodes a refusal.
pub fn encode_refused_reply(resp: Resp, resp2: u32, text: &str) -> Vec<u8> {
    let mut out = Writer::with_capacity(text.len() + TRAILER_BYTES);
    out.raw(text.as_bytes())
        .u16(resp.0)
        .u32(resp2)
        .u8(REPLY_REFUSED);
    out.0
}

/// Reads a reply. A COMMAREA keeps the vector it came in.
pub fn decode_reply(mut reply: Vec<u8>) -> Result<TaskReply, BadPayload> {
    match reply.pop() {
        Some(REPLY_NORMAL) => {
            let kind = reply.pop();
            let sections = cut_sections(&mut reply).ok_or(BadPayload)?;
            match kind {
                Some(START_COMMAREA) => Ok(TaskReply::Normal(Payload::Commarea(reply), sections)),
                Some(START_CHANNEL) => {
                    let (name, views) = decode_channel(&reply).ok_or(BadPayload)?;
                    let containers = views.iter().map(owned).collect();
                    let payload = Payload::Channel { name, containers };
                    Ok(TaskReply::Normal(payload, sections))
                }
                _ => Err(BadPayload),
            }
        }
        Some(REPLY_ABEND) => {
            let (text, mut rest) = split_trailer(&reply, 4).ok_or(BadPayload)?;
            let code = AbendCode::from_field(rest.raw(4).ok_or(BadPayload)?);
            Ok(TaskReply::Abend(
                code,
                String::from_utf8_lossy(text).into_owned(),
            ))
        }
        Some(REPLY_REFUSED) => {
            let (text, mut rest) = split_trailer(&reply, 6).ok_or(BadPayload)?;
            Ok(TaskReply::Refused {
                resp: Resp(rest.u16().ok_or(BadPayload)?),
                resp2: rest.u32().ok_or(BadPayload)?,
                text: String::from_utf8_lossy(text).into_owned(),
            })
        }
        _ => Err(BadPayload),
    }
}

fn cut_sections(reply: &mut Vec<u8>) -> Option<Sections> {
    let (_, mut trailer) = split_trailer(reply, 4)?;
    let bytes = trailer.u32()? as usize;
    let end = reply.len() - 4;
    let begin = end.checked_sub(bytes)?;
    let sections = reply.get(begin..end)?.to_vec();
    reply.truncate(begin);
    Some(Sections(sections))
}

fn split_trailer(bytes: &[u8], trailer: usize) -> Option<(&[u8], Reader<'_>)> {
    let at = bytes.len().checked_sub(trailer)?;
    let (data, rest) = bytes.split_at_checked(at)?;
    Some((data, Reader(rest)))
}

fn encode_channel<'a>(
    name: ChannelName,
    count: usize,
    containers: impl Iterator<Item = ContainerView<'a>>,
) -> Writer {
    let mut out = Writer::with_capacity(64 * (count + 1));
    out.raw(name.as_bytes()).u32(count as u32);
    for container in containers {
        out.raw(container.name.as_bytes());
        match container.ccsid {
            Some(ccsid) => out.u8(1).u32(ccsid),
            None => out.u8(0).u32(0),
        };
        // A container may exceed 4 GiB in theory; eight bytes of length.
        out.u64(container.bytes.len() as u64).raw(container.bytes);
    }
    out
}

fn decode_channel(data: &[u8]) -> Option<(ChannelName, Vec<ContainerView<'_>>)> {
    let mut data = Reader(data);
    let name = ChannelName::from_field(data.raw(ChannelName::LEN)?);
    let count = data.u32()? as usize;
    if count > CONTAINERS_MAX {
        return None;
    }
    let mut containers = Vec::with_capacity(count.min(1_024));
    for _ in 0..count {
        let name = ContainerName::from_field(data.raw(ContainerName::LEN)?);
        let is_char = data.flag()?;
        let ccsid = data.u32()?;
        let length = usize::try_from(data.u64()?).ok()?;
        let bytes = data.raw(length)?;
        containers.push(ContainerView {
            name,
            ccsid: is_char.then_some(ccsid),
            bytes,
        });
    }
    Some((name, containers))
}

fn view(container: &Container) -> ContainerView<'_> {
    let (ccsid, bytes) = match &container.data {
        ContainerData::Bit(bytes) => (None, bytes),
        ContainerData::Char { ccsid, bytes } => (Some(*ccsid), bytes),
    };
    ContainerView {
        name: container.name,
        ccsid,
        bytes,
    }
}

fn owned(view: &ContainerView<'_>) -> Container {
    let bytes = view.bytes.to_vec();
    let data = match view.ccsid {
        Some(ccsid) => ContainerData::Char { ccsid, bytes },
        None => ContainerData::Bit(bytes),
    };
    Container {
        name: view.name,
        data,
    }
}

const STARTERS: [StartedBy; 7] = [
    StartedBy::Gateway,
    StartedBy::Region,
    StartedBy::Internal,
    StartedBy::Terminal,
    StartedBy::Start,
    StartedBy::Trigger,
    StartedBy::Child,
];

fn started_by_code(started_by: StartedBy) -> u8 {
    let at = STARTERS.iter().position(|s| *s == started_by);
    at.unwrap_or(2) as u8
}

fn started_by(code: u8) -> StartedBy {
    let known = STARTERS.get(usize::from(code)).copied();
    known.unwrap_or(StartedBy::Internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFO: StartInfo = StartInfo {
        started_by: StartedBy::Gateway,
        reply_bytes_max: 100,
        start_code: *b"DS",
    };

    fn channel() -> Payload {
        Payload::Channel {
            name: ChannelName::new("ORDERS").unwrap(),
            containers: vec![
                Container {
                    name: ContainerName::new("IN").unwrap(),
                    data: ContainerData::Bit(vec![0, 1, 2]),
                },
                Container {
                    name: ContainerName::new("TEXT").unwrap(),
                    data: ContainerData::Char {
                        ccsid: 1208,
                        bytes: b"abc".to_vec(),
                    },
                },
            ],
        }
    }

    #[test]
    fn commarea_goes_there_and_back_in_its_own_vector() {
        let mut data = Vec::with_capacity(3 + TRAILER_BYTES);
        data.extend_from_slice(b"abc");
        let place = data.as_ptr();
        let input = encode_start(INFO, Payload::Commarea(data), &Sections::default());
        assert_eq!(input.as_ptr(), place);
        assert_eq!(
            decode_start(&input),
            Ok((INFO, StartData::Commarea(b"abc"), SectionsView::default()))
        );

        let mut area = Vec::with_capacity(30 + TRAILER_BYTES);
        area.extend_from_slice(b"xyz");
        let place = area.as_ptr();
        let mut sections = Sections::default();
        sections.add(Section::Terminal, b"screen");
        let Ok(TaskReply::Normal(Payload::Commarea(back), left)) =
            decode_reply(encode_commarea_reply(area, &sections))
        else {
            panic!("not a COMMAREA");
        };
        assert_eq!((back.as_slice(), back.as_ptr()), (&b"xyz"[..], place));
        assert_eq!(left.get(Section::Terminal), Some(&b"screen"[..]));
        assert_eq!(left.get(Section::Parent), None);
    }

    #[test]
    fn channel_goes_there_and_back() {
        let input = encode_start(INFO, channel(), &Sections::default());
        let (_, StartData::Channel(name, views), _) = decode_start(&input).unwrap() else {
            panic!("not a channel");
        };
        assert_eq!(
            (name.as_str(), views.len(), views[1].ccsid),
            ("ORDERS", 2, Some(1208))
        );
        let none = Sections::default();
        let reply = encode_channel_reply(name, views.len(), views.iter().copied(), &none);
        assert_eq!(decode_reply(reply), Ok(TaskReply::Normal(channel(), none)));
    }

    #[test]
    fn failures_keep_code_and_text() {
        let code = AbendCode::ASRA;
        assert_eq!(
            decode_reply(encode_abend_reply(code, "S0C7")),
            Ok(TaskReply::Abend(code, "S0C7".into()))
        );
        let text = String::from("TXMPG0001E");
        assert_eq!(
            decode_reply(encode_refused_reply(Resp::PGMIDERR, 1, &text)),
            Ok(TaskReply::Refused {
                resp: Resp::PGMIDERR,
                resp2: 1,
                text
            })
        );
    }

    #[test]
    fn damaged_bytes_are_refused() {
        let input = encode_start(INFO, channel(), &Sections::default());
        for cut in 0..input.len() {
            assert_eq!(
                decode_start(&input[..cut]).map(|_| ()),
                Err(BadPayload),
                "cut at {cut}"
            );
        }
        assert_eq!(decode_reply(vec![]), Err(BadPayload));
        assert_eq!(decode_reply(vec![1, 2, 3]), Err(BadPayload));
    }
}
