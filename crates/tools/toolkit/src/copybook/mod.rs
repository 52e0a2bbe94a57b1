//! `transom copybook`: data seen through a copybook, and made of what was seen.
//!
//! Not here: conversions (`formats/copybook`), records of a file (`files`).

mod files;

use crate::output::Output;
use clap::{Args, Subcommand, ValueEnum};
use files::{Form, Reader, Record, Written};
use std::io::Write;
use std::path::{Path, PathBuf};
use transom_copybook::convert::{Lossless, Shown};
use transom_copybook::layout::report;
use transom_copybook::naming::cobol_names;
use transom_copybook::shape::{
    CharVarying, Characters, LayoutOptions, RecordFormat, Redefinition, Shape,
};
use transom_copybook::{CodePage, Layout, ParseOptions, Profile, parse};
use transom_messages as messages;
use transom_system::{Finding, page as page_of, read_source};

/// `transom copybook`.
#[derive(Debug, Subcommand)]
pub enum CopybookCommand {
    /// Print offsets, lengths and types of all fields
    Layout {
        #[command(flatten)]
        book: Book,
    },
    /// Print records of a file as JSON lines
    #[command(after_help = "Example:
  transom copybook decode CUSTREC.cpy data.bin --ccsid 37 --records 10
  transom copybook decode ORDERS.cpy orders.vb --format variable --strict")]
    Decode {
        #[command(flatten)]
        book: Book,
        /// File with records
        data: PathBuf,
        #[command(flatten)]
        form: Form,
        /// Most records printed
        #[arg(long, default_value_t = usize::MAX)]
        records: usize,
        /// End at the first value that is none of its item, and at a last record that is cut off
        #[arg(long)]
        strict: bool,
    },
    /// Write JSON lines as records: the bytes they were decoded from, with what was changed
    Encode {
        #[command(flatten)]
        book: Book,
        #[command(flatten)]
        form: Form,
        /// File with one JSON object per line
        json: PathBuf,
        /// File for the records
        #[arg(short, long)]
        output: PathBuf,
    },
}

/// A copybook and whose data it describes.
#[derive(Debug, Args)]
pub struct Book {
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

    fn layout(&self, out: Output) -> Result<Layout, String> {
        let name = self.copybook.display();
        let page = CodePage::by_ccsid(self.ccsid.map_or(37, u32::from));
        let page = page
            .filter(|p| p.ebcdic)
            .unwrap_or_else(|| page_of("IBM-037"));
        let (text, notice) = read_source(&self.copybook, &name.to_string(), page)?;
        out.findings(notice.as_slice());
        let (book, problems) = parse(&text, &ParseOptions::default());
        let list: Vec<Finding> = problems
            .iter()
            .map(|p| Finding {
                is_error: p.is_error(),
                text: format!("{name}:{}", p.place_first()),
            })
            .collect();
        if out.findings(&list) > 0 {
            return Err(format!("{name} cannot be used"));
        }
        let profile = match self.side {
            Side::Host => Profile::Host,
            Side::Region => Profile::Native,
        };
        Layout::new(&book, profile).map_err(|p| format!("{name}:{}", p.place_first()))
    }

    /// Every field under its COBOL name; all redefinitions side by side.
    fn lossless(&self, out: Output) -> Result<Lossless, String> {
        let layout = self.layout(out)?;
        let options = LayoutOptions {
            names: &cobol_names(&layout),
            include: &|_| true,
            redefines: &|_| Redefinition::All,
            wrap_simple_arrays: false,
            characters: Characters::Text(CharVarying::Collapse),
            values: false,
        };
        let format = self.format()?;
        let lossless = Shape::from_layout(&layout, None, &options)
            .and_then(|shape| Lossless::compile(shape, &format))
            .map_err(|p| p.place_first().to_string())?;
        let name = self.copybook.display();
        let notes: Vec<Finding> = lossless
            .notes()
            .iter()
            .map(|note| Finding {
                is_error: false,
                text: format!("{name}: {note}"),
            })
            .collect();
        out.findings(&notes);
        Ok(lossless)
    }
}

