//! Programs of a file, where their data is described, and the items that documents add to it.
//!
//! Why here again: statements are replaced while a source is words; `structure` finds the programs
//! when blocks are known. What is added lies in the outermost program and is GLOBAL, as the special
//! registers are. Not here: what is added.

use super::words::words;
use crate::token::Token;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Longest XML-TEXT that is handed over in one piece, and the limits of the other registers.
const TEXT_MAX: usize = 16 << 20;
const NAMESPACE_MAX: usize = 32_768;
const PREFIX_MAX: usize = 4_096;
/// A character as national text.
const CHARACTER_BYTES: usize = 4;

#[derive(Debug)]
struct Program {
    start: usize,
    /// Of PROCEDURE; the end where there is none.
    procedure: usize,
    end: usize,
    outer: Option<usize>,
    /// Word in front of which data goes, and what must stand before it.
    data: (usize, &'static str),
    /// Descriptions of added items, in order.
    added: BTreeSet<String>,
    /// Items of characters, as long as any statement needs them.
    texts: BTreeMap<&'static str, usize>,
}

/// All programs of a file.
#[derive(Debug)]
pub(super) struct Programs(Vec<Program>);

impl Programs {
    pub(super) fn of(tokens: &[Token]) -> Self {
        let mut all: Vec<Program> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for at in 0..tokens.len() {
            let next = tokens.get(at + 1);
            let is =
                |word: &str, then: &str| tokens[at].is(word) && next.is_some_and(|t| t.is(then));
            if tokens[at].is("PROGRAM-ID") {
                all.push(Program {
                    start: at,
                    procedure: tokens.len(),
                    end: tokens.len(),
                    outer: open.last().copied(),
                    data: (tokens.len(), ""),
                    added: BTreeSet::new(),
                    texts: BTreeMap::new(),
                });
                open.push(all.len() - 1);
            }
            let Some(program) = open.last().and_then(|n| all.get_mut(*n)) else {
                continue;
            };
            if is("PROCEDURE", "DIVISION") && program.procedure == tokens.len() {
                program.procedure = at;
                program.data = data_place(tokens, program.start..at);
            } else if is("END", "PROGRAM") {
                program.end = at;
                open.pop();
            }
        }
        Self(all)
    }

    /// The program in whose PROCEDURE DIVISION the word stands.
    pub(super) fn procedure_of(&self, at: usize) -> Option<usize> {
        let mut all = self.0.iter().enumerate().rev();
        let (n, program) = all.find(|(_, p)| p.start <= at && at < p.end)?;
        (at > program.procedure).then_some(n)
    }

    /// Words of the program that may describe data, then those of the programs around it.
    pub(super) fn data_of(&self, program: usize) -> Vec<Range<usize>> {
        let mut out = Vec::new();
        let mut next = Some(program);
        while let Some(program) = next.and_then(|n| self.0.get(n)) {
            out.push(program.start..program.procedure);
            next = program.outer;
        }
        out
    }

    /// The program uses the items that every document needs.
    pub(super) fn needs_code(&mut self, program: usize) {
        let items = [
            "TXM-JSON-CODE PIC~S9(9) BINARY GLOBAL VALUE 0",
            "TXM-JSON-STATUS PIC~S9(9) BINARY GLOBAL VALUE 0",
            "TXM-XML-CODE PIC~S9(9) BINARY GLOBAL VALUE 0",
            "TXM-DOC-CODE PIC~S9(9) COMP-5 GLOBAL",
            "TXM-DOC-COUNT PIC~S9(9) COMP-5 GLOBAL",
        ];
        self.needs(program, items.map(str::to_owned).to_vec());
    }

