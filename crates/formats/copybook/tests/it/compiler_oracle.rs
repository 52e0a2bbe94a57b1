//! The layout against the compiler itself: random records, their offsets and lengths as a
//! translated and compiled program prints them.

use std::fmt::Write as _;
use std::process::Command;

use transom_copybook::{FieldKind, Layout, ParseOptions, Profile, parse};
use transom_translator::{Options, Source, translate};

use crate::random::Random;

/// Records to compare.
const RECORDS: usize = 250;
const FLAGS: [&str; 7] = [
    "-std=ibm",
    "-free",
    "-fbinary-truncate",
    "-fsign=EBCDIC",
    "-fodoslide",
    "-frelax-syntax-checks",
    "-w",
];

const ELEMENTARY: &[&str] = &[
    "PIC X(5)",
    "PIC X",
    "PIC A(3)",
    "PIC 9(4)",
    "PIC S9(5)V99",
    "PIC S9(5) SIGN LEADING SEPARATE",
    "PIC S9(4) SIGN TRAILING SEPARATE",
    "PIC S9(3) SIGN LEADING",
    "PIC SV9(3)",
    "PIC 9(3)PP",
    "PIC S9(4) COMP",
    "PIC 9(9) COMP",
    "PIC S9(18) BINARY",
    "PIC S9(4) COMP-5",
    "PIC S9(9) COMP-5",
    "PIC 9(10) COMP-5",
    "PIC S9(4) COMP-3",
    "PIC 9(7)V99 PACKED-DECIMAL",
    "PIC 9(5) COMP-6",
    "COMP-1",
    "COMP-2",
    "INDEX",
    "POINTER",
    "POINTER SYNC",
    "BINARY-SHORT",
    "PIC ZZ,ZZ9.99-",
    "PIC $$,$$9.99CR",
    "PIC XX/XX",
    "PIC 99/99/9999",
    "PIC S9(9) COMP SYNC",
    "PIC S9(4) COMP SYNC",
    "PIC S9(18) COMP SYNC",
    "COMP-1 SYNC",
    "COMP-2 SYNC",
    "INDEX SYNCHRONIZED RIGHT",
    "SYNC LEFT PIC S9(9) COMP-5 VALUE 7",
];

/// Writes random items; names are `F1`, `F2`, ... A redefining item follows an item at times.
fn items(
    random: &mut Random,
    level: usize,
    depth: usize,
    tables: usize,
    next: &mut usize,
    out: &mut String,
) {
    let count = 1 + random.below(4);
    let mut before: Option<String> = None;
    for _ in 0..count {
        *next += 1;
        let name = format!("F{next}");
        let redefines = match &before {
            Some(b) if random.chance(15) => format!(" REDEFINES {b}"),
            _ => String::new(),
        };
        let table = redefines.is_empty() && tables < 3 && random.chance(20);
        let occurs = if table {
            format!(" OCCURS {}", 1 + random.below(4))
        } else {
            String::new()
        };
        let _ = write!(out, "           {level:02} {name}{redefines}");
        if depth > 0 && random.chance(35) {
            let usage = if random.chance(10) { " COMP-3" } else { "" };
            let group = if usage.is_empty() { "" } else { usage };
            let _ = writeln!(out, "{occurs}{group}.");
            if usage.is_empty() {
                items(
                    random,
                    level + 5,
                    depth - 1,
                    tables + usize::from(table),
                    next,
                    out,
                );
            } else {
                *next += 1;
                let _ = writeln!(out, "           {:02} F{next} PIC S9(5).", level + 5);
            }
        } else {
            let _ = writeln!(out, " {}{occurs}.", random.pick(ELEMENTARY));
        }
        before = (!table).then_some(name);
    }
}

fn record(random: &mut Random, next: &mut usize) -> String {
    *next += 1;
    let mut out = format!("       01 F{next}.\n");
    items(random, 5, 3, 0, next, &mut out);
    out
}

