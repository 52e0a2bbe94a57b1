//! Columns beside aggregates.
//!
//! Why: SQLite takes any row of a group for a column that is not grouped; Db2 refuses it (-122).

use super::scope::{Scope, ScopeTable};
use super::typed::Written;
use crate::functions::{FunctionKind, function};
use crate::problem::SqlProblem;
use crate::tree::Name;
use crate::tree::node::{Condition, Expr};
use crate::tree::node::{Item, Order, Select};
use crate::tree::words::Literal;

/// Refuses a column that is neither grouped nor in an aggregate.
pub(super) fn check(select: &Select, order: &[Order], scope: &Scope) -> Written<()> {
    if select.distinct {
        check_distinct(select, order, scope)?;
    }
    let aggregates = select.items.iter().any(|item| match item {
        Item::Value(value, _) => has_aggregate(value),
        _ => false,
    });
    let nested = |item: &Item| matches!(item, Item::Value(value, _) if is_nested(value));
    if select.items.iter().any(nested) {
        return Err(SqlProblem::new(-112, &[], select.at));
    }
    if let Some(filter) = &select.filter
        && condition_has_aggregate(filter)
    {
        return Err(SqlProblem::new(-120, &[], select.at));
    }
    if !aggregates && select.group.is_empty() && select.having.is_none() {
        return Ok(());
    }
    // A grouped expression is compared as a whole by the engine; only columns are checked here.
    let grouped: Vec<&str> = select.group.iter().filter_map(column_name).collect();
    let by_expression = grouped.len() < select.group.len();
    for item in &select.items {
        match item {
            Item::All(_) if are_grouped(scope, None, &grouped) => {}
            Item::AllOf(name, _) if are_grouped(scope, Some(name), &grouped) => {}
            Item::All(_) | Item::AllOf(..) => {
                return Err(SqlProblem::new(-122, &[], select.at));
            }
            Item::Value(value, _) => {
                let mut loose = Vec::new();
                loose_columns(value, &mut loose);
                let is_wrong = loose.iter().any(|name| !grouped.contains(name));
                if is_wrong && !by_expression {
                    return Err(SqlProblem::new(-122, &[], select.at));
                }
                if is_wrong && !select.group.iter().any(|g| same(g, value)) {
                    return Err(SqlProblem::refused(
                        "an expression of the select list that has a part of a grouped \
                         expression is not done",
                        select.at,
                    ));
                }
            }
        }
    }
    match by_expression {
        true => Ok(()),
        false => check_clauses(select, order, scope, &grouped),
    }
}

/// Columns of HAVING and ORDER BY that are not grouped.
fn check_clauses(select: &Select, order: &[Order], scope: &Scope, grouped: &[&str]) -> Written<()> {
    let loose = |values: Vec<&'_ Expr>| {
        let mut loose = Vec::new();
        values
            .iter()
            .for_each(|value| loose_columns(value, &mut loose));
        let loose = loose.into_iter().find(|name| !grouped.contains(name));
        loose.map(str::to_owned)
    };
    let having = select.having.as_ref().map(condition_values);
    if let Some(name) = having.and_then(&loose) {
        return Err(SqlProblem::new(-119, &[&name], select.at));
    }
    let shown = |one: &&Order| !names_result(select, &one.value, scope);
    let keys = order.iter().filter(shown).map(|one| &one.value).collect();
    match loose(keys) {
        Some(name) => Err(SqlProblem::new(
            -214,
            &[&name, "", "ORDER BY", "3"],
            select.at,
        )),
        None => Ok(()),
    }
}

/// Behind DISTINCT rows are in the order of columns of the result.
fn check_distinct(select: &Select, order: &[Order], scope: &Scope) -> Written<()> {
    let is_other = |one: &&Order| match &one.value {
        Expr::Literal(Literal::Integer(_)) => false,
        value => !names_result(select, value, scope),
    };
    match order
        .iter()
        .find(is_other)
        .map(|one| column_name(&one.value))
    {
        Some(name) => {
            let name = name.unwrap_or_default();
            Err(SqlProblem::new(
                -214,
                &[name, "", "ORDER BY", "2"],
                select.at,
            ))
        }
        None => Ok(()),
    }
}

