//! Supplied transactions at a terminal of a real region: keys in, screens out.

use crate::desk::Desk;
use crate::harness::Programs;
use std::time::{Duration, Instant};
use transom_region_api::Programs as _;
use transom_security::{PasswordRules, Secret, User, UserFile};
use transom_types::{FileName, ProfileName, TdQueueName, TransClass};
use transom_wire::definitions::{ClassLimit, Entry, JournalKind, JournalModel};
use transom_wire::definitions::{FileEntry, ProfileEntry, TdQueueEntry, TsModelEntry};

fn users(folder: &std::path::Path) -> std::path::PathBuf {
    let path = folder.join("users.toml");
    let alice = User {
        userid: "ALICE".into(),
        ..User::default()
    };
    let file = UserFile::new(&path, PasswordRules::default());
    file.put(&alice, &Secret::password(b"Wonder1"), false)
        .unwrap();
    path
}

#[test]
fn good_morning_sign_on_and_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = users(folder.path());
    let programs = Programs::with(&[], |config| {
        config.users.file = Some(path);
        config.users.greeting = "Good morning from the region".into();
    });
    let mut desk = Desk::new(&programs);
    let first = desk.text();
    assert!(first.contains("Good morning from the region"), "{first}");
    assert!(first.contains("APPLID TEST"), "{first}");

    let ask = desk.type_text("CESN").press("ENTER");
    assert!(ask.contains("TXMCE3520I"), "{ask}");
    desk.type_text("alice").tab().tab().type_text("wrong");
    let refused = desk.press("ENTER");
    assert!(
        refused.contains("TXMCE3530E") && !refused.contains("wrong"),
        "{refused}"
    );
    // What is typed next is the password, and stays dark.
    desk.type_text("Wonder1");
    assert!(!desk.text().contains("Wonder1"), "{}", desk.text());
    let done = desk.press("ENTER");
    assert!(done.contains("TXMCE3549I"), "{done}");
    let off = desk.run("CESF");
    assert!(off.contains("TXMCE3590I"), "{off}");
    let off = desk.type_text("CESF").press("ENTER");
    assert!(off.contains("TXMCE3592I"), "{off}");

    let done = desk.run("CESN USERID=ALICE,PS=Wonder1");
    assert!(done.contains("TXMCE3549I"), "{done}");
    desk.run("CESF LOGOFF");
    desk.ended();
    let log = programs.log.lock().unwrap().clone();
    assert!(!log.contains("onder1"), "{log}");
}

const PAY: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. PAY.
       PROCEDURE DIVISION.
           EXEC CICS RETURN END-EXEC.
";

#[test]
fn master_terminal_lists_and_changes() {
    let programs = Programs::with(&[PAY], |_| ());
    programs.link("PAY", b"").unwrap();
    let mut desk = Desk::new(&programs);
    let tasks = desk.run("CEMT I TASK");
    assert!(
        tasks.contains("Tra(CEMT)") && tasks.contains("Run"),
        "{tasks}"
    );
    assert!(
        tasks.contains("RESPONSE: NORMAL") && tasks.contains("APPLID=TEST"),
        "{tasks}"
    );
    let end = desk.press("PF3");
    assert!(end.contains("TXMMT0010I"), "{end}");

    let shown = desk.run("CEMT INQ TRAN(CES*)");
    for name in ["Tra(CESN)", "Tra(CESL)", "Tra(CESF)"] {
        assert!(shown.contains(name), "{shown}");
    }
    assert!(!shown.contains("Tra(CEMT)"), "{shown}");
    desk.press("PF3");

    let shown = desk.run("CEMT S PROG(PAY) DIS");
    assert!(shown.contains("Dis") && shown.contains("NORMAL"), "{shown}");
    assert!(programs.link("PAY", b"").is_err());
    // Behind the command line the first open field of the row is the status.
    desk.tab().type_text("ena");
    let shown = desk.press("ENTER");
    assert!(shown.contains("Ena") && shown.contains("NORMAL"), "{shown}");
    programs.link("PAY", b"").unwrap();

    desk.screen.home().unwrap();
    desk.screen.erase_eof().unwrap();
    let system = desk.type_text("I SYS").press("ENTER");
    assert!(system.contains("App(TEST"), "{system}");
    desk.screen.home().unwrap();
    desk.screen.erase_eof().unwrap();
    let wrong = desk.type_text("I BANANA").press("ENTER");
    assert!(wrong.contains("TXMMT0004E"), "{wrong}");
    desk.press("PF3");
    let end = desk.run("CEMT P SHUT IMM");
    assert!(end.contains("TXMMT0015I"), "{end}");
    let asked = programs.region.shutdown_asked();
    let immediate = programs
        .runtime
        .block_on(async { tokio::time::timeout(Duration::from_secs(10), asked).await });
    assert_eq!(immediate.ok(), Some(true));
}

