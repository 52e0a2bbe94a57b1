//! `transom report --statistics`: statistics as a listing, or as JSON.
//!
//! What: those written last, or all of a time; records of CICS under their names with what each
//! field is, and behind them the figures that only a region of ours has. Not here: writing them.

use super::found::ReportArgs;
use crate::moment;
use crate::notes::{note, now_ns};
use crate::print::Print;
use crate::source::Source;
use serde_json::{Value, json};
use transom_messages::mn;
use transom_monitoring::statistics::{self as table, Figure, Layout, Why, Written};
use transom_monitoring::stream::Item;

/// What was written at one time.
struct Batch {
    at_ns: u64,
    why: Why,
    region: String,
    utc_offset_s: i32,
    records: Vec<Written>,
}

/// Carries it out.
///
/// # Errors
/// What went wrong, for the user.
pub(super) fn statistics(args: &ReportArgs, print: Print) -> Result<(), String> {
    let from_ns = args.filter.begin_ns(now_ns());
    let (mut batches, mut notes) = (Vec::<Batch>::new(), Vec::new());
    let (mut region, mut utc_offset_s) = (String::new(), 0);
    Source::open(&args.dir)?.each(false, &mut |item| {
        match item {
            Item::Begin(begin) => {
                region = format!("{} ({})", begin.applid, begin.sysid);
                utc_offset_s = begin.utc_offset_s;
            }
            Item::Statistics(written) if from_ns.is_none_or(|from| written.at_ns >= from) => {
                let same =
                    |batch: &&mut Batch| batch.at_ns == written.at_ns && batch.why == written.why;
                if let Some(batch) = batches.last_mut().filter(same) {
                    batch.records.push(*written);
                    return true;
                }
                if from_ns.is_none() {
                    // What was told of one resource does not hide what was told of all.
                    let of_one = written.why == Why::Unsolicited;
                    if of_one && batches.iter().any(|batch| batch.why != Why::Unsolicited) {
                        return true;
                    }
                    batches.clear();
                }
                batches.push(Batch {
                    at_ns: written.at_ns,
                    why: written.why,
                    region: region.clone(),
                    utc_offset_s,
                    records: vec![*written],
                });
            }
            other => notes.extend(note(&other)),
        }
        true
    })?;
    if batches.is_empty() {
        return Err(mn::no_statistics(args.dir.display()).to_string());
    }
    match args.json {
        true => {
            let all: Vec<Value> = batches.iter().map(in_json).collect();
            print(&format!("{:#}\n", Value::from(all)));
        }
        false => {
            let mut before = None;
            for batch in &batches {
                print(&listing(batch, before));
                before = Some(batch);
            }
        }
    }
    match notes.is_empty() {
        true => Ok(()),
        false => Err(notes.join("\n")),
    }
}

fn listing(batch: &Batch, before: Option<&Batch>) -> String {
    let at = |ns| moment::shown(ns, batch.utc_offset_s);
    let since_ns = batch.records.first().map_or(0, |record| record.since_ns);
    let (why, region) = (batch.why.word(), &batch.region);
    let mut out = format!(
        "Statistics {why} of {region}\nWritten {}, counted since {}\n",
        at(batch.at_ns),
        at(since_ns)
    );
    for layout in table::ALL {
        let records = batch.records.iter().filter(|r| r.record == layout.name);
        let records: Vec<&Written> = records.collect();
        if records.is_empty() {
            continue;
        }
        out += &format!("\n{} ({})\n", capital(layout.title), layout.name);
        match layout.of_resource {
            true => resources(&mut out, layout, &records),
            false => records
                .iter()
                .for_each(|record| of_region(&mut out, layout, record)),
        }
    }
    processes(&mut out, batch, before);
    let known = |record: &&Written| table::ALL.iter().any(|layout| layout.name == record.record);
    let mut others = batch.records.iter().filter(|r| !known(r)).peekable();
    if let Some(first) = others.peek() {
        out += &format!("\nOther figures, since {}\n", at(first.since_ns));
    }
    for record in others {
        let figures = record.figures.iter();
        let figures: Vec<String> = figures
            .map(|f| format!("{}={}", f.name, f.number))
            .collect();
        let name = format!("{} {}", record.record, record.resource);
        out += &format!("  {}: {}\n", name.trim_end(), figures.join(" "));
    }
    out + "\n"
}

