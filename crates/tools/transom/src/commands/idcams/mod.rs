//! `transom idcams`: definitions and loads of a system directory's data sets, from the statements estates have.
//!
//! What: the command line, and [`apply`] for `transom run`. Statements and jobs are read by `transom-idcams`, records kept by
//! `transom-datasets`. Not here: a running region's files; the store is open here, or there.

mod alter;
mod copy;
mod entries;
mod files;
mod job;
mod list;
mod options;
mod output;
mod places;
mod records;
mod report;
mod runner;
mod store;
#[cfg(test)]
mod tests;
pub(crate) mod verify;

use crate::commands::output::print;
use crate::system::{files as files_below, read_text};
use clap::Args;
use options::{Attributes, DdOption, FileOptions, Folder};
use places::{Generations, Temporary};
pub(crate) use report::Report;
use runner::Runner;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use transom_datasets::{DatasetName, Datasets};
use transom_idcams::{MAX_TEXT_BYTES, SourceLine};
use transom_recovery::{UowId, Wait, wait};
use transom_types::Applid;

/// Folder of a system directory with statements that `transom run` executes, and their data.
const DATA_FOLDER: &str = "data";
/// Folder of a system directory for what jobs of [`DATA_FOLDER`] write.
const OUTPUT_FOLDER: &str = ".transom/data";
/// How long a run waits for another one that loads into the same store.
const APPLY_WAIT: Duration = Duration::from_secs(600);
/// From this condition code on a load is not complete.
const FAILED: u8 = 8;

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

/// Executes the statements and jobs of `DIR/data/` for entries that do not exist yet: DEFINE of others, loads into others
/// and every DELETE of them are left out. Files with the names of data sets are looked for in that folder
/// too; what steps write goes to `DIR/.transom/data`. What a file
/// defined is deleted again when a command of it failed, so that the next start does not take it for loaded. The report
/// holds only files that had something to do. What a file defines is marked until its run has ended: a run that was killed in
/// between is done again.
pub(crate) fn apply(dir: &Path, datasets: &Datasets) -> Report {
    let folder = dir.join(DATA_FOLDER);
    let mut report = Report::keeping();
    let owner = UowId::new(Applid::from_field(b"IDCAMS"), 2);
    if let Err(condition) = begin_apply(datasets, owner, &mut report) {
        report.line(format!("TXMID0059E the store answered: {condition}"));
        report.max = 16;
        return report;
    }
    let files = FileOptions {
        folders: vec![Folder {
            path: folder.clone(),
            attributes: Attributes::default(),
        }],
        libraries: vec![folder.clone()],
        output: output_folder(dir),
        ..FileOptions::default()
    };
    for path in files_below(&folder, &["idcams", "jcl"]) {
        let name = path
            .strip_prefix(dir)
            .unwrap_or(&path)
            .display()
            .to_string();
        match read_text(&path) {
            Ok(text) => report.append(apply_text(datasets, &files, &name, &text)),
            Err(text) => {
                report.line(text);
                report.max = 16;
            }
        }
    }
    datasets.store().release(owner);
    report
}

/// One process at a time loads into a store that several share; then what an earlier run left half loaded is deleted, so that
/// it is made again.
fn begin_apply(
    datasets: &Datasets,
    owner: UowId,
    report: &mut Report,
) -> Result<(), transom_datasets::Condition> {
    let until = Wait::Until(Instant::now() + APPLY_WAIT);
    wait(
        datasets
            .store()
            .lock(owner, "catalog/loads", b"apply", until),
    )?;
    let done = wait(datasets.reload()).and_then(|()| delete_unfinished(datasets, report));
    if done.is_err() {
        datasets.store().release(owner);
    }
    done
}

fn delete_unfinished(
    datasets: &Datasets,
    report: &mut Report,
) -> Result<(), transom_datasets::Condition> {
    for entry in datasets.entries() {
        // It may have gone with its base.
        if entry.extra().loading && datasets.entry(entry.name()).is_some() {
            wait(datasets.delete(entry.name()))?;
            let name = entry.name();
            report.line(format!(
                "TXMID0069I {name} was left half loaded by a run that did not end; it is made again"
            ));
        }
    }
    Ok(())
}

/// Where steps of a directory's own jobs write.
fn output_folder(dir: &Path) -> Option<Folder> {
    let path = dir.join(OUTPUT_FOLDER);
    std::fs::create_dir_all(&path).ok()?;
    Some(Folder {
        path,
        attributes: Attributes::default(),
    })
}

fn apply_text(datasets: &Datasets, files: &FileOptions, name: &str, text: &str) -> Report {
    let names = || {
        datasets
            .entries()
            .iter()
            .map(|e| e.name().to_string())
            .collect::<BTreeSet<_>>()
    };
    let mut report = Report::keeping();
    let before = names();
    let mut runner = Runner {
        datasets,
        files,
        report: &mut report,
        existing: Some(before.clone()),
        generations: Generations::default(),
        temporary: Temporary::default(),
        today: runner::today(),
    };
    let code = run_text(&mut runner, name, text, &[]);
    report.max = code;
    let made: Vec<String> = names().difference(&before).cloned().collect();
    if made.is_empty() && code == 0 {
        return Report::keeping();
    }
    let made: Vec<DatasetName> = made
        .iter()
        .filter_map(|n| DatasetName::new(n).ok())
        .collect();
    if code < FAILED
        && let Err(condition) = wait(datasets.loaded(&made))
    {
        report.line(format!("TXMID0059E the store answered: {condition}"));
        report.max = 16;
    }
    if code >= FAILED {
        for entry in &made {
            if datasets.entry(entry).is_some() && wait(datasets.delete(entry)).is_ok() {
                report.line(format!("TXMID0023I {entry} is deleted again"));
            }
        }
    }
    report
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
