//! Items a program describes, as EXEC SQL needs them: groups with what is in them, and elementary
//! items.
//!
//! Why: a structure is passed as its items, a VARCHAR is a group of two items of level 49, and a
//! name must mean one item. Not here: lengths and types, which the run time has from cobc.

use crate::blocks::Item as Source;
use crate::token::{Kind, Token};

/// One entry of the DATA DIVISION.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) level: u8,
    /// In upper case; empty: FILLER.
    pub(crate) name: String,
    /// Index of the group it is in.
    parent: Option<usize>,
    /// It has a PICTURE, or a USAGE that needs none.
    elementary: bool,
    redefines: bool,
    occurs: bool,
    /// COMP-5.
    native: bool,
    /// COMP, COMP-4, COMP-5, BINARY.
    binary: bool,
}

/// What a host variable is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    /// An elementary item; its name with its groups.
    Plain(String),
    /// Length and text.
    VarChar(String, String),
}

/// All entries of one program.
#[derive(Debug, Default)]
pub(crate) struct Items(Vec<Entry>);

/// Why a name is no host variable.
pub(crate) type Wrong = &'static str;

impl Items {
    /// Reads the entries among these items of a program.
    pub(crate) fn read(source: &[Source], own: impl Iterator<Item = usize>) -> Self {
        let mut items = Self::default();
        let mut fresh = true;
        let mut words: Vec<&Token> = Vec::new();
        for at in own {
            match &source[at] {
                Source::Word(token) if token.kind == Kind::Period => {
                    items.entry(&words);
                    words.clear();
                    fresh = true;
                }
                Source::Word(token) => {
                    // A level number begins an entry only behind a period or a block.
                    if fresh {
                        words.clear();
                    }
                    fresh = false;
                    words.push(token);
                }
                Source::Block(_) => fresh = true,
            }
        }
        items
    }

    fn entry(&mut self, words: &[&Token]) {
        let Some((level, rest)) = words.split_first() else {
            return;
        };
        let Ok(number) = level.text.parse::<u8>() else {
            return;
        };
        if level.text.len() > 2 || !matches!(number, 1..=49 | 77) {
            return;
        }
        let clause = |word: &str| rest.iter().any(|t| t.is(word));
        let first = rest.first().filter(|t| t.kind == Kind::Word);
        const CLAUSES: &[&str] = &[
            "FILLER",
            "PIC",
            "PICTURE",
            "REDEFINES",
            "USAGE",
            "COMP",
            "VALUE",
            "OCCURS",
        ];
        let name = first.filter(|t| !t.is_any(CLAUSES)).map(|t| t.upper());
        let usages = [
            "COMP-1",
            "COMP-2",
            "COMPUTATIONAL-1",
            "COMPUTATIONAL-2",
            "POINTER",
            "INDEX",
        ];
        let native = clause("COMP-5") || clause("COMPUTATIONAL-5");
        const BINARY: &[&str] = &[
            "COMP",
            "COMP-4",
            "BINARY",
            "COMPUTATIONAL",
            "COMPUTATIONAL-4",
        ];
        // Items in front of it with a lower level, the nearest first.
        let parent = match number {
            1 | 77 => None,
            _ => self
                .0
                .iter()
                .rposition(|e| e.level < number && e.level != 77),
        };
        self.0.push(Entry {
            level: number,
            name: name.unwrap_or_default(),
            parent,
            elementary: clause("PIC") || clause("PICTURE") || usages.iter().any(|u| clause(u)),
            redefines: clause("REDEFINES"),
            occurs: clause("OCCURS"),
            native,
            binary: native || BINARY.iter().any(|word| clause(word)),
        });
    }

