//! Programs compare characters in the order of z/OS.
//!
//! What: PROGRAM COLLATING SEQUENCE with an alphabet of code page 037 for each program, and the
//! user's own alphabets, classes and symbolic characters by the same order. Why: with it cobc
//! compares, sorts and searches through the table, figurative constants keep their bytes, and
//! everything compares alike. A program that names a sequence of its own keeps it. Not here: keys
//! of files (stores), FUNCTION ORD and CHAR (worker).

use crate::blocks::Item;
use crate::structure::Program;
use crate::token::{Kind, Session, Token};
use std::collections::BTreeMap;
use transom_copybook::codepage::collating::EBCDIC037;
use transom_messages::tr;

/// Name of the alphabet.
const ALPHABET: &str = "TXM-EBCDIC037";
/// Bytes of one literal.
const PER_LITERAL: usize = 64;

/// Lines that give a program the order of z/OS, before the items they go in front of.
pub(crate) fn inserts(items: &[Item], program: &Program, out: &mut BTreeMap<usize, Vec<String>>) {
    // Contained programs have the sequence of the one around them.
    let Some(body) = program.data.or(program.procedure.map(|(start, _)| start)) else {
        return;
    };
    if program.nested_in.is_some() {
        return;
    }
    let front = Front {
        items,
        start: program.start,
        end: body,
    };
    let mut put = |at: usize, line: String| out.entry(at).or_default().push(line);
    let Some(section) = front.header("CONFIGURATION", "SECTION") else {
        let environment = front.header("ENVIRONMENT", "DIVISION");
        let at = environment.unwrap_or(body);
        if environment.is_none() {
            put(at, "ENVIRONMENT DIVISION.".to_owned());
        }
        put(at, "CONFIGURATION SECTION.".to_owned());
        put(at, object());
        special_names(&mut put, at);
        return;
    };
    let after_object = match object_computer(&front, section, &mut put) {
        Some(at) => at,
        None => return,
    };
    match front.paragraph("SPECIAL-NAMES") {
        Some(paragraph) => {
            put(paragraph.start, format!("ALPHABET {ALPHABET} IS"));
            for literal in literals() {
                put(paragraph.start, literal);
            }
            if paragraph.end.is_none() {
                put(paragraph.start, ".".to_owned());
            }
        }
        None => special_names(&mut put, after_object),
    }
}

/// Gives OBJECT-COMPUTER the sequence; answers where the next paragraph can stand, none when the
/// program has a sequence of its own.
fn object_computer(
    front: &Front<'_>,
    section: usize,
    put: &mut dyn FnMut(usize, String),
) -> Option<usize> {
    match front.paragraph("OBJECT-COMPUTER") {
        Some(Paragraph {
            own_sequence: true, ..
        }) => None,
        Some(Paragraph {
            start, end: None, ..
        }) => {
            put(start, format!("ZOS {}.", sequence()));
            Some(start)
        }
        Some(Paragraph { end: Some(end), .. }) => {
            put(end, sequence());
            Some(end + 1)
        }
        None => {
            let source = front.paragraph("SOURCE-COMPUTER");
            let at = source.map_or(section, |p| p.end.map_or(p.start, |end| end + 1));
            put(at, object());
            Some(at)
        }
    }
}

fn sequence() -> String {
    format!("PROGRAM COLLATING SEQUENCE IS {ALPHABET}")
}

fn object() -> String {
    format!("OBJECT-COMPUTER. ZOS {}.", sequence())
}

fn special_names(put: &mut dyn FnMut(usize, String), at: usize) {
    put(at, format!("SPECIAL-NAMES. ALPHABET {ALPHABET} IS"));
    literals().into_iter().for_each(|literal| put(at, literal));
    put(at, ".".to_owned());
}

/// All characters in their order.
fn literals() -> Vec<String> {
    EBCDIC037.ascending.chunks(PER_LITERAL).map(hex).collect()
}

fn hex(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    format!("X'{digits}'")
}

