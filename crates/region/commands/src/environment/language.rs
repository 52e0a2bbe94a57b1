//! National languages: which one a task is in, and their codes.
//!
//! A terminal's NATLANG counts, else the first of the SIT's NATLANG. Source: IBM's public page
//! *National language codes*. Not here: texts in other languages; there are none.

use crate::terminal::state::Terminal;
use transom_wire::definitions::SystemEntry;

/// A language: its code of one character and of three.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Language {
    pub(crate) suffix: &'static str,
    pub(crate) code: &'static str,
}

const ENGLISH: Language = Language {
    suffix: "E",
    code: "ENU",
};

/// Suffix and code side by side.
#[rustfmt::skip]
const CODES: [&str; 35] = [
    "AENG", "BPTB", "CCHS", "DDAN", "EENU", "FFRA", "GDEU", "HKOR", "IITA", "JISL", "KJPN", "LBGR",
    "MMKD", "NNOR", "OELL", "PPTG", "QARA", "RRUS", "SESP", "TCHT", "UUKR", "VSVE", "WFIN", "XHEB",
    "YSHC", "ZTHA", "1BEL", "2CSY", "3HRV", "4HUN", "5PLK", "6ROM", "7SHL", "8TRK", "9NLD",
];

/// The language of a task.
pub(crate) fn in_use(facts: &SystemEntry, terminal: Option<&Terminal>) -> Language {
    let own = terminal.map_or(0, |terminal| terminal.facts.natlang);
    let region = facts.languages.as_bytes().first().copied();
    of_suffix(own)
        .or_else(|| of_suffix(region?))
        .unwrap_or(ENGLISH)
}

/// The language of SIGNON: one of the region's, by either code; without a code its first. `None`:
/// it does not have that language.
pub(crate) fn asked(
    facts: &SystemEntry,
    suffix: Option<u8>,
    code: Option<[u8; 3]>,
) -> Option<Language> {
    let suffix = suffix.filter(|suffix| ![b' ', 0].contains(suffix));
    let code = code.filter(|code| ![*b"   ", [0; 3]].contains(code));
    let Some(suffix) = suffix.or_else(|| of_code(code?)) else {
        return code.is_none().then(|| in_use(facts, None));
    };
    // English is there in any region.
    let has = facts.languages.as_bytes().contains(&suffix) || [b'E', b'A'].contains(&suffix);
    has.then(|| of_suffix(suffix)).flatten()
}

fn of_suffix(suffix: u8) -> Option<Language> {
    let row = CODES.iter().find(|row| row.as_bytes()[0] == suffix)?;
    let (suffix, code) = row.split_at(1);
    Some(Language { suffix, code })
}

fn of_code(code: [u8; 3]) -> Option<u8> {
    let row = CODES.iter().find(|row| row.as_bytes()[1..] == code)?;
    row.bytes().next()
}
