//! `transom translate`: one source through the translator, without a compiler.

use super::output::{findings, print};
use crate::system::library::Library;
use crate::system::{Finding, page, read_source};
use clap::Args;
use std::path::{Path, PathBuf};
use transom_translator::{Options, Source, translate};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  transom translate cobol/PAY.cbl --copy copy > PAY.cob
  transom translate cobol/PAY.cbl --report")]
pub(crate) struct TranslateArgs {
    /// The COBOL source
    source: PathBuf,
    /// System directory or folder whose copy/ holds the copybooks
    #[arg(long, default_value = ".")]
    copy: PathBuf,
    /// Code page of sources that are EBCDIC
    #[arg(long, default_value = "IBM-037")]
    codepage: String,
    /// Print the listing instead of the translated source
    #[arg(long, conflicts_with = "report")]
    listing: bool,
    /// Print which commands are used and what becomes of them
    #[arg(long)]
    report: bool,
}

pub(crate) fn run(args: &TranslateArgs) -> Result<(), String> {
    let name = args.source.display().to_string();
    let page = page(&args.codepage);
    let (text, notice) = read_source(&args.source, &name, page)?;
    let library = Library::open(root_of(&args.copy), page);
    let translated = translate(
        &Source {
            name: &name,
            text: &text,
        },
        &library,
        &Options::default(),
    );
    let mut list: Vec<Finding> = notice.into_iter().chain(library.findings()).collect();
    list.extend(translated.problems.iter().map(|p| Finding {
        is_error: p.is_error(),
        text: p.place_first().to_string(),
    }));
    let errors = findings(&list);
    if args.report {
        print(&translated.coverage.report());
    } else if args.listing {
        print(&translated.listing());
    } else {
        print(&translated.cobol);
    }
    if errors > 0 {
        Err(format!("{name}: {errors} errors"))
    } else {
        Ok(())
    }
}

/// The system directory, also when its copy folder was given.
fn root_of(path: &Path) -> &Path {
    match path.file_name().and_then(|n| n.to_str()) {
        Some("copy" | "cpy") => path.parent().unwrap_or(path),
        _ => path,
    }
}
