//! A data set of the store as a file of COBOL.
//!
//! What: OPEN with what the catalog must agree to, and the statements for records. Not here: what
//! holds for every file (`super`), where records go before they are durable (`unit`).

use super::catalog::{agrees, alternates, never_loaded};
use super::places::{Places, VsamFile};
use super::position::{At, Browse};
use super::unit::Unit;
use crate::answers::{Answered, Failed, Status, done, of};
use crate::questions::{
    AccessMode, Comparison, Described, FileAnswer, FileOrganization, OpenMode, Statement,
};
use transom_datasets::{Condition, Dataset, Find, Found, Load, Position, Start};
use transom_recovery::{Direction, wait};

/// One that is open.
pub(crate) struct Vsam {
    file: Described,
    mode: OpenMode,
    from: VsamFile,
    /// By the key of reference: the base, then a path for each alternate key.
    by_key: Vec<Dataset>,
    browse: Browse,
    /// The record of the last READ, while it can be rewritten or deleted.
    last: Option<Position>,
    /// The last one written in sequence: its key, or its slot.
    written: Option<Vec<u8>>,
    /// It was never loaded, and nothing was written yet.
    unloaded: bool,
}

/// What a statement came to.
type Answer = Result<FileAnswer, Answered>;

impl Vsam {
    pub(super) fn open(
        unit: &mut Unit,
        places: &mut dyn Places,
        from: VsamFile,
        file: &Described,
        mode: OpenMode,
    ) -> Result<(Self, Status), Failed> {
        let base = from.datasets.dataset(&from.name)?;
        agrees(&base, file)?;
        let mut by_key = vec![base];
        by_key.extend(alternates(places, file)?);
        let first = Start::End;
        let is_empty = wait(by_key[0].scan(None, first, Direction::Forward, 1))?.is_empty();
        let unloaded = is_empty && never_loaded(&from, &by_key[0]);
        let status = match mode {
            OpenMode::Input | OpenMode::InputOutput if unloaded => match file.optional {
                true => Status::OPTIONAL,
                false => {
                    let why = "no record was ever written to it".to_owned();
                    return Err(Failed(Status::NOT_THERE, why));
                }
            },
            _ => Status(0),
        };
        if mode == OpenMode::Output && !is_empty {
            if !by_key[0].cluster().reuse {
                let why = "it has records, and is not defined with REUSE".to_owned();
                return Err(Failed(Status::INVALID_FILE, why));
            }
            unit.commit()?;
            wait(by_key[0].empty())?;
        }
        let mut vsam = Self {
            file: file.clone(),
            mode,
            from,
            by_key,
            browse: Browse::default(),
            last: None,
            written: None,
            unloaded,
        };
        if mode == OpenMode::Extend {
            let last = vsam.by_key[0].scan(None, Start::End, Direction::Backward, 1);
            vsam.written = wait(last)?.pop().map(|found| found.position.base);
        }
        Ok((vsam, status))
    }

    /// Names behind SELECT and ASSIGN.
    pub(super) fn names(&self) -> (&str, &str) {
        (&self.file.name, &self.file.dd)
    }

    pub(super) fn answer(&mut self, unit: &mut Unit, statement: Statement) -> Answer {
        let read = matches!(
            statement,
            Statement::Next | Statement::Read { .. } | Statement::Start { .. }
        );
        let reads = matches!(self.mode, OpenMode::Input | OpenMode::InputOutput);
        if read && !reads {
            return Err(Status::NOT_INPUT.into());
        }
        let last = self.last.take();
        match statement {
            Statement::Next => self.next(unit),
            Statement::Read { key, value, slot } => self.read(unit, key, &value, slot),
            Statement::Start {
                comparison,
                key,
                value,
                slot,
            } => self.start(unit, comparison, key, (&value, slot)),
            Statement::Write { record, slot, .. } => self.write(unit, &record, slot),
            Statement::Rewrite { record, slot } => self.rewrite(unit, last, &record, slot),
            Statement::Delete { record, slot } => self.delete(unit, last, &record, slot),
            Statement::Open { .. } | Statement::Close { .. } => Err(Status::ALREADY_OPEN.into()),
        }
    }

    fn next(&mut self, unit: &mut Unit) -> Answer {
        let uow = unit.access(&self.from).uow;
        let dataset = &self.by_key[self.browse.key];
        match self.browse.next(dataset, uow)? {
            Some(found) => Ok(self.given(found)),
            None => Err(Status::AT_END.into()),
        }
    }

