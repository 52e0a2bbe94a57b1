//! What a package is made of: manual pages, completions, units, the Debian package itself. The
//! walk in a clean Debian is `make package-try`.

use crate::harness::{EXE, root, transom};
use std::path::{Path, PathBuf};
use std::process::Command;

fn there(tool: &str) -> bool {
    let found = Command::new("sh")
        .args(["-c", &format!("command -v {tool}")])
        .output();
    let found = found.is_ok_and(|o| o.status.success());
    if !found {
        println!("skipped: {tool} is missing");
    }
    found
}

#[test]
fn each_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let (good, _, said) = transom(&["manual", "."], folder.path());
    assert!(good, "{said}");
    let page = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(page("transom.1").contains("transom\\-run(1)"));
    assert!(page("transom-drive-3270.1").contains("Examples"));
    assert!(!folder.path().join("transom-cobol-zygote.1").exists());
    if there("man") {
        for page in std::fs::read_dir(folder.path()).unwrap() {
            let page = page.unwrap().path();
            let shown = Command::new("man")
                .args(["--warnings=w", "-E", "UTF-8", "-l", "-Tutf8", "-Z"])
                .arg(&page)
                .output()
                .unwrap();
            let complaints = String::from_utf8_lossy(&shown.stderr).into_owned();
            assert!(shown.status.success(), "{}: {complaints}", page.display());
            assert_eq!(complaints, "", "{}", page.display());
        }
    }
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let (good, _, said) = transom(&["manual", "/nowhere/at/all"], &root());
    assert!(!good && said.contains("/nowhere/at/all"), "{said}");
}

#[test]
fn a_shell_completes_commands_and_options() {
    let (good, script, _) = transom(&["completions", "bash"], &root());
    assert!(good);
    let ask = format!(
        "{script}\nCOMP_WORDS=(transom red); COMP_CWORD=1; _transom transom red transom; echo \"${{COMPREPLY[@]}}\""
    );
    let said = Command::new("bash").args(["-c", &ask]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&said.stdout).trim(), "redirector");
}

#[test]
fn units_are_what_systemd_accepts() {
    if !there("systemd-analyze") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for unit in ["transom@.service", "transom-redirector@.service"] {
        let text = std::fs::read_to_string(root().join("packaging").join(unit)).unwrap();
        // What is not installed here is not the question.
        let text = text
            .replace("/usr/bin/transom", "/bin/true")
            .lines()
            .filter(|l| !l.starts_with("Documentation="))
            .collect::<Vec<_>>()
            .join("\n");
        let file = folder.path().join(unit);
        std::fs::write(&file, text).unwrap();
        let said = Command::new("systemd-analyze")
            .arg("verify")
            .arg(&file)
            .output()
            .unwrap();
        let complaints = String::from_utf8_lossy(&said.stderr).into_owned();
        let ours: Vec<&str> = complaints
            .lines()
            .filter(|l| l.contains("transom"))
            .collect();
        assert!(said.status.success() && ours.is_empty(), "{complaints}");
    }
}

#[test]
fn the_package_holds_what_serves_and_nothing_writable() {
    if !there("dpkg-deb") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let package = build_package(folder.path());
    let listed = Command::new("dpkg-deb")
        .arg("-c")
        .arg(&package)
        .output()
        .unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    for file in [
        "./usr/bin/transom",
        "./usr/lib/systemd/system/transom@.service",
        "./usr/share/doc/transom/copyright",
        "./usr/share/doc/transom/samples/gateway/transom.toml",
        "./usr/share/bash-completion/completions/transom",
        "./usr/share/man/man1/transom-run.1.gz",
    ] {
        assert!(
            listed.lines().any(|l| l.ends_with(file)),
            "{file}\n{listed}"
        );
    }
    for line in listed.lines() {
        assert!(line.contains(" root/root "), "{line}");
        let mode = line.as_bytes();
        assert!(mode[5] != b'w' && mode[8] != b'w', "{line}");
        assert!(
            !line.contains(".transom") && !line.contains("data/store"),
            "{line}"
        );
    }
}

/// Builds a package of the executable under test, compressed as little as can be.
fn build_package(out: &Path) -> PathBuf {
    let built = Command::new(root().join("scripts/package"))
        .arg("--exe")
        .arg(EXE)
        .arg("--out")
        .arg(out)
        .env("PACKAGE_VERSION", "1.0")
        .env("PACKAGE_COMPRESSION", "0")
        .output()
        .unwrap();
    assert!(
        built.status.success(),
        "{}{}",
        String::from_utf8_lossy(&built.stdout),
        String::from_utf8_lossy(&built.stderr)
    );
    let mut packages = std::fs::read_dir(out).unwrap().flatten().map(|f| f.path());
    packages
        .find(|p| p.extension().is_some_and(|e| e == "deb"))
        .unwrap()
}

#[test]
fn the_recipe_of_the_container_is_good_and_a_bad_one_is_told_by_line() {
    let lint = |file: &Path| {
        let mut script = Command::new(root().join("scripts/image"));
        let out = script.arg("--lint").arg(file).output().unwrap();
        let said = String::from_utf8_lossy(&out.stdout).into_owned();
        (out.status.success(), said)
    };
    let good = lint(&root().join("packaging/Containerfile"));
    assert_eq!(good, (true, String::new()));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Containerfile");
    let bad = "FROM debian\nADD x y\nRUN apt-get update\nWORKDIR here\nEXPOSE 99999\nCMD run\n";
    std::fs::write(&file, bad).unwrap();
    let (good, said) = lint(&file);
    assert!(!good);
    for part in [
        ":1: FROM names no version",
        ":2: ADD is no instruction of ours",
        ":3: package lists stay in the image",
        ":4: WORKDIR is no absolute path",
        ":5: EXPOSE 99999",
        ":6: CMD runs a shell",
        "it runs as root",
        "there is one ENTRYPOINT",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}
