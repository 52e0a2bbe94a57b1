//! Records as a file of SMF 110, for tools of the mainframe.
//!
//! Each record has its record descriptor word, as a file of RECFM=VB that was copied without its
//! block descriptors. A dictionary stands in front of the records of each region. Not here: the
//! layout (`formats/monitoring`).

use crate::filter::Filter;
use crate::notes::{note, now_ns};
use crate::print::Print;
use crate::source::Source;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use transom_messages::mn;
use transom_monitoring::Record;
use transom_monitoring::smf::{Layout, Origin};
use transom_monitoring::stream::{Begin, Item, Known};
use transom_types::{Applid, SysId};

/// Writes the file.
///
/// # Errors
/// What went wrong, for the user; also that records are missing.
pub(crate) fn export(file: &Path, dir: &Path, filter: &Filter, print: Print) -> Result<(), String> {
    let failed = |why: std::io::Error| mn::not_exported(file.display(), why).to_string();
    let mut out = Export {
        out: BufWriter::new(File::create(file).map_err(failed)?),
        origin: None,
        begin: None,
        layout: None,
        waiting: Vec::new(),
        tasks: 0,
        records: 0,
    };
    let (mut notes, mut outcome) = (Vec::new(), Ok(()));
    let now = now_ns();
    Source::open(dir)?.each(false, &mut |item| {
        let written = match item {
            Item::Begin(begin) => out.begin(begin, now),
            Item::Excluded(fields) => out.excluded(&fields),
            Item::Task(record) if filter.takes(&record, now) => out.task(*record),
            Item::Task(_) => Ok(()),
            other => {
                notes.extend(note(&other));
                Ok(())
            }
        };
        outcome = written;
        outcome.is_ok()
    })?;
    outcome.and_then(|()| out.end()).map_err(failed)?;
    print(&format!(
        "{} tasks in {} records of SMF\n",
        out.tasks, out.records
    ));
    match notes.is_empty() {
        true => Ok(()),
        false => Err(notes.join("\n")),
    }
}

struct Export {
    out: BufWriter<File>,
    /// Whose records these are; `None`: the beginning of the stream is not there.
    origin: Option<Origin>,
    /// How the stream began, until its first record says that nothing follows.
    begin: Option<(Begin, Vec<u16>)>,
    /// The fields of the dictionary that was written last, with what it was made of.
    layout: Option<(Layout, Vec<Known>, Vec<u16>)>,
    waiting: Vec<Record>,
    tasks: u64,
    records: u64,
}

impl Export {
    fn begin(&mut self, begin: Begin, now: u64) -> std::io::Result<()> {
        self.flush()?;
        let before = self.origin.map(|origin| (origin.applid, origin.sysid));
        if before != Some((begin.applid, begin.sysid)) {
            self.layout = None;
        }
        self.origin = Some(Origin {
            applid: begin.applid,
            sysid: begin.sysid,
            unix_ns: now,
            utc_offset_s: begin.utc_offset_s,
        });
        self.begin = Some((begin, Vec::new()));
        Ok(())
    }

    fn excluded(&mut self, fields: &[u16]) -> std::io::Result<()> {
        if let Some((_, excluded)) = &mut self.begin {
            excluded.extend(fields);
        }
        Ok(())
    }

    /// A dictionary, where the fields are not those of the one before.
    fn dictionary(&mut self) -> std::io::Result<()> {
        let (Some(origin), Some((begin, excluded))) = (&self.origin, self.begin.take()) else {
            return Ok(());
        };
        let same = |(_, fields, out): &(Layout, Vec<Known>, Vec<u16>)| {
            (fields, out) == (&begin.fields, &excluded)
        };
        if !self.layout.as_ref().is_some_and(same) {
            let layout = Layout::of(&begin, &excluded);
            self.records += 1;
            self.out.write_all(&layout.dictionary(origin))?;
            self.layout = Some((layout, begin.fields, excluded));
        }
        Ok(())
    }

    fn task(&mut self, record: Record) -> std::io::Result<()> {
        if self.origin.is_none() {
            // A stream whose beginning is damaged says nowhere whose it is.
            let begin = Begin::of(Applid::BLANK, SysId::BLANK, 0, 0);
            self.begin(begin, now_ns())?;
        }
        self.dictionary()?;
        self.waiting.push(record);
        let most = self
            .layout
            .as_ref()
            .map_or(1, |(layout, ..)| layout.tasks_max());
        match self.waiting.len() >= most {
            true => self.flush(),
            false => Ok(()),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let (Some(origin), Some((layout, ..))) = (&self.origin, &self.layout) else {
            return Ok(());
        };
        if self.waiting.is_empty() {
            return Ok(());
        }
        self.out
            .write_all(&layout.performance(origin, &self.waiting))?;
        self.tasks += self.waiting.len() as u64;
        self.records += 1;
        self.waiting.clear();
        Ok(())
    }

    fn end(&mut self) -> std::io::Result<()> {
        self.flush()?;
        self.out.flush()
    }
}
