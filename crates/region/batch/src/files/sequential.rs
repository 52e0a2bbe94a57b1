//! Sequential files outside of the store, and SYSOUT.
//!
//! What: OPEN, READ, WRITE with their statuses. Not here: how records stand in files
//! (region/utilities).

use super::places::{Place, SysOut};
use crate::answers::{Answered, Failed, Status, done, of};
use crate::questions::{Described, FileAnswer, FileOrganization, OpenMode, Statement};
use transom_utilities::{HostFailure, HostFiles, HostReader, HostWriter, Lengths};

/// ADVANCING as the edge has it: COB_WRITE_* of libcob.
mod advancing {
    pub(super) const NUMBER: u32 = 0xFFFF;
    pub(super) const LINES: u32 = 0x1_0000;
    pub(super) const PAGE: u32 = 0x2_0000;
    pub(super) const BEFORE: u32 = 0x20_0000;
}

/// One that is open.
pub(crate) struct Sequential {
    file: Described,
    lengths: Lengths,
    state: State,
}

enum State {
    Read(HostReader),
    /// There are no more records.
    AtEnd,
    Write(Box<HostWriter>),
    Print(SysOut),
}

impl Sequential {
    pub(super) fn open(
        place: &Place,
        sysout: &SysOut,
        file: &Described,
        mode: OpenMode,
    ) -> Result<Self, Failed> {
        if file.organization != FileOrganization::Sequential {
            let why = "it is no data set of the store, and not ORGANIZATION SEQUENTIAL".to_owned();
            return Err(Failed(Status::ATTRIBUTES, why));
        }
        let lengths = Lengths {
            least: file.record_min as usize,
            most: file.record_max as usize,
        };
        let state = match place {
            Place::Files(files) => outside(files, lengths, file, mode)?,
            _ if matches!(mode, OpenMode::Output | OpenMode::Extend) => {
                State::Print(sysout.clone())
            }
            _ => {
                let why = "SYSOUT can only be written".to_owned();
                return Err(Failed(Status::MODE, why));
            }
        };
        Ok(Self {
            file: file.clone(),
            lengths,
            state,
        })
    }

    /// Names behind SELECT and ASSIGN.
    pub(super) fn names(&self) -> (&str, &str) {
        (&self.file.name, &self.file.dd)
    }

    /// A file that was written gets its name.
    pub(super) fn close(self) -> Result<(), Failed> {
        match self.state {
            State::Write(writer) => writer.finish().map_err(failed),
            State::Read(_) | State::AtEnd | State::Print(_) => Ok(()),
        }
    }

    pub(super) fn answer(&mut self, statement: &Statement) -> Result<FileAnswer, Answered> {
        match statement {
            Statement::Next | Statement::Read { .. } => self.next(),
            Statement::Write { record, option, .. } => self.write(record, *option),
            Statement::Start { .. } => Err(Status::NOT_INPUT.into()),
            Statement::Rewrite { .. } | Statement::Delete { .. } => {
                Err(Status::NOT_INPUT_OUTPUT.into())
            }
            Statement::Open { .. } | Statement::Close { .. } => Err(Status::ALREADY_OPEN.into()),
        }
    }

    fn next(&mut self) -> Result<FileAnswer, Answered> {
        let reader = match &mut self.state {
            State::Read(reader) => reader,
            State::AtEnd => return Err(Status::NO_POSITION.into()),
            State::Write(_) | State::Print(_) => return Err(Status::NOT_INPUT.into()),
        };
        let found = reader
            .record()
            .map_err(|why| Answered::Failed(failed(why)))?;
        let Some(mut record) = found else {
            self.state = State::AtEnd;
            return Err(Status::AT_END.into());
        };
        let status = match (self.lengths.least..=self.lengths.most).contains(&record.len()) {
            true => Status(0),
            false => Status::LENGTH,
        };
        record.truncate(self.lengths.most);
        Ok(FileAnswer {
            record: Some(record),
            ..of(status)
        })
    }

    fn write(&mut self, record: &[u8], option: u32) -> Result<FileAnswer, Answered> {
        let (writer, print) = match &mut self.state {
            State::Write(writer) => (Some(writer), None),
            State::Print(sysout) => (None, Some(sysout)),
            State::Read(_) | State::AtEnd => return Err(Status::NOT_OUTPUT.into()),
        };
        if !(self.lengths.least..=self.lengths.most).contains(&record.len()) {
            return Err(Status::RECORD_LENGTH.into());
        }
        if let Some(writer) = writer {
            let written = writer.write(record);
            written.map_err(|why| Answered::Failed(failed(why)))?;
        }
        if let Some(sysout) = print {
            print_line(sysout, record, option);
        }
        Ok(done())
    }
}

/// Blank lines as ADVANCING wants them; a page begins with a form feed.
fn print_line(sysout: &SysOut, record: &[u8], option: u32) {
    let text: String = record.iter().map(|b| char::from(*b)).collect();
    let text = text.trim_end();
    let blank = match option & advancing::LINES {
        0 => 0,
        _ => (option & advancing::NUMBER).saturating_sub(1),
    };
    let before = option & advancing::BEFORE != 0;
    let blanks = || (0..blank).for_each(|_| sysout(""));
    match (option & advancing::PAGE != 0, before) {
        (true, false) => sysout(&format!("\u{c}{text}")),
        (true, true) => {
            sysout(text);
            sysout("\u{c}");
        }
        (false, false) => {
            blanks();
            sysout(text);
        }
        (false, true) => {
            sysout(text);
            blanks();
        }
    }
}

fn outside(
    files: &HostFiles,
    lengths: Lengths,
    file: &Described,
    mode: OpenMode,
) -> Result<State, Failed> {
    if file.print && mode != OpenMode::Input {
        let why = "WRITE .. ADVANCING goes to SYSOUT alone".to_owned();
        return Err(Failed(Status::MODE, why));
    }
    let opened = match mode {
        OpenMode::Input => files.reader(lengths).map(State::Read),
        OpenMode::Output => files.writer(lengths, false).map(writing),
        OpenMode::Extend => files.writer(lengths, true).map(writing),
        OpenMode::InputOutput => {
            let why = "a file outside of the store is not opened I-O".to_owned();
            return Err(Failed(Status::MODE, why));
        }
    };
    opened.map_err(failed)
}

fn writing(writer: HostWriter) -> State {
    State::Write(Box::new(writer))
}

fn failed(why: HostFailure) -> Failed {
    let status = match &why {
        HostFailure::Absent(_) => Status::NOT_THERE,
        HostFailure::Length(_) => Status::ATTRIBUTES,
        HostFailure::Failed(_) => Status::PERMANENT,
    };
    Failed(status, why.to_string())
}
