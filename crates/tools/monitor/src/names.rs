//! Storage of a dump by the names of the source.
//!
//! What: records of WORKING-STORAGE have the numbers that the compiler gave them. What it left in
//! `.transom/generated` has their names, the translated source the items inside, also those of
//! DFHCOMMAREA. Why here and not where dumps are written: a task that fails reads no sources. A
//! wrong name is worse than none: a program compiled after the dump has none, nor has a record
//! whose items do not fill it. Not here: what a dump has.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use transom_copybook::convert::number_in;
use transom_copybook::shape::RecordFormat;
use transom_copybook::{Field, FieldId, FieldKind, Layout, ParseOptions, Profile, SourceFormat};

/// Items that are shown of a dump.
const ITEMS_MAX: usize = 5_000;
/// Bytes of a value that are shown.
const VALUE_BYTES_MAX: usize = 60;
const WORKING: &str = "WORKING-STORAGE of ";
const COMMAREA: &str = "COMMAREA of level ";

/// An area of the dump that a program has a name for.
#[derive(Debug, PartialEq, Eq)]
struct Stored {
    program: String,
    /// Number of the record; `None`: the COMMAREA.
    record: Option<u32>,
    length: usize,
    bytes: Vec<u8>,
}

/// The items of the dump, taken at that time; empty where nothing has names.
pub(crate) fn by_name(dir: &Path, dump: &str, taken: SystemTime) -> String {
    let mut out = String::new();
    let mut left = ITEMS_MAX;
    let mut sources = BTreeMap::new();
    for area in areas(dump) {
        let source = sources
            .entry(area.program.clone())
            .or_insert_with(|| Source::of(dir, &area.program, taken));
        let Some((layout, name)) = source.as_ref().and_then(|source| source.record(&area)) else {
            continue;
        };
        if out.is_empty() {
            out += "\nSTORAGE by name\n  OFFSET LENGTH  ITEM\n";
        }
        let _ = writeln!(
            out,
            "01 {name} of {}, {} bytes",
            area.program,
            area.bytes.len()
        );
        let root = layout.and_then(|layout| Some((layout, root(layout, &name, &area)?)));
        if let Some((layout, root)) = root {
            let mut items = Items {
                layout,
                bytes: &area.bytes,
                left,
                out: &mut out,
            };
            items.put(root, 0, &mut Vec::new());
            left = items.left;
        } else {
            left = left.saturating_sub(1);
            put_line(&mut out, 0, area.bytes.len(), "", &characters(&area.bytes));
        }
        if left == 0 {
            out += "  and more, which are in the areas above\n";
            break;
        }
    }
    out
}

/// Areas of a dump that are somebody's records.
fn areas(dump: &str) -> Vec<Stored> {
    let mut found = Vec::new();
    let mut lines = dump.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(mut area) = heading(line) else {
            continue;
        };
        while let Some(row) = lines.next_if(|row| row.starts_with("  ")) {
            let groups = row.split_whitespace().skip(2).take(4);
            for group in groups.take_while(|group| !group.starts_with('*')) {
                let pairs = group.as_bytes().chunks_exact(2);
                let byte = |pair: &[u8]| {
                    let pair = std::str::from_utf8(pair).ok()?;
                    u8::from_str_radix(pair, 16).ok()
                };
                area.bytes.extend(pairs.map_while(byte));
            }
        }
        // What is only there in part has no items.
        if area.bytes.len() == area.length {
            found.push(area);
        }
    }
    found
}

