//! CEMT: lists, changes, kinds, scrolling, who waits.

use super::PAY;
use crate::desk::Desk;
use crate::harness::Programs;
use std::time::{Duration, Instant};
use transom_region_api::Programs as _;
use transom_types::{FileName, ProfileName, TransClass};
use transom_wire::definitions::{ClassLimit, Entry, JournalKind, JournalModel};
use transom_wire::definitions::{FileEntry, ProfileEntry, TsModelEntry};

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
