//! Damaged sources: no panic, no endless loop, every message has a place.

use crate::sources::{Books, program};
use transom_translator::{Options, Source, translate};

/// Small deterministic generator (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

const PIECES: &[&str] = &[
    "EXEC CICS ",
    " END-EXEC",
    ".",
    "'",
    "\"",
    "(",
    ")",
    "==",
    " COPY ONE.",
    "REPLACING ",
    " BY ",
    "LINK PROGRAM(",
    "RETURN",
    "\n",
    "      -    ",
    "      *",
    "\t",
    "END PROGRAM PROG.",
    "EXEC SQL ",
    "PROGRAM-ID. X",
    "PROCEDURE DIVISION",
    "LINKAGE SECTION",
    "DFHRESP(",
    "REPLACE ==A== BY ==B==.",
    "\u{e4}\u{1F600}",
    "X'",
    ":",
    " ADDRESS OF ",
    " LENGTH OF ",
    "HANDLE CONDITION ERROR(",
    "D",
    "END DECLARATIVES.",
    "ID DIVISION.",
    "LEADING",
    "==:T:==",
    "INCLUDE ONE",
    ",",
    "*>",
    ">>IF",
    "CBL TRUNC(BIN",
    "IDENTIFICATION DIVISION. PROGRAM-ID. ",
    " 01 DFHCOMMAREA.",
    "\u{0}",
];

fn mutate(text: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(6) {
        let at = random.below(chars.len() + 1);
        match random.below(4) {
            0 => {
                let end = (at + random.below(30)).min(chars.len());
                chars.drain(at..end);
            }
            1 => {
                let end = (at + random.below(60)).min(chars.len());
                let copy: Vec<char> = chars[at..end].to_vec();
                let to = random.below(chars.len() + 1);
                chars.splice(to..to, copy);
            }
            2 => {
                let piece = PIECES[random.below(PIECES.len())];
                chars.splice(at..at, piece.chars());
            }
            _ => {
                if let Some(c) = chars.get_mut(at) {
                    *c = char::from(32 + random.below(95) as u8);
                }
            }
        }
    }
    chars.into_iter().collect()
}

#[test]
fn twenty_thousand_damaged_sources() {
    let seeds = [
        program(
            "01 A PIC X(8).\n01 R PIC S9(8) COMP.\nCOPY ONE REPLACING ==:T:== BY ==Z==.\n\
             LINKAGE SECTION.\n01 DFHCOMMAREA PIC X(9).",
            "MAIN-1.\n    EXEC CICS HANDLE CONDITION ERROR(P-9) END-EXEC\n    \
             EXEC CICS LINK PROGRAM('SUB') COMMAREA(A) LENGTH(LENGTH OF A) RESP(R) END-EXEC.\n    \
             IF R = DFHRESP(NORMAL) EXEC CICS GETMAIN SET(ADDRESS OF DFHCOMMAREA) FLENGTH(9)\n    \
             END-EXEC END-IF.\nP-9.\n    EXEC CICS RETURN END-EXEC.",
        ),
        "identification division.\nprogram-id. a.\nprocedure division.\nexec cics return end-exec.\n\
         identification division.\nprogram-id. b.\nprocedure division.\ngoback.\nend program b.\n\
         end program a.\n"
            .to_owned(),
    ];
    let book = "       01 :T:-A PIC X.\n           EXEC SQL INCLUDE TWO END-EXEC.\n";
    let books = Books::of(&[
        ("ONE", book),
        ("TWO", "       COPY ONE.\n"),
        ("X", "\u{fffd}"),
    ]);
    let mut random = Random(0x5eed_1234_5678_9abc);
    for n in 0..20_000 {
        let text = mutate(&seeds[n % 2], &mut random);
        let source = Source {
            name: "PROG.cbl",
            text: &text,
        };
        let out = translate(&source, &books, &Options::default());
        assert_eq!(
            out.line_map.len(),
            out.cobol.lines().count(),
            "source {n}:\n{text}"
        );
        assert!(
            out.problems.iter().all(|p| !p.place.file.is_empty()),
            "source {n}:\n{text}"
        );
        if n % 16 == 0 {
            assert!(!out.listing().is_empty());
        }
    }
}
