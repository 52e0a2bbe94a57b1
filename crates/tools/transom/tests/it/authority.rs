//! Who may do what: users, groups and rules, at terminals and in programs.

use crate::desk::Desk;
use crate::harness::{Programs, Running, copy_of, request, root};
use std::time::Duration;
use transom_region_server::RegionConfig;
use transom_security::{PasswordRules, Rules, Secret, User, UserFile};
use transom_types::{ProgramName, TransId, UserId};
use transom_wire::definitions::TransactionEntry;

/// Users with the password `secret` and these groups.
fn users(folder: &std::path::Path, users: &[(&str, &[&str], u32)]) -> std::path::PathBuf {
    let path = folder.join("users.toml");
    let file = UserFile::new(&path, PasswordRules::default());
    for (userid, groups, timeout) in users {
        let user = User {
            userid: (*userid).into(),
            groups: groups.iter().map(|g| (*g).into()).collect(),
            timeout_minutes: *timeout,
            ..User::default()
        };
        file.put(&user, &Secret::password(b"secret"), false)
            .unwrap();
    }
    path
}

fn transaction(config: &mut RegionConfig, transid: &str, program: &str, ressec: bool) {
    let mut entry = TransactionEntry::new(
        TransId::from_field(transid.as_bytes()),
        ProgramName::from_field(program.as_bytes()),
    );
    entry.ressec = ressec;
    entry.cmdsec = ressec;
    config.transactions.push(entry);
}

#[test]
fn groups_decide_who_may_use_the_master_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let all: &[(&str, &[&str], u32)] = &[
        ("ALICE", &["CLERKS"], 0),
        ("OSCAR", &["OPERATOR"], 0),
        ("IRIS", &["INQUIRE"], 0),
    ];
    let path = users(folder.path(), all);
    let programs = Programs::with(&[], |config| config.users.file = Some(path));
    let mut desk = Desk::new(&programs);
    // Nobody signed on, and a user of no special group.
    assert!(
        desk.run("CEMT I TASK").contains("TXMAC2033E"),
        "{}",
        desk.text()
    );
    desk.run("CESN USERID=ALICE,PS=secret");
    for transaction in ["CEMT I TASK", "CEDA DISPLAY GROUP(*)", "CECI DELAY"] {
        let refused = desk.run(transaction);
        assert!(refused.contains("TXMAC2033E"), "{refused}");
    }
    let log = programs.log.lock().unwrap().clone();
    assert!(
        log.contains("TXMXS0020W ALICE may not use transaction CEDA"),
        "{log}"
    );

    // Everybody may look at the own terminal, and change it.
    let own = desk.run("CEOT");
    assert!(
        own.contains("Use(ALICE   )") && own.contains("Ati"),
        "{own}"
    );
    let own = desk.line("I TASK");
    assert!(own.contains("Ter(") && !own.contains("Tas("), "{own}");
    assert!(desk.press("PF3").contains("TXMMT0020I"), "{}", desk.text());

    desk.run("CESN USERID=IRIS,PS=secret");
    assert!(
        desk.run("CEMT I TASK").contains("NORMAL"),
        "{}",
        desk.text()
    );
    let refused = desk.line("P SHUT IMM");
    assert!(refused.contains("NOT AUTHORIZED"), "{refused}");
    let refused = desk.line("S TRAN(CESN) DIS");
    assert!(refused.contains("NOT AUTHORIZED"), "{refused}");
    desk.press("PF3");

    desk.run("CESN USERID=OSCAR,PS=secret");
    let set = desk.run("CEMT S TRAN(CESF) DIS");
    assert!(set.contains("Dis") && set.contains("NORMAL"), "{set}");
    assert!(
        desk.line("P SHUT IMM").contains("TXMMT0015I"),
        "{}",
        desk.text()
    );
    let asked = programs.region.shutdown_asked();
    let immediate = programs
        .runtime
        .block_on(async { tokio::time::timeout(Duration::from_secs(10), asked).await });
    assert_eq!(immediate.ok(), Some(true));
}

