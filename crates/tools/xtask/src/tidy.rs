//! Rules of the house that are checked on the files themselves.
//!
//! What: which room may see which, sizes, purity, message ids, links, and what the house does not
//! keep to yet. Why: a compiler checks none of it, and a rule nobody checks is a wish. Not here:
//! format and lint (cargo), generated pages (`docs`).

use crate::errors::string_errors;
use crate::functions::Counted;
use crate::literals::literal_answers;
use crate::messages::Used;
use crate::ratchet::{Numbers, Ratchet};
use crate::tree::{Source, pages, rooms, sources};
use crate::{arrows, graph, sizes, unused, walks};
use std::path::Path;

/// Rooms whose files are commands.
const COMMAND_ROOMS: [&str; 4] = [
    "crates/region/commands",
    "crates/region/data",
    "crates/region/rdo",
    "crates/region/units",
];
/// Longest source file; tests, tables and generated files aside.
const FILE_LINES_MAX: usize = 400;
/// Longest line of a test; longer ones hide programs and documents in escaped strings.
const TEST_COLUMNS_MAX: usize = 200;
/// Longest line of a comment; `cargo fmt` wraps code at the same column.
const COLUMNS_MAX: usize = 100;
/// Words that the product of some rooms may not use, and why.
const BANNED: &[Ban] = &[
    Ban {
        rooms: &["crates/formats/"],
        words: &[
            "std::fs",
            "std::net",
            "std::thread",
            "std::env",
            "tokio::",
            "SystemTime::now",
            "Instant::now",
        ],
        except: &["build.rs"],
        tests: false,
        why: "a format is pure",
    },
    Ban {
        rooms: &["crates/doors/", "crates/region/"],
        words: &["println!", "print!("],
        // The one prints what a test skips; of the other somebody reads nothing else.
        except: &["build.rs", "conformance/cluster.rs", "zygote.rs"],
        tests: false,
        why: "what is to be said is told to the operator",
    },
    Ban {
        rooms: &[
            "crates/doors/",
            "crates/region/commands",
            "crates/region/data",
            "crates/region/security",
            "crates/region/server",
            "crates/region/intersystem",
        ],
        words: &["thread::sleep"],
        except: &[],
        tests: false,
        why: "a thread that serves others does not sleep",
    },
    Ban {
        rooms: &["crates/region/server", "crates/region/security"],
        words: &[
            "Instant::now",
            "SystemTime::now",
            ".elapsed()",
            "tokio::time",
            "thread::sleep",
        ],
        // A clock moved by hand begins somewhere.
        except: &["src/clock.rs", "tests/it/fake_clock.rs"],
        tests: true,
        why: "the room has one clock (src/clock.rs), which tests move by hand",
    },
];

struct Ban {
    /// Rooms; a shelf ends with `/`.
    rooms: &'static [&'static str],
    words: &'static [&'static str],
    /// Endings of files that may use them.
    except: &'static [&'static str],
    /// Tests may not use them either.
    tests: bool,
    why: &'static str,
}

/// All problems found below the root, each with file and reason.
pub(crate) fn run(root: &Path) -> Vec<String> {
    let (mut problems, ratchets) = read(root);
    for ratchet in ratchets {
        ratchet.check(root, &mut problems);
    }
    problems
}

/// Writes the lists of what is still allowed, where that has become less.
pub(crate) fn lower(root: &Path) -> Vec<String> {
    let mut problems = Vec::new();
    for ratchet in read(root).1 {
        ratchet.lower(root, &mut problems);
    }
    problems
}

/// Problems, and what is held against a list.
fn read(root: &Path) -> (Vec<String>, [Ratchet; 6]) {
    let mut problems = Vec::new();
    let mut used = Used::default();
    let mut counted = Counted::default();
    let (mut wide, mut files) = (Numbers::new(), Numbers::new());
    let rooms = rooms(root);
    for room in &rooms {
        let mut of_room = 0;
        for source in sources(root, room, &["rs", "c", "h"]) {
            check_file(&source, room, &mut used, &mut problems);
            let lines = code_of(&source).lines().count();
            if !source.is_test() {
                of_room += lines;
            }
            if !source.is_test() && !source.is_table() && lines > FILE_LINES_MAX {
                files.insert(source.short_name().to_owned(), lines);
            }
            if source.name.ends_with(".rs") {
                counted.read(room, &source);
            }
            match wide_comments(&source.text) {
                0 => {}
                lines => *wide.entry(room.clone()).or_default() += lines,
            }
        }
        sizes::check(room, of_room, &mut problems);
        unused::check(root, room, &mut problems);
    }
    used.check(&mut problems);
    arrows::check(root, &rooms, &mut problems);
    walks::check(root, "ARCHITECTURE.md", &mut problems);
    walks::check_recipes(root, "CONTRIBUTING.md", &mut problems);
    check_map(root, &rooms, &mut problems);
    check_links(root, &mut problems);
    let ratchets = [
        Ratchet::new("files", "lines of a file", files),
        Ratchet::new("functions", "lines of a function", counted.long),
        Ratchet::new(
            "by_hand",
            "functions that encode or decode",
            counted.by_hand,
        ),
        Ratchet::new("messages", "message ids written by hand", used.by_hand()),
        Ratchet::new("comments", "comment lines over 100 columns", wide),
        Ratchet::new("circles", "files in circles", graph::in_circles(root)),
    ];
    (problems, ratchets)
}

