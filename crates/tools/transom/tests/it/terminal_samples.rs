//! The terminal sample and the terminal tutorial, as their users run them.

use crate::harness::{EXE, copy_of, root, transom};
use crate::tutorial::{blocks, shell};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// `transom run` with a TN3270 listener.
pub(crate) struct Region {
    child: Child,
    pub(crate) port: u16,
}

impl Region {
    pub(crate) fn start(dir: &Path) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let child = Command::new(EXE)
            .arg("run")
            .arg(dir)
            .args(["--tn3270", &port.to_string()])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let region = Self { child, port };
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begin.elapsed() < Duration::from_secs(60), "no listener");
            std::thread::sleep(Duration::from_millis(10));
        }
        region
    }

    pub(crate) fn play(&self, dir: &Path, script: &str, more: &[&str]) -> (bool, String, String) {
        let host = format!("localhost:{}", self.port);
        let words = ["drive", "3270", &host, "--script", script];
        let words: Vec<&str> = words.iter().chain(more).copied().collect();
        transom(&words, dir)
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        let pid = self.child.id().to_string();
        let _ = Command::new("kill").args(["-TERM", &pid]).status();
        let _ = self.child.wait();
    }
}

#[test]
fn customers_are_shown_and_changed() {
    let (_folder, dir) = copy_of(&root().join("samples/terminal"));
    let region = Region::start(&dir);
    for script in ["update.3270", "inquiry.3270"] {
        let (good, out, said) = region.play(&dir, script, &["--once", "--show"]);
        assert!(good, "{script}: {said}\n{out}");
    }
    let many = [
        "--terminals",
        "20",
        "--ramp",
        "100",
        "--warm-up",
        "300",
        "--duration",
        "2s",
    ];
    let (good, out, said) = region.play(&dir, "inquiry.3270", &many);
    assert!(good && out.contains("next customer"), "{said}\n{out}");
    assert!(!out.contains("failures with"), "{out}");
}

/// A user that does things wrong is told so, and the file stays as it was.
#[test]
fn mistakes_get_a_message() {
    let (_folder, dir) = copy_of(&root().join("samples/terminal"));
    let script = r#"
transaction CUST
expect "Type the number of a customer."
type 5,30 "999999"
key ENTER
expect "There is no customer 999999." at 23,2
key PF5
expect "Choose 2 in the menu" at 23,2
key PF9
expect "This key does nothing here."
key PF3
key ENTER
expect "Choose 1 or 2."
type 9,30 "2"
type 10,30 "17"
key ENTER
type 10,30 "A LOT"
key PF5
expect "The credit limit is not a number." at 23,2
expect "A LOT" at 10,30
"#;
    std::fs::write(dir.join("mistakes.3270"), script).unwrap();
    let region = Region::start(&dir);
    let (good, out, said) = region.play(&dir, "mistakes.3270", &["--once", "--show"]);
    assert!(good, "{said}\n{out}");
    std::fs::write(dir.join("wrong.3270"), "expect \"VTAM\"").unwrap();
    let (good, _, said) = region.play(&dir, "wrong.3270", &["--once"]);
    assert!(!good && said.contains("TXMDR0005E wrong.3270:1:"), "{said}");
    assert!(said.contains("Type a transaction"), "{said}");
}

#[test]
fn the_first_terminal() {
    let page = std::fs::read_to_string(root().join("docs/tutorials/first-terminal.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    let mut region: Option<Region> = None;
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
                let system = block.text.trim().strip_prefix("transom run ").unwrap();
                region = Some(Region::start(&dir.join(system)));
            }
            ["sh"] => {
                let port = region.as_ref().map_or(3270, |r| r.port);
                let host = format!("localhost:{port}");
                let (good, output) = shell(&block.text.replace("localhost:3270", &host), dir);
                assert!(good, "{}\n{output}", block.text);
                said = output;
            }
            ["text", "expect"] => {
                for line in block.text.lines() {
                    assert!(said.contains(line), "{line}\n{said}");
                }
                expected += 1;
            }
            _ => {}
        }
    }
    assert!(expected > 0 && region.is_some());
}