const ASK: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. ASK.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 R1 PIC S9(8) COMP.
       01 R2 PIC S9(8) COMP.
       01 CAN-READ PIC S9(8) COMP.
       01 CAN-UPDATE PIC S9(8) COMP.
       LINKAGE SECTION.
       01 DFHCOMMAREA.
         02 DO-WHAT PIC X(8).
         02 ARG PIC X(8).
         02 OUT PIC X(40).
       PROCEDURE DIVISION.
           EVALUATE DO-WHAT
             WHEN 'WRITE'
               EXEC CICS WRITEQ TS QUEUE(ARG) FROM('X') LENGTH(1)
                 RESP(R1) RESP2(R2) END-EXEC
             WHEN 'START'
               EXEC CICS START TRANSID('NOPE') USERID(ARG)
                 RESP(R1) RESP2(R2) END-EXEC
             WHEN 'SET'
               EXEC CICS SET TRANSACTION(ARG) PRIORITY(3)
                 RESP(R1) RESP2(R2) END-EXEC
             WHEN OTHER
               EXEC CICS QUERY SECURITY RESTYPE('TSQUEUE') RESID(ARG)
                 RESIDLENGTH(8) READ(CAN-READ) UPDATE(CAN-UPDATE)
                 RESP(R1) RESP2(R2) END-EXEC
           END-EVALUATE.
           MOVE SPACES TO OUT.
           IF DO-WHAT = 'QUERY'
             IF CAN-READ = DFHVALUE(READABLE) MOVE 'R' TO OUT(20:1)
             END-IF
             IF CAN-UPDATE = DFHVALUE(UPDATABLE) MOVE 'U' TO OUT(21:1)
             END-IF
           END-IF.
           IF R1 = DFHRESP(NORMAL) MOVE 'NORMAL' TO OUT(1:10).
           IF R1 = DFHRESP(NOTAUTH) MOVE 'NOTAUTH' TO OUT(1:10).
           IF R1 = DFHRESP(USERIDERR) MOVE 'USERIDERR' TO OUT(1:10).
           IF R2 = 100 MOVE '100' TO OUT(12:3).
           IF R2 = 101 MOVE '101' TO OUT(12:3).
           IF R2 = 9 MOVE '9' TO OUT(12:3).
           IF R2 = 8 MOVE '8' TO OUT(12:3).
           EXEC CICS RETURN END-EXEC.
";

#[test]
fn programs_are_checked_where_the_transaction_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = users(
        folder.path(),
        &[("ALICE", &["CLERKS"], 0), ("BOB", &["BOSSES"], 0)],
    );
    let programs = Programs::with(&[ASK], |config| {
        config.users.file = Some(path);
        let mut rules = Rules::default();
        for (name, who) in [
            ("TSQUEUE PAY*", "CLERKS READ, BOSSES UPDATE"),
            ("COMMAND TRANSACTION", "BOSSES UPDATE"),
            ("SURROGATE ALICE.*", "BOSSES READ"),
            ("TRANSACTION PAYC", "CLERKS READ, BOSSES READ"),
            ("PROGRAM ASK", "ALL READ"),
        ] {
            rules.set(name, who).unwrap();
        }
        config.users.rules = rules;
        transaction(config, "PAYC", "DFHMIRS", true);
        transaction(config, "PAYF", "DFHMIRS", false);
    });
    let ask = |user: &str, transid: &str, what: &str, arg: &str| {
        let mut asked = request("ASK", format!("{what:8}{arg:8}{:40}", "").into_bytes());
        asked.userid = Some(UserId::from_field(user.as_bytes()));
        asked.transid = Some(TransId::from_field(transid.as_bytes()));
        match programs.request(asked) {
            Ok(transom_region_api::Payload::Commarea(bytes)) => {
                String::from_utf8_lossy(&bytes[16..]).trim_end().to_owned()
            }
            other => format!("{other:?}"),
        }
    };
    assert_eq!(ask("ALICE", "PAYC", "WRITE", "PAYQ"), "NOTAUTH    101");
    assert_eq!(ask("BOB", "PAYC", "WRITE", "PAYQ"), "NORMAL");
    assert_eq!(ask("BOB", "PAYC", "WRITE", "TAXQ"), "NOTAUTH    101");
    // RESSEC(NO): the program itself is trusted.
    assert_eq!(ask("ALICE", "PAYF", "WRITE", "TAXQ"), "NORMAL");
    assert_eq!(ask("ALICE", "PAYC", "SET", "PAYF"), "NOTAUTH    100");
    assert_eq!(ask("BOB", "PAYC", "SET", "PAYF"), "NORMAL");
    let query = ask("ALICE", "PAYF", "QUERY", "PAYQ");
    assert_eq!(query, "NORMAL             R");
    assert_eq!(ask("BOB", "PAYF", "QUERY", "PAYQ"), "NORMAL             RU");
    assert_eq!(ask("ALICE", "PAYF", "QUERY", "TAXQ"), "NORMAL");
    // Work for others.
    assert_eq!(ask("BOB", "PAYF", "START", "NOBODY"), "USERIDERR  8");
    assert_eq!(ask("ALICE", "PAYF", "START", "BOB"), "NOTAUTH    9");
    assert_ne!(ask("BOB", "PAYF", "START", "ALICE"), "NOTAUTH    9");
    let refused = ask("CAROL", "PAYC", "WRITE", "PAYQ");
    assert!(
        refused.contains("Resp(70)") || refused.contains("NOTAUTH"),
        "{refused}"
    );
    let log = programs.log.lock().unwrap().clone();
    assert!(
        log.contains("TXMXS0021W ALICE may not Update TSQUEUE PAYQ"),
        "{log}"
    );
}

