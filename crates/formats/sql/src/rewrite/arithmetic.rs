//! Operators: numbers, durations, concatenation, conversion to one type.

use super::typed::{Form, Typed, Written};
use super::writer::Writer;
use crate::functions::{common, concatenation};
use crate::problem::{At, SqlProblem};
use crate::tree::words::Operator;
use crate::types::{DECIMAL_MAX, Family, Type};

impl Writer<'_> {
    pub(super) fn operate(
        &mut self,
        mut left: Typed,
        operator: Operator,
        mut right: Typed,
        at: At,
    ) -> Written<Typed> {
        if operator == Operator::Concat {
            return self.concatenate(left, right, at);
        }
        let is_sum = matches!(operator, Operator::Add | Operator::Subtract);
        let duration = |t: &Typed| matches!(t.form, Form::Duration(_));
        if duration(&left)
            || duration(&right)
            || left.kind.is_datetime()
            || right.kind.is_datetime()
        {
            if !is_sum {
                return Err(SqlProblem::new(-402, &[symbol(operator)], at));
            }
            return self.date_sum(left, operator, right, at);
        }
        let is_unknown = |t: &Typed| t.is_parameter() && t.kind == Type::Unknown;
        match (is_unknown(&left), is_unknown(&right)) {
            (true, true) => return Err(SqlProblem::new(-417, &[], at)),
            (true, false) => self.want(&mut left, right.kind),
            (false, true) => self.want(&mut right, left.kind),
            (false, false) => {}
        }
        for side in [&left, &right] {
            if !matches!(side.family(), Family::Number | Family::Unknown) {
                return Err(SqlProblem::new(-402, &[symbol(operator)], at));
            }
        }
        let kind = self.sum_kind(left.kind, operator, right.kind, at)?;
        let with_decfloat = |t: &Typed| matches!(t.kind, Type::DecFloat(_));
        let is_rounded = matches!(operator, Operator::Multiply | Operator::Divide)
            || matches!(kind, Type::Double | Type::Real);
        if is_rounded && (with_decfloat(&left) || with_decfloat(&right)) {
            let reason = "what a DECFLOAT would be rounded to is not done";
            return Err(SqlProblem::refused(reason, at));
        }
        Ok(self.number_text(&left, operator, &right, kind))
    }

    fn number_text(&self, left: &Typed, operator: Operator, right: &Typed, kind: Type) -> Typed {
        let name = match operator {
            Operator::Add => "add",
            Operator::Subtract => "subtract",
            Operator::Multiply => "multiply",
            _ => "divide",
        };
        let exact_quotient = operator == Operator::Divide && !kind.is_integer();
        let doubles = matches!(kind, Type::Double | Type::Real);
        let cut = is_cut(left.kind, operator, right.kind, kind);
        if self.is_sqlite() || (exact_quotient && !doubles) || cut || kind == Type::Unknown {
            return operator_call(name, left, right, kind);
        }
        // PostgreSQL computes with the types of its operands: SMALLINT + SMALLINT overflows.
        let wide = |t: &Typed| match kind {
            Type::Integer if t.kind == Type::SmallInt => format!("({})::integer", t.sql),
            Type::Double if t.kind == Type::Real => format!("({})::double precision", t.sql),
            _ => t.sql.clone(),
        };
        Typed {
            nullable: left.nullable || right.nullable,
            ..Typed::new(
                format!("({} {} {})", wide(left), symbol(operator), wide(right)),
                kind,
            )
        }
    }

    /// Type of a result, by Db2's rules.
    fn sum_kind(&self, a: Type, operator: Operator, b: Type, at: At) -> Written<Type> {
        if a == Type::Unknown || b == Type::Unknown {
            return Ok(Type::Unknown);
        }
        if !matches!(a, Type::Decimal { .. }) && !matches!(b, Type::Decimal { .. }) {
            return Ok(match common(&[a, b]) {
                Type::SmallInt => Type::Integer,
                Type::Real => Type::Double,
                other => other,
            });
        }
        let (Some((p, s)), Some((q, t))) = (a.digits(), b.digits()) else {
            return Ok(common(&[a, b]));
        };
        let short = !self.setting.dec31 && p <= 15 && q <= 15;
        let most = if short { 15 } else { DECIMAL_MAX };
        Ok(match operator {
            Operator::Multiply => Type::decimal((p + q).min(most), (s + t).min(most)),
            Operator::Divide => quotient((p, s), (q, t), short, at)?,
            _ => {
                let scale = s.max(t);
                Type::decimal(((p - s).max(q - t) + scale + 1).min(most), scale)
            }
        })
    }

    fn concatenate(&mut self, mut left: Typed, mut right: Typed, at: At) -> Written<Typed> {
        for side in [&mut left, &mut right] {
            if side.is_parameter() && side.kind == Type::Unknown {
                self.want(side, Type::VarChar(255));
            }
            if matches!(side.form, Form::Duration(_)) {
                return Err(SqlProblem::new(-182, &[], at));
            }
        }
        for side in [&left, &right] {
            if side.family() == Family::Number || side.kind.is_datetime() {
                let reason = "CONCAT of what is no string is not done: write CHAR or VARCHAR";
                return Err(SqlProblem::refused(reason, at));
            }
        }
        let kind = concatenation(left.kind, right.kind);
        if self.is_sqlite() && left.kind.is_text() && right.kind.is_text() {
            return Ok(Typed {
                nullable: left.nullable || right.nullable,
                ..Typed::new(format!("({} || {})", left.sql, right.sql), kind)
            });
        }
        Ok(operator_call("concat", &left, &right, kind))
    }

    /// A date with a duration, or the difference of two dates.
    fn date_sum(
        &mut self,
        left: Typed,
        operator: Operator,
        right: Typed,
        at: At,
    ) -> Written<Typed> {
        let (left, right) = match operator {
            // The date may stand on either side of a plus.
            Operator::Add if !left.kind.is_datetime() && right.kind.is_datetime() => (right, left),
            _ => (left, right),
        };
        if left.form != Form::Other && matches!(left.form, Form::Duration(_)) {
            return Err(SqlProblem::new(-182, &[], at));
        }
        let word = if operator == Operator::Add {
            "add"
        } else {
            "subtract"
        };
        if let Form::Duration(letter) = right.form {
            let mut left = left;
            if left.kind == Type::Unknown && left.is_parameter() {
                return Err(SqlProblem::new(-184, &[], at));
            }
            if let Form::Text(text) = &left.form {
                left = self.datetime_constant(&text.clone(), unit_kind(letter), at)?;
            }
            return Ok(self.add_duration(word, &left, &right, letter));
        }
        if operator == Operator::Add || !right.kind.is_datetime() && !right.kind.is_text() {
            // A duration as a number: yyyymmdd, hhmmss, or both with microseconds.
            if right.kind.is_datetime() || right.is_parameter() && right.kind == Type::Unknown {
                return Err(SqlProblem::new(-182, &[], at));
            }
            if !is_duration(left.kind, &right) {
                return Err(SqlProblem::new(-182, &[], at));
            }
            return Ok(self.add_duration(word, &left, &right, 'P'));
        }
        let kind = common(&[left.kind, right.kind]);
        let left = self.as_kind(left, kind, at)?;
        let right = self.as_kind(right, kind, at)?;
        let result = match kind.family() {
            Family::Date => Type::decimal(8, 0),
            Family::Time => Type::decimal(6, 0),
            _ => Type::decimal(20, 6),
        };
        Ok(operator_call("subtract", &left, &right, result))
    }

    fn add_duration(&self, word: &str, left: &Typed, right: &Typed, letter: char) -> Typed {
        let sql = format!(
            "db2_{word}_duration({}, {}, '{letter}', {}, {})",
            left.sql,
            right.sql,
            left.kind.code(),
            left.kind.code()
        );
        Typed {
            nullable: left.nullable || right.nullable,
            ..Typed::new(sql, left.kind)
        }
    }

    /// A value as another type of its family, without a loss: for comparisons and results.
    pub(super) fn as_kind(&mut self, mut value: Typed, kind: Type, at: At) -> Written<Typed> {
        if matches!(value.form, Form::Duration(_)) {
            return Err(SqlProblem::new(-182, &[], at));
        }
        if value.form == Form::Null || kind == Type::Unknown {
            return Ok(value);
        }
        if value.kind == Type::Unknown {
            self.want(&mut value, kind);
            return Ok(value);
        }
        match (value.family(), kind.family()) {
            (Family::Number, Family::Number) => Ok(self.as_number(value, kind)),
            (Family::Character, Family::Date | Family::Time | Family::Timestamp) => {
                self.as_datetime(value, kind, at)
            }
            (Family::Graphic, Family::Character) | (Family::Character, Family::Graphic) => {
                Ok(value)
            }
            (from, to) if from == to => Ok(value),
            (Family::Character, Family::Bytes) if kind.is_bit_data() => self.as_bytes(value, kind),
            (Family::Character, Family::Bytes) | (Family::Bytes, Family::Character) => {
                Err(SqlProblem::new(-401, &[], at))
            }
            _ => Err(SqlProblem::new(-401, &[], at)),
        }
    }

    /// One of several values of one type: a shorter CHAR gets the blanks of the longest.
    pub(super) fn as_result(&mut self, value: Typed, kind: Type, at: At) -> Written<Typed> {
        match (value.kind, kind) {
            (Type::Char(short), Type::Char(long)) if short < long && !value.is_parameter() => {
                Ok(self.own("convert", &[&value], kind))
            }
            _ => self.as_kind(value, kind, at),
        }
    }

    /// Characters where FOR BIT DATA is meant: their bytes.
    fn as_bytes(&mut self, mut value: Typed, kind: Type) -> Written<Typed> {
        if value.is_parameter() {
            self.want(&mut value, kind);
            return Ok(value);
        }
        Ok(self.own("convert", &[&value], kind))
    }

    fn as_datetime(&mut self, mut value: Typed, kind: Type, at: At) -> Written<Typed> {
        if let Form::Text(text) = &value.form {
            return self.datetime_constant(&text.clone(), kind, at);
        }
        if value.is_parameter() {
            self.want(&mut value, kind);
            return Ok(value);
        }
        Ok(self.own("convert", &[&value], kind))
    }

    /// SQLite compares a DECIMAL with nothing but a DECIMAL.
    fn as_number(&mut self, mut value: Typed, kind: Type) -> Typed {
        if !self.is_sqlite() {
            return value;
        }
        if kind.is_exact() && !value.kind.is_exact() {
            if value.is_parameter() {
                self.want(&mut value, kind);
                return value;
            }
            return self.exact_of(value, kind);
        }
        if matches!(kind, Type::Double | Type::Real) && value.kind.is_exact() {
            if value.is_parameter() {
                self.want(&mut value, Type::Double);
                return value;
            }
            return self.own("convert", &[&value], Type::Double);
        }
        value
    }

    /// A number of SQLite as a DECIMAL or DECFLOAT.
    pub(super) fn exact_of(&self, value: Typed, kind: Type) -> Typed {
        if !self.is_sqlite() {
            return Typed { kind, ..value };
        }
        let sql = match &value.form {
            Form::Number(text) => self.decimal_constant(text, kind),
            _ => format!("db2_exact({}, {})", value.sql, kind.code()),
        };
        Typed { sql, kind, ..value }
    }
}

