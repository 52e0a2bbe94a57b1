//! The records of user-maintained data tables.
//!
//! What: a copy that is made when the file is opened and thrown away when it is closed. It is a
//! KSDS of the region's own, `TRANSOM.TABLES.applid.Tnnnnnnn`, so that workers read it from their
//! map, and a recoverable one is backed out with its unit of work. Differs: opening waits for the
//! end of loading, so LOADING is never raised. Not here: how many records it may have
//! (`data_table`).

use super::Files;
use super::data_table::{Records, UserTable, unfit};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use transom_datasets::{
    Access, Condition, Dataset, DatasetName, Datasets, Entry, LoadRecord, Start,
};
use transom_messages::{self as messages, Message};
use transom_recovery::{Direction, Wait};
use transom_wire::definitions::FileEntry;

/// Records that are copied at a time.
const BATCH: usize = 500;

/// Number of the next table.
static NEXT: AtomicU32 = AtomicU32::new(1);

impl Files {
    /// What TABLE of the file makes of its data set.
    pub(super) async fn table(
        &self,
        datasets: &Datasets,
        entry: &FileEntry,
        source: Dataset,
    ) -> Result<Records, Message> {
        if let Some(reason) = unfit(entry, &source) {
            let dsname = &entry.dsname;
            return Err(messages::fc::table_not_loaded(entry.name, dsname, reason));
        }
        if !entry.is_user_table() {
            return Ok(Records {
                dataset: source,
                table: None,
            });
        }
        let loaded = self.load(datasets, entry, &source).await;
        loaded.map_err(|why| messages::fc::table_not_loaded(entry.name, &entry.dsname, &why))
    }

    /// Copies the data set.
    async fn load(
        &self,
        datasets: &Datasets,
        entry: &FileEntry,
        source: &Dataset,
    ) -> Result<Records, Condition> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = DatasetName::new(&format!("{}T{number:07}", self.prefix()))?;
        let mut cluster = source.cluster().clone();
        (cluster.name, cluster.fixed) = (name.clone(), false);
        cluster.extra = Default::default();
        datasets.define_cluster(cluster).await?;
        let dataset = datasets.dataset(&name)?;
        match self.copy(entry, source, &dataset).await {
            Ok(records) => Ok(Records {
                dataset,
                table: Some(Arc::new(UserTable::new(entry, records))),
            }),
            Err(why) => {
                // What is left goes at the next start.
                let _left = datasets.delete(&name).await;
                Err(why)
            }
        }
    }

    /// Answers the number of records.
    async fn copy(
        &self,
        entry: &FileEntry,
        from: &Dataset,
        to: &Dataset,
    ) -> Result<i64, Condition> {
        let most = match entry.max_records {
            0 => usize::MAX,
            most => most as usize,
        };
        let access = Access {
            uow: self.uows.separate(),
            recoverable: false,
            wait: Wait::No,
        };
        let (mut copied, mut last) = (0, None);
        loop {
            let start = last.as_ref().map_or(Start::End, Start::After);
            let mut found = from.scan(None, start, Direction::Forward, BATCH).await?;
            let room = most - copied;
            if found.len() > room {
                found.truncate(room);
                let dsname = &entry.dsname;
                let text = messages::fc::table_filled(entry.name, most, dsname);
                self.kernel.tell(text);
            } else {
                last = found.last().map(|found| found.position.clone());
            }
            let is_end = found.is_empty() || found.len() == room;
            let records = found.into_iter().map(|found| LoadRecord {
                slot: None,
                record: found.record,
            });
            let records: Vec<LoadRecord> = records.collect();
            let loaded = to.load(access, &records, false).await?;
            if let Some((_, why)) = loaded.rejected.into_iter().next() {
                return Err(why);
            }
            copied += records.len();
            if is_end {
                return Ok(copied as i64);
            }
        }
    }

    /// The file is closed: its table is thrown away.
    pub(super) fn drop_table(&self, records: Records) {
        let Some(datasets) = records.table.and(self.datasets()) else {
            return;
        };
        let name = records.dataset.cluster().name.clone();
        // What cannot be deleted goes at the next start.
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(async move { datasets.delete(&name).await })),
            Err(_) => drop(transom_recovery::wait(datasets.delete(&name))),
        }
    }

    /// Throws all tables away: at the end, and at the start those of a run without one.
    pub(crate) async fn forget_tables(&self) {
        let Some(datasets) = self.datasets() else {
            return;
        };
        let prefix = self.prefix();
        let is_table = |entry: &Entry| entry.name().as_str().starts_with(&prefix);
        for entry in datasets.entries().iter().filter(|entry| is_table(entry)) {
            if let Err(why) = datasets.delete(entry.name()).await {
                self.kernel
                    .tell(messages::fc::condition(entry.name().as_str(), &why));
            }
        }
    }

    /// What names of this region's tables begin with.
    fn prefix(&self) -> String {
        format!("TRANSOM.TABLES.{}.", self.kernel.system.applid)
    }
}