#[test]
fn idle_users_are_signed_off_and_wrong_passwords_lock_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = users(folder.path(), &[("ALICE", &[], 2), ("BOB", &[], 0)]);
    let programs = Programs::with(&[], |config| {
        config.users.file = Some(path);
        config.users.passwords.attempts_max = 2;
        config.users.passwords.lockout = Some(Duration::from_millis(1_500));
        config.users.idle_minute = Duration::from_millis(400);
    });
    let mut desk = Desk::new(&programs);
    desk.run("CESN USERID=ALICE,PS=secret");
    assert!(desk.run("CESF").contains("TXMCE3590I"), "{}", desk.text());
    desk.run("CESN USERID=ALICE,PS=secret");
    desk.press("CLEAR");
    desk.settle();
    assert!(
        desk.text().contains("Type a transaction"),
        "{}",
        desk.text()
    );
    let off = desk.type_text("CESF").press("ENTER");
    assert!(off.contains("TXMCE3592I"), "{off}");
    let once = desk.run("CESN USERID=BOB,PS=guess");
    assert!(once.contains("TXMCE3530E"), "{once}");
    desk.press("PF3");
    let told = desk.run("CESN USERID=BOB,PS=secret");
    assert!(
        told.contains("Wrong passwords since last time: 1"),
        "{told}"
    );
    desk.run("CESF");
    for _ in 0..2 {
        let wrong = desk.run("CESN USERID=BOB,PS=guess");
        assert!(wrong.contains("TXMCE3530E"), "{wrong}");
        desk.press("PF3");
    }
    let refused = desk.run("CESN USERID=BOB,PS=secret");
    assert!(refused.contains("TXMCE3532E"), "{refused}");
    desk.press("PF3");
    // A user nobody has is answered alike.
    for _ in 0..2 {
        let wrong = desk.run("CESN USERID=MALLORY,PS=guess");
        assert!(wrong.contains("TXMCE3530E"), "{wrong}");
        desk.press("PF3");
    }
    let refused = desk.run("CESN USERID=MALLORY,PS=guess");
    assert!(refused.contains("TXMCE3532E"), "{refused}");
    desk.press("PF3");
    // Elsewhere BOB signs on, and here after a while.
    let mut other = crate::terminals::User::logon(&programs, None);
    other.enters("CESN USERID=BOB,PS=secret");
    other.shows("TXMCE3549I");
    let begin = std::time::Instant::now();
    while !desk.run("CESN USERID=BOB,PS=secret").contains("TXMCE3549I") {
        assert!(begin.elapsed() < Duration::from_secs(20), "{}", desk.text());
        desk.press("PF3");
    }
    let log = programs.log.lock().unwrap().clone();
    assert!(log.contains("TXMXS0018I ALICE at terminal"), "{log}");
    let told =
        "TXMXS0027W too many wrong passwords of BOB from 192.0.2.1: refused there for 1 seconds";
    assert!(log.contains(told), "{log}");
}

const RUNS: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. PAYROLL.
       DATA DIVISION.
       LINKAGE SECTION.
       01 DFHCOMMAREA.
         02 WHO PIC X(8).
       PROCEDURE DIVISION.
           EXEC CICS ASSIGN USERID(WHO) END-EXEC.
           EXEC CICS RETURN END-EXEC.
";

