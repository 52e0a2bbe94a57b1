//! Opening, closing and emptying files.

use super::automatic::Journaling;
use super::{Files, OpenFile, condition};
use crate::replier::lock;
use std::sync::Arc;
use transom_datasets::{Cluster, Condition, Dataset, DatasetName, Datasets, Organization};
use transom_messages as messages;
use transom_types::{FileName, Resp};
use transom_wire::definitions::{Enablement, FileEntry, FileShape, FileType};
use transom_wire::requests::RegionAnswer;

impl Files {
    /// Opens a file that is installed; one that is open stays so.
    pub(super) fn open_now(&self, name: FileName) -> Result<(), RegionAnswer> {
        match self.to_open(name)? {
            Some(entry) => {
                let opened = transom_recovery::wait(self.dataset(&entry));
                self.opened(entry, opened)
            }
            None => Ok(()),
        }
    }

    /// Closes a file; requests under way end as they would have.
    pub(super) fn close(&self, name: FileName) {
        let shared = self.kernel.shared();
        lock(&self.open).remove(&name);
        let Some(mut entry) = FileEntry::find(shared, name) else {
            return;
        };
        entry.status = match entry.status {
            Enablement::Disabled | Enablement::Disabling => Enablement::Disabled,
            _ => Enablement::Unenabled,
        };
        entry.shape = None;
        // Smaller than before: there is room.
        let _stored = entry.install(shared);
    }

    /// The definition of a file that has yet to be opened.
    fn to_open(&self, name: FileName) -> Result<Option<FileEntry>, RegionAnswer> {
        match FileEntry::find(self.kernel.shared(), name) {
            None => {
                let text = messages::fc::not_defined(name);
                Err(RegionAnswer::refused(Resp::FILENOTFOUND, 1, text))
            }
            Some(entry) if entry.shape.is_some() && self.of(name).is_some() => Ok(None),
            Some(entry) => Ok(Some(entry)),
        }
    }

    async fn dataset(&self, entry: &FileEntry) -> Result<Dataset, Condition> {
        let datasets = self.datasets();
        let datasets = datasets.ok_or_else(|| Condition::NoDataset(entry.dsname.clone()))?;
        dataset(&datasets, entry).await
    }

    fn opened(
        &self,
        mut entry: FileEntry,
        dataset: Result<Dataset, Condition>,
    ) -> Result<(), RegionAnswer> {
        let name = entry.name;
        let dataset = dataset.map_err(|why| {
            let dsname = &entry.dsname;
            let text = messages::fc::data_set_not_opened(name, dsname, &why);
            RegionAnswer::refused(Resp::NOTOPEN, 60, text)
        })?;
        let journaling = Journaling::of(&entry, &self.journals).map(Arc::new);
        for journal in journaling.iter().flat_map(|journaling| journaling.names()) {
            self.journals.can_write(journal).map_err(|why| {
                let text = messages::fc::journal_not_usable(name, &why);
                RegionAnswer::refused(Resp::NOTOPEN, 60, text)
            })?;
        }
        let recoverable = entry.is_recoverable();
        entry.shape = Some(shape(&dataset));
        let file = OpenFile {
            dataset,
            recoverable,
            journaling,
        };
        lock(&self.open).insert(name, file);
        if entry.install(self.kernel.shared()) {
            return Ok(());
        }
        lock(&self.open).remove(&name);
        let text = messages::sm::shared_full();
        Err(RegionAnswer::refused(Resp::NOTOPEN, 60, text))
    }

    /// Opens a file for a task or an operator.
    pub(super) async fn open(&self, name: FileName) -> Result<(), RegionAnswer> {
        let journaling = self
            .to_open(name)?
            .and_then(|entry| Journaling::of(&entry, &self.journals));
        if let Some(journaling) = journaling {
            journaling.open_journals().await;
        }
        // What was changed meanwhile counts.
        let Some(entry) = self.to_open(name)? else {
            return Ok(());
        };
        let opened = self.dataset(&entry).await;
        self.opened(entry, opened)
    }

    /// Deletes all records of a file's data set, which is opened for it.
    pub(super) async fn empty(&self, name: FileName) -> RegionAnswer {
        if let Err(refused) = self.open(name).await {
            return refused;
        }
        let Some(file) = self.of(name) else {
            return condition::not_open(name);
        };
        match file.dataset.empty().await {
            Ok(()) => RegionAnswer::normal(),
            Err(why) => condition::answer(name.as_str(), &why),
        }
    }
}

/// The data set; one that does not exist is made when the definition says how.
async fn dataset(datasets: &Datasets, entry: &FileEntry) -> Result<Dataset, Condition> {
    let name = DatasetName::new(&entry.dsname)?;
    match datasets.dataset(&name) {
        Err(Condition::NoDataset(_)) if entry.key_length > 0 && entry.record_size > 0 => {
            let (key_length, max) = (usize::from(entry.key_length), entry.record_size as usize);
            let mut cluster = Cluster::ksds(name.clone(), 0, key_length, max);
            cluster.fixed = entry.fixed;
            cluster.recoverable = entry.is_recoverable();
            match datasets.define_cluster(cluster).await {
                // Another task was faster.
                Ok(()) | Err(Condition::Exists(_)) => datasets.dataset(&name),
                Err(why) => Err(why),
            }
        }
        found => found,
    }
}

fn shape(dataset: &Dataset) -> FileShape {
    let cluster = dataset.cluster();
    FileShape {
        organization: match cluster.organization {
            Organization::Ksds { .. } => FileType::Ksds,
            Organization::Esds => FileType::Esds,
            Organization::Rrds => FileType::Rrds,
        },
        path: dataset.through().is_some(),
        duplicates: dataset.has_duplicates(),
        key_offset: dataset.key_offset().unwrap_or(0) as u32,
        key_length: dataset.key_length() as u16,
        record_max: cluster.max as u32,
        base: dataset.table().to_owned(),
    }
}
