//! Storage of a dump by the names of the source.
//!
//! What: areas have the numbers that the compiler gave them, and what it left in
//! `.transom/generated` has their names and the items inside. Why here and not where dumps are
//! written: a task that fails reads no sources. A wrong name is worse than none: a program compiled
//! after the dump has none, nor has a record whose items do not fill it. Not here: what a dump has
//! (`areas`), whose name an area has (`compiled`).

use crate::areas::areas;
use crate::compiled::Compiled;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::SystemTime;
use transom_copybook::convert::number_in;
use transom_copybook::shape::RecordFormat;
use transom_copybook::{Field, FieldId, FieldKind, Layout};

/// Items that are shown of a dump.
const ITEMS_MAX: usize = 5_000;
/// Bytes of a value that are shown.
const VALUE_BYTES_MAX: usize = 60;

/// The items of the dump, taken at that time; empty where nothing has names.
pub(crate) fn by_name(dir: &Path, dump: &str, taken: SystemTime) -> String {
    let mut out = String::new();
    let mut left = ITEMS_MAX;
    let mut compiled = BTreeMap::new();
    for area in areas(dump) {
        let program = &area.program;
        let compiled = compiled
            .entry(program.clone())
            .or_insert_with(|| Compiled::of(dir, program, taken));
        let named = compiled.as_ref().map_or_else(Vec::new, |c| c.items(&area));
        for one in named {
            let bytes = area.bytes.get(one.at..).unwrap_or_default();
            let bytes = bytes.get(..one.bytes).unwrap_or(bytes);
            if out.is_empty() {
                out += "\nSTORAGE by name\n  OFFSET LENGTH  ITEM\n";
            }
            let _ = writeln!(out, "01 {} of {program}, {} bytes", one.name, bytes.len());
            let Some((layout, root)) = one.items else {
                left = left.saturating_sub(1);
                put_line(&mut out, 0, bytes.len(), "", &characters(bytes));
                continue;
            };
            let mut items = Items {
                layout,
                bytes,
                left,
                out: &mut out,
            };
            items.put(root, 0, &mut Vec::new());
            left = items.left;
            if layout[root].extent() > bytes.len() {
                out += "  and more, which is not in the dump\n";
            }
        }
        if left == 0 {
            out += "  and more, which are in the areas above\n";
            break;
        }
    }
    out
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

LOCAL-STORAGE of BILL  32 bytes
  0000000000003000 000000  00000007 00000000 00000000 00000000  *................*
  0000000000003010 000010  4C4F4341 4C000000 00000000 00000000  *LOCAL...........*

STORAGE at parameter 24 of BILL  4 bytes
  0000000000004000 000000  39394100                             *99A.*

STORAGE at parameter 26 of BILL  4 bytes
  0000000000004000 000000  39394100                             *99A.*

STORAGE at record 25 of BILL  6 bytes
  0000000000005000 000000  50415254 0102                        *PART..*

STORAGE at record 14 of BILL  6 bytes
  0000000000005000 000000  50415254 0102                        *PART..*

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
       LOCAL-STORAGE SECTION.
       77  TIMES PIC S9(8) COMP.
       01  NOTE PIC X(5).
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(2).
       01  RATE PIC 99.
       01  MOVED PIC X(4).
       01  BLOCK.
           05 BLOCK-NAME PIC X(4).
           05 BLOCK-SIZE PIC S9(4) COMP.
           05 BLOCK-TEXT PIC X(100).
#line 30 \"cobol/BILL.cbl\"
       PROCEDURE DIVISION USING DFHCOMMAREA RATE
#line 31 \"cobol/BILL.cbl\"
           BY REFERENCE MOVED.
           SET ADDRESS OF MOVED TO NULL.
           SET ADDRESS OF BLOCK TO NULL.
";
    const PARAMETERS: &str = "\
static cob_u8_t\t\t\t*cob_parm_23 = NULL;
static cob_u8_t\t\t\t*cob_parm_24 = NULL;
static cob_u8_t\t\t\t*cob_parm_26 = NULL;
";
    const RECORDS: &str = "\
static cob_u8_t\tb_10[14] __attribute__((aligned));\t/* THE-ORDER */
static cob_u8_t\tb_14[2] __attribute__((aligned));\t/* COUNTED */
static unsigned char\t*b_25 = NULL;  /* BLOCK */
";

    #[test]
    fn items_have_their_values_and_a_program_that_was_compiled_since_has_none() {
        let folder = tempfile::tempdir().unwrap();
        let generated = folder.path().join(".transom/generated");
        std::fs::create_dir_all(&generated).unwrap();
        std::fs::write(generated.join("BILL.cob"), COBOL).unwrap();
        std::fs::write(generated.join("BILL.c.l.h"), RECORDS).unwrap();
        std::fs::write(generated.join("BILL.c.h"), PARAMETERS).unwrap();
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
            "01 TIMES of BILL, 4 bytes",
            "0 4 TIMES 7",
            "01 NOTE of BILL, 5 bytes",
            "0 5 NOTE 'LOCAL'",
            // That RATE is shown but not MOVED: the program may have moved it.
            "01 RATE of BILL, 2 bytes",
            "0 2 RATE 99",
            "01 BLOCK of BILL, 6 bytes",
            "0 4 BLOCK-NAME 'PART'",
            "4 2 BLOCK-SIZE 258",
            "and more, which is not in the dump",
        ];
        assert_eq!(lines, expected);
        let before = SystemTime::now() - Duration::from_secs(3_600);
        assert_eq!(by_name(folder.path(), &dump, before), "");
        assert_eq!(by_name(folder.path(), "no dump", later), "");
    }
}
