//! The front desk of a region: requests, replies and one trait.
//!
//! What: everything a door may ask of a region. Why: doors never see the core, and a remote region
//! is the same trait served over a connection. Not here: logic, an async runtime, sockets.

#![forbid(unsafe_code)]

mod inquire;
mod link;

pub use inquire::{
    ProgramStatus, RegionInfo, SetRequest, Statistic, StatisticsGroup, TransactionStatus,
};
pub use link::{
    Container, ContainerData, Fault, LinkFailure, LinkOutput, LinkRequest, Payload, StartedBy,
};

use std::future::Future;
use std::pin::Pin;
use transom_types::{ProgramName, TransId};

/// An answer that arrives later. Plain `std` types, so that no runtime is forced on anybody.
pub type Reply<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A transaction server as its doors see it.
pub trait Region: Send + Sync {
    /// Runs a program in a new task (a mirror) and answers with what it left in its COMMAREA or
    /// channel. Dropping the reply does not stop the task.
    fn link(&self, request: LinkRequest) -> Reply<Result<LinkOutput, LinkFailure>>;

    /// Name, size and state of the region.
    fn info(&self) -> RegionInfo;

    /// The installed program of this name.
    fn program(&self, name: ProgramName) -> Option<ProgramStatus>;

    /// The installed transaction of this name.
    fn transaction(&self, name: TransId) -> Option<TransactionStatus>;

    /// Changes the state of a resource (EXEC CICS SET, CEMT SET). The text says why not.
    fn set(&self, request: SetRequest) -> Result<(), String>;

    /// Totals and limits: every bounded thing with its peak and how often it was reached.
    fn statistics(&self) -> Vec<StatisticsGroup>;
}
