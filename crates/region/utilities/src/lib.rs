//! Batch utilities against the data sets of a store: IDCAMS, and the steps of jobs around it.
//!
//! What: [`Utilities`] runs statements and jobs, [`apply`] those of a system directory for what
//! does not exist yet, [`verify()`] reads every record, [`backup()`], [`restore()`] and
//! [`forward_recover`] keep and bring back what was lost. Why apart: whoever has a store open can
//! do this, a region at its start as well as a command. Not here: reading statements and JCL
//! (formats/idcams), records and their catalog (region/datasets), opening a store and showing what
//! is printed (the caller).
//!
//! Begin with [`idcams`], the statements of one SYSIN; [`job`] runs the steps that hold such
//! statements, [`places`] finds what their names stand for, [`records`] moves records.

#![forbid(unsafe_code)]

mod backup;
mod backup_failure;
mod data_folder;
mod forward;
mod host_files;
mod idcams;
mod job;
mod loads;
mod options;
mod outline;
mod places;
mod print;
mod records;
mod runner;
mod steps;
mod time;
mod utilities;
mod verify;

pub use backup::{Beside, Done, Manifest, Source, backup, restore};
pub use backup_failure::BackupFailure;
pub use data_folder::{Applied, apply};
pub use forward::{Forward, LogApplied, forward_recover};
pub use host_files::{HostFailure, HostFiles, HostReader, HostWriter, Lengths};
pub use options::{Attributes, DdOption, FileOptions, Folder, OptionError};
pub use outline::{Outline, outline};
pub use print::{Kept, Progress, SysPrint};
pub use runner::today;
pub use steps::{StepDd, StepDds, StepPrograms, StepRan, dd_of_option};
pub use time::moment;
pub use utilities::Utilities;
pub use verify::{StoreFailure, verify};