/// IDENTIFICATION and ENVIRONMENT DIVISION of a program.
struct Front<'a> {
    items: &'a [Item],
    start: usize,
    end: usize,
}

/// A paragraph of the CONFIGURATION SECTION.
struct Paragraph {
    /// Behind the period of its header.
    start: usize,
    /// Its last period; none when there is nothing in it.
    end: Option<usize>,
    /// It names a collating sequence.
    own_sequence: bool,
}

impl Front<'_> {
    fn word(&self, at: usize) -> Option<&Token> {
        match self.items.get(at).filter(|_| at < self.end) {
            Some(Item::Word(token)) => Some(token),
            _ => None,
        }
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.word(at).is_some_and(|token| token.is(word))
    }

    fn is_period(&self, at: usize) -> bool {
        self.word(at)
            .is_some_and(|token| token.kind == Kind::Period)
    }

    /// Behind the period of a header of two words.
    fn header(&self, first: &str, second: &str) -> Option<usize> {
        let found = |at: &usize| self.is(*at, first) && self.is(*at + 1, second);
        let at = (self.start..self.end).find(found)?;
        Some(at + 2 + usize::from(self.is_period(at + 2)))
    }

    fn paragraph(&self, name: &str) -> Option<Paragraph> {
        let found = |at: &usize| self.is(*at, name) && self.is_period(*at + 1);
        let start = (self.start..self.end).find(found)? + 2;
        let end = (start..self.end).find(|at| self.is_period(*at));
        let empty = start >= self.end
            || self.is(start + 1, "SECTION")
            || self.is(start + 1, "DIVISION")
            || (self.word(start).is_some_and(|t| t.is_any(PARAGRAPHS))
                && self.is_period(start + 1));
        let end = end.filter(|_| !empty);
        let own = |end| (start..end).any(|at| self.is(at, "SEQUENCE"));
        Some(Paragraph {
            start,
            end,
            own_sequence: end.is_some_and(own),
        })
    }
}

const PARAGRAPHS: &[&str] = &[
    "SOURCE-COMPUTER",
    "OBJECT-COMPUTER",
    "SPECIAL-NAMES",
    "REPOSITORY",
    "FILE-CONTROL",
    "I-O-CONTROL",
];

/// Alphabets, classes and symbolic characters of SPECIAL-NAMES by the order of z/OS.
pub(crate) fn order_special_names(tokens: Vec<Token>, session: &mut Session) -> Vec<Token> {
    if !tokens.iter().any(|token| token.is("SPECIAL-NAMES")) {
        return tokens;
    }
    let mut out = Vec::with_capacity(tokens.len());
    let mut inside = false;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let next = tokens.get(at + 1);
        if token.is("SPECIAL-NAMES") {
            inside = true;
        } else if next.is_some_and(|t| t.is_any(&["SECTION", "DIVISION"])) {
            inside = false;
        }
        let clause = inside && token.is_any(&["ALPHABET", "CLASS", "SYMBOLIC"]);
        out.push(token.clone());
        at += 1;
        if !clause {
            continue;
        }
        let end = at
            + tokens[at..]
                .iter()
                .position(ends_clause)
                .unwrap_or(tokens.len() - at);
        let words = &tokens[at..end];
        if token.is("SYMBOLIC") {
            out.extend(symbolic(words));
        } else {
            match list(words, token.is("ALPHABET")) {
                Some(ordered) => out.extend(ordered),
                None => {
                    session.problem(tr::order_of_bytes(token.upper()), token.at);
                    out.extend(words.iter().cloned());
                }
            }
        }
        at = end;
    }
    out
}

