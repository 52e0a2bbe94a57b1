//! Printers: what programs send comes out of Debian's pr3287 as text, and jobs wait for their
//! printer.

use crate::judges::{Live, User, alone};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use transom_copybook::codepage::CP037;

const PATIENCE: Duration = Duration::from_secs(20);

/// GO starts a report at a printer; REPT and LIST are reports (map text, own data); HARD shows a
/// screen and prints it.
const PROGRAMS: [(&str, &str, &str); 4] = [
    (
        "GO",
        "01  A PIC X(20).\n01  L PIC S9(4) COMP VALUE 20.\n01  T PIC X(4).\n01  X PIC X(4).\n01  S PIC Z(8)9.",
        "EXEC CICS RECEIVE INTO(A) LENGTH(L) END-EXEC.
MOVE A (4:4) TO X.
MOVE A (9:4) TO T.
EXEC CICS START TRANSID(X) TERMID(T) FROM(A) LENGTH(L)
  RESP(RC) END-EXEC.
MOVE RC TO S.
EXEC CICS SEND TEXT FROM(S) LENGTH(9) ERASE FREEKB
  END-EXEC.
EXEC CICS RETURN END-EXEC.",
    ),
    (
        "REPT",
        "01  A PIC X(20) VALUE SPACES.\n01  L PIC S9(4) COMP VALUE 20.\n01  T PIC X(60).\n01  N PIC 99.",
        "EXEC CICS RETRIEVE INTO(A) LENGTH(L) END-EXEC.
STRING 'REPORT FOR ' EIBTRMID ' OF ' A (14:5)
  DELIMITED BY SIZE INTO T.
PERFORM VARYING N FROM 1 BY 1 UNTIL N > 3
  MOVE N TO T (40:2)
  EXEC CICS SEND TEXT FROM(T) LENGTH(60) ERASE PRINT
    END-EXEC
END-PERFORM.
EXEC CICS RETURN END-EXEC.",
    ),
    (
        "LIST",
        "01  WS-LIST.
    05 FILLER PIC X(6) VALUE 'FIRST,'.
    05 FILLER PIC X VALUE X'15'.
    05 FILLER PIC X(10) VALUE '(SECOND) +'.
    05 FILLER PIC X VALUE X'15'.
01  WS-WCC PIC X VALUE X'C8'.",
        "EXEC CICS SEND FROM(WS-LIST) LENGTH(18) ERASE\n  CTLCHAR(WS-WCC)\n  DEFRESP RESP(RC) END-EXEC.\nIF RC NOT = 0\n  EXEC CICS ABEND ABCODE('SEND') END-EXEC\nEND-IF.\nEXEC CICS RETURN END-EXEC.",
    ),
    (
        "HARD",
        "01  F PIC X(4).",
        "EXEC CICS SEND MAP('MENU') MAPSET('MENUS') MAPONLY ERASE
  FREEKB WAIT END-EXEC.
EXEC CICS ISSUE PRINT RESP(RC) END-EXEC.
IF RC NOT = 0
  EXEC CICS SEND TEXT FROM('NOT PRINTED') LENGTH(11) ERASE
    FREEKB END-EXEC
END-IF.
EXEC CICS RETURN END-EXEC.",
    ),
];

const DEFINITIONS: &str = "\
DEFINE TYPETERM(PRT3) GROUP(T) DEVICE(LUTYPE3) ATI(YES)
DEFINE TYPETERM(PRT1) GROUP(T) DEVICE(SCSPRINT) ATI(YES) PAGESIZE(60,80)
DEFINE TYPETERM(LU2) GROUP(T) DEVICE(LUTYPE2) ATI(YES) TTI(YES)
 UCTRAN(TRANID)
DEFINE TERMINAL(P001) GROUP(T) TYPETERM(PRT3) NETNAME(PRT00001)
DEFINE TERMINAL(P002) GROUP(T) TYPETERM(PRT1) NETNAME(PRT00002)
DEFINE TERMINAL(D001) GROUP(T) TYPETERM(LU2) NETNAME(DSP00001)
 PRINTER(P001)
";

/// A pr3287 whose paper is a file.
struct Printer {
    child: Child,
    paper: PathBuf,
}