    /// The program uses the special registers of XML PARSE, with texts of so many bytes.
    pub(super) fn needs_registers(&mut self, program: usize, bytes: usize) {
        let items = [
            "TXM-XML-EVENT PIC~X(30) GLOBAL VALUE SPACES",
            "TXM-XML-INFORMATION PIC~S9(9) BINARY GLOBAL VALUE 0",
            "TXM-XML-HANDLE PIC~S9(9) COMP-5 GLOBAL VALUE 0",
            "TXM-XML-MORE PIC~S9(9) COMP-5 GLOBAL VALUE 0",
            "TXM-XML-TEXT-L PIC~S9(9) COMP-5 GLOBAL VALUE 0",
            "TXM-XML-NAMESPACE-L PIC~S9(9) COMP-5 GLOBAL VALUE 0",
            "TXM-XML-PREFIX-L PIC~S9(9) COMP-5 GLOBAL VALUE 0",
            "TXM-XML-NTEXT-L PIC~S9(9) COMP-5 GLOBAL VALUE 0",
            "TXM-XML-NNAMESPACE-L PIC~S9(9) COMP-5 GLOBAL VALUE 0",
            "TXM-XML-NPREFIX-L PIC~S9(9) COMP-5 GLOBAL VALUE 0",
        ];
        self.needs(program, items.map(str::to_owned).to_vec());
        self.needs_text(program, "TXM-XML-TEXT", bytes.min(TEXT_MAX));
        self.needs_text(program, "TXM-XML-NAMESPACE", bytes.min(NAMESPACE_MAX));
        self.needs_text(program, "TXM-XML-PREFIX", bytes.min(PREFIX_MAX));
        self.needs_national(program, CHARACTER_BYTES);
    }

    /// Its special registers for national texts have this room.
    pub(super) fn needs_national(&mut self, program: usize, bytes: usize) {
        self.needs_text(program, "TXM-XML-NTEXT", bytes.min(TEXT_MAX));
        self.needs_text(program, "TXM-XML-NNAMESPACE", bytes.min(NAMESPACE_MAX));
        self.needs_text(program, "TXM-XML-NPREFIX", bytes.min(PREFIX_MAX));
    }

    /// The program uses these items.
    pub(super) fn needs(&mut self, program: usize, items: Vec<String>) {
        if let Some(program) = self.outermost(program) {
            program.added.extend(items);
        }
    }

    /// The program uses an item of at least so many characters.
    pub(super) fn needs_text(&mut self, program: usize, name: &'static str, characters: usize) {
        if let Some(program) = self.outermost(program) {
            let known = program.texts.entry(name).or_default();
            *known = characters.max(*known).max(1);
        }
    }

    fn outermost(&mut self, program: usize) -> Option<&mut Program> {
        let mut at = program;
        while let Some(outer) = self.0.get(at).and_then(|p| p.outer) {
            at = outer;
        }
        self.0.get_mut(at)
    }

    /// Describes what was added. Only PROCEDURE DIVISIONs have changed: each outermost program's
    /// data stands where it stood, counted from its beginning.
    pub(super) fn insert(self, tokens: Vec<Token>) -> Vec<Token> {
        let after = Programs::of(&tokens);
        let mut inserts: Vec<(usize, Vec<Token>)> = Vec::new();
        for (before, after) in self.0.iter().zip(&after.0) {
            let Some(place) = tokens.get(after.data.0).map(|t| t.at) else {
                continue;
            };
            if before.added.is_empty() && before.texts.is_empty() {
                continue;
            }
            let mut text = Vec::new();
            words(after.data.1, place, &mut text);
            for item in &before.added {
                words(&format!("01 {item} ."), place, &mut text);
            }
            for (item, characters) in &before.texts {
                let item = format!("01 {item} PIC~X({characters}) GLOBAL .");
                words(&item, place, &mut text);
            }
            inserts.push((after.data.0, text));
        }
        let mut out = tokens;
        for (at, text) in inserts.into_iter().rev() {
            out.splice(at..at, text);
        }
        out
    }
}

/// Where data goes: at the end of WORKING-STORAGE's header, or in a section of its own.
fn data_place(tokens: &[Token], range: Range<usize>) -> (usize, &'static str) {
    let section = |name: &str| {
        range
            .clone()
            .find(|at| tokens[*at].is(name) && tokens.get(at + 1).is_some_and(|t| t.is("SECTION")))
    };
    if let Some(at) = section("WORKING-STORAGE") {
        return (at + 3, "");
    }
    let later = ["LOCAL-STORAGE", "LINKAGE"].into_iter().filter_map(section);
    let at = later.min().unwrap_or(range.end);
    let division = range
        .clone()
        .any(|at| tokens[at].is("DATA") && tokens.get(at + 1).is_some_and(|t| t.is("DIVISION")));
    match division {
        true => (at, "WORKING-STORAGE SECTION ."),
        false => (at, "DATA DIVISION . WORKING-STORAGE SECTION ."),
    }
}
