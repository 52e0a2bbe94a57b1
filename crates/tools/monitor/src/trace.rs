//! `transom trace`: the auxiliary trace of a region, as it was written.
//!
//! What: both data sets, entries of all workers in the order of their times, those that are meant.
//! Why from files: a region that has ended, or that does not answer, has left them. Not here: how
//! an entry looks (`formats/trace`).

use crate::filter::fits;
use crate::print::Print;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use transom_messages::mn;
use transom_region_trace::{DATA_SETS, FOLDER};
use transom_trace::file::{HEAD_BYTES, Head, Item, items};
use transom_trace::{Component, Entry, show};

/// Longest data set that is read.
const BYTES_MAX: u64 = 2 << 30;
const SECONDS_OF_DAY: u64 = 86_400;

/// `transom trace`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  transom trace my-system
  transom trace my-system --transaction PAY1 --component EI,FC
  transom trace my-system --task 42 --full
  transom trace my-system --from 14:30:00 --to 14:30:05 --json")]
pub struct TraceArgs {
    /// The system directory, its folder trace, or one data set
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// One of the two data sets alone
    #[arg(long, value_enum)]
    dataset: Option<DataSet>,
    /// Entries of these tasks
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    task: Vec<u32>,
    /// Entries of these transactions, for example PAY*
    #[arg(long, short, value_name = "NAMES", value_delimiter = ',')]
    transaction: Vec<String>,
    /// Entries of these components: AP, DS, EI, FC ...
    #[arg(long, short, value_name = "CODES", value_delimiter = ',')]
    component: Vec<String>,
    /// From this time of day of the region on, hh:mm:ss
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// Up to this time of day of the region, hh:mm:ss
    #[arg(long, value_name = "TIME")]
    to: Option<String>,
    /// All fields of an entry
    #[arg(long, conflicts_with = "json")]
    full: bool,
    /// A JSON object for each entry
    #[arg(long)]
    json: bool,
    /// Lines without time and task number, which differ from run to run
    #[arg(long, conflicts_with_all = ["json", "full"])]
    compare: bool,
}

/// A or B.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DataSet {
    A,
    B,
}

/// Carries it out.
///
/// # Errors
/// What went wrong, for the user.
pub fn trace(args: &TraceArgs, print: Print) -> Result<(), String> {
    let wanted = Wanted::of(args)?;
    let mut entries = Vec::new();
    let mut offset_s = 0;
    for path in data_sets(args)? {
        let (head, found) = read(&path)?;
        offset_s = head.utc_offset_s;
        if !args.json && !args.compare {
            print(&beside(&path, &head, &found));
        }
        entries.extend(found.into_iter().filter_map(|item| match item {
            Item::Entry(worker, entry) => Some((worker, entry)),
            Item::Lost(..) | Item::Damaged(_) => None,
        }));
    }
    // Of one worker they are in order; those of another stand between them by their times.
    entries.sort_by_key(|(worker, entry)| (entry.time_ns, *worker, entry.number));
    entries.retain(|(_, entry)| wanted.takes(entry, offset_s));
    let from = if args.compare { show::BEHIND_TASK } else { 0 };
    if !args.json {
        print(&format!(
            "{}\n",
            show::HEADING.get(from..).unwrap_or_default()
        ));
    }
    for (worker, entry) in &entries {
        let text = match (args.json, args.full) {
            (true, _) => show::json(entry, *worker),
            (_, true) => show::full(entry, offset_s),
            _ => show::line(entry, offset_s),
        };
        // What stands in front is of one length, in characters of one byte.
        print(&format!("{}\n", text.get(from..).unwrap_or_default()));
    }
    Ok(())
}

/// Whose trace it is, and what is missing in it.
fn beside(path: &Path, head: &Head, found: &[Item]) -> String {
    let count = |wanted: fn(&Item) -> u64| found.iter().map(wanted).sum::<u64>();
    let entries = count(|item| u64::from(matches!(item, Item::Entry(..))));
    let lost = count(|item| match item {
        Item::Lost(_, entries) => *entries,
        _ => 0,
    });
    let damaged = count(|item| match item {
        Item::Damaged(bytes) => *bytes as u64,
        _ => 0,
    });
    let mut text = format!(
        "Auxiliary trace of {} ({}), {}: {entries} entries",
        head.applid,
        head.sysid,
        path.display()
    );
    if lost > 0 {
        text.push_str(&format!(", {lost} lost"));
    }
    if damaged > 0 {
        text.push_str(&format!(", {damaged} bytes are no entries"));
    }
    text.push('\n');
    text
}

