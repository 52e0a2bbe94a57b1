//! Regions from outside: the console each of them has, and several of them that are run as one.
//!
//! What: [`console`] asks the region of a system directory; [`run`] starts the regions that a
//! `plex.toml` names, each a process of its own, and stops them in order; [`command`] shows and
//! stops them. Why apart: nothing of it needs a region in this process. Not here: what a region
//! answers (`transom run`), links between regions (`region/links`).

#![forbid(unsafe_code)]

mod command;
pub mod console;
mod file;
mod lines;
mod processes;
mod region;
mod run;
mod status;

pub use command::{PlexCommand, command};
pub use file::is_plex;
pub use region::{Output, ReloadArgs, StatusArgs, StopArgs, reload, status, stop};
pub use run::{Outside, run};
