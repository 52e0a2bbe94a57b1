//! The tables of a report as text.
//!
//! Not here: their figures (`sums`).

use super::classes::Classes;
use super::found::{By, Found, ReportArgs, percent, rate};
use super::sums::Sums;
use crate::moment;
use transom_monitoring::{FieldId, field};

/// Where time goes: heading and clock.
const PARTS: &[(&str, FieldId)] = &[
    ("Dispatch", field::USRDISPT),
    ("CPU", field::USRCPUT),
    ("Suspend", field::SUSPTIME),
    ("1stDsp", field::DSPDELAY),
    ("ReDsp", field::DISPWTT),
    ("File", field::FCIOWTT),
    ("TS", field::TSIOWTT),
    ("TD", field::TDIOWTT),
    ("Log", field::JCIOWTT),
    ("SQL", field::DB2WAIT),
    ("Term", field::TCIOWTT),
    ("Delay", field::ICDELAY),
    ("Enq", field::ENQDELAY),
];

/// Counts: heading and field.
const COUNTS: &[(&str, FieldId)] = &[
    ("File", field::FCTOTCT),
    ("TS", field::TSTOTCT),
    ("TD", field::TDTOTCT),
    ("LINK", field::PCLINKCT),
    ("SQL", field::DB2REQCT),
    ("Bytes in", field::TCCHRIN1),
    ("Bytes out", field::TCCHROU1),
];

/// All of it.
pub(super) fn report(found: &Found, args: &ReportArgs, classes: &Classes) -> String {
    let seconds = found.seconds();
    let at = |ns| moment::shown(ns, found.utc_offset_s);
    let mut out = format!(
        "Region {}\nFrom {} to {}, {seconds:.3} s, {} tasks, {} with abends\n",
        found.region,
        at(found.from_ns),
        at(found.to_ns),
        found.all.tasks,
        found.all.abended,
    );
    rates(&mut out, found, args);
    responses(&mut out, found, args, classes);
    split(&mut out, found, args);
    modes(&mut out, found);
    counts(&mut out, found, args);
    out
}

/// ETR, CPU %, response, ms for each transaction, ITR.
fn rates(out: &mut String, found: &Found, args: &ReportArgs) {
    *out += "\nRates\n       ETR   CPU %      Resp   ms/tran         ITR  Interval\n";
    let seconds = found.seconds();
    let mut row = |sums: &Sums, seconds: f64, interval: &str| {
        *out += &format!(
            "{:>10.2} {:>7.1} {:>9.4} {:>9.4} {:>11.1}  {interval}\n",
            rate(sums.tasks, seconds),
            percent(sums.cpu_s(), seconds),
            sums.response_s(),
            sums.average(field::USRCPUT) / 1e6,
            sums.itr(),
        );
    };
    let Some(length) = args.interval else {
        return row(&found.all, seconds, "all");
    };
    let first = found.first_ns.unwrap_or_default();
    let mut itr = 0.0;
    for (interval, sums) in &found.intervals {
        let begins = first + interval * length * 1_000_000_000;
        row(
            sums,
            length as f64,
            &moment::shown(begins, found.utc_offset_s),
        );
        itr += sums.itr();
    }
    row(&found.all, seconds, "all");
    if !found.intervals.is_empty() {
        let average = itr / found.intervals.len() as f64;
        *out += &format!("Average ITR = {average:.1}\n");
    }
}

fn heading(by: By) -> &'static str {
    match by {
        By::Transaction => "Tran",
        By::Program => "Program",
        By::User => "User",
        By::Terminal => "Terminal",
        By::Class => "Class",
        By::ReportClass => "Rpt class",
    }
}

/// The most used first.
fn sorted(found: &Found) -> Vec<(&str, &Sums)> {
    let rows = found.groups.iter();
    let mut rows: Vec<_> = rows.map(|(name, sums)| (name.as_str(), sums)).collect();
    rows.sort_by_key(|(_, sums)| std::cmp::Reverse(sums.tasks));
    rows
}