    /// The program describes an item of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|e| e.name == name)
    }

    /// The item is COMP-5.
    pub(crate) fn is_native(&self, name: &str) -> bool {
        self.0.iter().any(|e| e.name == name && e.native)
    }

    /// An area that is passed as a whole.
    pub(crate) fn area(&self, name: &str, qualifier: Option<&str>) -> Result<String, Wrong> {
        let at = self.find(name, qualifier)?;
        let inside = (at + 1..self.0.len()).filter(|e| self.is_inside(*e, at));
        match inside.into_iter().any(|e| self.0[e].native) {
            true => Err("its numbers are COMP, and not COMP-5"),
            false => Ok(self.qualified(at)),
        }
    }

    /// The items a host variable stands for: one, or those of a structure.
    pub(crate) fn variable(
        &self,
        name: &str,
        qualifier: Option<&str>,
    ) -> Result<Vec<Shape>, Wrong> {
        let at = self.find(name, qualifier)?;
        let mut out = Vec::new();
        self.collect(at, &mut out, 0)?;
        match out.is_empty() {
            true => Err("it has no items"),
            false => Ok(out),
        }
    }

    /// The indicator of item `n` (from 0) of `count`, as COBOL names it.
    pub(crate) fn indicator(
        &self,
        name: &str,
        qualifier: Option<&str>,
        n: usize,
        count: usize,
    ) -> Result<String, Wrong> {
        let at = self.find(name, qualifier)?;
        let entry = &self.0[at];
        let full = self.qualified(at);
        if !entry.elementary {
            // A group with a table, or with one item for each.
            let inner: Vec<usize> = (at + 1..self.0.len())
                .take_while(|e| self.is_inside(*e, at))
                .filter(|e| self.0[*e].elementary)
                .collect();
            return match inner.as_slice() {
                [table] if self.0[*table].occurs => {
                    Ok(format!("{} ( {} )", self.qualified(*table), n + 1))
                }
                all => match all.get(n) {
                    Some(one) => Ok(self.qualified(*one)),
                    None => Err("it has fewer items than the structure"),
                },
            };
        }
        if !entry.binary {
            return Err("an indicator is PIC S9(4) COMP");
        }
        match (entry.occurs, count) {
            (true, _) => Ok(format!("{full} ( {} )", n + 1)),
            (false, 1) => Ok(full),
            (false, _) => Err("a structure needs a table of indicators"),
        }
    }

    fn find(&self, name: &str, qualifier: Option<&str>) -> Result<usize, Wrong> {
        let matches = |at: &usize| {
            self.0[*at].name == name && qualifier.is_none_or(|q| self.is_in_named(*at, q))
        };
        let mut found = (0..self.0.len()).filter(matches);
        match (found.next(), found.next()) {
            (None, _) => Err("there is no item of this name"),
            (Some(_), Some(_)) => Err("there are several items of this name"),
            (Some(at), None) => Ok(at),
        }
    }

    fn is_in_named(&self, at: usize, group: &str) -> bool {
        let mut up = self.0[at].parent;
        while let Some(parent) = up {
            if self.0[parent].name == group {
                return true;
            }
            up = self.0[parent].parent;
        }
        false
    }

    fn is_inside(&self, at: usize, group: usize) -> bool {
        let mut up = self.0[at].parent;
        while let Some(parent) = up {
            if parent == group {
                return true;
            }
            up = self.0[parent].parent;
        }
        false
    }

    /// Its name and those of its groups, so that it means this item alone.
    fn qualified(&self, at: usize) -> String {
        let mut out = self.0[at].name.clone();
        let mut up = self.0[at].parent;
        while let Some(parent) = up {
            if !self.0[parent].name.is_empty() {
                out += &format!(" OF {}", self.0[parent].name);
            }
            up = self.0[parent].parent;
        }
        out
    }

    fn children(&self, at: usize) -> Vec<usize> {
        (at + 1..self.0.len())
            .take_while(|e| self.is_inside(*e, at))
            .filter(|e| self.0[*e].parent == Some(at))
            .collect()
    }

    fn collect(&self, at: usize, out: &mut Vec<Shape>, depth: usize) -> Result<(), Wrong> {
        let entry = &self.0[at];
        if entry.occurs && depth > 0 {
            return Err("a table in a structure is no host variable");
        }
        if entry.elementary {
            if entry.occurs {
                return Err("a table is a host variable only of statements for several rows");
            }
            if entry.name.is_empty() {
                return Err("an item of the structure is FILLER");
            }
            out.push(Shape::Plain(self.qualified(at)));
            return Ok(());
        }
        let children: Vec<usize> = self.children(at);
        if let [length, text] = children.as_slice()
            && self.0[*length].level == 49
            && self.0[*text].level == 49
            && self.0[*length].binary
        {
            out.push(Shape::VarChar(
                self.qualified(*length),
                self.qualified(*text),
            ));
            return Ok(());
        }
        for child in children {
            if !self.0[child].redefines {
                self.collect(child, out, depth + 1)?;
            }
        }
        Ok(())
    }
}