fn ends_clause(token: &Token) -> bool {
    const CLAUSES: &[&str] = &[
        "ALPHABET",
        "CLASS",
        "SYMBOLIC",
        "CURRENCY",
        "DECIMAL-POINT",
        "XML-SCHEMA",
        "UPSI-0",
        "UPSI-1",
        "UPSI-2",
        "UPSI-3",
        "UPSI-4",
        "UPSI-5",
        "UPSI-6",
        "UPSI-7",
        "C01",
        "C02",
        "C03",
        "C04",
        "C05",
        "C06",
        "C07",
        "C08",
        "C09",
        "C10",
        "C11",
        "C12",
        "CSP",
        "SYSIN",
        "SYSIPT",
        "SYSOUT",
        "SYSLIST",
        "SYSLST",
        "SYSPUNCH",
        "SYSPCH",
        "CONSOLE",
        "S01",
        "S02",
        "S03",
        "S04",
        "S05",
        "AFP-5A",
    ];
    token.kind == Kind::Period || token.is_any(CLAUSES)
}

/// `name [IS] literals`: one literal of all characters in their order; an alphabet goes on with
/// those that are not named. None: it cannot be told.
fn list(words: &[Token], alphabet: bool) -> Option<Vec<Token>> {
    let is = usize::from(words.get(1).is_some_and(|t| t.is("IS")));
    let (head, values) = words.split_at_checked(1 + is)?;
    let first = values.iter().find(|t| t.kind != Kind::Comma)?;
    if alphabet && first.is_any(&["STANDARD-1", "STANDARD-2"]) {
        return Some(words.to_vec());
    }
    let mut order: Vec<u8> = Vec::new();
    if !(alphabet && first.is_any(&["NATIVE", "EBCDIC"])) {
        let mut range = false;
        for token in values.iter().filter(|t| t.kind != Kind::Comma) {
            if token.is_any(&["THRU", "THROUGH"]) {
                range = true;
                continue;
            }
            let bytes = characters(token)?;
            if std::mem::take(&mut range) {
                let (from, to) = (weight(*order.last()?), weight(*bytes.first()?));
                let between = EBCDIC037.ascending.get(from.min(to)..=from.max(to))?;
                let mut between = between.to_vec();
                if to < from {
                    between.reverse();
                }
                order.extend(&between[1..]);
                order.extend(&bytes[1..]);
            } else {
                order.extend(bytes);
            }
        }
    }
    if alphabet {
        let rest = EBCDIC037
            .ascending
            .iter()
            .filter(|byte| !order.contains(byte));
        let rest: Vec<u8> = rest.copied().collect();
        order.extend(rest);
    }
    let mut out = head.to_vec();
    out.extend(order.chunks(PER_LITERAL).map(|bytes| Token {
        kind: Kind::Literal,
        text: hex(bytes).into(),
        glued: false,
        ..first.clone()
    }));
    Some(out)
}

/// Place of a character in the order.
pub(crate) fn weight(byte: u8) -> usize {
    usize::from(EBCDIC037.weight[usize::from(byte)])
}

/// The characters of a literal, or of an ordinal number.
pub(crate) fn characters(token: &Token) -> Option<Vec<u8>> {
    if let Some(bytes) = crate::hex::bytes(token) {
        return Some(bytes);
    }
    if token.kind == Kind::Literal {
        let quote = token
            .text
            .chars()
            .next()
            .filter(|c| matches!(c, '\'' | '"'))?;
        let text = token.text.strip_prefix(quote)?.strip_suffix(quote)?;
        let text = text.replace(&format!("{quote}{quote}"), &quote.to_string());
        let bytes = text.chars().map(|c| u8::try_from(u32::from(c)).ok());
        return bytes.collect::<Option<Vec<u8>>>().filter(|b| !b.is_empty());
    }
    ordinal(token).map(|byte| vec![byte])
}

fn ordinal(token: &Token) -> Option<u8> {
    let number: usize = token.text.parse().ok()?;
    EBCDIC037.ascending.get(number.checked_sub(1)?).copied()
}

/// `CHARACTERS name IS 65`: the number is a place in the order.
fn symbolic(words: &[Token]) -> Vec<Token> {
    words
        .iter()
        .map(|token| match ordinal(token) {
            Some(byte) => Token {
                text: (u32::from(byte) + 1).to_string().into(),
                ..token.clone()
            },
            None => token.clone(),
        })
        .collect()
}
