//! The benches of `bench/`: they start servers, drive them and print one line per figure.
//!
//! What: `transom-bench NAME` runs one bench; `QUICK=1` keeps it under a minute. Why a program: the
//! same driver, the same CPU reading and the same form of lines for all. Not here: a verdict; a
//! missed goal is printed as `met=no` and the exit code is 0.

#![deny(unsafe_code)]

mod attach;
mod commands;
mod cpu;
mod dbrest;
mod dsw;
mod endurance;
mod figure;
mod floor;
mod gam;
mod gateway;
mod growth;
mod liberty;
mod links;
mod monitoring;
mod redirector;
mod region;
mod rtw;
mod runs;
mod servers;
mod soak;
mod sql;
mod start;
mod terminals;
mod tpcc;
mod vsam;

use std::process::ExitCode;

/// Benches by name.
const NAMES: [&str; 18] = [
    "gateway",
    "gateway-clients",
    "attach",
    "commands",
    "soak",
    "endurance",
    "vsam",
    "growth",
    "monitoring",
    "3270",
    "redirector",
    "rtw",
    "db2rest",
    "tpcc",
    "gam",
    "dsw",
    "links",
    "start",
];

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    // What a bench starts of itself says what the bench reads.
    let helps = ["-writer", "-reader", "-door", "-worker"];
    if !helps.iter().any(|end| name.ends_with(end)) {
        figure::machine();
    }
    let argument = |n| std::env::args().nth(n).unwrap_or_default();
    let seconds = || argument(3).parse().unwrap_or(1);
    let result = match name.as_str() {
        "gateway" => gateway::sizes(),
        "gateway-clients" => gateway::clients(),
        "attach" => attach::run(),
        "commands" => commands::run(),
        "soak" => soak::run(),
        "endurance" => endurance::run(),
        "3270" => terminals::run(),
        "monitoring" => monitoring::run(),
        "redirector" => redirector::run(),
        "gam" => gam::run(),
        "dsw" => dsw::run(),
        "links" => links::run(),
        "start" => start::run(),
        "vsam" => vsam::run(),
        "rtw" => rtw::run(),
        "db2rest" => dbrest::run(),
        "tpcc" => tpcc::run(),
        "growth" => growth::run(&argument(2)),
        "floor-door" => floor::door(&argument(2)),
        "floor-worker" => floor::worker(),
        "growth-writer" => growth::writer(&argument(2), &argument(3)),
        "vsam-reader" => vsam::reader(&argument(2), &argument(3), &argument(4)),
        "rtw-postgres-reader" => rtw::postgres_peer(&argument(2), seconds()),
        #[cfg(feature = "sqlite")]
        "rtw-sqlite-reader" => rtw::sqlite_peer(&argument(2), seconds()),
        #[cfg(feature = "sqlite")]
        "db2rest-reader" => dbrest::direct(&argument(2), &argument(3)),
        other => Err(format!(
            "no bench '{other}'; there are {}",
            NAMES.join(", ")
        )),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("bench {name}: {text}");
            ExitCode::FAILURE
        }
    }
}
