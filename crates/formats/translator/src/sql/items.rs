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
    /// Elements of a table; 0: it is none.
    occurs: u32,
    /// SYNCHRONIZED: there may be bytes between elements.
    synchronized: bool,
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
            occurs: occurs(rest),
            synchronized: clause("SYNC") || clause("SYNCHRONIZED"),
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
                [table] if self.0[*table].occurs > 0 => {
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
            (1.., _) => Ok(format!("{full} ( {} )", n + 1)),
            (0, 1) => Ok(full),
            (0, _) => Err("a structure needs a table of indicators"),
        }
    }

    /// A host-variable array by its first element, and its elements; `None`: it is none.
    pub(crate) fn array(
        &self,
        name: &str,
        qualifier: Option<&str>,
    ) -> Result<Option<(Shape, u16)>, Wrong> {
        let at = self.find(name, qualifier)?;
        if self.0[at].occurs == 0 {
            return Ok(None);
        }
        let first = |at| format!("{} ( 1 )", self.qualified(at));
        let shape = match self.varying(at) {
            Some((length, text)) => Shape::VarChar(first(length), first(text)),
            None if self.0[at].elementary => Shape::Plain(first(at)),
            None => return Err("a table of structures is no host-variable array"),
        };
        Ok(Some((shape, self.elements(at)?)))
    }

    /// The first one of an array of indicators, and how many there are.
    pub(crate) fn indicators(
        &self,
        name: &str,
        qualifier: Option<&str>,
    ) -> Result<(String, u16), Wrong> {
        let at = self.find(name, qualifier)?;
        let entry = &self.0[at];
        if !entry.elementary || !entry.binary || entry.occurs == 0 {
            return Err("indicators of an array are a table of PIC S9(4) COMP");
        }
        Ok((format!("{} ( 1 )", self.qualified(at)), self.elements(at)?))
    }

    /// Elements that lie one behind the other.
    fn elements(&self, at: usize) -> Result<u16, Wrong> {
        let mut up = self.0[at].parent;
        while let Some(parent) = up {
            if self.0[parent].occurs > 0 {
                return Err("a table in a table is no host-variable array");
            }
            up = self.0[parent].parent;
        }
        let inner = self.children(at);
        if self.0[at].synchronized || inner.iter().any(|item| self.0[*item].synchronized) {
            return Err("an array that is SYNCHRONIZED is not done");
        }
        u16::try_from(self.0[at].occurs).map_err(|_| "an array has up to 65535 elements")
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
        if entry.occurs > 0 && depth > 0 {
            return Err("a table in a structure is no host variable");
        }
        if entry.elementary {
            if entry.occurs > 0 {
                return Err("a table is a host variable only of statements for several rows");
            }
            if entry.name.is_empty() {
                return Err("an item of the structure is FILLER");
            }
            out.push(Shape::Plain(self.qualified(at)));
            return Ok(());
        }
        if let Some((length, text)) = self.varying(at) {
            let [length, text] = [length, text].map(|item| self.qualified(item));
            out.push(Shape::VarChar(length, text));
            return Ok(());
        }
        for child in self.children(at) {
            if !self.0[child].redefines {
                self.collect(child, out, depth + 1)?;
            }
        }
        Ok(())
    }
    /// Length and text of a VARCHAR: a group of two items of level 49.
    fn varying(&self, at: usize) -> Option<(usize, usize)> {
        let children = self.children(at);
        let [length, text] = children.as_slice() else {
            return None;
        };
        let inside = |item: usize| self.0[item].level == 49 && self.0[item].occurs == 0;
        let found = inside(*length) && inside(*text) && self.0[*length].binary;
        found.then_some((*length, *text))
    }
}

/// `OCCURS 5`, `OCCURS 1 TO 5`: five.
fn occurs(words: &[&Token]) -> u32 {
    let mut behind = words.iter().skip_while(|t| !t.is("OCCURS")).skip(1);
    let number = |token: Option<&&Token>| token.and_then(|t| t.text.parse().ok());
    let Some(first) = number(behind.next()) else {
        // Without OCCURS; or a name, which is no number of elements that is known here.
        return u32::from(words.iter().any(|t| t.is("OCCURS")));
    };
    let to = behind.next().is_some_and(|t| t.is("TO"));
    let last = number(behind.next()).filter(|_| to);
    last.unwrap_or(first)
}
