//! Every group of EXEC CICS commands from COBOL, in a real worker. Each program answers `OK`, or
//! the name of the first step that went wrong with EIBRESP and EIBRESP2.

use crate::harness::Programs;

/// A program whose steps are `(name, commands, condition that must hold)`.
pub(crate) fn program(
    name: &str,
    storage: &str,
    steps: &[(&str, impl AsRef<str>, &str)],
    paragraphs: &str,
) -> String {
    let mut text = format!(
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. {name}.\n       DATA DIVISION.\n       \
         WORKING-STORAGE SECTION.\n       01  RC PIC S9(8) COMP.\n       01  RC2 PIC S9(8) COMP.\n       \
         01  STEP PIC X(16).\n       01  SHOW PIC Z(8)9.\n       01  SHOW2 PIC Z(8)9.\n"
    );
    for line in storage.lines() {
        text += &format!("       {line}\n");
    }
    text += "       LINKAGE SECTION.\n       01  DFHCOMMAREA.\n           05 CA-TEXT PIC X(60).\n       \
             01  LK-AREA PIC X(20).\n       PROCEDURE DIVISION.\n       MAIN-LINE.\n";
    for (step, commands, holds) in steps {
        text += &format!("           MOVE '{step}' TO STEP.\n");
        for line in commands.as_ref().lines() {
            text += &format!("           {line}\n");
        }
        if !holds.is_empty() {
            let holds = holds.replace(" AND ", "\n              AND ");
            text += &format!("           IF NOT ({holds})\n               GO TO BAD-STEP.\n");
        }
    }
    text += "           MOVE 'OK' TO CA-TEXT.\n           EXEC CICS RETURN END-EXEC.\n       BAD-STEP.\n           \
             MOVE EIBRESP TO SHOW.\n           MOVE EIBRESP2 TO SHOW2.\n           STRING STEP SHOW SHOW2 \
             DELIMITED BY SIZE\n             INTO CA-TEXT.\n           EXEC CICS RETURN END-EXEC.\n";
    for line in paragraphs.lines() {
        text += &format!("       {line}\n");
    }
    text
}

fn check(sources: &[&str], names: &[&str]) {
    let programs = Programs::new(sources);
    for name in names {
        programs.must_say(name, "OK");
    }
}

