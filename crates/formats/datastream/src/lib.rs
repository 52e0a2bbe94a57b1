//! The 3270 data stream in and out, telnet and TN3270E negotiation, and a screen model.
//!
//! What: [`Outbound`] and [`StructuredFields`] write what a host sends, [`inbound`] reads what a
//! terminal sends, [`Screen`] is such a terminal, [`Server`] and [`Client`] speak telnet and
//! TN3270E around records. Why: the 3270 door, BMS, terminal control, the workload driver and the
//! browser terminal must mean the same by a field. Not here: sockets, TLS, clocks and time limits
//! (the doors), maps (`bms`), code pages (a table comes from the caller).

#![forbid(unsafe_code)]

mod address;
mod aid;
mod attribute;
mod client;
mod error;
pub mod inbound;
mod order;
mod outbound;
mod screen;
pub mod scs;
mod server;
mod six_bits;
pub mod telnet;
pub mod tn3270e;

pub use address::{AddressMode, ScreenSize, decode_address};
pub use aid::Aid;
pub use attribute::{
    Attribute, AttributeKind, Extended, FieldAttribute, Intensity, colour, highlight,
};
pub use client::{Client, ClientEvent, ClientOptions};
pub use error::{ErrorKind, StreamError};
pub use order::{Command, Order, Orders};
pub use outbound::{Fill, LineLength, Outbound, ReplyMode, StructuredFields, Wcc, WriteCommand};
pub use screen::{Applied, Cell, Inhibit, Screen, ScreenOptions};
pub use server::{
    Connected, DEVICE_ATTEMPTS_MAX, DeviceRequest, LuRequest, Server, ServerEvent, ServerOptions,
    StartTls,
};
pub use six_bits::code_of_six_bits;
