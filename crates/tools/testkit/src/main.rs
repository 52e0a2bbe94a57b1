//! `torture`: makes everything go wrong that can go wrong below a unit of work, and checks what is
//! left.
//!
//! What: nine parts, each with many cases: fail points, deaths of an SQL server, isolation, power
//! loss, kill -9 of a region, programs that store over shared memory, tasks that die with an ENQ,
//! errors of the device, damaged files. Why: a record store is believed when it has been killed a
//! few thousand times. Each case moves money between accounts; afterwards the sum is the same,
//! everything acknowledged is there once, everything else whole or not at all. Not here: what
//! stores and regions do when all is well (their own tests).

#![forbid(unsafe_code)]

mod bank;
mod books;
mod child;
mod damage;
mod errors;
mod forged;
mod isolation;
mod places;
mod plan;
mod points;
mod power;
mod region;
mod report;
mod rng;
mod server;
mod sql_money;
mod strike;
mod target;

use clap::{Parser, Subcommand};
use plan::{Options, Plan};
use report::Report;
use std::process::ExitCode;

#[derive(Debug, Parser)]
#[command(
    name = "torture",
    after_help = "Examples:
  torture
  torture --share --seed 42
  torture --only power,damage"
)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    role: Option<Role>,
}

/// What torture starts itself as.
#[derive(Debug, Subcommand)]
#[command(hide = true)]
enum Role {
    /// Moves money until it is told to stop, or dies.
    #[command(hide = true)]
    Work(child::WorkArgs),
    /// Opens stores as they would be found after power losses.
    #[command(hide = true)]
    Replay(power::ReplayArgs),
    /// Opens a store and reads every record.
    #[command(hide = true)]
    Read(damage::ReadArgs),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.role {
        Some(Role::Work(args)) => return child::work(&args),
        Some(Role::Replay(args)) => return power::replay(&args),
        Some(Role::Read(args)) => return damage::read(&args),
        None => {}
    }
    match run(arguments.options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(text) => {
            eprintln!("{text}");
            ExitCode::from(2)
        }
    }
}

type RunPart = fn(&Plan) -> report::Part;

fn run(options: Options) -> Result<bool, String> {
    let plan = Plan::new(options)?;
    println!("seed {} (--seed {0} repeats it)", plan.seed);
    let mut report = Report::default();
    let mut parts: [(&str, RunPart); 9] = [
        ("points", points::run),
        ("server", server::run),
        ("isolation", isolation::run),
        ("power", power::run),
        ("region", region::run),
        ("scribble", region::scribble::run),
        ("enqueue", region::enqueue::run),
        ("errors", errors::run),
        ("damage", damage::run),
    ];
    if plan.share {
        // A busy machine has no time for the last ones; they are not always the same.
        let first = plan.seed as usize % parts.len();
        parts.rotate_left(first);
    }
    for (name, part) in parts {
        if plan.wants(name) {
            report.add(name, part(&plan));
        }
    }
    Ok(report.finish(&plan))
}
