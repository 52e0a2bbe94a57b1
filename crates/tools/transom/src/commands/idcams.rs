//! `transom idcams`: definitions and loads of a system directory's data sets, from the statements
//! estates have.
//!
//! What: the command line. Not here: what statements and jobs do (`region/utilities`), the files of
//! a running region; the store is open here, or there.

use super::output::{Terminal, print};
use super::store::open_datasets;
use crate::system::{self, data_texts, page, read_source};
use clap::Args;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use transom_copybook::CodePage;
use transom_idcams::MAX_TEXT_BYTES;
use transom_log::say;
use transom_messages as messages;
use transom_utilities::{
    DdOption, FileOptions, Folder, OptionError, SysPrint, Utilities, apply, today,
};

#[derive(Debug, Args)]
#[command(
    after_help = "FILE attributes: format=fixed:LENGTH|variable|blocked|line|crlf|mf, ccsid=NUMBER,
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
            say(text);
            ExitCode::from(16)
        }
    }
}

fn execute(args: &IdcamsArgs) -> Result<u8, String> {
    let mut terminal = Terminal::default();
    if args.missing {
        let texts = data_texts(&args.dir);
        let page = source_page(&args.dir);
        let applied = apply(&args.dir, &texts, page, &open_datasets(&args.dir)?);
        print(&applied.listing);
        terminal.line(&ended(applied.code));
        return Ok(applied.code);
    }
    let files = file_options(args).map_err(|e| e.to_string())?;
    let symbols = symbols(&args.set)?;
    let texts = texts(&args.input, source_page(&args.dir))?;
    let datasets = open_datasets(&args.dir)?;
    let utilities = Utilities {
        datasets: &datasets,
        files: &files,
        today: today(),
    };
    let codes = texts
        .iter()
        .map(|(name, text)| utilities.run(name, text, &symbols, &mut terminal));
    let max = codes.max().unwrap_or(0);
    terminal.line(&format!("\n{}", ended(max)));
    Ok(max)
}

fn ended(code: u8) -> String {
    messages::id::ended("transom idcams", code).to_string()
}

fn file_options(args: &IdcamsArgs) -> Result<FileOptions, OptionError> {
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
        source_page: Some(source_page(&args.dir)),
    })
}

fn symbols(list: &[String]) -> Result<Vec<(String, String)>, String> {
    let pair = |text: &String| match text.split_once('=') {
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => Err(messages::id::option_not_valid(
            format_args!("--set {text}"),
            "NAME=VALUE is expected",
        )
        .to_string()),
    };
    list.iter().map(pair).collect()
}

/// Code page of texts that are EBCDIC, as transom.toml says it.
fn source_page(dir: &Path) -> &'static CodePage {
    let system = system::open(dir);
    let name = system.map_or("", |(system, _)| system.settings.cobol.source_codepage);
    page(name)
}

/// Name and text of everything to be run; EBCDIC is told.
pub(super) fn texts(files: &[PathBuf], page: &CodePage) -> Result<Vec<(String, String)>, String> {
    if files.is_empty() {
        let mut bytes = Vec::new();
        let read = std::io::stdin()
            .take(MAX_TEXT_BYTES as u64 + 1)
            .read_to_end(&mut bytes);
        read.map_err(|e| messages::id::file_failed("standard input", &e).to_string())?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        return Ok(vec![small("standard input".to_owned(), text)?]);
    }
    let file = |path: &PathBuf| {
        let name = path.display().to_string();
        let (text, notices) = read_source(path, &name, page)?;
        notices.iter().for_each(|notice| say(&notice.text));
        small(name, text)
    };
    files.iter().map(file).collect()
}

fn small(name: String, text: String) -> Result<(String, String), String> {
    match text.len() > MAX_TEXT_BYTES {
        true => Err(messages::id::file_failed(
            &name,
            format_args!("it has more than {MAX_TEXT_BYTES} bytes"),
        )
        .to_string()),
        false => Ok((name, text)),
    }
}
