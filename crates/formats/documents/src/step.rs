//! What a translated statement says, one CALL for each step.
//!
//! Why here: the translator writes it and workers read it. It goes through the same entry as an
//! EXEC CICS command, whose descriptor has the number of further arguments in byte 10.

use crate::parse::{Characters, Target};
use transom_language::language;

/// First bytes of a descriptor.
pub const MAGIC: [u8; 3] = [b'T', b'D', 1];
const LINE_AT: usize = 4;
const COUNT_AT: usize = 10;
const HEADER_BYTES: usize = 14;

language! {
    /// A step.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Step {
        /// JSON GENERATE begins: the item is a CCSID where that is handed over.
        1 = Json(characters: Characters),
        /// XML GENERATE begins.
        2 = Xml {
            /// UTF-8, else the characters of programs.
            utf8: bool,
            declaration: bool,
        },
        /// The item is the namespace.
        3 = Namespace,
        /// The item is its prefix.
        4 = Prefix,
        /// A group begins; no name: NAME OMITTED.
        5 = Open(name: String),
        /// It ends.
        6 = Close,
        /// A table begins; its occurrences follow as groups or items.
        7 = Table(name: String),
        /// It ends.
        8 = EndTable,
        /// The item.
        9 = Item {
            name: String,
            attribute: bool,
        },
        /// An item that says yes or no.
        10 = Truth {
            name: String,
            value: bool,
        },
        /// An item that SUPPRESS leaves out.
        11 = Skip,
        /// The items take the document and its length; the call answers the code.
        12 = End,
        /// JSON PARSE begins: the items are the text, and its CCSID where that is handed over.
        13 = JsonParse {
            characters: Characters,
            /// IGNORING JSON NULL FOR ALL.
            ignores_null: bool,
        },
        /// An item that it may fill.
        14 = Target(target: Target),
        /// The items take the occurrences of tables; the call answers the case.
        15 = NextValue,
        /// The items take characters and their number.
        16 = TakeText,
        /// The item takes the number.
        17 = TakeNumber,
        /// The item is how often the table occurs.
        18 = Occurrences,
        /// JSON PARSE ends: the item takes JSON-STATUS, the call answers JSON-CODE.
        19 = JsonStatus,
        /// XML PARSE begins: the items are the document, the number of the parse, and the CCSID
        /// where that is handed over.
        20 = XmlParse {
            characters: Characters,
            /// RETURNING NATIONAL.
            national: bool,
        },
        /// The items are the document, the number of the parse and the special registers, which
        /// take the next event; the call answers whether there is one.
        21 = NextEvent,
        /// An item that is null.
        22 = Null(name: String),
    }
}

/// The descriptor of a step with so many items, of a statement at this line.
pub fn descriptor(step: &Step, items: u8, line: u32) -> Vec<u8> {
    let mut out = vec![0; HEADER_BYTES];
    out[..MAGIC.len()].copy_from_slice(&MAGIC);
    out[LINE_AT..LINE_AT + 4].copy_from_slice(&line.to_be_bytes());
    out[COUNT_AT] = items;
    out.extend(step.encode());
    out
}

/// The line of a descriptor.
pub fn line_of(descriptor: &[u8]) -> u32 {
    let line = descriptor.get(LINE_AT..LINE_AT + 4);
    let line = line.and_then(|line| line.try_into().ok());
    line.map_or(0, u32::from_be_bytes)
}

/// The step of a descriptor.
pub fn step_of(descriptor: &[u8]) -> Option<Step> {
    if !descriptor.starts_with(&MAGIC) {
        return None;
    }
    Step::decode(descriptor.get(HEADER_BYTES..)?)
}
