//! Cases written as scripts (`table/store.txt`).
//!
//! A case begins with `# name`; each line is a command, ` => ` and the expected answer. A unit of
//! work is a digit, `-` is none. Every case has a table of its own; `a/` before a key means a
//! second one.

use super::Report;
use std::ops::Bound;
use std::sync::Arc;
use transom_recovery::{
    Change, Direction, Lock, Match, Outcome, Row, StoreError, UowId, UowStore, Wait, Write, wait,
};
use transom_types::Applid;

const CASES: &str = include_str!("table/store.txt");

pub(super) fn run(store: &Arc<dyn UowStore>, report: &mut Report) {
    for (number, case) in CASES.split("\n# ").skip(1).enumerate() {
        let mut lines = case.lines();
        let name = lines.next().unwrap_or_default();
        let machine = Machine {
            store: &**store,
            number: number as u64 + 1,
        };
        machine.begin();
        for line in lines.filter(|l| !l.trim().is_empty()) {
            let Some((command, expected)) = line.split_once(" => ") else {
                report
                    .failures
                    .push(format!("{name}: no answer in {line:?}"));
                continue;
            };
            let got = machine.command(command);
            report.check(&format!("{name}: {command}"), got.as_str(), expected.trim());
        }
        (0..10).for_each(|n| store.release(machine.uow(n)));
    }
}

struct Machine<'s> {
    store: &'s dyn UowStore,
    number: u64,
}

