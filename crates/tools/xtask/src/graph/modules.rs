//! Names of modules to files: which file takes something from which.
//!
//! What: a crate's modules with the names they bring in by `use`; each `use` and each path in the
//! code is followed, through re-exports, to the file that defines what is named. Whoever takes a
//! name from another folder by a re-export depends on the file that has this, too: two folders that
//! take from each other are a circle, however deep the names lie. A re-export itself is no arrow: a
//! `mod.rs` that shows its children depends on them only when it uses them. Not here: methods and
//! fields, which are found by type alone, and names of other crates.

use crate::tokens::{Kind, Token, behind_bracket, product};
use crate::tree::Source;
use std::collections::{BTreeMap, BTreeSet};

/// Longest chain of re-exports that is followed; a longer one is a `use` of itself.
const CHAIN_MAX: usize = 16;

/// A module: a file, or a block in one.
struct Module<'a> {
    file: usize,
    parent: Option<usize>,
    children: BTreeMap<&'a str, usize>,
    items: BTreeSet<&'a str>,
    uses: Vec<Use<'a>>,
    paths: Vec<Vec<&'a str>>,
    words: BTreeSet<&'a str>,
}

/// One name of a `use`.
struct Use<'a> {
    path: Vec<&'a str>,
    /// `*` for all names.
    name: &'a str,
    is_public: bool,
}

/// Where a path leads.
#[derive(Clone, Copy)]
enum Target {
    Module(usize),
    /// Something that a file defines.
    Item(usize),
}

/// Arrows between the files of a crate, by their places; names are relative to `src/`.
pub(super) fn arrows(files: &[Source]) -> BTreeSet<(usize, usize)> {
    let crates = Crate::read(files);
    let mut found = BTreeSet::new();
    for (at, module) in crates.modules.iter().enumerate() {
        let named = module
            .uses
            .iter()
            .filter(|u| !u.is_public || module.words.contains(u.name));
        let paths = named.map(|u| &u.path).chain(&module.paths);
        for path in paths {
            let mut through = Vec::new();
            if let Some(Target::Item(file)) = crates.follow(at, path, CHAIN_MAX, &mut through) {
                found.insert((module.file, file));
                let others = through.into_iter().filter(|m| !crates.is_around(*m, at));
                found.extend(others.map(|m| (module.file, crates.modules[m].file)));
            }
        }
    }
    found.retain(|(from, to)| from != to);
    found
}

struct Crate<'a> {
    modules: Vec<Module<'a>>,
}

