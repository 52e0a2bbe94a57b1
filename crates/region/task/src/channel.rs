//! The channels of a task, and browses of them.
//!
//! Limits: none on size or number but storage. Containers are found by a linear search over their
//! names, which beats a map up to some hundreds.

use std::collections::VecDeque;
use transom_types::{ChannelName, ContainerName};
use transom_workers::seam::Address;

/// Level of the channel a task was started with: above its first program.
pub const CALLER: usize = usize::MAX;

/// One container.
pub struct Container {
    pub name: ContainerName,
    pub data: Vec<u8>,
    /// Coded character set of a CHAR container; `None` for BIT.
    pub ccsid: Option<u32>,
    /// Storage the last GET SET answered; it stays valid until the next GET SET or the end of the
    /// container.
    pub set_area: Address,
}

/// One channel.
pub struct Channel {
    pub id: u32,
    pub name: ChannelName,
    /// Level that created it, or [`CALLER`]; `None`: the task.
    pub level: Option<usize>,
    pub containers: Vec<Container>,
}

impl Channel {
    pub fn position(&self, name: ContainerName) -> Option<usize> {
        self.containers
            .iter()
            .position(|container| container.name == name)
    }
}

/// All channels of a task.
#[derive(Default)]
pub struct Channels {
    list: Vec<Channel>,
    next_id: u32,
    pub browses: Vec<Browse>,
    pub next_token: u32,
}

impl Channels {
    pub fn get(&self, id: u32) -> Option<&Channel> {
        self.list.iter().find(|channel| channel.id == id)
    }

    pub fn get_mut(&mut self, id: u32) -> Option<&mut Channel> {
        self.list.iter_mut().find(|channel| channel.id == id)
    }

    /// A new empty channel of a level (`None`: of the task).
    pub fn create(&mut self, name: ChannelName, level: Option<usize>) -> u32 {
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
    pub fn find(&self, name: ChannelName, level: usize, current: Option<u32>) -> Option<u32> {
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
    pub fn end_level(&mut self, level: usize, keep: Option<u32>) -> Vec<Address> {
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
    pub fn remove(&mut self, id: u32) -> Vec<Address> {
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
    pub fn owns(&self, address: Address) -> bool {
        self.list
            .iter()
            .flat_map(|channel| &channel.containers)
            .any(|c| c.set_area == address)
    }

    /// Every container with the name of its channel, for dumps.
    pub fn all_containers(&self) -> impl Iterator<Item = (ChannelName, &Container)> {
        self.list
            .iter()
            .flat_map(|c| c.containers.iter().map(move |one| (c.name, one)))
    }
}

/// A browse in progress.
pub struct Browse {
    pub token: u32,
    pub channel: u32,
    pub names: VecDeque<ContainerName>,
}
