//! A region that reads users, rules, certificates, decks and the log level again while it runs.

use crate::harness::{Running, copy_of, free_port, http, root, transom};
use crate::intruders::basic;
use crate::users::user;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The gateway sample with users and an operations port that asks for them.
fn sample() -> (tempfile::TempDir, PathBuf, u16) {
    let (folder, dir) = copy_of(&root().join("samples/gateway"));
    let port = free_port();
    let table = format!("\n[operations]\nport = {port}\nlogon = \"YES\"\n");
    change(&dir, |text| *text += &table);
    user(&dir, &["add", "WATCH", "--group", "STAFF"], "secret01");
    (folder, dir, port)
}

fn change(dir: &Path, how: impl FnOnce(&mut String)) {
    let file = dir.join("transom.toml");
    let mut text = std::fs::read_to_string(&file).unwrap();
    how(&mut text);
    std::fs::write(file, text).unwrap();
}

fn reload(dir: &Path) -> (bool, String) {
    let (good, out, said) = transom(&["reload", "."], dir);
    (good, out + &said)
}

fn scrape(port: u16, name: &str) -> u16 {
    let header = basic(name, "secret01");
    http(port, "GET", "/metrics", &[("authorization", &header)], b"").0
}

#[test]
fn rules_and_users_count_without_a_restart_and_what_is_wrong_changes_nothing() {
    let (_folder, dir, port) = sample();
    let server = Running::start(&dir);
    assert_eq!(scrape(port, "WATCH"), 403);
    change(&dir, |text| {
        *text += "\n[authority]\n\"COMMAND STATISTICS\" = \"STAFF READ\"\n";
    });
    user(&dir, &["add", "OTHER", "--group", "STAFF"], "secret01");
    assert_eq!(scrape(port, "WATCH"), 403);
    let (good, said) = reload(&dir);
    assert!(good && said.contains("TXMRL0001I"), "{said}");
    assert!(!said.contains("TXMRL0003W"), "{said}");
    assert_eq!((scrape(port, "WATCH"), scrape(port, "OTHER")), (200, 200));
    // A rule that is none: the good one stays.
    change(&dir, |text| {
        *text = text.replace("STAFF READ", "STAFF REED")
    });
    let (good, said) = reload(&dir);
    assert!(!good && said.contains("TXMRL0002E"), "{said}");
    assert!(said.contains("transom.toml:"), "{said}");
    assert_eq!(scrape(port, "WATCH"), 200);
    // What a start alone reads is named, each time.
    change(&dir, |text| {
        *text = text.replace("STAFF REED", "STAFF NONE");
        *text = text.replace("MXT      = 120", "MXT      = 100");
        *text += "\n[log]\nformat = \"JSON\"\n";
    });
    for _ in 0..2 {
        let (good, said) = reload(&dir);
        assert!(good && said.contains("[region], [log]"), "{said}");
    }
    assert_eq!(scrape(port, "WATCH"), 403);
    // The file of users cannot be read.
    let users = dir.join("users.toml");
    let before = std::fs::read_to_string(&users).unwrap();
    std::fs::write(&users, "no users\n").unwrap();
    let (good, said) = reload(&dir);
    assert!(!good && said.contains("TXMRL0002E"), "{said}");
    std::fs::write(&users, before).unwrap();
    assert!(server.stop());
}

#[test]
fn a_signal_reloads_and_no_region_is_said() {
    let (_folder, dir, port) = sample();
    let (good, said) = reload(&dir);
    assert!(!good && said.contains("TXMBK"), "{said}");
    let server = Running::start(&dir);
    change(&dir, |text| {
        *text += "\n[authority]\n\"COMMAND STATISTICS\" = \"STAFF READ\"\n";
    });
    let pid = server.pid().to_string();
    let sent = Command::new("kill").args(["-HUP", &pid]).status();
    assert!(sent.unwrap().success());
    server.says("TXMRL0001I");
    assert_eq!(scrape(port, "WATCH"), 200);
    assert!(server.stop());
}

