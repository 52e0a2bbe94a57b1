//! Nouns that cross rooms: names, codes, dates.
//!
//! What: small value types every other room may use, and the known word nearest to a misspelt one.
//! Why: two strings must not be mixed up, a RESP number is written down once, and there is one
//! calendar. Not here: behaviour of commands, I/O, anything only one room needs.

#![forbid(unsafe_code)]

mod abend;
mod batch;
pub mod calendar;
mod certificate;
mod date;
mod device;
mod names;
mod nearest;
mod payload;
mod record;
mod resp;
mod set_request;
mod tcp;
mod text;

pub use abend::AbendCode;
pub use batch::{Batch, Seen};
pub use certificate::ClientCertificate;
pub use date::{Date, days_of_month, days_of_year};
pub use device::Device;
pub use names::{
    Applid, ChannelName, ContainerName, FileName, JobName, JournalName, NameError, PlanName,
    ProfileName, ProgramName, ReqId, SuspendType, SuspendValue, SysId, TdQueueName, TermId,
    TracedName, TransClass, TransId, TsQueueName, UserId,
};
pub use nearest::nearest;
pub use payload::{Container, ContainerData, Payload, StartedBy};
pub use record::{Direction, Find, Found, Position, Start};
pub use resp::Resp;
pub use set_request::SetRequest;
pub use tcp::{TcpClient, client_network};
pub use text::text;
