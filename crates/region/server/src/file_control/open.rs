//! Opening, closing and emptying files.

use super::automatic::Journaling;
use super::data_table::Records;
use super::recovery::{InEffect, in_effect};
use super::{Files, OpenFile, condition};
use crate::replier::lock;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use transom_datasets::{Cluster, Condition, Dataset, DatasetName, Datasets, Log, Organization};
use transom_messages::{self as messages, Message};
use transom_monitoring::statistics::FILE;
use transom_region_monitoring::Gone;
use transom_types::{FileName, Resp};
use transom_wire::definitions::{Enablement, FileEntry, FileShape, FileType, Recovery};
use transom_wire::requests::RegionAnswer;

/// A file that can be opened.
struct Ready {
    entry: FileEntry,
    records: Records,
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
                let records = transom_recovery::wait(self.records(&entry));
                self.opened(self.ready(entry, records)?)
            }
            None => Ok(()),
        }
    }

    /// Closes a file; requests under way end as they would have.
    pub(crate) fn close(&self, name: FileName) {
        let shared = self.kernel.shared();
        let closed = lock(&self.open).remove(&name);
        closed
            .into_iter()
            .for_each(|file| self.drop_table(file.records()));
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
        self.kernel.gone(&Gone::Closed(&FILE, name.as_bytes()));
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

    /// Where a file that is opened has its records. The error is what the operator is told.
    async fn records(&self, entry: &FileEntry) -> Result<Records, Message> {
        let dsname = entry.dsname.as_str();
        let not_opened =
            |why: Condition| messages::fc::data_set_not_opened(entry.name, dsname, &why);
        let datasets = self.datasets();
        let datasets = datasets.ok_or_else(|| not_opened(Condition::NoDataset(dsname.into())))?;
        let source = self.dataset(&datasets, entry).await;
        self.table(&datasets, entry, source.map_err(not_opened)?)
            .await
    }

    async fn dataset(&self, datasets: &Datasets, entry: &FileEntry) -> Result<Dataset, Condition> {
        let name = DatasetName::new(&entry.dsname)?;
        match datasets.dataset(&name) {
            Err(Condition::NoDataset(_)) if self.define_missing && has_shape(entry) => {
                self.define(datasets, &name, entry).await
            }
            found => found,
        }
    }

    /// Makes the data set as the definition says it; where the key is it cannot say.
    async fn define(
        &self,
        datasets: &Datasets,
        name: &DatasetName,
        entry: &FileEntry,
    ) -> Result<Dataset, Condition> {
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
            Ok(()) => {
                let text = messages::fc::data_set_made(entry.name, &entry.dsname, key_length, max);
                self.kernel.tell(text);
            }
            // Another task was faster.
            Err(Condition::Exists(_)) => {}
            Err(why) => return Err(why),
        }
        datasets.dataset(name)
    }

    /// What an open file needs, its journals not opened yet.
    fn ready(
        &self,
        entry: FileEntry,
        records: Result<Records, Message>,
    ) -> Result<Ready, RegionAnswer> {
        let records = records.map_err(not_opened)?;
        let cluster = records.dataset.cluster();
        // What the catalog says of the data set is not for a table apart from it.
        let effect = match entry.is_user_table() {
            true => Ok(InEffect::of_table(&entry)),
            false => in_effect(&entry, cluster, self.recovery_of_catalog, &self.journals),
        };
        let effect = effect.map_err(not_opened)?;
        let journaling = Journaling::of(&entry, effect.forward, &self.journals).map(Arc::new);
        Ok(Ready {
            entry,
            records,
            effect,
            journaling,
        })
    }

    fn opened(&self, ready: Ready) -> Result<(), RegionAnswer> {
        let Ready {
            mut entry,
            records: Records { dataset, table },
            effect,
            journaling,
        } = ready;
        let name = entry.name;
        for journal in journaling.iter().flat_map(|journaling| journaling.names()) {
            self.journals
                .can_write(journal)
                .map_err(|why| not_opened(messages::fc::journal_not_usable(name, &why)))?;
        }
        if let Some(journaling) = &journaling {
            journaling.tie_up(dataset.cluster().name.as_str());
        }
        let mut shape = shape(&dataset, effect.recovery);
        if table.is_some() {
            dataset.cluster().name.as_str().clone_into(&mut shape.table);
        }
        entry.shape = Some(shape);
        let file = OpenFile {
            dataset,
            recoverable: entry.is_recoverable(),
            rls: entry.rls,
            journaling,
            table,
        };
        match lock(&self.open).entry(name) {
            // Another task was faster, and its table may have been changed already.
            Entry::Occupied(there) if there.get().table.is_some() => {
                self.drop_table(file.records());
                return Ok(());
            }
            Entry::Occupied(mut there) => drop(there.insert(file)),
            Entry::Vacant(place) => drop(place.insert(file)),
        }
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
        let opened = self.records(&entry).await;
        let ready = self.ready(entry, opened)?;
        let Some(journaling) = ready.journaling.clone() else {
            return self.opened(ready);
        };
        journaling.open_journals().await;
        self.drop_table(ready.records);
        // What was changed meanwhile counts.
        let Some(entry) = self.to_open(name)? else {
            return Ok(());
        };
        let records = self.records(&entry).await;
        self.opened(self.ready(entry, records)?)
    }

    /// Deletes all records of a file's data set, which is opened for it.
    pub(super) async fn empty(&self, name: FileName) -> RegionAnswer {
        if let Err(refused) = self.open(name).await {
            return refused;
        }
        let Some(file) = self.of(name) else {
            return condition::not_open(name);
        };
        if file.table.is_some() {
            let text = messages::fc::condition(name, "a data table is not emptied");
            return RegionAnswer::refused(Resp::INVREQ, 2, text);
        }
        match file.dataset.empty().await {
            Ok(()) => RegionAnswer::normal(),
            Err(why) => condition::answer(name.as_str(), file.rls, &why),
        }
    }
}

/// The definition says how a data set for it would be.
fn has_shape(entry: &FileEntry) -> bool {
    entry.key_length > 0 && entry.record_size > 0
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
        table: String::new(),
    }
}
