//! Nouns that cross rooms: names, codes and the exec interface block.
//!
//! What: small value types every other room may use. Why: two strings must not be mixed up, and a
//! RESP number is written down once. Not here: behaviour, I/O, anything only one room needs.

#![forbid(unsafe_code)]

mod abend;
mod names;
mod resp;
mod text;

pub use abend::AbendCode;
pub use names::{
    Applid, ChannelName, ContainerName, NameError, ProgramName, SysId, TermId, TransClass, TransId,
    TsQueueName, UserId,
};
pub use resp::Resp;
pub use text::text;
