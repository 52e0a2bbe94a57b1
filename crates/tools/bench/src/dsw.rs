//! Bench `dsw`: R4's VSAM workload on five regions, and on one.
//!
//! What: samples/dsw at the rates of R4, CPU of each region as R4 splits it. Why pids: a region
//! with its workers is charged as a whole, while screens are measured. Not here: the programs.

use crate::figure::{self, Goal};
use crate::runs::quick;
use crate::servers::{free_port, run_to_end, transom_exe};
use clap::Parser;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use transom_driver::{TerminalArgs, TerminalStep, drive_terminals_silently};

const SAMPLE: &str = "samples/dsw";
const PATIENCE: Duration = Duration::from_secs(300);
/// R4: rate, CPU of TORs, AORs and FOR in percent of a processor, response in s.
const R4: [(f64, f64, f64, f64, f64); 5] = [
    (384.99, 7.9, 23.6, 10.9, 0.037),
    (531.50, 10.6, 32.2, 14.8, 0.036),
    (708.11, 14.2, 42.4, 19.0, 0.039),
    (1055.21, 20.9, 62.7, 28.5, 0.036),
    (1586.01, 31.6, 92.8, 41.5, 0.040),
];
/// Terminals of each driver.
const TERMINALS: &str = "100";

#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    args: TerminalArgs,
}

/// Regions that run, and where terminals connect.
struct Regions {
    child: Child,
    /// Name and process of each.
    pids: Vec<(String, u64)>,
    ports: Vec<u16>,
    _folder: TempDir,
}

/// One rate.
struct Taken {
    rate: f64,
    average_ms: f64,
    /// Percent of a processor, by name of the region.
    cpu: Vec<(String, f64)>,
    failures: u64,
}

pub(crate) fn run() -> Result<(), String> {
    let rates = if quick() { &R4[..1] } else { &R4[..] };
    let five = Regions::start(
        "",
        &["tor1", "tor2"],
        &["FOR1", "AOR1", "AOR2", "TOR1", "TOR2"],
    )?;
    figure::row(
        "    ETR  TORs%  AORs%   FOR%   resp ms   ms/tran | R4: TORs%  AORs%   FOR%   resp ms   ms/tran",
    );
    let (mut failures, mut last) = (0, None);
    for r4 in rates {
        let taken = five.step(r4.0)?;
        failures += taken.failures;
        print(&taken, r4);
        last = Some(taken);
    }
    drop(five);
    let Some(last) = last else {
        return Ok(());
    };
    let asked = rates[rates.len() - 1].0;
    figure::value("dsw_cpu", last.each_ms(), "ms", Goal::Most(0.15));
    figure::value(
        "dsw_rate",
        last.rate,
        "1/s",
        Goal::Least(asked.floor() * 0.999),
    );
    figure::value("dsw_response", last.average_ms, "ms", Goal::Most(5.0));
    let one = Regions::start("one", &[""], &["ONE"])?;
    let taken = one.step(asked)?;
    let goal = Goal::Most(0.06);
    figure::value("dsw_one_region_cpu", taken.each_ms(), "ms", goal);
    figure::value(
        "dsw_one_region_response",
        taken.average_ms,
        "ms",
        Goal::None,
    );
    failures += taken.failures;
    figure::value("dsw_failures", failures as f64, "1", Goal::Most(0.0));
    Ok(())
}

fn print(taken: &Taken, r4: &(f64, f64, f64, f64, f64)) {
    let (tors, aors, file) = (taken.of("TOR"), taken.of("AOR"), taken.of("FOR"));
    let theirs = (r4.1 + r4.2 + r4.3) * 10.0 / r4.0;
    figure::row(&format!(
        "{:7.1} {tors:6.1} {aors:6.1} {file:6.1} {:9.2} {:9.3} | {:9.1} {:6.1} {:6.1} {:9.1} {theirs:9.3}",
        taken.rate,
        taken.average_ms,
        taken.each_ms(),
        r4.1,
        r4.2,
        r4.3,
        r4.4 * 1e3,
    ));
}

impl Taken {
    /// CPU of regions whose names begin so.
    fn of(&self, begin: &str) -> f64 {
        let all = self.cpu.iter().filter(|(name, _)| name.starts_with(begin));
        all.map(|(_, percent)| percent).sum()
    }

    /// CPU of all for each transaction.
    fn each_ms(&self) -> f64 {
        self.of("") * 10.0 / self.rate.max(1.0)
    }
}

impl Regions {
    /// A copy of the sample, or of a folder of it, with ports of its own.
    fn start(below: &str, doors: &[&str], names: &[&str]) -> Result<Self, String> {
        let folder = tempfile::tempdir_in("/tmp").map_err(|e| e.to_string())?;
        let all = folder.path().join("dsw");
        run_to_end(Command::new("cp").arg("-rL").arg(SAMPLE).arg(&all))?;
        let dir = all.join(below);
        let mut ports = Vec::new();
        for door in doors {
            ports.push(at_free_port(&dir.join(door).join("transom.toml"))?);
        }
        let log = folder.path().join("log");
        let said = fs::File::create(&log).map_err(|e| e.to_string())?;
        let child = Command::new(transom_exe()?)
            .arg("run")
            .arg(&dir)
            .env("TRANSOM_RUNTIME_DIR", folder.path())
            .stdout(Stdio::null())
            .stderr(said)
            .spawn()
            .map_err(|e| e.to_string())?;
        let mut regions = Self {
            child,
            pids: Vec::new(),
            ports,
            _folder: folder,
        };
        let begin = Instant::now();
        while regions.pids.is_empty() {
            let ended = !matches!(regions.child.try_wait(), Ok(None));
            if ended || begin.elapsed() > PATIENCE {
                let log = fs::read_to_string(&log).unwrap_or_default();
                return Err(format!("the regions do not start: {log}"));
            }
            std::thread::sleep(Duration::from_millis(100));
            regions.pids = running(&dir, names)?;
        }
        Ok(regions)
    }