/// Runs one of them.
///
/// # Errors
/// What is wrong with a file, as a text.
pub fn run(command: &CopybookCommand, out: Output) -> Result<(), String> {
    match command {
        CopybookCommand::Layout { book } => {
            out.print(&report(&book.layout(out)?));
            Ok(())
        }
        CopybookCommand::Decode {
            book,
            data,
            form,
            records,
            strict,
        } => decode(book, form, (data, *records, *strict), out),
        CopybookCommand::Encode {
            book,
            form,
            json,
            output,
        } => encode(book, form, (json, output), out),
    }
}

fn decode(
    book: &Book,
    form: &Form,
    (data, most, strict): (&Path, usize, bool),
    told: Output,
) -> Result<(), String> {
    let lossless = book.lossless(told)?;
    let bytes =
        std::fs::read(data).map_err(|e| messages::si::not_read(data.display(), &e).to_string())?;
    let records = form.records(&lossless)?;
    let mut reader = Reader::new(records, &bytes);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut line = Vec::new();
    let mut noticed = Noticed::new(data, strict);
    if let Some(length) = form.guessed(&lossless) {
        let guessed = messages::cb::taken_as_fixed(data.display(), length);
        noticed.lines.push(guessed.to_string());
    }
    for number in 1..=most {
        let next = reader.next(&lossless);
        let Some(record) = next.map_err(|e| format!("{}: {e}", data.display()))? else {
            break;
        };
        line.clear();
        let shown = lossless.decode(&record.bytes, records.filled(), &mut line);
        noticed.record(number, &record, &shown)?;
        line.push(b'\n');
        if out.write_all(&line).is_err() {
            break;
        }
    }
    // A closed pipe ends the output, nothing else.
    let _flushed = out.flush();
    noticed.tell(told);
    Ok(())
}

fn encode(
    book: &Book,
    form: &Form,
    (json, output): (&Path, &Path),
    out: Output,
) -> Result<(), String> {
    let lossless = book.lossless(out)?;
    let text =
        std::fs::read(json).map_err(|e| messages::si::not_read(json.display(), &e).to_string())?;
    let mut file = Written::new(form.records(&lossless)?);
    let mut record = Vec::new();
    for (i, line) in text
        .split(|b| *b == b'\n')
        .enumerate()
        .filter(|(_, l)| !l.trim_ascii().is_empty())
    {
        record.clear();
        let placed = |why: String| format!("{}:{}: {why}", json.display(), i + 1);
        let cut = lossless
            .encode(line, &mut record)
            .map_err(|e| placed(e.to_string()))?;
        file.write(&record, cut).map_err(placed)?;
    }
    std::fs::write(output, file.finish())
        .map_err(|e| messages::si::not_written(output.display(), &e).to_string())
}

/// Values that are none of their item.
struct Noticed<'a> {
    file: &'a Path,
    strict: bool,
    values: usize,
    records: usize,
    lines: Vec<String>,
}

/// Values told one by one.
const TOLD: usize = 10;

impl<'a> Noticed<'a> {
    fn new(file: &'a Path, strict: bool) -> Self {
        Self {
            file,
            strict,
            values: 0,
            records: 0,
            lines: Vec::new(),
        }
    }

    /// An error if nothing may be wrong.
    fn record(&mut self, number: usize, record: &Record<'_>, shown: &Shown) -> Result<(), String> {
        let place = format!(
            "{}: record {number} at byte {}",
            self.file.display(),
            record.at
        );
        if let Some(expected) = record.expected {
            let found = record.bytes.len();
            let short = messages::cb::last_record_short(self.file.display(), found, expected);
            self.line(short.to_string())?;
        }
        for error in &shown.invalid {
            self.values += 1;
            if self.values <= TOLD || self.strict {
                self.line(format!("{place}: {error}"))?;
            }
        }
        self.records += usize::from(!shown.invalid.is_empty());
        Ok(())
    }

    fn line(&mut self, line: String) -> Result<(), String> {
        if self.strict {
            return Err(line);
        }
        self.lines.push(line);
        Ok(())
    }

    fn tell(&mut self, out: Output) {
        if self.values > 0 {
            let file = self.file.display();
            let marked = messages::cb::values_marked(file, self.values, self.records);
            self.lines.push(marked.to_string());
        }
        let told = |text| Finding {
            is_error: false,
            text,
        };
        out.findings(&self.lines.drain(..).map(told).collect::<Vec<_>>());
    }
}