/// A program that prints name, offset and length of each field.
fn program(records: &[(String, Layout)]) -> String {
    let mut out = String::from(
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. ORACLE.\n       DATA DIVISION.\n       \
         WORKING-STORAGE SECTION.\n       01 AP PROCEDURE-POINTER.\n       01 AN REDEFINES AP PIC 9(18) COMP-5.\n       \
         01 BP PROCEDURE-POINTER.\n       01 BN REDEFINES BP PIC 9(18) COMP-5.\n       01 D1 PIC 9(9).\n       01 D2 PIC 9(9).\n",
    );
    for (text, _) in records {
        out.push_str(text);
    }
    out.push_str("       PROCEDURE DIVISION.\n");
    for (_, layout) in records {
        let base = &layout[layout.roots[0]].name;
        let _ = writeln!(out, "           SET BP TO ADDRESS OF {base}.");
        for id in layout.ids() {
            let mut tables = 0;
            let mut at = Some(id);
            while let Some(i) = at {
                tables += usize::from(layout[i].occurs.is_some());
                at = layout[i].parent;
            }
            let subscripts = if tables == 0 {
                String::new()
            } else {
                format!("({})", vec!["1"; tables].join(", "))
            };
            let name = &layout[id].name;
            let _ = writeln!(out, "           SET AP TO ADDRESS OF {name}{subscripts}.");
            let _ = writeln!(
                out,
                "           COMPUTE D1 = AN - BN.\n           MOVE LENGTH OF {name} TO D2."
            );
            let _ = writeln!(out, "           DISPLAY \"{name} \" D1 \" \" D2.");
        }
    }
    out.push_str("           STOP RUN.\n");
    out
}

#[test]
fn native_layout_is_what_the_compiler_does() {
    if Command::new("cobc").arg("--version").output().is_err() {
        transom_needed::skipped(format_args!("no cobc ({RECORDS} records)"));
        return;
    }
    let mut random = Random::new(20_261_120);
    let (mut next, mut slack) = (0, 0);
    let mut records: Vec<(String, Layout)> = Vec::new();
    while records.len() < RECORDS {
        let text = record(&mut random, &mut next);
        let (copybook, problems) = parse(&text, &ParseOptions::default());
        assert!(
            problems.iter().all(|p| !p.is_error()),
            "{text}\n{problems:#?}"
        );
        let layout =
            Layout::new(&copybook, Profile::Native).unwrap_or_else(|p| panic!("{text}\n{p:?}"));
        slack += layout
            .fields
            .iter()
            .map(|f| f.slack + f.tail_slack)
            .sum::<usize>();
        // Places of z/OS.
        let host = Layout::new(&copybook, Profile::Host).expect("laid out");
        for (ours, host) in layout.fields.iter().zip(&host.fields) {
            assert_eq!((ours.offset, ours.len), (host.offset, host.len), "{text}");
        }
        records.push((text, layout));
    }
    let dir = std::env::temp_dir().join(format!("transom-oracle-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary folder");
    let source = Source {
        name: "oracle.cbl",
        text: &program(&records),
    };
    let translated = translate(&source, &(), &Options::default());
    assert!(!translated.has_errors(), "{:#?}", translated.problems);
    std::fs::write(dir.join("oracle.cob"), translated.cobol_bytes()).expect("it is written");
    let built = Command::new("cobc")
        .args(["-x", "-o", "oracle"])
        .args(FLAGS)
        .arg("oracle.cob")
        .current_dir(&dir)
        .output();
    let built = built.expect("cobc runs");
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let ran = Command::new(dir.join("oracle"))
        .output()
        .expect("the program runs");
    let _ = std::fs::remove_dir_all(&dir);
    let printed = String::from_utf8_lossy(&ran.stdout);
    let mut lines = printed.lines();
    let mut compared = 0;
    let mut wrong = String::new();
    for (text, layout) in &records {
        let mut differences = String::new();
        for field in &layout.fields {
            let expected = lines.next().unwrap_or("nothing more");
            let ours = format!("{} {:09} {:09}", field.name, field.offset, field.len);
            if ours.trim() != expected.trim() {
                let _ = writeln!(differences, "compiler {expected} ours {ours}");
            }
            compared += usize::from(field.kind != FieldKind::Group);
        }
        if !differences.is_empty() {
            let _ = writeln!(wrong, "{text}{differences}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(slack > RECORDS, "{slack}");
    println!("{compared} elementary items and {slack} slack bytes compared");
}
