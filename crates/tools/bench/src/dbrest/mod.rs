//! Bench `db2rest`: R3's API over a REST service of the database.
//!
//! What: GET -> API -> service -> SQL with 4 to 210 rows, clients that think for 500 ms, beside a
//! service written by hand on the same rows. Not here: the sample (`samples/projectmanager`).

#[cfg(feature = "sqlite")]
mod direct;

#[cfg(feature = "sqlite")]
pub(crate) use direct::run as direct;

use crate::cpu;
use crate::figure::{self, Goal};
use crate::runs::quick;
use crate::servers::{free_port, run_to_end, start, transom_exe};
use clap::Parser;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;
use transom_driver::{DriveArgs, StepResult};

#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    args: DriveArgs,
}

const SAMPLE: &str = "samples/projectmanager";
const THINK_MS: u64 = 500;
/// A reply: its size in the report, the department, rows, goal for CPU, and CPU in the report
/// (3.0.37), milliseconds.
const SIZES: [(&str, &str, usize, f64, f64); 5] = [
    ("1k", "C%25", 4, 0.10, 0.25),
    ("5k", "T%25", 21, 0.14, 0.49),
    ("10k", "W01%25", 42, 0.20, 0.73),
    ("30k", "W0%25", 126, 0.45, 1.90),
    ("50k", "W%25", 210, 0.70, 3.02),
];
/// Clients of the report, and the one whose CPU it prints.
const CLIENTS: [u32; 3] = [100, 200, 300];
const SHOWN: u32 = 200;

/// All figures.
pub(crate) fn run() -> Result<(), String> {
    let (folder, dir, services) = sample()?;
    let port = free_port()?;
    let mut command = Command::new(transom_exe()?);
    command
        .arg("run")
        .arg(&dir)
        .args(["--http", &port.to_string()]);
    command.env("TRANSOM_RUNTIME_DIR", folder.path());
    let server = start(command, port, None)?;
    create(&dir, services)?;
    let peer = peer(&dir, folder.path());
    let mut kept = Vec::new();
    for (size, department, rows, goal, _) in SIZES {
        let path = format!("/projectmanager/employees?workDept={department}");
        let body = get(port, &path, 200)?;
        let found = body.matches("\"EMPNO\"").count();
        if found != rows {
            return Err(format!(
                "{path}: {found} rows in place of {rows}: {body:.300}"
            ));
        }
        let clients: &[u32] = if quick() { &[SHOWN] } else { &CLIENTS };
        for clients in clients {
            let step = drive(port, server.pid(), &path, *clients)?;
            if *clients == SHOWN {
                let name = format!("db2rest_{size}_cpu");
                figure::value(&name, step.cpu_ms_per_transaction, "ms", Goal::Most(goal));
                beside(&peer, size, &path, &step)?;
            }
            kept.push((size, step));
        }
    }
    report(&kept);
    let memory = cpu::tree_pss_mb(server.pid());
    figure::value("db2rest_memory", memory, "MB", Goal::None);
    Ok(())
}

/// The peer's CPU in the same minute.
fn beside(
    peer: &Result<crate::servers::Server, String>,
    size: &str,
    path: &str,
    ours: &StepResult,
) -> Result<(), String> {
    let name = format!("db2rest_{size}_cpu_beside_service_by_hand");
    match peer {
        Err(why) => figure::skipped(&name, why),
        Ok(peer) => {
            let theirs = drive(peer.port, peer.pid(), path, SHOWN)?;
            let peer = ("sqlite-service-by-hand", theirs.cpu_ms_per_transaction);
            figure::ratio(&name, ours.cpu_ms_per_transaction, "ms", peer, Goal::None);
        }
    }
    Ok(())
}

/// R3's tables: transactions a second, CPU for each, CPU in percent, with its own beside it.
fn report(kept: &[(&str, StepResult)]) {
    println!(
        "R3 clients rows TPS report_TPS avg_ms p99_ms CPU_ms/tr CPU% | report (z13) CPU_ms/tr"
    );
    for (size, step) in kept {
        let row = SIZES.iter().find(|row| row.0 == *size);
        let (rows, ms) = row.map_or((0, 0.0), |row| (row.2, row.4));
        let wanted = f64::from(step.clients) * 1e3 / THINK_MS as f64;
        println!(
            "{size} {} {rows} {:.1} {wanted} {:.2} {:.2} {:.3} {:.1} | {ms}",
            step.clients,
            step.tps,
            step.average_ms,
            step.p99_ms,
            step.cpu_ms_per_transaction,
            step.cpu_percent,
        );
    }
    // A closed loop cannot keep more: what it loses to response times is not the server's.
    let of_bound = |step: &StepResult| {
        let most = f64::from(step.clients) * 1e3 / (THINK_MS as f64 + step.average_ms);
        step.tps / most
    };
    let least = kept.iter().map(|(_, step)| of_bound(step));
    let least = least.fold(f64::MAX, f64::min);
    figure::value(
        "db2rest_tps_of_closed_loop",
        least,
        "ratio",
        Goal::Least(0.98),
    );
    let least = kept
        .iter()
        .map(|(_, step)| step.tps / step.tps_bound.max(1.0));
    let least = least.fold(f64::MAX, f64::min);
    figure::value("db2rest_tps_of_report", least, "ratio", Goal::Least(0.98));
    let failed: u64 = kept.iter().map(|(_, step)| step.failures.total()).sum();
    figure::value("db2rest_failures", failed as f64, "1", Goal::Most(0.0));
}

