//! An installed program.

use super::{Concurrency, ProgramEntry};
use crate::module::Module;
use transom_types::ProgramName;

impl ProgramEntry {
    /// A local program with CICS's defaults.
    pub fn new(program: ProgramName, path: &str) -> Self {
        Self {
            path: path.to_owned(),
            ..Self::with_defaults(program)
        }
    }

    /// How the worker loads it.
    pub fn module(&self) -> Module {
        Module {
            program: self.program,
            path: self.path.clone(),
            quasirent: self.concurrency == Concurrency::Quasirent,
            cics_key: self.cics_key,
        }
    }
}
