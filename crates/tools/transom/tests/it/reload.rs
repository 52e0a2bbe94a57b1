//! A region that reads users, rules and certificates again while it runs.

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
    std::fs::write(
        dir.join("csd/more.csd"),
        "DEFINE PROGRAM(MORE) GROUP(MORE)\n",
    )
    .unwrap();
    for _ in 0..2 {
        let (good, said) = reload(&dir);
        assert!(good && said.contains("[region], [log]"), "{said}");
        assert!(said.contains("csd/more.csd; CEDA INSTALL"), "{said}");
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
