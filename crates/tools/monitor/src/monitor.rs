//! `transom monitor`: records of tasks, as they were and as they come.

use crate::filter::Filter;
use crate::notes::{note, now_ns};
use crate::print::Print;
use crate::show::{Form, Shown};
use crate::source::Source;
use crate::{show, smf, smf_requests};
use clap::Args;
use std::path::PathBuf;
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
    /// Write the records to this file as SMF 110 subtype 1, EBCDIC, with a dictionary record
    #[arg(long, value_name = "FILE", conflicts_with_all = ["csv", "json", "fields", "follow"])]
    smf: Option<PathBuf>,
    /// Write the requests of the gateway's audit log (logs/smf123.jsonl) to this file as SMF 123
    /// subtype 1 version 2
    #[arg(long, value_name = "FILE", conflicts_with_all = ["csv", "json", "fields", "follow", "smf"])]
    smf123: Option<PathBuf>,
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
    if let Some(file) = &args.smf {
        return smf::export(file, &args.dir, &args.filter, print);
    }
    if let Some(file) = &args.smf123 {
        return smf_requests::export(file, &args.dir, print);
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
            Item::Begin(begin) => shown.begin(&begin),
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
