//! `transom report`: what the records of a time say together.
//!
//! What: external and internal transaction rate (ETR: tasks for each second; ITR: tasks for each
//! second of processor time), CPU in percent of one processor, milliseconds of processor time for
//! each task; response times by transaction, program, user, terminal or service class; where time
//! goes; statistics as a listing ([`statistics`]). Why by these words: they are those of the
//! published performance reports of CICS. Not here: reading records (`source`), sums (`sums`).

mod classes;
mod found;
mod statistics;
mod sums;
mod tables;
#[cfg(test)]
mod tests;

pub use found::ReportArgs;

use crate::notes::{note, now_ns};
use crate::print::Print;
use crate::smf_statistics;
use crate::source::Source;
use classes::Classes;
use found::{By, Found};
use transom_monitoring::stream::Item;

/// Carries it out.
///
/// # Errors
/// What went wrong, for the user.
pub fn report(args: &ReportArgs, print: Print) -> Result<(), String> {
    if let Some(file) = &args.smf {
        let from_ns = args.filter.begin_ns(now_ns());
        return smf_statistics::export(file, &args.dir, from_ns, print);
    }
    if args.statistics {
        return statistics::statistics(args, print);
    }
    let classes = match args.by {
        By::Class => Classes::of_service(&args.dir)?,
        By::ReportClass => Classes::of_reports(&args.dir)?,
        _ => Classes::default(),
    };
    let mut found = Found::default();
    let now = now_ns();
    Source::open(&args.dir)?.each(false, &mut |item| {
        match item {
            Item::Begin(begin) => {
                found.region = format!("{} ({})", begin.applid, begin.sysid);
                found.utc_offset_s = begin.utc_offset_s;
            }
            Item::Task(record) => {
                if args.filter.takes(&record, now) {
                    found.take(&record, args, &classes);
                }
            }
            other => found.notes.extend(note(&other)),
        }
        true
    })?;
    match args.json {
        true => print(&format!("{:#}\n", found.json(args, &classes))),
        false => print(&tables::report(&found, args, &classes)),
    }
    match found.notes.is_empty() {
        true => Ok(()),
        false => Err(found.notes.join("\n")),
    }
}
