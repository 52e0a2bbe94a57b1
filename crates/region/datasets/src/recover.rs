//! A record as a forward recovery log says it is.
//!
//! What: put or deleted under its key in the base, whatever is there now, with the entries of all
//! alternate indexes. Why apart from writing: a log says how a record is from then on; whether it
//! was there is no condition, and an ESDS has the place that it had. Not here: logs.

use crate::dataset::Dataset;
use crate::define::Organization;
use crate::{Access, Condition};
use transom_recovery::{Change, Lock, Match};
use transom_types::Position;

impl Dataset {
    /// Makes the record with a key as given; `None` deletes it. Without a key that of a KSDS is
    /// taken from the record. True: there was one before.
    pub async fn recover(
        &self,
        access: Access,
        key: &[u8],
        record: Option<&[u8]>,
    ) -> Result<bool, Condition> {
        let key = self.recovered_key(key, record)?;
        let position = Position::of_base(key);
        let old = self.here(access, key).await?;
        match (&old, record) {
            (None, None) => {}
            (Some(_), None) => self.delete(access, &position).await?,
            (Some(_), Some(record)) => self.rewrite(access, &position, record).await?,
            (None, Some(record)) => self.put_back(access, key, record).await?,
        }
        Ok(old.is_some())
    }

    /// The key under which [`recover`](Self::recover) makes or deletes a record.
    pub fn recovered_key<'a>(
        &self,
        key: &'a [u8],
        record: Option<&'a [u8]>,
    ) -> Result<&'a [u8], Condition> {
        let own = record.and_then(|record| self.key_in(record));
        match (key, own) {
            ([], Some(own)) => Ok(own),
            ([], None) => Err(Condition::Invalid(
                "the log does not say where the record is",
            )),
            (key, _) => Ok(key),
        }
    }

    async fn here(&self, access: Access, key: &[u8]) -> Result<Option<Vec<u8>>, Condition> {
        let key = self.order().store(key.to_vec());
        let lock = Lock::Update(access.wait);
        let table = self.table();
        let row = self
            .store
            .read(Some(access.uow), table, &key, Match::Equal, lock);
        Ok(row.await?.map(|row| row.record))
    }

    async fn put_back(&self, access: Access, key: &[u8], record: &[u8]) -> Result<(), Condition> {
        self.check_record(record)?;
        if self.cluster().organization == Organization::Esds {
            self.reach(key, record.len()).await?;
        }
        let mut writes = vec![self.write(key, Change::Insert(record.to_vec()))];
        for index in &self.parts.upgrade {
            writes.extend(self.new_entry(index, record, key).await?);
        }
        self.change(access, writes).await
    }

    /// Records added later lie behind this one.
    async fn reach(&self, key: &[u8], length: usize) -> Result<(), Condition> {
        let rba = key.try_into().map(u64::from_be_bytes);
        let rba = rba.map_err(|_| Condition::Invalid("the log has no RBA for the record"))?;
        let end = rba.saturating_add(length as u64);
        let next = self.store.allocate(self.table(), 0).await?;
        if next < end {
            self.store.allocate(self.table(), end - next).await?;
        }
        Ok(())
    }
}
