//! `transom translate`: one source through the translator, without a compiler.

use super::output::{findings, print};
use crate::system::library::Library;
use crate::system::{self, Finding, collating, page, read_source};
use clap::Args;
use std::path::{Path, PathBuf};
use transom_translator::{HexLiterals, Options, Source, translate};

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
    let root = root_of(&args.copy);
    let library = Library::open(root, page);
    let translated = translate(
        &Source {
            name: &name,
            text: &text,
        },
        &library,
        &options(root),
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

/// As the sources of the system directory are translated; outside of one as those of a new one.
fn options(root: &Path) -> Options {
    match system::open(root) {
        Ok((mut system, _)) => {
            let order = collating::seen(&system);
            collating::compile_for(&mut system, order);
            system.translation
        }
        Err(_) => Options {
            ebcdic_order: true,
            hex_literals: HexLiterals::Ebcdic,
            ..Options::default()
        },
    }
}

/// The system directory, also when its copy folder was given.
fn root_of(path: &Path) -> &Path {
    match path.file_name().and_then(|n| n.to_str()) {
        Some("copy" | "cpy") => path.parent().unwrap_or(path),
        _ => path,
    }
}
