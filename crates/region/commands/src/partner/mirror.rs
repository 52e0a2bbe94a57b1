//! What a mirror needs of the executor it runs commands with.
//!
//! Not here: the mirror program (`region/supplied`).

use super::exchange::SHIPPED;
use super::link::fill;
use crate::exec::Executor;
use transom_commands::CommandId;
use transom_types::{ChannelName, Payload};
use transom_wire::payload::{ContainerView, Sections, TaskReply, read_reply, write_channel_reply};

impl Executor {
    /// A mirror runs this command.
    pub fn is_shipped(id: CommandId) -> bool {
        SHIPPED.contains(&id)
    }

    /// The program that the last LINK ran has come back, and the LINK is not over.
    pub fn repeats(&mut self) -> bool {
        self.task_mut().routed.again
    }

    /// The task ends its unit of work itself (SYNCONRETURN), when it was started as a mirror.
    pub fn ends_its_unit(&mut self) -> bool {
        self.task_mut().start.start_code == *b"DS"
    }

    /// The caller's region has ended the unit of work: there is nothing to ask at the end.
    pub fn unit_was_ended(&mut self) {
        self.task_mut().unit.end();
    }

    /// Makes the channel that came with a command; `false`: it is none.
    pub fn take_channel(&mut self, bytes: &[u8]) -> bool {
        let read = read_reply(bytes.to_vec());
        let Ok(TaskReply::Normal(Payload::Channel { name, containers }, _)) = read else {
            return false;
        };
        let task = self.task_mut();
        let level = task.levels.len().saturating_sub(1);
        let id = match task.channels.find(name, level, None) {
            Some(id) => id,
            None => task.channels.create(name, Some(level)),
        };
        fill(task, id, containers);
        true
    }

    /// The channel as it is after the command.
    pub fn give_channel(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        let task = self.task_mut();
        let name = ChannelName::from_field(name);
        let level = task.levels.len().saturating_sub(1);
        let channel = task.channels.get(task.channels.find(name, level, None)?)?;
        let views = channel.containers.iter().map(|container| ContainerView {
            name: container.name,
            ccsid: container.ccsid,
            bytes: &container.data,
        });
        let count = channel.containers.len();
        Some(write_channel_reply(
            channel.name,
            count,
            views,
            &Sections::default(),
        ))
    }
}
