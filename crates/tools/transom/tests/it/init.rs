//! `transom init`: what it writes and prints is done, as somebody who has only that would do it.

use crate::harness::{Running, transom};
use crate::s3270::{self, S3270};
use crate::terminal_samples::Region;
use crate::tutorial::shell;
use std::path::Path;

/// The system directory, and the commands up to the start of the region and behind it.
fn made(kind: &str, name: &str, dir: &Path) -> (Vec<String>, Vec<String>) {
    let (good, out, said) = transom(&["init", kind, name], dir);
    assert!(good, "{said}");
    let (files, commands) = out.split_once("Next:\n").unwrap();
    for file in files.lines().skip(1) {
        assert!(dir.join(file.trim()).is_file(), "{file}");
    }
    let (before, behind) = commands
        .split_once("Then, in a second terminal:\n")
        .unwrap();
    let lines = |text: &str| {
        text.lines()
            .map(|line| line.trim_start().to_owned())
            .collect()
    };
    let mut before: Vec<String> = lines(before);
    assert_eq!(before.pop(), Some(format!("transom run {name}")));
    let (good, out, said) = transom(&["init", kind, name], dir);
    assert!(
        !good && out.is_empty() && said.contains("TXMNS0001E"),
        "{out}{said}"
    );
    (before, lines(behind))
}

#[test]
fn an_api_answers() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    let (before, behind) = made("api", "shop", dir);
    assert!(
        before.contains(&"transom check shop".to_owned()),
        "{before:?}"
    );
    let (good, said) = shell(&before.join("\n"), dir);
    assert!(good, "{said}");
    let server = Running::start(&dir.join("shop"));
    let call = behind
        .join("\n")
        .replace("localhost:2222", &format!("localhost:{}", server.port));
    let (good, reply) = shell(&call, dir);
    assert!(good && reply.contains("\"TotalPrice\":7.50"), "{reply}");
    assert!(server.stop());
}

#[test]
fn a_transaction_greets() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    let (before, behind) = made("terminal", "desk", dir);
    let (good, said) = shell(&before.join("\n"), dir);
    assert!(good, "{said}");
    let region = Region::start(&dir.join("desk"));
    let play = behind
        .join("\n")
        .replace("localhost:3270", &format!("localhost:{}", region.port));
    let (good, said) = shell(&play, dir);
    assert!(
        good && said.contains("Hello, Grace! Screen 0002."),
        "{said}"
    );
    if !s3270::available() {
        return;
    }
    let mut terminal = S3270::connect("3279-2-E", &format!("localhost:{}", region.port));
    terminal.clear();
    terminal.transaction("HELO");
    terminal.expect("WHO IS OUT THERE");
}
