//! Expressions.

use super::api::Value;
use super::typed::{Form, Typed, Written};
use super::writer::Writer;
use crate::functions::{self, FunctionKind, common};
use crate::problem::{At, SqlProblem};
use crate::registers::Register;
use crate::tree::node::{Call, Condition, Expr, Window};
use crate::tree::words::{Operator, Unit};
use crate::types::{Family, Type};

impl Writer<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) -> Written<Typed> {
        match expr {
            Expr::Literal(literal) => self.literal(literal),
            Expr::Null => Ok(Typed {
                form: Form::Null,
                ..Typed::new("NULL".to_owned(), Type::Unknown)
            }),
            Expr::Default => Err(SqlProblem::new(
                -104,
                &["DEFAULT", "EXPRESSION"],
                At::default(),
            )),
            Expr::Column {
                qualifier,
                name,
                at,
            } => self.column(qualifier.as_ref(), name, *at),
            Expr::Host(index, at) => self.host(*index, *at),
            Expr::Marker(number) => Ok(self.parameter(Value::Marker(*number), Type::Unknown)),
            Expr::Register(register) => Ok(self.register(*register)),
            Expr::Negate(operand, at) => self.negate(operand, *at),
            Expr::Chain(first, rest) => self.chain(first, rest),
            Expr::Call(call) => self.call(call),
            Expr::CountAll { big } => Ok(self.count_all(*big)),
            Expr::Case {
                operand,
                whens,
                otherwise,
                at,
            } => self.case(operand.as_deref(), whens, otherwise.as_deref(), *at),
            Expr::Cast(value, kind, at) => self.cast(value, *kind, *at),
            Expr::Duration(value, unit) => self.duration(value, *unit),
            Expr::Select(query, at) => self.scalar_select(query, *at),
            Expr::Sequence { name, next } => {
                let which = if *next { "nextval" } else { "prevval" };
                let name = self.full(name).to_string();
                // All of them have one value for a row, which no engine gives.
                if self.sequences.contains(&name) {
                    let reason = "a sequence that stands twice in a row of values is not done";
                    return Err(SqlProblem::refused(reason, At::default()));
                }
                let text = self.text(&name)?;
                self.sequences.push(name);
                Ok(Typed::new(format!("db2_{which}({text})"), Type::BigInt))
            }
            Expr::Window(window) => self.window(window),
        }
    }

    pub(super) fn register(&mut self, register: Register) -> Typed {
        let typed = self.parameter(Value::Register(register), register.kind());
        Typed {
            nullable: register == Register::IdentityValLocal,
            ..typed
        }
    }

    fn negate(&mut self, operand: &Expr, at: At) -> Written<Typed> {
        let value = self.expr(operand)?;
        if let Form::Number(text) = &value.form {
            // A constant keeps being one.
            let text = match text.strip_prefix('-') {
                Some(positive) => positive.to_owned(),
                None => format!("-{text}"),
            };
            let sql = if value.kind.is_exact() {
                self.decimal_constant(&text, value.kind)
            } else {
                text.clone()
            };
            return Ok(Typed {
                sql,
                form: Form::Number(text),
                ..value
            });
        }
        if !matches!(value.family(), Family::Number | Family::Unknown) {
            return Err(SqlProblem::new(-402, &["-"], at));
        }
        let kind = value.kind;
        if self.is_sqlite() {
            return Ok(self.own("negate", &[&value], kind));
        }
        Ok(Typed {
            form: Form::Other,
            sql: format!("(- {})", value.sql),
            ..value
        })
    }

    fn chain(&mut self, first: &Expr, rest: &[(Operator, Expr, At)]) -> Written<Typed> {
        let mut left = self.expr(first)?;
        for (operator, right, at) in rest {
            let right = self.expr(right)?;
            left = self.operate(left, *operator, right, *at)?;
        }
        if let Form::Duration(_) = left.form {
            return Err(SqlProblem::new(-182, &[], At::default()));
        }
        Ok(left)
    }

    /// The number and the letter of its unit; only an addition or subtraction takes it.
    fn duration(&mut self, value: &Expr, unit: Unit) -> Written<Typed> {
        let mut number = self.expr(value)?;
        self.want(&mut number, Type::decimal(15, 0));
        let letter = match unit {
            Unit::Years => 'Y',
            Unit::Months => 'M',
            Unit::Days => 'D',
            Unit::Hours => 'H',
            Unit::Minutes => 'N',
            Unit::Seconds => 'S',
            Unit::Microseconds => 'U',
        };
        Ok(Typed {
            form: Form::Duration(letter),
            ..number
        })
    }

    fn case(
        &mut self,
        operand: Option<&Expr>,
        whens: &[(Condition, Expr)],
        otherwise: Option<&Expr>,
        at: At,
    ) -> Written<Typed> {
        let mut conditions = Vec::new();
        let mut results = Vec::new();
        for (condition, result) in whens {
            conditions.push(match (operand, condition) {
                (Some(operand), Condition::Compare(_, comparison, right, place)) => {
                    let left = std::slice::from_ref(operand);
                    self.compare_rows(left, *comparison, right, *place)?
                }
                _ => self.condition(condition)?,
            });
            results.push(self.expr(result)?);
        }
        if let Some(otherwise) = otherwise {
            results.push(self.expr(otherwise)?);
        }
        let kind = self.unify(&mut results, at)?;
        let nullable = otherwise.is_none() || results.iter().any(|r| r.nullable);
        let mut sql = String::from("CASE");
        for (condition, result) in conditions.iter().zip(&results) {
            sql += &format!(" WHEN {condition} THEN {}", result.sql);
        }
        if otherwise.is_some() {
            let last = results.last().map_or("NULL", |r| r.sql.as_str());
            sql += &format!(" ELSE {last}");
        }
        sql += " END";
        Ok(Typed {
            nullable,
            ..Typed::new(sql, kind)
        })
    }

    /// Makes one type of several values.
    pub(super) fn unify(&mut self, values: &mut [Typed], at: At) -> Written<Type> {
        let kinds: Vec<Type> = values.iter().map(|v| v.kind).collect();
        let kind = common(&kinds);
        let all_null = values.iter().all(|v| v.form == Form::Null);
        if all_null && !values.is_empty() {
            return Err(SqlProblem::new(-206, &["NULL"], at));
        }
        for value in values.iter_mut() {
            let taken = std::mem::replace(value, Typed::new(String::new(), Type::Unknown));
            *value = self.as_result(taken, kind, at)?;
        }
        Ok(kind)
    }

    fn cast(&mut self, value: &Expr, kind: Type, at: At) -> Written<Typed> {
        let mut value = self.expr(value)?;
        if value.is_parameter() && value.kind == Type::Unknown {
            self.want(&mut value, kind);
        }
        if value.form == Form::Null {
            let sql = if self.is_sqlite() {
                "NULL".to_owned()
            } else {
                format!("CAST(NULL AS {})", self.type_name(kind, at)?)
            };
            return Ok(Typed::new(sql, kind));
        }
        // Characters that are too many are cut off, as CHAR and VARCHAR do it.
        let is_cut = matches!(value.kind, Type::Char(_) | Type::VarChar(_));
        match kind {
            Type::Char(_) | Type::VarChar(_) if is_cut => Ok(self.own("varchar", &[&value], kind)),
            _ => Ok(self.own("convert", &[&value], kind)),
        }
    }

    fn count_all(&self, big: bool) -> Typed {
        let typed = Typed::new("COUNT(*)".to_owned(), Type::Integer);
        let typed = Typed {
            nullable: false,
            ..typed
        };
        if big {
            self.exact_of(typed, Type::decimal(31, 0))
        } else {
            typed
        }
    }

    fn call(&mut self, call: &Call) -> Written<Typed> {
        if call.name == "IDENTITY_VAL_LOCAL" && call.arguments.is_empty() {
            return Ok(self.register(Register::IdentityValLocal));
        }
        let schema = call.schema.as_deref();
        if !matches!(schema, None | Some("SYSIBM")) {
            return Err(SqlProblem::refused(
                format!("functions of users are not done: {}", call.name),
                call.at,
            ));
        }
        let name = if call.name == "EXTRACT" {
            call.keyword.as_deref().unwrap_or("")
        } else if call.arguments.len() > 1 && call.name == "MAX" {
            "GREATEST"
        } else if call.arguments.len() > 1 && call.name == "MIN" {
            "LEAST"
        } else {
            &call.name
        };
        let Some(function) = functions::function(name) else {
            return Err(SqlProblem::new(-440, &[name, "FUNCTION"], call.at));
        };
        let (least, most) = function.arguments;
        if !(least..=most).contains(&call.arguments.len()) {
            return Err(SqlProblem::new(-170, &[name], call.at));
        }
        match function.kind {
            FunctionKind::Refused => Err(SqlProblem::refused(
                format!("the function {name} is not done: {}", function.note),
                call.at,
            )),
            FunctionKind::Window => Err(SqlProblem::new(-104, &[name, "OVER"], call.at)),
            _ => self.known_call(function, call),
        }
    }

    fn window(&mut self, window: &Window) -> Written<Typed> {
        let call = &window.call;
        let aggregate = ["COUNT", "SUM", "MIN", "MAX", "AVG", "COUNT_BIG"];
        let inner = if call.keyword.as_deref() == Some("*") {
            self.count_all(call.name == "COUNT_BIG")
        } else if aggregate.contains(&call.name.as_str()) {
            return Err(SqlProblem::refused(
                format!("{} with OVER is not done", call.name),
                call.at,
            ));
        } else {
            match functions::function(&call.name) {
                Some(f) if f.kind == FunctionKind::Window && call.arguments.is_empty() => Typed {
                    nullable: false,
                    ..Typed::new(format!("{}()", f.name), Type::BigInt)
                },
                _ => {
                    let reason = format!("{} with OVER is not done", call.name);
                    return Err(SqlProblem::refused(reason, call.at));
                }
            }
        };
        let mut parts = Vec::new();
        let mut partition = Vec::new();
        for expr in &window.partition {
            let value = self.expr(expr)?;
            partition.push(self.sortable(value).sql);
        }
        if !partition.is_empty() {
            parts.push(format!("PARTITION BY {}", partition.join(", ")));
        }
        let mut order = Vec::new();
        for item in &window.order {
            let value = self.expr(&item.value)?;
            order.push(self.order_text(&value, item));
        }
        if !order.is_empty() {
            parts.push(format!("ORDER BY {}", order.join(", ")));
        }
        Ok(Typed {
            sql: format!("{} OVER ({})", inner.sql, parts.join(" ")),
            ..inner
        })
    }
}
