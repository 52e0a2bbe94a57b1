//! The command line of `transom import`, checked.

use crate::placeholders::Values;
use crate::walk::{reason, shown};
use clap::Args;
use std::path::{Path, PathBuf};
use transom_messages::{Message, im};

/// Longest value of a placeholder.
const VALUE_MAX: usize = 200;
/// Longest APPLID.
const APPLID_MAX: usize = 8;

/// Options of `transom import`.
#[derive(Debug, Args)]
#[command(
    after_help = "Files are sorted by what stands in them, wherever they lie: programs, copybooks, maps, decks, jobs that make
clusters with the files they load, tables, archives of z/OS Connect. The system directory is made as a whole or not at all.
Then programs are compiled, tables are made, and the table of `transom check` says what there is. Programs that do not compile
are left out, each with its reason.

The exit code is 0 when all of it was taken and `transom check` finds nothing that would not work; 1 when something would not work
or nothing was made; 4 when programs were left out. Stubs that were asked for (--stub) leave it 0.

Examples:
  transom import ../carddemo my-carddemo
  transom import ../genapp my-genapp --set USRHLQ=GENUSR --set DB2DBID=GENASA1"
)]
pub struct ImportArgs {
    /// The folder of the application, as it was checked out or transferred
    checkout: PathBuf,
    /// The system directory to make; it must not exist, or be empty
    dir: PathBuf,
    /// Value of a placeholder <NAME>, @NAME@ or &NAME
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Take the values that the checkout itself names for placeholders
    #[arg(long)]
    suggested: bool,
    /// A file or folder of the checkout that is no part of it
    #[arg(long, value_name = "PATH")]
    without: Vec<PathBuf>,
    /// Put a stub in the place of each program that does not compile
    #[arg(long)]
    stub: bool,
    /// APPLID of the region; default: letters and digits of the folder's name
    #[arg(long, value_name = "NAME")]
    applid: Option<String>,
    /// Port for terminals
    #[arg(long, default_value_t = 3270)]
    port: u16,
}

/// What the options ask for.
pub(crate) struct Wanted {
    pub(crate) root: PathBuf,
    pub(crate) dir: PathBuf,
    pub(crate) values: Values,
    pub(crate) suggested: bool,
    pub(crate) without: Vec<PathBuf>,
    pub(crate) stub: bool,
    pub(crate) applid: String,
    pub(crate) port: u16,
}

impl ImportArgs {
    /// The system directory, as the user names it.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub(crate) fn check(&self) -> Result<Wanted, Vec<Message>> {
        let one = |message| vec![message];
        let not_read = |why| one(im::not_read(self.checkout.display(), reason(&why)));
        let root = self.checkout.canonicalize().map_err(not_read)?;
        std::fs::read_dir(&root).map_err(not_read)?;
        let dir = absolute(&self.dir);
        if dir.starts_with(&root) {
            return Err(one(im::not_apart(self.dir.display())));
        }
        let is_free = match std::fs::symlink_metadata(&dir) {
            Ok(there) => there.is_dir() && is_empty(&dir),
            Err(_) => true,
        };
        if !is_free {
            return Err(one(im::not_empty(self.dir.display())));
        }
        let values = self.values().map_err(one)?;
        let mut without = Vec::new();
        for path in &self.without {
            let found = root
                .join(path)
                .canonicalize()
                .or_else(|_| path.canonicalize());
            let found = found.ok().filter(|p| p.starts_with(&root) && *p != root);
            without
                .push(found.ok_or_else(|| one(im::without_nothing(shown(Path::new(""), path))))?);
        }
        Ok(Wanted {
            applid: self.applid(&dir).map_err(one)?,
            root,
            dir,
            values,
            suggested: self.suggested,
            without,
            stub: self.stub,
            port: self.port,
        })
    }

    fn values(&self) -> Result<Values, Message> {
        let mut values = Values::new();
        for text in &self.set {
            let (name, value) = text.split_once('=').ok_or_else(|| im::bad_set(text))?;
            let name = name.trim_matches(['<', '>', '@', '&']);
            if name.is_empty() {
                return Err(im::bad_set(text));
            }
            if value.len() > VALUE_MAX || value.chars().any(char::is_control) {
                return Err(im::bad_value(name, VALUE_MAX));
            }
            values.insert(name.to_owned(), value.to_owned());
        }
        Ok(values)
    }

    fn applid(&self, dir: &Path) -> Result<String, Message> {
        let of_folder = || {
            let name = dir
                .file_name()
                .map(|n| n.to_string_lossy().to_ascii_uppercase());
            let plain = name.unwrap_or_default();
            let plain = plain.chars().filter(char::is_ascii_alphanumeric);
            plain
                .skip_while(char::is_ascii_digit)
                .take(APPLID_MAX)
                .collect()
        };
        let name = self
            .applid
            .clone()
            .unwrap_or_else(of_folder)
            .to_ascii_uppercase();
        let fits = name.len() <= APPLID_MAX
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric());
        match fits {
            true => Ok(name),
            false => Err(im::bad_applid(if name.is_empty() { "it" } else { &name })),
        }
    }
}

/// The path with links of its parent resolved, where that exists.
fn absolute(dir: &Path) -> PathBuf {
    let dir = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
    let name = dir.file_name().map(ToOwned::to_owned);
    let parent = dir.parent().and_then(|p| p.canonicalize().ok());
    match (parent, name) {
        (Some(parent), Some(name)) => parent.join(name),
        _ => dir,
    }
}

fn is_empty(dir: &Path) -> bool {
    std::fs::read_dir(dir).is_ok_and(|mut list| list.next().is_none())
}
