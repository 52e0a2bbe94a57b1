//! Writes the records of installed definitions from the table of resource kinds: types, defaults,
//! reading a definition, bytes, answers of INQUIRE, changes of SET.
//!
//! Why here: fields have types of this room. The format of the table is described in
//! `crates/formats/resources/table/README.md`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};
use transom_resources::{Answer, Attribute, Field, FieldValue, Record, ResourceKind, Set};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let mut out = String::from("language! {\n");
    let mut choices = BTreeSet::new();
    let records = || ResourceKind::all().filter_map(|kind| Some((kind, kind.record()?)));
    for (kind, record) in records() {
        for field in fields(kind, record) {
            choice(&mut out, &field, &mut choices);
        }
        declare(&mut out, kind, record);
    }
    out.push_str("}\n\n");
    for (kind, record) in records() {
        functions(&mut out, kind, record);
    }
    let path = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it")).join("records.rs");
    fs::write(path, out).expect("OUT_DIR is writable");
}

/// Key, attributes with a field, state.
fn fields(kind: ResourceKind, record: &Record) -> Vec<Field> {
    let of_attributes = kind.attributes().iter().filter_map(|a| a.field);
    let mut all = vec![record.key];
    all.extend(of_attributes.chain(record.state.iter().copied()));
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
        installed(out, record);
    }
    answers(out, kind);
    changes(out, kind);
    out.push_str("}\n\n");
}

fn installed(out: &mut String, record: &Record) {
    let (key, key_type) = (record.key.name, type_of(record.key.value));
    let bytes = match record.key.value {
        FieldValue::Name { .. } => format!("{key}.as_bytes()"),
        _ => format!("&{key}"),
    };
    let own = bytes.replace(key, &format!("self.{key}"));
    let space = record.space;
    writeln!(
        out,
        "    /// Installs or replaces it, keeping its counters. `false`: shared storage is full.\n    \
         #[must_use]\n    pub fn install(&self, shared: &dyn Shared) -> bool {{\n        \
         put(shared, Space::{space}, {own}, &self.encode())\n    }}\n\n    \
         /// The installed one.\n    \
         pub fn find(shared: &dyn Shared, {key}: {key_type}) -> Option<Self> {{\n        \
         get(shared, Space::{space}, {bytes}, Self::decode)\n    }}\n"
    )
    .unwrap();
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
    for (field, default) in of_attributes.chain(record.state.iter().map(|f| (*f, ""))) {
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

/// Answers that are the values of fields.
fn told(kind: ResourceKind) -> impl Iterator<Item = (&'static Answer, Field)> {
    kept(kind).flat_map(|(attribute, field)| {
        let told = attribute.answers.iter().filter(|answer| !answer.by_code);
        told.map(move |answer| (answer, field))
    })
}

fn answers(out: &mut String, kind: ResourceKind) {
    if told(kind).next().is_none() {
        return;
    }
    out.push_str(
        "    /// Options of INQUIRE that are the values of fields.\n    \
         pub fn answers(&self, tell: &mut dyn FnMut(OptionId, Told<'_>)) {\n",
    );
    for (answer, field) in told(kind) {
        let this = format!("self.{}", field.name);
        let value = match field.value {
            FieldValue::Flag(_) | FieldValue::Given => {
                let (yes, no) = (answer.words[0], answer.words[1]);
                format!("Told::Value(if {this} {{ {yes:?} }} else {{ {no:?} }})")
            }
            FieldValue::Choice(name, variants) => {
                let pairs = variants.iter().zip(answer.words);
                let arms =
                    pairs.map(|((variant, _), word)| format!("{name}::{variant} => {word:?}"));
                let arms: Vec<String> = arms.collect();
                format!("Told::Value(match {this} {{ {} }})", arms.join(", "))
            }
            FieldValue::Number { .. } | FieldValue::MinutesSeconds => {
                format!("number({this}, {}, {})", answer.times, answer.divide)
            }
            FieldValue::Name {
                of, optional: true, ..
            } => {
                format!("Told::Text({this}.as_ref().map_or(\"\", {of}::as_str))")
            }
            FieldValue::Name { none: "", .. } => format!("Told::Text({this}.as_str())"),
            FieldValue::Name { none, .. } => {
                format!(
                    "Told::Text(if {this}.is_blank() {{ {none:?} }} else {{ {this}.as_str() }})"
                )
            }
            FieldValue::Bytes(_) => format!("Told::Bytes(&{this})"),
            FieldValue::Text => format!("Told::Text(&{this})"),
            FieldValue::State(_) | FieldValue::Other(_) => panic!("{}: by code", answer.name),
        };
        writeln!(out, "        tell(opt::{}, {value});", answer.name).unwrap();
    }
    out.push_str("    }\n\n");
}

fn changes(out: &mut String, kind: ResourceKind) {
    let changed = || told(kind).filter(|(answer, _)| answer.set == Set::Record);
    if changed().next().is_none() {
        return;
    }
    out.push_str(
        "    /// Changes what SET says of fields. `says` answers whether a CICS value is given, as\n    \
         /// keyword or in its option.\n    \
         pub fn change(&mut self, says: &dyn Fn(OptionId, OptionId, &str) -> bool) {\n",
    );
    for (answer, field) in changed() {
        let (this, option) = (format!("self.{}", field.name), answer.name);
        let says = |word: &str| format!("says(opt::{word}, opt::{option}, {word:?})");
        match field.value {
            FieldValue::Flag(_) => {
                let (yes, no) = (says(answer.words[0]), says(answer.words[1]));
                writeln!(out, "        {this} = ({this} || {yes}) && !{no};").unwrap();
            }
            FieldValue::Choice(name, variants) => {
                for ((variant, _), word) in variants.iter().zip(answer.words) {
                    let says = says(word);
                    writeln!(out, "        if {says} {{ {this} = {name}::{variant}; }}").unwrap();
                }
            }
            _ => panic!("{}: SET changes flags and choices", answer.name),
        }
    }
    out.push_str("    }\n");
}
