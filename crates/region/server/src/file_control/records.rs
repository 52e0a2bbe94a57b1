//! Reading and changing records of open files for tasks.

use super::automatic::{Image, Journaling};
use super::data_table::{Change, UserTable};
use super::users::Step;
use super::{Files, OpenFile, condition};
use std::sync::Arc;
use std::time::Duration;
use transom_datasets::{Access, Condition, Dataset, Found, Position, Start};
use transom_recovery::{UowId, Wait};
use transom_types::FileName;
use transom_wire::file_control::{Action, From, Patience, SURE, answer_of};
use transom_wire::language::bytes_of;
use transom_wire::requests::RegionAnswer;

/// Most records one browse request answers.
const SCAN_MAX: u32 = 256;

impl Files {
    /// Does one request of a task.
    pub(super) async fn run(
        self: Arc<Self>,
        task: u32,
        name: FileName,
        file: OpenFile,
        action: Action,
    ) -> RegionAnswer {
        let OpenFile {
            dataset,
            recoverable,
            rls,
            journaling,
            table,
        } = file;
        let change = Change::of(&action);
        let plain = recoverable && journaling.is_none() && table.is_none();
        let updates = plain && matches!(action, Action::Read(_, _, Some(_)));
        if let Some(table) = &table
            && let Err(refused) = table.before(&action)
        {
            return refused;
        }
        let step = Step::of(&action);
        let before = self.before(task, name, journaling.as_ref(), &action);
        let (image, mut changed) = match before.await {
            Ok(before) => before,
            Err(refused) => {
                if let Some(table) = table {
                    table.not_done(change);
                }
                return refused;
            }
        };
        let acting = self.act(task, &dataset, (recoverable, rls), action, changed.as_mut());
        let done = acting.await;
        if let Some(table) = table {
            self.count(task, recoverable, table, change, &done);
        }
        if done.is_ok() || changed.as_ref().is_some_and(|keys| !keys.is_empty()) {
            self.took(task, name, recoverable, step);
        }
        let logged = self.changed((task, name), journaling.as_ref(), image.as_ref(), changed);
        logged.await;
        match done {
            Ok(data) => {
                if let Some(journaling) = journaling {
                    let update = matches!(step, Step::Hold);
                    journaling.after(task, image, &data, update).await;
                }
                let sure = updates && dataset.rewrite_is_sure(self.uows.current(task));
                RegionAnswer {
                    resp2: if sure { SURE } else { 0 },
                    ..RegionAnswer::with_data(data)
                }
            }
            Err(why) => condition::answer(dataset.cluster().name.as_str(), rls, &why),
        }
    }

    /// What journal and forward recovery log want before a request is done; answers what becomes
    /// a record of the journal, and a list for the keys of what is changed. The error refuses.
    async fn before(
        self: &Arc<Self>,
        task: u32,
        name: FileName,
        journaling: Option<&Arc<Journaling>>,
        action: &Action,
    ) -> Result<(Option<Image>, Option<Vec<Vec<u8>>>), RegionAnswer> {
        let Some(journaling) = journaling else {
            return Ok((None, None));
        };
        let image = Image::of(action);
        journaling.before(task, image.as_ref()).await?;
        let changing = image.is_some().then_some(journaling);
        let changed = self.will_change(task, name, changing).await?;
        Ok((image, changed))
    }

    /// Counts the records of a user-maintained data table.
    fn count(
        &self,
        task: u32,
        recoverable: bool,
        table: Arc<UserTable>,
        change: Change,
        done: &Result<Vec<u8>, Condition>,
    ) {
        let Ok(answer) = done else {
            return table.not_done(change);
        };
        if !table.done(change, answer, task, recoverable) {
            return;
        }
        let learns = table.clone();
        if !self
            .uows
            .subscribe(task, move |outcome| learns.ended(task, outcome))
        {
            // Nobody would take it back: it counts as committed.
            table.ended(task, transom_recovery::Outcome::Commit);
        }
    }