#[test]
fn containers() {
    let source = program(
        "CONT",
        "01  D PIC X(20) VALUE 'HELLO'.\n01  L PIC S9(8) COMP VALUE 5.\n01  T PIC S9(8) COMP.\n\
         01  N PIC X(16).\n01  OUT-D PIC X(20).\n01  HE-IN-37 PIC X(3) VALUE X'C8C500'.",
        &[
            (
                "PUT",
                "EXEC CICS PUT CONTAINER('A') CHANNEL('C1') FROM(D)\n FLENGTH(L) CHAR RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = 0",
            ),
            (
                "GET",
                "MOVE 20 TO L.\nEXEC CICS GET CONTAINER('A') CHANNEL('C1') INTO(OUT-D)\n FLENGTH(L) RESP(RC) END-EXEC.",
                "RC = 0 AND L = 5 AND OUT-D (1:5) = 'HELLO'",
            ),
            (
                "EBCDIC",
                "MOVE 20 TO L.\nEXEC CICS GET CONTAINER('A') CHANNEL('C1') INTO(OUT-D)\n FLENGTH(L) INTOCCSID(37) RESP(RC) END-EXEC.",
                "RC = 0 AND OUT-D (1:2) = HE-IN-37 (1:2)",
            ),
            (
                "SET",
                "EXEC CICS GET CONTAINER('A') CHANNEL('C1')\n SET(ADDRESS OF LK-AREA) FLENGTH(L) RESP(RC) END-EXEC.",
                "RC = 0 AND LK-AREA (1:5) = 'HELLO'",
            ),
            (
                "SHORT",
                "MOVE 3 TO L.\nEXEC CICS GET CONTAINER('A') CHANNEL('C1') INTO(OUT-D)\n FLENGTH(L) RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = DFHRESP(LENGERR) AND RC2 = 11 AND L = 5",
            ),
            (
                "NODATA",
                "EXEC CICS GET CONTAINER('A') CHANNEL('C1') NODATA\n FLENGTH(L) RESP(RC) END-EXEC.",
                "RC = 0 AND L = 5",
            ),
            (
                "NONE",
                "EXEC CICS GET CONTAINER('B') CHANNEL('C1') INTO(OUT-D)\n RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = DFHRESP(CONTAINERERR) AND RC2 = 10",
            ),
            (
                "MOVE",
                "EXEC CICS MOVE CONTAINER('A') AS('Z') CHANNEL('C1')\n TOCHANNEL('C2') RESP(RC) END-EXEC.",
                "RC = 0",
            ),
            (
                "QUERY",
                "EXEC CICS QUERY CHANNEL('C2') CONTAINERCNT(L) RESP(RC)\n END-EXEC.",
                "RC = 0 AND L = 1",
            ),
            (
                "BROWSE",
                "EXEC CICS STARTBROWSE CONTAINER CHANNEL('C2')\n BROWSETOKEN(T) RESP(RC) END-EXEC.",
                "RC = 0",
            ),
            (
                "NEXT",
                "EXEC CICS GETNEXT CONTAINER(N) BROWSETOKEN(T) RESP(RC)\n END-EXEC.",
                "RC = 0 AND N = 'Z'",
            ),
            (
                "END",
                "EXEC CICS GETNEXT CONTAINER(N) BROWSETOKEN(T) RESP(RC)\n END-EXEC.",
                "RC = DFHRESP(END)",
            ),
            (
                "DELETE",
                "EXEC CICS DELETE CONTAINER('Z') CHANNEL('C2') RESP(RC)\n END-EXEC.",
                "RC = 0",
            ),
        ],
        "",
    );
    check(&[&source], &["CONT"]);
}

