//! Bench `start`: from sources to a screen, a start after that, a changed program, and what a
//! region costs while nobody uses it.
//!
//! CardDemo as it comes, from the checkout that TRANSOM_CARDDEMO names.

use crate::cpu;
use crate::figure::{self, Goal};
use crate::runs::{median, quick, repetitions};
use crate::servers::{self, Server, run_to_end, transom_exe};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Jobs that define and load what the online programs use.
const JOBS: [&str; 8] = [
    "ACCTFILE", "CARDFILE", "CUSTFILE", "XREFFILE", "TRANFILE", "DUSRSECJ", "TCATBALF", "DISCGRP",
];
/// The program of the sign-on screen, and what it says about an empty one.
const PROGRAM: &str = "COSGN00C";
const SAYS: &str = "Please enter User ID";
const SIGN_ON: &str = "transaction CC00\nexpect \"Type your User ID and Password\"\n";
/// How long nobody uses the region before it is measured, and while it is.
const IDLE: Duration = Duration::from_secs(10);

pub(crate) fn run() -> Result<(), String> {
    let Some(checkout) = std::env::var_os("TRANSOM_CARDDEMO").map(PathBuf::from) else {
        figure::skipped("start", "TRANSOM_CARDDEMO names no checkout of CardDemo");
        return Ok(());
    };
    let (mut data, mut first, mut both) = (vec![], vec![], vec![]);
    let mut last = None;
    for _ in 0..if quick() { 1 } else { 3 } {
        // The one before ends first.
        drop(last.take());
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let begin = Instant::now();
        make(&checkout, folder.path())?;
        let loaded = begin.elapsed().as_secs_f64();
        let server = started(folder.path())?;
        both.push(begin.elapsed().as_secs_f64());
        data.push(loaded);
        first.push(begin.elapsed().as_secs_f64() - loaded);
        last = Some((server, folder));
    }
    figure::value("start_data", median(data), "s", Goal::None);
    figure::value("start_first", median(first), "s", Goal::None);
    figure::value("start_nothing", median(both), "s", Goal::Most(5.0));
    let Some((server, folder)) = last else {
        return Err("nothing was measured".to_owned());
    };
    again(server, folder.path())
}

/// Figures of a region that has run before.
fn again(mut server: Server, dir: &Path) -> Result<(), String> {
    let mut second = vec![];
    for _ in 0..repetitions() {
        drop(server);
        let begin = Instant::now();
        server = started(dir)?;
        second.push(begin.elapsed().as_secs_f64());
    }
    figure::value("start_second", median(second), "s", Goal::Most(0.3));
    let mut changed = vec![];
    for word in ["type", "enter", "type"].into_iter().take(repetitions()) {
        changed.push(change(&server, dir, word)?);
    }
    figure::value("start_changed", median(changed), "s", Goal::Most(1.0));
    std::thread::sleep(IDLE);
    let pid = server.pid();
    let memory = cpu::tree_pss_mb(pid);
    figure::value("start_idle_memory", memory, "MB", Goal::Most(40.0));
    let before = cpu::switches(pid);
    std::thread::sleep(IDLE);
    let woken = cpu::switches(pid).saturating_sub(before) as f64;
    let each = woken / IDLE.as_secs_f64();
    figure::value("start_idle_wakeups", each, "1/s", Goal::Most(5.0));
    Ok(())
}

/// A system directory of the checkout: links to its sources, its data loaded by its own jobs.
fn make(checkout: &Path, dir: &Path) -> Result<(), String> {
    let app = fs::canonicalize(checkout.join("app")).map_err(|e| e.to_string())?;
    let online = |name: &str| name.starts_with("CO") || name == "CSUTLDTC.cbl";
    link(&app.join("cbl"), &dir.join("cobol"), online)?;
    link(&app.join("cpy"), &dir.join("copy"), |_| true)?;
    link(&app.join("bms"), &dir.join("bms"), |n| n.ends_with(".bms"))?;
    link(&app.join("csd"), &dir.join("csd"), |n| n.ends_with(".CSD"))?;
    let toml = "[region]\nAPPLID = \"CARDDEMO\"\n";
    fs::write(dir.join("transom.toml"), toml).map_err(|e| e.to_string())?;
    fs::create_dir(dir.join("ps")).map_err(|e| e.to_string())?;
    for job in JOBS {
        let mut command = Command::new(transom_exe()?);
        command.arg("idcams").arg(dir).arg("--in");
        command.arg(app.join(format!("jcl/{job}.jcl")));
        command.arg("--ps").arg(app.join("data/EBCDIC"));
        run_to_end(command.arg("--out").arg(dir.join("ps")))?;
    }
    Ok(())
}

fn link(from: &Path, to: &Path, wanted: impl Fn(&str) -> bool) -> Result<(), String> {
    let io = |e: std::io::Error| format!("{}: {e}", from.display());
    fs::create_dir(to).map_err(io)?;
    for entry in fs::read_dir(from).map_err(io)?.flatten() {
        let name = entry.file_name();
        if name.to_str().is_some_and(&wanted) {
            symlink(entry.path(), to.join(name)).map_err(io)?;
        }
    }
    Ok(())
}

/// Runs the system until its sign-on screen stands.
fn started(dir: &Path) -> Result<Server, String> {
    let port = servers::free_port()?;
    let mut command = Command::new(transom_exe()?);
    command.arg("run").arg(dir).arg("--no-gateway");
    command.args(["--tn3270", &port.to_string()]);
    let server = servers::start(command, port, None)?;
    play(&server, dir, SIGN_ON)?;
    Ok(server)
}

fn play(server: &Server, dir: &Path, script: &str) -> Result<(), String> {
    let file = dir.join("bench.3270");
    fs::write(&file, script).map_err(|e| e.to_string())?;
    let mut command = Command::new(transom_exe()?);
    command.args(["drive", "3270", &format!("localhost:{}", server.port)]);
    run_to_end(command.arg("--script").arg(&file).arg("--once"))
}

/// Seconds from a change of a source to a screen that shows it.
fn change(server: &Server, dir: &Path, word: &str) -> Result<f64, String> {
    let io = |e: std::io::Error| e.to_string();
    let source = dir.join(format!("cobol/{PROGRAM}.cbl"));
    let text = fs::read_to_string(&source).map_err(io)?;
    let (before, behind) = match text.split_once(SAYS) {
        Some(parts) => parts,
        None => text.split_once("Please type User ID").ok_or("no text")?,
    };
    let now = format!("Please {word} User ID");
    let text = format!("{before}{now}{behind}");
    // The checkout stays as it is.
    fs::remove_file(&source).map_err(io)?;
    let begin = Instant::now();
    fs::write(&source, text).map_err(io)?;
    run_to_end(Command::new(transom_exe()?).arg("build").arg(dir))?;
    let script = format!(
        "transaction \"CEMT SET PROGRAM({PROGRAM}) NEWCOPY\"\nkey PF3\nkey CLEAR\n{SIGN_ON}\
         key ENTER\nexpect \"{now}\"\n"
    );
    play(server, dir, &script)?;
    Ok(begin.elapsed().as_secs_f64())
}
