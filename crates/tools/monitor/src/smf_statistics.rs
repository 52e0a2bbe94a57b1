//! Statistics as a file of SMF 110 subtype 2, for tools of the mainframe.
//!
//! What is collected at one time for one reason is in records of SMF of its own. Not here: the
//! layout (`formats/monitoring`).

use crate::notes::{note, now_ns};
use crate::print::Print;
use crate::source::Source;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use transom_messages::mn;
use transom_monitoring::smf::{Origin, statistics};
use transom_monitoring::statistics::Written;
use transom_monitoring::stream::{Begin, Item};
use transom_types::{Applid, SysId};

/// Writes the file; `from_ns`: what was collected from then on.
///
/// # Errors
/// What went wrong, for the user; also that records are missing, or that there are none.
pub(crate) fn export(
    file: &Path,
    dir: &Path,
    from_ns: Option<u64>,
    print: Print,
) -> Result<(), String> {
    let failed = |why: std::io::Error| mn::not_exported(file.display(), why).to_string();
    let mut source = Source::open(dir)?;
    let mut out = Export {
        out: BufWriter::new(File::create(file).map_err(failed)?),
        begin: Begin::of(Applid::BLANK, SysId::BLANK, 0, 0),
        now_ns: now_ns(),
        waiting: Vec::new(),
        statistics: 0,
        records: 0,
        left_out: 0,
    };
    let (mut notes, mut outcome) = (Vec::new(), Ok(()));
    source.each(false, &mut |item| {
        outcome = match item {
            Item::Begin(begin) => out.begin(begin),
            Item::Statistics(written) if from_ns.is_none_or(|from| written.at_ns >= from) => {
                out.statistics(*written)
            }
            other => {
                notes.extend(note(&other));
                Ok(())
            }
        };
        outcome.is_ok()
    })?;
    outcome.and_then(|()| out.end()).map_err(failed)?;
    if out.statistics == 0 {
        return Err(mn::no_statistics(dir.display()).to_string());
    }
    print(&format!(
        "{} statistics records in {} records of SMF; {} have no identifier there\n",
        out.statistics, out.records, out.left_out
    ));
    match notes.is_empty() {
        true => Ok(()),
        false => Err(notes.join("\n")),
    }
}

struct Export {
    out: BufWriter<File>,
    /// Whose records these are.
    begin: Begin,
    now_ns: u64,
    /// Collected together.
    waiting: Vec<Written>,
    statistics: u64,
    records: u64,
    left_out: u64,
}

impl Export {
    fn begin(&mut self, begin: Begin) -> std::io::Result<()> {
        self.flush()?;
        self.begin = begin;
        Ok(())
    }

    fn statistics(&mut self, written: Written) -> std::io::Result<()> {
        let together = |first: &Written| (first.at_ns, first.why) == (written.at_ns, written.why);
        if !self.waiting.first().is_none_or(together) {
            self.flush()?;
        }
        self.waiting.push(written);
        Ok(())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let origin = Origin {
            applid: self.begin.applid,
            sysid: self.begin.sysid,
            unix_ns: self.now_ns,
            utc_offset_s: self.begin.utc_offset_s,
        };
        let waiting: Vec<&Written> = self.waiting.iter().collect();
        let exported = statistics::records(&origin, self.begin.started_ns, &waiting);
        for record in &exported.records {
            self.out.write_all(record)?;
        }
        self.records += exported.records.len() as u64;
        self.statistics += exported.statistics;
        self.left_out += exported.left_out;
        self.waiting.clear();
        Ok(())
    }

    fn end(&mut self) -> std::io::Result<()> {
        self.flush()?;
        self.out.flush()
    }
}
