//! The server of PostgreSQL that a bench may fill: started by its `run` script, held on one
//! processor.
//!
//! Why not started here: the script ends it, however the bench ends. Not here: sessions.

use super::place::processor;
use crate::servers::run_to_end;
use std::process::Command;

/// Connection string of its database `postgres`.
const NAMED_BY: &str = "TRANSOM_BENCH_POSTGRES";

/// A running server.
pub(crate) struct Cluster {
    connect: String,
    postmaster: u32,
}

impl Cluster {
    /// The one that is named, held on the processor of servers; or why there is none.
    pub(crate) fn named() -> Result<Self, String> {
        let connect = std::env::var(NAMED_BY).map_err(|_| format!("{NAMED_BY} names no server"))?;
        let said = ask(&connect, "SELECT pg_read_file('postmaster.pid')")?;
        let first = said.lines().next().unwrap_or_default().trim();
        let postmaster = first
            .parse()
            .map_err(|_| format!("no process number: {said}"))?;
        if let Some(processor) = processor() {
            let mut hold = Command::new("taskset");
            hold.args(["-a", "-p", "-c", &processor.to_string(), first]);
            run_to_end(&mut hold)?;
        }
        Ok(Self {
            connect,
            postmaster,
        })
    }

    /// The process that all others of it belong to.
    pub(crate) fn postmaster(&self) -> u32 {
        self.postmaster
    }

    /// Makes a database; its connection string.
    pub(crate) fn database(&self, name: &str) -> Result<String, String> {
        ask(&self.connect, &format!("CREATE DATABASE {name}"))?;
        Ok(self
            .connect
            .replace("dbname=postgres", &format!("dbname={name}")))
    }
}

fn ask(connect: &str, statement: &str) -> Result<String, String> {
    let mut psql = Command::new("psql");
    let output = psql.args([connect, "-qAtX", "-c", statement]).output();
    let output = output.map_err(|e| format!("psql: {e}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
