//! Values put into columns.
//!
//! Why: Db2 cuts off decimal places, pads and checks lengths when it assigns; the engines round,
//! trim or take anything.

use super::typed::{Form, Typed, Written};
use super::writer::Writer;
use crate::catalog::{Column, ColumnDefault};
use crate::problem::{At, SqlProblem};
use crate::registers::Register;
use crate::tree::node::Expr;
use crate::tree::words::Literal;
use crate::types::{Family, Type};

impl Writer<'_> {
    /// An expression, NULL or DEFAULT as the value of a column.
    pub(super) fn value_for(&mut self, expr: &Expr, column: &Column, at: At) -> Written<String> {
        match expr {
            Expr::Default => self.default_for(column, at),
            Expr::Null if !column.nullable && column.kind != Type::Unknown => {
                Err(SqlProblem::new(-407, &[&column.name], at))
            }
            _ => {
                let value = self.expr(expr)?;
                Ok(self.assigned(value, column, at)?.sql)
            }
        }
    }

    pub(super) fn assigned(&mut self, mut value: Typed, column: &Column, at: At) -> Written<Typed> {
        let kind = column.kind;
        if matches!(value.form, Form::Duration(_)) {
            return Err(SqlProblem::new(-182, &[], at));
        }
        if value.form == Form::Null || kind == Type::Unknown {
            return Ok(value);
        }
        if value.is_parameter() {
            self.want(&mut value, kind);
            return Ok(value);
        }
        let is_bits = kind.is_bit_data() && value.family() == Family::Character
            || value.kind.is_bit_data() && kind.family() == Family::Character;
        if !is_bits && !assignable(value.family(), kind.family()) {
            return Err(SqlProblem::new(-408, &[&column.name], at));
        }
        if kind.is_datetime()
            && let Form::Text(text) = &value.form
        {
            return self.datetime_constant(&text.clone(), kind, at);
        }
        if value.kind == kind || fits(value.kind, kind) {
            return Ok(value);
        }
        if let (Form::Text(text), Type::Char(n) | Type::VarChar(n)) = (&value.form, kind) {
            return self.assigned_text(&text.clone(), n, kind, at);
        }
        if let (Form::Number(_), true) = (&value.form, kind.is_exact())
            && let Some(exact) = self.assigned_number(&value, kind)
        {
            return Ok(exact);
        }
        Ok(self.own("convert", &[&value], kind))
    }

    /// A constant is padded or refused here. Characters are counted: whether they fit in bytes is
    /// known where the code page is, so a constant with others than ASCII is left to the engine.
    fn assigned_text(&self, text: &str, length: u32, kind: Type, at: At) -> Written<Typed> {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let mut text = text.to_owned();
        if text.is_ascii() {
            if text.trim_end_matches(' ').len() > length {
                return Err(SqlProblem::new(-404, &[], at));
            }
            text.truncate(length);
            if matches!(kind, Type::Char(_)) && length <= 255 {
                text = format!("{text:length$}");
            }
            return Ok(Typed {
                nullable: false,
                form: Form::Text(text.clone()),
                ..Typed::new(self.text(&text)?, kind)
            });
        }
        let value = Typed::new(self.text(&text)?, Type::VarChar(4_000));
        Ok(self.own("convert", &[&value], kind))
    }

    /// A numeric constant that fits without a loss.
    fn assigned_number(&self, value: &Typed, kind: Type) -> Option<Typed> {
        let Form::Number(text) = &value.form else {
            return None;
        };
        let (precision, scale) = kind.digits()?;
        let digits = text.trim_start_matches('-').trim_start_matches('0');
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.len() > usize::from(precision - scale)
            || part.len() > usize::from(scale)
            || text.contains('E')
        {
            return None;
        }
        Some(Typed {
            nullable: false,
            ..Typed::new(self.decimal_constant(text, kind), kind)
        })
    }

    /// What a column gets that is not named.
    pub(super) fn default_for(&mut self, column: &Column, at: At) -> Written<String> {
        if column.identity.is_some() {
            return Ok(String::new());
        }
        let value = match &column.default {
            ColumnDefault::None if column.nullable => return Ok("NULL".to_owned()),
            ColumnDefault::None => return Err(SqlProblem::new(-407, &[&column.name], at)),
            ColumnDefault::Null => return Ok("NULL".to_owned()),
            ColumnDefault::System => self.system_default(column)?,
            ColumnDefault::Number(text) => {
                let negative = text.strip_prefix('-');
                let digits = negative.unwrap_or(text).to_owned();
                let literal = if digits.contains('E') {
                    Literal::Float(digits)
                } else if digits.contains('.') {
                    Literal::Decimal(digits)
                } else {
                    Literal::Integer(digits)
                };
                let literal = Expr::Literal(literal);
                let expr = if negative.is_some() {
                    Expr::Negate(Box::new(literal), at)
                } else {
                    literal
                };
                self.expr(&expr)?
            }
            ColumnDefault::Text(text) => self.literal(&Literal::Text(text.clone()))?,
            ColumnDefault::Hex(digits) => match column.kind.family() {
                Family::Bytes => self.literal(&Literal::Binary(digits.clone()))?,
                _ => self.literal(&Literal::Hex(digits.clone()))?,
            },
            ColumnDefault::Register(name) => match Register::from_name(name) {
                Some(register) => self.register(register),
                None => return Err(SqlProblem::new(-574, &[&column.name], at)),
            },
        };
        Ok(self.assigned(value, column, at)?.sql)
    }

    /// WITH DEFAULT: zero, blanks, an empty string, now.
    fn system_default(&mut self, column: &Column) -> Written<Typed> {
        Ok(match column.kind.family() {
            Family::Number => self.literal(&Literal::Integer("0".to_owned()))?,
            Family::Date => self.register(Register::CurrentDate),
            Family::Time => self.register(Register::CurrentTime),
            Family::Timestamp => self.register(Register::CurrentTimestamp),
            Family::Bytes => match column.kind {
                // Blanks of the code page, which the engine's room knows.
                Type::CharBit(_) => self.literal(&Literal::Text(String::new()))?,
                Type::Binary(n) => {
                    let digits = "00".repeat(usize::try_from(n).unwrap_or(0).min(255));
                    self.literal(&Literal::Binary(digits))?
                }
                _ => self.literal(&Literal::Binary(String::new()))?,
            },
            _ => self.literal(&Literal::Text(String::new()))?,
        })
    }
}

/// Whether a value of one family can be put into a column of another.
fn assignable(from: Family, to: Family) -> bool {
    use Family::{Bytes, Character, Date, Graphic, Number, Time, Timestamp, Unknown};
    match (from, to) {
        (Unknown, _) | (_, Unknown) => true,
        (a, b) if a == b => true,
        // A string of the right form, a number as a string (Db2 10 and later).
        (Character, Graphic | Date | Time | Timestamp | Number) => true,
        (Graphic | Date | Time | Timestamp | Number, Character) => true,
        (Timestamp, Date | Time) | (Date, Timestamp) => true,
        (Bytes, Character) | (Character, Bytes) => false,
        _ => false,
    }
}

/// Whether each value of a type is one of the other, in the same form.
fn fits(from: Type, to: Type) -> bool {
    match (from, to) {
        (Type::SmallInt, Type::Integer | Type::BigInt) | (Type::Integer, Type::BigInt) => true,
        (Type::VarChar(a), Type::VarChar(b)) => a <= b && b != 4_000,
        (Type::Char(a), Type::VarChar(b)) => a <= b,
        (Type::Real, Type::Double) => true,
        (Type::Timestamp(a), Type::Timestamp(b)) => a == b,
        _ => false,
    }
}
