//! The record store as a worker reads it by itself, kept from task to task.
//!
//! Not here: when it may be read so (`source`).

use foldhash::HashMap;
use std::future::Future;
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use transom_datasets::{Dataset, DatasetName, Datasets, ReadOnlyStore};
use transom_recovery::StoreError;
use transom_types::FileName;
use transom_wire::definitions::FileShape;
use transom_workers::seam::READER_PLACES;

/// The store as this worker reads it, kept from task to task.
#[derive(Default)]
pub struct Reading {
    /// Folder that was tried.
    pub folder: String,
    pub store: Option<Arc<ReadOnlyStore>>,
    pub catalog: Option<Datasets>,
    pub datasets: HashMap<FileName, Dataset>,
}

impl Reading {
    /// The data set of a file, if this worker can read it itself.
    pub fn dataset(
        &mut self,
        folder: &str,
        file: FileName,
        dsname: &str,
        shape: &FileShape,
    ) -> Result<Option<&Dataset>, StoreError> {
        if folder.is_empty() {
            return Ok(None);
        }
        if self.folder != folder {
            *self = Self::default();
            folder.clone_into(&mut self.folder);
            self.store = Some(Arc::new(ReadOnlyStore::open_in_worker(
                Path::new(folder),
                Path::new(READER_PLACES),
            )?));
        }
        let Some(store) = &self.store else {
            return Ok(None);
        };
        let fits = |dataset: &Dataset| {
            dataset.table() == shape.base
                && dataset.through().is_some() == shape.path
                && dataset.key_length() == usize::from(shape.key_length)
        };
        if !self.datasets.get(&file).is_some_and(fits) {
            // Opened or defined since the catalog was read.
            let catalog = match self
                .catalog
                .take()
                .filter(|_| !self.datasets.contains_key(&file))
            {
                Some(catalog) => Some(catalog),
                None => now(Datasets::open(store.clone())).and_then(Result::ok),
            };
            let find = |catalog: &Datasets| {
                let name = DatasetName::new(dsname).ok()?;
                catalog.dataset(&name).ok().filter(fits)
            };
            let mut catalog = catalog;
            let mut found = catalog.as_ref().and_then(find);
            if found.is_none() {
                catalog = now(Datasets::open(store.clone())).and_then(Result::ok);
                found = catalog.as_ref().and_then(find);
            }
            self.catalog = catalog;
            match found {
                Some(dataset) => self.datasets.insert(file, dataset),
                None => self.datasets.remove(&file),
            };
        }
        Ok(self.datasets.get(&file))
    }
}

/// What is ready at once. A store mapped for reading always is.
pub fn now<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(future).poll(&mut context) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}
