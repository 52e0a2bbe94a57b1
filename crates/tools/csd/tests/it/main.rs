//! Decks as a user would write them, carried out by `transom csd`.

use clap::Parser;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use tempfile::TempDir;
use transom_csd_utility::{Around, CsdArgs, csd};

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: CsdArgs,
}

/// Output is caught by a function without state: one test at a time.
static PRINTED: Mutex<String> = Mutex::new(String::new());
static ONE: Mutex<()> = Mutex::new(());

const AROUND: Around = Around {
    problems: |_| Vec::new(),
    print: |text| PRINTED.lock().unwrap().push_str(text),
    say: |text| PRINTED.lock().unwrap().push_str(text),
};

/// A system directory with a deck of its user.
fn system() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("csd")).unwrap();
    std::fs::write(folder.path().join("transom.toml"), "").unwrap();
    let deck = "DEFINE PROGRAM(PAY) GROUP(PAYROLL) STATUS(DISABLED)\n\
        DEFINE TRANSACTION(PAYT) GROUP(PAYROLL) PROGRAM(PAY)\n\
        ADD GROUP(PAYROLL) LIST(MINE)\n";
    std::fs::write(folder.path().join("csd/app.csd"), deck).unwrap();
    folder
}

fn run(folder: &Path, deck: &str, more: &[&str]) -> (ExitCode, String) {
    let _one = ONE.lock().unwrap_or_else(|held| held.into_inner());
    let file = folder.join("deck.txt");
    std::fs::write(&file, deck).unwrap();
    let (dir, file) = (folder.display().to_string(), file.display().to_string());
    let words = ["csd", &dir, "--deck", &file];
    let line = Line::parse_from(words.iter().chain(more));
    PRINTED.lock().unwrap().clear();
    let code = csd(&line.args, AROUND);
    (code, PRINTED.lock().unwrap().clone())
}

fn local(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("csd/local.csd")).unwrap_or_default()
}

#[test]
fn a_deck_is_carried_out() {
    let folder = system();
    let deck = "* New programs\n DELETE GROUP(NEW)\n DEFINE PROGRAM(TAX) GROUP(NEW) STATUS(ENABLED)\n\
        \x20      DESCRIPTION(Taxes)\n COPY GROUP(PAYROLL) TO(NEW)\n ALTER PROGRAM(PAY) GROUP(NEW) STATUS(ENABLED)\n\
        \x20ADD GROUP(NEW) LIST(MINE) BEFORE(PAYROLL)\n LIST LIST(MINE)\n LIST GROUP(NEW) OBJECTS\n";
    let (code, said) = run(folder.path(), deck, &[]);
    // There was no group to delete.
    assert_eq!(code, ExitCode::from(4), "{said}");
    for part in [
        "TXMCS0010I deck.txt",
        "TXMCS0022W DELETE executed with warnings",
        "TXMCS0021I DEFINE executed",
        "  LIST  MINE          2 groups",
        "    NEW     \n    PAYROLL \n",
        "  GROUP NEW           3 definitions",
        "    PROGRAM(TAX)\n        STATUS(ENABLED) DESCRIPTION(Taxes)",
        "TXMCS0024I commands executed: 6, with warnings: 1, in error: 0, not executed: 0",
        "TXMCS0025I end, highest return code 4",
    ] {
        let part = part.replace(" deck.txt", "");
        assert!(said.contains(&part), "{part}: {said}");
    }
    let written = local(folder.path());
    assert!(
        written.contains("DEFINE PROGRAM(TAX)") && !written.contains("DELETE"),
        "{written}"
    );
    assert!(!written.contains("LIST LIST"), "{written}");
    let (code, said) = run(folder.path(), " LIST ALL\n", &[]);
    assert_eq!(code, ExitCode::SUCCESS);
    assert!(said.contains("2 groups, 1 lists, 5 definitions"), "{said}");
}

#[test]
fn behind_an_error_only_list_is_carried_out() {
    let folder = system();
    for (deck, part) in [
        (" DEFINE PROGRAM(A) GROUP(G) STATIS(ENABLED)\n", "STATUS"),
        (
            " DEFINE PROGRAM(A) GROUP(G) STATUS(SOMEHOW)\n",
            "TXMCS0005W",
        ),
        (" DEFIN PROGRAM(A) GROUP(G\n", "TXMCS00"),
        (" DEFINE PROGRAM(A\n", "TXMCS00"),
        (" DEFINE PROGRAM(../../etc/passwd) GROUP(G)\n", "TXMCS0004E"),
        (" DEFINE PROGRAM(A) GROUP(DFHX)\n", "TXMCS0018E"),
        (" DEFINE PROGRAM(A) GROUP(MINE)\n", "TXMCS0017E"),
        (" FROB GROUP(G)\n", "TXMCS0001E"),
        (" UPGRADE USING(DFHCURDS)\n", "TXMCS0020E"),
        (" SERVICE FROMCSD(OLD) LEVEL(100)\n", "TXMCS0020E"),
        (
            " COPY GROUP(PAYROLL) TO(G) FROMCSD(OLD)\n",
            "there is one CSD",
        ),
        (" INITIALIZE\n", "it has 3 definitions"),
        (
            " EXTRACT GROUP(PAYROLL) OBJECTS USERPROGRAM(MYPROG)\n",
            "MYPROG",
        ),
        (" ADD GROUP(G) LIST(L) BEHIND(X)\n", "TXMCS0015E"),
    ] {
        let all = format!(
            " DEFINE PROGRAM(FIRST) GROUP(ONE)\n{deck} DEFINE PROGRAM(LAST) GROUP(ONE)\n LIST ALL\n"
        );
        let (code, said) = run(folder.path(), &all, &[]);
        assert_eq!(code, ExitCode::from(8), "{said}");
        assert!(said.contains(part), "{part}: {said}");
        assert!(said.contains("in error, nothing of it was done"), "{said}");
        assert!(
            said.contains("TXMCS0023E DEFINE not executed, because of an error before"),
            "{said}"
        );
        assert!(
            said.contains("  GROUP ONE           1 definitions"),
            "{said}"
        );
        let written = local(folder.path());
        assert!(
            written.contains("FIRST") && !written.contains("LAST"),
            "{written}"
        );
        assert!(
            !written.contains("(A)") && !written.contains("GROUP(G)"),
            "{written}"
        );
        std::fs::write(folder.path().join("csd/local.csd"), "").unwrap();
    }
}