impl Printer {
    /// `None`: it is not installed.
    fn start(live: &Live, arguments: &[&str], host: &str) -> Option<Self> {
        let number = std::fs::read_dir(live.folder.path()).map_or(0, Iterator::count);
        let paper = live.folder.path().join(format!("paper{number}"));
        std::fs::write(&paper, "").unwrap();
        let child = Command::new("pr3287")
            .args(arguments)
            .arg("-command")
            .arg(format!("cat >> {}", paper.display()))
            .arg(host)
            .stdin(Stdio::null())
            .spawn();
        match child {
            Ok(child) => Some(Self { child, paper }),
            Err(_) => {
                println!("skipped: pr3287 is not installed");
                None
            }
        }
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.paper).unwrap()
    }

    /// Waits for words on paper, while the user's emulator goes on answering.
    fn prints(&self, live: &Live, user: &mut User, what: &str) -> String {
        let begin = Instant::now();
        while !self.text().contains(what) {
            assert!(
                begin.elapsed() < PATIENCE,
                "no {what:?} on paper:\n{}\n{}",
                self.text(),
                live.log()
            );
            user.turn();
        }
        self.text()
    }
}

/// HARD, again until a printer that is just logging on prints it. Without one the program says so;
/// where the screen itself may have a printer it does not, and `patience` is over.
fn hard_copy(live: &Live, user: &mut User, printer: &Printer, patience: Duration) -> String {
    let begin = Instant::now();
    loop {
        user.enters("HARD");
        let asked = Instant::now();
        let refused = |user: &User| user.screen.contains("NOT PRINTED", &CP037.to_char);
        while !refused(user) && asked.elapsed() < patience {
            user.turn();
            if printer.text().contains("THE MENU") {
                return printer.text();
            }
        }
        assert!(begin.elapsed() < PATIENCE, "no paper:\n{}", live.log());
    }
}

impl Drop for Printer {
    fn drop(&mut self) {
        let _killed = self.child.kill();
        let _gone = self.child.wait();
    }
}

fn lines(text: &str) -> Vec<&str> {
    let lines = text.lines().map(|line| line.trim_matches(['\u{c}', ' ']));
    lines.filter(|line| !line.is_empty()).collect()
}

#[test]
fn reports_come_out_of_both_kinds_of_printer() {
    let _alone = alone();
    let live = Live::with(&PROGRAMS, DEFINITIONS, "");
    let mut user = User::logon(&live, None);
    user.shows("===>");
    // The printers are not there yet: their jobs wait.
    for (transaction, printer) in [("REPT", "P001"), ("REPT", "P002"), ("LIST", "P002")] {
        user.enters(&format!("GO {transaction} {printer} ALICE"));
        user.shows("0");
    }
    let host = |lu: &str| format!("{lu}@127.0.0.1:{}", live.port);
    let Some(three) = Printer::start(&live, &[], &host("PRT00001")) else {
        return;
    };
    let text = three.prints(&live, &mut user, " 03");
    let expected =
        |printer: &str, n: u8| format!("REPORT FOR {printer} OF ALICE               {n:02}");
    let wanted: Vec<String> = (1..=3).map(|n| expected("P001", n)).collect();
    assert_eq!(lines(&text), wanted);
    let Some(one) = Printer::start(&live, &[], &host("PRT00002")) else {
        return;
    };
    one.prints(&live, &mut user, "(SECOND) +");
    let text = one.prints(&live, &mut user, " 03");
    let mut wanted: Vec<String> = (1..=3).map(|n| expected("P002", n)).collect();
    wanted.extend(["FIRST,".to_owned(), "(SECOND) +".to_owned()]);
    let mut found: Vec<String> = lines(&text).into_iter().map(str::to_owned).collect();
    // The two jobs were started by different transactions; either may come first.
    if found.first().is_some_and(|line| line == "FIRST,") {
        found.rotate_left(2);
    }
    assert_eq!(found, wanted);
}

#[test]
fn a_screen_is_printed_where_its_terminal_says() {
    let _alone = alone();
    let live = Live::with(&PROGRAMS, DEFINITIONS, "");
    let mut user = User::logon(&live, Some("DSP00001"));
    user.shows("===>");
    user.enters("HARD");
    user.shows("NOT PRINTED");
    let host = |lu: &str| format!("{lu}127.0.0.1:{}", live.port);
    let Some(defined) = Printer::start(&live, &["-assoc", "DSP00001"], &host("")) else {
        return;
    };
    let text = hard_copy(&live, &mut user, &defined, PATIENCE);
    user.shows("THE MENU");
    assert_eq!(lines(&text), ["THE MENU"]);

    // A terminal nobody defined, and the printer that is associated with it.
    let mut other = User::logon(&live, Some("NEWLU001"));
    other.shows("===>");
    let Some(partner) = Printer::start(&live, &["-assoc", "NEWLU001"], &host("")) else {
        return;
    };
    hard_copy(&live, &mut other, &partner, Duration::from_secs(2));
    other.shows("THE MENU");
    assert_eq!(lines(&defined.text()).len(), 1);
}
