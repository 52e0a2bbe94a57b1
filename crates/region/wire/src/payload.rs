//! COMMAREA or channel on its way to a task and back: `AttachBlock.input` and the task's reply.
//!
//! What: one encoding used by the region (attach, reply) and the worker (task start, task end).
//! Why: COMMAREAs are the hot path, so their bytes lie first, untouched, and everything else is a
//! trailer: both sides append to or cut off the vector they have and never copy the data.
//! Not here: CCSID conversion (channel domain), who waits for the reply (dispatcher).

use crate::language;
use crate::language::append;
use crate::language::in_place::{cut_behind, put_behind, put_block, take_block, take_front};
use crate::monitoring::Costs;
use std::fmt;
use transom_types::{AbendCode, ChannelName, ContainerName, Resp};
use transom_types::{Container, ContainerData, Payload, StartedBy, TcpClient};

/// Most bytes a COMMAREA may have between regions and doors (CICS: 32,763).
pub const COMMAREA_BYTES_MAX: usize = 32_763;
/// Most containers one channel may bring along.
pub const CONTAINERS_MAX: usize = 65_535;
/// Bytes behind a COMMAREA. Reserve them to avoid a reallocation.
pub const TRAILER_BYTES: usize = 72;

language! {
    /// What a task is started with besides its data.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct StartInfo {
        /// The kind of door it came through.
        pub started_by: StartedBy,
        /// COMMAREA bytes the caller can take back; 0 = as many as it sent.
        pub reply_bytes_max: u32,
        /// STARTCODE as ASSIGN shows it.
        pub start_code: [u8; 2],
        /// The client over TCP/IP whose request it is.
        pub client: Option<TcpClient>,
        /// How often the task ran before and abended (RESTART).
        pub restarts: u16,
        /// Its worker tells what it used, and so many of its calls.
        pub measured: Option<u16>,
    }

    /// What a task of RESTART(YES) had done when it abended.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Undone {
        /// Its first abend; a later one may have taken its place.
        pub original: AbendCode,
        /// It read from its terminal, besides what it was started by.
        pub read: bool,
        /// It wrote to its terminal.
        pub wrote: bool,
        /// It ended a unit of work.
        pub synced: bool,
    }

    /// Domains that add something to the start or the end of a task, one section each.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Section {
        /// Terminal facts and input at the start; output and the next transaction at the end.
        1 = Terminal,
        /// What RETRIEVE answers.
        2 = Retrieve,
        /// Parent of a child task.
        3 = Parent,
        /// What the task that started it hands on: its origin.
        4 = Origin,
        /// What RETRIEVE answers in the region of the terminal.
        5 = RetrieveElsewhere,
    }

    /// What data are.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Kind {
        1 = Commarea,
        2 = Channel,
    }

    /// Behind data and sections of a task about to start, with the length of both.
    struct StartTrailer {
        data: u32,
        sections: u32,
        info: StartInfo,
        kind: Kind,
    }

    /// Behind data or text of a reply.
    enum ReplyTrailer {
        /// Data, then sections of this length.
        0x10 = Normal(kind: Kind, sections: u32),
        0x20 = Abend(code: AbendCode),
        0x21 = Restartable(code: AbendCode, undone: Undone),
        0x30 = Refused(resp: Resp, resp2: u32),
        /// Behind all of a reply, what the task used, of this length.
        0x40 = Measured(length: u32),
    }

    /// In front of the containers of a channel.
    struct ChannelHead {
        name: ChannelName,
        containers: u32,
    }

    /// In front of the bytes of a container.
    struct ContainerHead {
        name: ContainerName,
        ccsid: Option<u32>,
    }
}

/// Sections on their way; most tasks have none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sections(Vec<u8>);