#[test]
fn what_is_extracted_defines_the_same() {
    let folder = system();
    let out = folder.path().join("out.txt");
    let path = out.display().to_string();
    let deck = " EXTRACT LIST(MINE) OBJECTS USERPROGRAM(DFH0CBDC)\n";
    let (code, said) = run(folder.path(), deck, &["--extract", &path]);
    assert_eq!(code, ExitCode::SUCCESS, "{said}");
    let other = tempfile::tempdir().unwrap();
    std::fs::write(other.path().join("transom.toml"), "").unwrap();
    let text = format!(" INITIALIZE\n{}", std::fs::read_to_string(&out).unwrap());
    let (code, said) = run(other.path(), &text, &[]);
    assert_eq!(code, ExitCode::SUCCESS, "{said}");
    let (_, said) = run(other.path(), " SCAN TRANSACTION(PAY*)\n", &[]);
    assert!(
        said.contains("  GROUP PAYROLL\n    TRANSACTION(PAYT)\n        PROGRAM(PAY)"),
        "{said}"
    );
}

#[test]
fn a_locked_group_is_its_users() {
    let folder = system();
    let lock = "* locked by ALICE\n LOCK GROUP(PAYROLL)\n";
    std::fs::write(folder.path().join("csd/local.csd"), lock).unwrap();
    let deck = " DELETE PROGRAM(PAY) GROUP(PAYROLL)\n";
    let (code, said) = run(folder.path(), deck, &[]);
    assert_eq!(code, ExitCode::from(8));
    assert!(said.contains("PAYROLL is locked by ALICE"), "{said}");
    let (code, said) = run(
        folder.path(),
        " COPY GROUP(PAYROLL) TO(NEW)\n LIST GROUP(PAY*)\n",
        &[],
    );
    assert_eq!(code, ExitCode::SUCCESS, "{said}");
    assert!(said.contains("definitions  locked by ALICE"), "{said}");
    let (code, _) = run(folder.path(), deck, &["--user", "alice"]);
    assert_eq!(code, ExitCode::SUCCESS);
}

#[test]
fn json_has_the_same() {
    let folder = system();
    let deck = " DEFINE PROGRAM(TAX) GROUP(NEW)\n DEFINE PROGRAM(TAX) GROUP(NEW)\n";
    let (code, said) = run(folder.path(), deck, &["--json"]);
    assert_eq!(code, ExitCode::from(4), "{said}");
    let json: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&json["code"], &json["warnings"]), (&4.into(), &1.into()));
    assert_eq!(json["commands"][1]["outcome"], "warning");
    assert!(
        json["commands"][1]["messages"][0]
            .as_str()
            .unwrap()
            .contains("TXMCS0011W")
    );
}

#[test]
fn fifty_thousand_definitions() {
    let folder = system();
    let one = |n: usize| format!(" DEFINE PROGRAM(P{n:06}) GROUP(G{:03})\n", n % 500);
    let deck: String = (0..50_000).map(one).collect();
    let (code, said) = run(folder.path(), &deck, &[]);
    assert_eq!(code, ExitCode::SUCCESS);
    assert!(
        said.contains("commands executed: 50000,"),
        "{}",
        &said[said.len() - 200..]
    );
    let (_, said) = run(folder.path(), " LIST GROUP(G000)\n", &[]);
    assert!(
        said.contains("501 groups, 1 lists, 50002 definitions"),
        "{said}"
    );
}

#[test]
fn without_a_directory_the_code_is_12() {
    let folder = tempfile::tempdir().unwrap();
    let (code, said) = run(folder.path(), " LIST ALL\n", &[]);
    assert_eq!(code, ExitCode::from(12));
    assert!(said.contains("TXMSI000"), "{said}");
    let folder = system();
    std::fs::create_dir(folder.path().join("csd/local.csd")).unwrap();
    let (code, said) = run(folder.path(), " LIST ALL\n", &[]);
    assert_eq!(code, ExitCode::from(12), "{said}");
}
