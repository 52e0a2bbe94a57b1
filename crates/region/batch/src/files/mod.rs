//! Files of a step: what OPEN, READ and the others do, and their file statuses.
//!
//! What: [`Files`], by the number a program's file has; data sets of the store ([`vsam`]). Rules
//! that hold for every file stand here: opened twice, not open, closed WITH LOCK. Why statuses are
//! made here alone: COBOL's run time passes them on. Not here: what a DD name stands for
//! ([`Places`]).

mod catalog;
mod places;
mod position;
mod sequential;
mod unit;
mod vsam;

use crate::answers::{Answered, Done, Failed, Status, done};
use crate::questions::{Described, FileAnswer, OpenMode, Statement};
use sequential::Sequential;
use std::collections::{BTreeMap, BTreeSet};
use transom_messages::{Operator, jb};
use unit::Unit;
use vsam::Vsam;

pub use places::{Place, Places, SysOut, VsamFile};

/// All files of a step.
pub(crate) struct Files {
    places: Box<dyn Places + Send>,
    operator: Operator,
    sysout: SysOut,
    open: BTreeMap<u32, Open>,
    /// Closed WITH LOCK.
    locked: BTreeSet<u32>,
    unit: Unit,
}

/// A file that is open.
enum Open {
    Vsam(Box<Vsam>),
    Sequential(Sequential),
    /// Reads nothing, and forgets what is written.
    Nothing(OpenMode),
}

impl Files {
    pub(crate) fn new(places: Box<dyn Places + Send>, operator: Operator, sysout: SysOut) -> Self {
        Self {
            places,
            operator,
            sysout,
            open: BTreeMap::new(),
            locked: BTreeSet::new(),
            unit: Unit::default(),
        }
    }

    /// Carries out a statement of the file with this number.
    pub(crate) fn answer(&mut self, number: u32, statement: Statement) -> FileAnswer {
        let answered = match statement {
            Statement::Open { file, mode } => self.open(number, &file, mode),
            Statement::Close { lock } => self.close(number, lock),
            other => self.records(number, other),
        };
        answered.unwrap_or_else(|Status(status)| FileAnswer { status, ..done() })
    }

    /// The step has ended: files that are open are closed.
    pub(crate) fn end(&mut self) {
        for (_, open) in std::mem::take(&mut self.open) {
            if let Open::Sequential(file) = open {
                self.close_sequential(file);
            }
        }
        if let Err(why) = self.unit.commit() {
            self.operator.tell(jb::records_lost(why));
        }
    }

    fn tell(&self, name: &str, dd: &str, failed: Failed) -> Status {
        tell(&self.operator, (name, dd), failed)
    }

    fn open(&mut self, number: u32, file: &Described, mode: OpenMode) -> Done {
        if self.open.contains_key(&number) {
            return Err(Status::ALREADY_OPEN);
        }
        if self.locked.contains(&number) {
            return Err(Status::CLOSED_WITH_LOCK);
        }
        if file.linage {
            let why = "LINAGE is not there".to_owned();
            return Err(self.tell(&file.name, &file.dd, Failed(Status::MODE, why)));
        }
        let (opened, answer) = match self.places.place(&file.dd) {
            Err(why) => {
                self.operator.tell(why);
                return Err(Status::NOT_AVAILABLE);
            }
            Ok(None) => match (file.optional, mode) {
                (true, OpenMode::Input) => (Open::Nothing(mode), Status::OPTIONAL),
                _ => {
                    let why = "there is no DD statement".to_owned();
                    let status = no_dd(file);
                    return Err(self.tell(&file.name, &file.dd, Failed(status, why)));
                }
            },
            Ok(Some(Place::Dummy)) => (Open::Nothing(mode), Status(0)),
            Ok(Some(place @ (Place::Files(_) | Place::Print))) => {
                match Sequential::open(&place, &self.sysout, file, mode) {
                    Ok(opened) => (Open::Sequential(opened), Status(0)),
                    Err(Failed(Status::NOT_THERE, _))
                        if file.optional && mode == OpenMode::Input =>
                    {
                        (Open::Nothing(mode), Status::OPTIONAL)
                    }
                    Err(failed) => return Err(self.tell(&file.name, &file.dd, failed)),
                }
            }
            Ok(Some(Place::Vsam(data))) => {
                let opened = Vsam::open(&mut self.unit, &mut *self.places, data, file, mode);
                match opened {
                    Ok((vsam, status)) => (Open::Vsam(Box::new(vsam)), status),
                    Err(failed) => return Err(self.tell(&file.name, &file.dd, failed)),
                }
            }
        };
        self.open.insert(number, opened);
        Ok(crate::answers::of(answer))
    }

