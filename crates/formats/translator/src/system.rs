//! Copybooks that are supplied, and what is told of those that are not.
//!
//! What: the texts of `cobol/copy`, used where the user's libraries have no member of the name;
//! what a member of the user's own has otherwise. Why: a member of IBM that was transferred as text
//! has lost the bytes that are no characters, and nobody sees that in it. Not here: who tells it.

use crate::hex;
use crate::lexer::lex;
use crate::token::{Kind, Session, Token};
use std::collections::BTreeMap;

const MEMBERS: &[(&str, &str)] = &[
    (
        "CEEIGZCT",
        include_str!("../../../../cobol/copy/CEEIGZCT.cpy"),
    ),
    ("DFHAID", include_str!("../../../../cobol/copy/DFHAID.cpy")),
    (
        "DFHBMSCA",
        include_str!("../../../../cobol/copy/DFHBMSCA.cpy"),
    ),
    (
        "DFHEIBLK",
        include_str!("../../../../cobol/copy/DFHEIBLK.cpy"),
    ),
    (
        "DFHXMRSO",
        include_str!("../../../../cobol/copy/DFHXMRSO.cpy"),
    ),
    ("SQLCA", include_str!("../../../../cobol/copy/SQLCA.cpy")),
];

/// Members that IBM documents and that describe something that is not here; the first that a name
/// begins with counts.
const NOT_SUPPLIED: &[(&str, &str)] = &[
    ("DFHMSRCA", "there are no magnetic slot readers"),
    ("DFHXMRS", "there is no transaction restart program DFHREST"),
    ("DFHPGAC", "program autoinstall calls no control program"),
    ("DFHTCUD", "terminal autoinstall calls no control program"),
    ("DFHDYP", "there is no dynamic routing program"),
    ("DFHSNG", "there is no good night program"),
    ("DFHSNP", "there is no interface program for sign-on"),
    ("DFHPCOM", "there is no program error program DFHPEP"),
    ("DFHNEP", "there is no node error program"),
    ("DFHBR", "there is no bridge"),
    ("DFHWB", "web support has no programs of its own"),
    ("DFHXC", "there is no external CICS interface"),
    ("DFHCPL", "there is no CICSPlex SM"),
    ("EYU", "there is no CICSPlex SM"),
    ("DFH", "what it describes is not there"),
    ("CEEIGZ", "what it describes is not there"),
];

/// Files of supplied copybooks are shown in this folder, which is none of a system directory.
const FOLDER: &str = "supplied/";

/// A supplied copybook: the path it is shown with, and its text.
pub fn system_copybook(name: &str) -> Option<(String, &'static str)> {
    let name = name.to_ascii_uppercase();
    let (name, text) = MEMBERS.iter().find(|(known, _)| *known == name)?;
    Some((format!("{FOLDER}{name}.cpy"), text))
}

/// Whether a copybook of this path is a supplied one.
pub(crate) fn is_system_path(path: &str) -> bool {
    path.starts_with(FOLDER)
}

/// Why a member of IBM is not supplied.
pub(crate) fn not_supplied(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_uppercase();
    let known = NOT_SUPPLIED.iter().find(|(key, _)| name.starts_with(key));
    known.map(|(_, why)| *why)
}

/// Items that a copybook of the user's own has with another VALUE than the supplied one; none where
/// there is no supplied one of the name.
pub fn other_values(name: &str, own: &str) -> Option<Vec<String>> {
    let (_, supplied) = system_copybook(name)?;
    let own = values(own);
    let differs =
        |(item, value): &(String, Vec<Vec<u8>>)| own.get(item).is_some_and(|other| other != value);
    // In their order.
    let mut known = in_order(supplied);
    known.retain(differs);
    Some(known.into_iter().map(|(item, _)| item).collect())
}

fn values(text: &str) -> BTreeMap<String, Vec<Vec<u8>>> {
    in_order(text).into_iter().collect()
}

/// Items and condition names with the bytes of their VALUEs, where all of them are literals.
fn in_order(text: &str) -> Vec<(String, Vec<Vec<u8>>)> {
    let tokens = lex(text, 0, None, &mut Session::default()).tokens;
    let entries = tokens.split(|token| token.kind == Kind::Period);
    entries.filter_map(entry).collect()
}

fn entry(words: &[Token]) -> Option<(String, Vec<Vec<u8>>)> {
    let name = words.get(1)?.upper();
    let clause = words.iter().position(|t| t.is_any(&["VALUE", "VALUES"]))?;
    let literals = words[clause + 1..].iter();
    let literals = literals.filter(|t| !t.is_any(&["IS", "ARE"]) && t.kind != Kind::Comma);
    let bytes: Option<Vec<Vec<u8>>> = literals.map(hex::characters).collect();
    Some((name, bytes?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMBER: &str = "\
       01  DFHBMSCA.
           02  DFHBMPEM PIC X VALUE IS X'19'.
           02  DFHBMBRY PIC X VALUE IS X'C8'.
           02  DFHBMUNP PIC X VALUE IS SPACE.
           02  DFHBMASK PIC X VALUE '1'.
           02  DFHBMFLG PIC X.
               88  DFHERASE VALUES ARE X'80', 'b'.
           02  DFHBMPSO PIC X.
           02  DFHOWN   PIC X VALUE '?'.
";

    #[test]
    fn values_that_a_transfer_changed_are_named() {
        let found = other_values("dfhbmsca", MEMBER).unwrap();
        assert_eq!(found, ["DFHBMASK", "DFHERASE"]);
        assert_eq!(other_values("CUSTREC", MEMBER), None);
        for (name, text) in MEMBERS {
            assert_eq!(other_values(name, text), Some(Vec::new()), "{name}");
        }
    }
}
