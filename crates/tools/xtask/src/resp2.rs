//! `docs/reference/resp2.md`: conditions and RESP2 of each command.
//!
//! What: the file of a command says its conditions above its code, in a paragraph that begins with
//! `Conditions:`; this collects them by the rows that dispatch commands. Why from sources: a number
//! stands beside the code that raises it, and nowhere else. What a resource kind's file says
//! (`missing`) is the row of INQUIRE, SET and DISCARD of that kind. Not here: whether CICS raises
//! the same (`docs/provenance.md`).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Rows of commands, and where the paths of their functions begin.
const TABLES: [(&str, &str); 3] = [
    (
        "crates/region/commands/src/dispatch.rs",
        "crates/region/commands/src",
    ),
    ("crates/region/data/src/lib.rs", "crates/region/data/src"),
    ("crates/region/rdo/src/lib.rs", "crates/region/rdo/src"),
];
/// Functions of another room in such rows, and where their paths begin.
const OTHERS: [(&str, &str); 1] = [("transom_region_units::", "crates/region/units/src")];
/// Files of resource kinds.
const KINDS: &str = "crates/formats/kinds/table";

const HEAD: &str = "# RESP2 by command

Generated from the sources of the commands; do not edit.

A condition and its RESP2 values, and what each says. Besides, any command may raise these:

| RESP | RESP2 | when |
| --- | --- | --- |
| INVREQ | 990 | the command is not implemented ([commands](commands.md) says which are) |
| INVREQ | 991 | an option of it is not |
| INVREQ | 992, 993 | a value of SET that is none, where the number of CICS is not known |
| NOTAUTH | 100 | CMDSEC: the user may not use the command |
| NOTAUTH | 101 | RESSEC: the user may not use the resource |
| ILLOGIC | 1 | START during a browse of INQUIRE, NEXT or END without one |
| END | 2 | NEXT: there are no more |
| SYSIDERR | | the other system is not known, or not there |
| CSDERR | 1, 3 | CSD commands: the definitions cannot be read; they are as many as there may be |
| INVREQ | 200 | CSD commands that change, in a program linked to from another region without SYNCONRETURN |

`none` at a command: it raises no condition of its own. Commands that are not here are not implemented: INVREQ 990.

| command | conditions |
| --- | --- |
";

/// The page.
pub(crate) fn page(root: &Path) -> Result<String, String> {
    let mut rows = BTreeMap::new();
    for (table, base) in TABLES {
        for (command, function) in entries(&read(root, table)?) {
            let command = command.replace('_', " ");
            let (base, function) = place(base, &function);
            let said = conditions(&root.join(base), function);
            let said = said
                .ok_or_else(|| format!("{base}: {function} of {command} says no `Conditions:`"))?;
            rows.insert(command, said);
        }
    }
    kinds(root, &mut rows)?;
    if rows.len() < 200 {
        return Err(format!("resp2.md: only {} commands", rows.len()));
    }
    let mut out = HEAD.to_owned();
    for (command, text) in rows {
        let _ = writeln!(out, "| {command} | {} |", text.replace('|', "/"));
    }
    Ok(out)
}

/// Commands and the paths of their functions.
fn entries(source: &str) -> Vec<(String, String)> {
    let lines = source.lines().map(str::trim);
    let row = |line: &str| {
        let (command, function) = line.strip_prefix("(cmd::")?.split_once(", ")?;
        let end = function.find([')', '<'])?;
        let path = function[..end].trim_end_matches("::");
        let path = path.strip_prefix("crate::").unwrap_or(path);
        Some((command.to_owned(), path.to_owned()))
    };
    lines.filter_map(row).collect()
}

/// The folder where the path of a function begins, and the path in it.
fn place<'a>(base: &'static str, function: &'a str) -> (&'static str, &'a str) {
    let mut others = OTHERS.iter();
    let other = others.find_map(|(front, base)| Some((*base, function.strip_prefix(front)?)));
    other.unwrap_or((base, function))
}

/// What the function's own words say, else those of its file, else of its folder.
fn conditions(base: &Path, function: &str) -> Option<String> {
    let mut path: Vec<&str> = function.split("::").collect();
    let name = path.pop()?;
    let file = path.join("/");
    let candidates = [format!("{file}.rs"), format!("{file}/mod.rs")];
    let mut found = candidates
        .iter()
        .filter_map(|file| fs::read_to_string(base.join(file)).ok());
    let source = found.next()?;
    path.pop();
    let folder = base.join(path.join("/"));
    let beside = |file: &str| {
        let source = fs::read_to_string(folder.join(file)).ok()?;
        paragraph(&of_file(&source))
    };
    let own = of_function(&source, name).and_then(|text| paragraph(&text));
    let text = own
        .or_else(|| paragraph(&of_file(&source)))
        .or_else(|| beside("mod.rs"))?;
    Some(with_those_of(text, |name| {
        let file = format!("{name}.rs");
        let above = folder.parent().unwrap_or(&folder);
        let folders = [folder.as_path(), above];
        let mut sources = folders
            .iter()
            .filter_map(|folder| fs::read_to_string(folder.join(&file)).ok());
        let source = sources.next()?;
        paragraph(&of_file(&source)).or_else(|| of_all_functions(&source))
    }))
}

/// The first sentence of conditions of each function that says some.
fn of_all_functions(source: &str) -> Option<String> {
    let mut all = Vec::new();
    let mut doc = Vec::new();
    for line in source.lines().map(str::trim) {
        match line.strip_prefix("///") {
            Some(text) => doc.push(text),
            None => {
                let text = paragraph(&joined(std::mem::take(&mut doc).into_iter()));
                let first = text.as_deref().and_then(|text| text.split(". ").next());
                all.extend(first.map(|text| text.trim_end_matches('.').to_owned()));
            }
        }
    }
    (!all.is_empty()).then(|| all.join("; "))
}

