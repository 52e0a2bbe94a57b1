//! Turns the little test programs into modules: expands `{{COMMAND OPTION=arg ...}}` into the CALLs
//! the translator writes, and compiles with cobc.

use crate::commands::{command, option};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use transom_commands::abi::Descriptor;

const FLAGS: &[&str] = &[
    "-m",
    "-std=ibm",
    "-O2",
    "-fbinary-truncate",
    "-fsign=EBCDIC",
    "-fodoslide",
    "-fstack-check",
    "-fstack-size=512",
    "-fec=EC-DATA-INCOMPATIBLE",
    "-fec=EC-BOUND",
    "-frelax-syntax-checks",
    "-K",
    "TXMEXEC",
    "-K",
    "TXMENTRY",
];

/// cobc is there.
pub(crate) fn available() -> bool {
    Command::new("cobc")
        .arg("--version")
        .output()
        .is_ok_and(|o| o.status.success())
}

/// Compiles every program of the data folder.
pub(crate) fn compile_all(data: &Path, out: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let sources = std::fs::read_dir(data).expect("tests/data");
    let mut sources: Vec<PathBuf> = sources.map(|e| e.expect("entry").path()).collect();
    sources.retain(|p| p.extension().is_some_and(|e| e == "cbl"));
    sources.sort();
    for path in sources {
        let name = path
            .file_stem()
            .expect("name")
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(&path).expect("source");
        compile(&name, &text, out);
        names.push(name);
    }
    names
}

/// Compiles one program.
pub(crate) fn compile(name: &str, text: &str, out: &Path) {
    let source = out.join(format!("{name}.cbl"));
    let module = out.join(format!("{name}.so"));
    let text = expand(text);
    if module.exists() && std::fs::read_to_string(&source).is_ok_and(|old| old == text) {
        return;
    }
    let _ = std::fs::remove_file(&module);
    std::fs::write(&source, text).expect("source");
    let done = Command::new("cobc")
        .args(FLAGS)
        .arg(&source)
        .current_dir(out)
        .output();
    let done = done.expect("cobc");
    assert!(
        done.status.success(),
        "{name}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
}

fn expand(text: &str) -> String {
    let labels = text
        .lines()
        .find_map(|l| l.trim().strip_prefix("*LABELS "))
        .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut descriptors = String::new();
    let mut body = String::new();
    let mut count = 0;
    for (i, line) in text.lines().enumerate() {
        let Some(inner) = line
            .trim()
            .strip_prefix("{{")
            .and_then(|l| l.strip_suffix("}}"))
        else {
            body.push_str(line);
            body.push('\n');
            continue;
        };
        if inner == "STORAGE" {
            body.push_str("{{STORAGE}}\n");
            continue;
        }
        count += 1;
        let (descriptor, arguments) = parse(inner, i as u32 + 1);
        let bytes = descriptor.encode().expect("descriptor");
        let mut hex = String::new();
        bytes
            .iter()
            .for_each(|b| write!(hex, "{b:02X}").expect("hex"));
        let n = bytes.len();
        writeln!(descriptors, "       01 TXM-D{count} PIC X({n}) VALUE").expect("text");
        for chunk in hex.as_bytes().chunks(48) {
            let more = if std::ptr::eq(chunk.as_ptr_range().end, hex.as_bytes().as_ptr_range().end)
            {
                "."
            } else {
                " &"
            };
            let chunk = std::str::from_utf8(chunk).expect("ascii");
            writeln!(descriptors, "           X'{chunk}'{more}").expect("text");
        }
        writeln!(body, "           CALL 'TXMEXEC' USING TXM-D{count}").expect("text");
        arguments
            .iter()
            .for_each(|a| writeln!(body, "               {a}").expect("text"));
        writeln!(body, "               RETURNING TXM-BRANCH").expect("text");
        if descriptor.flags & 2 != 0 {
            writeln!(body, "           IF TXM-BRANCH = -1 GOBACK END-IF").expect("text");
        }
        if let Some(labels) = &labels {
            writeln!(body, "           GO TO {labels} DEPENDING ON TXM-BRANCH").expect("text");
        }
    }
    descriptors.push_str("       01 TXM-NAME PIC X(8) VALUE 'TESTPGM'.\n");
    descriptors.push_str("       01 TXM-BRANCH PIC S9(8) COMP-5 VALUE 0.\n");
    body.replace("{{STORAGE}}\n", &descriptors)
}

fn parse(text: &str, line: u32) -> (Descriptor, Vec<String>) {
    let mut words = text.split_whitespace();
    let name = words.next().expect("command");
    let mut d = Descriptor {
        command: command(name),
        line,
        ..Descriptor::default()
    };
    let mut arguments = Vec::new();
    for word in words {
        if word == "GOBACK" {
            d.flags |= 2;
        } else if let Some((option_name, label)) = word.split_once(':') {
            d.labels
                .push((option(option_name), label.parse().expect("label")));
        } else if let Some((option_name, argument)) = word.split_once('=') {
            d.arguments.push(option(option_name));
            arguments.push(argument.replace('~', " "));
        } else {
            d.keywords.push(option(word));
        }
    }
    (d, arguments)
}
