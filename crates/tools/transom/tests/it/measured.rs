//! What a region says it did is what the client counted: records of tasks, statistics, the driver.

use crate::harness::{EXE, Running, copy_of, root};
use serde_json::Value;
use std::process::Command;

const CLIENTS: u64 = 4;

#[test]
fn records_and_statistics_add_up_to_the_drivers_own_count() {
    let (folder, dir) = copy_of(&root().join("samples/gateway"));
    let settings = dir.join("transom.toml");
    let text = std::fs::read_to_string(&settings).unwrap();
    let text = text.replace("[region]\n", "[region]\nMN = \"ON\"\nMNPER = \"ON\"\n");
    std::fs::write(&settings, text).unwrap();
    let server = Running::start(&dir);
    let url = format!(
        "http://localhost:{}/comm1k/mapping/CABASIC-RS2/1",
        server.port
    );
    let result = folder.path().join("driven.json");
    let clients = CLIENTS.to_string();
    let driven = transom(&[
        "drive",
        &url,
        "--method",
        "PUT",
        "--body",
        "{\"COMM1KOperation\":{\"count_out\":32}}",
        "--expect",
        "COMM1KOperationResponse",
        "--clients",
        &clients,
        "--think",
        "5ms",
        "--ramp-up",
        "0ms",
        "--warm-up",
        "0ms",
        "--duration",
        "3s",
        "--timeout",
        "60s",
        "--json",
        result.to_str().unwrap(),
    ]);
    let step: Value = serde_json::from_slice(&std::fs::read(&result).unwrap()).unwrap();
    let step = &step["steps"][0];
    let replies = step["transactions"].as_u64().unwrap();
    assert!(replies > 10, "{driven}");
    assert!(server.stop());

    let dir = dir.to_str().unwrap();
    let report = json(&["report", dir, "--json"]);
    let tasks = report["all"]["tasks"].as_u64().unwrap();
    // A request whose reply came too late to count was a task all the same.
    assert!(
        (replies..=replies + CLIENTS).contains(&tasks),
        "{replies} replies, {tasks} records"
    );
    assert_eq!(report["all"]["abended"], 0);

    let statistics = json(&["report", dir, "--statistics", "--json"]);
    let records = statistics[0]["records"].as_array().unwrap();
    let figure = |record: &str, resource: &str, name: &str| {
        let is_it = |r: &&Value| r["record"] == record && r["resource"] == resource;
        let found = records.iter().find(is_it);
        found.unwrap_or_else(|| panic!("{record} {resource}"))["figures"][name].as_u64()
    };
    for row in report["rows"].as_array().unwrap() {
        let (transaction, tasks) = (row["name"].as_str().unwrap(), row["tasks"].as_u64());
        assert_eq!(figure("DFHXMRDS", transaction, "XMRAC"), tasks);
    }
    assert_eq!(figure("DFHMNGDS", "", "MNGPR"), Some(tasks));
    assert_eq!(figure("DFHMNGDS", "", "MNGSMFE"), Some(0));
    assert!(figure("process of the region", "", "memory_bytes") > Some(0));

    // The same as SMF 110 subtype 2.
    let file = folder.path().join("statistics.smf");
    let words = ["report", dir, "--statistics", "--smf"];
    transom(&[&words[..], &[file.to_str().unwrap()]].concat());
    let attached = records.iter().filter(|r| r["record"] == "DFHXMRDS");
    let attached = attached.map(|r| r["figures"]["XMRAC"].as_u64().unwrap());
    assert_eq!(
        attached_in_smf(&std::fs::read(file).unwrap()),
        attached.sum::<u64>()
    );
}

/// Tasks of all transactions (STID 11): their number is behind transaction, program, class and
/// priority of the record.
fn attached_in_smf(mut file: &[u8]) -> u64 {
    let half =
        |bytes: &[u8], at: usize| usize::from(u16::from_be_bytes([bytes[at], bytes[at + 1]]));
    let full = |bytes: &[u8], at: usize| half(bytes, at) << 16 | half(bytes, at + 2);
    let mut sum = 0;
    while !file.is_empty() {
        let (record, rest) = file.split_at(half(file, 0));
        assert_eq!((record[5], half(record, 22)), (110, 2));
        let mut data = &record[full(record, 36)..];
        while !data.is_empty() {
            let (one, behind) = data.split_at(half(data, 0));
            if half(one, 2) == 11 {
                sum += full(one, 8 + 4 + 8 + 8 + 4) as u64;
            }
            data = behind;
        }
        file = rest;
    }
    sum
}

fn json(words: &[&str]) -> Value {
    serde_json::from_str(&transom(words)).unwrap()
}

#[track_caller]
fn transom(words: &[&str]) -> String {
    let output = Command::new(EXE).args(words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