/// The fingerprint of the certificate that is shown.
fn shown(port: u16) -> Option<String> {
    let at = format!("127.0.0.1:{port}");
    let script = format!(
        "openssl s_client -connect {at} </dev/null 2>/dev/null | openssl x509 -noout -fingerprint"
    );
    let out = Command::new("sh").args(["-c", &script]).output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    text.contains("Fingerprint").then_some(text)
}

#[test]
fn a_new_certificate_is_shown_to_new_connections() {
    if Command::new("openssl").arg("version").output().is_err() {
        println!("skipped: openssl is not installed");
        return;
    }
    let (_folder, dir, port) = sample();
    change(&dir, |text| {
        *text += "https = \"YES\"\ncertificate = \"own.pem\"\n"
    });
    let make = || {
        let script = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
                      -subj /CN=localhost -days 2 -keyout key.pem -out cert.pem 2>/dev/null \
                      && cat cert.pem key.pem > own.pem";
        let mut made = Command::new("sh");
        let made = made.args(["-c", script]).current_dir(&dir).status();
        assert!(made.unwrap().success());
    };
    make();
    let server = Running::start(&dir);
    let first = shown(port).expect("a certificate");
    make();
    assert_eq!(shown(port).as_ref(), Some(&first));
    let (good, said) = reload(&dir);
    assert!(good && said.contains("than before: 1"), "{said}");
    let second = shown(port).expect("a certificate");
    assert_ne!(first, second);
    // One that has run out takes no other's place.
    let mut params = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    params.not_before = rcgen::date_time_ymd(2010, 1, 1);
    params.not_after = rcgen::date_time_ymd(2011, 2, 3);
    let key = rcgen::KeyPair::generate().unwrap();
    let old = params.self_signed(&key).unwrap().pem() + &key.serialize_pem();
    std::fs::write(dir.join("own.pem"), old).unwrap();
    let (good, said) = reload(&dir);
    assert!(!good && said.contains("it ran out on 2011-02-03"), "{said}");
    assert_eq!(shown(port).as_ref(), Some(&second));
    // Half a file.
    std::fs::write(dir.join("own.pem"), "-----BEGIN CERTIFICATE-----\n").unwrap();
    let (good, said) = reload(&dir);
    assert!(!good && said.contains("own.pem"), "{said}");
    assert_eq!(shown(port), Some(second));
    assert!(server.stop());
}

fn deck(dir: &Path, text: &str) {
    std::fs::write(dir.join("csd/more.csd"), text).unwrap();
}

/// The status of the sample's API, whose program is CABASIC.
fn put(server: &Running) -> u16 {
    let body = b"{\"COMM1KOperation\":{\"count_out\":32}}";
    server
        .request("PUT", "/comm1k/mapping/CABASIC-RS2/1", body)
        .0
}

