//! What is asked for, and what was found.
//!
//! Not here: tables (`tables`).

use super::classes::Classes;
use super::sums::Sums;
use crate::filter::Filter;
use crate::moment;
use clap::{Args, ValueEnum};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;
use transom_monitoring::{FieldId, Record, field};

/// Groups that are told apart; records of further ones are added up under [`OTHERS`].
const GROUPS_MAX: usize = 100_000;
const OTHERS: &str = "(others)";
/// Intervals of a report; further records count in the last one.
const INTERVALS_MAX: u64 = 100_000;

/// `transom report`.
#[derive(Debug, Args)]
#[command(
    after_help = "Response times are from attach to end of a task; the 90 % column is exact to 1.6 %. CPU % is that of \
one processor, by tasks alone.

Examples:
  transom report my-system
  transom report my-system --by program --last 600
  transom report my-system --interval 60 --goal 0.5
  transom report my-system --statistics"
)]
pub struct ReportArgs {
    /// The system directory, or a folder with files of records
    #[arg(default_value = ".")]
    pub(super) dir: PathBuf,
    /// What tasks are added up by
    #[arg(long, value_enum, default_value_t = By::Transaction)]
    pub(super) by: By,
    /// Seconds of an interval of the table of rates; none: the whole time
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) interval: Option<u64>,
    /// Seconds that 90 % of the tasks of a row may take: the row passes or fails
    #[arg(long, value_name = "SECONDS")]
    pub(super) goal: Option<f64>,
    /// Statistics in place of tasks: those written last, or all of the time --last says
    #[arg(long, conflicts_with_all = ["by", "interval", "goal"])]
    pub(super) statistics: bool,
    /// Write statistics, all of them or those of the time --last says, to this file as SMF 110
    /// subtype 2
    #[arg(
        long,
        value_name = "FILE",
        requires = "statistics",
        conflicts_with = "json"
    )]
    pub(super) smf: Option<PathBuf>,
    #[command(flatten)]
    pub(super) filter: Filter,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum By {
    Transaction,
    Program,
    User,
    Terminal,
    /// Service classes by the rules of [service_classes] in transom.toml
    Class,
    /// Report classes by the rules of [report_classes] there
    ReportClass,
}

/// All that a report is made of.
#[derive(Default)]
pub(super) struct Found {
    pub(super) region: String,
    pub(super) utc_offset_s: i32,
    pub(super) all: Sums,
    pub(super) groups: BTreeMap<String, Sums>,
    pub(super) intervals: BTreeMap<u64, Sums>,
    pub(super) first_ns: Option<u64>,
    /// First attach and last end.
    pub(super) from_ns: u64,
    pub(super) to_ns: u64,
    pub(super) notes: Vec<String>,
}

impl Found {
    pub(super) fn take(&mut self, record: &Record, args: &ReportArgs, classes: &Classes) {
        let (start, stop) = (record.number(field::START), record.number(field::STOP));
        self.from_ns = match self.first_ns {
            None => start,
            Some(_) => self.from_ns.min(start),
        };
        self.to_ns = self.to_ns.max(stop);
        let first = *self.first_ns.get_or_insert(start);
        self.all.add(record);
        if let Some(seconds) = args.interval {
            let interval = stop.saturating_sub(first) / 1_000_000_000 / seconds;
            let interval = interval.min(INTERVALS_MAX - 1);
            self.intervals.entry(interval).or_default().add(record);
        }
        let text = |id: FieldId| String::from_utf8_lossy(record.text(id)).into_owned();
        let name = match args.by {
            By::Transaction => text(field::TRAN),
            By::Program => text(field::PGMNAME),
            By::User => text(field::USERID),
            By::Terminal => text(field::TERM),
            By::Class | By::ReportClass => classes.class_of(record).to_owned(),
        };
        let known = self.groups.len() < GROUPS_MAX || self.groups.contains_key(&name);
        let name = if known { name } else { OTHERS.to_owned() };
        self.groups.entry(name).or_default().add(record);
    }

    /// Seconds from the first attach to the last end.
    pub(super) fn seconds(&self) -> f64 {
        self.to_ns.saturating_sub(self.from_ns) as f64 / 1e9
    }

    pub(super) fn json(&self, args: &ReportArgs, classes: &Classes) -> serde_json::Value {
        let figures = |sums: &Sums| {
            json!({
                "tasks": sums.tasks,
                "abended": sums.abended,
                "response_s": {
                    "min": sums.least_ns as f64 / 1e9,
                    "average": sums.response_s(),
                    "p90": sums.percentile_s(90),
                    "max": sums.most_ns as f64 / 1e9,
                    "deviation": sums.deviation_s(),
                },
                "cpu_ms": sums.average(field::USRCPUT) / 1e6,
                "dispatch_ms": sums.average(field::USRDISPT) / 1e6,
                "suspend_ms": sums.average(field::SUSPTIME) / 1e6,
                "itr": sums.itr(),
            })
        };
        let rows = self.groups.iter().map(|(name, sums)| {
            let mut row = figures(sums);
            row["name"] = json!(name);
            if let Some(goal) = args.goal.or_else(|| classes.goal_of(name)) {
                row["goal_s"] = json!(goal);
                row["passes"] = json!(sums.percentile_s(90) <= goal);
            }
            row
        });
        let seconds = self.seconds();
        json!({
            "region": self.region,
            "from": moment::iso(self.from_ns),
            "to": moment::iso(self.to_ns),
            "seconds": seconds,
            "etr": rate(self.all.tasks, seconds),
            "cpu_percent": percent(self.all.cpu_s(), seconds),
            "all": figures(&self.all),
            "rows": rows.collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }
}

/// So many for each second.
pub(super) fn rate(tasks: u64, seconds: f64) -> f64 {
    if seconds > 0.0 {
        tasks as f64 / seconds
    } else {
        0.0
    }
}

pub(super) fn percent(part_s: f64, seconds: f64) -> f64 {
    if seconds > 0.0 {
        part_s / seconds * 100.0
    } else {
        0.0
    }
}
