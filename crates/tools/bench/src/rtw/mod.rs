//! Bench `rtw`: 200 SQL calls in a COBOL transaction, on the embedded engine and on PostgreSQL.
//!
//! What: CPU of a transaction beside the same calls made by hand, R4's five rates, a unit of work
//! over files and the database, the first SQL call after a start. Not here: the programs
//! (`samples/rtw`, `bench/rtw/system`).

mod peers;
mod workload;

pub(crate) use peers::postgres as postgres_peer;
#[cfg(feature = "sqlite")]
pub(crate) use peers::sqlite as sqlite_peer;

use crate::figure::{self, Goal};
use crate::runs::{median, quick};
use crate::sql::{self, Cluster, Engine, Load, Measured, Sample, SqlRegion};
use std::time::Instant;

const SAMPLE: Sample<'static> = Sample {
    folder: "samples/rtw",
    more: &["bench/rtw/system"],
    applid: "RTW",
    scripts: &["sql/rtw.sql"],
};
/// Transactions a second in the report (CICS TS 3.1), its CPU in percent of a processor, and its
/// CPU for each transaction in milliseconds.
const REPORT: [(f64, f64, f64); 5] = [
    (41.49, 29.3, 7.06),
    (62.22, 42.5, 6.83),
    (99.59, 67.5, 6.78),
    (245.08, 176.5, 7.20),
    (315.65, 230.7, 7.31),
];
/// Callers of the run without pauses: a few, so that one waits when another is done.
const CALLERS: usize = 4;
/// Callers of a rate: more than are ever busy.
const PACED: usize = 40;

/// All figures.
pub(crate) fn run() -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| e.to_string())?;
    figure::value("rtw_disk_flush_p50", sql::flush_ms()?, "ms", Goal::None);
    runtime.block_on(embedded())?;
    match Cluster::named() {
        Ok(cluster) => runtime.block_on(server(&cluster)),
        Err(why) => {
            figure::skipped("rtw_postgresql", &why);
            Ok(())
        }
    }
}

async fn embedded() -> Result<(), String> {
    let region = SqlRegion::start(&SAMPLE, Engine::Embedded)?;
    let ours = full(&region).await?;
    match sqlite_cost() {
        Ok(raw) => {
            let peer = ("sqlite-by-hand-full", raw.cpu_ms);
            let name = "rtw_embedded_cpu";
            figure::ratio(name, ours.cpu_ms, "ms", peer, Goal::Most(1.4));
            let peer = ("sqlite-by-hand-full", raw.elapsed_ms);
            let name = "rtw_embedded_elapsed";
            figure::ratio(name, 1e3 / ours.per_second, "ms", peer, Goal::None);
        }
        Err(why) => {
            figure::value("rtw_embedded_cpu", ours.cpu_ms, "ms", Goal::None);
            figure::skipped("rtw_embedded_cpu_ratio", &why);
        }
    }
    rates(&region, Engine::Embedded).await?;
    drop(region);
    first(Engine::Embedded).await
}

async fn server(cluster: &Cluster) -> Result<(), String> {
    let engine = Engine::Postgres(cluster, "rtw");
    let region = SqlRegion::start(&SAMPLE, engine)?;
    let ours = full(&region).await?;
    figure::value("rtw_postgresql_cpu", ours.cpu_ms, "ms", Goal::Most(2.0));
    let connect = cluster.database("byhand")?;
    let name = "rtw-postgres-reader";
    let raw = peers::measure(name, &connect, Some(cluster.postmaster()), sql::seconds())?;
    let peer = ("tokio-postgres-by-hand", raw.cpu_ms);
    let name = "rtw_postgresql_cpu_beside_driver";
    figure::ratio(name, ours.cpu_ms, "ms", peer, Goal::None);
    files(&region).await?;
    if !quick() {
        rates(&region, engine).await?;
    }
    drop(region);
    first(Engine::Postgres(cluster, "rtwfirst")).await
}

#[cfg(feature = "sqlite")]
fn sqlite_cost() -> Result<peers::Cost, String> {
    let folder = tempfile::tempdir_in("/tmp").map_err(|e| e.to_string())?;
    let place = folder.path().display().to_string();
    peers::measure("rtw-sqlite-reader", &place, None, sql::seconds())
}