/// Whether a DECIMAL of this type may be too short for the result.
fn is_cut(left: Type, operator: Operator, right: Type, kind: Type) -> bool {
    let (Some((p, s)), Some((q, t))) = (left.digits(), right.digits()) else {
        return false;
    };
    let Type::Decimal { precision, scale } = kind else {
        return false;
    };
    let (digits, places) = match operator {
        Operator::Multiply => (p + q, s + t),
        _ => ((p - s).max(q - t) + s.max(t) + 1, s.max(t)),
    };
    digits > precision || places > scale
}

/// Both operands, their types, the type of the result.
fn operator_call(name: &str, left: &Typed, right: &Typed, result: Type) -> Typed {
    let codes = [left.kind, right.kind, result].map(|kind| kind.code().to_string());
    let sql = format!(
        "db2_{name}({}, {}, {})",
        left.sql,
        right.sql,
        codes.join(", ")
    );
    Typed {
        nullable: left.nullable || right.nullable,
        ..Typed::new(sql, result)
    }
}

/// Precision and scale of a quotient; -419 where the scale would be negative.
fn quotient((p, s): (u8, u8), (q, t): (u8, u8), short: bool, at: At) -> Written<Type> {
    let [p, s, q, t] = [p, s, q, t].map(i32::from);
    let (precision, scale) = if short {
        (15, 15 - (p - s + t))
    } else if q > 15 {
        let x = (t - (q - 15)).max(0);
        (31, 15 - (p - s + x))
    } else {
        let n = if q % 2 == 1 { 30 - q } else { 29 - q };
        (31, n - (p - s + t))
    };
    match u8::try_from(scale) {
        Ok(scale) if scale <= precision => Ok(Type::Decimal { precision, scale }),
        _ => Err(SqlProblem::new(-419, &[], at)),
    }
}

fn unit_kind(letter: char) -> Type {
    match letter {
        'Y' | 'M' | 'D' => Type::Date,
        'H' | 'N' | 'S' => Type::Time,
        _ => Type::Timestamp(6),
    }
}

fn symbol(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::Divide => "/",
        Operator::Concat => "CONCAT",
    }
}

/// The number is a duration of what it is added to: a DECIMAL(8, 0) of a date, a DECIMAL(6, 0) of a
/// time, a DECIMAL(14 + s, s) of a timestamp.
fn is_duration(of: Type, number: &Typed) -> bool {
    let Type::Decimal { precision, scale } = number.kind else {
        return number.kind == Type::Unknown;
    };
    match of.family() {
        Family::Date => (precision, scale) == (8, 0),
        Family::Time => (precision, scale) == (6, 0),
        Family::Timestamp => precision == 14 + scale,
        _ => true,
    }
}