/// `WORKING-STORAGE of PAY, record 9  30 bytes` or `COMMAREA of level 0 (PAY)  60 bytes`.
fn heading(line: &str) -> Option<Stored> {
    let (front, bytes) = line.strip_suffix(" bytes")?.rsplit_once("  ")?;
    let (program, record) = match front.strip_prefix(WORKING) {
        Some(rest) => {
            let (program, number) = rest.split_once(", record ")?;
            (program, Some(number.parse().ok()?))
        }
        None => {
            let (_, rest) = front.strip_prefix(COMMAREA)?.split_once(" (")?;
            (rest.strip_suffix(')')?, None)
        }
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "$@#-_".contains(c);
    program.chars().all(plain).then(|| Stored {
        program: program.to_owned(),
        record,
        length: bytes.parse().unwrap_or(usize::MAX),
        bytes: Vec::new(),
    })
}

/// What the compiler left of a program.
struct Source {
    /// Declarations of records.
    records: String,
    /// `None`: the section cannot be read.
    working_storage: Option<Layout>,
    linkage: Option<Layout>,
}

impl Source {
    /// `None`: it is not there, or was made after the dump.
    fn of(dir: &Path, program: &str, taken: SystemTime) -> Option<Self> {
        let file = |ending: &str| -> PathBuf {
            let folder = dir.join(".transom/generated");
            folder.join(format!("{program}.{ending}"))
        };
        let read = |path: PathBuf| -> Option<String> {
            let made = path.metadata().ok()?.modified().ok()?;
            let bytes = std::fs::read(&path).ok().filter(|_| made <= taken)?;
            Some(bytes.iter().map(|byte| char::from(*byte)).collect())
        };
        let text = read(file("cob"))?;
        Some(Self {
            records: read(file("c.l.h"))?,
            working_storage: layout(&text, "WORKING-STORAGE SECTION"),
            linkage: layout(&text, "LINKAGE SECTION"),
        })
    }

    /// Section and name of an area; `None`: the compiler has no such record.
    fn record(&self, area: &Stored) -> Option<(Option<&Layout>, String)> {
        let Some(number) = area.record else {
            return Some((self.linkage.as_ref(), "DFHCOMMAREA".to_owned()));
        };
        let declared = format!("b_{number}[{}]", area.length);
        let mut lines = self.records.lines();
        let line = lines.find(|line| line.split_whitespace().any(|word| word == declared))?;
        let (_, name) = line.split_once("/* ")?;
        let name = name.split_whitespace().next()?;
        Some((self.working_storage.as_ref(), name.to_owned()))
    }
}

/// The records of a section of a translated source.
fn layout(source: &str, section: &str) -> Option<Layout> {
    let begins = |line: &str, word: &str| {
        let front = line.trim_start().get(..word.len());
        front.is_some_and(|front| front.eq_ignore_ascii_case(word))
    };
    let is_end = |line: &&str| {
        let ends = [
            "LINKAGE SECTION",
            "LOCAL-STORAGE SECTION",
            "PROCEDURE DIVISION",
        ];
        ends.iter().any(|word| begins(line, word))
    };
    let lines = source.lines();
    let behind = lines.skip_while(|line| !begins(line, section));
    let inside = behind.skip(1).take_while(|line| !is_end(line));
    let text: Vec<&str> = inside.filter(|line| !line.starts_with('#')).collect();
    let options = ParseOptions {
        format: SourceFormat::Free,
        ..ParseOptions::default()
    };
    let (book, _) = transom_copybook::parse(&text.join("\n"), &options);
    Layout::new(&book, Profile::Native).ok()
}

/// The record of this name and length, if it is the only one and its items stay where they are.
fn root(layout: &Layout, name: &str, area: &Stored) -> Option<FieldId> {
    let named = |id: &&FieldId| layout[**id].name.eq_ignore_ascii_case(name);
    let mut found = layout.roots.iter().filter(named);
    let id = *found.next()?;
    let is_only = found.next().is_none();
    let extent = layout[id].extent();
    // A COMMAREA may be longer than what the program has of it.
    let fits = match area.record {
        Some(_) => extent == area.length,
        None => extent <= area.length,
    };
    (is_only && fits && !slides(layout, id)).then_some(id)
}

/// Whether a table of varying length moves the item or one below it.
fn slides(layout: &Layout, id: FieldId) -> bool {
    let field = &layout[id];
    field.slides || field.children.iter().any(|child| slides(layout, *child))
}

/// Items on their way out.
struct Items<'a> {
    layout: &'a Layout,
    bytes: &'a [u8],
    left: usize,
    out: &'a mut String,
}

impl Items<'_> {
    /// An item and what is below it; `moved`: bytes to this occurrence.
    fn put(&mut self, id: FieldId, moved: usize, subscripts: &mut Vec<u32>) {
        let layout = self.layout;
        let field = &layout[id];
        let Some(occurs) = &field.occurs else {
            return self.one(field, moved, subscripts);
        };
        for number in 0..occurs.max {
            if self.left == 0 {
                return;
            }
            subscripts.push(number + 1);
            let moved = moved + number as usize * occurs.stride;
            self.one(field, moved, subscripts);
            subscripts.pop();
        }
    }

    fn one(&mut self, field: &Field, moved: usize, subscripts: &mut Vec<u32>) {
        if !field.children.is_empty() {
            for child in &field.children {
                // The first description of storage is enough.
                if self.layout[*child].redefines.is_none() {
                    self.put(*child, moved, subscripts);
                }
            }
            return;
        }
        let at = field.offset + moved;
        let Some(bytes) = self.bytes.get(at..at + field.len) else {
            return;
        };
        let Some(left) = self.left.checked_sub(1) else {
            return;
        };
        self.left = left;
        let mut name = match field.name.as_str() {
            "" => "FILLER".to_owned(),
            name => name.to_owned(),
        };
        if !subscripts.is_empty() {
            let all: Vec<String> = subscripts.iter().map(u32::to_string).collect();
            let _ = write!(name, "({})", all.join(","));
        }
        put_line(self.out, at, field.len, &name, &value(&field.kind, bytes));
    }
}