    /// Reads or changes; answers the data of the answer. `changed` takes the keys in the base of
    /// all records it has changed, also when it fails in between.
    async fn act(
        &self,
        task: u32,
        dataset: &Dataset,
        (recoverable, rls): (bool, bool),
        action: Action,
        changed: Option<&mut Vec<Vec<u8>>>,
    ) -> Result<Vec<u8>, Condition> {
        let own = self.uows.existing(task);
        let access = |patience: Patience| Access {
            uow: self.uows.current(task),
            recoverable,
            wait: self.wait(patience, rls),
        };
        match action {
            Action::Read(key, find, None) => {
                Ok(answer_of(&[dataset.read(own, &key, find).await?]))
            }
            Action::Read(key, find, Some(patience)) => {
                let found = dataset.read_for_update(access(patience), &key, find).await;
                found.map(|found| answer_of(&[found]))
            }
            Action::ReadAt(position, patience) => {
                let record = dataset.read_at(access(patience), &position).await?;
                let found = record.map(|record| found_at(position, record));
                Ok(answer_of(found.as_slice()))
            }
            Action::Unlock(position) => {
                if let Some(uow) = own {
                    dataset.unlock(uow, &position);
                }
                Ok(Vec::new())
            }
            Action::Scan(from, direction, limit) => {
                let found = scan(dataset, own, &from, direction, limit).await?;
                Ok(answer_of(&found))
            }
            change @ (Action::Insert(..)
            | Action::Rewrite(..)
            | Action::Delete(..)
            | Action::DeleteKey(..)
            | Action::DeleteGeneric(..)) => change_one(dataset, &access, change, changed).await,
            Action::Open | Action::Close(_) | Action::Disable(_) | Action::Left | Action::Empty => {
                Ok(Vec::new())
            }
        }
    }

    /// How long a request waits for a record.
    fn wait(&self, patience: Patience, rls: bool) -> Wait {
        let until = |time| Wait::Until(self.kernel.clock.after(time));
        match patience {
            Patience {
                no_suspend: true, ..
            } => Wait::No,
            Patience { dtimout_ms: 0, .. } if rls => until(self.ftimeout),
            Patience { dtimout_ms: 0, .. } => Wait::Forever,
            Patience { dtimout_ms, .. } => until(Duration::from_millis(dtimout_ms)),
        }
    }
}

fn found_at(position: Position, record: Vec<u8>) -> Found {
    let duplicate = false;
    Found {
        position,
        record,
        duplicate,
    }
}

async fn scan(
    dataset: &Dataset,
    uow: Option<UowId>,
    from: &From,
    direction: transom_recovery::Direction,
    limit: u32,
) -> Result<Vec<Found>, Condition> {
    let limit = limit.clamp(1, SCAN_MAX) as usize;
    let start = match from {
        From::End => Start::End,
        From::At(key) => Start::At(key),
        From::After(position) => Start::After(position),
    };
    dataset.scan(uow, start, direction, limit).await
}

/// The number of records, also when it stopped in between.
async fn delete_generic(
    dataset: &Dataset,
    access: Access,
    prefix: &[u8],
    mut changed: Option<&mut Vec<Vec<u8>>>,
) -> Result<Vec<u8>, Condition> {
    let deleted = &mut |position: &Position| note(changed.as_deref_mut(), position);
    let count = dataset
        .delete_each(access, prefix, deleted)
        .await
        .map_err(|(why, _)| why)?;
    Ok(bytes_of(&u32::try_from(count).unwrap_or(u32::MAX)))
}

/// Only for who asked: without a forward recovery log nothing is copied.
fn note(changed: Option<&mut Vec<Vec<u8>>>, position: &Position) {
    if let Some(changed) = changed {
        changed.push(position.base.clone());
    }
}

/// Adds, rewrites or deletes.
async fn change_one(
    dataset: &Dataset,
    access: &(dyn Fn(Patience) -> Access + Sync),
    action: Action,
    changed: Option<&mut Vec<Vec<u8>>>,
) -> Result<Vec<u8>, Condition> {
    match action {
        Action::Insert(slot, record, patience) => {
            let position = dataset.insert(access(patience), slot, &record).await?;
            note(changed, &position);
            Ok(bytes_of(&position))
        }
        Action::Rewrite(position, record, patience) => {
            let rewritten = dataset.rewrite(access(patience), &position, &record);
            rewritten.await?;
            note(changed, &position);
            Ok(Vec::new())
        }
        Action::Delete(position, patience) => {
            dataset.delete(access(patience), &position).await?;
            note(changed, &position);
            Ok(Vec::new())
        }
        Action::DeleteKey(key, patience) => {
            let (position, more) = dataset.delete_found(access(patience), &key).await?;
            note(changed, &position);
            Ok(vec![u8::from(more)])
        }
        Action::DeleteGeneric(key, patience) => {
            delete_generic(dataset, access(patience), &key, changed).await
        }
        _ => Ok(Vec::new()),
    }
}
