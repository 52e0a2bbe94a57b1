//! Writes the records of installed definitions from the table of resource kinds: types, defaults,
//! reading a definition, bytes, answers of INQUIRE, changes of SET.
//!
//! Why here: fields have types of this room. The format of the table is described in
//! `crates/formats/kinds/table/README.md`.

#[path = "build_answers.rs"]
mod answers;
#[path = "build_installed.rs"]
mod installed;

use answers::{answers, changes};
use installed::{as_installed, entry, installed, spaces};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};
use transom_resources::{Attribute, Field, FieldValue, Record, ResourceKind};

fn main() {
    for watched in ["build.rs", "build_answers.rs", "build_installed.rs"] {
        println!("cargo::rerun-if-changed={watched}");
    }
    let kinds = ResourceKind::all();
    let records: Vec<_> = kinds
        .filter_map(|kind| Some((kind, kind.record()?)))
        .collect();
    let mut out = String::from("language! {\n");
    let mut choices = BTreeSet::new();
    for (kind, record) in &records {
        for field in fields(*kind, record) {
            choice(&mut out, &field, &mut choices);
        }
        declare(&mut out, *kind, record);
    }
    out.push_str("}\n\n");
    for (kind, record) in &records {
        functions(&mut out, *kind, record);
    }
    entry(&mut out, &records);
    let folder = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    fs::write(folder.join("records.rs"), out).expect("OUT_DIR is writable");
    fs::write(folder.join("space.rs"), spaces(&records)).expect("OUT_DIR is writable");
}

/// Key, attributes with a field, state.
fn fields(kind: ResourceKind, record: &Record) -> Vec<Field> {
    let of_attributes = kind.attributes().iter().filter_map(|a| a.field);
    let mut all = vec![record.key];
    all.extend(of_attributes.chain(record.state.iter().map(|state| state.field)));
    all
}

/// The enumeration of a field, once.
fn choice(out: &mut String, field: &Field, written: &mut BTreeSet<&'static str>) {
    let FieldValue::Choice(name, variants) = field.value else {
        return;
    };
    if !written.insert(name) {
        return;
    }
    let rows: Vec<String> = variants
        .iter()
        .enumerate()
        .map(|(at, (variant, value))| {
            let doc = if value.is_empty() { variant } else { value };
            let default = if at == 0 { "#[default]\n    " } else { "" };
            format!("    /// {doc}.\n    {default}{at} = {variant},\n")
        })
        .collect();
    writeln!(
        out,
        "/// {}\n#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]\npub enum {name} {{\n{}}}\n",
        field.doc,
        rows.concat(),
    )
    .unwrap();
}

fn declare(out: &mut String, kind: ResourceKind, record: &Record) {
    let all = fields(kind, record);
    let name = record.name;
    // What lies in shared memory is decoded, not passed around by value.
    let small = record.space.is_empty() && all.iter().all(|field| is_number(field.value));
    let copy = if small { ", Copy" } else { "" };
    writeln!(
        out,
        "/// An installed {}.\n#[derive(Debug, Clone{copy}, PartialEq, Eq)]\npub struct {name} {{",
        kind.keyword()
    )
    .unwrap();
    for field in &all {
        let (name, value) = (field.name, type_of(field.value));
        writeln!(out, "    /// {}\n    pub {name}: {value},", field.doc).unwrap();
    }
    out.push_str("}\n\n");
}

fn functions(out: &mut String, kind: ResourceKind, record: &Record) {
    writeln!(out, "impl {} {{", record.name).unwrap();
    with_defaults(out, kind, record);
    of_attributes(out, kind, record);
    if !record.space.is_empty() {
        installed(out, kind, record);
    }
    answers(out, kind);
    changes(out, kind);
    out.push_str("}\n\n");
    if !record.space.is_empty() {
        as_installed(out, kind, record);
    }
}

fn is_number(value: FieldValue) -> bool {
    matches!(value, FieldValue::Number { .. } | FieldValue::Name { .. })
}

fn type_of(value: FieldValue) -> String {
    let optional = |plain: &str, optional| match optional {
        true => format!("Option<{plain}>"),
        false => plain.to_owned(),
    };
    match value {
        FieldValue::Flag(_) | FieldValue::Given | FieldValue::State(_) => "bool".to_owned(),
        FieldValue::Choice(name, _) => name.to_owned(),
        FieldValue::Number { bytes, optional: o } => optional(&format!("u{}", bytes * 8), o),
        FieldValue::MinutesSeconds => "u64".to_owned(),
        FieldValue::Name {
            of, optional: o, ..
        } => optional(of, o),
        FieldValue::Bytes(length) => format!("[u8; {length}]"),
        FieldValue::Text => "String".to_owned(),
        FieldValue::Other(name) => name.to_owned(),
    }
}

