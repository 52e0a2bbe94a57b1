//! Broken statements: never a panic, never without end.

use transom_sql::{Dialect, NoCatalog, Setting, rewrite, statement, tokens};

const ROUNDS: u64 = 20_000;

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
    "SELECT ",
    "FROM ",
    "WHERE ",
    "GROUP BY ",
    "HAVING ",
    "ORDER BY ",
    "INTO ",
    "T ",
    "A ",
    "B.C ",
    "( ",
    ") ",
    ", ",
    "= ",
    "<> ",
    "+ ",
    "- ",
    "* ",
    "/ ",
    "|| ",
    ":H ",
    ":S-1.F:I ",
    "? ",
    "'X' ",
    "1 ",
    "1.5 ",
    "2E3 ",
    "NULL ",
    "CASE ",
    "WHEN ",
    "THEN ",
    "ELSE ",
    "END ",
    "CAST(",
    "AS ",
    "DECIMAL(5,2) ",
    "CHAR(",
    "SUBSTR(",
    "COUNT(*) ",
    "SUM(",
    "MAX(",
    "COALESCE(",
    "BETWEEN ",
    "AND ",
    "OR ",
    "NOT ",
    "IN ",
    "LIKE ",
    "IS ",
    "EXISTS ",
    "UNION ",
    "ALL ",
    "JOIN ",
    "LEFT ",
    "ON ",
    "CURRENT DATE ",
    "DAYS ",
    "INSERT INTO T ",
    "VALUES ",
    "UPDATE T SET ",
    "DELETE FROM T ",
    "MERGE INTO ",
    "FINAL TABLE ",
    "WITH ",
    "FETCH FIRST 1 ROWS ONLY ",
    "FOR UPDATE ",
    "DECLARE C CURSOR FOR ",
    "CREATE TABLE T (",
    "INTEGER ",
    "NOT NULL ",
    "DEFAULT ",
    "PRIMARY KEY ",
    "ALTER TABLE T ADD ",
    "X'4",
    "'",
    "\"",
    "--",
    "/*",
    "¬",
    ":",
    ".",
    ";",
    "\u{1F600}",
    "É",
    "\0",
];

fn all(text: &str) {
    let _tokens = tokens(text);
    let Ok(statement) = statement(text) else {
        return;
    };
    for dialect in [Dialect::Sqlite, Dialect::PostgreSql] {
        let setting = Setting {
            dialect,
            catalog: &NoCatalog,
            schema: "",
            hosts: &[],
            dec31: false,
        };
        let _text = rewrite(&statement, &setting);
    }
}

#[test]
fn pieces_in_any_order() {
    let mut random = Random(7);
    for _ in 0..ROUNDS {
        let count = random.next(30);
        let text: String = (0..count)
            .map(|_| PIECES[random.next(PIECES.len())])
            .collect();
        all(&text);
    }
}

#[test]
fn any_bytes() {
    let mut random = Random(11);
    for _ in 0..ROUNDS {
        let count = random.next(60);
        let bytes: Vec<u8> = (0..count)
            .map(|_| u8::try_from(random.next(256)).unwrap_or(0))
            .collect();
        all(&String::from_utf8_lossy(&bytes));
    }
}

/// Statements that are right, cut off and with one piece changed.
#[test]
fn damaged_statements() {
    let good = [
        "SELECT A, SUM(B) FROM T X LEFT JOIN U ON X.A = U.A WHERE B BETWEEN 1 AND :H OR C LIKE 'A%' GROUP BY A HAVING COUNT(*) > 1 ORDER BY 2 DESC FETCH FIRST 3 ROWS ONLY",
        "INSERT INTO T (A, B) SELECT C, CURRENT DATE - 3 MONTHS FROM U WHERE C IN (1, 2, ?)",
        "MERGE INTO T USING (VALUES (:A, :B)) AS S (A, B) ON T.A = S.A WHEN MATCHED THEN UPDATE SET B = S.B WHEN NOT MATCHED THEN INSERT (A, B) VALUES (S.A, S.B)",
        "CREATE TABLE T (A INTEGER NOT NULL PRIMARY KEY, B DECIMAL(9,2) WITH DEFAULT, C CHAR(3) CHECK (C IN ('A', 'B')), FOREIGN KEY (C) REFERENCES U (D) ON DELETE CASCADE) IN D.S CCSID EBCDIC",
        "SELECT CASE A WHEN 1 THEN 'X' ELSE UPPER(B) CONCAT 'Y' END INTO :R:I FROM T WHERE (A, B) = (1, 2) AND NOT EXISTS (SELECT 1 FROM U WHERE U.A = T.A)",
    ];
    let mut random = Random(13);
    for text in good {
        statement(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        for (at, _) in text.char_indices() {
            all(&text[..at]);
            let piece = PIECES[random.next(PIECES.len())];
            all(&format!("{}{piece}{}", &text[..at], &text[at..]));
        }
    }
}

#[test]
fn nothing_is_too_deep() {
    for (open, inner, close) in [
        ("(", "1", ")"),
        ("CASE WHEN A = 1 THEN ", "1", " END"),
        ("- ", "1", ""),
        ("NOT ", "A = 1", ""),
        ("(SELECT A FROM T WHERE A = ", "1", ")"),
        ("SUM(", "A", ")"),
        ("CASE WHEN A BETWEEN 1 AND ", "2", " THEN 1 END"),
        ("NULLIF(A, ", "1", ")"),
        ("NULLIF(", "A", ", 1)"),
    ] {
        for depth in [10, 50, 3_000] {
            let text = format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
            all(&format!("SELECT A FROM T WHERE A = {text}"));
            all(&format!("SELECT A FROM T WHERE {text}"));
        }
    }
    for depth in [5, 20, 59] {
        let text = format!(
            "{}SELECT A FROM T{}",
            "(SELECT A FROM T UNION ".repeat(depth),
            ")".repeat(depth)
        );
        all(&text);
    }
    all(&format!("SELECT {} FROM T", vec!["A"; 3_000].join(" + ")));
    all(&format!(
        "SELECT A FROM T WHERE {}",
        vec!["A = 1"; 3_000].join(" OR ")
    ));
    all(&format!(
        "SELECT A FROM {}",
        vec!["T"; 3_000].join(" CROSS JOIN ")
    ));
    all(&format!(
        "SELECT A FROM T {}",
        "UNION SELECT A FROM T ".repeat(1_000)
    ));
}