fn check_file(source: &Source, room: &str, used: &mut Used, problems: &mut Vec<String>) {
    let (name, text) = (&source.name, &source.text);
    let is_rust = name.ends_with(".rs");
    let is_test = source.is_test();
    let code = code_of(source);
    if !is_test {
        used.read(name, code);
    }
    if is_rust && !text.starts_with("//!") && !is_test {
        problems.push(format!("{name}: does not begin with a module doc (//!)"));
    }
    if is_rust && text.lines().any(|l| l.ends_with(' ') || l.contains('\t')) && !is_test {
        problems.push(format!("{name}: trailing blanks or tabs"));
    }
    let long = |line: &str| line.chars().count() > TEST_COLUMNS_MAX;
    if is_rust && is_test && text.lines().any(long) {
        problems.push(format!(
            "{name}: lines over {TEST_COLUMNS_MAX} characters: a program is a file"
        ));
    }
    for ban in BANNED.iter().filter(|ban| ban.is_for(room, source)) {
        let code = if ban.tests { text } else { code };
        for word in ban.words.iter().filter(|w| code.contains(**w)) {
            problems.push(format!("{name}: may not use {word}: {}", ban.why));
        }
    }
    if COMMAND_ROOMS.contains(&room) && !is_test {
        for option in literal_answers(code) {
            problems.push(format!(
                "{name}: {option} is answered with a literal: say ~constant=VALUE in the command table"
            ));
        }
    }
    let typed = room.starts_with("crates/region/") || room.starts_with("crates/doors/");
    if is_rust && !is_test && typed && string_errors(code) > 0 {
        problems.push(format!(
            "{name}: a text is no error: give it a type, or a message"
        ));
    }
    let may_be_unsafe = is_test
        || matches!(
            room,
            "crates/region/workers"
                | "crates/region/processors"
                | "crates/region/language_environment"
                | "crates/region/sandbox"
                | "crates/region/datasets"
                | "crates/region/batch"
                | "crates/region/cobol"
                | "crates/region/sqlview"
                | "crates/region/time"
        );
    if name.ends_with("src/lib.rs") && !may_be_unsafe && !text.contains("#![forbid(unsafe_code)]") {
        problems.push(format!("{name}: needs #![forbid(unsafe_code)]"));
    }
}

impl Ban {
    fn is_for(&self, room: &str, source: &Source) -> bool {
        let name = &source.name;
        let is_of =
            |rooms: &&str| room == *rooms || rooms.ends_with('/') && room.starts_with(*rooms);
        self.rooms.iter().any(is_of)
            && !self.except.iter().any(|ending| name.ends_with(ending))
            && (self.tests || !source.is_test())
    }
}

/// The text without the tests at its end.
fn code_of(source: &Source) -> &str {
    let code = source.text.split("#[cfg(test)]\nmod tests").next();
    code.unwrap_or_default()
}

/// Lines that are nothing but comment and too long; an address cannot be wrapped.
fn wide_comments(text: &str) -> usize {
    let comments = text.lines().filter(|line| {
        let line = line.trim_start();
        line.starts_with("//") || line.starts_with("* ")
    });
    let wide = comments.filter(|line| line.chars().count() > COLUMNS_MAX);
    wide.filter(|line| !line.contains("://")).count()
}

/// Every room is in ARCHITECTURE.md.
fn check_map(root: &Path, rooms: &[String], problems: &mut Vec<String>) {
    let map = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap_or_default();
    for room in rooms {
        if !map.contains(&format!("**{room}**")) {
            problems.push(format!("ARCHITECTURE.md: has no paragraph for {room}"));
        }
    }
}

/// Links of the pages people read point at files of the project.
fn check_links(root: &Path, problems: &mut Vec<String>) {
    for page in pages(root) {
        let path = root.join(&page.name);
        let folder = path.parent().unwrap_or(root);
        for target in links(&page.text) {
            let path = target.split('#').next().unwrap_or_default();
            if !path.is_empty() && !path.contains("://") && !folder.join(path).exists() {
                problems.push(format!("{}: {target} does not exist", page.name));
            }
        }
    }
}

/// Targets of `[text](target)`; fenced blocks are text of somebody else.
fn links(text: &str) -> Vec<&str> {
    let prose = text.split("\n```").step_by(2);
    prose
        .flat_map(|part| part.split("](").skip(1))
        .filter_map(|rest| rest.split(')').next())
        .filter(|target| !target.contains(char::is_whitespace))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_a_page() {
        let page =
            "See [a](a.md), [b](b/c.md#part).\n\n```sh\n[x](y.md)\n```\nAnd [d](http://e).\n";
        assert_eq!(links(page), ["a.md", "b/c.md#part", "http://e"]);
    }

    #[test]
    fn the_region_has_one_clock() {
        let problems = |name: &str, text: &str| {
            let (name, text) = (name.to_owned(), format!("//! A file.\n{text}"));
            let mut problems = Vec::new();
            let source = Source { name, text };
            check_file(
                &source,
                "crates/region/server",
                &mut Used::default(),
                &mut problems,
            );
            problems.len()
        };
        let asks = "fn f() { Instant::now(); }";
        assert_eq!(problems("crates/region/server/src/tasks.rs", asks), 1);
        assert_eq!(problems("crates/region/server/tests/it/tasks.rs", asks), 1);
        assert_eq!(problems("crates/region/server/src/clock.rs", asks), 0);
        let tests = "#[cfg(test)]\nmod tests { fn f() { tokio::time::sleep(x).await } }";
        assert_eq!(problems("crates/region/server/src/tasks.rs", tests), 1);
    }

    #[test]
    fn comments_are_as_wide_as_code() {
        let line = |length: usize| format!("    /// {}", "x".repeat(length - 8));
        assert_eq!(wide_comments(&line(100)), 0);
        assert_eq!(wide_comments(&line(101)), 1);
        assert_eq!(wide_comments(&line(150).replace("xxx", "://")), 0);
        assert_eq!(
            wide_comments(&format!("let a = \"{}\";", "x".repeat(100))),
            0
        );
    }
}
