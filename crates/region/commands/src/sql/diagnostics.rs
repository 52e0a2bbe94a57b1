//! GET DIAGNOSTICS: what is known of the statement before.
//!
//! Why in the worker: all of it came with the answer. Not here: which items there are (translator).

use super::Statement;
use transom_hostvariables as hostvariables;
use transom_wire::sql::{SqlAnswer, SqlValue};

impl Statement<'_> {
    /// Fills the items with what the text of the statement names.
    pub(super) fn diagnostics(&mut self) -> SqlAnswer {
        let names = self.call.statement().text.split(',');
        let values: Vec<SqlValue> = names.map(|name| self.diagnostic(name)).collect();
        let given = hostvariables::give(self.call, &values, &mut self.warnings);
        given.unwrap_or_else(SqlAnswer::done)
    }

    fn diagnostic(&self, name: &str) -> SqlValue {
        let last = self.task.sql.last.as_ref();
        let (code, rows) = last.map_or((0, 0), |last| (last.code, last.rows));
        let message = || match last {
            Some(last) if code != 0 => transom_sql::text(code, &last.tokens),
            _ => String::new(),
        };
        match name {
            "ROW_COUNT" | "DB2_NUMBER_ROWS" => SqlValue::Integer(rows.into()),
            "DB2_RETURNED_SQLCODE" => SqlValue::Integer(code.into()),
            // Of a statement that went well as of one with one condition.
            "NUMBER" => SqlValue::Integer(1),
            "MORE" => SqlValue::Text("N".to_owned()),
            "RETURNED_SQLSTATE" => {
                let state = last.map_or(*b"00000", |last| last.state);
                SqlValue::Text(state.map(char::from).iter().collect())
            }
            "MESSAGE_LENGTH" => SqlValue::Integer(message().chars().count() as i64),
            _ => SqlValue::Text(message()),
        }
    }
}