#[test]
fn storage_time_and_environment() {
    let source = program(
        "ENVIR",
        "01  P USAGE POINTER.\n01  AT-TIME PIC S9(15) COMP-3.\n01  AT-TIME2 PIC S9(15) COMP-3.\n01  D10 PIC X(10).\n\
         01  T8 PIC X(8).\n01  DOW PIC S9(8) COMP.\n01  A8 PIC X(8).\n01  A4 PIC X(4).\n01  A2 PIC X(2).\n\
         01  LL PIC S9(4) COMP.\n01  DS PIC X(29).\n01  CV PIC S9(8) COMP.",
        &[
            (
                "GETMAIN",
                "EXEC CICS GETMAIN SET(ADDRESS OF LK-AREA) FLENGTH(20)\n INITIMG('*') RESP(RC) END-EXEC.",
                "RC = 0 AND LK-AREA = ALL '*'",
            ),
            (
                "FREEMAIN",
                "EXEC CICS FREEMAIN DATA(LK-AREA) RESP(RC) END-EXEC.",
                "RC = 0",
            ),
            (
                "GETMAINP",
                "EXEC CICS GETMAIN SET(P) LENGTH(20) RESP(RC) END-EXEC.\nSET ADDRESS OF LK-AREA TO P.\nMOVE 'X' TO LK-AREA.",
                "RC = 0",
            ),
            (
                "FREEMAINP",
                "EXEC CICS FREEMAIN DATAPOINTER(P) RESP(RC) END-EXEC.",
                "RC = 0",
            ),
            (
                "FREETWICE",
                "EXEC CICS FREEMAIN DATAPOINTER(P) RESP(RC) RESP2(RC2)\n END-EXEC.",
                "RC = DFHRESP(INVREQ) AND RC2 = 1",
            ),
            (
                "ASKTIME",
                "EXEC CICS ASKTIME ABSTIME(AT-TIME) RESP(RC) END-EXEC.",
                "RC = 0 AND AT-TIME > 3900000000000",
            ),
            (
                "FORMATTIME",
                "MOVE 4004164800000 TO AT-TIME.\nEXEC CICS FORMATTIME ABSTIME(AT-TIME) DDMMYYYY(D10)\n DATESEP('.') TIME(T8) TIMESEP DAYOFWEEK(DOW)\n RESP(RC) END-EXEC.",
                "RC = 0 AND D10 = '20.11.2026' AND T8 = '12:00:00' AND DOW = 5",
            ),
            (
                "STRING",
                "EXEC CICS FORMATTIME ABSTIME(AT-TIME) DATESTRING(DS)\n RESP(RC) END-EXEC.",
                "RC = 0 AND DS (1:16) = 'Fri, 20 Nov 2026'",
            ),
            (
                "CONVERT",
                "EXEC CICS CONVERTTIME DATESTRING(DS) ABSTIME(AT-TIME2)\n RESP(RC) END-EXEC.",
                "RC = 0 AND AT-TIME2 = AT-TIME",
            ),
            (
                "ASSIGN",
                "EXEC CICS ASSIGN APPLID(A8) SYSID(A4) STARTCODE(A2)\n TWALENG(LL) RESP(RC) END-EXEC.",
                "RC = 0 AND A8 = 'TEST' AND A2 = 'U'",
            ),
            (
                "PROGRAM",
                "EXEC CICS ASSIGN PROGRAM(A8) RESP(RC) END-EXEC.",
                "RC = 0 AND A8 = 'ENVIR'",
            ),
            (
                "TERMINAL",
                "EXEC CICS ASSIGN SCRNHT(LL) RESP(RC) END-EXEC.",
                "RC = DFHRESP(INVREQ)",
            ),
            (
                "CWA",
                "EXEC CICS ADDRESS CWA(ADDRESS OF LK-AREA) RESP(RC)\n END-EXEC.\nMOVE 'CWA' TO LK-AREA (1:3).",
                "RC = 0",
            ),
            (
                "CWA2",
                "EXEC CICS ADDRESS CWA(P) RESP(RC) END-EXEC.\nSET ADDRESS OF LK-AREA TO P.",
                "LK-AREA (1:3) = 'CWA'",
            ),
            (
                "COMMAREA",
                "EXEC CICS ADDRESS COMMAREA(ADDRESS OF LK-AREA) RESP(RC)\n END-EXEC.\nMOVE 'SEEN' TO CA-TEXT.",
                "LK-AREA (1:4) = 'SEEN'",
            ),
            (
                "ADDRSET",
                "EXEC CICS ADDRESS SET(P) USING(ADDRESS OF LK-AREA)\n END-EXEC.\nEXEC CICS ADDRESS SET(ADDRESS OF LK-AREA) USING(P)\n END-EXEC.",
                "LK-AREA (1:4) = 'SEEN'",
            ),
            ("SUSPEND", "EXEC CICS SUSPEND END-EXEC.", "EIBRESP = 0"),
            (
                "DELAY",
                "EXEC CICS DELAY FOR MILLISECS(20) RESP(RC) END-EXEC.",
                "RC = 0",
            ),
            (
                "DELAY0",
                "EXEC CICS DELAY INTERVAL(0) RESP(RC) END-EXEC.",
                "RC = DFHRESP(EXPIRED)",
            ),
            (
                "DEEDIT",
                "MOVE '$1,234.5' TO A8.\nEXEC CICS BIF DEEDIT FIELD(A8) LENGTH(8) END-EXEC.",
                "A8 = '00012345'",
            ),
            (
                "INQPROG",
                "EXEC CICS INQUIRE PROGRAM('ENVIR') STATUS(CV) RESP(RC)\n END-EXEC.",
                "RC = 0 AND CV = DFHVALUE(ENABLED)",
            ),
            (
                "NOPROG",
                "EXEC CICS INQUIRE PROGRAM('NOSUCH') STATUS(CV) RESP(RC)\n END-EXEC.",
                "RC = DFHRESP(PGMIDERR)",
            ),
            (
                "TRACE",
                "EXEC CICS ENTER TRACENUM(7) FROM(A8) FROMLENGTH(8)\n RESOURCE('STEP') RESP(RC) END-EXEC.",
                "RC = 0",
            ),
            (
                "DUMP",
                "EXEC CICS DUMP TRANSACTION DUMPCODE('TEST') FROM(A8)\n LENGTH(8) RESP(RC) END-EXEC.",
                "RC = 0",
            ),
            (
                "OPERATOR",
                "EXEC CICS WRITE OPERATOR TEXT('HELLO OPERATOR')\n RESP(RC) END-EXEC.",
                "RC = 0",
            ),
            ("SYNC", "EXEC CICS SYNCPOINT RESP(RC) END-EXEC.", "RC = 0"),
            (
                "LOAD",
                "EXEC CICS LOAD PROGRAM('ENVIR') SET(P) RESP(RC) END-EXEC.",
                "RC = 0 AND P NOT = NULL",
            ),
            (
                "UNSUP",
                "EXEC CICS WEB RETRIEVE DOCTOKEN(A8) RESP(RC)\n RESP2(RC2) END-EXEC.",
                "RC = DFHRESP(INVREQ) AND RC2 = 990",
            ),
        ],
        "",
    );
    check(&[&source], &["ENVIR"]);
}

