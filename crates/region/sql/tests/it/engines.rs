//! The same statements on both engines: SQLCODEs, counts and rows are the same.
//!
//! Without PostgreSQL on the machine these tests are skipped.

use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use transom_datasets::conformance::Cluster;
use transom_region_sql::{
    Postgres, PostgresOptions, Qualifiers, Script, SqlEngine, Sqlite, SqliteOptions,
};
use transom_types::Applid;

/// Both engines, with their databases.
pub(super) struct Both {
    _folder: TempDir,
    _cluster: Cluster,
    pub(super) engines: [Arc<dyn SqlEngine>; 2],
}

pub(super) fn options(cluster: &Cluster, ebcdic_order: bool) -> PostgresOptions {
    PostgresOptions {
        connect: cluster.connect(),
        applid: Applid::from_field(b"SQL"),
        ebcdic_order,
        lock_wait: Duration::from_millis(500),
        back_out: true,
        qualifiers: Qualifiers::default(),
    }
}

impl Both {
    pub(super) fn new(ebcdic_order: bool) -> Option<Self> {
        let cluster = Cluster::of_test(Cluster::start())?;
        let folder = tempfile::tempdir().unwrap();
        let sqlite = Sqlite::open(SqliteOptions {
            file: folder.path().join("sql.db"),
            ebcdic_order,
            cache_megabytes: 1,
            log_pages: 100,
            lock_wait: Duration::from_millis(500),
            back_out: true,
            qualifiers: Qualifiers::default(),
        });
        let postgres = Postgres::open(options(&cluster, ebcdic_order), Some(7));
        let engines: [Arc<dyn SqlEngine>; 2] =
            [Arc::new(sqlite.unwrap()), Arc::new(postgres.unwrap())];
        Some(Self {
            _folder: folder,
            _cluster: cluster,
            engines,
        })
    }

    /// What each statement says, with its rows, the same on both.
    pub(super) fn run(&self, text: &str) -> Vec<String> {
        let [sqlite, postgres] = [0, 1].map(|n| said(&*self.engines[n], text));
        let pairs = sqlite.iter().zip(&postgres).filter(|(a, b)| a != b);
        let lines: Vec<String> = pairs.map(|(a, b)| format!("{a}\n{b}")).collect();
        assert!(
            lines.is_empty(),
            "SQLite, PostgreSQL:\n{}",
            lines.join("\n\n")
        );
        assert_eq!(sqlite.len(), postgres.len());
        postgres
    }
}

/// One statement after another, each a script of its own, so that one that fails ends nothing.
pub(super) fn said(engine: &dyn SqlEngine, text: &str) -> Vec<String> {
    let mut script = Script::on(engine, "ALICE").unwrap();
    let mut all = Vec::new();
    for statement in text.split(';').map(str::trim).filter(|s| !s.is_empty()) {
        let told = script.run(&format!("{statement};"), |done| {
            let answer = &done.answer;
            let mut rows = Vec::new();
            for row in &done.rows {
                let values: Vec<String> = row.values.iter().map(|v| format!("{v:?}")).collect();
                rows.push(values.join(" "));
            }
            let rows = rows.join(" / ");
            let (code, count) = (answer.code, answer.count);
            // What is not done is said in each engine's words.
            let text = Some(&answer.text).filter(|_| code != -84);
            let text = text.map_or("", String::as_str);
            all.push(format!("{statement} => {code} {count} [{rows}] {text}"));
        });
        told.unwrap();
    }
    all
}

/// The only value of a statement, or its SQLCODE.
pub(super) fn one(engine: &dyn SqlEngine, text: &str) -> String {
    let mut script = Script::on(engine, "ALICE").unwrap();
    let mut value = String::new();
    let told = script.run(text, |done| {
        let first = done.rows.first().and_then(|row| row.values.first());
        value = match (done.answer.code, first) {
            (0, Some(first)) => first.to_string(),
            (code, _) => format!("SQLCODE {code}"),
        };
    });
    told.unwrap();
    value
}

pub(super) const TABLES: &str = "
CREATE TABLE EMP (ID INTEGER NOT NULL GENERATED ALWAYS AS IDENTITY, NAME VARCHAR(20), CODE CHAR(4) NOT NULL,
  PAY DECIMAL(9, 2) NOT NULL WITH DEFAULT, RATE DECIMAL(31, 20), AGE SMALLINT, SIZE BIGINT, SHARE DOUBLE,
  HIRED DATE, BEGINS TIME, STAMP TIMESTAMP, PRIMARY KEY (CODE));
INSERT INTO EMP (NAME, CODE, PAY, RATE, AGE, SIZE, SHARE, HIRED, BEGINS, STAMP) VALUES
  ('Ada', 'A1', 100.10, 0.00000000000000000001, 30, 9000000000, 0.5, '2024-02-29', '08.30.00', '2024-02-29-08.30.00.123456');
INSERT INTO EMP (NAME, CODE, PAY, RATE, AGE, HIRED, BEGINS, STAMP) VALUES
  ('bob  ', 'b2', -0.05, 12345678901.12345678901234567890, 41, '12/31/1999', '11:59 PM', '1999-12-31-23.59.59.999999');
INSERT INTO EMP (NAME, CODE) VALUES (NULL, '1C');
INSERT INTO EMP (NAME, CODE, PAY, AGE) VALUES ('A', 'Z', 3.33, 7);
CREATE TABLE DEPT (NO CHAR(3) NOT NULL PRIMARY KEY, BOSS CHAR(4), TEXT VARCHAR(8),
  FOREIGN KEY (BOSS) REFERENCES EMP (CODE) ON DELETE RESTRICT, CHECK (NO <> 'BAD'));
";

#[test]
fn both_engines_say_the_same() {
    let Some(both) = Both::new(true) else { return };
    both.run(TABLES);
    let said = both.run(include_str!("engines.sql"));
    let failed = said.iter().filter(|one| one.contains("=> -901"));
    assert_eq!(failed.collect::<Vec<_>>(), Vec::<&String>::new());
    drop(both);
}

#[test]
fn the_order_is_that_of_the_code_page() {
    for ebcdic in [true, false] {
        let Some(both) = Both::new(ebcdic) else {
            return;
        };
        both.run(TABLES);
        let said = both.run("SELECT CODE FROM EMP ORDER BY CODE");
        let expected = match ebcdic {
            true => ["b2", "A1", "Z", "1C"],
            false => ["1C", "A1", "Z", "b2"],
        };
        let places: Vec<usize> = expected.iter().map(|c| said[0].find(c).unwrap()).collect();
        assert!(places.is_sorted(), "{said:?}");
    }
}