    fn read(&mut self, unit: &mut Unit, key: u32, value: &[u8], slot: u32) -> Answer {
        let key = key as usize;
        let dataset = self.by_key.get(key).ok_or(Status::ATTRIBUTES)?;
        let slot = slot.to_be_bytes();
        let value = self.sought(value, &slot);
        let uow = unit.access(&self.from).uow;
        self.browse = Browse::at(key, At::Lost);
        match wait(dataset.read(Some(uow), value, Find::Equal)) {
            Ok(found) => {
                self.browse.at = At::Behind(found.position.clone());
                let answer = self.given(found);
                Ok(FileAnswer { slot: 0, ..answer })
            }
            Err(Condition::NotFound) => Err(Status::NOT_FOUND.into()),
            // A slot number of an RRDS that cannot be.
            Err(Condition::Invalid(_)) => Err(Status::NOT_FOUND.into()),
            Err(other) => Err(other.into()),
        }
    }

    /// What a record is looked for by: the number of its slot where a file has slots.
    fn sought<'a>(&self, value: &'a [u8], slot: &'a [u8]) -> &'a [u8] {
        match self.file.organization {
            FileOrganization::Relative => slot,
            _ => value,
        }
    }

    /// A record that was found, for the program.
    fn given(&mut self, found: Found) -> FileAnswer {
        let (least, most) = (self.file.record_min as usize, self.file.record_max as usize);
        let status = match found.record.len() {
            length if length < least || length > most => Status::LENGTH,
            _ if found.duplicate && self.browse.key > 0 => Status::DUPLICATE_KEY,
            _ => Status(0),
        };
        let slot = match self.file.organization {
            FileOrganization::Relative => found.position.rrn().unwrap_or(0),
            _ => 0,
        };
        self.last = Some(Position::of_base(&found.position.base));
        let mut record = found.record;
        record.truncate(most);
        FileAnswer {
            record: Some(record),
            slot,
            ..of(status)
        }
    }

    fn start(
        &mut self,
        unit: &mut Unit,
        comparison: Comparison,
        key: u32,
        (value, slot): (&[u8], u32),
    ) -> Answer {
        let key = key as usize;
        let dataset = self.by_key.get(key).ok_or(Status::ATTRIBUTES)?;
        let slot = slot.to_be_bytes();
        let value = self.sought(value, &slot);
        let uow = unit.access(&self.from).uow;
        let found = super::position::find(dataset, uow, comparison, value)?;
        let at = match found {
            Some(position) => At::From(position.key),
            None => At::Lost,
        };
        let lost = matches!(at, At::Lost);
        self.browse = Browse::at(key, at);
        match lost {
            true => Err(Status::NOT_FOUND.into()),
            false => Ok(done()),
        }
    }

    fn write(&mut self, unit: &mut Unit, record: &[u8], slot: u32) -> Answer {
        let in_sequence = self.file.access == AccessMode::Sequential;
        match self.mode {
            OpenMode::Output | OpenMode::Extend => {}
            OpenMode::InputOutput if !in_sequence => {}
            _ => return Err(Status::NOT_OUTPUT.into()),
        }
        self.check_length(record)?;
        let slot = match self.file.organization {
            FileOrganization::Relative if in_sequence => {
                let last = self
                    .written
                    .as_deref()
                    .and_then(|slot| slot.try_into().ok());
                let next = last.map_or(0, u32::from_be_bytes).checked_add(1);
                Some(next.ok_or(Status::BOUNDARY)?)
            }
            FileOrganization::Relative if slot == 0 => return Err(Status::BOUNDARY.into()),
            FileOrganization::Relative => Some(slot),
            _ => None,
        };
        if let (true, FileOrganization::Indexed) = (in_sequence, self.file.organization) {
            self.check_sequence(record)?;
        }
        let access = unit.access(&self.from);
        let position = wait(self.by_key[0].insert(access, slot, record));
        let position = position.map_err(|why| self.not_written(why))?;
        unit.changed(record.len())?;
        self.browse.forget_ahead();
        self.loaded()?;
        self.written = Some(position.base);
        Ok(FileAnswer {
            slot: slot.unwrap_or(0),
            ..of(self.status_of_keys(access.uow, record)?)
        })
    }

