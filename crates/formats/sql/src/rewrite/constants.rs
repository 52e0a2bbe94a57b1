//! Constants and parameters.

use super::api::Value;
use super::typed::{Form, Typed, Written};
use super::writer::Writer;
use crate::datetime;
use crate::problem::{At, SqlProblem};
use crate::tree::words::Literal;
use crate::types::{DECIMAL_MAX, Family, Type};

impl Writer<'_> {
    pub(super) fn literal(&self, literal: &Literal) -> Written<Typed> {
        let typed = match literal {
            Literal::Integer(digits) => self.integer(digits)?,
            Literal::Decimal(text) => self.decimal(text)?,
            Literal::Float(text) => Typed {
                form: Form::Number(text.clone()),
                ..Typed::new(text.clone(), Type::Double)
            },
            Literal::Text(text) => Typed {
                form: Form::Text(text.clone()),
                ..Typed::new(self.text(text)?, Type::VarChar(length(text)))
            },
            Literal::Graphic(text) => Typed {
                form: Form::Text(text.clone()),
                ..Typed::new(self.text(text)?, Type::VarGraphic(length(text)))
            },
            Literal::Hex(digits) => {
                let kind = Type::VarChar(length(digits) / 2);
                Typed::new(format!("db2_chars('{digits}')"), kind)
            }
            Literal::Binary(digits) => {
                let kind = Type::VarBinary(length(digits) / 2);
                Typed::new(self.bytes(digits), kind)
            }
        };
        Ok(Typed {
            nullable: false,
            ..typed
        })
    }

    pub(super) fn bytes(&self, digits: &str) -> String {
        if self.is_sqlite() {
            format!("X'{digits}'")
        } else {
            format!("'\\x{digits}'::bytea")
        }
    }

    /// A string constant.
    pub(super) fn text(&self, text: &str) -> Written<String> {
        if text.contains('\0') {
            let reason = "a string constant with X'00' is not done";
            return Err(SqlProblem::refused(reason, At::default()));
        }
        Ok(format!("'{}'", text.replace('\'', "''")))
    }

    /// INTEGER, BIGINT, or a DECIMAL where both are too small.
    fn integer(&self, digits: &str) -> Written<Typed> {
        let kind = if digits.parse::<i32>().is_ok() {
            Type::Integer
        } else if digits.parse::<i64>().is_ok() {
            Type::BigInt
        } else {
            return self.decimal(digits);
        };
        let shown = digits.trim_start_matches('0');
        let shown = if shown.is_empty() { "0" } else { shown };
        Ok(Typed {
            form: Form::Number(shown.to_owned()),
            ..Typed::new(shown.to_owned(), kind)
        })
    }

    fn decimal(&self, text: &str) -> Written<Typed> {
        let scale = text.split_once('.').map_or(0, |(_, behind)| behind.len());
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        let precision = u8::try_from(digits).unwrap_or(u8::MAX);
        let scale = u8::try_from(scale).unwrap_or(u8::MAX);
        if precision > DECIMAL_MAX {
            return Err(SqlProblem::new(-405, &[text], At::default()));
        }
        let kind = Type::Decimal { precision, scale };
        Ok(Typed {
            form: Form::Number(text.to_owned()),
            ..Typed::new(self.decimal_constant(text, kind), kind)
        })
    }

    /// SQLite has no DECIMAL: the constant is made by a function, once for a statement.
    pub(super) fn decimal_constant(&self, text: &str, kind: Type) -> String {
        if self.is_sqlite() {
            return format!("db2_exact('{text}', {})", kind.code());
        }
        let text = text.strip_suffix('.').unwrap_or(text);
        text.to_owned()
    }

    /// A date, time or timestamp given as a string constant.
    pub(super) fn datetime_constant(&self, text: &str, kind: Type, at: At) -> Written<Typed> {
        let value = match kind.family() {
            Family::Date => datetime::date(text),
            Family::Time => datetime::time(text),
            _ => datetime::timestamp(text),
        };
        let value = value.map_err(|code| SqlProblem::new(code, &[text], at))?;
        let sql = if self.is_sqlite() {
            format!("'{value}'")
        } else {
            match kind.family() {
                Family::Date => format!("DATE '{value}'"),
                Family::Time => format!("TIME '{}'", value.replace('.', ":")),
                _ => format!("TIMESTAMP '{}'", datetime::iso(&value)),
            }
        };
        Ok(Typed {
            nullable: false,
            ..Typed::new(sql, kind)
        })
    }

    /// A host variable that has one value.
    pub(super) fn host(&mut self, index: usize, at: At) -> Written<Typed> {
        let kinds = self.setting.hosts.get(index);
        if kinds.is_some_and(|kinds| kinds.len() > 1) {
            return Err(SqlProblem::refused(
                "a structure stands where one value is meant",
                at,
            ));
        }
        let kind = kinds.and_then(|kinds| kinds.first());
        let kind = kind.copied().unwrap_or_default();
        Ok(self.parameter(Value::Host(index, 0), kind))
    }
}

fn length(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}