    /// All terminals at a rate.
    fn step(&self, rate: f64) -> Result<Taken, String> {
        let seconds = if quick() { 5 } else { 20 };
        let each = rate / self.ports.len() as f64;
        let drivers: Vec<_> = self
            .ports
            .iter()
            .map(|port| {
                let args = self.arguments(*port, each, seconds);
                std::thread::spawn(move || drive(args?))
            })
            .collect();
        let mut steps = Vec::new();
        for driver in drivers {
            steps.push(driver.join().map_err(|_| "the driver ended early")??);
        }
        let screens =
            |step: &TerminalStep| step.labels.iter().find(|l| l.label == "screen").cloned();
        let shown: Vec<_> = steps.iter().filter_map(screens).collect();
        let all: u64 = shown.iter().map(|label| label.screens).sum();
        let spent: f64 = shown
            .iter()
            .map(|l| l.times.average_ms * l.screens as f64)
            .sum();
        let first = steps.first().ok_or("the driver made no step")?;
        let percent = |at: usize| first.processes.get(at).map_or(0.0, |cpu| cpu.percent);
        let names = self.pids.iter().enumerate();
        Ok(Taken {
            rate: all as f64 / seconds as f64,
            average_ms: spent / all.max(1) as f64,
            cpu: names
                .map(|(at, (name, _))| (name.clone(), percent(at)))
                .collect(),
            failures: steps.iter().map(|step| step.failures.total()).sum(),
        })
    }

    fn arguments(&self, port: u16, rate: f64, seconds: u64) -> Result<TerminalArgs, String> {
        let script = format!("{SAMPLE}/dsw.3270");
        let (host, rate) = (format!("127.0.0.1:{port}"), rate.to_string());
        let duration = format!("{seconds}s");
        let mut words = vec![
            "3270", &host, "--script", &script, "--quiet", "--paced", &rate,
        ];
        words.extend(["--terminals", TERMINALS, "--duration", &duration]);
        words.extend(["--ramp", "2s", "--warm-up", "3s", "--threads", "1"]);
        let pids: Vec<String> = self.pids.iter().map(|(_, pid)| pid.to_string()).collect();
        for pid in &pids {
            words.extend(["--process", pid]);
        }
        Ok(Options::try_parse_from(words)
            .map_err(|e| e.to_string())?
            .args)
    }
}

impl Drop for Regions {
    /// They end with who started them.
    fn drop(&mut self) {
        let _killed = self.child.kill();
        let _gone = self.child.wait();
    }
}

fn drive(args: TerminalArgs) -> Result<TerminalStep, String> {
    let mut run = drive_terminals_silently(&args).map_err(|e| e.to_string())?;
    run.steps
        .pop()
        .ok_or_else(|| "the driver made no step".into())
}

/// Puts a free port in the place of the one in a transom.toml.
fn at_free_port(settings: &Path) -> Result<u16, String> {
    let text = fs::read_to_string(settings).map_err(|e| e.to_string())?;
    let port = free_port()?;
    let line = |line: &str| match line.starts_with("port") {
        true => format!("port = {port}\n"),
        false => format!("{line}\n"),
    };
    let text: String = text.lines().map(line).collect();
    fs::write(settings, text).map_err(|e| e.to_string())?;
    Ok(port)
}

/// Processes of the regions, once all of them run and are linked.
fn running(dir: &PathBuf, names: &[&str]) -> Result<Vec<(String, u64)>, String> {
    let words: &[&str] = match names {
        [_] => &["status"],
        _ => &["plex", "status"],
    };
    let mut asking = Command::new(transom_exe()?);
    let asked = asking
        .args(words)
        .arg(dir)
        .arg("--json")
        .stderr(Stdio::null())
        .output();
    let said = asked.map_err(|e| e.to_string())?.stdout;
    let answer: Value = serde_json::from_slice(&said).unwrap_or_default();
    let regions: Vec<&Value> = match answer["regions"].as_array() {
        Some(all) => all.iter().collect(),
        None => vec![&answer],
    };
    let ready = |region: &&Value| {
        let links = region["links"].as_array();
        let mut links = links.into_iter().flatten();
        region["state"] == "running" && links.all(|link| link["state"] == "acquired")
    };
    if regions.len() != names.len() || !regions.iter().all(ready) {
        return Ok(Vec::new());
    }
    let pids = regions.iter().filter_map(|region| region["pid"].as_u64());
    Ok(names
        .iter()
        .map(|name| (*name).to_owned())
        .zip(pids)
        .collect())
}
