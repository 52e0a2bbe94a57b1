//! Broken statements and jobs: never a panic, never without end.

use transom_idcams::jcl::read;
use transom_idcams::parse_text;

const ROUNDS: u64 = 5_000;

/// A fixed sequence, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % (below.max(1) as u64)).unwrap_or(0)
    }
}

const PIECES: &[&str] = &[
    "(",
    ")",
    "'",
    "X'",
    "-\n",
    "+\n",
    "\n",
    " ",
    ",",
    "/*",
    "*/",
    "=",
    "¬=",
    "IF ",
    "MAXCC ",
    "THEN ",
    "ELSE ",
    "DO ",
    "END ",
    "SET ",
    "LE 8 ",
    "DEFINE ",
    "CLUSTER ",
    "(NAME(A.B) ",
    "KEYS(4 0)",
    "AIX ",
    "RELATE(A.B) ",
    "PATH ",
    "REPRO ",
    "IDS(A.B) ",
    "OFILE(X) ",
    "FROMKEY(",
    "DELETE ",
    "A.* ",
    "LISTCAT ",
    "LVL(A) ",
    "PRINT ",
    "ALTER ",
    "PARM MARGINS(2 40)\n",
    "\u{c4}",
    "//",
    "//A EXEC P\n",
    "//B EXEC PGM=IDCAMS,COND=(4,LT)\n",
    "//P PROC X=1\n",
    "// PEND\n",
    "//D DD *\n",
    "//D DD DSN=&X(1),",
    "// DISP=(NEW,",
    "//P.D DD DUMMY\n",
    "// SET X='A,B'\n",
    "/*\n",
];

#[test]
fn any_text_is_read_to_its_end() {
    let mut random = Random(7);
    for _ in 0..ROUNDS {
        let text: String = (0..random.next(40))
            .map(|_| PIECES[random.next(PIECES.len())])
            .collect();
        let _script = parse_text(&text);
        let _job = read(&text, &[], &|name| (name == "P").then(|| text.clone()));
    }
}
