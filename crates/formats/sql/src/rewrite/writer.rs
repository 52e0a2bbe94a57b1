//! What every part of the rewriter writes with.

use super::api::{Dialect, Parameter, ResultColumn, Setting, Value};
use super::scope::Scope;
use super::typed::{Form, Typed, Written};
use crate::catalog::{Column, Lookup};
use crate::problem::{At, SqlProblem};
use crate::tree::Name;
use crate::types::{Family, Type};

pub(super) struct Writer<'a> {
    pub(super) setting: Setting<'a>,
    pub(super) parameters: Vec<Parameter>,
    /// The innermost last.
    pub(super) scopes: Vec<Scope>,
    /// Common table expressions, by name, with their columns.
    pub(super) common: Vec<(String, Vec<ResultColumn>)>,
    /// Columns an INSERT puts the values of a query into.
    pub(super) targets: Option<Vec<Column>>,
    /// Types the columns of a UNION's operand are to have.
    pub(super) unified: Option<Vec<Type>>,
    /// Common table expressions that are being written.
    pub(super) building: Vec<String>,
    /// Set operators within each other.
    pub(super) sets: u32,
    /// Sequences that gave a number to this row.
    pub(super) sequences: Vec<String>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(setting: Setting<'a>) -> Self {
        Self {
            setting,
            parameters: Vec::new(),
            scopes: Vec::new(),
            common: Vec::new(),
            targets: None,
            unified: None,
            building: Vec::new(),
            sets: 0,
            sequences: Vec::new(),
        }
    }

    pub(super) fn is_sqlite(&self) -> bool {
        self.setting.dialect == Dialect::Sqlite
    }

    /// A new parameter: its text.
    pub(super) fn parameter(&mut self, value: Value, kind: Type) -> Typed {
        // A register has one value for the whole statement.
        let same = |p: &Parameter| matches!(value, Value::Register(_)) && p.value == value;
        let index = self.parameters.iter().position(same);
        let index = index.unwrap_or_else(|| {
            self.parameters.push(Parameter { value, kind });
            self.parameters.len() - 1
        });
        let sign = if self.is_sqlite() { '?' } else { '$' };
        let form = if matches!(value, Value::Register(_)) {
            Form::Other
        } else {
            Form::Parameter(index)
        };
        Typed {
            form,
            ..Typed::new(format!("{sign}{}", index + 1), kind)
        }
    }

    /// Gives a parameter the type its place wants.
    pub(super) fn want(&mut self, value: &mut Typed, kind: Type) {
        if let Form::Parameter(index) = value.form {
            if let Some(parameter) = self.parameters.get_mut(index) {
                parameter.kind = kind;
            }
            value.kind = kind;
        }
    }

    /// `"NAME"`, with quotes in it doubled.
    pub(super) fn quoted(&self, name: &str) -> String {
        format!("\"{}\"", name.replace('"', "\"\""))
    }

    /// A table or view in the engine: SQLite has no schemas, so a qualifier is part of the name.
    pub(super) fn table_name(&self, name: &Name) -> String {
        super::engine_names::engine_name(&self.full(name), self.setting.dialect)
    }

    /// A name with its schema.
    pub(super) fn full(&self, name: &Name) -> Name {
        name.in_schema(self.setting.schema)
    }

    pub(super) fn lookup(&self, name: &Name, at: At) -> Written<Lookup> {
        let name = &self.full(name);
        match self.setting.catalog.table(name) {
            Lookup::Missing => Err(SqlProblem::new(-204, &[&name.to_string()], at)),
            known => Ok(known),
        }
    }

    /// A function of the engine's own room: the arguments, the type of the first, the type of the
    /// result.
    pub(super) fn own(&self, name: &str, arguments: &[&Typed], result: Type) -> Typed {
        let first = arguments.first().map_or(Type::Unknown, |a| a.kind);
        let mut words: Vec<String> = arguments.iter().map(|a| a.sql.clone()).collect();
        words.push(first.code().to_string());
        words.push(result.code().to_string());
        let name = self.engine_function(&name.to_lowercase(), first, result);
        let sql = format!("{name}({})", words.join(", "));
        Typed {
            nullable: arguments.iter().any(|a| a.nullable),
            ..Typed::new(sql, result)
        }
    }

    /// The name of a function. One of PostgreSQL has one type of result, and where it takes a
    /// DECIMAL it would take a DOUBLE too: those have names of their own.
    fn engine_function(&self, name: &str, first: Type, result: Type) -> String {
        let mut name = format!("db2_{name}");
        if self.is_sqlite() {
            return name;
        }
        if name == "db2_convert" {
            name += match result.family() {
                Family::Number if !is_float(result) => "_n",
                Family::Number => "_f",
                Family::Date => "_d",
                Family::Time => "_h",
                Family::Timestamp => "_s",
                Family::Bytes => "_b",
                _ => "_t",
            };
        }
        if is_float(first) {
            name += "_f";
        }
        name
    }
}

fn is_float(kind: Type) -> bool {
    matches!(kind, Type::Real | Type::Double)
}