#[cfg(not(feature = "sqlite"))]
fn sqlite_cost() -> Result<peers::Cost, String> {
    Err("SQLite is not built in (feature sqlite)".to_owned())
}

/// The seven transactions in turn.
struct Seven {
    /// A program around each, and what it is to do.
    around: Option<char>,
}

impl Load for Seven {
    fn next(&self, number: u64) -> (String, String, Vec<u8>) {
        let name = format!("RTW{}", number % 7 + 1);
        let text = match self.around {
            None => format!("{:08}{:52}", number % 100_000_000, ""),
            Some(what) => format!("{:08}{what}{name}{:47}", number % 100_000_000, ""),
        };
        let program = match self.around {
            None => name.clone(),
            Some(_) => "RTWFILE".to_owned(),
        };
        (program, name, text.into_bytes())
    }

    fn check(&self, _: u64, answer: &[u8]) -> Result<(), String> {
        let text = String::from_utf8_lossy(answer);
        match text.contains(" 200 calls,") {
            true => Ok(()),
            false => Err(format!("a transaction answered {text}")),
        }
    }
}

async fn full(region: &SqlRegion<'_>) -> Result<Measured, String> {
    let seconds = sql::seconds();
    sql::full_speed(region, &Seven { around: None }, (CALLERS, seconds)).await
}

/// A record changed in the same unit of work, beside one that is only read.
async fn files(region: &SqlRegion<'_>) -> Result<(), String> {
    let (mut with, mut without) = (Vec::new(), Vec::new());
    let rounds = if quick() { 1 } else { 3 };
    for _ in 0..rounds {
        for (what, all) in [('F', &mut with), ('N', &mut without)] {
            let load = Seven { around: Some(what) };
            all.push(sql::full_speed(region, &load, (CALLERS, 3)).await?);
        }
    }
    let of = |all: &[Measured], what: fn(&Measured) -> f64| median(all.iter().map(what).collect());
    for (name, what) in [
        (
            "rtw_files_and_postgresql_cpu",
            (|m| m.cpu_ms) as fn(&Measured) -> f64,
        ),
        ("rtw_files_and_postgresql_elapsed", |m| 1e3 / m.per_second),
    ] {
        let peer = ("postgresql-alone", of(&without, what));
        figure::ratio(name, of(&with, what), "ms", peer, Goal::Most(1.2));
    }
    Ok(())
}

/// R4's table: the five rates, response times and CPU, beside those of the report.
async fn rates(region: &SqlRegion<'_>, engine: Engine<'_>) -> Result<(), String> {
    let seconds = if quick() { 2 } else { 10 };
    println!(
        "{} ETR resp_avg_ms resp_p99_ms CPU% ms/tran ITR | report: CPU% ms/tran",
        engine.name()
    );
    for (rate, percent, ms) in REPORT {
        let load = Seven { around: None };
        let step = sql::paced(region, &load, (rate, PACED, seconds)).await?;
        println!(
            "{} {:.2} {:.2} {:.2} {:.1} {:.3} {:.0} | {percent} {ms}",
            engine.name(),
            step.per_second,
            step.average_ms,
            step.p99_ms,
            step.cpu_percent,
            step.cpu_ms,
            1e3 / step.cpu_ms.max(1e-6),
        );
        let name = format!("rtw_{}_at_{rate}", engine.name());
        let kept = step.per_second / rate;
        figure::value(&name, kept, "of_rate", Goal::Least(0.98));
    }
    Ok(())
}

/// The first statement of a program after a start, beside the second one of the same program.
async fn first(engine: Engine<'_>) -> Result<(), String> {
    let mut region = SqlRegion::start(&SAMPLE, engine)?;
    let mut times = Vec::new();
    for _ in 0..if quick() { 1 } else { 5 } {
        let program = ("RTWFILE", "RTW1");
        // Loads the program and its worker; no SQL.
        for _ in 0..3 {
            region
                .link(program, format!("{:08}0{:51}", 7, "").into_bytes())
                .await?;
        }
        let begin = Instant::now();
        region
            .link(program, format!("{:08}1{:51}", 7, "").into_bytes())
            .await?;
        times.push(begin.elapsed().as_secs_f64() * 1e3);
        region.kill_and_start()?;
    }
    let name = format!("rtw_{}_first_call", engine.name());
    figure::value(&name, median(times), "ms", Goal::Most(1.0));
    Ok(())
}