const ADD: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. SHOUT.
       DATA DIVISION.
       LINKAGE SECTION.
       01 DFHCOMMAREA PIC X(5).
       PROCEDURE DIVISION.
           MOVE 'LOUD!' TO DFHCOMMAREA.
           EXEC CICS RETURN END-EXEC.
";

#[test]
fn command_interpreter_runs_commands() {
    let programs = Programs::new(&[ADD]);
    let mut desk = Desk::new(&programs);
    let about = desk.run("CECI WRITEQ TS Q(NAMES) FROM('ALICE')");
    assert!(about.contains("ABOUT TO EXECUTE"), "{about}");
    assert!(
        about.contains("EXEC CICS WRITEQ TS") && about.contains("QUEUE( 'NAMES' )"),
        "{about}"
    );
    let done = desk.press("ENTER");
    assert!(done.contains("COMMAND EXECUTION COMPLETE"), "{done}");
    assert!(done.contains("RESPONSE: NORMAL"), "{done}");

    let again = |desk: &mut Desk<'_>, line: &str| {
        desk.screen.home().unwrap();
        desk.screen.erase_eof().unwrap();
        desk.type_text(line).press("ENTER");
        desk.press("ENTER")
    };
    let read = again(&mut desk, "READQ TS Q(NAMES) INTO(&WHO) ITEM(1)");
    assert!(read.contains("INTO( 'ALICE' )"), "{read}");
    let variables = desk.press("PF5");
    assert!(
        variables.contains("WHO") && variables.contains("ALICE"),
        "{variables}"
    );
    desk.press("PF3");
    let missing = again(&mut desk, "READQ TS Q(NAMES) INTO ITEM(9)");
    assert!(missing.contains("RESPONSE: ITEMERR"), "{missing}");
    let eib = desk.press("PF4");
    assert!(
        eib.contains("EIBRESP    X'0000001A'") && eib.contains("'CECI'"),
        "{eib}"
    );
    // The line that was typed was all of the input.
    assert!(eib.contains("EIBEOC     X'FF'"), "{eib}");
    desk.press("ENTER");
    let linked = again(&mut desk, "LINK PROGRAM(SHOUT) COMMAREA('quiet') LENGTH(5)");
    assert!(linked.contains("COMMAREA( 'LOUD!' )"), "{linked}");
    let shown = again(&mut desk, "INQUIRE PROGRAM(SHOUT)");
    assert!(shown.contains("STATUS( ENABLED )"), "{shown}");
    let wrong = again(&mut desk, "READQ TS FISH");
    assert!(wrong.contains("TXMCI0023E 3 messages"), "{wrong}");
    let all = desk.press("PF9");
    assert!(
        all.contains("TXMCI0003E READQ TS has no option FISH"),
        "{all}"
    );
    desk.press("ENTER");
    // ASSIGN answers what was asked for and nothing else.
    let assigned = again(&mut desk, "ASSIGN APPLID USERID SCRNHT");
    assert!(
        assigned.contains("APPLID( 'TEST' )")
            && assigned.contains("SCRNHT( +0000000024 )")
            && assigned.contains("RESPONSE: NORMAL"),
        "{assigned}"
    );
    let checked = desk.line("? READQ TS QUEUE(NAMES)");
    assert!(
        checked.contains("COMMAND SYNTAX CHECK") && checked.contains("< ITEM() >"),
        "{checked}"
    );
    // A command kept under a name, and the samples.
    desk.screen.home().unwrap();
    desk.screen.erase_eof().unwrap();
    desk.type_text("ASSIGN SYSID")
        .tab()
        .tab()
        .type_text("&WHO2");
    desk.press("ENTER");
    let kept = desk.line("&WHO2");
    assert!(kept.contains("ASSIGN SYSID"), "{kept}");
    assert!(
        desk.line("&DFHW").contains("FROM( &DFHC )"),
        "{}",
        desk.text()
    );
    assert!(desk.press("ENTER").contains("NORMAL"), "{}", desk.text());
    // What the user would see.
    desk.line("SEND TEXT FROM('GOOD NEWS') ERASE FREEKB");
    let sent = desk.press("ENTER");
    assert!(
        sent.contains("GOOD NEWS") && !sent.contains("STATUS"),
        "{sent}"
    );
    let back = desk.press("ENTER");
    assert!(back.contains("COMMAND EXECUTION COMPLETE"), "{back}");
    let again_sent = desk.press("PF6");
    assert!(
        again_sent.contains("GOOD NEWS") && !again_sent.contains("STATUS"),
        "{again_sent}"
    );
    desk.press("ENTER");
    assert!(desk.press("PF1").contains("HELP"), "{}", desk.text());
    desk.press("ENTER");
    let ended = desk.press("PF3");
    assert!(ended.contains("TXMCI0020I"), "{ended}");
    let checked = desk.run("CECS DELAY FOR SECONDS(5)");
    assert!(checked.contains("TXMCI0022I"), "{checked}");
}

