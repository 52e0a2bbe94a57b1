//! `--dd NAME=DATASET`: what DD names of a step stand for.
//!
//! Not here: files of jobs (`job`), opening (region/batch).

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use transom_datasets::{DatasetName, Datasets};
use transom_messages::{Message, jb};
use transom_recovery::wait;
use transom_region_batch::{Place, Places, VsamFile};

/// Opens the data sets of a system directory for changes.
pub(crate) type OpenDatasets = fn(&Path) -> Result<Datasets, String>;

/// What one DD name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Dd {
    DataSet(DatasetName),
    Dummy,
}

/// The DD statements of a step.
pub(crate) struct Dds {
    folder: PathBuf,
    by_name: BTreeMap<String, Dd>,
    datasets: Option<Arc<Datasets>>,
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
        let mut dds = Self {
            folder: folder.to_owned(),
            by_name,
            datasets: None,
        };
        let data_set = |(name, dd): (&String, &Dd)| match dd {
            Dd::DataSet(_) => Some(name.clone()),
            Dd::Dummy => None,
        };
        if let Some(dd) = dds.by_name.iter().find_map(data_set) {
            dds.datasets = Some(datasets(folder, &dd, open)?);
        }
        Ok(dds)
    }
}

fn refused(option: &str, why: &str) -> String {
    jb::option_not_valid(format_args!("--dd {option}"), why).to_string()
}

/// Opens the store, unless units of work are in doubt in it.
fn datasets(folder: &Path, dd: &str, open: OpenDatasets) -> Result<Arc<Datasets>, String> {
    let shown = folder.display();
    let failed = |why: &dyn Display| jb::store_not_opened(&shown, dd, why).to_string();
    let datasets = open(folder).map_err(|why| failed(&why))?;
    let doubtful = wait(datasets.store().in_doubt()).map_err(|why| failed(&why))?;
    match doubtful.len() {
        0 => Ok(Arc::new(datasets)),
        count => Err(jb::in_doubt(count, &shown).to_string()),
    }
}

/// `NAME=DATASET`, `NAME=DATASET,SHR`, `NAME=DUMMY`.
fn parse(option: &str) -> Result<(String, Dd), String> {
    let expected = || "NAME=DATASET is expected".to_owned();
    let (name, value) = option.split_once('=').ok_or_else(expected)?;
    let name = name.trim().to_ascii_uppercase();
    if name.is_empty() || name.len() > 8 {
        return Err("a DD name has 1 to 8 characters".to_owned());
    }
    let mut words = value.split(',').map(str::trim);
    let target = words.next().unwrap_or_default().to_ascii_uppercase();
    for word in words {
        if !["SHR", "OLD"].contains(&word.to_ascii_uppercase().as_str()) {
            return Err(format!("{word}: SHR and OLD are known"));
        }
    }
    if target == "DUMMY" {
        return Ok((name, Dd::Dummy));
    }
    let data_set = DatasetName::new(&target).map_err(|why| why.to_string())?;
    Ok((name, Dd::DataSet(data_set)))
}

impl Places for Dds {
    fn place(&mut self, dd: &str) -> Result<Option<Place>, Message> {
        let (name, datasets) = match (self.by_name.get(dd), &self.datasets) {
            (None, _) => return Ok(None),
            (Some(Dd::DataSet(name)), Some(datasets)) => (name, datasets),
            (Some(_), _) => return Ok(Some(Place::Dummy)),
        };
        if datasets.entry(name).is_none() {
            return Err(jb::no_data_set(name, dd, self.folder.display()));
        }
        Ok(Some(Place::Vsam(VsamFile {
            datasets: datasets.clone(),
            name: name.clone(),
        })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dd_is_a_name_and_a_data_set() {
        let dataset = |text: &str| Dd::DataSet(DatasetName::new(text).unwrap());
        assert_eq!(
            parse("vsam=BANK.CUSTOMER,SHR"),
            Ok(("VSAM".to_owned(), dataset("BANK.CUSTOMER")))
        );
        assert_eq!(parse("X=DUMMY"), Ok(("X".to_owned(), Dd::Dummy)));
        assert_eq!(parse("X"), Err("NAME=DATASET is expected".to_owned()));
        assert_eq!(
            parse("X=A.B,NEW"),
            Err("NEW: SHR and OLD are known".to_owned())
        );
        assert!(parse("TOOLONGNAME=A.B").is_err());
        assert!(parse("X=.B").is_err());
    }
}