impl Machine<'_> {
    fn begin(&self) {
        for table in [self.table("k"), self.table("a/k")] {
            // A failure shows in the first command.
            let _ = wait(self.store.define(&table));
        }
    }

    fn table(&self, key: &str) -> String {
        let second = if key.starts_with("a/") {
            "second"
        } else {
            "first"
        };
        format!("case/{:03}/{second}", self.number)
    }

    fn key<'k>(&self, key: &'k str) -> &'k [u8] {
        key.strip_prefix("a/").unwrap_or(key).as_bytes()
    }

    fn uow(&self, digit: u64) -> UowId {
        UowId::new(Applid::from_field(b"CONFORM"), self.number * 10 + digit)
    }

    fn who(&self, word: &str) -> Option<UowId> {
        word.parse().ok().map(|digit| self.uow(digit))
    }

    fn command(&self, line: &str) -> String {
        let words: Vec<&str> = line.split_whitespace().collect();
        let word = |n: usize| words.get(n).copied().unwrap_or_default();
        let uow = self.who(word(1)).unwrap_or(self.uow(0));
        let (table, key) = (self.table(word(2)), self.key(word(2)));
        let store = self.store;
        match word(0) {
            "put" | "insert" | "delete" | "erase" => {
                let change = change(word(0), word(3));
                done(wait(store.stage(uow, &table, key, change, Wait::No)))
            }
            "both" => {
                let writes = self.writes(&words[2..]);
                done(wait(store.stage_all(uow, writes, Wait::No)))
            }
            "now" => {
                let writes = self.writes(&words[2..]);
                done(wait(store.write_now(self.who(word(1)), writes, Wait::No)))
            }
            "get" | "ge" | "gt" | "generic" => {
                let select = select(word(0));
                let read = store.read(self.who(word(1)), &table, key, select, Lock::None);
                row(wait(read), select)
            }
            "update" | "update-ge" | "update-generic" => {
                let select = select(word(0).trim_start_matches("update-"));
                let lock = Lock::Update(Wait::No);
                row(
                    wait(store.read(Some(uow), &table, key, select, lock)),
                    select,
                )
            }
            "lock" => done(wait(store.lock(uow, &table, key, Wait::No))),
            "unlock" | "release" | "retain" => {
                match word(0) {
                    "unlock" => store.unlock(uow, &table, key),
                    "release" => store.release(uow),
                    _ => store.retain(uow),
                }
                "ok".to_owned()
            }
            "scan" => self.scan(&words),
            "empty" => done(wait(store.empty(&self.table(word(1))))),
            "drop" => done(wait(store.drop_table(&self.table(word(1)))).map(|_| ())),
            "define" => answer(wait(store.define(&self.table(word(1)))).map(|b| b.to_string())),
            "count" => answer(wait(store.count(&self.table(word(1)))).map(|n| n.to_string())),
            "tables" => {
                let prefix = format!("case/{:03}/{}", self.number, word(1));
                let names = wait(store.tables(&prefix));
                answer(names.map(|n| n.len().to_string()))
            }
            "allocate" => {
                let amount = word(1).parse().unwrap_or_default();
                answer(wait(store.allocate(&self.table("k"), amount)).map(|n| n.to_string()))
            }
            other => self.end(other, uow, &words),
        }
    }

    fn end(&self, command: &str, uow: UowId, words: &[&str]) -> String {
        let word = |n: usize| words.get(n).copied().unwrap_or_default();
        let store = self.store;
        match command {
            "commit" => done(wait(store.commit(uow))),
            "backout" => done(wait(store.backout(uow))),
            "prepare" => done(wait(store.prepare(uow, word(2).as_bytes()))),
            "resolve" if word(2) == "commit" => done(wait(store.resolve(uow, Outcome::Commit))),
            "resolve" => done(wait(store.resolve(uow, Outcome::Backout))),
            "doubt" => answer(wait(store.in_doubt()).map(|all| {
                let mine = all.iter().filter(|d| d.uow.number / 10 == self.number);
                let show = mine.map(|d| {
                    let info = String::from_utf8_lossy(&d.info).into_owned();
                    format!("{}:{info}", d.uow.number % 10)
                });
                joined(show)
            })),
            other => format!("unknown command {other}"),
        }
    }

    /// `op key record` separated by `;`.
    fn writes(&self, words: &[&str]) -> Vec<Write> {
        let parts = words.split(|w| *w == ";");
        let write = |part: &[&str]| {
            let word = |n: usize| part.get(n).copied().unwrap_or_default();
            let change = change(word(0), word(2));
            Write::new(self.table(word(1)), self.key(word(1)), change)
        };
        parts.map(write).collect()
    }

    /// `scan who direction from prefix limit`; `from` is `*`, `=key` or `>key`, `prefix` may be
    /// `*`.
    fn scan(&self, words: &[&str]) -> String {
        let word = |n: usize| words.get(n).copied().unwrap_or_default();
        let from = match word(3).split_at_checked(1) {
            Some(("=", key)) => Bound::Included(key.as_bytes()),
            Some((">", key)) => Bound::Excluded(key.as_bytes()),
            _ => Bound::Unbounded,
        };
        let prefix = if word(4) == "*" { "" } else { word(4) };
        let direction = match word(2) {
            "back" => Direction::Backward,
            _ => Direction::Forward,
        };
        let limit = word(5).parse().unwrap_or(100);
        let table = self.table("k");
        let rows = self.store.scan(
            self.who(word(1)),
            &table,
            from,
            prefix.as_bytes(),
            direction,
            limit,
        );
        answer(wait(rows).map(|rows| joined(rows.iter().map(|r| text(&r.key)))))
    }
}

fn change(word: &str, record: &str) -> Change {
    match word {
        "put" => Change::Put(record.as_bytes().to_vec()),
        "insert" => Change::Insert(record.as_bytes().to_vec()),
        "delete" => Change::Delete,
        _ => Change::Erase,
    }
}

fn select(word: &str) -> Match {
    match word {
        "ge" => Match::GreaterOrEqual,
        "gt" => Match::Greater,
        "generic" => Match::Generic,
        _ => Match::Equal,
    }
}

fn done(result: Result<(), StoreError>) -> String {
    answer(result.map(|()| "ok".to_owned()))
}

fn row(result: Result<Option<Row>, StoreError>, select: Match) -> String {
    answer(result.map(|row| match row {
        None => "none".to_owned(),
        Some(row) if select == Match::Equal => text(&row.record),
        Some(row) => format!("{}={}", text(&row.key), text(&row.record)),
    }))
}

/// The variant's name, in small letters, for an error.
pub(super) fn answer(result: Result<String, StoreError>) -> String {
    result.unwrap_or_else(|error| {
        let shown = format!("{error:?}").to_ascii_lowercase();
        let end = shown.find(|c: char| !c.is_ascii_alphanumeric());
        shown[..end.unwrap_or(shown.len())].to_owned()
    })
}

fn joined(words: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = words.collect();
    if all.is_empty() {
        return "none".to_owned();
    }
    all.join(" ")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
