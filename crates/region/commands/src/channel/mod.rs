//! Channels and containers of one task.
//!
//! What: which channels exist, who can see them, their containers. A channel is visible to the
//! program level that created it and, as current channel, to the programs it was passed to; it goes
//! away when its level ends. DFHTRANSACTION is visible to every program of the task until the task
//! ends. Not here: the commands (one file each), character conversion (`conversion`).
//!
//! Limits: none on size or number but storage. Containers are found by a linear search over their
//! names, which beats a map up to some hundreds.

pub(crate) mod browse;
pub(crate) mod conversion;
pub(crate) mod delete;
pub(crate) mod get_container;
pub(crate) mod move_container;
pub(crate) mod put_container;
pub(crate) mod query;

use crate::command::{Cx, Fail, raise};
use transom_commands::OptionId;
use transom_types::{ChannelName, ContainerName, Resp};
use transom_workers::seam::Address;

/// The channel every program of the task sees.
pub const TRANSACTION_CHANNEL: &[u8; 16] = b"DFHTRANSACTION  ";

/// Level of the channel a task was started with: above its first program.
pub(crate) const CALLER: usize = usize::MAX;

/// One container.
pub(crate) struct Container {
    pub name: ContainerName,
    pub data: Vec<u8>,
    /// Coded character set of a CHAR container; `None` for BIT.
    pub ccsid: Option<u32>,
    /// Storage the last GET SET answered; it stays valid until the next GET SET or the end of the
    /// container.
    pub set_area: Address,
}

/// One channel.
pub(crate) struct Channel {
    pub id: u32,
    pub name: ChannelName,
    /// Level that created it, or [`CALLER`]; `None`: the task.
    pub level: Option<usize>,
    pub containers: Vec<Container>,
}

impl Channel {
    pub(crate) fn position(&self, name: ContainerName) -> Option<usize> {
        self.containers
            .iter()
            .position(|container| container.name == name)
    }
}

/// All channels of a task.
#[derive(Default)]
pub(crate) struct Channels {
    list: Vec<Channel>,
    next_id: u32,
    pub browses: Vec<browse::Browse>,
    pub next_token: u32,
}

impl Channels {
    pub(crate) fn get(&self, id: u32) -> Option<&Channel> {
        self.list.iter().find(|channel| channel.id == id)
    }

    pub(crate) fn get_mut(&mut self, id: u32) -> Option<&mut Channel> {
        self.list.iter_mut().find(|channel| channel.id == id)
    }

    /// A new empty channel of a level (`None`: of the task).
    pub(crate) fn create(&mut self, name: ChannelName, level: Option<usize>) -> u32 {
        self.next_id += 1;
        let id = self.next_id;
        self.list.push(Channel {
            id,
            name,
            level,
            containers: Vec::new(),
        });
        id
    }

    /// The channel of this name that the program at `level` sees.
    pub(crate) fn find(
        &self,
        name: ChannelName,
        level: usize,
        current: Option<u32>,
    ) -> Option<u32> {
        let current = current
            .and_then(|id| self.get(id))
            .filter(|channel| channel.name == name);
        let seen = current.or_else(|| {
            self.list.iter().find(|channel| {
                channel.name == name && channel.level.is_none_or(|owner| owner == level)
            })
        });
        seen.map(|channel| channel.id)
    }

    /// Ends the scope of a level's channels, except one that is handed on. Answers the storage of
    /// their GET SET areas, which the caller frees.
    pub(crate) fn end_level(&mut self, level: usize, keep: Option<u32>) -> Vec<Address> {
        let mut areas = Vec::new();
        self.list.retain(|channel| {
            let ends = channel.level == Some(level) && Some(channel.id) != keep;
            if ends {
                areas.extend(
                    channel
                        .containers
                        .iter()
                        .map(|c| c.set_area)
                        .filter(|a| *a != 0),
                );
            }
            !ends
        });
        areas
    }