fn data_sets(args: &TraceArgs) -> Result<Vec<PathBuf>, String> {
    if args.dir.is_file() {
        return Ok(vec![args.dir.clone()]);
    }
    let names = DATA_SETS.iter().enumerate();
    let names = names.filter(|(number, _)| args.dataset.is_none_or(|set| set as usize == *number));
    let names: Vec<&str> = names.map(|(_, name)| *name).collect();
    for folder in [args.dir.join(FOLDER), args.dir.clone()] {
        let there = names.iter().map(|name| folder.join(name));
        let there: Vec<PathBuf> = there.filter(|path| path.is_file()).collect();
        if !there.is_empty() {
            return Ok(there);
        }
    }
    Err(mn::no_trace(args.dir.join(FOLDER).display()).to_string())
}

fn read(path: &Path) -> Result<(Head, Vec<Item>), String> {
    let refused = |why: &str| mn::trace_not_readable(path.display(), why).to_string();
    let length = std::fs::metadata(path).map_err(|why| refused(&why.to_string()))?;
    if length.len() > BYTES_MAX {
        return Err(refused("it is longer than a data set can be"));
    }
    let bytes = std::fs::read(path).map_err(|why| refused(&why.to_string()))?;
    let head = Head::decode(&bytes).ok_or_else(|| refused("it is no auxiliary trace"))?;
    Ok((head, items(&bytes[HEAD_BYTES..])))
}

/// Which entries are meant.
struct Wanted<'a> {
    args: &'a TraceArgs,
    components: Vec<Component>,
    from_s: u64,
    to_s: u64,
}

impl<'a> Wanted<'a> {
    fn of(args: &'a TraceArgs) -> Result<Self, String> {
        let known = |code: &String| {
            let codes = || {
                Component::all()
                    .map(Component::code)
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            let needed = || format!("one of {}", codes());
            Component::of(code)
                .ok_or_else(|| mn::trace_option("--component", code, needed()).to_string())
        };
        let components: Result<Vec<Component>, String> = args.component.iter().map(known).collect();
        let second = |option: &str, given: &Option<String>, otherwise: u64| match given {
            None => Ok(otherwise),
            Some(text) => second_of_day(text).ok_or_else(|| {
                mn::trace_option(option, text, "a time of day, hh:mm:ss").to_string()
            }),
        };
        Ok(Self {
            args,
            components: components?,
            from_s: second("--from", &args.from, 0)?,
            to_s: second("--to", &args.to, SECONDS_OF_DAY)?,
        })
    }

    fn takes(&self, entry: &Entry, offset_s: i32) -> bool {
        let args = self.args;
        let local_s = (entry.time_ns / 1_000_000_000) as i64 + i64::from(offset_s);
        let second = local_s.rem_euclid(SECONDS_OF_DAY as i64) as u64;
        let transid = entry.transid.trim_ascii_end();
        (args.task.is_empty() || args.task.contains(&entry.task))
            && (args.transaction.is_empty() || args.transaction.iter().any(|p| fits(p, transid)))
            && (self.components.is_empty() || self.components.contains(&entry.component))
            && (self.from_s..=self.to_s).contains(&second)
    }
}

/// Of `hh:mm:ss` or `hh:mm`.
fn second_of_day(text: &str) -> Option<u64> {
    let mut parts = text.trim().split(':').map(str::parse::<u64>);
    let (hours, minutes) = (parts.next()?.ok()?, parts.next()?.ok()?);
    let seconds = parts.next().transpose().ok()?.unwrap_or(0);
    let good = hours < 24 && minutes < 60 && seconds < 60 && parts.next().is_none();
    good.then_some(hours * 3_600 + minutes * 60 + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_day() {
        assert_eq!(second_of_day("14:30:05"), Some(52_205));
        assert_eq!(second_of_day("14:30"), Some(52_200));
        for bad in ["24:00", "14", "1:2:3:4", "1:60", "x:1", ""] {
            assert_eq!(second_of_day(bad), None, "{bad}");
        }
    }
}
