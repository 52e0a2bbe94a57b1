//! What DD names and data set names of a command stand for.

use crate::options::{Attributes, FileOptions, FileSpec, spec};
use crate::print::Failure;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use tempfile::TempDir;
use transom_datasets::{DatasetName, Datasets};
use transom_idcams::jcl::{DataSet, DdSource, Disposition, InstreamLine, Step};
use transom_idcams::record::FileFormat;
use transom_idcams::{Place, check_name};
use transom_messages::id;

/// Formats of files remembered for one job.
const FORMATS_MAX: usize = 10_000;
/// Nobody else looks into the temporary data sets of a job.
const OWNER_ONLY: u32 = 0o700;

/// Where records come from or go to.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    /// A cluster, alternate index or path of the catalog.
    Catalog(DatasetName),
    File(FileSpec),
    /// Lines of a job.
    Instream(Vec<InstreamLine>),
    /// Nothing comes, nothing goes.
    Nothing,
}

/// Looks places up for the commands of one step.
pub(crate) struct Places<'a> {
    pub(crate) datasets: &'a Datasets,
    pub(crate) files: &'a FileOptions,
    /// The step of a job that the commands belong to.
    pub(crate) step: Option<&'a Step>,
    pub(crate) generations: Generations,
    pub(crate) temporary: Temporary,
}

/// What a job keeps for itself: `&&NAME` data sets, and the formats its steps gave to files. Goes
/// with the job.
#[derive(Debug, Clone, Default)]
pub(crate) struct Temporary(Rc<RefCell<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    folder: Option<TempDir>,
    formats: BTreeMap<PathBuf, FileFormat>,
}

impl Temporary {
    /// The file of `&&NAME`.
    fn file(&self, name: &str) -> Result<FileSpec, Failure> {
        let plain = name.trim_start_matches('&');
        let wrong = |reason| Failure::new(12, id::file_failed(name, format!("the name {reason}")));
        check_name(plain).map_err(wrong)?;
        let mut kept = self.0.borrow_mut();
        let folder = match kept.folder.take() {
            Some(folder) => folder,
            None => tempfile::Builder::new()
                .prefix("transom-idcams-")
                .permissions(Permissions::from_mode(OWNER_ONLY))
                .tempdir()
                .map_err(|e| Failure::new(12, id::file_failed(name, e)))?,
        };
        let file = kept.folder.insert(folder).path().join(plain);
        Ok(spec(file, Attributes::default()))
    }

    /// Remembers the format of a file that is written.
    pub(crate) fn note(&self, path: &Path, format: FileFormat) {
        let mut kept = self.0.borrow_mut();
        if kept.formats.len() < FORMATS_MAX {
            kept.formats.insert(path.to_owned(), format);
        }
    }

    fn format(&self, path: &Path) -> Option<FileFormat> {
        self.0.borrow().formats.get(path).copied()
    }
}

/// Newest generation of each group when the job used it first: `(+1)` is the same data set in all
/// its steps.
pub(crate) type Generations = Rc<RefCell<BTreeMap<String, u32>>>;

impl Places<'_> {
    /// What is read: all sources of a concatenation in order.
    pub(crate) fn input(&self, place: &Place) -> Result<Vec<Target>, Failure> {
        self.find(place, false)
    }

    /// What is written.
    pub(crate) fn output(&self, place: &Place) -> Result<Target, Failure> {
        let mut found = self.find(place, true)?;
        match found.pop() {
            Some(Target::Instream(_)) | None => {
                let text = id::not_writable(shown(place));
                Err(Failure::new(12, text))
            }
            Some(target) => Ok(target),
        }
    }

    fn find(&self, place: &Place, output: bool) -> Result<Vec<Target>, Failure> {
        match place {
            Place::Dataset(name) => Ok(vec![self.named(name, output)?]),
            Place::Dd(name) => self.dd(name, output),
        }
    }

    fn dd(&self, name: &str, output: bool) -> Result<Vec<Target>, Failure> {
        let option = self.files.dd(name);
        if let Some(option) = option
            && let Some(path) = &option.path
        {
            return Ok(vec![Target::File(spec(
                path.clone(),
                option.attributes.clone(),
            ))]);
        }
        let Some(dd) = self.step.and_then(|step| step.dd(name)) else {
            let text = id::dd_missing(name);
            return Err(Failure::new(12, text));
        };
        let mut targets = Vec::new();
        for source in &dd.sources {
            let mut target = match source {
                DdSource::Instream(lines) => Target::Instream(lines.clone()),
                DdSource::DataSet(data) => self.data_set(data, output)?,
                DdSource::Dummy | DdSource::Output => Target::Nothing,
            };
            if let (Target::File(file), Some(option)) = (&mut target, option) {
                file.attributes = option.attributes.clone();
            }
            targets.push(target);
        }
        Ok(targets)
    }

    pub(crate) fn data_set(&self, data: &DataSet, output: bool) -> Result<Target, Failure> {
        if let Some(member) = &data.member {
            let what = match output {
                false => "no --lib folder has the member",
                true => "members of libraries cannot be written; --dd gives a file",
            };
            let file = self.files.member_file(member).filter(|_| !output);
            let text = || id::file_failed(format!("{}({member})", data.name), what);
            let missing = || Failure::new(12, text());
            return file.map(Target::File).ok_or_else(missing);
        }
        let mut target = match data.generation {
            None => self.named(&data.name, output)?,
            Some(generation) => self.named(&self.generation(&data.name, generation), output)?,
        };
        if let Target::File(file) = &mut target {
            file.declared = data.format().or_else(|| self.temporary.format(&file.path));
            file.append = data.disposition == Disposition::Modify;
        }
        Ok(target)
    }

    /// `GROUP(+1)` -> `GROUP.G0005V00`
    fn generation(&self, group: &str, relative: i32) -> String {
        let mut known = self.generations.borrow_mut();
        let latest = known
            .entry(group.to_owned())
            .or_insert_with(|| self.files.latest_generation(group));
        let number = latest.saturating_add_signed(relative);
        format!("{group}.G{number:04}V00")
    }

    /// The catalog first, then files.
    fn named(&self, name: &str, output: bool) -> Result<Target, Failure> {
        if name.starts_with("&&") {
            let file = self.temporary.file(name)?;
            return match output || file.path.is_file() {
                true => Ok(Target::File(file)),
                false => Err(Failure::new(12, id::not_made(name))),
            };
        }
        if let Ok(dataset) = DatasetName::new(name)
            && self.datasets.entry(&dataset).is_some()
        {
            return Ok(Target::Catalog(dataset));
        }
        let file = if output {
            self.files.new_file(name)
        } else {
            self.files.file_of(name)
        };
        let option = if output { "--out" } else { "--ps" };
        let known = |mut file: FileSpec| {
            file.declared = self.temporary.format(&file.path);
            Target::File(file)
        };
        file.map(known).ok_or_else(|| {
            let text = id::nowhere_found(name, option);
            Failure::new(12, text)
        })
    }
}

/// The file of `--dd NAME=FILE`.
pub(crate) fn of_option(option: &crate::options::DdOption) -> Option<FileSpec> {
    let path = option.path.clone()?;
    Some(spec(path, option.attributes.clone()))
}

/// How messages name a place.
pub(crate) fn shown(place: &Place) -> String {
    match place {
        Place::Dd(name) => format!("DD {name}"),
        Place::Dataset(name) => name.clone(),
    }
}

/// The name of an entry, checked.
pub(crate) fn name(text: &str) -> Result<DatasetName, Failure> {
    DatasetName::new(text).map_err(|reason| Failure::new(12, id::store_answered(reason)))
}