    /// Removes a channel; answers what to free.
    pub(crate) fn remove(&mut self, id: u32) -> Vec<Address> {
        let Some(at) = self.list.iter().position(|channel| channel.id == id) else {
            return Vec::new();
        };
        let channel = self.list.remove(at);
        channel
            .containers
            .iter()
            .map(|c| c.set_area)
            .filter(|a| *a != 0)
            .collect()
    }

    /// The address is the data area of a GET SET.
    pub(crate) fn owns(&self, address: Address) -> bool {
        self.list
            .iter()
            .flat_map(|channel| &channel.containers)
            .any(|c| c.set_area == address)
    }

    /// Every container with the name of its channel, for dumps.
    pub(crate) fn all_containers(&self) -> impl Iterator<Item = (ChannelName, &Container)> {
        self.list
            .iter()
            .flat_map(|c| c.containers.iter().map(move |one| (c.name, one)))
    }
}

/// The container name argument: CONTAINERERR 18 when it holds characters a name may not have.
pub(crate) fn container_name(cx: &mut Cx<'_>, option: OptionId) -> Result<ContainerName, Fail> {
    let name = cx.name::<16>(option).unwrap_or([b' '; 16]);
    cx.resource(&name);
    if !valid_name(&name) {
        return raise(Resp::CONTAINERERR, 18);
    }
    Ok(ContainerName::from_field(&name))
}

/// The channel name argument, if given: CHANNELERR 1 when it holds characters a name may not have.
pub(crate) fn channel_name(cx: &Cx<'_>, option: OptionId) -> Result<Option<ChannelName>, Fail> {
    let Some(name) = cx.name::<16>(option) else {
        return Ok(None);
    };
    if !valid_name(&name) {
        return raise(Resp::CHANNELERR, 1);
    }
    Ok(Some(ChannelName::from_field(&name)))
}

/// The channel a command works on: the one named, else the current one. INVREQ 4 without either,
/// CHANNELERR 2 when the named one cannot be seen.
pub(crate) fn existing_channel(cx: &Cx<'_>, option: OptionId) -> Result<u32, Fail> {
    let current = cx.task.level().and_then(|level| level.channel);
    match channel_name(cx, option)? {
        None => current.map_or_else(|| raise(Resp::INVREQ, 4), Ok),
        Some(name) => match cx.task.channels.find(name, own_level(cx), current) {
            Some(id) => Ok(id),
            None => raise(Resp::CHANNELERR, 2),
        },
    }
}

/// As [`existing_channel`], but a named channel that does not exist is created.
pub(crate) fn channel_for_put(cx: &mut Cx<'_>, option: OptionId) -> Result<u32, Fail> {
    let current = cx.task.level().and_then(|level| level.channel);
    match channel_name(cx, option)? {
        None => current.map_or_else(|| raise(Resp::INVREQ, 4), Ok),
        Some(name) => Ok(find_or_create(cx, name)),
    }
}

/// The channel of this name in the program's sight, or a new empty one.
pub(crate) fn find_or_create(cx: &mut Cx<'_>, name: ChannelName) -> u32 {
    let current = cx.task.level().and_then(|level| level.channel);
    let level = own_level(cx);
    if let Some(id) = cx.task.channels.find(name, level, current) {
        return id;
    }
    let of_task = name.as_bytes() == TRANSACTION_CHANNEL;
    cx.task.channels.create(name, (!of_task).then_some(level))
}

fn own_level(cx: &Cx<'_>) -> usize {
    cx.task.levels.len().saturating_sub(1)
}

/// 1 to 16 characters of the set the command reference gives, no blank inside.
fn valid_name(name: &[u8; 16]) -> bool {
    let used = name.iter().rposition(|b| *b != b' ').map_or(0, |at| at + 1);
    used > 0
        && name[..used]
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || b"$@#/%&?!:|\"=,;<>.-_".contains(b) || *b == 0xAC)
}
