//! A deck in, what INQUIRE answers out.

use transom_commands::{OptionId, opt, option_name};
use transom_csd::{Csd, Definition, ResourceKind};
use transom_wire::definitions::{
    ClassLimit, Db2Connection, Db2ThreadEntry, Db2Transaction, Definitions, FileEntry, Given,
    ProfileEntry, ProgramEntry, TdKind, TdQueueEntry, Told, TransactionEntry, TsModelEntry,
};

/// The one definition of a deck.
fn definition(deck: &str) -> Definition {
    let mut csd = Csd::new();
    let problems = csd.parse_deck("test.csd", deck);
    assert!(problems.is_empty(), "{problems:?}");
    csd.install_all().remove(0)
}

/// An answer as `OPTION VALUE`.
fn line(option: transom_commands::OptionId, told: Told<'_>) -> String {
    let value = match told {
        Told::Value(name) => name.to_owned(),
        Told::Number(number) => number.to_string(),
        Told::Text(text) => format!("'{text}'"),
        Told::Bytes(bytes) => format!("'{}'", String::from_utf8_lossy(bytes)),
    };
    format!("{} {value}", transom_commands::option_name(option))
}

macro_rules! answers {
    ($entry:expr) => {{
        let entry = $entry;
        let mut lines = Vec::new();
        entry.answers(&mut |option, told| lines.push(line(option, told)));
        lines
    }};
}

#[test]
fn a_program() {
    let deck = " DEFINE PROGRAM(PAY) GROUP(G) LANGUAGE(COBOL) STATUS(DISABLED)\n\
                 CONCURRENCY(REQUIRED) API(OPENAPI) EXECKEY(CICS) CEDF(NO)\n\
                 REMOTESYSTEM(AOR1) REMOTENAME(PAY2) TRANSID(Pay1)\n";
    let entry = ProgramEntry::of_attributes(&definition(deck));
    assert_eq!(entry.program.as_str(), "PAY");
    assert_eq!(
        answers!(&entry),
        [
            "LANGUAGE COBOL",
            "LANGDEDUCED COBOL",
            "RESIDENCY NONRESIDENT",
            "STATUS DISABLED",
            "CEDFSTATUS NOCEDF",
            "DATALOCATION ANY",
            "EXECKEY CICSEXECKEY",
            "CONCURRENCY REQUIRED",
            "APIST OPENAPI",
            "DYNAMSTATUS NOTDYNAMIC",
            "REMOTESYSTEM 'AOR1'",
            "REMOTENAME 'PAY2'",
            "TRANSID 'Pay1'",
            "EXECUTIONSET FULLAPI",
        ]
    );
}

#[test]
fn a_transaction() {
    let deck = " DEFINE TRANSACTION(MYB1) GROUP(G) PROGRAM(MYBMENU) PRIORITY(50)\n\
                 TRANCLASS(MYBCLASS) DTIMOUT(0130) RUNAWAY(5000) TWASIZE(100)\n\
                 SPURGE(YES) TASKDATALOC(ANY) CMDSEC(YES) TRACE(NO)\n";
    let entry = TransactionEntry::from_definition(&definition(deck))
        .unwrap()
        .unwrap();
    assert_eq!(entry.runaway_ms, Some(5_000));
    assert_eq!(
        answers!(&entry),
        [
            "PROGRAM 'MYBMENU'",
            "TWASIZE 100",
            "PROFILE 'DFHCICST'",
            "STATUS ENABLED",
            "TASKDATALOC ANY",
            "TASKDATAKEY USERDATAKEY",
            "STORAGECLEAR NOCLEAR",
            "SHUTDOWN SHUTDISABLED",
            "ISOLATEST ISOLATE",
            "ROUTING STATIC",
            "REMOTESYSTEM ''",
            "REMOTENAME '        '",
            "PRIORITY 50",
            "TRANCLASS 'MYBCLASS'",
            "DTIMEOUT 90",
            "PURGEABILITY PURGEABLE",
            "DUMPING TRANDUMP",
            "TRACING SPRSTRACE",
            "RESSEC RESSECNO",
            "CMDSEC CMDSECYES",
        ]
    );
}

#[test]
fn a_transaction_with_the_defaults() {
    let deck = " DEFINE TRANSACTION(MYB2) GROUP(G) PROGRAM(P)\n";
    let entry = TransactionEntry::from_definition(&definition(deck))
        .unwrap()
        .unwrap();
    assert_eq!((entry.runaway_ms, entry.dtimout_ms), (None, 0));
    assert!(entry.class.is_blank());
    assert!(answers!(&entry).contains(&"TRANCLASS 'DFHTCL00'".to_owned()));
    assert_eq!(entry, TransactionEntry::new(entry.transid, entry.program));
    let far = " DEFINE TRANSACTION(FAR1) GROUP(G) REMOTESYSTEM(AOR1)\n";
    let far = definition(far);
    let entry = TransactionEntry::from_definition(&far).unwrap().unwrap();
    assert!(entry.is_remote());
    assert!(answers!(&entry).contains(&"REMOTESYSTEM 'AOR1'".to_owned()));
    // Where it belongs it needs a program.
    let here = TransactionEntry::from_definition(&far.at("AOR1"));
    assert_eq!(here, Ok(None));
}

