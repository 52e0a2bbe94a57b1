//! Writes what INQUIRE answers of fields and what SET changes of them.

use crate::kept;
use std::fmt::Write as _;
use transom_resources::{Answer, Attribute, Field, FieldValue, ResourceKind, Set};

/// Answers that are the values of fields.
pub(crate) fn told(kind: ResourceKind) -> impl Iterator<Item = (&'static Answer, Field)> {
    let of_attributes = kept(kind).map(|(attribute, field)| (attribute.answers, field));
    let all = of_attributes.chain(states(kind));
    all.flat_map(|(answers, field)| {
        let told = answers.iter().filter(|answer| !answer.by_code);
        told.map(move |answer| (answer, field))
    })
}

/// Fields that no attribute says, with the options that tell them.
fn states(kind: ResourceKind) -> impl Iterator<Item = (&'static [Answer], Field)> {
    let all = kind.record().map_or(&[][..], |record| record.state);
    all.iter().map(|state| (state.answers, state.field))
}

pub(crate) fn answers(out: &mut String, kind: ResourceKind) {
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
            FieldValue::Flag(_) | FieldValue::Given | FieldValue::State(_) => {
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
            FieldValue::Other(_) => panic!("{}: by code", answer.name),
        };
        writeln!(out, "        tell(opt::{}, {value});", answer.name).unwrap();
    }
    out.push_str("    }\n\n");
}

/// Options of SET that change a field and nothing else, with their attribute.
pub(crate) fn changed(
    kind: ResourceKind,
) -> impl Iterator<Item = (Option<&'static Attribute>, &'static Answer, Field)> {
    let of_attributes = kept(kind).map(|(a, field)| (Some(a), a.answers, field));
    let all = of_attributes.chain(states(kind).map(|(answers, field)| (None, answers, field)));
    all.flat_map(|(attribute, answers, field)| {
        let changing = answers.iter().filter(|answer| answer.set == Set::Record);
        changing.map(move |answer| (attribute, answer, field))
    })
}

/// State that SET changes by options which the command finds the answers of.
const BY_CODE: [&str; 2] = ["TdQueueEntry.enabled", "TdQueueEntry.terminal"];

/// Writes how a record takes over what SET changes, by the table or by code, and nothing else.
pub(crate) fn taken(out: &mut String, kind: ResourceKind) {
    let of_attributes = kept(kind).map(|(attribute, field)| (attribute.answers, field));
    let all = of_attributes.chain(states(kind));
    let record = kind.record().map_or("", |record| record.name);
    let by_code = |field: &Field| BY_CODE.contains(&&*format!("{record}.{}", field.name));
    let settable = all.filter(|(answers, field)| {
        answers.iter().any(|answer| answer.set != Set::No) || by_code(field)
    });
    let lines: Vec<String> = settable
        .map(|(_, field)| format!("        self.{0}.clone_from(&from.{0});\n", field.name))
        .collect();
    if !lines.is_empty() {
        out.push_str("    fn take(&mut self, from: &Self) {\n");
        lines.iter().for_each(|line| out.push_str(line));
        out.push_str("    }\n\n");
    }
}

pub(crate) fn changes(out: &mut String, kind: ResourceKind) {
    if changed(kind).next().is_none() {
        return;
    }
    out.push_str(
        "    /// Changes what SET says of fields. The error is RESP2 of INVREQ.\n    \
         pub fn change(&mut self, given: &dyn Given) -> Result<(), u32> {\n",
    );
    for (attribute, answer, field) in changed(kind) {
        change(out, attribute, answer, field);
    }
    out.push_str("        Ok(())\n    }\n");
}

fn change(out: &mut String, attribute: Option<&Attribute>, answer: &Answer, field: Field) {
    let (this, option) = (format!("self.{}", field.name), answer.name);
    let says = |word: &str| format!("given.says(opt::{word}, opt::{option}, {word:?})");
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
        FieldValue::Number { bytes, optional } => {
            let bounds = attribute.and_then(|attribute| attribute.bounds(answer));
            let Some(bounds) = bounds.filter(|_| !optional) else {
                panic!("{option}: SET changes numbers with a range");
            };
            writeln!(
                out,
                "        if let Some(number) = ({bounds:?}).check(given.number(opt::{option}))? {{\n            \
                 {this} = u{}::try_from(number).unwrap_or_default();\n        }}",
                bytes * 8
            )
            .unwrap();
        }
        FieldValue::Name { of, optional, none } => {
            let value = match (optional, none) {
                (true, _) => "Some(name).filter(|name| !name.is_blank())".to_owned(),
                (false, "") => "name".to_owned(),
                (false, none) => {
                    format!("if name.as_str() == {none:?} {{ {of}::BLANK }} else {{ name }}")
                }
            };
            writeln!(
                out,
                "        if let Some(name) = given.name(opt::{option}) {{\n            \
                 let name = {of}::from_field(name);\n            {this} = {value};\n        }}"
            )
            .unwrap();
        }
        FieldValue::Bytes(_) => {
            writeln!(
                out,
                "        if let Some(name) = given.name(opt::{option}) {{ {this} = padded(name); }}"
            )
            .unwrap();
        }
        FieldValue::State(_) => {
            let words = &answer.words;
            assert!(words.len() == 2, "{option}: yes and no");
            let (yes, no) = (says(words[0]), says(words[1]));
            writeln!(out, "        {this} = ({this} || {yes}) && !{no};").unwrap();
        }
        _ => panic!("{option}: SET changes flags, choices, numbers and names"),
    }
}
