//! An operator's day at s3270: definitions, the master terminal, a user who may not, a restart.

use crate::harness::EXE;
use crate::s3270::{S3270, available};
use crate::terminal_samples::Region;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const DECK: &str = " DEFINE TRANSACTION(HI) GROUP(DEMO) PROGRAM(HELLO)
 DEFINE PROGRAM(HELLO) GROUP(DEMO) LANGUAGE(COBOL)
";
const HELLO: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. HELLO.
       PROCEDURE DIVISION.
           EXEC CICS SEND TEXT FROM('HELLO THERE') LENGTH(11)
             ERASE FREEKB END-EXEC.
           EXEC CICS RETURN END-EXEC.
";

fn system(dir: &Path) {
    std::fs::create_dir_all(dir.join("csd")).unwrap();
    std::fs::create_dir_all(dir.join("cobol")).unwrap();
    let config = "[region]\nAPPLID = \"CICSDEMO\"\n";
    std::fs::write(dir.join("transom.toml"), config).unwrap();
    std::fs::write(dir.join("csd/demo.csd"), DECK).unwrap();
    std::fs::write(dir.join("cobol/HELLO.cbl"), HELLO).unwrap();
}

fn add_user(dir: &Path, user: &str, group: &str) {
    let mut child = Command::new(EXE)
        .args(["user", "add"])
        .arg(dir)
        .args([user, "--group", group])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"secret\n").unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn definitions_last_and_authority_begins_with_the_first_user() {
    if !available() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    system(dir);
    {
        let region = Region::start(dir);
        let host = format!("127.0.0.1:{}", region.port);
        // A model 4: CEDA and CEMT use its 43 rows.
        let mut desk = S3270::connect("3279-4-E", &host);
        desk.transaction("HI");
        desk.expect("HELLO THERE");
        desk.transaction("CEDA DEF TDQUEUE(LOGQ) GROUP(MINE) TYPE(INTRA)");
        desk.expect("DEFINE SUCCESSFUL");
        desk.expect("TRIGGERLEVEL");
        assert_eq!(desk.screen().len(), 43);
        for (line, part) in [
            (
                "DEF TSMODEL(PAYM) GROUP(MINE) PREFIX(PAY)",
                "DEFINE SUCCESSFUL",
            ),
            (
                "DEF TRANCLASS(SLOW) GROUP(MINE) MAXACTIVE(2)",
                "DEFINE SUCCESSFUL",
            ),
            (
                "DEF PROFILE(UPPER) GROUP(MINE) UCTRAN(YES)",
                "DEFINE SUCCESSFUL",
            ),
            ("DEF LSRPOOL(POOL1) GROUP(MINE)", "DEFINE SUCCESSFUL"),
            (
                "DEF JOURNALMODEL(NOLOG) GROUP(MINE) TYPE(DUMMY)",
                "DEFINE SUCCESSFUL",
            ),
            (
                "DEF TRANS(HEY) GROUP(MINE) PROGRAM(HELLO) TRANCLASS(SLOW)",
                "DEFINE SUCCESSFUL",
            ),
            ("INSTALL GROUP(MINE)", "TDQUEUE(LOGQ) TXMAM0008I"),
        ] {
            desk.fill(1, 2, line);
            desk.enter();
            desk.expect(part);
        }
        for part in [
            "TSMODEL(PAYM) TXMAM0008I",
            "TRANCLASS(SLOW) TXMAM0008I",
            "PROFILE(UPPER) TXMAM0008I",
            "LSRPOOL(POOL1) TXMAM0008I",
            "JOURNALMODEL(NOLOG) TXMAM0008I",
            "TRANSACTION(HEY) TXMAM0008I",
        ] {
            desk.expect(part);
        }
        // The queue is enabled now: in use.
        desk.enter();
        desk.expect("TDQUEUE(LOGQ) TXMAM0012E");
        desk.pf(3);
        desk.transaction("HEY");
        desk.expect("HELLO THERE");
        desk.transaction("CEMT I TRANCLASS(SLOW)");
        desk.expect("Tra(SLOW    ) Max( 2");
        desk.fill(1, 2, "I JMODEL");
        desk.enter();
        desk.expect("Jou(NOLOG   ) Jou(NOLOG   ) Dum");
        desk.fill(1, 2, "I TDQ(LOGQ)");
        desk.enter();
        desk.expect("Tdq(LOGQ) Int");
        desk.pf(3);
    }
    add_user(dir, "alice", "CLERKS");
    add_user(dir, "root", "SYSADM");
    let region = Region::start(dir);
    let host = format!("127.0.0.1:{}", region.port);
    let mut desk = S3270::connect("3278-2", &host);
    // Applications are everybody's, as before; the master terminal is not.
    desk.transaction("HEY");
    desk.expect("HELLO THERE");
    desk.transaction("CEMT I TASK");
    desk.expect("TXMAC2033E");
    desk.transaction("CESN");
    desk.fill(10, 26, "root");
    desk.fill(12, 26, "wrong");
    desk.enter();
    desk.expect("TXMCE3530E");
    desk.fill(10, 26, "root");
    desk.fill(12, 26, "secret");
    desk.enter();
    desk.expect("TXMCE3549I");
    desk.transaction("CEMT S TRAN(HEY) DIS");
    desk.expect("Dis");
    desk.fill(1, 2, "I TDQ(LOGQ)");
    desk.enter();
    desk.expect("Tdq(LOGQ) Int");
    desk.pf(3);
    desk.transaction("HEY");
    desk.expect("TXMAC2008E");
    desk.transaction("CECI ASSIGN USERID NETNAME");
    desk.enter();
    desk.expect("USERID( 'ROOT' )");
    desk.pf(3);
    desk.transaction("CESF");
    desk.expect("TXMCE3590I");
}