#[test]
fn a_file() {
    let deck = " DEFINE FILE(ACCTDAT) GROUP(G) DSNAME(BANK.ACCTDATA) ADD(YES)\n\
                 UPDATE(YES) READ(NO) RECORDFORMAT(F) RECOVERY(ALL) FWDRECOVLOG(9)\n\
                 STATUS(UNENABLED) STRINGS(5) JOURNAL(7) JNLADD(AFTER)\n";
    let entry = FileEntry::from_definition(&definition(deck))
        .unwrap()
        .unwrap();
    assert_eq!((entry.forward_log, entry.journaling), (9, 16 + 64));
    assert_eq!(
        answers!(&entry),
        [
            "DSNAME 'BANK.ACCTDATA'",
            "RLSACCESS NOTRLS",
            "READINTEG UNCOMMITTED",
            "STRINGS 5",
            "REMOTESYSTEM ''",
            "REMOTENAME ''",
            "ENABLESTATUS UNENABLED",
            "TABLE NOTTABLE",
            "MAXNUMRECS 0",
            "RECORDFORMAT FIXED",
            "ADD ADDABLE",
            "BROWSE NOTBROWSABLE",
            "DELETE NOTDELETABLE",
            // A file that may be updated may be read.
            "READ READABLE",
            "UPDATE UPDATABLE",
            "JOURNALNUM 7",
        ]
    );
    let plain = FileEntry::from_definition(&definition(" DEFINE FILE(CUST) GROUP(G)\n"))
        .unwrap()
        .unwrap();
    assert_eq!(plain.dsname, "CUST");
    let long = format!(" DEFINE FILE(LONG) GROUP(G)\n DSNAME({})\n", "A".repeat(45));
    let refused = FileEntry::from_definition(&definition(&long)).unwrap_err();
    assert_eq!(refused.to_string(), "DSNAME has more than 44 characters");
}

#[test]
fn a_transient_data_queue() {
    let deck = " DEFINE TDQUEUE(OUTQ) GROUP(G) TYPE(EXTRA) TYPEFILE(OUTPUT) DDNAME(LIST)\n\
                 DSNAME(BANK.LIST) RECORDSIZE(80) RECORDFORMAT(FIXED) DISPOSITION(OLD)\n\
                 OPENTIME(DEFERRED)\n";
    let entry = TdQueueEntry::from_definition(&definition(deck))
        .unwrap()
        .unwrap();
    assert_eq!((entry.kind, entry.open), (TdKind::Output, false));
    assert!(entry.fixed && entry.truncate);
    assert_eq!(
        answers!(&entry),
        [
            "DDNAME 'LIST'",
            "DSNAME 'BANK.LIST'",
            "RECORDLENGTH 80",
            "INDIRECTNAME ''",
            "REMOTENAME '    '",
            "REMOTESYSTEM '    '",
        ]
    );
    let deck = " DEFINE TDQUEUE(TRGQ) GROUP(G) TYPE(INTRA)\n TRANSID(TRG1) FACILITYID(T001)\n";
    let entry = TdQueueEntry::from_definition(&definition(deck))
        .unwrap()
        .unwrap();
    assert_eq!(entry.terminal.unwrap().as_str(), "T001");
    assert_eq!(entry.transid.unwrap().as_str(), "TRG1");
}

#[test]
fn models_profiles_and_classes() {
    let deck = " DEFINE TSMODEL(REC) GROUP(G) PREFIX(SAFE) RECOVERY(YES) EXPIRYINT(2)\n";
    let model = TsModelEntry::from_definition(&definition(deck))
        .unwrap()
        .unwrap();
    assert_eq!(
        answers!(&model),
        [
            "LOCATION AUXILIARY",
            "RECOVSTATUS RECOVERABLE",
            "REMOTESYSTEM ''",
            "EXPIRYINT 2",
            "EXPIRYINTMIN 120",
        ]
    );
    let deck = " DEFINE PROFILE(BIG) GROUP(G) SCRNSIZE(ALTERNATE) RTIMOUT(0130)\n";
    let profile = ProfileEntry::of_attributes(&definition(deck));
    assert!(profile.alternate && !profile.upper_case);
    assert_eq!(profile.read_timeout_ms, 90_000);
    let deck = " DEFINE TRANCLASS(T) GROUP(G) MAXACTIVE(0)\n";
    let class = ClassLimit::of_attributes(&definition(deck));
    assert_eq!((class.max_active, class.purge_threshold), (0, 0));
}

