//! Members of documents and schemas by their paths.
//!
//! Paths go through arrays: what is said of a member of a row holds for each row.

use crate::aar::{Comparison, Condition, Test};
use serde_json::{Map, Value};
use std::cmp::Ordering;

/// The schema of a member.
fn schema_of(schema: &Value, path: &[String]) -> Option<Value> {
    let mut at = schema;
    for name in path {
        while let Some(items) = at.get("items") {
            at = items;
        }
        at = at.get("properties")?.get(name)?;
    }
    Some(at.clone())
}

/// The path of a member and its schema. A path may name the outermost member of a document that has
/// none of its own.
pub(super) fn member(schema: &Value, path: &str) -> Result<(Vec<String>, Value), String> {
    let names: Vec<String> = path
        .trim_start_matches(".../")
        .split('/')
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect();
    for from in [0, 1] {
        let Some(names) = names.get(from..).filter(|names| !names.is_empty()) else {
            continue;
        };
        if let Some(found) = schema_of(schema, names) {
            return Ok((names.to_vec(), found));
        }
    }
    Err(format!("the service has no member {path}"))
}

/// Takes a member out; that of the last row where there are several.
pub(super) fn take(document: &mut Value, path: &[String]) -> Option<Value> {
    let (first, rest) = path.split_first()?;
    match document {
        Value::Object(members) if rest.is_empty() => members.shift_remove(first),
        Value::Object(members) => take(members.get_mut(first)?, rest),
        Value::Array(rows) => rows.iter_mut().filter_map(|row| take(row, path)).last(),
        _ => None,
    }
}

/// Puts a value at a path; objects on the way are made.
pub(super) fn put(document: &mut Value, path: &[String], value: Value) {
    let Some((first, rest)) = path.split_first() else {
        return;
    };
    if let Value::Array(rows) = document {
        rows.iter_mut()
            .for_each(|row| put(row, path, value.clone()));
        return;
    }
    if !document.is_object() {
        *document = Map::new().into();
    }
    if let Value::Object(members) = document {
        match rest.is_empty() {
            true => {
                members.insert(first.clone(), value);
            }
            false => put(
                members.entry(first.clone()).or_insert(Value::Null),
                rest,
                value,
            ),
        }
    }
}

/// Gives a member another name, where it stands.
pub(super) fn rename(document: &mut Value, path: &[String], name: &str) {
    let Some((first, rest)) = path.split_first() else {
        return;
    };
    match document {
        Value::Array(rows) => rows.iter_mut().for_each(|row| rename(row, path, name)),
        Value::Object(members) if rest.is_empty() => {
            let all = std::mem::take(members);
            let renamed = all.into_iter().map(|(known, value)| match known == *first {
                true => (name.to_owned(), value),
                false => (known, value),
            });
            members.extend(renamed);
        }
        Value::Object(members) => {
            if let Some(inner) = members.get_mut(first) {
                rename(inner, rest, name);
            }
        }
        _ => {}
    }
}

/// A text as its member has it: a number where the schema wants one, else the text.
pub(super) fn number_or_text(schema: &Value, text: &str) -> Option<Value> {
    let wants = |word: &str| match schema.get("type") {
        Some(Value::String(kind)) => kind == word,
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == word),
        _ => false,
    };
    if wants("string") {
        return Some(text.into());
    }
    let text = text.trim();
    if wants("integer") || wants("number") {
        let number: Value = serde_json::from_str(text).ok()?;
        return number.is_number().then_some(number);
    }
    if wants("boolean") {
        return text.parse::<bool>().ok().map(Value::Bool);
    }
    Some(text.into())
}

/// A member as text, and whether it is a number; `path` has `/` between names.
pub(super) fn text_of(document: &Value, path: &str) -> Option<(String, bool)> {
    let names = path.split('/').filter(|name| !name.is_empty());
    let mut at = document;
    for name in names {
        at = at.get(name)?;
    }
    match at {
        Value::String(text) => Some((text.clone(), false)),
        Value::Number(_) | Value::Bool(_) => Some((at.to_string(), at.is_number())),
        _ => None,
    }
}

/// Whether a condition holds for an answer.
pub(super) fn holds(condition: &Condition, document: &Value) -> bool {
    match condition {
        Condition::And(all) => all.iter().all(|one| holds(one, document)),
        Condition::Or(any) => any.iter().any(|one| holds(one, document)),
        Condition::Test(test) => text_of(document, &test.field)
            .is_some_and(|(text, is_number)| is(test, &text, is_number)),
    }
}

fn is(test: &Test, text: &str, is_number: bool) -> bool {
    let (text, value) = (text.trim_end_matches(' '), test.value.as_str());
    // Numbers compare by value, all else by its characters.
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|_| is_number);
    let order = match (number(text), number(value)) {
        (Some(one), Some(other)) => one.partial_cmp(&other),
        _ => Some(text.cmp(value)),
    };
    match test.op {
        Comparison::Eq => order == Some(Ordering::Equal),
        Comparison::Ne => order != Some(Ordering::Equal),
        Comparison::Lt => order == Some(Ordering::Less),
        Comparison::Le => order.is_some_and(Ordering::is_le),
        Comparison::Gt => order == Some(Ordering::Greater),
        Comparison::Ge => order.is_some_and(Ordering::is_ge),
        Comparison::StartsWith => text.starts_with(value),
        Comparison::EndsWith => text.ends_with(value),
        Comparison::Contains => text.contains(value),
    }
}
