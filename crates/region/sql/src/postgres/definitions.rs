//! Definitions on the server: the table of definitions, sequences, schemas.

use super::remote::Remote;
use crate::statements::{Defined, Driver, Kept};
use transom_sql::{Name, Numbers};
use transom_wire::sql::SqlAnswer;

impl Remote {
    pub(super) fn keep_one(&mut self, defined: &Defined<'_>, kept: &Kept) -> Result<(), SqlAnswer> {
        let put = |kind: &str, name: &str| {
            let (text, schema) = (literal(defined.text), literal(defined.schema));
            format!(
                "INSERT INTO transom_sql.object VALUES ({}, {}, {text}, {schema}) ON CONFLICT (kind, name) DO UPDATE SET text = excluded.text, schema = excluded.schema",
                literal(kind),
                literal(name)
            )
        };
        let text = match kept {
            Kept::Put(kind, name) => put(kind, name),
            Kept::Alter(name) => {
                let last = "SELECT coalesce(max(number), 0) + 1 FROM transom_sql.object";
                let number = self.texts(last)?.concat().concat();
                put("ALTER", &format!("{name}\u{1F}{number:0>9}"))
            }
            Kept::Delete(kind, name) => format!(
                "DELETE FROM transom_sql.object WHERE kind = {} AND name = {}",
                literal(kind),
                literal(name)
            ),
            Kept::DeleteAlters(name) => format!(
                "DELETE FROM transom_sql.object WHERE kind = 'ALTER' AND starts_with(name, {} || chr(31))",
                literal(name)
            ),
            Kept::Count(name, numbers) => {
                format!(
                    "CREATE SEQUENCE {} {}",
                    self.counter(name)?,
                    options(numbers)
                )
            }
            Kept::Uncount(name) => format!("DROP SEQUENCE IF EXISTS {}", self.counter(name)?),
        };
        self.own(&text).map(drop)
    }

    /// The sequence of the server behind a name.
    fn counter(&mut self, name: &str) -> Result<String, SqlAnswer> {
        let ask = format!("SELECT 'transom_sql.s_' || md5({})", literal(name));
        Ok(self.texts(&ask)?.concat().concat())
    }

    /// A schema is there when a table or view is to be made in it.
    pub(super) fn make_schema(&mut self, name: &Name) -> Result<(), SqlAnswer> {
        let Some(schema) = &name.qualifier else {
            return Ok(());
        };
        self.begin()?;
        let quoted = schema.replace('"', "\"\"");
        self.own(&format!("CREATE SCHEMA IF NOT EXISTS \"{quoted}\""))
            .map(drop)
    }
}

fn options(numbers: &Numbers) -> String {
    let mut text = String::new();
    let mut add = |words: &str, number: Option<i64>| {
        if let Some(number) = number {
            text += &format!(" {words} {number}");
        }
    };
    add("INCREMENT BY", numbers.increment);
    // The server wants two numbers at least; without CYCLE none comes back to the first bound.
    let (up, once) = (numbers.increment.unwrap_or(1) > 0, !numbers.cycle);
    let below = |least: i64| least.saturating_sub((once && up).into());
    let above = |most: i64| most.saturating_add((once && !up).into());
    add("MINVALUE", numbers.minimum.map(below));
    add("MAXVALUE", numbers.maximum.map(above));
    add("START WITH", numbers.start);
    if numbers.cycle {
        text += " CYCLE";
    }
    text
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
