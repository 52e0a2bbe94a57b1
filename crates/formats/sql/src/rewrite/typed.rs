//! Written expressions.

use super::api::ResultColumn;
use crate::problem::SqlProblem;
use crate::types::{Family, Type};

pub(super) type Written<T> = Result<T, SqlProblem>;

/// An expression in the engine's words, and what is known of it.
#[derive(Debug, Clone)]
pub(super) struct Typed {
    pub(super) sql: String,
    pub(super) kind: Type,
    pub(super) nullable: bool,
    pub(super) form: Form,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form {
    /// A column of a table, which brings its own collation.
    Column,
    /// The text of a string constant.
    Text(String),
    /// A numeric constant, as written.
    Number(String),
    /// Index among the parameters.
    Parameter(usize),
    Null,
    /// `n DAYS`: the letter of its unit; the text is the number.
    Duration(char),
    Other,
}

impl Typed {
    pub(super) fn new(sql: String, kind: Type) -> Self {
        Self {
            sql,
            kind,
            nullable: true,
            form: Form::Other,
        }
    }

    pub(super) fn is_parameter(&self) -> bool {
        matches!(self.form, Form::Parameter(_))
    }

    pub(super) fn family(&self) -> Family {
        self.kind.family()
    }
}

/// The text of a query and its columns; none where they are not known.
pub(super) type Text = (String, Vec<ResultColumn>);

/// A value as a column of a result.
pub(super) fn column(value: &Typed, name: &str) -> ResultColumn {
    ResultColumn {
        name: name.to_owned(),
        kind: value.kind,
        nullable: value.nullable,
    }
}

/// The type a compared string parameter is bound as.
pub(super) fn varying(kind: Type, own: Type) -> Type {
    let length = own.length().or(kind.length()).unwrap_or(4_000);
    match kind {
        Type::Graphic(_) | Type::VarGraphic(_) => Type::VarGraphic(length),
        _ => Type::VarChar(length),
    }
}