fn put_line(out: &mut String, at: usize, length: usize, name: &str, value: &str) {
    let _ = writeln!(out, "  {at:6} {length:6}  {name:32} {value}");
}

/// What an item says.
fn value(kind: &FieldKind, bytes: &[u8]) -> String {
    match number_in(kind, bytes, &RecordFormat::region()) {
        Some(Ok(number)) => number,
        Some(Err(_)) => format!("{} is no number", hex(bytes)),
        None => match kind {
            FieldKind::National { .. } | FieldKind::Pointer | FieldKind::Index => hex(bytes),
            _ => characters(bytes),
        },
    }
}

/// A text in quotation marks, or hexadecimal where it has other characters.
fn characters(bytes: &[u8]) -> String {
    if bytes.iter().all(|byte| *byte == b' ') {
        return "SPACES".to_owned();
    }
    if bytes.iter().all(|byte| *byte == 0) {
        return "LOW-VALUES".to_owned();
    }
    let is_text = |byte: &u8| matches!(*byte, 0x20..=0x7E | 0xA0..=0xFF);
    if !bytes.iter().all(is_text) {
        return hex(bytes);
    }
    let shown = bytes.iter().take(VALUE_BYTES_MAX);
    let text: String = shown.map(|byte| char::from(*byte)).collect();
    let more = if bytes.len() > VALUE_BYTES_MAX {
        "..."
    } else {
        ""
    };
    format!("'{text}'{more}")
}

fn hex(bytes: &[u8]) -> String {
    let shown = bytes.iter().take(VALUE_BYTES_MAX / 2);
    let digits: String = shown.map(|byte| format!("{byte:02X}")).collect();
    let more = if bytes.len() > VALUE_BYTES_MAX / 2 {
        "..."
    } else {
        ""
    };
    format!("X'{digits}'{more}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const DUMP: &str = "\
COMMAREA of level 0 (BILL)  3 bytes
  0000000000002000 000000  41424300                             *ABC*

WORKING-STORAGE of BILL, record 10  14 bytes
  0000000000001000 000000  4E555453 125C4E41 494C2020 2020      *NUTS.\\NAIL    *

WORKING-STORAGE of BILL, record 14  2 bytes
  0000000000001100 000000  FFFE                                 *..*

";
    const COBOL: &str = "\
       Working-Storage Section.
       01  THE-ORDER.
#line 2 \"cobol/BILL.cbl\"
           05 ORDER-LINE OCCURS 2.
              10 ITEM-CODE  PIC X(4).
              10 ITEM-PRICE PIC S9V99 COMP-3.
           05 LAST-ONE PIC XX.
       01  COUNTED PIC S9(4) COMP.
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(2).
       PROCEDURE DIVISION.
";
    const RECORDS: &str = "\
static cob_u8_t\tb_10[14] __attribute__((aligned));\t/* THE-ORDER */
static cob_u8_t\tb_14[2] __attribute__((aligned));\t/* COUNTED */
";

    #[test]
    fn items_have_their_values_and_a_program_that_was_compiled_since_has_none() {
        let folder = tempfile::tempdir().unwrap();
        let generated = folder.path().join(".transom/generated");
        std::fs::create_dir_all(&generated).unwrap();
        std::fs::write(generated.join("BILL.cob"), COBOL).unwrap();
        std::fs::write(generated.join("BILL.c.l.h"), RECORDS).unwrap();
        let later = SystemTime::now() + Duration::from_secs(5);
        let dump = DUMP.replace("41424300", "414243  ");
        let shown = by_name(folder.path(), &dump, later);
        let lines: Vec<String> = shown
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        let expected = [
            "",
            "STORAGE by name",
            "OFFSET LENGTH ITEM",
            "01 DFHCOMMAREA of BILL, 3 bytes",
            "0 2 DFHCOMMAREA 'AB'",
            "01 THE-ORDER of BILL, 14 bytes",
            "0 4 ITEM-CODE(1) 'NUTS'",
            "4 2 ITEM-PRICE(1) 1.25",
            "6 4 ITEM-CODE(2) 'NAIL'",
            "10 2 ITEM-PRICE(2) X'2020' is no number",
            "12 2 LAST-ONE SPACES",
            "01 COUNTED of BILL, 2 bytes",
            "0 2 COUNTED -2",
        ];
        assert_eq!(lines, expected);
        let before = SystemTime::now() - Duration::from_secs(3_600);
        assert_eq!(by_name(folder.path(), &dump, before), "");
        assert_eq!(by_name(folder.path(), "no dump", later), "");
    }
}