    /// The catalog knows from now on that it has had records.
    fn loaded(&mut self) -> Result<(), Condition> {
        if !std::mem::take(&mut self.unloaded) {
            return Ok(());
        }
        wait(
            self.from
                .datasets
                .set_load(&self.by_key[0].cluster().name, Load::Done),
        )
    }

    /// Keys of a KSDS that is written in sequence ascend.
    fn check_sequence(&self, record: &[u8]) -> Result<(), Status> {
        let (Some(last), Some(key)) = (&self.written, self.key_in(record)) else {
            return Ok(());
        };
        match () {
            () if self.by_key[0].is_behind(last, key) => Err(Status::SEQUENCE),
            () if last == key => Err(Status::DUPLICATE),
            () => Ok(()),
        }
    }

    fn check_length(&self, record: &[u8]) -> Result<(), Status> {
        let (least, most) = (self.file.record_min as usize, self.file.record_max as usize);
        match (least..=most).contains(&record.len()) {
            true => Ok(()),
            false => Err(Status::RECORD_LENGTH),
        }
    }

    fn not_written(&self, why: Condition) -> Answered {
        match why {
            Condition::Duplicate => Status::DUPLICATE.into(),
            Condition::KeyChanged => Status::SEQUENCE.into(),
            Condition::Length { .. } => Status::RECORD_LENGTH.into(),
            Condition::NotFound => Status::NOT_FOUND.into(),
            Condition::NoSpace(text) => {
                let status = match self.file.organization {
                    FileOrganization::Indexed | FileOrganization::Relative => Status::BOUNDARY,
                    _ => Status::FULL,
                };
                Answered::Failed(Failed(status, text))
            }
            other => other.into(),
        }
    }

    /// 02 where another record has one of its alternate keys.
    fn status_of_keys(
        &self,
        uow: transom_recovery::UowId,
        record: &[u8],
    ) -> Result<Status, Condition> {
        for dataset in self.by_key.iter().skip(1) {
            let Some(index) = dataset.through().filter(|index| !index.unique) else {
                continue;
            };
            let Some(key) = record.get(index.key_offset..index.key_offset + index.key_length)
            else {
                continue;
            };
            if wait(dataset.read(Some(uow), key, Find::Equal))?.duplicate {
                return Ok(Status::DUPLICATE_KEY);
            }
        }
        Ok(Status(0))
    }

    fn key_in<'r>(&self, record: &'r [u8]) -> Option<&'r [u8]> {
        let key = self.file.keys.first()?;
        let from = key.offset as usize;
        record.get(from..from + key.length as usize)
    }

    /// The record REWRITE and DELETE mean: the one that was read last, or the one with the key.
    fn meant(
        &self,
        last: Option<Position>,
        record: &[u8],
        slot: u32,
    ) -> Result<Position, Answered> {
        if self.mode != OpenMode::InputOutput {
            return Err(Status::NOT_INPUT_OUTPUT.into());
        }
        if self.file.access == AccessMode::Sequential {
            return last.ok_or(Status::NO_READ.into());
        }
        Ok(match self.file.organization {
            FileOrganization::Relative => Position::of_base(&slot.to_be_bytes()),
            _ => Position::of_base(self.key_in(record).ok_or(Status::NOT_FOUND)?),
        })
    }

    fn rewrite(
        &mut self,
        unit: &mut Unit,
        last: Option<Position>,
        record: &[u8],
        slot: u32,
    ) -> Answer {
        let position = self.meant(last, record, slot)?;
        self.check_length(record)?;
        let access = unit.access(&self.from);
        let base = &self.by_key[0];
        let locked = wait(base.read_for_update(access, &position.base, Find::Equal));
        locked.map_err(|why| self.not_written(why))?;
        let rewritten = wait(base.rewrite(access, &position, record));
        rewritten.map_err(|why| self.not_written(why))?;
        unit.changed(record.len())?;
        self.browse.forget_ahead();
        Ok(of(self.status_of_keys(access.uow, record)?))
    }

    fn delete(
        &mut self,
        unit: &mut Unit,
        last: Option<Position>,
        record: &[u8],
        slot: u32,
    ) -> Answer {
        let position = self.meant(last, record, slot)?;
        let access = unit.access(&self.from);
        let deleted = wait(self.by_key[0].delete_key(access, &position.base));
        deleted.map_err(|why| self.not_written(why))?;
        unit.changed(position.base.len())?;
        self.browse.forget_ahead();
        Ok(done())
    }
}
