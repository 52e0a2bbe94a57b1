//! GET DIAGNOSTICS: what is known of the statement before.
//!
//! Why in the worker: all of it came with the answer. Not here: which items there are (translator).

use crate::kept::Last;
use crate::statement::Statement;
use transom_wire::sql::{SqlAnswer, SqlCondition, SqlValue};

impl Statement<'_> {
    /// Fills the items with what the text of the statement names.
    pub(crate) fn diagnostics(&mut self) -> SqlAnswer {
        let text = self.call.statement().text;
        let (condition, names) = match text.split_once(':') {
            Some((condition, names)) => (condition.strip_prefix("CONDITION "), names),
            None => (None, text),
        };
        let number = match condition {
            None => Some(1),
            Some("?") => self.given_number(),
            Some(number) => number.parse().ok(),
        };
        let last = self.by.kept().last.as_ref();
        let count = last.map_or(0, |last| last.conditions().count());
        let Some(of) = number.filter(|n| (1..=count.max(1)).contains(n)) else {
            // There is no condition of this number.
            return SqlAnswer::of(-393, *b"35000");
        };
        let of = last.and_then(|last| last.conditions().nth(of - 1));
        let values: Vec<SqlValue> = names.split(',').map(|name| item(name, last, of)).collect();
        let given = crate::give(self.call, &values, &mut self.warnings);
        given.unwrap_or_else(SqlAnswer::done)
    }

    fn given_number(&self) -> Option<usize> {
        let values = crate::values(self.call).ok()?;
        match values.first()?.value {
            SqlValue::Integer(number) => usize::try_from(number).ok(),
            SqlValue::Decimal {
                digits, scale: 0, ..
            } => usize::try_from(digits).ok(),
            _ => None,
        }
    }
}

fn item(name: &str, last: Option<&Last>, of: Option<&SqlCondition>) -> SqlValue {
    let code = of.map_or(0, |of| of.code);
    let message = || match of {
        Some(of) if code != 0 => transom_sql::text(code, &of.tokens),
        _ => String::new(),
    };
    let number = |n: usize| SqlValue::Integer(i64::try_from(n).unwrap_or(i64::MAX));
    match name {
        "ROW_COUNT" | "DB2_NUMBER_ROWS" => {
            SqlValue::Integer(last.map_or(0, |last| last.rows).into())
        }
        "DB2_LAST_ROW" => SqlValue::Integer(match last.is_some_and(|last| last.end) {
            true => 100,
            false => 0,
        }),
        "DB2_ROW_NUMBER" => SqlValue::Integer(of.map_or(0, |of| of.row).into()),
        "DB2_RETURNED_SQLCODE" => SqlValue::Integer(code.into()),
        // Of a statement that went well as of one with one condition.
        "NUMBER" => number(last.map_or(1, |last| last.conditions().count())),
        "MORE" => SqlValue::Text("N".to_owned()),
        "RETURNED_SQLSTATE" => {
            let state = of.map_or(*b"00000", |of| of.state);
            SqlValue::Text(state.map(char::from).iter().collect())
        }
        "MESSAGE_LENGTH" => number(message().chars().count()),
        _ => SqlValue::Text(message()),
    }
}
