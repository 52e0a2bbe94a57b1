//! `transom monitor`: records of tasks, as they were and as they come.

use crate::filter::Filter;
use crate::print::Print;
use crate::show;
use crate::show::{Form, Shown};
use crate::source::Source;
use clap::Args;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};
use transom_messages::mn;
use transom_monitoring::FieldId;
use transom_monitoring::stream::Item;

/// `transom monitor`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  transom monitor my-system
  transom monitor my-system --follow --transaction 'PAY*' --slower-than 100
  transom monitor my-system --csv --fields TRAN,USERID,USRCPUT,FCGETCT > tasks.csv
  transom monitor --list-fields")]
pub struct MonitorArgs {
    /// The system directory, or a folder with files of records
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Go on with records as they come, until Ctrl-C
    #[arg(long, short)]
    follow: bool,
    #[command(flatten)]
    filter: Filter,
    /// Fields to show, by their names; RESPONSE is STOP less START
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    fields: Vec<String>,
    /// Comma-separated values with a line of names
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// A JSON object for each record
    #[arg(long)]
    json: bool,
    /// Tell what fields there are, and end
    #[arg(long)]
    list_fields: bool,
}

/// Carries it out.
///
/// # Errors
/// What went wrong, for the user.
pub fn monitor(args: &MonitorArgs, print: Print) -> Result<(), String> {
    if args.list_fields {
        print(&fields());
        return Ok(());
    }
    let form = match (args.csv, args.json) {
        (true, _) => Form::Csv,
        (_, true) => Form::Json,
        _ => Form::List,
    };
    let mut shown = Shown::new(form, &args.fields)?;
    let mut source = Source::open(&args.dir)?;
    print(&shown.heading());
    let mut notes = Vec::new();
    source.each(args.follow, &mut |item| {
        match item {
            Item::Begin(begin) => shown.utc_offset_s = begin.utc_offset_s,
            Item::Task(record) => {
                if args.filter.takes(&record, now_ns()) {
                    print(&shown.line(&record));
                }
            }
            other => notes.extend(note(&other)),
        }
        true
    })?;
    match notes.is_empty() {
        true => Ok(()),
        false => Err(notes.join("\n")),
    }
}

/// What a reader must know besides the records.
pub(crate) fn note(item: &Item) -> Option<String> {
    Some(match item {
        Item::Lost(records) => mn::lost(records).to_string(),
        Item::Damaged(bytes) => mn::damaged(bytes).to_string(),
        Item::Missing(frames) => mn::missing(frames).to_string(),
        Item::Begin(_) | Item::Task(_) => return None,
    })
}

pub(crate) fn now_ns() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| u64::try_from(since.as_nanos()).unwrap_or(0))
}

fn fields() -> String {
    let line = |id: FieldId| {
        let field = id.field();
        let (name, meaning) = (show::name(id), field.meaning);
        format!(
            "{:8} {:03} {} {name:11} {meaning}\n",
            field.group,
            field.number,
            field.kind.letter()
        )
    };
    FieldId::all().map(line).collect()
}
