//! `transom import`: checkouts that become running systems by one command.
//!
//! Those of others are named by TRANSOM_CARDDEMO, TRANSOM_GENAPP, TRANSOM_CBSA and TRANSOM_ASYNC;
//! without them, or without s3270, a test says so and ends. Bad checkouts: `tools/import`.

use crate::harness::{EXE, root, transom};
use crate::s3270::{self, S3270};
use crate::terminal_samples::Region;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// What a checkout became.
pub(crate) struct Imported {
    folder: TempDir,
    out: String,
    said: String,
}

impl Imported {
    pub(crate) fn of(checkout: &Path, options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let words = ["import", checkout.to_str().unwrap(), "system"];
        let words: Vec<&str> = words.iter().chain(options).copied().collect();
        let (good, out, said) = transom(&words, folder.path());
        // Programs that need what is not there are left out.
        assert!(good || said.contains("TXMIM0019W"), "{out}\n{said}");
        Self { folder, out, said }
    }

    pub(crate) fn dir(&self) -> PathBuf {
        self.folder.path().join("system")
    }

    /// Its region, and a terminal that has started a transaction.
    pub(crate) fn terminal(&self, transaction: &str) -> (Region, S3270) {
        let region = Region::start(&self.dir());
        let mut terminal = S3270::connect("3279-2-E", &format!("localhost:{}", region.port));
        terminal.clear();
        terminal.transaction(transaction);
        (region, terminal)
    }
}

/// The checkout that a variable names.
pub(crate) fn checkout(variable: &str) -> Option<PathBuf> {
    let Some(path) = std::env::var_os(variable).map(PathBuf::from) else {
        println!("skipped: {variable} names no checkout");
        return None;
    };
    s3270::available().then_some(path)
}

#[test]
fn a_made_up_application_runs_with_its_records_and_its_table() {
    let shop = root().join("crates/tools/import/tests/data/shop");
    let system = Imported::of(&shop, &["--suggested", "--stub"]);
    let (out, said) = (&system.out, &system.said);
    assert!(
        said.contains("TXMIM0009W program SHOPMQ is a stub: it needs MQ"),
        "{said}"
    );
    for line in [
        "      3  programs (cobol/)",
        "      1  jobs and statements that make data sets (data/)",
        "      1  decks of other regions",
        "programs          3 ok, 0 fail",
        "  SHOPITEM        SHOP.PROD.ITEMS is defined at the start by data/DEFITEM.jcl",
    ] {
        assert!(out.lines().any(|l| l == line), "{line}\n{out}");
    }
    let end = "system: 3 programs, nothing stands in the way";
    assert!(out.trim_end().ends_with(end), "{out}");
    if !s3270::available() {
        return;
    }
    let (_region, mut terminal) = system.terminal("SHOP");
    terminal.expect("The shop");
    terminal.expect("Kettle");
    terminal.expect("SHELF 12");
}

#[test]
fn programs_that_are_left_out_have_an_exit_code() {
    let shop = root().join("crates/tools/import/tests/data/shop");
    let folder = tempfile::tempdir().unwrap();
    let import = |more: &[&str]| {
        let name = format!("system{}", more.len());
        let mut command = Command::new(EXE);
        command
            .arg("import")
            .arg(&shop)
            .arg(folder.path().join(name));
        let output = command.arg("--suggested").args(more).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, said) = import(&[]);
    assert_eq!(code, Some(4), "{said}");
    assert!(
        said.contains("TXMIM0019W 1 programs are left out"),
        "{said}"
    );
    assert_eq!(import(&["--stub"]).0, Some(0));
}

#[test]
fn carddemo_runs_by_one_command() {
    let Some(checkout) = checkout("TRANSOM_CARDDEMO") else {
        return;
    };
    let system = Imported::of(&checkout, &[]);
    assert!(
        system
            .out
            .contains("files             8 with data set, 0 without"),
        "{}",
        system.out
    );
    let (_region, mut terminal) = system.terminal("CC00");
    terminal.expect("Type your User ID and Password");
    terminal.fill(19, 44, "USER0001");
    terminal.fill(20, 44, "PASSWORD");
    terminal.enter();
    terminal.expect("Please select an option");
    terminal.fill(20, 42, "01");
    terminal.enter();
    terminal.expect("View Account");
    terminal.fill(5, 39, "00000000001");
    terminal.enter();
    terminal.expect("194.00");
}

#[test]
fn genapp_runs_by_one_command() {
    let Some(checkout) = checkout("TRANSOM_GENAPP") else {
        return;
    };
    let options = [
        "--suggested",
        "--set",
        "USRHLQ=GENUSR",
        "--set",
        "KSDSCUS=GENUSR.GENAPP.KSDSCUST.TXT",
        "--set",
        "KSDSPOL=GENUSR.GENAPP.KSDSPOLY.TXT",
    ];
    let system = Imported::of(&checkout, &options);
    assert!(
        system
            .out
            .contains("files             2 with data set, 0 without"),
        "{}",
        system.out
    );
    let (_region, mut terminal) = system.terminal("SSC1");
    terminal.expect("General Insurance Customer Menu");
    terminal.act("String(\"0000000001\")");
    for _ in 0..9 {
        terminal.act("Tab()");
    }
    terminal.act("String(\"1\")");
    terminal.enter();
    terminal.expect("A.Pandy@beebhouse.com");
}

#[test]
fn cbsa_runs_by_one_command() {
    let Some(checkout) = checkout("TRANSOM_CBSA") else {
        return;
    };
    let system = Imported::of(&checkout, &["--suggested"]);
    assert!(
        system
            .out
            .contains("10 of 10 operations have their program"),
        "{}",
        system.out
    );
    let (_region, mut terminal) = system.terminal("OMEN");
    terminal.expect("Main Menu");
}
