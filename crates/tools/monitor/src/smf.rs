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
use transom_monitoring::smf::{Origin, dictionary, performance, tasks_max};
use transom_monitoring::stream::{Begin, Item};

/// Writes the file.
///
/// # Errors
/// What went wrong, for the user; also that records are missing.
pub(crate) fn export(file: &Path, dir: &Path, filter: &Filter, print: Print) -> Result<(), String> {
    let failed = |why: std::io::Error| mn::not_exported(file.display(), why).to_string();
    let mut out = Export {
        out: BufWriter::new(File::create(file).map_err(failed)?),
        origin: None,
        waiting: Vec::new(),
        tasks: 0,
        records: 0,
    };
    let (mut notes, mut outcome) = (Vec::new(), Ok(()));
    let now = now_ns();
    Source::open(dir)?.each(false, &mut |item| {
        let written = match item {
            Item::Begin(begin) => out.begin(&begin, now),
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
    waiting: Vec<Record>,
    tasks: u64,
    records: u64,
}

impl Export {
    fn begin(&mut self, begin: &Begin, now: u64) -> std::io::Result<()> {
        self.flush()?;
        let before = self.origin.map(|origin| (origin.applid, origin.sysid));
        self.origin = Some(Origin {
            applid: begin.applid,
            sysid: begin.sysid,
            unix_ns: now,
            utc_offset_s: begin.utc_offset_s,
        });
        match before == Some((begin.applid, begin.sysid)) {
            true => Ok(()),
            false => self.dictionary(),
        }
    }

    fn dictionary(&mut self) -> std::io::Result<()> {
        let Some(origin) = &self.origin else {
            return Ok(());
        };
        self.records += 1;
        self.out.write_all(&dictionary(origin))
    }

    fn task(&mut self, record: Record) -> std::io::Result<()> {
        if self.origin.is_none() {
            // A stream whose beginning is damaged says nowhere whose it is.
            self.origin = Some(Origin {
                applid: transom_types::Applid::BLANK,
                sysid: transom_types::SysId::BLANK,
                unix_ns: now_ns(),
                utc_offset_s: 0,
            });
            self.dictionary()?;
        }
        self.waiting.push(record);
        match self.waiting.len() >= tasks_max() {
            true => self.flush(),
            false => Ok(()),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let (Some(origin), false) = (&self.origin, self.waiting.is_empty()) else {
            return Ok(());
        };
        self.out.write_all(&performance(origin, &self.waiting))?;
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
