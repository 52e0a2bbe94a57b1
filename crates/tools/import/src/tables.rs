//! Statements of Db2 in a checkout -> one script for the database of the system directory.
//!
//! Why: the same table stands in a job of its own and in the job that makes everything, in any
//! order; only what makes tables, indexes, views and rows counts here. Not here: what a statement
//! means (`region/sql`).

use crate::kind::words_of;
use std::collections::BTreeSet;

/// A statement.
#[derive(Debug, Clone)]
pub(crate) struct Sql {
    pub(crate) file: usize,
    pub(crate) line: u32,
    pub(crate) text: String,
    what: What,
    /// Schema that names without one belong to, by SET CURRENT SQLID.
    schema: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Table(String),
    Index(String),
    View(String),
    Change,
    Rows,
}

/// Columns of a card that hold text.
const COLUMNS: usize = 72;

/// Numbered lines of a text on its own.
pub(crate) fn numbered(text: &str) -> Vec<(u32, String)> {
    let long = |line: &str| line.chars().count() > COLUMNS;
    let numbers = |line: &str| {
        line.chars()
            .skip(COLUMNS)
            .all(|c| c.is_ascii_digit() || c == ' ')
    };
    let cards = text.lines().any(long) && text.lines().filter(|l| long(l)).all(numbers);
    let cut = |line: &str| match cards {
        true => line.chars().take(COLUMNS).collect(),
        false => line.to_owned(),
    };
    (1..).zip(text.lines().map(cut)).collect()
}

/// The statements of a text that count.
pub(crate) fn statements(file: usize, lines: &[(u32, String)]) -> Vec<Sql> {
    let mut found = Vec::new();
    let mut schema: Option<String> = None;
    for (line, text) in split(lines) {
        let words = words_of(&text);
        let word = |at: usize| words.get(at).map_or("", String::as_str);
        let what = match (word(0), word(1)) {
            ("SET", "CURRENT") if word(2).starts_with("SQLID") || word(2).starts_with("SCHEMA") => {
                schema = text.split('\'').nth(1).map(str::to_owned);
                continue;
            }
            ("CREATE", "TABLE") => What::Table(name(word(2))),
            ("CREATE", "INDEX") => What::Index(name(word(2))),
            ("CREATE", "UNIQUE") => {
                let at = words.iter().position(|w| w == "INDEX").unwrap_or(2);
                What::Index(name(word(at + 1)))
            }
            ("CREATE", "VIEW" | "SEQUENCE" | "ALIAS" | "SYNONYM") => What::View(name(word(2))),
            ("ALTER", "TABLE") => What::Change,
            ("INSERT", "INTO") => What::Rows,
            _ => continue,
        };
        found.push(Sql {
            file,
            line,
            text,
            what,
            schema: schema.clone(),
        });
    }
    found
}

/// Name without schema.
fn name(word: &str) -> String {
    let word = word.trim_matches(['"', ',', ';']);
    word.rsplit('.')
        .next()
        .unwrap_or_default()
        .trim_matches('"')
        .to_owned()
}

/// Cuts at semicolons outside quotes; comments go.
fn split(lines: &[(u32, String)]) -> Vec<(u32, String)> {
    let mut all = Vec::new();
    let mut text = String::new();
    let mut begin = 0;
    let (mut quote, mut remark) = (None::<char>, false);
    for (number, line) in lines {
        let mut rest = line.chars().peekable();
        while let Some(c) = rest.next() {
            let next = rest.peek().copied();
            match (c, next) {
                ('*', Some('/')) if remark => {
                    remark = false;
                    rest.next();
                    continue;
                }
                _ if remark => continue,
                ('/', Some('*')) if quote.is_none() => {
                    remark = true;
                    continue;
                }
                ('-', Some('-')) if quote.is_none() => break,
                (';', _) if quote.is_none() => {
                    all.push((begin, std::mem::take(&mut text)));
                    continue;
                }
                ('\'' | '"', _) if quote.is_none() => quote = Some(c),
                _ if quote == Some(c) => quote = None,
                _ => {}
            }
            if text.trim().is_empty() && !c.is_whitespace() {
                begin = *number;
            }
            text.push(c);
        }
        let kept = text.trim_end().len();
        text.truncate(kept);
        text.push('\n');
    }
    all.push((begin, text));
    let trimmed = all
        .into_iter()
        .map(|(line, text)| (line, text.trim().to_owned()));
    trimmed.filter(|(_, text)| !text.is_empty()).collect()
}

impl Sql {
    /// Schema of a table that it makes.
    fn table_schema(&self) -> Option<String> {
        let What::Table(_) = self.what else {
            return None;
        };
        let words = words_of(&self.text);
        let full = words.get(2)?.trim_matches('"').to_owned();
        match full.rsplit_once('.') {
            Some((schema, _)) => Some(schema.to_owned()),
            None => self.schema.clone(),
        }
    }

    /// Its place and the statement with the schema it needs, to be run by itself.
    pub(crate) fn alone(&self, shown: &dyn Fn(usize) -> String) -> (String, String) {
        let place = format!("{}:{}", shown(self.file), self.line);
        let schema = self.schema.as_deref().filter(|_| self.needs_schema());
        let set = schema
            .map(|s| format!("SET CURRENT SQLID = '{s}';\n"))
            .unwrap_or_default();
        (place, format!("{set}{};\n", self.text))
    }