impl Sections {
    /// Adds one.
    pub fn add(&mut self, section: Section, bytes: &[u8]) {
        put_block(&mut self.0, &section, bytes);
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
        let mut from = self.0;
        let mut all = std::iter::from_fn(|| take_block::<Section>(&mut from));
        all.find_map(|(found, bytes)| (found == section).then_some(bytes))
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
    /// Abnormal end with the log text, and what a task that may be restarted had done.
    Abend(AbendCode, String, Option<Undone>),
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

/// What a task starts with. A COMMAREA vector is taken over, not copied.
pub fn write_start(info: StartInfo, payload: Payload, sections: &Sections) -> Vec<u8> {
    let (mut out, kind) = match payload {
        Payload::Commarea(bytes) => (bytes, Kind::Commarea),
        Payload::Channel { name, containers } => {
            let views = containers.iter().map(view);
            (write_channel(name, containers.len(), views), Kind::Channel)
        }
    };
    let data = out.len() as u32;
    out.extend_from_slice(&sections.0);
    let sections = sections.0.len() as u32;
    let trailer = StartTrailer {
        data,
        sections,
        info,
        kind,
    };
    put_behind(out, &trailer)
}

/// Reads what [`write_start`] wrote.
pub fn read_start(
    input: &[u8],
) -> Result<(StartInfo, StartData<'_>, SectionsView<'_>), BadPayload> {
    let (body, trailer) = cut_behind::<StartTrailer>(input).ok_or(BadPayload)?;
    let parts = body.split_at_checked(trailer.data as usize);
    let (data, sections) = parts.ok_or(BadPayload)?;
    if sections.len() != trailer.sections as usize {
        return Err(BadPayload);
    }
    let data = match trailer.kind {
        Kind::Commarea => StartData::Commarea(data),
        Kind::Channel => {
            let (name, containers) = read_channel(data).ok_or(BadPayload)?;
            StartData::Channel(name, containers)
        }
    };
    Ok((trailer.info, data, SectionsView(sections)))
}

/// What stands behind the COMMAREA that a normal end hands back.
pub fn end_of_commarea_reply(sections: &Sections) -> Vec<u8> {
    normal(Vec::new(), Kind::Commarea, sections)
}

/// A normal end that hands a channel back.
pub fn write_channel_reply<'a>(
    name: ChannelName,
    count: usize,
    containers: impl Iterator<Item = ContainerView<'a>>,
    sections: &Sections,
) -> Vec<u8> {
    let channel = write_channel(name, count, containers);
    normal(channel, Kind::Channel, sections)
}

fn normal(mut data: Vec<u8>, kind: Kind, sections: &Sections) -> Vec<u8> {
    data.extend_from_slice(&sections.0);
    let sections = sections.0.len() as u32;
    put_behind(data, &ReplyTrailer::Normal(kind, sections))
}

/// An abnormal end.
pub fn write_abend_reply(code: AbendCode, text: &str) -> Vec<u8> {
    put_behind(text.into(), &ReplyTrailer::Abend(code))
}

/// An abnormal end of a task that may be restarted.
pub fn write_restartable_reply(code: AbendCode, undone: Undone, text: &str) -> Vec<u8> {
    put_behind(text.into(), &ReplyTrailer::Restartable(code, undone))
}

/// A refusal.
pub fn write_refused_reply(resp: Resp, resp2: u32, text: &str) -> Vec<u8> {
    put_behind(text.into(), &ReplyTrailer::Refused(resp, resp2))
}

/// What a usual task used takes less.
const COSTS_BYTES: usize = 512;

/// The end of a reply, with what the task used behind it.
pub fn with_costs(mut reply: Vec<u8>, costs: &Costs) -> Vec<u8> {
    let from = reply.len();
    reply.reserve(COSTS_BYTES);
    append(&mut reply, costs);
    let length = (reply.len() - from) as u32;
    put_behind(reply, &ReplyTrailer::Measured(length))
}

/// Takes what the task used off the end of a reply; `None`: nothing is said of it, and the reply is
/// as it was.
pub fn take_costs(reply: &mut Vec<u8>) -> Option<Costs> {
    let (data, trailer) = cut_behind::<ReplyTrailer>(reply)?;
    let ReplyTrailer::Measured(length) = trailer else {
        return None;
    };
    let at = data.len().checked_sub(length as usize)?;
    let costs = Costs::decode(&data[at..])?;
    reply.truncate(at);
    Some(costs)
}

/// Reads a reply. A COMMAREA keeps the vector it came in.
pub fn read_reply(mut reply: Vec<u8>) -> Result<TaskReply, BadPayload> {
    let (data, trailer) = cut_behind::<ReplyTrailer>(&reply).ok_or(BadPayload)?;
    let text = || String::from_utf8_lossy(data).into_owned();
    let (kind, sections) = match trailer {
        ReplyTrailer::Normal(kind, sections) => (kind, sections as usize),
        ReplyTrailer::Abend(code) => return Ok(TaskReply::Abend(code, text(), None)),
        ReplyTrailer::Restartable(code, undone) => {
            return Ok(TaskReply::Abend(code, text(), Some(undone)));
        }
        ReplyTrailer::Refused(resp, resp2) => {
            let text = text();
            return Ok(TaskReply::Refused { resp, resp2, text });
        }
        ReplyTrailer::Measured(_) => return Err(BadPayload),
    };
    let length = data.len().checked_sub(sections).ok_or(BadPayload)?;
    let sections = Sections(data[length..].to_vec());
    reply.truncate(length);
    let payload = match kind {
        Kind::Commarea => Payload::Commarea(reply),
        Kind::Channel => {
            let (name, views) = read_channel(&reply).ok_or(BadPayload)?;
            let containers = views.iter().map(owned).collect();
            Payload::Channel { name, containers }
        }
    };
    Ok(TaskReply::Normal(payload, sections))
}

fn write_channel<'a>(
    name: ChannelName,
    count: usize,
    containers: impl Iterator<Item = ContainerView<'a>>,
) -> Vec<u8> {
    let head = ChannelHead {
        name,
        containers: count as u32,
    };
    let mut out = head.encode();
    for ContainerView { name, ccsid, bytes } in containers {
        put_block(&mut out, &ContainerHead { name, ccsid }, bytes);
    }
    out
}

