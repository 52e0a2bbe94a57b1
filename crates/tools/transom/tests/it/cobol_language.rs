//! Enterprise COBOL row by row: each row of the table has an example, which runs or is refused.
//!
//! Why one program for nearly all: a row costs a paragraph, not a compilation. The examples lie in
//! `tests/cobol/language`, in blocks: `= kind name`, then `d` lines for the DATA DIVISION, `p`
//! lines (and `b` lines, in area A) for the PROCEDURE DIVISION, `x` lines for paragraphs, `q` lines
//! in front of the program, `l` a program to link to, `>` what WOUT holds at the end, `!` words of
//! the message that refuses it.

use crate::files::logged_times;
use crate::harness::Programs;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use transom_translator::{Kind, Options, Row, Source, Status, language, translate};

/// Files of examples.
const EXAMPLES: &[&str] = &["statements.txt", "functions.txt", "data.txt"];
/// Bytes of a result in the COMMAREA of the frame.
const RESULT: usize = 60;

fn file(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cobol/language");
    std::fs::read_to_string(format!("{folder}/{name}")).unwrap()
}

#[derive(Default)]
struct Example {
    lines: Vec<(char, String)>,
}

impl Example {
    fn of(&self, kinds: &str) -> Vec<&str> {
        let lines = self.lines.iter().filter(|(k, _)| kinds.contains(*k));
        lines.map(|(_, text)| text.as_str()).collect()
    }

    fn one(&self, kind: char) -> Option<&str> {
        self.of(&kind.to_string()).first().copied()
    }
}

fn examples() -> BTreeMap<String, Example> {
    let mut all: BTreeMap<String, Example> = BTreeMap::new();
    let mut name = String::new();
    let text: String = EXAMPLES.iter().map(|name| file(name)).collect();
    for line in text.lines() {
        let (kind, text) = line.split_at(1);
        if kind == "=" {
            name = text.trim().to_owned();
            all.insert(name.clone(), Example::default());
        } else if let (Some(kind), Some(example)) = (kind.chars().next(), all.get_mut(&name)) {
            example.lines.push((kind, text.trim().to_owned()));
        }
    }
    all
}

fn key(row: &Row) -> String {
    let kind = format!("{:?}", row.kind).to_ascii_lowercase();
    format!("{kind} {}", row.name)
}

/// Data, calls and sections of some examples in the frame.
fn program(examples: &[(&str, &Example)]) -> String {
    let (mut data, mut calls, mut sections) = (String::new(), String::new(), String::new());
    for (n, (_, example)) in examples.iter().enumerate() {
        for line in example.of("d") {
            let _ = writeln!(data, "       {line}");
        }
        let row = n + 1;
        let _ = writeln!(
            calls,
            "           PERFORM ROW-{row}\n           MOVE WOUT TO ROW-OUT({row})"
        );
        let _ = writeln!(
            sections,
            "       ROW-{row} SECTION.\n       ROW-{row}-P.\n           MOVE SPACES TO WOUT."
        );
        for (kind, line) in &example.lines {
            match kind {
                'p' => {
                    let _ = writeln!(sections, "           {line}");
                }
                'b' => {
                    let _ = writeln!(sections, "       {line}");
                }
                _ => {}
            }
        }
        let _ = writeln!(sections, "           .");
        if !example.of("x").is_empty() {
            let _ = writeln!(sections, "       ROW-{row}-X SECTION.");
        }
        for line in example.of("x") {
            let indent = if line.starts_with(|c: char| c.is_ascii_uppercase())
                && line.split(' ').next().is_some_and(|w| w.ends_with('.'))
            {
                "       "
            } else {
                "           "
            };
            let _ = writeln!(sections, "{indent}{line}");
        }
    }
    let ahead: String = examples
        .iter()
        .flat_map(|(_, e)| e.of("q"))
        .map(|line| format!("       {line}\n"))
        .collect();
    let frame = file("FRAME.cbl")
        .replace("      *DATA\n", &data)
        .replace("      *CALLS\n", &calls)
        .replace("      *SECTIONS\n", &sections);
    folded(&(ahead + &frame))
}

/// Lines that reach beyond column 72 are broken at a blank outside literals.
fn folded(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut rest = line.to_owned();
        while rest.len() > 72 {
            let mut quoted = false;
            let mut cut = None;
            for (at, c) in rest.char_indices().take(72) {
                quoted ^= c == '\'';
                if c == ' ' && !quoted && at > 11 {
                    cut = Some(at);
                }
            }
            let cut = cut.expect("a blank to break at");
            let tail = format!("           {}", &rest[cut..]);
            rest.truncate(cut);
            out.push_str(&rest);
            out.push('\n');
            rest = tail;
        }
        out.push_str(&rest);
        out.push('\n');
    }
    out
}

#[test]
fn each_row_has_an_example_and_each_example_a_row() {
    let rows: Vec<String> = language()
        .iter()
        .filter(|r| r.kind != Kind::CompilerOption)
        .map(key)
        .collect();
    let examples = examples();
    for row in &rows {
        assert!(examples.contains_key(row), "no example: {row}");
    }
    for name in examples.keys() {
        assert!(rows.contains(name), "no row: {name}");
    }
}

