//! Operands of the BMS macros: where they stand, what they take, what they do; and the page that
//! says so.
//!
//! Why: the reader takes what stands here and nothing else, so the page is what a source may have.
//! Not here: reading values (`read`).

use std::fmt::Write as _;
use transom_messages as messages;

/// Macros of a row.
pub(crate) const MAPSET: u8 = 1;
pub(crate) const MAP: u8 = 2;
pub(crate) const FIELD: u8 = 4;
const ALL: u8 = MAPSET | MAP | FIELD;

/// What becomes of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    Acts,
    /// Taken, and nothing depends on it.
    Taken,
    /// Told by a warning, and left out.
    Told,
}

use Effect::{Acts, Taken, Told};

/// Name, macros, values, effect, meaning, an example.
type Row = (
    &'static str,
    u8,
    &'static str,
    Effect,
    &'static str,
    &'static str,
);

#[rustfmt::skip]
const OPERANDS: &[Row] = &[
    ("TYPE", MAPSET, "`&SYSPARM` `MAP` `DSECT` `FINAL`", Acts, "Begins a mapset; FINAL ends it. Map and copybook are always made both.", "&SYSPARM"),
    ("LANG", MAPSET, "`COBOL` `COBOL2` `COBOL3` `PLI` `C` `ASM`", Acts, "A copybook is made for COBOL only.", "COBOL"),
    ("STORAGE", MAPSET, "`AUTO`", Acts, "Maps of the copybook do not lie over each other; implies TIOAPFX=YES.", "AUTO"),
    ("BASE", MAPSET, "name", Acts, "The copybook redefines this area.", "AREA"),
    ("SUFFIX", MAPSET, "letter or digit", Acts, "Last character of the name of the physical mapset.", "A"),
    ("TERM", MAPSET | MAP, "type of terminal", Taken, "The name under which a mapset is installed decides its terminals.", "3270-2"),
    ("FOLD", MAPSET, "`LOWER` `UPPER`", Taken, "Of C alone.", "LOWER"),
    ("TRIGRAPH", MAPSET, "`YES`", Taken, "Of C alone.", "YES"),
    ("DSECT", MAPSET, "`ADS` `ADSL`", Taken, "Of assembler and C alone.", "ADS"),
    ("DATA", MAPSET | MAP, "`FIELD`; `BLOCK` is told", Acts, "Fields are placed by themselves. Block data are not made.", "FIELD"),
    ("PARTN", MAPSET | MAP, "partition", Told, "There are no partitions.", "P1"),
    ("LDC", MAPSET, "mnemonic", Told, "There are no logical device codes.", "L1"),
    ("OBFMT", MAPSET | MAP, "`YES` `NO`", Told, "There is no outboard formatting.", "YES"),
    ("HTAB", MAPSET, "tab stops", Told, "Printers have no tab stops.", "(5,10)"),
    ("VTAB", MAPSET, "tab stops", Told, "Printers have no tab stops.", "(5,10)"),
    ("FLDSEP", ALL, "character", Told, "Fields of text terminals are not separated.", "','"),
    ("SIZE", MAP, "`(lines,columns)`", Acts, "Without it 24 by 80.", "(24,80)"),
    ("LINE", MAP, "number `NEXT` `SAME`", Acts, "First line of the map.", "NEXT"),
    ("COLUMN", MAP, "number `NEXT` `SAME`", Acts, "First column of the map.", "1"),
    ("JUSTIFY", MAP, "`LEFT` `RIGHT` `FIRST` `LAST` `BOTTOM`", Acts, "Where a floating map goes.", "(LEFT,FIRST)"),
    ("HEADER", MAP, "`YES` `NO`", Acts, "May be sent at the top of a page that overflows.", "YES"),
    ("TRAILER", MAP, "`YES` `NO`", Acts, "Lines are kept for it at the bottom of pages.", "YES"),
    ("FIELDS", MAP, "`NO`", Taken, "A map without fields has none.", "NO"),
    ("MODE", MAPSET | MAP, "`OUT` `IN` `INOUT`", Acts, "Which structures the copybook has.", "INOUT"),
    ("TIOAPFX", MAPSET | MAP, "`YES` `NO`", Acts, "Twelve bytes in front of the symbolic map.", "YES"),
    ("CTRL", MAPSET | MAP, "`PRINT` `FREEKB` `ALARM` `FRSET` `L40` `L64` `L80` `HONEOM`", Acts, "What SEND MAP does without these options.", "(FREEKB,FRSET)"),
    ("CURSLOC", MAPSET | MAP, "`YES` `NO`", Acts, "RECEIVE MAP marks the field with the cursor (flag X'02').", "YES"),
    ("EXTATT", MAPSET | MAP, "`NO` `MAPONLY` `YES`", Acts, "The older way to say MAPATTS and DSATTS.", "YES"),
    ("MAPATTS", MAPSET | MAP, "`COLOR` `HILIGHT` `PS` `VALIDN` `OUTLINE` `SOSI` `TRANSP`", Acts, "Extended attributes of the physical map.", "(COLOR,HILIGHT)"),
    ("DSATTS", MAPSET | MAP, "as MAPATTS", Acts, "Extended attributes with an item of their own in the copybook.", "(COLOR)"),
    ("COLOR", ALL, "`DEFAULT` `BLUE` `RED` `PINK` `GREEN` `TURQUOISE` `YELLOW` `NEUTRAL`", Acts, "", "RED"),
    ("HILIGHT", ALL, "`OFF` `BLINK` `REVERSE` `UNDERLINE`", Acts, "", "BLINK"),
    ("PS", ALL, "`BASE`, letter, digit, `X'nn'`", Acts, "Character set.", "BASE"),
    ("VALIDN", ALL, "`MUSTFILL` `MUSTENTER` `TRIGGER` `USEREXIT`", Acts, "USEREXIT is taken and does nothing.", "MUSTFILL"),
    ("OUTLINE", ALL, "`BOX` `LEFT` `RIGHT` `OVER` `UNDER`", Acts, "", "BOX"),
    ("SOSI", ALL, "`YES` `NO`", Acts, "The field may have shift-out and shift-in.", "NO"),
    ("TRANSP", ALL, "`YES` `NO`", Acts, "", "NO"),
    ("POS", FIELD, "`(line,column)` or number", Acts, "Of the attribute byte. Without it the field follows the one before.", "(1,1)"),
    ("LENGTH", FIELD, "0 to 256", Acts, "Without the attribute byte.", "5"),
    ("ATTRB", FIELD, "`ASKIP` `PROT` `UNPROT` `NUM` `BRT` `NORM` `DRK` `DET` `IC` `FSET`", Acts, "Without it ASKIP and NORM.", "(UNPROT,IC)"),
    ("JUSTIFY", FIELD, "`LEFT` `RIGHT` `BLANK` `ZERO`", Acts, "How RECEIVE MAP fills the item; NUM implies RIGHT and ZERO.", "(RIGHT,ZERO)"),
    ("INITIAL", FIELD, "`'text'`", Acts, "Sent where the program gives nothing.", "'A'"),
    ("XINIT", FIELD, "hexadecimal digits", Acts, "The same in the code of the device.", "C1"),
    ("GINIT", FIELD, "`'text'`", Acts, "The same as INITIAL here.", "'A'"),
    ("PICIN", FIELD, "`'picture'`", Acts, "Picture of the item for input, of the same length.", "'X(5)'"),
    ("PICOUT", FIELD, "`'picture'`", Acts, "Picture of the item for output.", "'X(5)'"),
    ("OCCURS", FIELD, "number", Acts, "Fields side by side, a table in the copybook.", "2"),
    ("GRPNAME", FIELD, "name", Acts, "Fields under one item, with the attributes of the first.", "GROUP"),
    ("CASE", FIELD, "`MIXED`", Acts, "What is typed is not made upper case.", "MIXED"),
];

