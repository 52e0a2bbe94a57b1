//! `transom idcams`: definitions and loads of a system directory's data sets, from the statements
//! estates have.
//!
//! What: the command line, and [`apply`] for `transom run`. Statements and jobs are read by
//! `transom-idcams`, records kept by `transom-datasets`. Not here: a running region's files; the
//! store is open here, or there.

mod alter;
mod copy;
mod directory;
mod entries;
mod examine;
mod files;
mod job;
mod list;
mod options;
mod output;
mod places;
mod portable;
mod records;
mod report;
mod runner;
mod store;
#[cfg(test)]
mod tests;
pub(crate) mod verify;

use crate::commands::output::print;
use crate::system::read_text;
use clap::Args;
pub(crate) use directory::apply;
use options::{DdOption, FileOptions, Folder};
use places::{Generations, Temporary};
pub(crate) use report::Report;
use runner::Runner;
use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;
use transom_idcams::{MAX_TEXT_BYTES, SourceLine};

#[derive(Debug, Args)]
#[command(
    after_help = "FILE attributes: format=fixed:LENGTH|variable|blocked|line|crlf, ccsid=NUMBER,
copybook=FILE:01-NAME. Without them files hold fixed records in CCSID 37, as long as those of the
cluster on the other side; NAME.txt holds lines in CCSID 819.

The exit code is the highest condition code: 0, 4, 8, 12 or 16.

Examples:
  transom idcams my-system --in ACCTFILE.jcl --ps carddemo/app/data/EBCDIC
  transom idcams my-system --in load.idcams --dd IN=acct.bin,format=fixed:300,copybook=CVACT01Y.cpy
  echo ' LISTCAT ALL' | transom idcams my-system"
)]
pub(crate) struct IdcamsArgs {
    /// The system directory
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// File with statements or a job; default: standard input
    #[arg(long = "in", value_name = "FILE")]
    input: Vec<PathBuf>,
    /// File of a DD name, with attributes: NAME=FILE,format=line
    #[arg(long, value_name = "NAME=FILE")]
    dd: Vec<String>,
    /// Folder with files that have the names of data sets, with attributes for all of them
    #[arg(long, value_name = "FOLDER")]
    ps: Vec<String>,
    /// Folder for files that are written, with attributes
    #[arg(long, value_name = "FOLDER")]
    out: Option<String>,
    /// Folder with procedures and members of libraries
    #[arg(long, value_name = "FOLDER")]
    lib: Vec<PathBuf>,
    /// Run the statements and jobs of DIR/data for what does not exist yet, as `transom run` does
    #[arg(long, conflicts_with_all = ["input", "dd", "ps", "out", "lib", "set"])]
    missing: bool,
    /// Value of a symbol in jobs: NAME=VALUE
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
}

/// Runs the command; the exit code is the highest condition code.
pub(crate) fn run(args: &IdcamsArgs) -> ExitCode {
    match execute(args) {
        Ok(code) => ExitCode::from(code),
        Err(text) => {
            eprintln!("{text}");
            ExitCode::from(16)
        }
    }
}

fn execute(args: &IdcamsArgs) -> Result<u8, String> {
    if args.missing {
        let report = apply(&args.dir, &store::open_datasets(&args.dir)?);
        print(report.text());
        print(&format!(
            "TXMID0021I transom idcams ended, highest condition code was {}\n",
            report.max
        ));
        return Ok(report.max);
    }
    let options = file_options(args)?;
    let symbols = symbols(&args.set)?;
    let texts = texts(&args.input)?;
    let datasets = store::open_datasets(&args.dir)?;
    let mut report = Report::printing();
    let mut max = 0;
    for (name, text) in &texts {
        let mut runner = Runner {
            datasets: &datasets,
            files: &options,
            report: &mut report,
            existing: None,
            generations: Generations::default(),
            temporary: Temporary::default(),
            today: runner::today(),
        };
        max = max.max(run_text(&mut runner, name, text, &symbols));
    }
    report.line(format!(
        "\nTXMID0021I transom idcams ended, highest condition code was {max}"
    ));
    Ok(max)
}

/// Runs a job or plain statements.
fn run_text(runner: &mut Runner<'_>, name: &str, text: &str, symbols: &[(String, String)]) -> u8 {
    if text.starts_with("//") {
        return job::run(runner, name, text, symbols);
    }
    let lines: Vec<SourceLine<'_>> = (1..)
        .zip(text.lines())
        .map(|(number, text)| SourceLine { number, text })
        .collect();
    runner.run(name, &lines, None)
}

fn file_options(args: &IdcamsArgs) -> Result<FileOptions, String> {
    let dds: Result<Vec<_>, _> = args.dd.iter().map(|text| DdOption::parse(text)).collect();
    let folders: Result<Vec<_>, _> = args
        .ps
        .iter()
        .map(|text| Folder::parse("--ps", text))
        .collect();
    let output = args.out.as_ref().map(|text| Folder::parse("--out", text));
    Ok(FileOptions {
        dds: dds?,
        folders: folders?,
        output: output.transpose()?,
        libraries: args.lib.clone(),
    })
}

fn symbols(list: &[String]) -> Result<Vec<(String, String)>, String> {
    let pair = |text: &String| match text.split_once('=') {
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => Err(format!("TXMID0062E --set {text}: NAME=VALUE is expected")),
    };
    list.iter().map(pair).collect()
}

/// Name and text of everything to be run.
fn texts(files: &[PathBuf]) -> Result<Vec<(String, String)>, String> {
    if files.is_empty() {
        let mut bytes = Vec::new();
        let read = std::io::stdin()
            .take(MAX_TEXT_BYTES as u64 + 1)
            .read_to_end(&mut bytes);
        read.map_err(|e| format!("TXMID0053E standard input: {e}"))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        return Ok(vec![small("standard input".to_owned(), text)?]);
    }
    let file = |path: &PathBuf| small(path.display().to_string(), read_text(path)?);
    files.iter().map(file).collect()
}

fn small(name: String, text: String) -> Result<(String, String), String> {
    match text.len() > MAX_TEXT_BYTES {
        true => Err(format!(
            "TXMID0053E {name}: it has more than {MAX_TEXT_BYTES} bytes"
        )),
        false => Ok((name, text)),
    }
}
