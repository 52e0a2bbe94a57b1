//! Where files are that statements name, and how their records stand in them.
//!
//! What: `--dd`, `--ps`, `--out` and `--lib` as values, and the file of a data set name. Not here:
//! reading records.

use crate::records::read_text;
use std::fmt;
use std::path::{Path, PathBuf};
use transom_copybook::CodePage;
use transom_idcams::check_name;
use transom_idcams::record::FileFormat;
use transom_messages::id;

/// Code page of files without `ccsid=`.
pub(crate) const OUTSIDE_CCSID: u32 = 37;
/// Code page of line files without `ccsid=`.
pub(crate) const LINES_CCSID: u32 = 819;

/// How the records of a file stand in it; what is not given comes from the job or the cluster.
#[derive(Debug, Clone, Default)]
pub struct Attributes {
    /// As in `format=`.
    pub format: Option<String>,
    /// Code page of the file.
    pub ccsid: Option<u32>,
    /// Copybook and name of its record.
    pub copybook: Option<(PathBuf, Option<String>)>,
}

/// `--dd NAME=PATH,format=..`
#[derive(Debug, Clone)]
pub struct DdOption {
    /// Upper case.
    pub name: String,
    /// Without one the data set of the job is meant, with these attributes.
    pub path: Option<PathBuf>,
    /// How its records stand in it.
    pub attributes: Attributes,
}

/// `--ps FOLDER,format=..`
#[derive(Debug, Clone)]
pub struct Folder {
    /// The folder.
    pub path: PathBuf,
    /// Of all files in it.
    pub attributes: Attributes,
}

/// A file with what is known of it.
#[derive(Debug, Clone)]
pub(crate) struct FileSpec {
    pub(crate) path: PathBuf,
    pub(crate) attributes: Attributes,
    /// From RECFM and LRECL of a DD statement.
    pub(crate) declared: Option<FileFormat>,
    /// Records are added to the old ones.
    pub(crate) append: bool,
}

/// All options about files.
#[derive(Debug, Clone, Default)]
pub struct FileOptions {
    /// Files of DD names.
    pub dds: Vec<DdOption>,
    /// Folders with files that have the names of data sets.
    pub folders: Vec<Folder>,
    /// Folder for files that are written.
    pub output: Option<Folder>,
    /// Folders with procedures and members of libraries.
    pub libraries: Vec<PathBuf>,
    /// Code page of texts that are EBCDIC; 037 where nothing is said.
    pub source_page: Option<&'static CodePage>,
}

/// An option about files that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionError {
    /// `--dd` without a name and a file.
    NoFile {
        /// As it was given.
        text: String,
    },
    /// A folder that is none.
    NoFolder {
        /// `--ps` or `--out`.
        option: String,
        /// What was given.
        path: PathBuf,
    },
    /// An attribute behind the file or folder.
    Attribute {
        /// The option.
        option: String,
        /// As it was given.
        text: String,
        /// The attribute in it.
        attribute: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (option, reason) = match self {
            Self::NoFile { text } => (format!("--dd {text}"), "NAME=FILE is expected".to_owned()),
            Self::NoFolder { option, path } => {
                (option.clone(), format!("{} is no folder", path.display()))
            }
            Self::Attribute {
                option,
                text,
                attribute,
                reason,
            } => (format!("{option} {text}"), format!("{attribute}: {reason}")),
        };
        id::option_not_valid(option, reason).fmt(f)
    }
}

impl std::error::Error for OptionError {}

impl DdOption {
    /// Reads the value of `--dd`.
    ///
    /// # Errors
    /// TXMID0062E when it has no file, or an attribute that is not known.
    pub fn parse(text: &str) -> Result<Self, OptionError> {
        let Some((name, rest)) = text.split_once('=') else {
            let text = text.to_owned();
            return Err(OptionError::NoFile { text });
        };
        let (path, attributes) = attributes("--dd", rest)?;
        Ok(Self {
            name: name.trim().to_ascii_uppercase(),
            path: (!path.is_empty()).then(|| path.into()),
            attributes,
        })
    }
}

impl Folder {
    /// Reads the value of `--ps` or `--out`.
    ///
    /// # Errors
    /// TXMID0062E when it is no folder, or has an attribute that is not known.
    pub fn parse(option: &str, text: &str) -> Result<Self, OptionError> {
        let (path, attributes) = attributes(option, text)?;
        let path = PathBuf::from(path);
        if !path.is_dir() {
            let option = option.to_owned();
            return Err(OptionError::NoFolder { option, path });
        }
        Ok(Self { path, attributes })
    }
}