#[test]
fn definitions_that_changed_are_installed_and_what_is_in_use_stays() {
    let (_folder, dir) = copy_of(&root().join("samples/gateway"));
    let port = free_port();
    let tables = format!("\n[operations]\nport = {port}\n[log]\nfile = \"logs/region.log\"\n");
    change(&dir, |text| *text += &tables);
    std::fs::create_dir_all(dir.join("data")).unwrap();
    let define = " DEFINE CLUSTER (NAME(RLD.DATA) INDEXED KEYS(5 0) RECORDSIZE(20 20))\n";
    std::fs::write(dir.join("data/rld.idcams"), define).unwrap();
    let file = |name: &str, more: &str| {
        format!("DEFINE FILE({name}) GROUP(MORE) DSNAME(RLD.DATA)\n       RECORDFORMAT(F) {more}\n")
    };
    let list = "ADD GROUP(MORE) LIST(CABLIST)\n";
    let first = file("INUSE", "OPENTIME(STARTUP)") + &file("GOES", "STATUS(DISABLED)") + list;
    deck(&dir, &first);
    let server = Running::start(&dir);
    let files = || http(port, "GET", "/metrics", &[], b"").1;
    let is_open = "transom_file_open{file=\"INUSE\"} 1";
    assert!(files().contains(is_open), "{}", files());
    assert_eq!(put(&server), 200);
    // Nothing changed.
    let (good, said) = reload(&dir);
    assert!(good && said.contains("TXMRL0001I"), "{said}");
    for none in ["TXMRL0005I", "TXMRL0006W", "TXMRL0007I"] {
        assert!(!said.contains(none), "{said}");
    }
    let program = |status: &str| {
        format!("DEFINE PROGRAM(CABASIC) GROUP(MORE) LANGUAGE(COBOL) STATUS({status})\n")
    };
    let second = file("INUSE", "OPENTIME(STARTUP) ADD(YES)") + &file("FRESH", "OPENTIME(STARTUP)");
    deck(&dir, &(second.clone() + &program("DISABLED") + list));
    let (good, said) = reload(&dir);
    let installed = "TXMRL0005I definitions installed: 2: FILE(FRESH), PROGRAM(CABASIC)";
    assert!(good && said.contains(installed), "{said}");
    let left = "TXMRL0006W definitions not installed: 1: FILE(INUSE): TXMAM";
    assert!(
        said.contains(left) && said.contains("close it first"),
        "{said}"
    );
    let gone = "TXMRL0007I definitions that decks have no longer: 1: FILE(GOES)";
    assert!(said.contains(gone), "{said}");
    assert_ne!(put(&server), 200);
    // What was left is tried again; the rest is as the decks say already.
    let (good, said) = reload(&dir);
    assert!(good && said.contains(left), "{said}");
    assert!(
        !said.contains("TXMRL0005I") && !said.contains("TXMRL0007I"),
        "{said}"
    );
    // A deck that is none: nothing of it, and nothing of the rest.
    deck(
        &dir,
        &(second.clone() + &program("ENABLED") + "DEFINE FILE(\n" + list),
    );
    let (good, said) = reload(&dir);
    assert!(
        !good && said.contains("TXMRL0002E") && said.contains("csd/more.csd:"),
        "{said}"
    );
    assert_ne!(put(&server), 200);
    deck(&dir, &(second + &program("ENABLED") + list));
    let (good, said) = reload(&dir);
    assert!(
        good && said.contains("TXMRL0005I definitions installed: 1: PROGRAM(CABASIC)"),
        "{said}"
    );
    assert_eq!(put(&server), 200);
    levels(&dir);
    assert!(server.stop());
    // The next start reads the same decks.
    let server = Running::start(&dir);
    let now = http(port, "GET", "/metrics", &[], b"").1;
    assert!(now.contains("transom_file_open{file=\"FRESH\"} 1"), "{now}");
    assert!(!now.contains("file=\"GOES\""), "{now}");
    assert!(server.stop());
}

/// The log is written from a severity on.
fn levels(dir: &Path) {
    let told = || {
        let text = std::fs::read_to_string(dir.join("logs/region.log")).unwrap();
        text.matches("TXMRL0001I").count()
    };
    let before = told();
    change(dir, |text| *text += "level = \"ERROR\"\n");
    let (good, said) = reload(dir);
    assert!(
        good && said.contains("TXMRL0008I the log is written from ERROR on"),
        "{said}"
    );
    assert!(!said.contains("TXMRL0003W"), "{said}");
    assert!(reload(dir).0);
    change(dir, |text| {
        *text = text.replace("\"ERROR\"", "\"INFORMATION\"")
    });
    let (good, said) = reload(dir);
    assert!(good && said.contains("from INFORMATION on"), "{said}");
    let begin = std::time::Instant::now();
    while told() == before && begin.elapsed().as_secs() < 30 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(told(), before + 1);
}
