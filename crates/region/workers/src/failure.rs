//! Why a program cannot be loaded or run, or a dump cannot be written.
//!
//! Not here: what a command makes of it (`region/commands`), messages.

use std::fmt;
use std::io;
use std::path::PathBuf;
use transom_types::ProgramName;

/// Why there is no instance of a module.
#[derive(Debug)]
pub enum LoadError {
    /// So many levels of the task run it already.
    Active(ProgramName, usize),
    /// The worker has loaded as many modules as it may.
    Modules(usize),
    /// What the loader of the system says.
    Loader(String),
    /// The module has no entry of this name.
    NoProgram {
        /// Path of the module.
        path: String,
        /// The entry.
        program: ProgramName,
        /// What the loader says.
        why: String,
    },
    /// The loader took it, and it is nowhere in memory.
    NotFound,
    /// A shared object that cannot be put where programs need it: no module of cobc.
    Unfit(PathBuf),
    /// The addresses for modules are used up.
    Addresses,
    /// The loader put it somewhere else than below 2 GiB, at this address.
    Place(String, usize),
    /// Its initialisation ended with this program check.
    Initialisation(String),
    /// It ended before its first statement.
    EndedEarly,
    /// A file that cannot be read.
    File(PathBuf, io::Error),
    /// Memory for a second instance.
    Memory(io::Error),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Active(program, times) => write!(f, "program {program} is active {times} times"),
            Self::Modules(count) => write!(f, "{count} modules are loaded in this worker"),
            Self::Loader(text) => f.write_str(text),
            Self::NoProgram { path, program, why } => {
                write!(f, "{path} has no program {program}: {why}")
            }
            Self::Unfit(path) => write!(
                f,
                "{} is no shared object that can lie below 2 GiB",
                path.display()
            ),
            Self::Addresses => f.write_str("no addresses below 2 GiB are left for modules"),
            Self::Place(path, at) => write!(
                f,
                "{path} does not lie at {at:#x}, below 2 GiB, where the system's loader was asked to \
                 put it"
            ),
            Self::NotFound => f.write_str("the loaded module cannot be found"),
            Self::Initialisation(check) => write!(f, "initialisation failed: {check}"),
            Self::EndedEarly => f.write_str("the program ended before its first statement"),
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Memory(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

/// Why a program did not begin.
#[derive(Debug)]
pub(crate) enum RunError {
    /// So many LINK levels are the most.
    Levels(usize),
    NoLevel,
    /// It does not call TXMENTRY first.
    NoLabel,
    Load(LoadError),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Levels(most) => write!(f, "more than {most} LINK levels"),
            Self::NoLevel => f.write_str("no level"),
            Self::NoLabel => f.write_str("the program cannot go on at a label"),
            Self::Load(error) => error.fmt(f),
        }
    }
}

/// Why a dump was not written: its file and what the system says.
#[derive(Debug)]
pub struct DumpError(pub PathBuf, pub io::Error);

impl fmt::Display for DumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.display(), self.1)
    }
}

impl std::error::Error for DumpError {}