/// `PATH,format=fixed:300,ccsid=37,copybook=FILE:01-NAME`
fn attributes<'a>(option: &str, text: &'a str) -> Result<(&'a str, Attributes), OptionError> {
    let mut parts = text.split(',');
    let path = parts.next().unwrap_or("").trim();
    let mut found = Attributes::default();
    for part in parts {
        let wrong = |reason: &str| {
            Err(OptionError::Attribute {
                option: option.to_owned(),
                text: text.to_owned(),
                attribute: part.to_owned(),
                reason: reason.to_owned(),
            })
        };
        match part.split_once('=') {
            Some(("format", value)) => {
                if let Err(reason) = FileFormat::parse(value, Some(1)) {
                    return wrong(&reason);
                }
                found.format = Some(value.to_owned());
            }
            Some(("ccsid", value)) => match value.parse() {
                Ok(ccsid) => found.ccsid = Some(ccsid),
                Err(_) => return wrong("a number is expected"),
            },
            Some(("copybook", value)) => {
                let (file, record) = match value.rsplit_once(':') {
                    Some((file, record)) => {
                        (file, Some(record.trim_start_matches("01-").to_owned()))
                    }
                    None => (value, None),
                };
                found.copybook = Some((file.into(), record));
            }
            _ => return wrong("format=, ccsid= and copybook= are known"),
        }
    }
    Ok((path, found))
}

impl FileOptions {
    pub(crate) fn page(&self) -> &'static CodePage {
        self.source_page.unwrap_or(CodePage::all()[0])
    }

    /// The option for a DD name.
    pub(crate) fn dd(&self, name: &str) -> Option<&DdOption> {
        self.dds.iter().find(|d| d.name.eq_ignore_ascii_case(name))
    }

    /// The file that has the name of a data set. A file NAME.txt holds lines in ISO 8859-1.
    pub(crate) fn file_of(&self, dataset: &str) -> Option<FileSpec> {
        check_name(dataset).ok()?;
        for folder in self.output.iter().chain(&self.folders) {
            let path = folder.path.join(dataset);
            if path.is_file() {
                return Some(spec(path, folder.attributes.clone()));
            }
            let path = folder.path.join(format!("{dataset}.txt"));
            if path.is_file() {
                let mut attributes = folder.attributes.clone();
                attributes.format = Some("line".to_owned());
                attributes.ccsid = Some(LINES_CCSID);
                return Some(spec(path, attributes));
            }
        }
        None
    }

    /// Where a new data set goes.
    pub(crate) fn new_file(&self, dataset: &str) -> Option<FileSpec> {
        check_name(dataset).ok()?;
        let folder = self.output.as_ref()?;
        Some(spec(folder.path.join(dataset), folder.attributes.clone()))
    }

    /// Number of the newest generation of a group that has a file; 0 when there is none.
    pub(crate) fn latest_generation(&self, group: &str) -> u32 {
        let prefix = format!("{group}.G");
        let number = |name: &str| {
            name.strip_prefix(&prefix)?
                .strip_suffix("V00")?
                .parse()
                .ok()
        };
        let folders = self.output.iter().chain(&self.folders);
        let files = folders
            .flat_map(|f| std::fs::read_dir(&f.path))
            .flatten()
            .flatten();
        let names = files.filter_map(|entry| entry.file_name().into_string().ok());
        names.filter_map(|name| number(&name)).max().unwrap_or(0)
    }

    /// Text of a procedure, or of a member of a library.
    pub(crate) fn member(&self, name: &str) -> Option<String> {
        let read = read_text(&self.member_path(name)?, self.page()).ok()?;
        Some(read.text)
    }

    /// A member of a library as records: lines in ISO 8859-1.
    pub(crate) fn member_file(&self, name: &str) -> Option<FileSpec> {
        let attributes = Attributes {
            format: Some("line".to_owned()),
            ccsid: Some(LINES_CCSID),
            ..Attributes::default()
        };
        Some(spec(self.member_path(name)?, attributes))
    }

    /// A file of that name with any ending.
    fn member_path(&self, name: &str) -> Option<PathBuf> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '@' | '#' | '$');
        if name.is_empty() || !name.chars().all(plain) {
            return None;
        }
        let fits = |path: &Path| {
            let stem = path.file_stem().and_then(|s| s.to_str());
            path.is_file() && stem.is_some_and(|s| s.eq_ignore_ascii_case(name))
        };
        for library in &self.libraries {
            let mut found: Vec<PathBuf> = std::fs::read_dir(library)
                .into_iter()
                .flatten()
                .flatten()
                .map(|entry| entry.path())
                .filter(|path| fits(path))
                .collect();
            found.sort();
            if !found.is_empty() {
                return Some(found.swap_remove(0));
            }
        }
        None
    }
}

/// A file with the attributes of its folder.
pub(crate) fn spec(path: PathBuf, attributes: Attributes) -> FileSpec {
    FileSpec {
        path,
        attributes,
        declared: None,
        append: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dd_has_a_file_and_attributes() {
        let dd = DdOption::parse("in=acct.bin,format=fixed:300,ccsid=273,copybook=a.cpy:01-REC")
            .unwrap();
        assert_eq!((dd.name.as_str(), dd.path), ("IN", Some("acct.bin".into())));
        assert_eq!(dd.attributes.ccsid, Some(273));
        assert_eq!(
            dd.attributes.copybook,
            Some(("a.cpy".into(), Some("REC".into())))
        );
        let error = DdOption::parse("IN=a,format=fxd").unwrap_err();
        assert_eq!(
            error.to_string(),
            "TXMID0062E --dd a,format=fxd: format=fxd: fxd is no format; fixed:LENGTH, variable, blocked, line, crlf and mf are"
        );
    }
}
