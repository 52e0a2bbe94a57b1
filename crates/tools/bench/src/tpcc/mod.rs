//! Bench `tpcc`: TPC-C's five transactions in CICS COBOL with EXEC SQL.
//!
//! What: the mix without screens, keying and think times, each engine on one processor; terminals
//! with them (`terminals`); what holds after the region was killed in the middle of it. Not here:
//! the programs (`samples/tpcc`).
//! Derived from TPC-C, and not comparable with published results.

mod input;
mod terminals;

use crate::figure::{self, Goal};
use crate::runs::quick;
use crate::servers::transom_exe;
use crate::sql::{self, Cluster, Engine, Load, Sample, SqlRegion};
use input::{Kind, Scale};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Callers at a time.
const CALLERS: usize = 16;
/// Programs that are linked to, before anything is measured.
const SAMPLE: Sample<'static> = Sample {
    folder: "samples/tpcc",
    more: &[],
    applid: "TPCC",
    scripts: &["sql/schema.sql"],
};

/// All figures.
pub(crate) fn run() -> Result<(), String> {
    println!("derived from TPC-C, not comparable with published results");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| e.to_string())?;
    figure::value("tpcc_disk_flush_p50", sql::flush_ms()?, "ms", Goal::None);
    runtime.block_on(on(Engine::Embedded, 1_018.0))?;
    match Cluster::named() {
        Ok(cluster) => runtime.block_on(on(Engine::Postgres(&cluster, "tpcc"), 600.0)),
        Err(why) => {
            figure::skipped("tpcc_postgresql", &why);
            Ok(())
        }
    }
}

/// `WAREHOUSES=n` in front of the command; 10 of the specification's size, one with `QUICK=1`.
fn scale() -> Scale {
    let asked = std::env::var("WAREHOUSES").ok();
    let asked = asked.and_then(|text| text.parse().ok());
    Scale {
        warehouses: asked.unwrap_or(if quick() { 1 } else { 10 }),
        items: 100_000,
        customers: 3_000,
    }
}

async fn on(engine: Engine<'_>, goal: f64) -> Result<(), String> {
    let scale = scale();
    let mut region = SqlRegion::start(&SAMPLE, engine)?;
    let name = |what: &str| format!("tpcc_{}_{what}", engine.name());
    let begin = Instant::now();
    load(&region.dir(), scale)?;
    let seconds = begin.elapsed().as_secs_f64();
    figure::value(
        &name("warehouses"),
        scale.warehouses as f64,
        "1",
        Goal::None,
    );
    figure::value(&name("load"), seconds, "s", Goal::None);
    let mix = Mix::new(scale);
    let measured = sql::full_speed(&region, &mix, (CALLERS, sql::seconds() * 3)).await?;
    let again = mix.again.load(Relaxed) as f64 / mix.asked().max(1.0);
    let rate = measured.per_second * (1.0 - again);
    figure::value(&name("rate"), rate, "1/s", Goal::Least(goal));
    figure::value(&name("cpu"), measured.cpu_ms, "ms", Goal::None);
    figure::value(&name("cpu_percent"), measured.cpu_percent, "%", Goal::None);
    figure::value(&name("p50"), measured.p50_ms, "ms", Goal::None);
    figure::value(&name("p99"), measured.p99_ms, "ms", Goal::None);
    let share = mix.placed.load(Relaxed) as f64 / mix.asked().max(1.0);
    let orders = measured.per_second * share * 60.0;
    figure::value(&name("new_orders"), orders, "1/min", Goal::None);
    figure::value(&name("deadlocks"), again * 100.0, "%", Goal::None);
    mix.print();
    if matches!(engine, Engine::Embedded) {
        terminals::run(&region, scale)?;
    }
    killed(&mut region, scale, engine).await
}

