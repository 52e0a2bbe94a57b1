//! What a task is given and gives back: COMMAREA or channel, and who started it.
//!
//! Not here: its bytes between processes.

use crate::{ChannelName, ContainerName};

/// The kind of door a task came through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartedBy {
    /// API gateway.
    Gateway,
    /// Another region.
    Region,
    /// The region itself, a test or a tool.
    Internal,
    /// Input of a terminal.
    Terminal,
    /// EXEC CICS START, or an interval that expired.
    Start,
    /// The trigger level of a transient data queue.
    Trigger,
    /// EXEC CICS RUN TRANSID.
    Child,
}

/// Data handed to or back from a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Payload {
    /// At most 32,763 bytes.
    Commarea(Vec<u8>),
    /// A channel with its containers.
    Channel {
        /// Channel name.
        name: ChannelName,
        /// Containers in creation order.
        containers: Vec<Container>,
    },
}

/// One container of a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Container {
    /// Container name.
    pub name: ContainerName,
    /// Its data.
    pub data: ContainerData,
}

/// Container data with its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContainerData {
    /// No conversion.
    Bit(Vec<u8>),
    /// Text in a coded character set.
    Char {
        /// Coded character set identifier of the bytes.
        ccsid: u32,
        /// The text.
        bytes: Vec<u8>,
    },
}
