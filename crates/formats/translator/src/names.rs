//! Names a program declares, as far as commands need them.
//!
//! Why: SEND MAP finds its symbolic map by name, and a HANDLE label that stands in two sections
//! means the one of the section HANDLE is in, wherever the branch is taken from.

use crate::blocks::Item;
use crate::clauses::join;
use crate::data::Data;
use crate::structure::Program;
use crate::token::{Kind, Token};
use std::collections::{HashMap, HashSet};

/// Data names, sections and paragraphs of one program.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Names of data description entries.
    data: HashSet<String>,
    /// First item and name of each section, in order.
    sections: Vec<(usize, String)>,
    /// Sections (index + 1; 0: none) each paragraph stands in.
    paragraphs: HashMap<String, Vec<usize>>,
}

impl Names {
    /// Reads the items of a program that belong to itself (`own`).
    pub(crate) fn read(items: &[Item], program: &Program, own: impl Fn(usize) -> bool) -> Self {
        let header = program.procedure.map_or(program.end, |(_, period)| period);
        let end = program.end.min(items.len());
        let data = (program.start..header.min(end)).filter(|at| own(*at));
        let described = Data::read(items, data).entries.into_iter();
        let mut names = Self {
            data: described.filter_map(|entry| entry.name).collect(),
            ..Self::default()
        };
        for at in program.start.max(1)..end {
            let (Item::Word(before), Item::Word(word)) = (&items[at - 1], &items[at]) else {
                continue;
            };
            if word.kind != Kind::Word || !own(at) {
                continue;
            }
            if at > header && before.kind == Kind::Period {
                names.header(at, word, items.get(at + 1));
            }
        }
        names
    }

    fn header(&mut self, at: usize, word: &Token, next: Option<&Item>) {
        let Some(Item::Word(next)) = next else { return };
        if next.is("SECTION") {
            self.sections.push((at, word.upper()));
        } else if next.kind == Kind::Period {
            let section = self.sections.len();
            self.paragraphs
                .entry(word.upper())
                .or_default()
                .push(section);
        }
    }

    /// The program describes this data name (upper case).
    pub(crate) fn has_data(&self, name: &str) -> bool {
        self.data.contains(name)
    }

    /// A label written in a command at this item, with its section when it needs one.
    pub(crate) fn label(&self, at: usize, words: &[Token]) -> String {
        let text = join(words);
        let [word] = words else { return text };
        let here = self
            .sections
            .iter()
            .rposition(|(start, _)| *start < at)
            .map(|n| n + 1);
        match (self.paragraphs.get(&word.upper()), here) {
            (Some(found), Some(here)) if found.len() > 1 && found.contains(&here) => {
                format!("{text} OF {}", self.sections[here - 1].1)
            }
            _ => text,
        }
    }
}
