//! Where files are that statements name, and how their records stand in them.
//!
//! What: `--dd`, `--ps`, `--out` and `--lib` as values, and the file of a data set name. Not here:
//! reading records.

use std::path::{Path, PathBuf};
use transom_idcams::check_name;
use transom_idcams::record::FileFormat;

/// Code page of files without `ccsid=`.
pub(super) const OUTSIDE_CCSID: u32 = 37;
/// Code page of line files without `ccsid=`.
pub(super) const LINES_CCSID: u32 = 819;

/// How the records of a file stand in it; what is not given comes from the job or the cluster.
#[derive(Debug, Clone, Default)]
pub(super) struct Attributes {
    pub(super) format: Option<String>,
    pub(super) ccsid: Option<u32>,
    /// Copybook and name of its record.
    pub(super) copybook: Option<(PathBuf, Option<String>)>,
}

/// `--dd NAME=PATH,format=..`
#[derive(Debug, Clone)]
pub(super) struct DdOption {
    /// Upper case.
    pub(super) name: String,
    /// Without one the data set of the job is meant, with these attributes.
    pub(super) path: Option<PathBuf>,
    pub(super) attributes: Attributes,
}

/// `--ps FOLDER,format=..`
#[derive(Debug, Clone)]
pub(super) struct Folder {
    pub(super) path: PathBuf,
    pub(super) attributes: Attributes,
}

/// A file with what is known of it.
#[derive(Debug, Clone)]
pub(super) struct FileSpec {
    pub(super) path: PathBuf,
    pub(super) attributes: Attributes,
    /// From RECFM and LRECL of a DD statement.
    pub(super) declared: Option<FileFormat>,
    /// Records are added to the old ones.
    pub(super) append: bool,
}

/// All options about files.
#[derive(Debug, Clone, Default)]
pub(super) struct FileOptions {
    pub(super) dds: Vec<DdOption>,
    pub(super) folders: Vec<Folder>,
    pub(super) output: Option<Folder>,
    pub(super) libraries: Vec<PathBuf>,
}

impl DdOption {
    /// Reads the value of `--dd`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let Some((name, rest)) = text.split_once('=') else {
            return Err(format!("TXMID0062E --dd {text}: NAME=FILE is expected"));
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
    pub(super) fn parse(option: &str, text: &str) -> Result<Self, String> {
        let (path, attributes) = attributes(option, text)?;
        let path = PathBuf::from(path);
        if !path.is_dir() {
            return Err(format!(
                "TXMID0062E {option}: {} is no folder",
                path.display()
            ));
        }
        Ok(Self { path, attributes })
    }
}

/// `PATH,format=fixed:300,ccsid=37,copybook=FILE:01-NAME`
fn attributes<'a>(option: &str, text: &'a str) -> Result<(&'a str, Attributes), String> {
    let mut parts = text.split(',');
    let path = parts.next().unwrap_or("").trim();
    let mut found = Attributes::default();
    for part in parts {
        let wrong = |reason: &str| Err(format!("TXMID0062E {option} {text}: {part}: {reason}"));
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
    /// The option for a DD name.
    pub(super) fn dd(&self, name: &str) -> Option<&DdOption> {
        self.dds.iter().find(|d| d.name.eq_ignore_ascii_case(name))
    }

    /// The file that has the name of a data set. A file NAME.txt holds lines in ISO 8859-1.
    pub(super) fn file_of(&self, dataset: &str) -> Option<FileSpec> {
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
    pub(super) fn new_file(&self, dataset: &str) -> Option<FileSpec> {
        check_name(dataset).ok()?;
        let folder = self.output.as_ref()?;
        Some(spec(folder.path.join(dataset), folder.attributes.clone()))
    }

    /// Number of the newest generation of a group that has a file; 0 when there is none.
    pub(super) fn latest_generation(&self, group: &str) -> u32 {
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
    pub(super) fn member(&self, name: &str) -> Option<String> {
        crate::system::read_text(&self.member_path(name)?).ok()
    }

    /// A member of a library as records: lines in ISO 8859-1.
    pub(super) fn member_file(&self, name: &str) -> Option<FileSpec> {
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
pub(super) fn spec(path: PathBuf, attributes: Attributes) -> FileSpec {
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
            error,
            "TXMID0062E --dd a,format=fxd: format=fxd: fxd is no format; fixed:LENGTH, variable, blocked, line and crlf are"
        );
    }
}
