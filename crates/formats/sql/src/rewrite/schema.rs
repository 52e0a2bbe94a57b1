//! Keys that come to a table of SQLite which is there.
//!
//! Why: SQLite has no ALTER TABLE ADD for them. What it documents in its place is a change of the
//! table's own text among its definitions, and that is what is written. Not here: engines that have
//! the statement.

use super::typed::Written;
use super::writer::Writer;
use crate::catalog::{ForeignKey, TableDefinition};
use crate::tree::Name;

/// A table that is made and dropped: each connection then reads all definitions anew.
const ANEW: &str = "\"transom#anew\"";

impl Writer<'_> {
    /// A query that ends with -530 where a row has no parent.
    pub(super) fn orphans(
        &self,
        key: &ForeignKey,
        child: &TableDefinition,
        (parent, columns): &(Name, Vec<String>),
    ) -> String {
        let own = |name: &String| format!("\"#C\".{}", self.quoted(name));
        let there = key
            .columns
            .iter()
            .map(|name| format!("{} IS NOT NULL", own(name)));
        let pairs = columns.iter().zip(&key.columns);
        let equal =
            pairs.map(|(theirs, ours)| format!("\"#P\".{} = {}", self.quoted(theirs), own(ours)));
        format!(
            "SELECT db2_fail(-530) FROM {} AS \"#C\" WHERE {} AND NOT EXISTS (SELECT 1 FROM {} AS \"#P\" \
             WHERE {}) LIMIT 1",
            self.table_name(&child.name),
            there.collect::<Vec<_>>().join(" AND "),
            self.table_name(parent),
            equal.collect::<Vec<_>>().join(" AND "),
        )
    }

    /// Keys with their queries, behind what the table's definition says so far.
    pub(super) fn add_to_schema(
        &self,
        table: &str,
        keys: &[(String, String)],
        texts: &mut Vec<String>,
    ) -> Written<()> {
        // It changes no row, and takes the turn to write before anything is looked at.
        texts.push(format!("DELETE FROM {table} WHERE 0"));
        texts.extend(keys.iter().map(|(_, orphans)| orphans.clone()));
        let added: String = keys.iter().map(|(key, _)| format!(", {key}")).collect();
        let name = table.trim_matches('"').replace("\"\"", "\"");
        let (added, name) = (self.text(&format!("{added})"))?, self.text(&name)?);
        texts.push(format!("CREATE TABLE {ANEW} (X)"));
        texts.push("PRAGMA writable_schema = ON".to_owned());
        texts.push(format!(
            "UPDATE sqlite_schema SET sql = substr(sql, 1, length(sql) - 1) || {added} WHERE type = 'table' AND \
             name = {name}"
        ));
        texts.push("PRAGMA writable_schema = RESET".to_owned());
        texts.push(format!("DROP TABLE {ANEW}"));
        Ok(())
    }
}