#[test]
fn queues_counters_and_resources() {
    let source = program(
        "QUEUES",
        "01  D PIC X(20) VALUE 'FIRST'.\n01  L PIC S9(4) COMP VALUE 5.\n01  I PIC S9(4) COMP VALUE 0.\n\
         01  N PIC S9(4) COMP.\n01  V PIC S9(8) COMP.\n01  W PIC S9(18) COMP.\n01  O PIC X(20).\n\
         01  RES PIC X(8) VALUE 'ACCOUNT1'.",
        &[
            (
                "DELETEQ",
                "EXEC CICS DELETEQ TS QUEUE('MYQ') RESP(RC) END-EXEC.",
                "RC = DFHRESP(QIDERR)",
            ),
            (
                "WRITEQ",
                "EXEC CICS WRITEQ TS QUEUE('MYQ') FROM(D) LENGTH(L)\n ITEM(I) RESP(RC) END-EXEC.",
                "RC = 0 AND I = 1",
            ),
            (
                "WRITEQ2",
                "EXEC CICS WRITEQ TS QUEUE('MYQ') FROM(D) RESP(RC)\n END-EXEC.",
                "RC = 0",
            ),
            (
                "REWRITE",
                "MOVE 'SECOND' TO D.\nMOVE 2 TO I.\nEXEC CICS WRITEQ TS QUEUE('MYQ') FROM(D) ITEM(I)\n REWRITE RESP(RC) END-EXEC.",
                "RC = 0",
            ),
            (
                "READQ",
                "MOVE 20 TO L.\nEXEC CICS READQ TS QUEUE('MYQ') INTO(O) LENGTH(L)\n ITEM(1) NUMITEMS(N) RESP(RC) END-EXEC.",
                "RC = 0 AND L = 5 AND N = 2 AND O (1:5) = 'FIRST'",
            ),
            (
                "NEXT",
                "EXEC CICS READQ TS QUEUE('MYQ') INTO(O) NEXT\n RESP(RC) END-EXEC.",
                "RC = 0 AND O = 'SECOND'",
            ),
            (
                "ITEMERR",
                "EXEC CICS READQ TS QUEUE('MYQ') INTO(O) NEXT\n RESP(RC) END-EXEC.",
                "RC = DFHRESP(ITEMERR)",
            ),
            (
                "SYSID",
                "EXEC CICS READQ TS QUEUE('MYQ') INTO(O) SYSID('FAR1')\n RESP(RC) END-EXEC.",
                "RC = DFHRESP(SYSIDERR)",
            ),
            (
                "DELETEQ2",
                "EXEC CICS DELETEQ TS QUEUE('MYQ') RESP(RC) END-EXEC.",
                "RC = 0",
            ),
            (
                "DEFINE",
                "EXEC CICS DEFINE COUNTER('CNT') POOL('P1') VALUE(7)\n MAXIMUM(8) RESP(RC) END-EXEC.",
                "RC = 0",
            ),
            (
                "GET",
                "EXEC CICS GET COUNTER('CNT') POOL('P1') VALUE(V)\n RESP(RC) END-EXEC.",
                "RC = 0 AND V = 7",
            ),
            (
                "GET2",
                "EXEC CICS GET COUNTER('CNT') POOL('P1') VALUE(V)\n RESP(RC) END-EXEC.",
                "RC = 0 AND V = 8",
            ),
            (
                "LIMIT",
                "EXEC CICS GET COUNTER('CNT') POOL('P1') VALUE(V)\n RESP(RC) RESP2(RC2) END-EXEC.",
                "RC = DFHRESP(SUPPRESSED) AND RC2 = 101",
            ),
            (
                "DELCNT",
                "EXEC CICS DELETE COUNTER('CNT') POOL('P1') RESP(RC)\n END-EXEC.",
                "RC = 0",
            ),
            (
                "DDEFINE",
                "EXEC CICS DEFINE DCOUNTER('DCNT') VALUE(5000000000)\n RESP(RC) END-EXEC.",
                "RC = 0",
            ),
            (
                "DGET",
                "EXEC CICS GET DCOUNTER('DCNT') VALUE(W) RESP(RC)\n END-EXEC.",
                "RC = 0 AND W = 5000000000",
            ),
            (
                "DDELETE",
                "EXEC CICS DELETE DCOUNTER('DCNT') RESP(RC) END-EXEC.",
                "RC = 0",
            ),
            (
                "ENQ",
                "EXEC CICS ENQ RESOURCE(RES) LENGTH(8) RESP(RC) END-EXEC.",
                "RC = 0",
            ),
            (
                "ENQADDR",
                "EXEC CICS ENQ RESOURCE(RES) NOSUSPEND RESP(RC) END-EXEC.",
                "RC = 0",
            ),
            (
                "DEQ",
                "EXEC CICS DEQ RESOURCE(RES) LENGTH(8) RESP(RC) END-EXEC.",
                "RC = 0",
            ),
        ],
        "",
    );
    check(&[&source], &["QUEUES"]);
}