impl<'a> Crate<'a> {
    /// Modules in the order of their depth, so that a parent is there before its children.
    fn read(files: &'a [Source]) -> Crate<'a> {
        let mut order: Vec<(Vec<&str>, usize)> = Vec::new();
        for (at, file) in files.iter().enumerate() {
            order.push((module_path(&file.name), at));
        }
        order.sort_by_key(|(path, at)| (path.len(), *at));
        let mut all = Crate {
            modules: Vec::new(),
        };
        let mut places: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
        for (path, file) in order {
            let parent = path
                .split_last()
                .and_then(|(_, parent)| places.get(parent))
                .copied();
            let module = all.add(file, parent, path.last().copied());
            places.entry(path).or_insert(module);
            let tokens = product(&files[file].text);
            Reader {
                all: &mut all,
                tokens: &tokens,
            }
            .module(module, 0, tokens.len());
        }
        all
    }

    fn add(&mut self, file: usize, parent: Option<usize>, name: Option<&'a str>) -> usize {
        let module = self.modules.len();
        self.modules.push(Module {
            file,
            parent,
            children: BTreeMap::new(),
            items: BTreeSet::new(),
            uses: Vec::new(),
            paths: Vec::new(),
            words: BTreeSet::new(),
        });
        if let (Some(parent), Some(name)) = (parent, name) {
            self.modules[parent].children.insert(name, module);
        }
        module
    }

    /// Where a path of module `from` leads; none: to another crate. Modules by whose `use` it leads
    /// there come to `through`.
    fn follow(
        &self,
        from: usize,
        path: &[&'a str],
        left: usize,
        through: &mut Vec<usize>,
    ) -> Option<Target> {
        let (first, mut rest) = path.split_first()?;
        let left = left.checked_sub(1)?;
        let mut at = match *first {
            "crate" => Target::Module(self.root_of(from)),
            "self" => Target::Module(from),
            "super" => Target::Module(self.modules[from].parent?),
            name => self.find(from, name, left, through)?,
        };
        while let (Target::Module(module), Some((name, behind))) = (at, rest.split_first()) {
            rest = behind;
            at = match *name {
                "super" => Target::Module(self.modules[module].parent?),
                "self" => Target::Module(module),
                "*" => return Some(Target::Item(self.modules[module].file)),
                name => {
                    let found = self.find(module, name, left, through);
                    found.unwrap_or(Target::Item(self.modules[module].file))
                }
            };
        }
        Some(at)
    }

    /// What a name means in a module.
    fn find(
        &self,
        module: usize,
        name: &str,
        left: usize,
        through: &mut Vec<usize>,
    ) -> Option<Target> {
        let here = &self.modules[module];
        if let Some(child) = here.children.get(name) {
            return Some(Target::Module(*child));
        }
        if here.items.contains(name) {
            return Some(Target::Item(here.file));
        }
        let left = left.checked_sub(1)?;
        let named = here.uses.iter().filter(|u| u.name == name);
        let mut named = named.filter_map(|u| self.follow(module, &u.path, left, through));
        if let Some(target) = named.next() {
            through.push(module);
            return Some(target);
        }
        let all = here.uses.iter().filter(|u| u.name == "*");
        let mut all = all.filter_map(|u| {
            let folder = &u.path[..u.path.len() - 1];
            match self.follow(module, folder, left, through)? {
                Target::Module(other) if other != module => self.find(other, name, left, through),
                _ => None,
            }
        });
        let found = all.next()?;
        through.push(module);
        Some(found)
    }

    /// Whether `inner` is in `outer`, or `outer` is the crate itself, in which all is.
    fn is_around(&self, outer: usize, mut inner: usize) -> bool {
        while let Some(parent) = self.modules[inner].parent {
            if inner == outer {
                return true;
            }
            inner = parent;
        }
        inner == outer
    }

    fn root_of(&self, mut module: usize) -> usize {
        while let Some(parent) = self.modules[module].parent {
            module = parent;
        }
        module
    }
}

/// `exec`, `region/link` for region/link.rs, `region` for region/mod.rs; nothing for lib.rs.
fn module_path(name: &str) -> Vec<&str> {
    let mut path: Vec<&str> = name.trim_end_matches(".rs").split('/').collect();
    if path.last() == Some(&"mod") || matches!(path.as_slice(), ["lib" | "main"]) {
        path.pop();
    }
    path
}

/// Reads a file's tokens into modules.
struct Reader<'r, 'a> {
    all: &'r mut Crate<'a>,
    tokens: &'r [Token<'a>],
}

impl<'a> Reader<'_, 'a> {
    /// Reads the tokens from `at` to `end` as the inside of a module.
    fn module(&mut self, module: usize, mut at: usize, end: usize) {
        let mut depth = 0usize;
        while at < end {
            let token = self.tokens[at];
            let next = self.tokens.get(at + 1).filter(|_| at + 1 < end);
            match token.text {
                _ if token.kind == Kind::Literal => {}
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                "use" if next.is_some_and(|t| !t.is("<")) => {
                    let is_public = self.is_public(at);
                    at = self.use_tree(module, at + 1, &[], is_public);
                    continue;
                }
                "mod" if depth == 0 && self.tokens.get(at + 2).is_some_and(|t| t.is("{")) => {
                    let file = self.all.modules[module].file;
                    let name = self.tokens[at + 1].text;
                    let inner = self.all.add(file, Some(module), Some(name));
                    let behind = behind_bracket(self.tokens, at + 2);
                    self.module(inner, at + 3, behind - 1);
                    at = behind;
                    continue;
                }
                // The name of a declared child is no use of what is re-exported under it.
                "mod" if depth == 0 && self.tokens.get(at + 2).is_some_and(|t| t.is(";")) => {
                    at += 3;
                    continue;
                }
                _ if token.kind == Kind::Word => {
                    let here = &mut self.all.modules[module];
                    if depth == 0 && introduces(token.text) {
                        here.items
                            .extend(next.filter(|t| t.kind == Kind::Word).map(|t| t.text));
                    }
                    here.words.insert(token.text);
                    at = self.path(module, at, end);
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Reads `a::b::c` and returns the place behind it.
    fn path(&mut self, module: usize, mut at: usize, end: usize) -> usize {
        let is_member =
            at > 0 && (self.tokens[at - 1].is(".") || self.tokens[at - 1].kind == Kind::Path);
        let mut path = vec![self.tokens[at].text];
        at += 1;
        while at + 1 < end
            && self.tokens[at].kind == Kind::Path
            && self.tokens[at + 1].kind == Kind::Word
        {
            path.push(self.tokens[at + 1].text);
            at += 2;
        }
        if path.len() > 1 && !is_member {
            self.all.modules[module].paths.push(path);
        }
        at
    }

    /// `pub` or `pub(...)` before the place.
    fn is_public(&self, at: usize) -> bool {
        let before = self.tokens[..at].last();
        before.is_some_and(|t| t.is("pub") || t.is(")"))
    }

    /// Reads one tree of a `use` and returns the place behind it.
    fn use_tree(
        &mut self,
        module: usize,
        mut at: usize,
        before: &[&'a str],
        public: bool,
    ) -> usize {
        let mut path = before.to_vec();
        while let Some(token) = self.tokens.get(at) {
            let is_name = token.kind == Kind::Word || token.is("*");
            at += 1;
            if token.is("{") {
                while self.tokens.get(at).is_some_and(|t| !t.is("}")) {
                    at = self.use_tree(module, at, &path, public);
                    at += usize::from(self.tokens.get(at).is_some_and(|t| t.is(",")));
                }
                return at + 1;
            }
            if is_name {
                path.push(token.text);
            }
            match self.tokens.get(at) {
                Some(next) if next.kind == Kind::Path => at += 1,
                Some(next) if token.kind == Kind::Path || next.is("{") => {}
                Some(next) if next.is("as") => {
                    let name = self.tokens.get(at + 1).map_or("_", |t| t.text);
                    self.add_use(module, path, name, public);
                    return at + 2;
                }
                _ => break,
            }
        }
        if let Some(name) = path.last().copied() {
            self.add_use(module, path, name, public);
        }
        at
    }

    fn add_use(
        &mut self,
        module: usize,
        mut path: Vec<&'a str>,
        mut name: &'a str,
        is_public: bool,
    ) {
        if name == "self" {
            path.pop();
            name = path.last().copied().unwrap_or(name);
        }
        self.all.modules[module].uses.push(Use {
            path,
            name,
            is_public,
        });
    }
}

fn introduces(word: &str) -> bool {
    [
        "fn",
        "struct",
        "enum",
        "trait",
        "type",
        "const",
        "static",
        "union",
        "macro_rules",
    ]
    .contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arrows of files, as `from>to`.
    fn of(files: &[(&str, &str)]) -> Vec<String> {
        let files = files.iter().map(|(name, text)| Source {
            name: (*name).to_owned(),
            text: (*text).to_owned(),
        });
        let files: Vec<Source> = files.collect();
        let named = |at: &usize| files[*at].name.trim_end_matches(".rs").to_owned();
        let found = arrows(&files);
        found
            .iter()
            .map(|(from, to)| format!("{}>{}", named(from), named(to)))
            .collect()
    }

    #[test]
    fn a_name_is_followed_to_the_file_that_defines_it() {
        let files = [
            ("lib.rs", "mod a; mod b; pub use a::{Task, start as begin};"),
            (
                "a/mod.rs",
                "mod task; pub(crate) use task::Task; pub fn start() {}",
            ),
            (
                "a/task.rs",
                "pub struct Task; fn f() -> u8 { super::start(); 1 }",
            ),
            (
                "b.rs",
                "use crate::{Task, begin}; fn g(t: Task) { begin(); std::mem::drop(t) }",
            ),
        ];
        assert_eq!(of(&files), ["a/task>a/mod", "b>a/mod", "b>a/task"]);
    }

    #[test]
    fn folders_that_take_from_each_other_by_reexports_are_a_circle() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            (
                "a/mod.rs",
                "mod deep; pub(crate) use deep::Task; fn f() { crate::b::go() }",
            ),
            ("a/deep.rs", "pub struct Task; use super::deep;"),
            ("b/mod.rs", "mod way; pub(crate) use way::go;"),
            (
                "b/way.rs",
                "use crate::a::Task; pub fn go() {} fn g(_: Task) {}",
            ),
        ];
        assert_eq!(
            of(&files),
            ["a/mod>b/mod", "a/mod>b/way", "b/way>a/mod", "b/way>a/deep"]
        );
    }

    #[test]
    fn a_reexport_is_an_arrow_when_it_is_used() {
        let files = [
            ("lib.rs", "mod a; pub use a::Task; fn f(_: Task) {}"),
            ("a.rs", "pub struct Task;"),
        ];
        assert_eq!(of(&files), ["lib>a"]);
    }

    #[test]
    fn a_child_declared_under_the_name_of_a_reexport_is_no_use_of_it() {
        let files = [
            (
                "lib.rs",
                "mod report; pub use report::report; pub struct Line;",
            ),
            (
                "report.rs",
                "use crate::Line; pub fn report() -> Line { Line }",
            ),
        ];
        assert_eq!(of(&files), ["report>lib"]);
    }

    #[test]
    fn paths_in_code_and_blocks_of_a_file() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            (
                "a.rs",
                "pub mod ask { pub const WRITE: u8 = 1; } pub fn f() -> u8 { ask::WRITE }",
            ),
            (
                "b.rs",
                "use crate::a::{self, ask}; fn g() -> u8 { ask::WRITE + a::f().min(2) }",
            ),
        ];
        assert_eq!(of(&files), ["b>a"]);
    }

    #[test]
    fn names_of_all_kinds() {
        let files = [
            (
                "main.rs",
                "mod a; mod b; use a::*; fn main() { crate::b::go(); self::start() }",
            ),
            ("a.rs", "pub fn start() {}"),
            (
                "b.rs",
                "#[cfg(test)] use crate::a; pub fn go() -> impl Sized + use<> { super::start() }",
            ),
        ];
        assert_eq!(of(&files), ["main>a", "main>b", "b>a"]);
    }
}
