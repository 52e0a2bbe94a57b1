//! Batch utilities against the data sets of a store: IDCAMS, and the steps of jobs around it.
//!
//! What: [`Utilities`] runs statements and jobs, [`apply`] those of a system directory for what
//! does not exist yet, [`verify()`] reads every record. Why apart: whoever has a store open can do
//! this, a region at its start as well as a command. Not here: reading statements and JCL
//! (formats/idcams), records and their catalog (region/datasets), opening a store and showing what
//! is printed (the caller).
//!
//! Begin with [`idcams`], the statements of one SYSIN; [`job`] runs the steps that hold such
//! statements, [`places`] finds what their names stand for, [`records`] moves records.

#![forbid(unsafe_code)]

mod data_folder;
mod idcams;
mod job;
mod options;
mod places;
mod print;
mod records;
mod verify;

pub use data_folder::{Applied, apply};
pub use options::{Attributes, DdOption, FileOptions, Folder, OptionError};
pub use print::{Kept, Progress, SysPrint};
pub use verify::{StoreFailure, verify};

use idcams::Runner;
use std::time::SystemTime;
use transom_datasets::Datasets;
use transom_idcams::SourceLine;

const SECONDS_PER_DAY: u64 = 86_400;

/// What statements and jobs run against.
#[derive(Clone, Copy)]
pub struct Utilities<'a> {
    /// The catalog, in a store that is open.
    pub datasets: &'a Datasets,
    /// Where files are.
    pub files: &'a FileOptions,
    /// Days since 1970-01-01: [`today()`], unless a test says otherwise.
    pub today: u64,
}

impl Utilities<'_> {
    /// Runs a job, or plain statements; answers the highest condition code: 0, 4, 8, 12 or 16.
    /// `name` is what messages call the text, `symbols` are values of `&NAME` in jobs.
    pub fn run(
        &self,
        name: &str,
        text: &str,
        symbols: &[(String, String)],
        print: &mut dyn SysPrint,
    ) -> u8 {
        run_text(&mut Runner::new(*self, print), name, text, symbols)
    }
}

/// The day now, counted from 1970-01-01.
pub fn today() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |d| d.as_secs() / SECONDS_PER_DAY)
}

fn run_text(runner: &mut Runner<'_>, name: &str, text: &str, symbols: &[(String, String)]) -> u8 {
    if text.starts_with("//") {
        return job::run(runner, name, text, symbols);
    }
    let lines: Vec<SourceLine<'_>> = (1..)
        .zip(text.lines())
        .map(|(number, text)| SourceLine { number, text })
        .collect();
    runner.run(name, &lines, None)
}
