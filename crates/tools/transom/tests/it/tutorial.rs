//! The tutorials, run as they are written: files, commands, expected replies.

use crate::harness::{EXE, Running, free_port, root};
use std::path::Path;
use std::process::Command;

/// A fenced block: the words behind the fence and its text.
pub(crate) struct Block {
    pub(crate) words: Vec<String>,
    pub(crate) text: String,
}

pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(words), None) => {
                let words = words.split_whitespace().map(str::to_owned).collect();
                open = Some(Block {
                    words,
                    text: String::new(),
                });
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (None, Some(block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    found
}

pub(crate) fn shell(script: &str, dir: &Path) -> (bool, String) {
    let bin = Path::new(EXE).parent().unwrap();
    let path = format!(
        "{}:{}",
        bin.display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let output = Command::new("bash")
        .args(["-euc", script])
        .env("PATH", path)
        .current_dir(dir)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    (
        output.status.success(),
        if output.status.success() {
            said
        } else {
            said + &complaint
        },
    )
}

#[test]
fn the_first_api() {
    follow("first-api.md");
}

#[test]
fn the_first_db2_rest_service() {
    follow("first-db2-rest-service.md");
}

/// Does what a page says, with ports of its own.
fn follow(page: &str) {
    let page = std::fs::read_to_string(root().join("docs/tutorials").join(page)).unwrap();
    let page = page.replace("42100", &free_port().to_string());
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    let mut server: Option<Running> = None;
    let mut said = String::new();
    let mut expected = 0;
    for block in blocks(&page) {
        let words: Vec<&str> = block.words.iter().map(String::as_str).collect();
        match words.as_slice() {
            [_, file] if file.starts_with("file=") => {
                let file = dir.join(&file[5..]);
                std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                std::fs::write(file, &block.text).unwrap();
            }
            ["sh", "background"] => {
                let system = block
                    .text
                    .trim()
                    .strip_prefix("transom run ")
                    .expect("transom run DIR");
                server = Some(Running::start(&dir.join(system)));
            }
            ["sh"] => {
                let here = server.as_ref().map_or(2222, |s| s.port);
                let script = block
                    .text
                    .replace("localhost:2222", &format!("localhost:{here}"));
                let (good, output) = shell(&script, dir);
                assert!(good, "{script}\n{output}");
                said = output;
            }
            ["json", "expect"] => {
                let reply: serde_json::Value =
                    serde_json::from_str(&said).unwrap_or_else(|e| panic!("{e}: {said}"));
                let wanted: serde_json::Value = serde_json::from_str(&block.text).unwrap();
                assert_eq!(reply, wanted);
                expected += 1;
            }
            _ => {}
        }
    }
    assert!(expected >= 2, "the page shows no replies");
    assert!(server.expect("the page starts a region").stop());
}
