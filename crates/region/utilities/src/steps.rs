//! Steps of jobs that run programs of users.
//!
//! What: who runs them ([`StepPrograms`]), and what the DD names of a step stand for, found before
//! it runs. Not here: which steps run (`job`), file statements (region/batch).

use crate::host_files::{Absent, HostFiles, Made, Source};
use crate::options::DdOption;
use crate::places::{Places, Target, of_option};
use std::collections::BTreeMap;
use transom_datasets::DatasetName;
use transom_idcams::Place;
use transom_idcams::jcl::{DdSource, Disposition, Step};

/// Who runs programs of users.
pub trait StepPrograms {
    /// Runs the program of a step; none: it is not one of theirs.
    fn run(&mut self, step: &Step, dds: StepDds) -> Option<StepRan>;
}

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepRan {
    /// With a condition code.
    Code(u16),
    /// The job ends with it.
    Abended,
}

/// What a DD name of a step stands for.
#[derive(Debug, Clone)]
pub enum StepDd {
    /// A data set of the store.
    DataSet(DatasetName),
    /// Files and lines of the job.
    Files(HostFiles),
    Dummy,
    /// SYSOUT.
    Print,
    /// It cannot be used; why.
    Wrong(String),
}

/// All of a step.
#[derive(Debug, Clone, Default)]
pub struct StepDds(pub BTreeMap<String, StepDd>);

impl StepDds {
    /// The lines of a DD name: SYSTSIN, SYSIN.
    pub fn lines(&self, dd: &str) -> Option<Vec<String>> {
        match self.0.get(dd) {
            Some(StepDd::Files(files)) => files.lines(),
            _ => None,
        }
    }
}

/// A file of `--dd NAME=FILE`.
pub fn dd_of_option(option: &DdOption) -> Option<StepDd> {
    let file = of_option(option)?;
    Some(StepDd::Files(HostFiles::both(file)))
}

/// Looks up the DD names of a step; what its program makes is noted in `made`.
pub(crate) fn dds_of(places: &Places<'_>, step: &Step, made: &Made) -> StepDds {
    let names = step.dds.iter().map(|dd| dd.name.to_ascii_uppercase());
    let options = places.files.dds.iter().map(|option| option.name.clone());
    let all = names.chain(options);
    StepDds(
        all.map(|name| (name.clone(), dd(places, step, &name, made)))
            .collect(),
    )
}

fn dd(places: &Places<'_>, step: &Step, name: &str, made: &Made) -> StepDd {
    let sources = step.dd(name).map_or(&[][..], |dd| &dd.sources);
    let option = places.files.dd(name).filter(|option| option.path.is_some());
    match (option, sources) {
        (Some(_), _) => {}
        (None, [DdSource::Output]) => return StepDd::Print,
        (None, [DdSource::Dummy]) => return StepDd::Dummy,
        (None, _) => {}
    }
    let place = Place::Dd(name.to_owned());
    let read = places.input(&place);
    if let Ok([Target::Catalog(dataset)]) = read.as_deref() {
        return StepDd::DataSet(dataset.clone());
    }
    let write = match places.output(&place) {
        Ok(Target::File(file)) => Some(file),
        Ok(Target::Catalog(dataset)) => return StepDd::DataSet(dataset),
        _ => None,
    };
    let read = match read {
        _ if option.is_none() && write.is_some() && is_new(sources) => Ok(Vec::new()),
        Ok(targets) => sources_of(targets),
        Err(_) if write.is_some() && is_made_if_absent(sources) => Ok(Vec::new()),
        Err(why) => Err(Absent(why.text)),
    };
    match (read, write) {
        (Err(Absent(why)), None) => StepDd::Wrong(why),
        (read, write) => {
            let statements = option.map_or(sources.len(), |_| 1);
            StepDd::Files(HostFiles::new(read, write, made.clone()).of(statements))
        }
    }
}

/// DISP=NEW: allocated and empty, whatever has the name.
fn is_new(sources: &[DdSource]) -> bool {
    matches!(sources, [DdSource::DataSet(data)] if data.disposition == Disposition::New)
}

/// DISP=MOD of a data set that is not there is DISP=NEW.
fn is_made_if_absent(sources: &[DdSource]) -> bool {
    matches!(sources, [DdSource::DataSet(data)] if data.disposition == Disposition::Modify)
}

fn sources_of(targets: Vec<Target>) -> Result<Vec<Source>, Absent> {
    let source = |target| match target {
        Target::File(file) => Ok(Some(Source::File(file))),
        Target::Instream(lines) => Ok(Some(Source::Lines(
            lines.into_iter().map(|line| line.text).collect(),
        ))),
        Target::Nothing => Ok(None),
        Target::Catalog(name) => Err(Absent(format!("{name} is concatenated to other data sets"))),
    };
    let sources: Result<Vec<_>, Absent> = targets.into_iter().map(source).collect();
    Ok(sources?.into_iter().flatten().collect())
}
