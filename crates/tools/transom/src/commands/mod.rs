//! One module per command of the executable.

pub(crate) mod backup;
pub(crate) mod batch;
pub(crate) mod build;
pub(crate) mod check;
pub(crate) mod compact;
pub(crate) mod gateway;
pub(crate) mod idcams;
pub(crate) mod import;
pub(crate) mod output;
pub(crate) mod plex;
pub(crate) mod rebuild;
pub(crate) mod redirector;
pub(crate) mod reference;
pub(crate) mod run;
pub(crate) mod sql;
mod store;
pub(crate) mod translate;
pub(crate) mod user;
pub(crate) mod verify;
