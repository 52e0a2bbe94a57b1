//! What a relay task needs of the executor: its terminal and data as they are, and the end of a
//! task that ran in another region as its own.
//!
//! Not here: the relay program (`region/supplied`).

use crate::exec::Executor;
use transom_types::{Payload, ProgramName, TransId, UserId};
use transom_wire::carried::payload_of;
use transom_wire::payload::{ContainerView, end_of_commarea_reply, write_channel_reply};
use transom_wire::payload::{Section, Sections};
use transom_wire::routing::Started;
use transom_wire::terminal::{Facts, Input, Left};
use transom_workers::seam::{Area, Host};

/// What a relay task sends.
pub struct Relayed {
    /// Its user.
    pub userid: UserId,
    /// Its terminal, with the input that nobody has read.
    pub facts: Facts,
    /// COMMAREA or channel.
    pub payload: Vec<u8>,
    /// By START; `None`: by input.
    pub started: Option<Started>,
}

impl Executor {
    /// Its transaction.
    pub fn transid(&mut self) -> TransId {
        self.task_mut().transaction.transid
    }

    /// START began it.
    pub fn is_started(&mut self) -> bool {
        self.task_mut().interval.owner.is_some()
    }

    /// The COMMAREA it was started with.
    pub fn start_area(&mut self) -> Area {
        self.task_mut().reply_area
    }

    /// Name of the channel it was started with; empty: none.
    pub fn start_channel(&mut self) -> Vec<u8> {
        let task = self.task_mut();
        let channel = task.reply_channel.and_then(|id| task.channels.get(id));
        channel.map_or_else(Vec::new, |channel| channel.name.as_bytes().to_vec())
    }

    /// What was typed to start it, in the first field that was changed, as programs have it.
    pub fn typed(&mut self) -> Vec<u8> {
        let Some(own) = self.task_mut().terminal.get() else {
            return Vec::new();
        };
        let Input::Record(record) = &own.first else {
            return Vec::new();
        };
        let page = own.page_of_device();
        let typed = record.typed().unwrap_or_default();
        typed
            .iter()
            .map(|byte| page.to_latin1[usize::from(*byte)])
            .collect()
    }

    /// The program that runs from now on is the task's first one, as its transaction says.
    pub fn is_first_program(&mut self) {
        if let Some(level) = self.task_mut().levels.last_mut() {
            level.invoked_by = ProgramName::BLANK;
        }
    }

    /// What the task was started with; `None`: it has no terminal.
    pub fn relayed(&mut self, host: &dyn Host) -> Option<Relayed> {
        let task = self.task_mut();
        let own = task.terminal.get()?;
        let mut facts = own.facts.clone();
        facts.input = own.first.clone();
        let none = Sections::default();
        let channel = task.reply_channel.and_then(|id| task.channels.get(id));
        let payload = match channel {
            Some(channel) => {
                let views = channel.containers.iter().map(|container| ContainerView {
                    name: container.name,
                    ccsid: container.ccsid,
                    bytes: &container.data,
                });
                write_channel_reply(channel.name, channel.containers.len(), views, &none)
            }
            None => {
                let area = task.reply_area;
                let bytes = match area.bytes {
                    0 => &[],
                    length => host.memory(area.address, length),
                };
                [bytes, &end_of_commarea_reply(&none)].concat()
            }
        };
        Some(Relayed {
            userid: task.userid,
            facts,
            payload,
            started: task.interval.owner.map(|owner| Started {
                start_code: task.start.start_code,
                owner: owner.encode(),
            }),
        })
    }

    /// The task ends as that of another region did; `false`: these bytes are no end of a task, or
    /// there is no room for them.
    pub fn end_as(&mut self, host: &mut dyn Host, reply: Vec<u8>) -> bool {
        let Some((payload, sections)) = payload_of(reply) else {
            return false;
        };
        let left = sections.get(Section::Terminal).and_then(Left::decode);
        let mut left = left.unwrap_or_default();
        let task = self.task_mut();
        match payload {
            Payload::Commarea(bytes) if bytes.is_empty() => task.reply_area = Area::default(),
            Payload::Commarea(bytes) => {
                let Some(address) = host.getmain(bytes.len(), None) else {
                    return false;
                };
                host.memory_mut(address, bytes.len())
                    .copy_from_slice(&bytes);
                task.reply_area = Area {
                    address,
                    bytes: bytes.len(),
                };
                task.sent_bytes = bytes.len();
                task.start.reply_bytes_max = 0;
                task.reply_channel = None;
            }
            Payload::Channel { name, containers } => {
                let level = task.levels.len().saturating_sub(1);
                let id = task.channels.create(name, Some(level));
                super::link::fill(task, id, containers);
                task.reply_channel = Some(id);
            }
        }
        self.leave_area(host, &std::mem::take(&mut left.user_area));
        if let Some(terminal) = self.task_mut().terminal.get_mut() {
            terminal.outputs = left.outputs;
            terminal.next = left.next;
            terminal.immediate = left.immediate;
            terminal.message = left.message;
            terminal.disconnect = left.disconnect;
            terminal.notice = left.notice;
        }
        true
    }

    /// The task ends, and the user is told why it did nothing else.
    pub fn end_with(&mut self, host: &mut dyn Host, text: String, area: Option<Vec<u8>>) {
        if let Some(area) = area {
            self.leave_area(host, &area);
        }
        if let Some(terminal) = self.task_mut().terminal.get_mut() {
            terminal.notice = Some(text);
        }
    }

    /// The terminal's user area is this.
    fn leave_area(&mut self, host: &mut dyn Host, area: &[u8]) {
        let Some(terminal) = self.task_mut().terminal.get_mut() else {
            return;
        };
        match terminal.user_area() {
            (0, _) => {}
            (address, bytes) if bytes == area.len() => {
                host.memory_mut(address, bytes).copy_from_slice(area);
            }
            _ => {}
        }
    }
}
