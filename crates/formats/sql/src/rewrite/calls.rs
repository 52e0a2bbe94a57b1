//! Calls of known functions.

use super::typed::{Form, Typed, Written};
use super::writer::Writer;
use crate::functions::{Arguments, Function, FunctionKind, result};
use crate::problem::SqlProblem;
use crate::tree::node::Call;
use crate::tree::words::Operator;
use crate::types::{Family, Type};

impl Writer<'_> {
    pub(super) fn known_call(&mut self, function: &Function, call: &Call) -> Written<Typed> {
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            arguments.push(self.expr(argument)?);
        }
        if arguments
            .iter()
            .any(|a| matches!(a.form, Form::Duration(_)))
        {
            return Err(SqlProblem::new(-182, &[], call.at));
        }
        let constants: Vec<Option<i64>> = arguments.iter().map(integer_of).collect();
        let kinds: Vec<Type> = arguments.iter().map(|a| a.kind).collect();
        let kind = result(
            function,
            &Arguments {
                kinds: &kinds,
                constants: &constants,
                dec31: self.setting.dec31,
            },
        );
        self.check_arguments(function, call, &arguments)?;
        self.prepared(function, call, &mut arguments)?;
        match function.kind {
            FunctionKind::Engine => self.engine_call(function, call, arguments, kind),
            FunctionKind::EngineAggregate | FunctionKind::OwnAggregate => {
                self.aggregate(function, call, arguments, kind)
            }
            _ => self.own_call(function, call, arguments, kind),
        }
    }

    /// Types that no value of an argument can have.
    fn check_arguments(
        &self,
        function: &Function,
        call: &Call,
        arguments: &[Typed],
    ) -> Written<()> {
        let Some(first) = arguments.first() else {
            return Ok(());
        };
        let numeric = [
            "ABS", "AVG", "SUM", "CEILING", "FLOOR", "DIGITS", "ROUND", "TRUNCATE",
        ];
        let is_wrong = numeric.contains(&function.name)
            && !matches!(
                first.family(),
                Family::Number | Family::Unknown | Family::Character
            );
        if is_wrong {
            return Err(SqlProblem::new(-171, &["1", function.name], call.at));
        }
        Ok(())
    }

    /// COALESCE, NULLIF, and CONCAT written as a function.
    fn engine_call(
        &mut self,
        function: &Function,
        call: &Call,
        mut arguments: Vec<Typed>,
        kind: Type,
    ) -> Written<Typed> {
        match function.name {
            "GREATEST" | "LEAST" => return self.extreme(function, call, arguments),
            "DECODE" => return self.decode(call, arguments),
            _ => {}
        }
        if function.name == "CONCAT" && arguments.len() == 2 {
            let right = arguments.remove(1);
            let left = arguments.remove(0);
            return self.operate(left, Operator::Concat, right, call.at);
        }
        if function.name == "NULLIF" {
            // The comparison is Db2's, so that blanks at the end and types count as there.
            let [left, right] = arguments.as_slice() else {
                return Err(SqlProblem::new(-170, &[function.name], call.at));
            };
            let value = left.clone();
            let equal = self.compare_values(left.clone(), "=", right.clone(), call.at)?;
            let sql = format!("CASE WHEN {equal} THEN NULL ELSE {} END", value.sql);
            return Ok(Typed::new(sql, kind));
        }
        let nullable = arguments.iter().all(|a| a.nullable);
        let kind = self.unify(&mut arguments, call.at)?;
        let words: Vec<&str> = arguments.iter().map(|a| a.sql.as_str()).collect();
        Ok(Typed {
            nullable,
            ..Typed::new(format!("COALESCE({})", words.join(", ")), kind)
        })
    }

    fn aggregate(
        &mut self,
        function: &Function,
        call: &Call,
        mut arguments: Vec<Typed>,
        kind: Type,
    ) -> Written<Typed> {
        let value = arguments.remove(0);
        if value.form == Form::Null {
            return Err(SqlProblem::new(-206, &["NULL"], call.at));
        }
        let is_count = matches!(function.name, "COUNT" | "COUNT_BIG");
        let value = self.sortable(value);
        let distinct = if call.distinct { "DISTINCT " } else { "" };
        if function.kind == FunctionKind::OwnAggregate {
            if matches!(value.kind, Type::DecFloat(_)) {
                let reason = "what a DECFLOAT would be rounded to is not done";
                return Err(SqlProblem::refused(reason, call.at));
            }
            if !self.is_sqlite() {
                return Ok(self.own_aggregate(function, &value, distinct, kind));
            }
            // SQLite allows DISTINCT for functions of one argument only.
            let name = match (call.distinct, function.name) {
                (false, name) => name,
                (true, "SUM") => "SUM_DISTINCT",
                (true, "AVG") => "AVG_DISTINCT",
                (true, name) => {
                    let reason = format!("{name} of DISTINCT values is not done");
                    return Err(SqlProblem::refused(reason, call.at));
                }
            };
            let own = self.own(name, &[&value], kind);
            return Ok(Typed::new(own.sql, kind));
        }
        let name = if is_count { "COUNT" } else { function.name };
        let ordered = !is_count && !self.is_sqlite() && value.kind.is_text();
        let sql = match ordered {
            // The aggregate of the engine has another order.
            true => format!("db2_{}_text({})", name.to_lowercase(), value.sql),
            false => format!("{name}({distinct}{})", value.sql),
        };
        let typed = Typed {
            nullable: !is_count,
            ..Typed::new(sql, kind)
        };
        if function.name == "COUNT_BIG" {
            let count = Typed {
                kind: Type::BigInt,
                ..typed
            };
            return Ok(self.exact_of(count, kind));
        }
        Ok(typed)
    }

    /// PostgreSQL adds up exactly and fast; what is left is the type of the result.
    fn own_aggregate(
        &self,
        function: &Function,
        value: &Typed,
        distinct: &str,
        kind: Type,
    ) -> Typed {
        // Four bytes are added up as eight.
        let sql = match value.kind {
            Type::Real => format!("({})::double precision", value.sql),
            _ => value.sql.clone(),
        };
        let of = |name: &str| Typed {
            sql: format!("{name}({distinct}{sql})"),
            ..value.clone()
        };
        let typed = match function.name {
            "SUM" => self.own("SUM", &[&of("SUM")], kind),
            "AVG" => self.own("AVG", &[&of("SUM"), &of("COUNT")], kind),
            "STDDEV" => of("stddev_pop"),
            "STDDEV_SAMP" => of("stddev_samp"),
            "VARIANCE" => of("var_pop"),
            "VARIANCE_SAMP" => of("var_samp"),
            other => self.own(other, &[value], kind),
        };
        let typed = Typed {
            form: Form::Other,
            ..typed
        };
        Typed {
            nullable: true,
            ..typed
        }
    }

    fn own_call(
        &mut self,
        function: &Function,
        call: &Call,
        mut arguments: Vec<Typed>,
        kind: Type,
    ) -> Written<Typed> {
        if function.name == "STRIP" {
            return self.strip(call, arguments, kind);
        }
        let mut kind = kind;
        if let Some(first) = arguments.first_mut().filter(|a| a.is_parameter()) {
            let mut wanted = first.clone();
            if wanted.kind == Type::Unknown {
                self.want(&mut wanted, expected(function, kind));
                *first = wanted;
            }
        }
        if kind == Type::Unknown {
            kind = arguments.first().map_or(Type::Unknown, |a| a.kind);
        }
        // A character is one byte: all units are the same.
        let is_said = |word: &&str| {
            call.name != "EXTRACT" && *word != "OCTETS" && !word.starts_with("CODEUNITS")
        };
        if let Some(keyword) = call.keyword.as_deref().filter(is_said) {
            arguments.push(Typed::new(format!("'{keyword}'"), Type::VarChar(20)));
        }
        let words: Vec<&Typed> = arguments.iter().collect();
        Ok(self.own(function.name, &words, kind))
    }

    /// Always written with value, side and character.
    fn strip(&mut self, call: &Call, mut arguments: Vec<Typed>, kind: Type) -> Written<Typed> {
        let side = match call.keyword.as_deref() {
            None | Some("B" | "BOTH") => "B",
            Some("L" | "LEADING") => "L",
            Some("T" | "TRAILING") => "T",
            Some(other) => return Err(SqlProblem::new(-104, &[other, "BOTH"], call.at)),
        };
        let value = arguments.remove(0);
        let character = if arguments.is_empty() {
            Typed::new("' '".to_owned(), Type::VarChar(1))
        } else {
            arguments.remove(0)
        };
        let side = Typed::new(format!("'{side}'"), Type::VarChar(1));
        Ok(self.own("strip", &[&value, &side, &character], kind))
    }
}

/// What a parameter as the first argument is taken for.
fn expected(function: &Function, result: Type) -> Type {
    match function.name {
        "DATE" | "DAY" | "DAYS" | "MONTH" | "YEAR" => Type::Date,
        "TIME" | "HOUR" | "MINUTE" | "SECOND" => Type::Time,
        "TIMESTAMP" | "MICROSECOND" => Type::Timestamp(6),
        _ if result.is_text() || result.is_datetime() || result == Type::Integer => {
            Type::VarChar(4_000)
        }
        _ => result,
    }
}

/// The value of an integer constant.
fn integer_of(value: &Typed) -> Option<i64> {
    match &value.form {
        Form::Number(text) => text.parse().ok(),
        _ => None,
    }
}
