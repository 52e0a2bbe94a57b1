//! Bench `monitoring`: the same work in two regions, one of which writes a record of each task.
//!
//! Both run by turns in one process of the driver, so that what the machine does meanwhile happens
//! to both.

use crate::figure::{self, Goal};
use crate::runs::{median, repetitions};
use crate::servers::{self, Server};
use crate::{gateway, terminals};
use std::path::Path;
use std::process::Command;

/// Parameters that switch it on.
const ON: &str = "MN = \"ON\"\nMNPER = \"ON\"\n";

/// All figures.
pub(crate) fn run() -> Result<(), String> {
    let [off, on] = [
        servers::transom_with(Path::new(gateway::SAMPLE), "")?,
        servers::transom_with(Path::new(gateway::SAMPLE), ON)?,
    ];
    compare("gateway", &off, &on, &|server| gateway::small(server))?;
    let [off, on] = [
        servers::terminals_with(Path::new(terminals::SAMPLE), "")?,
        servers::terminals_with(Path::new(terminals::SAMPLE), ON)?,
    ];
    compare("3270", &off, &on, &|server| terminals::menu(server))
}

/// CPU of a unit of work with and without records, and what became of them.
fn compare(
    name: &str,
    off: &Server,
    on: &Server,
    work: &dyn Fn(&Server) -> Result<f64, String>,
) -> Result<(), String> {
    let (mut without, mut with, mut more) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..repetitions() {
        let (a, b) = (work(off)?, work(on)?);
        without.push(a);
        with.push(b);
        more.push((b / a - 1.0) * 100.0);
    }
    let figure = |what: &str| format!("monitoring_{name}_{what}");
    let (without, with) = (median(without), median(with));
    figure::ratio(&figure("cpu"), with, "us", ("off", without), Goal::None);
    figure::value(&figure("overhead"), median(more), "%", Goal::Most(2.0));
    let report = report(on)?;
    let tasks = report["all"]["tasks"].as_f64().unwrap_or_default();
    figure::value(&figure("records"), tasks, "1", Goal::None);
    let notes = report["notes"].as_array().map_or(0, Vec::len);
    figure::value(&figure("gaps"), notes as f64, "1", Goal::Most(0.0));
    Ok(())
}

fn report(server: &Server) -> Result<serde_json::Value, String> {
    let mut command = Command::new(servers::transom_exe()?);
    let said = command
        .arg("report")
        .arg(server.dir()?)
        .arg("--json")
        .output();
    let said = said.map_err(|e| e.to_string())?;
    serde_json::from_slice(&said.stdout).map_err(|e| e.to_string())
}
