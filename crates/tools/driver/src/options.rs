//! Options of `transom drive`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Drive a workload against an HTTP endpoint and report on it.
#[derive(Debug, Clone, Args)]
pub struct DriveArgs {
    /// Where to send the requests (http only)
    pub url: String,
    /// Request method
    #[arg(long, default_value = "GET")]
    pub method: String,
    /// Request body
    #[arg(long, conflicts_with = "body_file")]
    pub body: Option<String>,
    /// File with the request body
    #[arg(long)]
    pub body_file: Option<PathBuf>,
    /// Request header, `Name: value`; may be repeated
    #[arg(long = "header")]
    pub headers: Vec<String>,
    /// Numbers of clients, one step of the run each
    #[arg(long, value_delimiter = ',', default_value = "10")]
    pub clients: Vec<u32>,
    /// closed: think after each reply; paced: send on a fixed schedule, late replies count in full
    #[arg(long, value_enum, default_value_t = Mode::Closed)]
    pub mode: Mode,
    /// Think time (closed) or period (paced) of one client
    #[arg(long, default_value = "0ms", value_parser = duration_ms)]
    pub think: u64,
    /// Time over which the clients of a step start
    #[arg(long, default_value = "1s", value_parser = duration_ms)]
    pub ramp_up: u64,
    /// Time after ramp-up before warm-up begins
    #[arg(long, default_value = "0ms", value_parser = duration_ms)]
    pub settle: u64,
    /// Time with load that is not measured
    #[arg(long, default_value = "2s", value_parser = duration_ms)]
    pub warm_up: u64,
    /// Time that is measured
    #[arg(long, default_value = "10s", value_parser = duration_ms)]
    pub duration: u64,
    /// A request that takes longer fails
    #[arg(long, default_value = "10s", value_parser = duration_ms)]
    pub timeout: u64,
    /// The reply must contain this text, else the request counts as failed
    #[arg(long)]
    pub expect: Option<String>,
    /// Process to charge CPU time to: a pid, a command name, or @PORT for whoever listens there,
    /// with the processes below; may be repeated
    #[arg(long = "process")]
    pub processes: Vec<String>,
    /// As --process, for work that could be offloaded to other processors (R1: zIIP)
    #[arg(long = "offload-process")]
    pub offload_processes: Vec<String>,
    /// Title of the report
    #[arg(long, default_value = "workload")]
    pub title: String,
    /// Write the result as JSON
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// Write the report as one HTML page
    #[arg(long)]
    pub html: Option<PathBuf>,
    /// No progress bar
    #[arg(long)]
    pub quiet: bool,
}

/// How clients time their requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// Wait for the reply, think, send again.
    Closed,
    /// Send at fixed times whatever the server does.
    Paced,
}

/// `250ms`, `2s`, `1m` or a bare number of milliseconds.
pub(crate) fn duration_ms(text: &str) -> Result<u64, String> {
    let split = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: u64 = number
        .parse()
        .map_err(|_| "a number with ms, s or m is needed".to_owned())?;
    let factor = match unit {
        "" | "ms" => 1,
        "s" => 1000,
        "m" => 60_000,
        _ => return Err("the unit is ms, s or m".to_owned()),
    };
    number
        .checked_mul(factor)
        .filter(|ms| *ms <= 86_400_000)
        .ok_or_else(|| "at most one day is allowed".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(duration_ms("100ms"), Ok(100));
        assert_eq!(duration_ms("3s"), Ok(3000));
        assert!(duration_ms("3h").is_err());
        assert!(duration_ms("99999999999s").is_err());
    }
}
