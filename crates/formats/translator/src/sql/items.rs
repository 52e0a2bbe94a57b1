//! Items a program describes, as EXEC SQL needs them: groups with what is in them, and elementary
//! items.
//!
//! Why: a structure is passed as its items, a VARCHAR is a group of two items of level 49, and a
//! name must mean one item. Not here: lengths and types, which the run time has from cobc.

use crate::blocks::Item as Source;
use crate::data::{Data, Entry};

/// What a host variable is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    /// An elementary item; its name with its groups.
    Plain(String),
    /// Length and text.
    VarChar(String, String),
}

/// Items of one program.
#[derive(Debug, Default)]
pub(crate) struct Items(Data);

/// Why a name is no host variable.
pub(crate) type Wrong = &'static str;

impl Items {
    /// Reads the entries among these items of a program.
    pub(crate) fn read(source: &[Source], own: impl Iterator<Item = usize>) -> Self {
        Self(Data::read(source, own))
    }

    /// The program describes an item of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.named(name, &[]).next().is_some()
    }

    /// The item is COMP-5.
    pub(crate) fn is_native(&self, name: &str) -> bool {
        let mut named = self.0.named(name, &[]);
        named.any(|at| self.entry(at).clauses.is_native())
    }

    /// An area that is passed as a whole.
    pub(crate) fn area(&self, name: &str, qualifier: Option<&str>) -> Result<String, Wrong> {
        let at = self.find(name, qualifier)?;
        let inside = self.0.item(at).skip(1);
        match inside
            .into_iter()
            .any(|e| self.entry(e).clauses.is_native())
        {
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
        let clauses = &self.entry(at).clauses;
        let full = self.qualified(at);
        if !clauses.is_elementary() {
            // A group with a table, or with one item for each.
            let inside = self.0.item(at).skip(1);
            let elementary = |at: &usize| self.entry(*at).clauses.is_elementary();
            let inner: Vec<usize> = inside.filter(elementary).collect();
            return match inner.as_slice() {
                [table] if self.entry(*table).clauses.occurs > 0 => {
                    Ok(format!("{} ( {} )", self.qualified(*table), n + 1))
                }
                all => match all.get(n) {
                    Some(one) => Ok(self.qualified(*one)),
                    None => Err("it has fewer items than the structure"),
                },
            };
        }
        if !clauses.is_binary() {
            return Err("an indicator is PIC S9(4) COMP");
        }
        match (clauses.occurs, count) {
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
        let clauses = &self.entry(at).clauses;
        if clauses.occurs == 0 {
            return Ok(None);
        }
        let first = |at| format!("{} ( 1 )", self.qualified(at));
        let shape = match self.varying(at) {
            Some((length, text)) => Shape::VarChar(first(length), first(text)),
            None if clauses.is_elementary() => Shape::Plain(first(at)),
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
        let clauses = &self.entry(at).clauses;
        if !clauses.is_elementary() || !clauses.is_binary() || clauses.occurs == 0 {
            return Err("indicators of an array are a table of PIC S9(4) COMP");
        }
        Ok((format!("{} ( 1 )", self.qualified(at)), self.elements(at)?))
    }

    /// Elements that lie one behind the other.
    fn elements(&self, at: usize) -> Result<u16, Wrong> {
        let clauses = |at: usize| &self.entry(at).clauses;
        if self.0.around(at).any(|group| clauses(group).occurs > 0) {
            return Err("a table in a table is no host-variable array");
        }
        let mut all = std::iter::once(at).chain(self.children(at));
        if all.any(|item| clauses(item).synchronized) {
            return Err("an array that is SYNCHRONIZED is not done");
        }
        u16::try_from(clauses(at).occurs).map_err(|_| "an array has up to 65535 elements")
    }

    fn find(&self, name: &str, qualifier: Option<&str>) -> Result<usize, Wrong> {
        let groups: Vec<String> = qualifier.into_iter().map(str::to_owned).collect();
        let mut found = self.0.named(name, &groups);
        match (found.next(), found.next()) {
            (None, _) => Err("there is no item of this name"),
            (Some(_), Some(_)) => Err("there are several items of this name"),
            (Some(at), None) => Ok(at),
        }
    }

    fn entry(&self, at: usize) -> &Entry {
        &self.0.entries[at]
    }

    /// Its name and those of its groups, so that it means this item alone.
    fn qualified(&self, at: usize) -> String {
        let groups = self.0.around(at);
        let names = std::iter::once(at).chain(groups);
        let names = names.filter_map(|at| self.entry(at).name.as_deref());
        names.collect::<Vec<_>>().join(" OF ")
    }

    fn children(&self, at: usize) -> Vec<usize> {
        let child = |e: &usize| self.entry(*e).is_item() && self.entry(*e).parent == Some(at);
        self.0.item(at).filter(child).collect()
    }

    fn collect(&self, at: usize, out: &mut Vec<Shape>, depth: usize) -> Result<(), Wrong> {
        let entry = self.entry(at);
        let clauses = &entry.clauses;
        if clauses.occurs > 0 && depth > 0 {
            return Err("a table in a structure is no host variable");
        }
        if clauses.is_elementary() {
            if clauses.occurs > 0 {
                return Err("a table is a host variable only of statements for several rows");
            }
            if entry.name.is_none() {
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
            if !self.entry(child).clauses.redefines {
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
        let is_part = |item: usize| {
            let entry = self.entry(item);
            entry.level == 49 && entry.clauses.occurs == 0
        };
        let binary = self.entry(*length).clauses.is_binary();
        let found = is_part(*length) && is_part(*text) && binary;
        found.then_some((*length, *text))
    }
}