    /// Whether names in it have no schema, so that SET CURRENT SQLID counts.
    fn needs_schema(&self) -> bool {
        let words = words_of(&self.text);
        let at = match &self.what {
            What::Index(_) => words.iter().position(|w| w == "ON").map(|at| at + 1),
            _ => Some(2),
        };
        let name = at.and_then(|at| words.get(at));
        name.is_some_and(|name| !name.contains('.'))
    }

    fn references(&self) -> Vec<String> {
        let words = words_of(&self.text);
        let after = words.iter().zip(words.iter().skip(1));
        after
            .filter(|(word, _)| *word == "REFERENCES")
            .map(|(_, to)| name(to))
            .collect()
    }
}

/// Each table, index and view once, tables before what refers to them, rows last. `is_open` says
/// whether a text has placeholders left: one without is taken where there is one.
pub(crate) fn in_order(mut list: Vec<Sql>, is_open: &dyn Fn(&str) -> bool) -> Vec<Sql> {
    list.sort_by_key(|sql| {
        let schema = sql.schema.as_deref().filter(|_| sql.needs_schema());
        is_open(&sql.text) || schema.is_some_and(is_open)
    });
    let mut seen: BTreeSet<What> = BTreeSet::new();
    let mut rows: BTreeSet<String> = BTreeSet::new();
    list.retain(|sql| match sql.what {
        What::Change | What::Rows => rows.insert(words_of(&sql.text).join(" ")),
        _ => seen.insert(sql.what.clone()),
    });
    list.sort_by_key(|sql| (sql.file, sql.line));
    let (tables, others): (Vec<_>, Vec<_>) = list.into_iter().partition(is_table);
    let mut ordered = parents_first(tables);
    let rank = |sql: &Sql| match sql.what {
        What::Rows => 2,
        What::View(_) => 1,
        _ => 0,
    };
    let mut others = others;
    others.sort_by_key(rank);
    ordered.extend(others);
    ordered
}

fn is_table(sql: &Sql) -> bool {
    matches!(sql.what, What::Table(_))
}

fn parents_first(mut tables: Vec<Sql>) -> Vec<Sql> {
    let all: BTreeSet<String> = tables.iter().filter_map(table_name).collect();
    let mut done = BTreeSet::new();
    let mut ordered = Vec::new();
    while !tables.is_empty() {
        let ready = tables.iter().position(|sql| {
            let own = table_name(sql);
            let mut parents = sql.references().into_iter();
            parents.all(|p| done.contains(&p) || Some(&p) == own.as_ref() || !all.contains(&p))
        });
        // Tables that refer to each other in a circle come as they are written.
        let next = tables.remove(ready.unwrap_or(0));
        done.extend(table_name(&next));
        ordered.push(next);
    }
    ordered
}

fn table_name(sql: &Sql) -> Option<String> {
    match &sql.what {
        What::Table(name) => Some(name.clone()),
        _ => None,
    }
}

/// The schema of all tables, where they have one and the same.
pub(crate) fn qualifier(list: &[Sql]) -> Option<String> {
    let tables = list.iter().filter(|sql| is_table(sql));
    let schemas: BTreeSet<Option<String>> = tables.map(Sql::table_schema).collect();
    let mut schemas = schemas.into_iter();
    match (schemas.next(), schemas.next()) {
        (Some(only), None) => only,
        _ => None,
    }
}

/// The script, with where each statement comes from.
pub(crate) fn script(list: &[Sql], shown: &dyn Fn(usize) -> String) -> String {
    let mut text = String::new();
    let mut set: Option<&str> = None;
    for sql in list {
        if let Some(schema) = sql.schema.as_deref().filter(|_| sql.needs_schema())
            && set != Some(schema)
        {
            set = Some(schema);
            text.push_str(&format!("SET CURRENT SQLID = '{schema}';\n"));
        }
        text.push_str(&format!(
            "-- {}:{}\n{};\n",
            shown(sql.file),
            sql.line,
            sql.text
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_come_once_and_before_what_refers_to_them() {
        let first = "\
SET CURRENT SQLID='BANK';
CREATE TABLE ACCOUNT (NO INTEGER, -- ; no end
  CUST INTEGER REFERENCES CUSTOMER (NO));
CREATE DATABASE X; GRANT ALL ON X TO PUBLIC;
INSERT INTO CUSTOMER VALUES(1, 'A;B');
";
        let second = "/* ; */ CREATE TABLE BANK.CUSTOMER (NO INTEGER);\nCREATE TABLE BANK.ACCOUNT (X CHAR(1));\n";
        let mut list = statements(1, &numbered(first));
        list.extend(statements(2, &numbered(second)));
        let list = in_order(list, &|_| false);
        assert_eq!(qualifier(&list).as_deref(), Some("BANK"));
        let text = script(&list, &|file| format!("f{file}"));
        let expected = "\
-- f2:1
CREATE TABLE BANK.CUSTOMER (NO INTEGER);
SET CURRENT SQLID = 'BANK';
-- f1:2
CREATE TABLE ACCOUNT (NO INTEGER,
  CUST INTEGER REFERENCES CUSTOMER (NO));
-- f1:5
INSERT INTO CUSTOMER VALUES(1, 'A;B');
";
        assert_eq!(text, expected);
    }
}
