//! Opening, closing and emptying files.

use super::automatic::Journaling;
use super::recovery::{InEffect, in_effect};
use super::{Files, OpenFile, condition};
use crate::replier::lock;
use std::sync::Arc;
use transom_datasets::{Cluster, Condition, Dataset, DatasetName, Datasets, Log, Organization};
use transom_messages::{self as messages, Message};
use transom_types::{FileName, Resp};
use transom_wire::definitions::{Enablement, FileEntry, FileShape, FileType, Recovery};
use transom_wire::requests::RegionAnswer;

/// A file that can be opened.
struct Ready {
    entry: FileEntry,
    dataset: Dataset,
    effect: InEffect,
    journaling: Option<Arc<Journaling>>,
}

fn not_opened(why: Message) -> RegionAnswer {
    RegionAnswer::refused(Resp::NOTOPEN, 60, why)
}

impl Files {
    /// Opens a file that is installed; one that is open stays so.
    pub(super) fn open_now(&self, name: FileName) -> Result<(), RegionAnswer> {
        match self.to_open(name)? {
            Some(entry) => {
                let opened = transom_recovery::wait(self.dataset(&entry));
                self.opened(self.ready(entry, opened)?)
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

    /// What an open file needs, its journals not opened yet.
    fn ready(
        &self,
        entry: FileEntry,
        dataset: Result<Dataset, Condition>,
    ) -> Result<Ready, RegionAnswer> {
        let dataset = dataset.map_err(|why| {
            not_opened(messages::fc::data_set_not_opened(
                entry.name,
                &entry.dsname,
                &why,
            ))
        })?;
        let cluster = dataset.cluster();
        let effect = in_effect(&entry, cluster, self.recovery_of_catalog, &self.journals)
            .map_err(not_opened)?;
        let journaling = Journaling::of(&entry, effect.forward, &self.journals).map(Arc::new);
        Ok(Ready {
            entry,
            dataset,
            effect,
            journaling,
        })
    }

    fn opened(&self, ready: Ready) -> Result<(), RegionAnswer> {
        let Ready {
            mut entry,
            dataset,
            effect,
            journaling,
        } = ready;
        let name = entry.name;
        for journal in journaling.iter().flat_map(|journaling| journaling.names()) {
            self.journals
                .can_write(journal)
                .map_err(|why| not_opened(messages::fc::journal_not_usable(name, &why)))?;
        }
        entry.shape = Some(shape(&dataset, effect.recovery));
        let file = OpenFile {
            dataset,
            recoverable: entry.is_recoverable(),
            journaling,
        };
        lock(&self.open).insert(name, file);
        if entry.install(self.kernel.shared()) {
            if let Some(warning) = effect.warning {
                self.kernel.tell(warning);
            }
            return Ok(());
        }
        lock(&self.open).remove(&name);
        Err(not_opened(messages::sm::shared_full()))
    }

    /// Opens a file for a task or an operator.
    pub(super) async fn open(&self, name: FileName) -> Result<(), RegionAnswer> {
        let Some(entry) = self.to_open(name)? else {
            return Ok(());
        };
        let opened = self.dataset(&entry).await;
        let ready = self.ready(entry, opened)?;
        let Some(journaling) = ready.journaling.clone() else {
            return self.opened(ready);
        };
        journaling.open_journals().await;
        // What was changed meanwhile counts.
        let Some(entry) = self.to_open(name)? else {
            return Ok(());
        };
        let opened = self.dataset(&entry).await;
        self.opened(self.ready(entry, opened)?)
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
            // Another file may open it with a recovery of its own, unless the catalog rules alone.
            cluster.log = entry.rls.then_some(match entry.recovery {
                Recovery::None => Log::None,
                Recovery::BackoutOnly => Log::Undo,
                Recovery::All => Log::All,
            });
            match datasets.define_cluster(cluster).await {
                // Another task was faster.
                Ok(()) | Err(Condition::Exists(_)) => datasets.dataset(&name),
                Err(why) => Err(why),
            }
        }
        found => found,
    }
}

fn shape(dataset: &Dataset, recovery: Recovery) -> FileShape {
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
        recovery,
    }
}