/// A copy of the sample with its table; the port of its services.
fn sample() -> Result<(TempDir, PathBuf, u16), String> {
    // Short on purpose: the path of a Unix socket is limited.
    let folder = tempfile::tempdir_in("/tmp").map_err(|e| e.to_string())?;
    let dir = folder.path().join("system");
    run_to_end(Command::new("cp").arg("-r").arg(SAMPLE).arg(&dir))?;
    let (services, secure) = (free_port()?, free_port()?);
    for (file, old, new) in [
        ("transom.toml", "42100", services),
        ("transom.toml", "42101", secure),
        ("server.xml", "42100", services),
    ] {
        let file = dir.join(file);
        let text = fs::read_to_string(&file).map_err(|e| e.to_string())?;
        let text = text.replace(old, &new.to_string());
        fs::write(&file, text).map_err(|e| e.to_string())?;
    }
    let mut sql = Command::new(transom_exe()?);
    sql.current_dir(&dir)
        .args(["sql", ".", "--in", "sql/emp.sql"]);
    if !dir.join("data/sql.db").exists() {
        run_to_end(&mut sql)?;
    }
    Ok((folder, dir, services))
}

/// Makes the service behind the API, once the service manager listens.
fn create(dir: &Path, services: u16) -> Result<(), String> {
    let body = fs::read_to_string(dir.join("service.json")).map_err(|e| e.to_string())?;
    let request = format!(
        "POST /services/DB2ServiceManager HTTP/1.1\r\nhost: localhost\r\n\
         content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    exchange(services, &request, 201).map(drop)
}

fn get(port: u16, path: &str, status: u16) -> Result<String, String> {
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    exchange(port, &request, status)
}

/// One request on a connection of its own; its reply with the header.
fn exchange(port: u16, request: &str, status: u16) -> Result<String, String> {
    let text = |e: std::io::Error| format!("port {port}: {e}");
    let begin = std::time::Instant::now();
    let mut socket = loop {
        match TcpStream::connect(("127.0.0.1", port)) {
            Ok(socket) => break socket,
            Err(error) if begin.elapsed() > Duration::from_secs(60) => return Err(text(error)),
            Err(_) => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    let patience = Some(Duration::from_secs(120));
    socket.set_read_timeout(patience).map_err(text)?;
    socket.write_all(request.as_bytes()).map_err(text)?;
    let mut reply = Vec::new();
    socket.read_to_end(&mut reply).map_err(text)?;
    let reply = String::from_utf8_lossy(&reply).into_owned();
    match reply.starts_with(&format!("HTTP/1.1 {status}")) {
        true => Ok(reply),
        false => Err(format!("{request:.200} is answered {reply:.600}")),
    }
}

/// So many clients with R3's pause.
fn drive(port: u16, pid: u32, path: &str, clients: u32) -> Result<StepResult, String> {
    let url = format!("http://127.0.0.1:{port}{path}");
    let mut words = vec!["drive".to_owned(), url, "--quiet".to_owned()];
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    let (ramp, warm, duration) = if quick() {
        (500, 500, 2_000)
    } else {
        (1_000, 2_000, 10_000)
    };
    option("--clients", clients.to_string());
    option("--think", format!("{THINK_MS}ms"));
    option("--ramp-up", format!("{ramp}ms"));
    option("--warm-up", format!("{warm}ms"));
    option("--duration", format!("{duration}ms"));
    option("--expect", "StatusDescription".to_owned());
    for pid in cpu::tree_pids(pid) {
        option("--process", pid.to_string());
    }
    let options = Options::try_parse_from(&words).map_err(|e| e.to_string())?;
    let result = transom_driver::drive_silently(&options.args).map_err(|e| e.to_string())?;
    let step = result.steps.into_iter().next().ok_or("no step was made")?;
    match step.transactions {
        0 => Err(format!("{path}: no good reply: {:?}", step.failures)),
        _ => Ok(step),
    }
}

/// The service by hand, on rows of the same script.
#[cfg(feature = "sqlite")]
fn peer(dir: &Path, folder: &Path) -> Result<crate::servers::Server, String> {
    let file = folder.join("direct.db");
    direct::load(&dir.join("sql/emp.sql"), &file)?;
    let port = free_port()?;
    let exe = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut command = Command::new(exe);
    command
        .arg("db2rest-reader")
        .arg(file)
        .arg(port.to_string());
    let peer = start(command, port, None)?;
    let body = get(port, "/projectmanager/employees?workDept=W%25", 200)?;
    match body.matches("\"EMPNO\"").count() {
        210 => Ok(peer),
        found => Err(format!("{found} rows: {body:.300}")),
    }
}

#[cfg(not(feature = "sqlite"))]
fn peer(_: &Path, _: &Path) -> Result<crate::servers::Server, String> {
    Err("SQLite is not built in (feature sqlite)".to_owned())
}
