//! The words of trees: names, operators, clauses without expressions.

use crate::problem::At;
use crate::types::Type;

/// A name with its qualifier.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Name {
    /// Schema; a location in front of it is not kept.
    pub qualifier: Option<String>,
    pub name: String,
}

impl Name {
    /// With this schema where it has none; an empty one gives none.
    pub fn in_schema(&self, schema: &str) -> Self {
        let given = || (!schema.is_empty()).then(|| schema.to_owned());
        Self {
            qualifier: self.qualifier.clone().or_else(given),
            name: self.name.clone(),
        }
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(qualifier) = &self.qualifier {
            write!(f, "{qualifier}.")?;
        }
        f.write_str(&self.name)
    }
}

#[derive(Debug, Clone)]
pub(crate) enum Literal {
    /// Digits.
    Integer(String),
    /// Digits with a period.
    Decimal(String),
    Float(String),
    Text(String),
    /// A character string given by its bytes, as hexadecimal digits.
    Hex(String),
    Binary(String),
    Graphic(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Concat,
}

/// A unit of a labelled duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Years,
    Months,
    Days,
    Hours,
    Minutes,
    Seconds,
    Microseconds,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Distinct,
    NotDistinct,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quantifier {
    All,
    Any,
}

/// What stands behind a query and does not change its rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tail {
    pub(crate) update: Option<Vec<String>>,
    pub(crate) read_only: bool,
    pub(crate) isolation: Option<Isolation>,
    /// USE AND KEEP .. LOCKS.
    pub(crate) keep_locks: bool,
    /// SKIP LOCKED DATA, which leaves rows out.
    pub(crate) skip_locked: Option<At>,
}

/// WITH UR, CS, RS, RR.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isolation {
    UncommittedRead,
    CursorStability,
    ReadStability,
    RepeatableRead,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SetOperator {
    Union,
    Except,
    Intersect,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Join {
    Inner,
    Left,
    Right,
    Full,
    Cross,
}

#[derive(Debug, Clone)]
pub(crate) struct Alias {
    pub(crate) name: String,
    pub(crate) columns: Vec<String>,
}

/// CREATE SEQUENCE, and what an identity column says of its numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Numbers {
    pub start: Option<i64>,
    pub increment: Option<i64>,
    pub minimum: Option<i64>,
    pub maximum: Option<i64>,
    pub cycle: bool,
    pub cache: Option<i64>,
}

impl Numbers {
    /// Says what is not said, by Db2's defaults for a type.
    pub(crate) fn bound(&mut self, kind: Type) {
        let most = match kind {
            Type::SmallInt => i16::MAX.into(),
            Type::Integer => i32::MAX.into(),
            Type::Decimal {
                precision: precision @ ..=18,
                ..
            } => 10_i64.pow(precision.into()) - 1,
            _ => i64::MAX,
        };
        let least = match kind {
            Type::Decimal { .. } => -most,
            _ => -most - 1,
        };
        if self.increment.unwrap_or(1) < 0 {
            let high = *self.maximum.get_or_insert(self.start.unwrap_or(-1));
            self.start.get_or_insert(high);
            self.minimum.get_or_insert(least);
        } else {
            let low = *self.minimum.get_or_insert(self.start.unwrap_or(1));
            self.start.get_or_insert(low);
            self.maximum.get_or_insert(most);
        }
    }
}