#[test]
fn a_connection_to_db2_and_what_belongs_to_it() {
    let deck = " DEFINE DB2CONN(DBCG) GROUP(G) DB2ID(DBCG)\n\
                 PURGECYCLE(1,30) DROLLBACK(NO)\n";
    let connection = Db2Connection::from_definition(&definition(deck));
    let connection = connection.unwrap().unwrap();
    let told = answers!(&connection);
    for line in [
        "CONNECTERROR SQLCODE",
        "DB2ID 'DBCG'",
        "MSGQUEUE1 'CDB2'",
        "DROLLBACK NOROLLBACK",
        "PLANEXITNAME 'DSNCUEXT'",
        "THREADLIMIT 3",
        "THREADWAIT TWAIT",
        "CONNECTST CONNECTED",
        "PURGECYCLEM 1",
        "PURGECYCLES 30",
    ] {
        assert!(told.contains(&line.to_owned()), "{line}: {told:?}");
    }
    for (wrong, why) in [
        (
            "PURGECYCLE(0,4)",
            "PURGECYCLE is minutes,seconds: 0,5 to 59,59",
        ),
        (
            "STANDBYMODE(NOCONNECT)",
            "CONNECTERROR(SQLCODE) is not for STANDBYMODE(NOCONNECT)",
        ),
    ] {
        let deck = format!(" DEFINE DB2CONN(DBCG) GROUP(G) {wrong}\n");
        let refused = Db2Connection::from_definition(&definition(&deck));
        assert_eq!(refused.unwrap_err().to_string(), why);
    }
    let deck = " DEFINE DB2ENTRY(PAY) GROUP(G) TRANSID(PA*) PLAN(PAYPLAN)\n";
    let entry = Db2ThreadEntry::from_definition(&definition(deck));
    let own = entry.unwrap().unwrap().own_transaction().unwrap();
    assert_eq!((&own.name, &own.entry), (b"DFHPA*  ", b"PAY     "));
    let deck = " DEFINE DB2TRAN(PAY2ENTR) GROUP(G) ENTRY(PAY)\n";
    let transaction = Db2Transaction::from_definition(&definition(deck));
    assert_eq!(transaction.unwrap().unwrap().transid.as_str(), "PAY2");
}

/// Without a DB2CONN its entries are told and left out; TRANSID of an entry is a DB2TRAN.
#[test]
fn db2_entries_need_a_connection() {
    let entry = " DEFINE DB2ENTRY(PAY) GROUP(G) TRANSID(PAY1)\n";
    let all = |deck: &str| {
        let mut csd = Csd::new();
        assert!(csd.parse_deck("test.csd", deck).is_empty());
        Definitions::of(csd.install_all(), "SYS1")
    };
    let (taken, remarks) = all(entry);
    assert!(taken.entries.is_empty());
    let told = "test.csd:1: TXMSI0100W PAY is left out: it needs a DB2CONN";
    assert_eq!(
        (remarks[0].is_error, remarks[0].text.as_str()),
        (false, told)
    );
    let (taken, remarks) = all(&format!(" DEFINE DB2CONN(C) GROUP(G)\n{entry}"));
    assert!(remarks.is_empty(), "{remarks:?}");
    assert_eq!(taken.entries.len(), 3);
}

#[test]
fn set_changes_what_the_table_says() {
    let deck = " DEFINE PROGRAM(PAY) GROUP(G)\n";
    let mut entry = ProgramEntry::of_attributes(&definition(deck));
    let set = |words: &'static [&str], numbers: &'static [(&str, i64)]| Words { words, numbers };
    assert_eq!(entry.change(&set(&["NOCEDF"], &[])), Ok(()));
    assert!(!entry.cedf && !entry.dpl_subset);
    assert_eq!(entry.change(&set(&["DPLSUBSET"], &[])), Ok(()));
    assert!(!entry.cedf && entry.dpl_subset);

    // A number out of the range of its attribute changes nothing.
    let deck = " DEFINE FILE(CUST) GROUP(G) STRINGS(5)\n";
    let mut entry = FileEntry::of_attributes(&definition(deck));
    assert_eq!(entry.change(&set(&[], &[("STRINGS", 256)])), Ok(()));
    assert_eq!(entry.strings, 5);
    assert_eq!(entry.change(&set(&[], &[("STRINGS", 255)])), Ok(()));
    assert_eq!(entry.strings, 255);
}

#[test]
fn numbers_of_set_have_the_range_of_their_attribute() {
    let bounds = ResourceKind::TranClass.bounds(opt::PURGETHRESH).unwrap();
    // 0 is NO.
    assert_eq!(bounds.check(Some(0)), Ok(Some(0)));
    assert_eq!(bounds.check(Some(1_000_001)), Err(3));
    assert_eq!(bounds.check(None), Ok(None));
}

/// A SET command.
struct Words {
    words: &'static [&'static str],
    numbers: &'static [(&'static str, i64)],
}

impl Given for Words {
    fn says(&self, _keyword: OptionId, _option: OptionId, value: &str) -> bool {
        self.words.contains(&value)
    }

    fn number(&self, option: OptionId) -> Option<i64> {
        let mut all = self.numbers.iter();
        let found = all.find(|(name, _)| *name == option_name(option));
        found.map(|(_, number)| *number)
    }

    fn name(&self, _option: OptionId) -> Option<&[u8]> {
        None
    }
}