fn responses(out: &mut String, found: &Found, args: &ReportArgs, classes: &Classes) {
    *out += &format!(
        "\nResponse times in seconds\n{:9} {:>9} {:>10} {:>10} {:>10} {:>10} {:>10} {:>7}\n",
        heading(args.by),
        "Tasks",
        "Min",
        "Average",
        "90 %",
        "Max",
        "Std dev",
        "Abends"
    );
    let mut row = |name: &str, sums: &Sums, goal: Option<f64>| {
        let p90 = sums.percentile_s(90);
        let passes = goal.map(|goal| match p90 <= goal {
            true => format!("  pass (90 % <= {goal})"),
            false => format!("  fail (90 % > {goal})"),
        });
        *out += &format!(
            "{name:9} {:>9} {:>10.6} {:>10.6} {p90:>10.6} {:>10.6} {:>10.6} {:>7}{}\n",
            sums.tasks,
            sums.least_ns as f64 / 1e9,
            sums.response_s(),
            sums.most_ns as f64 / 1e9,
            sums.deviation_s(),
            sums.abended,
            passes.unwrap_or_default(),
        );
    };
    for (name, sums) in sorted(found) {
        row(name, sums, args.goal.or_else(|| classes.goal_of(name)));
    }
    row("All", &found.all, args.goal);
    let mut idle: Vec<&str> = classes.classes().collect();
    idle.retain(|class| !found.groups.contains_key(*class));
    idle.dedup();
    for class in idle {
        *out += &format!("{class:9} no task\n");
    }
}

fn split(out: &mut String, found: &Found, args: &ReportArgs) {
    *out += &format!(
        "\nMilliseconds for each task\n{:9} {:>10}",
        heading(args.by),
        "Response"
    );
    for (name, _) in PARTS {
        *out += &format!(" {name:>9}");
    }
    *out += "\n";
    let mut row = |name: &str, sums: &Sums| {
        *out += &format!("{name:9} {:>10.4}", sums.response_s() * 1e3);
        for (_, id) in PARTS {
            *out += &format!(" {:>9.4}", sums.average(*id) / 1e6);
        }
        *out += "\n";
    };
    for (name, sums) in sorted(found) {
        row(name, sums);
    }
    row("All", &found.all);
}

/// Dispatch and processor time by TCB mode.
fn modes(out: &mut String, found: &Found) {
    let (all, seconds) = (&found.all, found.seconds());
    *out += "\nTCB modes\n  Dispatch s      CPU s   CPU %  Dispatch ms/tran  CPU ms/tran\n";
    for (mode, dispatch, cpu) in [
        ("QR", field::QRDISPT, field::QRCPUT),
        ("open (key 8: L8)", field::KY8DISPT, field::KY8CPUT),
    ] {
        let cpu_s = all.sum(cpu) as f64 / 1e9;
        *out += &format!(
            "{:>12.3} {cpu_s:>10.3} {:>7.1} {:>17.4} {:>12.4}  {mode}\n",
            all.sum(dispatch) as f64 / 1e9,
            percent(cpu_s, seconds),
            all.average(dispatch) / 1e6,
            all.average(cpu) / 1e6,
        );
    }
    *out += &format!(
        "Changes of mode for each task: {:.2}\n",
        all.average(field::CHMODECT)
    );
}

fn counts(out: &mut String, found: &Found, args: &ReportArgs) {
    *out += &format!("\nRequests for each task\n{:9}", heading(args.by));
    for (name, _) in COUNTS {
        *out += &format!(" {name:>10}");
    }
    *out += "\n";
    let mut row = |name: &str, sums: &Sums| {
        *out += &format!("{name:9}");
        for (_, id) in COUNTS {
            *out += &format!(" {:>10.2}", sums.average(*id));
        }
        *out += "\n";
    };
    for (name, sums) in sorted(found) {
        row(name, sums);
    }
    row("All", &found.all);
}