#[test]
fn handles_and_levels() {
    let source = program(
        "HANDLE",
        "01  D PIC X(20) VALUE 'FROM ABOVE'.\n01  AB PIC X(4).\n01  CNT PIC 9 VALUE 0.\n01  O PIC X(8).",
        &[
            (
                "LINK",
                "EXEC CICS LINK PROGRAM('BELOW') COMMAREA(D) RESP(RC)\n END-EXEC.",
                "RC = 0 AND D = 'FROM BELOW'",
            ),
            ("CALEN", "", "EIBCALEN = 60"),
            (
                "CHANNEL",
                "EXEC CICS PUT CONTAINER('IN') CHANNEL('CH') FROM(D)
 END-EXEC.
EXEC CICS LINK PROGRAM('CHANNEL') CHANNEL('CH')
 RESP(RC) END-EXEC.
EXEC CICS GET CONTAINER('OUT') CHANNEL('CH') INTO(O)
 RESP(RC) END-EXEC.",
                "RC = 0 AND O = 'CH'",
            ),
            (
                "ABEND",
                "EXEC CICS HANDLE ABEND LABEL(ABENDED) END-EXEC.\nEXEC CICS LINK PROGRAM('ABENDER') END-EXEC.\nGO TO BAD-STEP.",
                "",
            ),
        ],
        "ABENDED.\n    EXEC CICS ASSIGN ABCODE(AB) END-EXEC.\n    IF AB NOT = 'DOWN'\n        MOVE AB TO STEP\n        \
         GO TO BAD-STEP.\n    EXEC CICS HANDLE CONDITION QIDERR(NO-QUEUE)\n        ITEMERR END-EXEC.\n    \
         EXEC CICS PUSH HANDLE END-EXEC.\n    EXEC CICS POP HANDLE END-EXEC.\n    \
         EXEC CICS READQ TS QUEUE('NOQ') INTO(D) END-EXEC.\n    MOVE 'LABEL' TO STEP.\n    GO TO BAD-STEP.\n\
         NO-QUEUE.\n    ADD 1 TO CNT.\n    IF CNT < 3\n        EXEC CICS READQ TS QUEUE('NOQ') INTO(D) END-EXEC.\n    \
         IF CNT NOT = 3\n        MOVE 'AGAIN' TO STEP\n        GO TO BAD-STEP.\n    MOVE 'OK' TO CA-TEXT.\n    \
         EXEC CICS RETURN END-EXEC.",
    );
    let below = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. BELOW.\n       DATA DIVISION.\n       \
        LINKAGE SECTION.\n       01  DFHCOMMAREA PIC X(20).\n       PROCEDURE DIVISION.\n           \
        IF EIBCALEN = 20 AND DFHCOMMAREA = 'FROM ABOVE'\n              MOVE 'FROM BELOW' TO DFHCOMMAREA.\n           \
        EXEC CICS RETURN END-EXEC.\n";
    let channel = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. CHANNEL.\n       DATA DIVISION.\n       \
        WORKING-STORAGE SECTION.\n       01  WS-NAME PIC X(16).\n       PROCEDURE DIVISION.\n           \
        EXEC CICS ASSIGN CHANNEL(WS-NAME) END-EXEC.\n           EXEC CICS PUT CONTAINER('OUT') FROM(WS-NAME)\n             \
        FLENGTH(8) END-EXEC.\n           EXEC CICS RETURN END-EXEC.\n";
    let abender = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. ABENDER.\n       PROCEDURE DIVISION.\n           \
        EXEC CICS ABEND ABCODE('DOWN') NODUMP END-EXEC.\n";
    check(&[&source, below, channel, abender], &["HANDLE"]);
}