#[test]
fn queue_browser_messages_and_operator() {
    let programs = Programs::with(&[], |config| {
        let queue = TdQueueEntry::new(TdQueueName::new(*b"LOGQ"));
        config.queues.td_queues.push(queue);
    });
    let mut desk = Desk::new(&programs);
    for name in ["ALICE", "BOB", "CAROL"] {
        desk.run(&format!("CECI WRITEQ TS Q(NAMES) FROM({name})"));
        desk.press("ENTER");
        desk.press("PF3");
    }
    let shown = desk.run("CEBR NAMES");
    assert!(
        shown.contains("CEBR  TSQ NAMES")
            && shown.contains("SYSID TST1 REC     1 OF     3    COL     1 OF     5"),
        "{shown}"
    );
    let lines: Vec<&str> = shown.lines().map(str::trim).collect();
    assert!(lines[2].contains("**  TOP OF QUEUE  **"), "{shown}");
    assert_eq!(
        lines[3..6],
        ["00001 ALICE", "00002 BOB", "00003 CAROL"],
        "{shown}"
    );
    assert!(lines[6].contains("**  BOTTOM OF QUEUE  **"), "{shown}");
    assert!(lines[21].starts_with("PF4 : VIEW TOP"), "{shown}");
    let found = desk.type_text("FIND /caR").press("ENTER");
    assert!(
        found.contains("REC     3 OF") && !found.contains("ALICE"),
        "{found}"
    );
    // The record found is in the second line; the keys are those of CICS.
    assert_eq!(
        found.lines().nth(3).unwrap().trim(),
        "00003 CAROL",
        "{found}"
    );
    assert!(desk.press("PF6").contains("TXMBR0004E"), "{}", desk.text());
    assert!(
        desk.press("PF4").contains("REC     1 OF"),
        "{}",
        desk.text()
    );
    assert!(
        desk.press("PF11").contains("REC     3 OF"),
        "{}",
        desk.text()
    );
    assert!(
        desk.press("PF10").contains("REC     1 OF"),
        "{}",
        desk.text()
    );
    assert!(
        desk.press("PF5").contains("BOTTOM OF QUEUE"),
        "{}",
        desk.text()
    );
    assert!(
        desk.press("PF9").contains("COL     1 OF     5"),
        "{}",
        desk.text()
    );
    assert!(desk.press("PF1").contains("FIND /text"), "{}", desk.text());
    assert!(
        desk.press("ENTER").contains("00001 ALICE"),
        "{}",
        desk.text()
    );
    let hex = desk.type_text("TOP").press("ENTER");
    assert!(hex.contains("ALICE"), "{hex}");
    let hex = desk.press("PF2");
    assert!(hex.contains("414C494345"), "{hex}");
    let purged = desk.type_text("PURGE").press("ENTER");
    assert!(purged.contains("TXMBR0007I"), "{purged}");
    desk.press("PF3");

    for (queue, record) in [("LOGQ", "first"), ("LOGQ", "second")] {
        desk.run(&format!("CECI WRITEQ TD Q({queue}) FROM({record})"));
        desk.press("ENTER");
        desk.press("PF3");
    }
    desk.run("CEBR NAMES");
    let got = desk.type_text("GET LOGQ").press("ENTER");
    assert!(
        got.contains("TXMBR0005I 2 records") && got.contains("00002 second"),
        "{got}"
    );
    let put = desk.type_text("PUT LOGQ").press("ENTER");
    assert!(put.contains("TXMBR0005I 2 records"), "{put}");
    let other = desk.type_text("QUEUE OTHERS").press("ENTER");
    assert!(other.contains("TXMBR0002I"), "{other}");
    let got = desk.type_text("G LOGQ").press("ENTER");
    assert!(got.contains("REC     1 OF     2"), "{got}");
    let shifted = desk.type_text("COLUMN 3").press("ENTER");
    assert!(shifted.contains("00001 rst"), "{shifted}");
    let lined = desk.type_text("LINE 2").press("ENTER");
    assert!(lined.contains("REC     2 OF     2"), "{lined}");
    let missing = desk.type_text("GET NOPE").press("ENTER");
    assert!(missing.contains("TXMBR0006E GET: QIDERR"), "{missing}");
    desk.press("PF3");

    let page = desk.run("CMAC PG00");
    assert!(
        page.contains("TXMPG0001E") && page.contains("TXMPG0026E"),
        "{page}"
    );
    desk.press("PF3");
    let page = desk.run("CMAC TXMPG0021E");
    assert!(page.contains("Explanation: A task was to begin"), "{page}");
    desk.press("PF3");
    let page = desk.run("CMAC ASRA");
    assert!(page.contains("ASRA program check"), "{page}");
    desk.press("PF3");
    for (typed, id) in [
        ("TXMPG0021", "TXMPG0021E"),
        ("DFHAC2001", "TXMAC2001E"),
        ("ac2206e", "TXMAC2206E"),
    ] {
        let page = desk.run(&format!("CMAC {typed}"));
        assert!(page.contains(id) && page.contains("Explanation:"), "{page}");
        desk.press("PF3");
    }
    let sent = desk.run("CWTO the tape is empty");
    assert!(sent.contains("TXMCW0002I"), "{sent}");
    let until = Instant::now() + Duration::from_secs(10);
    while !programs.log.lock().unwrap().contains("the tape is empty") {
        assert!(Instant::now() < until, "nothing in the log");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn first_panels_offer_choices() {
    let programs = Programs::with(&[PAY], |_| ());
    programs.link("PAY", b"").unwrap();
    let mut desk = Desk::new(&programs);
    let verbs = desk.run("CEMT");
    assert!(
        verbs.contains("STATUS:  ENTER ONE OF THE FOLLOWING"),
        "{verbs}"
    );
    let lines: Vec<&str> = verbs.lines().map(str::trim).collect();
    assert_eq!(
        lines[2..6],
        ["Discard", "Inquire", "Perform", "Set"],
        "{verbs}"
    );
    // ENTER with the cursor on a choice takes it.
    desk.screen.set_cursor(3 * 80 + 4);
    let kinds = desk.press("ENTER");
    assert!(kinds.contains("INQUIRE"), "{kinds}");
    for kind in ["PRogram", "TErminal", "SYStem"] {
        assert!(
            kinds
                .to_ascii_uppercase()
                .contains(&kind.to_ascii_uppercase()),
            "{kind}: {kinds}"
        );
    }
    let set = desk.line("S");
    assert!(!set.to_ascii_uppercase().contains("UOWENQ"), "{set}");
    assert!(desk.line("P").contains("Shutdown"), "{}", desk.text());

    // What is not there has its line.
    let named = desk.line("I PROG(PAY,NOPE)");
    assert!(
        named.contains("Pro(PAY     )") && named.contains("Pro(NOPE    ) NOT FOUND"),
        "{named}"
    );
    assert!(named.contains("TXMMT0011E NOPE: NOT FOUND"), "{named}");
    let none = desk.line("I PROG(ZZZ*)");
    assert!(none.contains("Pro(ZZZ*    ) NOT FOUND"), "{none}");
    let none = desk.line("S PROG(NOPE) DIS");
    assert!(none.contains("Pro(NOPE    ) NOT FOUND"), "{none}");

    // Variables stand for names.
    desk.press("PF5");
    assert!(desk.text().contains("VARIABLES"), "{}", desk.text());
    desk.type_text("WHAT").tab().tab().type_text("PAY");
    desk.press("PF3");
    let by_variable = desk.line("I PROG(&WHAT)");
    assert!(by_variable.contains("Pro(PAY     )"), "{by_variable}");

    // A message that is too long for its line goes on downwards, word by word.
    let long = desk.line("FROBNICATE-EVERYTHING-AT-ONCE");
    let at = long
        .lines()
        .position(|line| line.contains("TXMMT0002E"))
        .unwrap();
    let next = long.lines().nth(at + 1).unwrap();
    assert!(next.contains("PERFORM"), "{long}");
    desk.press("PF3");

    let verbs = desk.run("CEDA");
    for verb in [
        "ENTER ONE OF THE FOLLOWING",
        "ADd",
        "Define",
        "Install",
        "View",
    ] {
        assert!(
            verbs
                .to_ascii_uppercase()
                .contains(&verb.to_ascii_uppercase()),
            "{verb}: {verbs}"
        );
    }
    desk.press("PF3");
    let looks = desk.run("CEDC");
    assert!(
        looks.contains("View") && !looks.contains("Install"),
        "{looks}"
    );
    desk.press("PF3");

    // There is no connection, and the user is told so.
    let alone = desk.run("CRTE SYSID=AOR1");
    assert!(alone.contains("TXMIS") && alone.contains("AOR1"), "{alone}");
}

#[test]
fn messages_at_terminals_can_have_the_names_of_cics() {
    let folder = tempfile::tempdir().unwrap();
    let path = users(folder.path());
    let programs = Programs::with(&[], |config| {
        config.users.file = Some(path);
        config.system.cics_messages = true;
    });
    let mut desk = Desk::new(&programs);
    let unknown = desk.run("XXXX");
    assert!(
        unknown.contains("DFHAC2001 TEST transaction XXXX is not recognized"),
        "{unknown}"
    );
    let ask = desk.run("CESN");
    assert!(
        ask.contains("DFHCE3520 Please type your user") && ask.contains("Signon to CICS"),
        "{ask}"
    );
    desk.press("PF3");
    let signed_on = desk.run("CESN USERID=ALICE,PS=Wonder1");
    assert!(signed_on.contains("DFHCE3549"), "{signed_on}");
    // A number of Transom's own keeps its name.
    assert!(
        desk.run("CESN USERID=ALICE,PS=wrong")
            .contains("TXMCE3530E"),
        "{}",
        desk.text()
    );
}

#[test]
fn definitions_are_made_and_installed() {
    let folder = tempfile::tempdir().unwrap();
    let deck = folder.path().join("user.csd");
    let theirs = " DEFINE TRANSACTION(PAYT) GROUP(PAYROLL) PROGRAM(PAY)\n";
    std::fs::write(&deck, theirs).unwrap();
    let local = folder.path().join("local.csd");
    let programs = Programs::with(&[PAY], |config| {
        config.csd.decks = vec![deck.clone()];
        config.csd.local = Some(local.clone());
    });
    let mut desk = Desk::new(&programs);
    let shown = desk.run("CEDA DISPLAY GROUP(*)");
    assert!(
        shown.contains("PAYT") && shown.contains("PAYROLL"),
        "{shown}"
    );
    desk.press("PF3");
    let changed = desk.run("CEDA DEF TRANS(PAY2) GROUP(PAYROLL) PROGRAM(PAY)");
    assert!(
        changed.contains("TXMAM0007I DEFINE SUCCESSFUL")
            && changed.contains("PROGRAM        ==>  PAY"),
        "{changed}"
    );
    // What an attribute takes stands behind it.
    assert!(changed.contains("0-32767"), "{changed}");
    // The attributes stand there to be typed over: DESCRIPTION is the first.
    desk.tab().type_text("payroll for all");
    let altered = desk.press("ENTER");
    assert!(altered.contains("TXMAM0007I ALTER SUCCESSFUL"), "{altered}");
    desk.press("PF3");
    let installed = desk.run("CEDA INSTALL TRANS(PAY2) GROUP(PAYROLL)");
    assert!(
        installed.contains("TRANSACTION(PAY2) TXMAM0008I"),
        "{installed}"
    );
    desk.press("PF3");
    assert!(
        desk.run("CEMT I TRAN(PAY2)").contains("Pro(PAY"),
        "{}",
        desk.text()
    );
    desk.press("PF3");
    let refused = desk.run("CEDC DELETE TRANS(PAY2) GROUP(PAYROLL)");
    assert!(refused.contains("TXMAM0023E"), "{refused}");
    desk.press("PF3");
    let wrong = desk.run("CEDA DEF TRANS(PAY3) PROGRAM(PAY)");
    assert!(wrong.contains("TXMCS"), "{wrong}");
    let shown = desk.line("VIEW TRANS(PAY2) GROUP(PAYROLL)");
    assert!(
        shown.contains("DESCRIPTION    : PAYROLL FOR ALL")
            || shown.contains("DESCRIPTION    : payroll for all"),
        "{shown}"
    );
    assert!(
        shown.contains("OBJECT CHARACTERISTICS") && shown.contains("+"),
        "{shown}"
    );
    assert!(desk.press("PF11").contains("RESTART"), "{}", desk.text());
    // Commands behind the entries of a list; each says what came of it.
    let list = desk.line("EXPAND GROUP(PAY*)");
    assert!(
        list.contains("ENTER COMMANDS") && list.contains("PAY2"),
        "{list}"
    );
    desk.tab()
        .type_text("COPY AS(PAY4)")
        .tab()
        .type_text("BANANA");
    let done = desk.press("ENTER");
    assert!(
        done.contains("* COPY SUCCESSFUL") && done.contains("* BANANA is not known"),
        "{done}"
    );
    assert!(desk.press("PF12").contains("PAY4"), "{}", desk.text());
    for (line, part) in [
        (
            "MOVE TRANS(PAY4) GROUP(PAYROLL) TO(OTHER)",
            "MOVE SUCCESSFUL",
        ),
        (
            "RENAME TRANS(PAY4) GROUP(OTHER) AS(PAY5)",
            "RENAME SUCCESSFUL",
        ),
        (
            "DEF TRANS(PAY6) GROUP(OTHER) PROGRAM(NOPE)",
            "DEFINE SUCCESSFUL",
        ),
        ("CHECK GROUP(OTHER)", "TXMAM0014W names the program NOPE"),
        ("DELETE TRANS(PAY6) GROUP(OTHER)", "DELETE SUCCESSFUL"),
        ("ADD GROUP(OTHER) LIST(MINE)", "ADD SUCCESSFUL"),
        ("DISPLAY LIST(*)", "MINE     OTHER"),
        ("INSTALL LIST(MINE)", "TRANSACTION(PAY5) TXMAM0008I"),
        ("APPEND LIST(MINE) TO(YOURS)", "APPEND SUCCESSFUL"),
        ("REMOVE GROUP(OTHER) LIST(MINE)", "REMOVE SUCCESSFUL"),
        ("LOCK GROUP(OTHER)", "LOCK SUCCESSFUL"),
        ("DELETE TRANS(NONE) GROUP(OTHER)", "TXMCS0010I"),
        ("INSTALL TRANS(PAY2)", "TXMAM0024E"),
        ("DEFINE GROUP(X)", "TXMAM0025E"),
    ] {
        let shown = desk.line(line);
        assert!(shown.contains(part), "{line}: {shown}");
    }
    assert!(
        desk.press("PF1").contains("APPEND LIST(a)"),
        "{}",
        desk.text()
    );
    // Locked by the user who is nobody in particular: somebody else is kept out.
    let text = std::fs::read_to_string(&local).unwrap();
    std::fs::write(
        &local,
        text.replace("* locked by CICSUSER", "* locked by ALICE"),
    )
    .unwrap();
    let locked = desk.line("DELETE TRANS(PAY5) GROUP(OTHER)");
    assert!(
        locked.contains("TXMAM0013E OTHER is locked by ALICE"),
        "{locked}"
    );
    assert_eq!(std::fs::read_to_string(&deck).unwrap(), theirs);
    let written = std::fs::read_to_string(&local).unwrap();
    assert!(
        written.contains("DEFINE TRANSACTION(PAY2)") && !written.contains("PAY3"),
        "{written}"
    );
}

#[test]
fn master_terminal_knows_every_kind() {
    let folder = tempfile::tempdir().unwrap();
    let journals = folder.path().join("journals");
    let programs = Programs::with(&[], |config| {
        config.data.journal_dir = Some(journals);
        let pay = FileEntry::new(FileName::from_field(b"PAYFILE"), "PAY.MASTER");
        config.data.files.push(pay);
        let model = TsModelEntry::new(*b"PAYMODEL", b"PAY");
        config.queues.ts_models.push(model);
        let profile = ProfileEntry::with_defaults(ProfileName::from_field(b"PAYPROF"));
        config.resources.push(Entry::Profile(profile));
        let dummy = JournalModel {
            journal: "PAY*".into(),
            kind: JournalKind::Dummy,
            ..JournalModel::with_defaults(*b"PAYJRNL ")
        };
        config.resources.push(Entry::JournalModel(dummy));
        config.classes.push(ClassLimit {
            name: TransClass::from_field(b"PAYCLASS"),
            max_active: 7,
            purge_threshold: 0,
        });
    });
    let mut desk = Desk::new(&programs);
    for command in [
        "CECI WRITEQ TS Q(NAMES) FROM(ALICE)",
        "CECI WRITE JOURNALNAME(PAYLOG) JTYPEID(AB) FROM(X) FLENGTH(1)",
    ] {
        desk.run(command);
        assert!(
            desk.press("ENTER").contains("RESPONSE: NORMAL"),
            "{}",
            desk.text()
        );
        desk.press("PF3");
    }
    for (kind, part) in [
        ("FILE", "Fil(PAYFILE )"),
        ("TERM", "Tra(CEMT)"),
        ("NETNAME", "Net(LU"),
        ("TSQ", "Tsq(NAMES"),
        ("TDQ", "Tdq(CADL) Ind"),
        ("SYS", "App(TEST"),
        ("TSMODEL", "Pre(PAY "),
        ("TCL", "Tra(PAYCLASS) Max( 7 "),
        ("DSN", "Dsn(PAY.MASTER"),
        ("PROF", "Pro(PAYPROF )"),
        ("JMODEL", "Jou(PAYJRNL ) Jou(PAY*    ) Dum"),
        ("JOU", "Jou(PAYLOG  ) Ena"),
        ("STAT", "Off"),
        ("AUTOINSTALL", "Ena"),
        ("UOW", "TXMMT0012I NOT FOUND"),
        ("UOWENQ", "TXMMT0012I NOT FOUND"),
        ("CONN", "TXMMT0012I NOT FOUND"),
        ("URIM", "TXMMT0017I URIMAP"),
        ("PROCESSTYPE", "TXMMT0017I PROCESSTYPE"),
    ] {
        let shown = desk.run(&format!("CEMT I {kind}"));
        assert!(shown.contains(part), "{kind}: {shown}");
        desk.press("PF3");
    }
    // Limits and definitions change and go.
    let set = desk.run("CEMT S TRANCLASS(PAYCLASS) MAXACTIVE(3)");
    assert!(set.contains("Max( 3 ") && set.contains("NORMAL"), "{set}");
    let gone = desk.line("DISCARD JOURNALMODEL(PAYJRNL)");
    assert!(gone.contains("NORMAL"), "{gone}");
    let gone = desk.line("DISCARD TRANCLASS(PAYCLASS)");
    assert!(gone.contains("NORMAL"), "{gone}");
    let gone = desk.line("S TSQ(NAMES) DELETE");
    assert!(gone.contains("NORMAL"), "{gone}");
    assert!(desk.line("I TSQ").contains("NOT FOUND"), "{}", desk.text());
    let gone = desk.line("DISCARD TSMODEL(PAYMODEL)");
    assert!(gone.contains("NORMAL"), "{gone}");
    let open = desk.line("DISC FILE(PAYFILE)");
    assert!(open.contains("TXMMT0011E PAYFILE: INVREQ 2"), "{open}");
    desk.line("S FILE(PAYFILE) DIS");
    assert!(
        desk.line("DISC FILE(PAYFILE)").contains("NORMAL"),
        "{}",
        desk.text()
    );
    assert!(desk.line("I FILE").contains("NOT FOUND"), "{}", desk.text());
    let own = desk.line("DISC TRAN(CEMT)");
    assert!(own.contains("INVREQ 4"), "{own}");
    let nobody = desk.line("S PROG NEW");
    assert!(nobody.contains("TXMMT0018E"), "{nobody}");
    // PERFORM.
    assert!(
        desk.line("P STAT REC").contains("STATISTICS: NORMAL"),
        "{}",
        desk.text()
    );
    assert!(
        programs
            .log
            .lock()
            .unwrap()
            .contains("TXMST0001I transaction manager: ")
    );
    let dump = desk.line("P DUMP");
    assert!(dump.contains("DUMPID( "), "{dump}");
    let dumps: Vec<_> = std::fs::read_dir(&programs.dumps)
        .unwrap()
        .flatten()
        .collect();
    let text = std::fs::read_to_string(dumps[0].path()).unwrap();
    assert!(
        text.contains("System dump MT0001 of TEST") && text.contains("CEMT"),
        "{text}"
    );
    assert!(
        desk.line("P RESET").contains("RESETTIME: NORMAL"),
        "{}",
        desk.text()
    );
    assert!(
        desk.line("P SEC REB").contains("SECURITY: NORMAL"),
        "{}",
        desk.text()
    );
}

#[test]
fn master_terminal_scrolls_expands_and_filters() {
    let programs = Programs::with(&[PAY], |_| ());
    programs.link("PAY", b"").unwrap();
    let mut desk = Desk::new(&programs);
    let first = desk.run("CEMT I TRAN");
    let dates = first.contains("TIME:  ") && first.contains("DATE: ");
    assert!(
        dates && first.contains("STATUS:  RESULTS - OVERTYPE TO MODIFY"),
        "{first}"
    );
    assert!(
        first.contains("Tra(CEBR)") && first.contains("\n +"),
        "{first}"
    );
    let rows = first.matches("Tra(").count();
    let half = desk.press("PF8");
    assert!(
        !half.contains("Tra(CEBR)") && half.contains("Tra(CEDC)"),
        "{half}"
    );
    let back = desk.press("PF7");
    assert!(back.contains("Tra(CEBR)"), "{back}");
    let next = desk.press("PF11");
    assert!(
        !next.contains("Tra(CEBR)") && next.matches("Tra(").count() == rows,
        "{next}"
    );
    assert!(desk.press("PF10").contains("Tra(CEBR)"), "{}", desk.text());

    // A larger screen shows more of them.
    let model_4 = transom_region_api::Device {
        name: "IBM-3278-4".into(),
        alternate_size: (43, 80),
        ..transom_region_api::Device::model_2()
    };
    let mut large = Desk::with(&programs, model_4);
    let more = large.run("CEMT I TRAN");
    assert!(more.matches("Tra(").count() > rows, "{more}");
    assert!(
        more.lines().nth(42).unwrap().contains("PF 1 HELP"),
        "{more}"
    );
    large.tab().type_text("007");
    let changed = large.press("ENTER");
    assert!(changed.contains("Pri( 7"), "{changed}");
    let wide = transom_region_api::Device {
        name: "IBM-3278-5".into(),
        alternate_size: (27, 132),
        ..transom_region_api::Device::model_2()
    };
    let mut wide = Desk::with(&programs, wide);
    let shown = wide.run("CEMT I PROG(PAY)");
    assert!(
        shown.contains("Pro(PAY     )") && shown.contains("RESPONSE: NORMAL"),
        "{shown}"
    );

    let disabled = desk.line("I TRAN DIS");
    assert!(disabled.contains("TXMMT0012I"), "{disabled}");
    let of_program = desk.line("I TRAN PROGRAM(DFHEMTP)");
    assert!(
        of_program.matches("Tra(").count() == 1 && of_program.contains("Tra(CEMT)"),
        "{of_program}"
    );
    // All about the transaction under the cursor.
    desk.tab();
    let detail = desk.press("ENTER");
    assert!(
        detail.contains("RESULT") && detail.contains("PROGRAM(DFHEMTP)"),
        "{detail}"
    );
    assert!(desk.press("ENTER").contains("Tra(CEMT)"), "{}", desk.text());
    let words = desk.line("I TASK ?");
    assert!(
        words.contains("SYNTAX") && words.contains("PURGE | FORCEPURGE"),
        "{words}"
    );
    let several = desk.line("S PROG(PAY) NEW PHASE BANANA");
    assert!(several.contains("TXMMT0007E"), "{several}");
}

const HOLD: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. HOLD.
       PROCEDURE DIVISION.
           EXEC CICS ENQ RESOURCE('PAYROLL') LENGTH(7) END-EXEC.
           EXEC CICS DELAY FOR SECONDS(60) END-EXEC.
           EXEC CICS RETURN END-EXEC.
";

const LATER: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. LATER.
       PROCEDURE DIVISION.
           EXEC CICS START TRANSID('CEMT')
             FROM('CEMT I PROG(LATER)') LENGTH(18) END-EXEC.
           EXEC CICS RETURN END-EXEC.
";

#[test]
fn master_terminal_shows_who_waits_and_purges() {
    let programs = Programs::with(&[HOLD, LATER], |_| ());
    let mut waiting = crate::harness::request("HOLD", Vec::new());
    waiting.timeout = Some(Duration::from_secs(20));
    let first = programs.region.link(waiting.clone());
    let second = programs.region.link(waiting);
    let handle = programs
        .runtime
        .spawn(async move { (first.await, second.await) });
    let mut desk = Desk::new(&programs);
    let until = Instant::now() + Duration::from_secs(10);
    let shown = loop {
        let shown = desk.run("CEMT I UOWENQ");
        desk.press("PF3");
        if shown.contains("Own") && shown.contains("Wai") {
            break shown;
        }
        assert!(Instant::now() < until, "{shown}");
    };
    assert!(shown.contains("Uow(PAYROLL"), "{shown}");
    let tasks = desk.run("CEMT I TASK TRANID(CSMI)");
    assert!(tasks.contains("Hty(") && tasks.contains("Sus"), "{tasks}");
    desk.press("PF3");
    // Both are ended from the list: the field behind each takes the word.
    let purged = desk.run("CEMT S TASK ALL FORCE");
    assert!(purged.contains("NORMAL"), "{purged}");
    let ended = programs.runtime.block_on(handle).unwrap();
    assert!(ended.0.is_err() && ended.1.is_err());

    programs.link("LATER", b"").unwrap();
    let until = Instant::now() + Duration::from_secs(10);
    while !programs
        .log
        .lock()
        .unwrap()
        .contains("TXMMT0019I I PROG(LATER): PROGRAM(LATER)")
    {
        assert!(Instant::now() < until, "{}", programs.log.lock().unwrap());
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn what_the_region_needs_is_not_discarded() {
    let programs = Programs::new(&[]);
    let mut desk = Desk::new(&programs);
    desk.run("CEMT I PROG(DFHEMTP)");
    for (line, why) in [
        ("DISCARD PROGRAM(DFHEMTP)", "INVREQ 1"),
        ("DISCARD PROGRAM(DFHSNP)", "INVREQ 1"),
        ("DISCARD TRANSACTION(CSMI)", "INVREQ 4"),
        ("DISCARD TRANSACTION(CEMT)", "INVREQ 4"),
    ] {
        let said = desk.line(line);
        assert!(said.contains(why), "{said}");
    }
}