/// How the text of an attribute becomes the value of its field.
fn conversion(value: FieldValue, text: &str) -> String {
    match value {
        FieldValue::Flag(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
            format!("matches!({text}, {})", words.join(" | "))
        }
        FieldValue::Given => format!("!{text}.is_empty()"),
        FieldValue::Choice(name, variants) => {
            let with_value = variants.iter().filter(|(_, value)| !value.is_empty());
            let arms = with_value.map(|(variant, value)| format!("{value:?} => {name}::{variant}"));
            let arms: Vec<String> = arms.collect();
            format!(
                "match {text} {{ {}, _ => {name}::default() }}",
                arms.join(", ")
            )
        }
        FieldValue::Number { optional: true, .. } => format!("{text}.parse().ok()"),
        FieldValue::Number { .. } => format!("{text}.parse().unwrap_or(0)"),
        FieldValue::MinutesSeconds => format!("minutes_seconds({text})"),
        FieldValue::Name {
            of, optional: true, ..
        } => {
            format!(
                "Some({text}).filter(|t| !t.is_empty()).map(|t| {of}::from_field(t.as_bytes()))"
            )
        }
        FieldValue::Name { of, none: "", .. } => format!("{of}::from_field({text}.as_bytes())"),
        FieldValue::Name { of, none, .. } => {
            format!(
                "match {text} {{ {none:?} => {of}::BLANK, t => {of}::from_field(t.as_bytes()) }}"
            )
        }
        FieldValue::Bytes(_) => format!("field({text})"),
        FieldValue::Text => format!("{text}.to_owned()"),
        FieldValue::State(first) => first.to_string(),
        FieldValue::Other(_) => "Default::default()".to_owned(),
    }
}

/// The value of a field whose attribute has its default.
fn first_value(value: FieldValue, default: &str) -> String {
    let number = |text: &str| text.parse::<u64>().ok();
    match value {
        FieldValue::Flag(words) => words.contains(&default).to_string(),
        FieldValue::Given => (!default.is_empty()).to_string(),
        FieldValue::Choice(name, variants) => {
            let named = |(_, value): &&(&str, &str)| !value.is_empty() && *value == default;
            let variant = variants.iter().find(named).unwrap_or(&variants[0]);
            format!("{name}::{}", variant.0)
        }
        FieldValue::Number { optional: true, .. } => format!("{:?}", number(default)),
        FieldValue::Number { .. } => number(default).unwrap_or(0).to_string(),
        FieldValue::Name { optional: true, .. } if default.is_empty() => "None".to_owned(),
        FieldValue::Name { of, none, .. } if default == none => format!("{of}::BLANK"),
        FieldValue::Text if default.is_empty() => "String::new()".to_owned(),
        _ => conversion(value, &format!("{default:?}")),
    }
}

fn with_defaults(out: &mut String, kind: ResourceKind, record: &Record) {
    let (key, key_type) = (record.key.name, type_of(record.key.value));
    writeln!(
        out,
        "    /// With the defaults of all attributes.\n    #[must_use]\n    \
         pub fn with_defaults({key}: {key_type}) -> Self {{\n        Self {{\n            {key},"
    )
    .unwrap();
    let of_attributes = kept(kind).map(|(attribute, field)| (field, attribute.default));
    for (field, default) in of_attributes.chain(record.state.iter().map(|s| (s.field, ""))) {
        let value = first_value(field.value, default);
        writeln!(out, "            {}: {value},", field.name).unwrap();
    }
    out.push_str("        }\n    }\n\n");
}

/// Attributes with their fields.
fn kept(kind: ResourceKind) -> impl Iterator<Item = (&'static Attribute, Field)> {
    let all = kind.attributes().iter();
    all.filter_map(|attribute| Some((attribute, attribute.field?)))
}

fn of_attributes(out: &mut String, kind: ResourceKind, record: &Record) {
    let key = match record.key.value {
        FieldValue::Name { of, .. } => format!("{of}::from_field(definition.name.as_bytes())"),
        _ => "field(&definition.name)".to_owned(),
    };
    writeln!(
        out,
        "    /// What the attributes of a definition say, defaults included.\n    #[must_use]\n    \
         pub fn of_attributes(definition: &Definition) -> Self {{\n        \
         let text = |keyword| definition.get(keyword).unwrap_or_default().trim();\n        \
         let mut entry = Self::with_defaults({key});"
    )
    .unwrap();
    for (attribute, field) in kept(kind) {
        let text = format!("text({:?})", attribute.keyword);
        let value = conversion(field.value, &text);
        writeln!(out, "        entry.{} = {value};", field.name).unwrap();
    }
    out.push_str("        entry\n    }\n\n");
}