/// What processes used of the machine, for each second since the statistics before, or since the
/// start.
fn processes(out: &mut String, batch: &Batch, before: Option<&Batch>) {
    let number = |record: &Written, name: &str| {
        let figure = record.figures.iter().find(|figure| figure.name == name);
        figure.map_or(0, |figure| figure.number)
    };
    let mut rows = String::new();
    for name in ["process of the region", "processes of workers"] {
        let of = |batch: &Batch| {
            batch
                .records
                .iter()
                .position(|record| record.record == name)
        };
        let Some(now) = of(batch).map(|at| &batch.records[at]) else {
            continue;
        };
        // Of an earlier run of the region nothing is counted on.
        let same_run = |then: &&Written| then.since_ns == now.since_ns;
        let then = before.and_then(|before| Some(&before.records[of(before)?]));
        let then = then.filter(same_run);
        let from_ns = then.map_or(now.since_ns, |then| then.at_ns);
        let seconds = (now.at_ns.saturating_sub(from_ns) as f64 / 1e9).max(1e-3);
        let each = |name: &str| {
            let less = then.map_or(0, |then| number(then, name));
            number(now, name).saturating_sub(less) as f64 / seconds
        };
        rows += &format!(
            "  {name:22} {:>7.1} {:>9.1} {:>9} {:>9.3} {:>9.3} {:>12.2}\n",
            (each("cpu_user_ms") + each("cpu_system_ms")) / 10.0,
            number(now, "memory_bytes") as f64 / 1e6,
            number(now, "threads"),
            each("disk_read_bytes") / 1e6,
            each("disk_written_bytes") / 1e6,
            each("disk_wait_ms"),
        );
    }
    if !rows.is_empty() {
        *out += &format!(
            "\nProcesses{:16} APPL %        MB   Threads Read MB/s     Write Wait ms/s\n{rows}",
            ""
        );
    }
}

/// A line for each field.
fn of_region(out: &mut String, layout: &Layout, record: &Written) {
    let width = record.figures.iter().map(|figure| figure.name.len());
    let width = width.max().unwrap_or(0).max(9);
    for figure in &record.figures {
        // One that is repeated has its number behind the name.
        let name = figure.name.split('(').next().unwrap_or_default();
        let title = layout.all().find(|field| field.name == name);
        let title = title.map_or("", |field| field.title);
        *out += &format!("  {:width$} {:>12}  {title}\n", figure.name, shown(figure));
    }
}

/// A line for each resource, a column for each field.
fn resources(out: &mut String, layout: &Layout, records: &[&Written]) {
    let mut rows: Vec<Vec<String>> =
        vec![layout.fields.iter().map(|f| f.name.to_owned()).collect()];
    for record in records {
        let cell = |name: &str| record.figures.iter().find(|figure| figure.name == name);
        let cells = layout
            .fields
            .iter()
            .map(|f| cell(f.name).map_or(String::new(), shown));
        rows.push(cells.collect());
    }
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..layout.fields.len()).map(width).collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).zip(layout.fields);
        let cells: Vec<String> = cells
            .map(|((cell, width), field)| match field.means {
                table::Means::Text(_) => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            })
            .collect();
        *out += &format!("  {}\n", cells.join("  ").trim_end());
    }
}

