//! Nouns that cross rooms: names, codes and the exec interface block.
//!
//! What: small value types every other room may use. Why: two strings must not be mixed up, and a
//! RESP number is written down once. Not here: behaviour, I/O, anything only one room needs.

#![forbid(unsafe_code)]

mod abend;
mod batch;
mod device;
mod names;
mod payload;
mod record;
mod resp;
mod set_request;
mod text;

pub use abend::AbendCode;
pub use batch::{Batch, Seen};
pub use device::Device;
pub use names::{
    Applid, ChannelName, ContainerName, NameError, ProgramName, SysId, TermId, TransClass, TransId,
    TsQueueName, UserId,
};
pub use payload::{Container, ContainerData, Payload, StartedBy};
pub use record::{Direction, Find, Found, Position, Start};
pub use resp::Resp;
pub use set_request::SetRequest;
pub use text::text;
