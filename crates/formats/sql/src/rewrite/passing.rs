//! An UPDATE of several rows whose keys pass each other: SET K = K + 1.
//!
//! Why: Db2 looks at unique keys when all rows of the statement are changed, the engines with each
//! row. What: on SQLite, whose columns take any value, new values are first put aside in a form
//! that is no value of any column, and then put back; on PostgreSQL the rows are deleted and
//! inserted in one statement. Not here: when it is run. Not done for tables with rows that refer to
//! others: there the key of each row in between would count too.

use super::api::Rewritten;
use super::changes::Target;
use super::typed::Written;
use super::writer::Writer;
use crate::catalog::TableDefinition;
use crate::tree::node::{Rows, Update};
use crate::types::Type;

/// What values begin with that are put aside: see `db2_aside`.
const ASIDE: &str = "00FF7472616E736F6D2D6173696465";
/// Numbers of a key that is SQLite's own number of the row are moved by so much.
const FAR: &str = "4611686018427387904";
/// Where moved numbers are below.
const HALF: &str = "2305843009213693952";

impl Writer<'_> {
    /// `None`: what was found twice is twice.
    pub(super) fn passing(&self, update: &Update) -> Option<Rewritten> {
        let target = self.target(&update.table, update.at).ok()?;
        let table = target.table.clone()?;
        let is_child = !self.is_of_keys(update);
        let is_alone = matches!(update.rows, Rows::Current);
        if is_child || is_alone || self.setting.catalog.is_parent(&table.name) {
            return None;
        }
        let mut writer = Writer::new(self.setting);
        let texts = match self.is_sqlite() {
            true => writer.put_aside(update, &target, &table),
            false => writer.put_anew(update, &target, &table),
        };
        let (text, more) = texts.ok()??;
        Some(Rewritten {
            text,
            more,
            parameters: writer.parameters,
            ..Rewritten::default()
        })
    }

    /// SQLite: two texts.
    fn put_aside(
        &mut self,
        update: &Update,
        target: &Target,
        table: &TableDefinition,
    ) -> Written<Option<(String, Vec<String>)>> {
        let (exposed, set, rows) = self.update_words(update, target)?;
        let lone = match table.primary_key.as_slice() {
            [name] => table.column(name),
            _ => None,
        };
        let row_number = lone.filter(|column| column.kind.is_integer());
        let row_number = row_number.map(|column| (self.quoted(&column.name), column.kind));
        let (mut away, mut back, mut moved) = (Vec::new(), Vec::new(), String::new());
        for (name, value) in set {
            let is_number = row_number.as_ref().filter(|(number, _)| *number == name);
            match is_number {
                Some((_, Type::BigInt)) => return Ok(None),
                Some(_) => {
                    away.push(format!("{name} = ({value}) - {FAR}"));
                    back.push(format!("{name} = {name} + {FAR}"));
                    moved = format!("{name} < -{HALF}");
                }
                None => {
                    away.push(format!("{name} = db2_aside({value})"));
                    back.push(format!("{name} = db2_back({name})"));
                    moved = format!("{name} >= X'{ASIDE}' AND {name} < X'{ASIDE}FF'");
                }
            }
        }
        let name = self.table_name(&target.name);
        let alias = self.quoted(&exposed);
        let first = format!("UPDATE {name} AS {alias} SET {}{rows}", away.join(", "));
        let second = format!("UPDATE {name} SET {} WHERE {moved}", back.join(", "));
        Ok(Some((first, vec![second])))
    }

    /// PostgreSQL: all rows are deleted before the first is inserted, because they are counted.
    fn put_anew(
        &mut self,
        update: &Update,
        target: &Target,
        table: &TableDefinition,
    ) -> Written<Option<(String, Vec<String>)>> {
        let (exposed, set, rows) = self.update_words(update, target)?;
        let name = self.table_name(&target.name);
        let alias = self.quoted(&exposed);
        let names: Vec<String> = table
            .columns
            .iter()
            .map(|column| self.quoted(&column.name))
            .collect();
        let values = names.iter().map(|name| {
            let new = set.iter().find(|(set, _)| set == name);
            new.map_or_else(|| format!("{alias}.{name}"), |(_, value)| value.clone())
        });
        let values = values.collect::<Vec<_>>().join(", ");
        let text = format!(
            "WITH \"#OLD\" AS (DELETE FROM {name} AS {alias}{rows} RETURNING {alias}.*) INSERT INTO {name} ({}) \
             SELECT {values} FROM \"#OLD\" AS {alias} WHERE 0 <= (SELECT COUNT(*) FROM \"#OLD\")",
            names.join(", ")
        );
        Ok(Some((text, Vec::new())))
    }

    /// The name its rows have, columns with new values, which rows.
    #[expect(clippy::type_complexity, reason = "the three parts of one statement")]
    fn update_words(
        &mut self,
        update: &Update,
        target: &Target,
    ) -> Written<(String, Vec<(String, String)>, String)> {
        let exposed = update.alias.clone().unwrap_or(update.table.name.clone());
        self.push_target(target, exposed.clone());
        let set = self.set(&update.set, target);
        let rows = self.rows_text(&update.rows, &exposed, target);
        self.scopes.pop();
        Ok((exposed, set?, rows?))
    }
}
