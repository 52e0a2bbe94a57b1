//! What DD names of a step stand for: `--dd NAME=DATASET`, and DD statements of jobs.
//!
//! Not here: reading jobs (region/utilities), opening files (region/batch).

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use transom_datasets::{DatasetName, Datasets};
use transom_messages::{Message, jb};
use transom_recovery::wait;
use transom_region_batch::{Place, Places, VsamFile};
use transom_utilities::{DdOption, StepDd, StepDds, dd_of_option};

/// Longest DD name.
const NAME_MAX: usize = 8;

/// Opens the data sets of a system directory for changes.
pub(crate) type OpenDatasets = fn(&Path) -> Result<Datasets, String>;

/// The DD names of a step.
pub(crate) struct Dds {
    pub(crate) folder: PathBuf,
    pub(crate) by_name: StepDds,
    /// There where one of them needs it.
    pub(crate) datasets: Option<Arc<Datasets>>,
}

impl Dds {
    /// Reads options; the store is opened where one of them needs it.
    pub(crate) fn open(
        folder: &Path,
        options: &[String],
        open: OpenDatasets,
    ) -> Result<Self, String> {
        let mut by_name = BTreeMap::new();
        for option in options {
            let (name, dd) = parse(option).map_err(|why| refused(option, &why))?;
            by_name.insert(name, dd);
        }
        let mut names = by_name.iter();
        let needs = names.find(|(_, dd)| matches!(dd, StepDd::DataSet(_)));
        let datasets = match needs {
            Some((dd, _)) => Some(datasets(folder, dd, open)?),
            None => None,
        };
        Ok(Self {
            folder: folder.to_owned(),
            by_name: StepDds(by_name),
            datasets,
        })
    }
}

fn refused(option: &str, why: &str) -> String {
    jb::option_not_valid(format_args!("--dd {option}"), why).to_string()
}

/// Opens the store, unless units of work are in doubt in it.
pub(crate) fn datasets(
    folder: &Path,
    dd: &str,
    open: OpenDatasets,
) -> Result<Arc<Datasets>, String> {
    let shown = folder.display();
    let failed = |why: &dyn Display| jb::store_not_opened(&shown, dd, why).to_string();
    let datasets = open(folder).map_err(|why| failed(&why))?;
    let doubtful = wait(datasets.store().in_doubt()).map_err(|why| failed(&why))?;
    match doubtful.len() {
        0 => Ok(Arc::new(datasets)),
        count => Err(jb::in_doubt(count, &shown).to_string()),
    }
}

/// `NAME=DATASET`, `NAME=DATASET,SHR`, `NAME=DUMMY`, `NAME=*`; with a slash or attributes
/// `NAME=FILE,format=..`.
fn parse(option: &str) -> Result<(String, StepDd), String> {
    let expected = || "NAME=DATASET is expected".to_owned();
    let (name, value) = option.split_once('=').ok_or_else(expected)?;
    let name = name.trim().to_ascii_uppercase();
    if name.is_empty() || name.len() > NAME_MAX {
        return Err("a DD name has 1 to 8 characters".to_owned());
    }
    if value.contains(['/', '=']) {
        let file = DdOption::parse(option).map_err(|why| why.to_string())?;
        let file = dd_of_option(&file).ok_or_else(|| "a file is expected".to_owned())?;
        return Ok((name, file));
    }
    let mut words = value.split(',').map(str::trim);
    let target = words.next().unwrap_or_default().to_ascii_uppercase();
    for word in words {
        if !["SHR", "OLD"].contains(&word.to_ascii_uppercase().as_str()) {
            return Err(format!("{word}: SHR and OLD are known"));
        }
    }
    let dd = match target.as_str() {
        "DUMMY" => StepDd::Dummy,
        "*" => StepDd::Print,
        name => StepDd::DataSet(DatasetName::new(name).map_err(|why| why.to_string())?),
    };
    Ok((name, dd))
}

impl Places for Dds {
    fn place(&mut self, dd: &str) -> Result<Option<Place>, Message> {
        Ok(Some(match (self.by_name.0.get(dd), &self.datasets) {
            (None, _) => return Ok(None),
            (Some(StepDd::DataSet(name)), Some(datasets)) => {
                if datasets.entry(name).is_none() {
                    return Err(jb::no_data_set(name, dd, self.folder.display()));
                }
                Place::Vsam(VsamFile {
                    datasets: datasets.clone(),
                    name: name.clone(),
                })
            }
            (Some(StepDd::Files(files)), _) => Place::Files(files.clone()),
            (Some(StepDd::Print), _) => Place::Print,
            (Some(StepDd::Wrong(why)), _) => return Err(jb::dd_not_usable(dd, why)),
            (Some(StepDd::Dummy | StepDd::DataSet(_)), _) => Place::Dummy,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(option: &str) -> String {
        match parse(option) {
            Ok((name, dd)) => format!("{name} {}", format!("{dd:?}").split(' ').next().unwrap()),
            Err(why) => why,
        }
    }

    #[test]
    fn a_dd_is_a_name_and_a_data_set_or_a_file() {
        let Ok((name, StepDd::DataSet(dataset))) = parse("vsam=BANK.CUSTOMER,SHR") else {
            panic!("a data set");
        };
        assert_eq!((&*name, dataset.as_str()), ("VSAM", "BANK.CUSTOMER"));
        assert_eq!(shown("X=DUMMY"), "X Dummy");
        assert_eq!(shown("X=*"), "X Print");
        assert!(shown("X=./in.txt").starts_with("X Files"));
        assert!(shown("X=in.bin,format=fixed:80").starts_with("X Files"));
        assert_eq!(shown("X"), "NAME=DATASET is expected");
        assert_eq!(shown("X=A.B,NEW"), "NEW: SHR and OLD are known");
        assert_eq!(shown("TOOLONGNAME=A.B"), "a DD name has 1 to 8 characters");
        assert!(parse("X=.B").is_err());
    }
}