#[test]
fn a_link_from_outside_is_checked_as_a_terminals_transaction_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = users(folder.path(), &[("ALICE", &["CLERKS"], 0)]);
    let rules = |rows: &[(&str, &str)]| {
        let mut rules = Rules::default();
        for (name, who) in rows {
            rules.set(name, who).unwrap();
        }
        rules
    };
    let programs = Programs::with(&[RUNS], |config| {
        config.users.file = Some(path.clone());
        config.users.rules = rules(&[
            ("TRANSACTION *", "CLERKS READ"),
            ("PROGRAM PAYROLL", "BOSSES READ"),
        ]);
        transaction(config, "PAYC", "DFHMIRS", true);
    });
    let link = |programs: &Programs, user: Option<&str>, transid: Option<&str>| {
        let mut asked = request("PAYROLL", vec![b' '; 8]);
        asked.userid = user.map(|user| UserId::from_field(user.as_bytes()));
        asked.transid = transid.map(|transid| TransId::from_field(transid.as_bytes()));
        match programs.request(asked) {
            Ok(transom_region_api::Payload::Commarea(who)) => String::from_utf8(who).unwrap(),
            Ok(other) => format!("{other:?}"),
            Err(failure) => failure.text,
        }
    };
    let refused = |user, transid| format!("TXMXS0020W {user} may not use transaction {transid}");
    assert_eq!(link(&programs, Some("ALICE"), None), "ALICE   ");
    // Nobody: the default user. Every name of a mirror, and those everybody has at a terminal.
    for mirror in ["CSMI", "CPMI", "CVMI", "CEHP", "CEHS", "CESN", "CSGM"] {
        assert_eq!(
            link(&programs, None, Some(mirror)),
            refused("CICSUSER", mirror)
        );
    }
    assert_eq!(link(&programs, Some("BOB"), None), refused("BOB", "CSMI"));
    // RESSEC(YES): the program counts too.
    assert_eq!(
        link(&programs, Some("ALICE"), Some("PAYC")),
        "TXMXS0021W ALICE may not Read PROGRAM PAYROLL"
    );
    programs.stop();
    // Nothing is checked without users.
    let programs = Programs::with(&[RUNS], |config| {
        config.users.rules = rules(&[("TRANSACTION *", "CLERKS READ")]);
    });
    assert_eq!(link(&programs, None, None), "CICSUSER");
    assert_eq!(link(&programs, Some("BOB"), None), "BOB     ");
}

#[test]
fn the_gateway_answers_403_to_a_user_without_authority() {
    let (_folder, dir) = copy_of(&root().join("samples/gateway"));
    let xml = std::fs::read_to_string(dir.join("server.xml")).unwrap();
    let registry = "<basicRegistry id=\"r\" realm=\"r\"><user name=\"alice\" password=\"a\"/>\
        <user name=\"bob\" password=\"b\"/></basicRegistry>\
        <authorization-roles id=\"z\"><security-role name=\"zosConnectAccess\">\
        <special-subject type=\"ALL_AUTHENTICATED_USERS\"/></security-role></authorization-roles></server>";
    std::fs::write(
        dir.join("server.xml"),
        xml.replace("</server>", registry)
            .replace("requireAuth=\"false\"", "requireAuth=\"true\""),
    )
    .unwrap();
    let toml = std::fs::read_to_string(dir.join("transom.toml")).unwrap();
    let rules = "\n[authority]\n\"TRANSACTION BBO#\" = \"ALICE READ\"\n";
    let secure = |on: &str| {
        let on = format!("[region]\nSEC = \"{on}\"");
        std::fs::write(
            dir.join("transom.toml"),
            toml.replace("[region]", &on) + rules,
        )
        .unwrap();
        Running::start(&dir)
    };
    let put = |server: &Running, basic: &str| {
        let body = b"{\"COMM1KOperation\":{\"count_out\":32}}";
        let headers = [
            ("content-type", "application/json"),
            ("authorization", basic),
        ];
        server.request_with("PUT", "/comm1k/mapping/CABASIC-RS2/1", &headers, body)
    };
    let (alice, bob) = ("Basic YWxpY2U6YQ==", "Basic Ym9iOmI=");
    let server = secure("YES");
    assert_eq!(put(&server, alice).0, 200, "{}", server.said());
    let (status, body) = put(&server, bob);
    assert_eq!(status, 403, "{body}");
    assert!(body.contains("NOTAUTH"), "{body}");
    // What the server says comes through a pipe.
    let begin = std::time::Instant::now();
    while !server
        .said()
        .contains("TXMXS0020W BOB may not use transaction BBO#")
    {
        assert!(
            begin.elapsed() < Duration::from_secs(10),
            "{}",
            server.said()
        );
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(server.stop());
    let server = secure("NO");
    assert_eq!(put(&server, bob).0, 200);
}
