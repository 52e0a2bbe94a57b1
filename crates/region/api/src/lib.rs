//! The front desk of a region, in facets: what may be asked of it, as small traits and their data.
//!
//! What: [`Programs`] runs programs, [`Terminals`] takes terminal sessions, [`RestServices`] runs
//! SQL under names, [`Users`] knows who may, [`Control`] shows the region and changes it,
//! [`Overview`] is for who watches it. Why:
//! doors never see the region's inside, and a door takes only the facets that it uses, so that
//! whatever stands behind a facet implements all of it and drops nothing. A region in another
//! process is the same facets served over a connection, as many of them as that can carry. Not
//! here: logic, an async runtime, sockets.

#![forbid(unsafe_code)]

mod control;
mod overview;
mod programs;
mod rest_services;
mod terminals;
mod users;

pub use control::{
    Control, ProgramStatus, RegionInfo, SetFailure, Statistic, StatisticsGroup, TransactionStatus,
    Unreachable,
};
pub use overview::{FileRow, Listed, Lists, Overview, QueueRow, Stage, TaskRow, TaskTimes};
pub use programs::{Fault, LinkFailure, LinkOutput, LinkRequest, Programs, Reply};
pub use rest_services::{
    Given, NewRestService, RestBlock, RestColumn, RestFailure, RestResult, RestRows,
    RestServiceDetails, RestServiceEntry, RestServiceName, RestServices, SqlDatum,
};
pub use terminals::{
    Attention, ConfirmedOutput, Delivery, Done, Logon, LogonRefused, Outcome, Seat, SeatRefused,
    Session, TerminalOutput, Terminals,
};
pub use transom_types::{
    Container, ContainerData, Device, Payload, SetRequest, StartedBy, TcpClient,
};
pub use users::{Claim, Denial, Users};
