//! `transom copybook`: data seen through a copybook.

use super::output::{findings, print};
use crate::system::{Finding, read_text};
use clap::{Args, Subcommand, ValueEnum};
use std::io::Write;
use std::path::{Path, PathBuf};
use transom_copybook::convert::{Decoder, Encoder};
use transom_copybook::layout::report;
use transom_copybook::shape::{
    CharVarying, Characters, LayoutOptions, Properties, RecordFormat, Redefinition, Shape,
};
use transom_copybook::{CodePage, Layout, ParseOptions, Profile, parse};
use transom_messages as messages;

#[derive(Debug, Subcommand)]
pub(crate) enum CopybookCommand {
    /// Print offsets, lengths and types of all fields
    Layout {
        #[command(flatten)]
        book: Book,
    },
    /// Print records of a file as JSON lines
    #[command(after_help = "Example:
  transom copybook decode CUSTREC.cpy data.bin --ccsid 37 --records 10")]
    Decode {
        #[command(flatten)]
        book: Book,
        /// File with records of fixed length
        data: PathBuf,
        /// Length of a record; default: the copybook's
        #[arg(long)]
        length: Option<usize>,
        /// Most records printed
        #[arg(long, default_value_t = usize::MAX)]
        records: usize,
    },
    /// Write JSON lines as records
    Encode {
        #[command(flatten)]
        book: Book,
        /// File with one JSON object per line
        json: PathBuf,
        /// File for the records
        #[arg(short, long)]
        output: PathBuf,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Book {
    /// The copybook
    copybook: PathBuf,
    /// Whose data: the mainframe's, or that of programs inside a region
    #[arg(long, value_enum, default_value_t = Side::Host)]
    side: Side,
    /// Code page of characters: a CCSID number; default 37 (host), 819 (region)
    #[arg(long)]
    ccsid: Option<u16>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Side {
    /// EBCDIC, big-endian, hexadecimal floats
    Host,
    /// ISO 8859-1, as GnuCOBOL lays data out
    Region,
}

impl Book {
    fn format(&self) -> Result<RecordFormat, String> {
        let mut format = match self.side {
            Side::Host => RecordFormat::host(37),
            Side::Region => RecordFormat::region(),
        };
        if let Some(ccsid) = self.ccsid {
            CodePage::by_ccsid(u32::from(ccsid))
                .ok_or_else(|| messages::si::ccsid_unknown(ccsid).to_string())?;
            format.ccsid = ccsid;
        }
        Ok(format)
    }

    fn layout(&self) -> Result<Layout, String> {
        let text = read_text(&self.copybook)?;
        let name = self.copybook.display();
        let (book, problems) = parse(&text, &ParseOptions::default());
        let list: Vec<Finding> = problems
            .iter()
            .map(|p| Finding {
                is_error: p.is_error(),
                text: format!("{name}:{}", p.place_first()),
            })
            .collect();
        if findings(&list) > 0 {
            return Err(format!("{name} cannot be used"));
        }
        let profile = match self.side {
            Side::Host => Profile::Host,
            Side::Region => Profile::Native,
        };
        Layout::new(&book, profile).map_err(|p| format!("{name}:{}", p.place_first()))
    }
}

pub(crate) fn run(command: &CopybookCommand) -> Result<(), String> {
    match command {
        CopybookCommand::Layout { book } => {
            print(&report(&book.layout()?));
            Ok(())
        }
        CopybookCommand::Decode {
            book,
            data,
            length,
            records,
        } => decode(book, data, *length, *records),
        CopybookCommand::Encode { book, json, output } => encode(book, json, output),
    }
}

fn decode(book: &Book, data: &Path, length: Option<usize>, records: usize) -> Result<(), String> {
    let layout = book.layout()?;
    let decoder = Decoder::compile(&shape(&layout)?, &properties(), &book.format()?)
        .map_err(|p| p.place_first().to_string())?;
    let bytes =
        std::fs::read(data).map_err(|e| messages::si::not_read(data.display(), &e).to_string())?;
    let length = length.unwrap_or(layout.max_bytes).max(1);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut line = Vec::new();
    for (i, record) in bytes.chunks(length).take(records).enumerate() {
        line.clear();
        decoder.decode(record, &mut line).map_err(|e| {
            format!(
                "{}: record {} at byte {}: {e}",
                data.display(),
                i + 1,
                i * length
            )
        })?;
        line.push(b'\n');
        if out.write_all(&line).is_err() {
            break;
        }
    }
    // A closed pipe ends the output, nothing else.
    let _flushed = out.flush();
    Ok(())
}

fn encode(book: &Book, json: &Path, output: &Path) -> Result<(), String> {
    let layout = book.layout()?;
    let encoder = Encoder::compile(&shape(&layout)?, &properties(), &book.format()?)
        .map_err(|p| p.place_first().to_string())?;
    let text =
        std::fs::read(json).map_err(|e| messages::si::not_read(json.display(), &e).to_string())?;
    let mut records = Vec::new();
    for (i, line) in text
        .split(|b| *b == b'\n')
        .enumerate()
        .filter(|(_, l)| !l.trim_ascii().is_empty())
    {
        encoder
            .encode(line, &[], &mut records)
            .map_err(|e| format!("{}:{}: {e}", json.display(), i + 1))?;
    }
    std::fs::write(output, records)
        .map_err(|e| messages::si::not_written(output.display(), &e).to_string())
}

/// Every field under its COBOL name; all redefinitions side by side.
fn shape(layout: &Layout) -> Result<Shape, String> {
    let names: Vec<String> = layout.ids().map(|id| layout[id].name.clone()).collect();
    let options = LayoutOptions {
        names: &names,
        include: &|_| true,
        redefines: &|_| Redefinition::All,
        wrap_simple_arrays: false,
        characters: Characters::Text(CharVarying::Collapse),
        values: false,
    };
    Shape::from_layout(layout, None, &options).map_err(|p| p.place_first().to_string())
}

/// Records are shown even where a field holds no valid number.
fn properties() -> Properties {
    Properties {
        data_screening: false,
        data_truncation: true,
        initialize_input_fields: true,
        ..Properties::default()
    }
}