/// The name of a column of the result.
fn names_result(select: &Select, value: &Expr, scope: &Scope) -> bool {
    let Some(name) = column_name(value) else {
        return false;
    };
    select.items.iter().any(|item| match item {
        Item::Value(_, Some(alias)) if alias == name => true,
        Item::Value(found, _) => column_name(found) == Some(name),
        Item::All(_) | Item::AllOf(..) => scope.tables.iter().any(|table| {
            let columns = table.columns.as_deref();
            columns.is_none_or(|all| all.iter().any(|one| one.name == name))
        }),
    })
}

/// An aggregate of an aggregate.
fn is_nested(expr: &Expr) -> bool {
    any(expr, &mut |one| {
        is_aggregate(one) && children(one).into_iter().any(has_aggregate)
    })
}

/// Whether all columns of the tables, or of one of them, are grouped.
fn are_grouped(scope: &Scope, qualifier: Option<&Name>, grouped: &[&str]) -> bool {
    let asked = |table: &&ScopeTable| qualifier.is_none_or(|name| table.is_called(name));
    let mut asked = scope.tables.iter().filter(asked);
    asked.all(|table| {
        let columns = table.columns.as_deref();
        columns.is_some_and(|all| all.iter().all(|one| grouped.contains(&one.name.as_str())))
    })
}

fn column_name(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Column { name, .. } => Some(name),
        _ => None,
    }
}

/// Whether two expressions are written alike, wherever they stand.
fn same(a: &Expr, b: &Expr) -> bool {
    let strip = |e: &Expr| {
        let text = format!("{e:?}");
        // Places differ; everything else is compared.
        let mut out = String::new();
        let mut rest = text.as_str();
        while let Some((before, behind)) = rest.split_once("At {") {
            out += before;
            rest = behind.split_once('}').map_or("", |(_, after)| after);
        }
        out + rest
    };
    strip(a) == strip(b)
}

pub(super) fn has_aggregate(expr: &Expr) -> bool {
    any(expr, &mut |e| is_aggregate(e))
}

fn is_aggregate(expr: &Expr) -> bool {
    match expr {
        Expr::CountAll { .. } => true,
        Expr::Call(call) => {
            let single = call.arguments.len() == 1;
            let known = function(&call.name).map(|f| f.kind);
            single
                && matches!(
                    known,
                    Some(FunctionKind::EngineAggregate | FunctionKind::OwnAggregate)
                )
        }
        _ => false,
    }
}

/// Columns that are in no aggregate.
fn loose_columns<'e>(expr: &'e Expr, out: &mut Vec<&'e str>) {
    if is_aggregate(expr) {
        return;
    }
    if let Expr::Column { name, .. } = expr {
        out.push(name);
    }
    for child in children(expr) {
        loose_columns(child, out);
    }
}

fn any(expr: &Expr, test: &mut impl FnMut(&Expr) -> bool) -> bool {
    test(expr) || children(expr).into_iter().any(|child| any(child, test))
}

fn condition_has_aggregate(condition: &Condition) -> bool {
    condition_values(condition).into_iter().any(has_aggregate)
}

/// Expressions directly inside one; those of a query inside have groups of their own.
fn children(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Negate(inner, _) | Expr::Cast(inner, ..) | Expr::Duration(inner, _) => vec![inner],
        Expr::Chain(first, rest) => {
            let mut out = vec![&**first];
            out.extend(rest.iter().map(|(_, e, _)| e));
            out
        }
        Expr::Call(call) => call.arguments.iter().collect(),
        Expr::Case {
            operand,
            whens,
            otherwise,
            ..
        } => {
            let mut out: Vec<&Expr> = operand.as_deref().into_iter().collect();
            for (condition, value) in whens {
                out.extend(condition_values(condition));
                out.push(value);
            }
            out.extend(otherwise.as_deref());
            out
        }
        _ => Vec::new(),
    }
}

fn condition_values(condition: &Condition) -> Vec<&Expr> {
    match condition {
        Condition::And(terms) | Condition::Or(terms) => {
            terms.iter().flat_map(condition_values).collect()
        }
        Condition::Not(inner) => condition_values(inner),
        Condition::Compare(left, _, right, _) => left.iter().chain(right).collect(),
        Condition::Quantified(value, ..) | Condition::Null { value, .. } => vec![value],
        Condition::Between {
            value, low, high, ..
        } => vec![value, low, high],
        Condition::Like { value, pattern, .. } => vec![value, pattern],
        Condition::In { value, list, .. } => value.iter().chain(list).collect(),
        Condition::InSelect { value, .. } => value.iter().collect(),
        Condition::Exists(_) => Vec::new(),
    }
}