fn read_channel(mut data: &[u8]) -> Option<(ChannelName, Vec<ContainerView<'_>>)> {
    let head: ChannelHead = take_front(&mut data)?;
    let count = head.containers as usize;
    if count > CONTAINERS_MAX {
        return None;
    }
    let mut containers = Vec::with_capacity(count.min(1_024));
    for _ in 0..count {
        let (ContainerHead { name, ccsid }, bytes) = take_block(&mut data)?;
        containers.push(ContainerView { name, ccsid, bytes });
    }
    Some((head.name, containers))
}

pub(crate) fn view(container: &Container) -> ContainerView<'_> {
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

#[cfg(test)]
mod tests {
    use super::*;

    const INFO: StartInfo = StartInfo {
        started_by: StartedBy::Gateway,
        reply_bytes_max: 100,
        start_code: *b"DS",
        client: None,
        restarts: 0,
        measured: None,
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
        let input = write_start(INFO, Payload::Commarea(data), &Sections::default());
        assert_eq!(input.as_ptr(), place);
        assert_eq!(
            read_start(&input),
            Ok((INFO, StartData::Commarea(b"abc"), SectionsView::default()))
        );

        let mut sections = Sections::default();
        sections.add(Section::Terminal, b"screen");
        let reply = [&b"xyz"[..], &end_of_commarea_reply(&sections)].concat();
        let place = reply.as_ptr();
        let Ok(TaskReply::Normal(Payload::Commarea(back), left)) = read_reply(reply) else {
            panic!("not a COMMAREA");
        };
        assert_eq!((back.as_slice(), back.as_ptr()), (&b"xyz"[..], place));
        assert_eq!(left.get(Section::Terminal), Some(&b"screen"[..]));
        assert_eq!(left.get(Section::Parent), None);
    }

    #[test]
    fn channel_goes_there_and_back() {
        let input = write_start(INFO, channel(), &Sections::default());
        let (_, StartData::Channel(name, views), _) = read_start(&input).unwrap() else {
            panic!("not a channel");
        };
        assert_eq!(
            (name.as_str(), views.len(), views[1].ccsid),
            ("ORDERS", 2, Some(1208))
        );
        let none = Sections::default();
        let reply = write_channel_reply(name, views.len(), views.iter().copied(), &none);
        assert_eq!(read_reply(reply), Ok(TaskReply::Normal(channel(), none)));
    }

    #[test]
    fn failures_keep_code_and_text() {
        let code = AbendCode::ASRA;
        assert_eq!(
            read_reply(write_abend_reply(code, "S0C7")),
            Ok(TaskReply::Abend(code, "S0C7".into(), None))
        );
        let text = String::from("TXMPG0001E");
        assert_eq!(
            read_reply(write_refused_reply(Resp::PGMIDERR, 1, &text)),
            Ok(TaskReply::Refused {
                resp: Resp::PGMIDERR,
                resp2: 1,
                text
            })
        );
    }

    #[test]
    fn what_a_task_used_is_behind_its_reply() {
        let costs = <Costs as crate::language::Value>::examples().remove(0);
        let plain = [&b"xyz"[..], &end_of_commarea_reply(&Sections::default())].concat();
        let mut reply = with_costs(plain.clone(), &costs);
        assert_eq!(read_reply(reply.clone()), Err(BadPayload));
        assert_eq!(take_costs(&mut reply), Some(costs));
        assert_eq!(reply, plain);
        assert_eq!(take_costs(&mut reply), None);
        assert_eq!(reply, plain);
    }

    #[test]
    fn damaged_bytes_are_refused() {
        let input = write_start(INFO, channel(), &Sections::default());
        for cut in 0..input.len() {
            assert_eq!(
                read_start(&input[..cut]).map(|_| ()),
                Err(BadPayload),
                "cut at {cut}"
            );
        }
        assert_eq!(read_reply(vec![]), Err(BadPayload));
        assert_eq!(read_reply(vec![1, 2, 3]), Err(BadPayload));
    }
}