/// ``those of `access` and `rid`; ..`` with what these files say.
fn with_those_of(text: String, beside: impl Fn(&str) -> Option<String>) -> String {
    let Some(rest) = text.strip_prefix("those of `") else {
        return text;
    };
    let (files, own) = rest
        .split_once(';')
        .unwrap_or((rest.trim_end_matches('.'), ""));
    let named = files.split('`').step_by(2);
    let all: Option<Vec<String>> = named
        .filter(|name| !name.is_empty())
        .map(|name| Some(beside(name)?.trim_end_matches('.').to_owned()))
        .collect();
    match all {
        Some(all) if own.is_empty() => format!("{}.", all.join("; ")),
        Some(all) => format!("{};{own}", all.join("; ")),
        None => text,
    }
}

/// From `Conditions:` to the end of its paragraph.
fn paragraph(doc: &str) -> Option<String> {
    let at = ["Conditions:", "Condition:"]
        .iter()
        .filter_map(|word| Some((doc.find(word)?, word.len())))
        .min()?;
    let rest = doc.get(at.0 + at.1..)?;
    let end = rest.find("\n\n").unwrap_or(rest.len());
    let text: Vec<&str> = rest[..end].split_whitespace().collect();
    Some(text.join(" "))
}

/// The document of a file.
fn of_file(source: &str) -> String {
    let lines = source.lines().filter_map(|line| line.strip_prefix("//!"));
    joined(lines)
}

/// The document of a function.
fn of_function(source: &str, name: &str) -> Option<String> {
    let head = format!("fn {name}");
    let lines: Vec<&str> = source.lines().collect();
    let is = |line: &&str| {
        let mut parts = line.split(&head);
        let (before, after) = (parts.next().unwrap_or_default(), parts.next());
        before.starts_with("pub") && after.is_some_and(|rest| rest.starts_with(['(', '<']))
    };
    let at = lines.iter().position(is)?;
    let above = lines[..at].iter().rev();
    let mut doc: Vec<&str> = above
        .take_while(|line| line.starts_with("///") || line.starts_with("#["))
        .filter_map(|line| line.strip_prefix("///"))
        .collect();
    doc.reverse();
    Some(joined(doc.into_iter()))
}

fn joined<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let lines: Vec<&str> = lines.map(str::trim).collect();
    lines.join("\n")
}

/// INQUIRE, SET and DISCARD of kinds whose file says which condition a missing resource is.
fn kinds(root: &Path, rows: &mut BTreeMap<String, String>) -> Result<(), String> {
    let folder = root.join(KINDS);
    let files = fs::read_dir(&folder).map_err(|e| format!("{KINDS}: {e}"))?;
    for file in files.flatten() {
        let Ok(text) = fs::read_to_string(file.path()) else {
            continue;
        };
        let word = |head: &str| {
            let mut lines = text.lines();
            lines.find_map(|line| line.strip_prefix(head))
        };
        let (Some(kind), Some(missing)) = (word("kind "), word("missing ")) else {
            continue;
        };
        let kind = kind.split(' ').next().unwrap_or_default();
        let mut words = missing.split(' ');
        let condition = words.next().unwrap_or_default();
        for (verb, number) in ["INQUIRE", "SET", "DISCARD"].iter().zip(words) {
            let works = format!("command {verb} works");
            if text.contains(&works) {
                let row = format!("{condition} {number} (there is none).");
                rows.entry(format!("{verb} {kind}")).or_insert(row);
            }
        }
    }
    Ok(())
}

fn read(root: &Path, file: &str) -> Result<String, String> {
    fs::read_to_string(root.join(file)).map_err(|e| format!("{file}: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_ends_at_a_blank_line() {
        let source = "//! EXEC CICS X.\n//!\n//! Conditions: INVREQ 1 (no), 2\n//! (never).\n//!\n//! More.\n";
        let text = paragraph(&of_file(source));
        assert_eq!(text.as_deref(), Some("INVREQ 1 (no), 2 (never)."));
        assert_eq!(paragraph("nothing"), None);
    }

    #[test]
    fn those_of_other_files_are_told() {
        let beside = |name: &str| (name != "none").then(|| format!("INVREQ of {name}."));
        let of = |text: &str| with_those_of(text.to_owned(), beside);
        assert_eq!(
            of("those of `a`, `b` and `c`; END 1."),
            "INVREQ of a; INVREQ of b; INVREQ of c; END 1."
        );
        assert_eq!(of("those of `a`."), "INVREQ of a.");
        assert_eq!(of("those of `none`."), "those of `none`.");
        assert_eq!(of("END 1."), "END 1.");
    }

    #[test]
    fn a_function_may_say_more_than_its_file() {
        let source = "//! Conditions: END 2.\n\n/// NEXT. Conditions: TOKENERR 3.\npub(crate) fn next(cx: &mut Cx<'_>) -> Done {\n";
        let text = of_function(source, "next").and_then(|text| paragraph(&text));
        assert_eq!(text.as_deref(), Some("TOKENERR 3."));
        let rows = entries("    (cmd::CSD_ADD, add::add),\n    (cmd::X, crate::a::b::<T>),\n");
        assert_eq!(rows[0], ("CSD_ADD".into(), "add::add".into()));
        assert_eq!(rows[1].1, "a::b");
    }
}