fn shown(figure: &Figure) -> String {
    let number = || figure.number.to_string();
    figure.text.clone().unwrap_or_else(number)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn in_json(batch: &Batch) -> Value {
    let records = batch.records.iter().map(|record| {
        let figures = record.figures.iter().map(|figure| {
            let value = match &figure.text {
                Some(text) => Value::from(text.as_str()),
                None => Value::from(figure.number),
            };
            (figure.name.clone(), value)
        });
        json!({
            "record": record.record,
            "resource": record.resource,
            "since": moment::iso(record.since_ns),
            "figures": figures.collect::<serde_json::Map<_, _>>(),
        })
    });
    json!({
        "region": batch.region,
        "at": moment::iso(batch.at_ns),
        "why": batch.why.word(),
        "records": records.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_monitoring::statistics::{Counted, Value as Told};

    const AT: u64 = 1_795_381_507_000_000_000;

    fn written(name: &str, used: u64) -> Written {
        let values = vec![Told::Text(name.into()), Told::Number(used)];
        let counted = Counted::new(&table::PROGRAM, values);
        Written::of(&counted, (AT, AT - 3_600_000_000_000), Why::Interval)
    }

    #[test]
    fn a_listing_has_a_row_for_each_resource_and_a_line_for_each_field_of_a_region() {
        let values = vec![Told::Number(12), Told::Number(0)];
        let own = Counted::new(&table::MONITORING, values);
        let other = Written {
            record: "terminal control".into(),
            since_ns: AT - 7_200_000_000_000,
            figures: vec![Figure {
                name: "terminals".into(),
                number: 3,
                text: None,
            }],
            ..written("", 0)
        };
        let batch = Batch {
            at_ns: AT,
            why: Why::Interval,
            region: "TRANSOM (TXM1)".into(),
            utc_offset_s: 0,
            records: vec![
                written("PAYPROG", 7),
                written("TAX", 1_234),
                Written::of(&own, (AT, AT), Why::Interval),
                other,
            ],
        };
        assert_eq!(
            listing(&batch, None),
            "Statistics INT of TRANSOM (TXM1)
Written 2026-11-22 21:05:07.000, counted since 2026-11-22 20:05:07.000

Program (DFHLDRDS)
  LDRPNAME  LDRTU
  PAYPROG       7
  TAX        1234

Monitoring (DFHMNGDS)
  MNGPR               12  Performance records
  MNGSMFE              0  Records that could not be written

Other figures, since 2026-11-22 19:05:07.000
  terminal control: terminals=3

"
        );
        let json = in_json(&batch);
        assert_eq!(json["records"][1]["figures"]["LDRTU"], 1_234);
        assert_eq!(json["at"], "2026-11-22T21:05:07.000000Z");
    }

    #[test]
    fn processes_are_told_for_each_second_since_the_statistics_before() {
        let at = |seconds: u64, cpu_ms: u64, written_bytes: u64| {
            let figure = |name: &str, number| Figure {
                name: name.into(),
                number,
                text: None,
            };
            let at_ns = AT + seconds * 1_000_000_000;
            let record = Written {
                record: "process of the region".into(),
                at_ns,
                since_ns: AT,
                figures: vec![
                    figure("cpu_user_ms", cpu_ms),
                    figure("memory_bytes", 64_000_000),
                    figure("threads", 9),
                    figure("disk_written_bytes", written_bytes),
                ],
                ..written("", 0)
            };
            Batch {
                at_ns,
                why: Why::Interval,
                region: String::new(),
                utc_offset_s: 0,
                records: vec![record],
            }
        };
        let (first, second) = (at(10, 1_000, 0), at(20, 16_000, 5_000_000));
        let row = |batch: &Batch, before: Option<&Batch>| {
            let listing = listing(batch, before);
            let row = listing.lines().find(|line| line.contains("  process of"));
            let row = row.unwrap().split_whitespace().skip(4).map(str::to_owned);
            row.collect::<Vec<_>>()
        };
        assert_eq!(
            row(&first, None),
            ["10.0", "64.0", "9", "0.000", "0.000", "0.00"]
        );
        assert_eq!(row(&second, Some(&first))[0], "150.0");
        assert_eq!(row(&second, Some(&first))[4], "0.500");
        assert_eq!(row(&second, None)[0], "80.0");
    }
}
