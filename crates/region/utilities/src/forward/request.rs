//! What a forward recovery is asked for.

use std::collections::HashMap;
use std::path::Path;
use transom_datasets::Datasets;

/// What is recovered.
pub struct Forward<'a> {
    /// The system directory, for messages.
    pub dir: &'a Path,
    /// Its data sets; nobody else uses them.
    pub datasets: &'a Datasets,
    /// Folder with the logs.
    pub journals: &'a Path,
    /// Up to this moment, in milliseconds since 1970; none: to the end of the logs.
    pub until_ms: Option<u64>,
    /// Data sets of files, by file, for logs that do not say it.
    pub files: HashMap<String, String>,
}