/// The macro has an operand of this name.
pub(crate) fn has(operation: &str, key: &str) -> bool {
    let of = match operation {
        "DFHMSD" => MAPSET,
        "DFHMDI" => MAP,
        _ => FIELD,
    };
    OPERANDS.iter().any(|row| row.0 == key && row.1 & of != 0)
}

/// `docs/reference/bms.md`.
pub fn macros_page() -> String {
    let (told, unknown) = (
        messages::bm::operand_without_effect("", ""),
        messages::bm::operand_unknown("", ""),
    );
    let (told, unknown) = (told.id(), unknown.id());
    let mut out = format!(
        "# BMS macros\n\nGenerated from the table of operands; do not edit.\n\nA source is DFHMSD, DFHMDI for each map, DFHMDF for each field, and DFHMSD TYPE=FINAL. Operands of DFHMSD that DFHMDI has,\n\
         too, hold for all its maps; those that DFHMDF has, for all fields. *Acts*: it works as in CICS. *Taken*: nothing depends on\n\
         it. *Told*: it is valid in CICS and is left out with {told}. What stands here under no macro is no operand ({unknown}).\n\n\
         ",
    );
    for (name, of, what) in [
        (
            "DFHMSD",
            MAPSET,
            "A mapset; its name is that of the physical mapset and the copybook.",
        ),
        (
            "DFHMDI",
            MAP,
            "A map of the mapset, its name of up to 7 characters.",
        ),
        (
            "DFHMDF",
            FIELD,
            "A field of the map; with a name it has items in the copybook (L, F, A, I, O and those of DSATTS).",
        ),
    ] {
        let _ = write!(
            out,
            "## {name}\n\n{what}\n\n| operand | values | effect | |\n| --- | --- | --- | --- |\n"
        );
        for (key, macros, values, effect, meaning, _) in OPERANDS {
            if macros & of != 0 {
                let effect = match effect {
                    Acts => "acts",
                    Taken => "taken",
                    Told => "told",
                };
                let _ = writeln!(out, "| `{key}` | {values} | {effect} | {meaning} |");
            }
        }
        out.push('\n');
    }
    let (cells, fields, maps) = (crate::MAX_CELLS, crate::MAX_FIELDS, crate::MAX_MAPS);
    let _ = write!(
        out,
        "## Bounds\n\nA map has at most {cells} cells, {fields} fields, occurrences counted; a mapset {maps} maps.\n"
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    /// Problems of an operand in its place.
    fn told(of: u8, key: &str, value: &str) -> Vec<String> {
        let operand = format!("{key}={value}");
        let line = |name: &str, operation: &str, own: &str, is: bool| {
            let more = if is {
                format!(",{operand}")
            } else {
                String::new()
            };
            format!("{name:8}{operation} {own}{more}\n")
        };
        // What is given here anyway cannot be given twice.
        let own = |text: &str| match text.starts_with(&format!("{key}=")) {
            true => String::from("COLOR=RED"),
            false => text.to_owned(),
        };
        let source = line("SET", "DFHMSD", &own("TYPE=&SYSPARM"), of == MAPSET)
            + &line("MAP", "DFHMDI", &own("SIZE=(24,80)"), of == MAP)
            + &line("FIELD", "DFHMDF", &own("LENGTH=5"), of == FIELD)
            + "        DFHMSD TYPE=FINAL\n";
        let found = read("a.bms", &source);
        let problems = found.problems.iter();
        problems.map(|problem| problem.words().to_owned()).collect()
    }

    #[test]
    fn the_reader_takes_what_the_table_has() {
        for (key, macros, _, effect, _, example) in OPERANDS {
            for of in [MAPSET, MAP, FIELD] {
                let said = told(of, key, example);
                let has = |words: &str| said.iter().any(|text| text.contains(words));
                let unknown = has("has no operand");
                let listed = OPERANDS.iter().any(|row| row.0 == *key && row.1 & of != 0);
                assert_eq!(unknown, !listed, "{key} of {of}: {said:?}");
                if macros & of != 0 {
                    let wrong = has("is not valid");
                    let left_out = has("has no effect here");
                    assert!(!wrong, "{key}={example} of {of}: {said:?}");
                    assert_eq!(left_out, *effect == Told, "{key} of {of}: {said:?}");
                }
            }
        }
    }
}