#[test]
fn tasks_take_turns() {
    let holder = program(
        "HOLDER",
        "01  RES PIC X(8) VALUE 'ONLYONE'.\n01  V PIC S9(8) COMP.",
        &[
            (
                "ENQ",
                "EXEC CICS ENQ RESOURCE(RES) LENGTH(8) RESP(RC) END-EXEC.",
                "RC = 0",
            ),
            (
                "CWA",
                "EXEC CICS ADDRESS CWA(ADDRESS OF LK-AREA) END-EXEC.",
                "LK-AREA (1:1) NOT = 'X'",
            ),
            (
                "HOLD",
                "MOVE 'X' TO LK-AREA (1:1).\nEXEC CICS DELAY FOR MILLISECS(10) END-EXEC.\nMOVE ' ' TO LK-AREA (1:1).",
                "EIBRESP = 0",
            ),
            (
                "DEQ",
                "EXEC CICS DEQ RESOURCE(RES) LENGTH(8) RESP(RC) END-EXEC.",
                "RC = 0",
            ),
            (
                "COUNT",
                "EXEC CICS GET COUNTER('TURNS') VALUE(V) RESP(RC) END-EXEC.",
                "RC = 0",
            ),
        ],
        "",
    );
    let one = |name: &str, step: &str, holds: &str| {
        program(name, "01  V PIC S9(8) COMP.", &[("ONE", step, holds)], "")
    };
    let define = one(
        "DEFINER",
        "EXEC CICS DEFINE COUNTER('TURNS') RESP(RC) END-EXEC.",
        "RC = 0",
    );
    let query = one(
        "QUERIER",
        "EXEC CICS QUERY COUNTER('TURNS') VALUE(V) RESP(RC)\n END-EXEC.",
        "RC = 0 AND V = 25",
    );
    let programs = Programs::new(&[&holder, &define, &query]);
    programs.must_say("DEFINER", "OK");
    let requests = (0..25)
        .map(|_| crate::harness::request("HOLDER", vec![b' '; 60]))
        .collect();
    for reply in programs.all(requests) {
        let Ok(transom_region_api::Payload::Commarea(bytes)) = reply else {
            panic!("{reply:?}")
        };
        assert_eq!(String::from_utf8_lossy(&bytes).trim(), "OK");
    }
    programs.must_say("QUERIER", "OK");
}
