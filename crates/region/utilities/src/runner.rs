//! What a job or plain statements have while they run.
//!
//! Not here: what runs them ([`crate::job`], [`crate::idcams`]).

use crate::options::FileOptions;
use crate::places::{Generations, Places, Temporary};
use crate::print::{Report, SysPrint};
use crate::steps::StepPrograms;
use std::collections::BTreeSet;
use std::time::SystemTime;
use transom_datasets::{DatasetName, Datasets};
use transom_idcams::jcl::Step;

const SECONDS_PER_DAY: u64 = 86_400;

/// What statements run against, and what they leave to those that follow.
pub(crate) struct Runner<'a> {
    pub(crate) datasets: &'a Datasets,
    pub(crate) files: &'a FileOptions,
    pub(crate) report: Report<'a>,
    /// When only what is missing is to be made: entries that were there before.
    pub(crate) existing: Option<BTreeSet<String>>,
    /// Clusters that were there before, empty, and are loaded now.
    pub(crate) filling: BTreeSet<DatasetName>,
    /// Clusters into which records went.
    pub(crate) filled: BTreeSet<DatasetName>,
    /// Something was told although nothing was made.
    pub(crate) told: bool,
    pub(crate) generations: Generations,
    /// Data sets of the job that is run.
    pub(crate) temporary: Temporary,
    /// Days since 1970-01-01.
    pub(crate) today: u64,
    /// Who runs programs of users.
    pub(crate) programs: Option<&'a mut dyn StepPrograms>,
}

impl<'a> Runner<'a> {
    pub(crate) fn new(
        datasets: &'a Datasets,
        files: &'a FileOptions,
        today: u64,
        print: &'a mut dyn SysPrint,
    ) -> Self {
        Self {
            datasets,
            files,
            report: Report::new(print),
            existing: None,
            filling: BTreeSet::new(),
            filled: BTreeSet::new(),
            told: false,
            generations: Generations::default(),
            temporary: Temporary::default(),
            today,
            programs: None,
        }
    }

    /// What names in a step stand for.
    pub(crate) fn places<'s>(&self, step: Option<&'s Step>) -> Places<'s>
    where
        'a: 's,
    {
        Places {
            datasets: self.datasets,
            files: self.files,
            step,
            generations: self.generations.clone(),
            temporary: self.temporary.clone(),
        }
    }

    /// Whether an entry is left alone because it was there before.
    pub(crate) fn keeps(&self, name: &str) -> bool {
        self.existing
            .as_ref()
            .is_some_and(|names| names.contains(name))
    }
}

/// The day now, counted from 1970-01-01.
pub fn today() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |d| d.as_secs() / SECONDS_PER_DAY)
}