/// The conditions of the specification, after kill -9 in the middle of the mix.
async fn killed(
    region: &mut SqlRegion<'_>,
    scale: Scale,
    engine: Engine<'_>,
) -> Result<(), String> {
    let mix = Mix::new(scale);
    let cut = Duration::from_secs(2);
    let all = sql::full_speed(region, &mix, (CALLERS, 60));
    // Those that run go on in the region while nobody waits for them any more.
    let ended = tokio::time::timeout(cut, all).await;
    if let Ok(Err(why)) = ended {
        return Err(why);
    }
    region.kill_and_start()?;
    let said = statements(&region.dir(), Path::new("sql/consistency.sql"))?;
    let met = said
        .lines()
        .filter(|line| line.trim_end().ends_with("| 0"))
        .count();
    let name = format!("tpcc_{}_conditions_met_after_kill", engine.name());
    figure::value(&name, met as f64, "of_12", Goal::Least(12.0));
    Ok(())
}

/// Fills the tables.
fn load(dir: &Path, scale: Scale) -> Result<(), String> {
    let Scale {
        warehouses,
        items,
        customers,
    } = scale;
    let row = format!("INSERT INTO SCALE VALUES ({warehouses}, {items}, {customers});\n");
    std::fs::write(dir.join("sql/scale.sql"), row).map_err(|e| e.to_string())?;
    statements(dir, Path::new("sql/scale.sql"))?;
    statements(dir, Path::new("sql/load.sql")).map(drop)
}

fn statements(dir: &Path, script: &Path) -> Result<String, String> {
    let mut sql = Command::new(transom_exe()?);
    let output = sql.current_dir(dir).args(["sql", ".", "--in"]).arg(script);
    let output = output.output().map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    match output.status.success() {
        true => Ok(said),
        false => Err(said),
    }
}

/// The mix, and what became of it.
struct Mix {
    scale: Scale,
    /// By transaction: answered, and refused as the specification wants some to be.
    done: [AtomicU64; 5],
    refused: [AtomicU64; 5],
    /// New orders that were placed.
    placed: AtomicU64,
    /// Backed out by a deadlock: who asked would ask again.
    again: AtomicU64,
}

impl Mix {
    fn new(scale: Scale) -> Self {
        Self {
            scale,
            done: Default::default(),
            refused: Default::default(),
            placed: AtomicU64::new(0),
            again: AtomicU64::new(0),
        }
    }

    fn asked(&self) -> f64 {
        self.done.iter().map(|n| n.load(Relaxed)).sum::<u64>() as f64
    }

    fn print(&self) {
        for (n, kind) in Kind::ALL.into_iter().enumerate() {
            let (done, refused) = (self.done[n].load(Relaxed), self.refused[n].load(Relaxed));
            let share = done as f64 * 100.0 / self.asked().max(1.0);
            println!("{kind:?} {done} {share:.1} % of all, {refused} refused");
        }
    }
}

impl Load for Mix {
    fn next(&self, number: u64) -> (String, String, Vec<u8>) {
        let (kind, area) = input::request(number, self.scale);
        let (program, transid) = kind.names();
        (program.to_owned(), transid.to_owned(), area)
    }

    fn check(&self, number: u64, answer: &[u8]) -> Result<(), String> {
        let (kind, _) = input::request(number, self.scale);
        let at = Kind::ALL.iter().position(|one| *one == kind).unwrap_or(0);
        let status = answer.get(kind.status_at()).copied().unwrap_or(b'?');
        self.done[at].fetch_add(1, Relaxed);
        match status {
            b'Y' if kind == Kind::NewOrder => drop(self.placed.fetch_add(1, Relaxed)),
            b'Y' => {}
            b'N' => drop(self.refused[at].fetch_add(1, Relaxed)),
            b'D' => drop(self.again.fetch_add(1, Relaxed)),
            _ => {
                let text = String::from_utf8_lossy(answer);
                return Err(format!("{kind:?} answered {text}"));
            }
        }
        Ok(())
    }
}