    fn close(&mut self, number: u32, lock: bool) -> Done {
        let closed = self.open.remove(&number).ok_or(Status::NOT_OPEN)?;
        if lock {
            self.locked.insert(number);
        }
        if let Open::Sequential(file) = closed {
            return self.close_sequential(file).map_or(Ok(done()), Err);
        }
        self.unit.commit().map(|()| done()).map_err(|why| {
            self.operator.tell(jb::records_lost(why));
            Status::PERMANENT
        })
    }

    /// The status of a file that could not be completed.
    fn close_sequential(&self, file: Sequential) -> Option<Status> {
        let (name, dd) = file.names();
        let (name, dd) = (name.to_owned(), dd.to_owned());
        let failed = file.close().err()?;
        Some(self.tell(&name, &dd, failed))
    }

    fn records(&mut self, number: u32, statement: Statement) -> Done {
        let Some(open) = self.open.get_mut(&number) else {
            return Err(not_open(&statement));
        };
        let answered = match open {
            Open::Nothing(mode) => return nothing(*mode, &statement),
            Open::Vsam(vsam) => vsam.answer(&mut self.unit, statement),
            Open::Sequential(file) => file.answer(&statement),
        };
        match answered {
            Ok(answer) => Ok(answer),
            Err(Answered::Status(status)) => Err(status),
            Err(Answered::Failed(failed)) => {
                let names = match open {
                    Open::Vsam(vsam) => vsam.names(),
                    Open::Sequential(file) => file.names(),
                    Open::Nothing(_) => ("", ""),
                };
                Err(tell(&self.operator, names, failed))
            }
        }
    }
}

fn tell(operator: &Operator, (name, dd): (&str, &str), Failed(status, why): Failed) -> Status {
    let shown = format!("{:02}", status.0);
    operator.tell(jb::file_failed(name, dd, why, shown));
    status
}

fn no_dd(file: &Described) -> Status {
    use crate::questions::FileOrganization::{Indexed, Relative};
    match file.organization {
        Indexed | Relative => Status::NO_DD,
        _ => Status::NOT_THERE,
    }
}

/// Statements of a file that is not open.
fn not_open(statement: &Statement) -> Status {
    match statement {
        Statement::Write { .. } => Status::NOT_OUTPUT,
        Statement::Rewrite { .. } | Statement::Delete { .. } => Status::NOT_INPUT_OUTPUT,
        _ => Status::NOT_INPUT,
    }
}

/// DD DUMMY, or an OPTIONAL file that is not there.
fn nothing(mode: OpenMode, statement: &Statement) -> Done {
    let reads = matches!(mode, OpenMode::Input | OpenMode::InputOutput);
    match statement {
        Statement::Next if reads => Err(Status::AT_END),
        Statement::Read { .. } | Statement::Start { .. } if reads => Err(Status::NOT_FOUND),
        Statement::Write { .. } if mode != OpenMode::Input => Ok(done()),
        Statement::Rewrite { .. } | Statement::Delete { .. } if mode == OpenMode::InputOutput => {
            Err(Status::NO_READ)
        }
        other => Err(not_open(other)),
    }
}