#[test]
fn what_works_or_is_supplied_runs() {
    let all = examples();
    let runs: Vec<(&str, &Example)> = language()
        .iter()
        .filter(|r| r.kind != Kind::CompilerOption && r.status != Status::Refused)
        .filter_map(|r| all.get_key_value(&key(r)).map(|(k, e)| (k.as_str(), e)))
        .collect();
    let (linked, framed): (Vec<_>, Vec<_>) = runs.iter().partition(|(_, e)| e.one('l').is_some());
    // Members are looked for in `cobol/` too, where the fourth is P3.
    let copybook = "           MOVE 'COPIED' TO :TO:.\n";
    let others = [
        "LANGSUB.cbl",
        "LANGSTOP.cbl",
        "FAULTS.cbl",
        "LANGUSE.cbl",
        "LANGMRG.cbl",
    ]
    .map(file);
    let frame = program(&framed);
    let programs = Programs::new(&[
        &frame, &others[0], &others[1], copybook, &others[2], &others[3], &others[4],
    ]);
    let area = programs.link("LANGUAGE", &vec![b' '; RESULT * framed.len()]);
    let area = area.unwrap_or_else(|e| panic!("{e:?}\n{}", programs.log.lock().unwrap()));
    let mut wrong = String::new();
    for ((name, example), result) in framed.iter().zip(area.chunks(RESULT)) {
        let result = String::from_utf8_lossy(result).trim().to_owned();
        let wanted = example.one('>').unwrap_or_default();
        if result != wanted {
            let _ = writeln!(wrong, "{name}: {result:?} instead of {wanted:?}");
        }
    }
    for (name, example) in linked {
        let result = programs.text(example.one('l').unwrap(), &" ".repeat(20));
        if Some(result.trim()) != example.one('>') {
            let _ = writeln!(wrong, "{name}: {result:?}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    faults(&programs);
}

/// A bad argument of a supplied function ends the task, not the worker, and the log says which.
fn faults(programs: &Programs) {
    let of = |text: &str| programs.text("FAULTS", &format!("{text:<20}"));
    let logged = |words: &str| logged_times(programs, words, 1);
    assert!(of("NULL").contains("ASRA"), "{}", of("NULL"));
    logged("argument 1 of FUNCTION HEX-OF lies nowhere");
    assert!(of("PAGE").contains("4038"), "{}", of("PAGE"));
    logged("FUNCTION NATIONAL-OF: code page 930 is not known here");
    assert!(of("CHARS").contains("4038"), "{}", of("CHARS"));
    logged("FUNCTION USUBSTR: there are no 3 characters from 2 on");
    for (text, words) in [
        ("LETTERS", "FUNCTION NUMVAL is no number: '12A', position 3"),
        (
            "COMMA",
            "FUNCTION NUMVAL is no number: '1,234.5', position 2",
        ),
        (
            "SIGNS",
            "FUNCTION NUMVAL-C is no number: '-$12- ', position 5",
        ),
        (
            "EXPONENT",
            "FUNCTION NUMVAL-F is no number: '1E', position 3",
        ),
    ] {
        assert!(of(text).contains("4038"), "{text}: {}", of(text));
        logged(words);
    }
    assert_eq!(of("BLANKS").trim(), "0001");
    assert_eq!(of("ABC").trim(), "4243");
}

#[test]
fn what_is_refused_says_so_at_its_line() {
    let all = examples();
    let mut wrong = String::new();
    for row in language().iter().filter(|r| r.status == Status::Refused) {
        let Some(example) = all.get(&key(row)) else {
            continue;
        };
        let text = program(&[(row.name, example)]);
        let source = Source {
            name: "LANGUAGE.cbl",
            text: &text,
        };
        let translated = translate(&source, &(), &Options::default());
        let words = example.one('!').unwrap_or_default();
        let told = translated
            .problems
            .iter()
            .find(|p| p.id() == "TXMTR0031E" && p.words().contains(words));
        let line = told.and_then(|p| text.lines().nth(p.place.line as usize - 1));
        let mut own = example.of("dpbq").into_iter();
        if !line.is_some_and(|line| own.any(|o| o.starts_with(line.trim()))) {
            let _ = writeln!(wrong, "{}: {line:?} {:#?}", row.name, translated.problems);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn compiler_options_do_what_the_table_says() {
    for row in language().iter().filter(|r| r.kind == Kind::CompilerOption) {
        let wanted = match row.status {
            Status::Refused => Some("TXMTR0031E"),
            Status::Warned => Some("TXMTR0032W"),
            _ => None,
        };
        for option in row.name.split(", ") {
            let forms = [option.to_owned(), format!("{option}(X)")];
            let told: Vec<Option<&str>> = forms
                .iter()
                .map(|form| {
                    let text = format!("       CBL LIST,{form}\n{}", program(&[]));
                    let source = Source {
                        name: "LANGUAGE.cbl",
                        text: &text,
                    };
                    let out = translate(&source, &(), &Options::default());
                    assert!(
                        out.problems.iter().all(|p| p.place.line == 1),
                        "{:?}",
                        out.problems
                    );
                    out.problems.first().map(|p| p.id())
                })
                .collect();
            let right = match wanted {
                Some(id) => told.contains(&Some(id)),
                None => told == [None, None],
            };
            assert!(right, "{option}: {told:?}");
        }
    }
}
