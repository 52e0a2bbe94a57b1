//! The walks of ARCHITECTURE.md and the recipes of CONTRIBUTING.md name functions that exist.
//!
//! What: a name in code type behind a link to a source file must be a function or type of that
//! file; in a recipe, one that stands as "`name` of [file]" or "`name` in [file]". Why: a walk that
//! leads to a function that is gone is worse than none. Not here: whether the order of the steps is
//! true (a person's task).

use crate::tokens::tokens;
use std::fs;
use std::path::Path;

/// Words that introduce a name in Rust.
const INTRODUCE: [&str; 9] = [
    "fn", "struct", "enum", "trait", "type", "const", "static", "union", "mod",
];

/// Checks the walks of a page that lies in the root.
pub(crate) fn check(root: &Path, page: &str, problems: &mut Vec<String>) {
    let text = fs::read_to_string(root.join(page)).unwrap_or_default();
    for step in steps(&text) {
        for (name, file) in names(&step) {
            let Some(file) = file else {
                problems.push(format!(
                    "{page}: `{name}` stands before the link to its file"
                ));
                continue;
            };
            has(root, page, (name, file), problems);
        }
    }
}

/// Checks the recipes of a page that lies in the root.
pub(crate) fn check_recipes(root: &Path, page: &str, problems: &mut Vec<String>) {
    let text = fs::read_to_string(root.join(page)).unwrap_or_default();
    for named in of_files(&text) {
        has(root, page, named, problems);
    }
}

fn has(root: &Path, page: &str, (name, file): (&str, &str), problems: &mut Vec<String>) {
    let source = fs::read_to_string(root.join(file)).unwrap_or_default();
    if !defines(&source, name, file.ends_with(".rs")) {
        problems.push(format!("{page}: {file} has no `{name}`"));
    }
}

/// The numbered steps below headings that begin with `Walk`, each as one line.
fn steps(text: &str) -> Vec<String> {
    let mut steps: Vec<String> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            inside = heading.starts_with("Walk");
        } else if !inside {
        } else if line.starts_with(|c: char| c.is_ascii_digit()) {
            steps.push(line.to_owned());
        } else if let (Some(step), true) = (steps.last_mut(), line.starts_with("  ")) {
            step.push(' ');
            step.push_str(line.trim());
        }
    }
    steps
}

/// Names in code type, each with the source file linked around it, else before it.
fn names(step: &str) -> Vec<(&str, Option<&str>)> {
    let mut found = Vec::new();
    let mut file = None;
    let parts: Vec<&str> = step.split('`').collect();
    for (at, part) in parts.iter().enumerate() {
        if at % 2 == 0 {
            file = part.split("](").skip(1).last().map_or(file, source_file);
        } else if is_name(part) {
            let around = parts.get(at + 1).and_then(|next| next.strip_prefix("]("));
            found.push((*part, around.map_or(file, source_file)));
        }
    }
    found
}

/// Names in code type right in front of "of" or "in" and the link to a source file.
fn of_files(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let parts: Vec<&str> = text.split('`').collect();
    for pair in parts.windows(2).skip(1).step_by(2) {
        let behind = pair[1].trim_start();
        let link = ["of", "in"].iter().find_map(|word| {
            let link = behind.strip_prefix(word)?.trim_start();
            link.strip_prefix('[')?.split_once("](")
        });
        if let (true, Some(file)) = (is_name(pair[0]), link.and_then(|(_, to)| source_file(to))) {
            found.push((pair[0], file));
        }
    }
    found
}

/// The target of a link, when it is a source; `rest` is the text behind `](`.
fn source_file(rest: &str) -> Option<&str> {
    let target = rest.split(')').next()?;
    (target.ends_with(".rs") || target.ends_with(".c")).then_some(target)
}

/// `link`, `Region::link`, `TXMEXEC`; not `EXEC CICS RETURN` or a path.
fn is_name(text: &str) -> bool {
    text.split("::")
        .all(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

/// True when the file introduces the name, and names the type before `::`.
fn defines(source: &str, name: &str, is_rust: bool) -> bool {
    let tokens = tokens(source);
    let (of, name) = name.rsplit_once("::").unwrap_or(("", name));
    let introduced = tokens.windows(2).any(|pair| {
        let rust = INTRODUCE.iter().any(|word| pair[0].is(word)) && pair[1].is(name);
        let c = pair[0].is(name) && pair[1].is("(");
        if is_rust { rust } else { c }
    });
    introduced && (of.is_empty() || tokens.iter().any(|t| t.is(of)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "
## Walk 1: a request
1. [serve.rs](a/serve.rs) `accept`, `Exchange::call`: `PUT /a`, by
   [level.c](a/level.c) `txm_run`.
2. calls [`Region::link`](a/lib.rs) with `data`.
## The rooms
1. `elsewhere`
";

    #[test]
    fn names_of_a_walk() {
        let steps = steps(PAGE);
        assert_eq!(steps.len(), 2);
        let serve = Some("a/serve.rs");
        let level = Some("a/level.c");
        let first = [
            ("accept", serve),
            ("Exchange::call", serve),
            ("txm_run", level),
        ];
        assert_eq!(names(&steps[0]), first);
        let lib = Some("a/lib.rs");
        assert_eq!(names(&steps[1]), [("Region::link", lib), ("data", lib)]);
    }

    #[test]
    fn names_of_a_recipe() {
        let text = "1. `Row` goes to `config` of\n   [region.rs](a/region.rs), `make docs` in [it](b.md).\n\
            2. As `serve` in [run.rs](a/run.rs), `a/b.rs`.";
        let (config, serve) = (("config", "a/region.rs"), ("serve", "a/run.rs"));
        assert_eq!(of_files(text), [config, serve]);
    }

    #[test]
    fn a_name_must_be_introduced() {
        let source = "impl Exchange { fn call(&self) { accept() } }";
        assert!(defines(source, "Exchange::call", true));
        assert!(!defines(source, "Region::call", true));
        assert!(!defines(source, "accept", true));
        assert!(defines("int txm_run(int a);", "txm_run", false));
    }
}
