//! The sample with five regions, walked by s3270.
//!
//! Terminals at two regions, programs in two others, files in a fifth: what a user sees, which
//! regions work for it, and what becomes of a conversation whose region dies.

use crate::harness::{copy_of, free_port, root};
use crate::plex::Plex;
use crate::s3270::{S3270, available};
use serde_json::Value;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(120);

/// A terminal at a region of the sample.
struct User(S3270);

impl User {
    fn at(port: u16) -> Self {
        Self(S3270::connect("3279-2-E", &format!("localhost:{port}")))
    }

    /// Goes on with a key number; the line that says what was done.
    fn goes_on(&mut self, key: u32) -> String {
        self.0.fill(3, 15, &key.to_string());
        self.0.enter();
        self.0.text(5, 2, 60)
    }
}

fn region<'a>(answer: &'a Value, name: &str) -> &'a Value {
    let mut all = answer["regions"].as_array().into_iter().flatten();
    all.find(|region| region["name"] == name)
        .unwrap_or(&Value::Null)
}

/// Conversations that a region has begun with another one.
fn allocates(answer: &Value, from: &str, to: &str) -> u64 {
    let mut links = region(answer, from)["links"]
        .as_array()
        .into_iter()
        .flatten();
    let link = links.find(|link| link["name"] == to);
    link.and_then(|link| link["conversations"].as_u64())
        .unwrap_or(0)
}

fn linked(answer: &Value) -> bool {
    let all = |region: &Value| {
        let mut links = region["links"].as_array().into_iter().flatten();
        region["state"] == "running" && links.all(|link| link["state"] == "acquired")
    };
    let regions = answer["regions"].as_array();
    regions.is_some_and(|regions| regions.len() == 5 && regions.iter().all(all))
}

#[test]
fn terminals_of_two_regions_run_transactions_of_two_others_with_files_of_a_fifth() {
    if !available() {
        return;
    }
    let (copy, dir) = copy_of(&root().join("samples/dsw"));
    let ports = [("tor1", free_port()), ("tor2", free_port())];
    for (region, port) in ports {
        let settings = dir.join(region).join("transom.toml");
        let text = std::fs::read_to_string(&settings).unwrap();
        let (before, _) = text.split_once("port = ").unwrap();
        std::fs::write(settings, format!("{before}port = {port}\n")).unwrap();
    }
    let plex = Plex::run(copy, dir);
    plex.says("TXMPX0005I all 5 regions are ready");
    let before = plex.status(linked);
    let mut users = ports.map(|(_, port)| User::at(port));
    for user in &mut users {
        user.0.transaction("DS00");
        assert_eq!(user.0.text(5, 2, 60), "Done: the menu. ENTER goes on.");
        assert_eq!(user.0.text(1, 15, 4), "DS00");
        // Two of five screens are the menu, the others call the files of the fifth region.
        let screens: Vec<String> = (1..=10).map(|key| user.goes_on(key)).collect();
        let called = |text: &&String| text.starts_with("Done: 10 calls, last number ");
        assert_eq!(screens.iter().filter(called).count(), 6, "{screens:?}");
        let menus = screens.iter().filter(|text| text.contains("the menu"));
        assert_eq!(menus.count(), 4, "{screens:?}");
    }
    let after = plex.status(linked);
    let more = |from, to| allocates(&after, from, to) - allocates(&before, from, to);
    let (one, two) = (more("TOR1", "AOR1"), more("TOR1", "AOR2"));
    assert_eq!(one + two, 11, "each screen is one transaction");
    assert!(one > 0 && two > 0, "both regions have work: {one}, {two}");
    let files = more("AOR1", "FOR1") + more("AOR2", "FOR1");
    assert_eq!(files, 12, "each screen with calls is one unit of work");

    // Its region dies and comes back; the conversation is kept where the terminal is.
    let pid = region(&after, "AOR1")["pid"].as_u64().unwrap();
    plex.signal("-KILL", pid);
    plex.says("TXMPX0008W region AOR1 died (signal 9) and is started again");
    let back = |answer: &Value| linked(answer) && region(answer, "AOR1")["pid"] != pid;
    plex.status(back);
    let begin = Instant::now();
    while !users[0].goes_on(7).starts_with("Done: ") {
        assert!(begin.elapsed() < PATIENCE, "{}", plex.log());
        std::thread::sleep(Duration::from_millis(100));
    }
}
