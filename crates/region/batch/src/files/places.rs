//! What DD names of a step stand for.
//!
//! Not here: who knows them (tools/batch), opening (`vsam`).

use std::sync::Arc;
use transom_datasets::{DatasetName, Datasets};
use transom_messages::Message;
use transom_utilities::HostFiles;

/// Where DISPLAY and SYSOUT go.
pub type SysOut = Arc<dyn Fn(&str) + Send + Sync>;

/// What a DD name stands for.
pub enum Place {
    /// A data set of the store.
    Vsam(VsamFile),
    /// Files outside of the store.
    Files(HostFiles),
    /// SYSOUT.
    Print,
    /// DD DUMMY.
    Dummy,
}

/// Knows the DD statements of a step.
pub trait Places {
    /// What a DD name stands for; `None`: there is no DD statement. The error is told, and the file
    /// cannot be opened.
    fn place(&mut self, dd: &str) -> Result<Option<Place>, Message>;
}

/// A data set a DD statement names.
#[derive(Clone)]
pub struct VsamFile {
    pub datasets: Arc<Datasets>,
    pub name: DatasetName,
}
