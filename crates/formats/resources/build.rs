//! Turns the files of kinds into Rust tables. A mistake in a file stops the build with its file and
//! line.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};
use transom_commands::{ArgKind, DataKind};
use transom_kinds::{Answer, Attribute, Column, Field, Kind, Table, View};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let table = transom_kinds::table();
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("kinds.rs"), generate(&table)).expect("OUT_DIR is writable");
    fs::write(out.join("views.rs"), generate_views(&table)).expect("OUT_DIR is writable");
}

fn generate(table: &Table) -> String {
    let mut out = String::from(
        "/// Kind of a resource definition.\n\
         #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]\n\
         #[non_exhaustive]\npub enum ResourceKind {\n",
    );
    for kind in &table.kinds {
        writeln!(out, "    /// {}\n    {},", kind.keyword, kind.variant).unwrap();
    }
    out.push_str("}\n\n");
    writeln!(
        out,
        "static COMMON: &[Attribute] = {};",
        attributes(&table.common.attributes)
    )
    .unwrap();
    writeln!(
        out,
        "static COMMON_ANSWERS: &[(OptionId, Constant)] = {};\n",
        constants(&table.common)
    )
    .unwrap();
    out.push_str("/// In the order of [`ResourceKind`].\nstatic KINDS: &[Kind] = &[\n");
    for kind in &table.kinds {
        kind_row(&mut out, kind);
    }
    out.push_str("];\n");
    out
}

fn generate_views(table: &Table) -> String {
    let mut out = String::from("static VIEWS: &[View] = &[\n");
    for view in table.views.iter().chain(&table.further_views()) {
        view_row(&mut out, table, view);
    }
    let none = table.none();
    writeln!(out, "];\n\nstatic NONE_OF: &[&str] = &{none:?};").unwrap();
    out
}

fn kind_row(out: &mut String, kind: &Kind) {
    let record = match &kind.record {
        None => "None".to_owned(),
        Some(record) => {
            let state = kind.state.iter().map(|state| {
                let (field, answers) = (field(&state.field), answers(&state.answers));
                format!("State {{ field: {field}, answers: &[{answers}] }}")
            });
            let state: Vec<String> = state.collect();
            format!(
                "Some(Record {{ name: {:?}, key: {}, space: {:?}, combined: {}, missing: {}, \
                 state: &[{}] }})",
                record.name,
                field(&record.key),
                record.space,
                record.combined,
                kind.missing.as_deref().unwrap_or("None"),
                state.join(", ")
            )
        }
    };
    writeln!(
        out,
        "    Kind {{ kind: ResourceKind::{}, keyword: {:?}, title: {:?}, name: {}, one: {}, \
         installs: Installs::{}, record: {record}, constants: {}, by_code: &[{}], attributes: {} }},",
        kind.variant,
        kind.keyword,
        kind.title,
        kind.name,
        kind.one,
        kind.installs,
        constants(kind),
        answers(kind.others()),
        attributes(&kind.attributes),
    )
    .unwrap();
}

fn attributes(all: &[Attribute]) -> String {
    let mut out = String::from("&[\n");
    for attribute in all {
        let field = attribute.field.as_ref().map_or_else(
            || "None".to_owned(),
            |of_record| format!("Some({})", field(of_record)),
        );
        writeln!(
            out,
            "        Attribute {{ keyword: {:?}, rule: {}, default: {:?}, effect: Effect::{}, \
             field: {field}, answers: &[{}] }},",
            attribute.keyword,
            attribute.rule,
            attribute.default,
            attribute.effect,
            answers(&attribute.answers),
        )
        .unwrap();
    }
    out + "    ]"
}

fn field(field: &Field) -> String {
    format!(
        "Field {{ name: {:?}, value: {}, doc: {:?} }}",
        field.name, field.value, field.doc
    )
}

fn answers<'a>(all: impl IntoIterator<Item = &'a Answer>) -> String {
    let rows = all.into_iter().map(|answer| {
        format!(
            "Answer {{ option: opt::{}, name: {0:?}, words: &{:?}, by_code: {}, set: Set::{}, \
             resp2: {}, times: {}, divide: {} }}",
            answer.option,
            answer.words,
            answer.by_code,
            answer.set,
            answer.resp2,
            answer.times,
            answer.divide,
        )
    });
    rows.collect::<Vec<_>>().join(", ")
}

/// Constants, and what a resource that has no value answers: it depends on the option's type.
fn constants(kind: &Kind) -> String {
    let fixed = kind.constants.iter().map(|(option, value)| {
        let value = match value.parse::<i32>() {
            Ok(number) => format!("Constant::Number({number})"),
            Err(_) => format!("Constant::Value({value:?})"),
        };
        format!("(opt::{option}, {value})")
    });
    let nothing = kind.nothing.iter().map(|(option, argument)| {
        let value = match argument.as_str() {
            "cvda" => "Constant::Value(\"NOTAPPLIC\")",
            "h" | "f" | "d" => "Constant::Number(0)",
            number if number.starts_with('p') => "Constant::Number(0)",
            _ => "Constant::Text",
        };
        format!("(opt::{option}, {value})")
    });
    format!("&[{}]", fixed.chain(nothing).collect::<Vec<_>>().join(", "))
}

/// What stands in the parentheses of an option of INQUIRE.
fn argument(inquired: &str, option: &str) -> Option<ArgKind> {
    let command = transom_commands::by_words(&["INQUIRE", inquired])?;
    let found = command.options.iter().find(|o| o.keyword == option);
    found.map(|spec| spec.argument)
}

fn is_number(kind: ArgKind) -> bool {
    let kind = match kind {
        ArgKind::DataArea { kind, .. } | ArgKind::DataValue { kind } => kind,
        _ => return false,
    };
    !matches!(kind, DataKind::Char(_) | DataKind::Bytes)
}

/// The command of a view; none: the table does not know it, or it does not work.
fn command(verb: &str, inquired: &str) -> String {
    match transom_commands::by_words(&[verb, inquired]) {
        Some(command) if command.words == [verb, inquired] => {
            format!("cmd::{}", command.words.join("_"))
        }
        _ => panic!("{verb} {inquired} is no command"),
    }
}

fn view_row(out: &mut String, table: &Table, view: &View) {
    let shown = table.cemt_of(view);
    let optional = |yes: bool, verb: &str| match yes {
        true => format!("Some({})", command(verb, &view.inquired)),
        false => "None".to_owned(),
    };
    let columns: Vec<String> = table
        .columns_of(view)
        .iter()
        .map(|column| column_row(table, view, column))
        .collect();
    writeln!(
        out,
        "    View {{ name: {:?}, also: &{:?}, key: opt::{}, key_chars: {}, inquire: {}, set: {}, \
         discard: {}, list: List::{}, actions: &{:?}, columns: &[{}] }},",
        view.name,
        shown.also,
        view.key,
        table.key_chars(view),
        command("INQUIRE", &view.inquired),
        optional(shown.set, "SET"),
        optional(shown.discard, "DISCARD"),
        table.list(view),
        shown.actions,
        columns.join(", "),
    )
    .unwrap();
}

fn column_row(table: &Table, view: &View, column: &Column) -> String {
    let kind = argument(&view.inquired, &column.option);
    let kind = match (kind, &column.chars) {
        (None, _) => panic!("INQUIRE {} has no {}", view.inquired, column.option),
        (Some(ArgKind::CvdaOut), None) => "ColumnKind::Value".to_owned(),
        (Some(_), Some(chars)) if chars.starts_with('x') => {
            format!("ColumnKind::Hex({})", &chars[1..])
        }
        (Some(kind), Some(chars)) if is_number(kind) => format!("ColumnKind::Number({chars})"),
        (Some(_), Some(chars)) => format!("ColumnKind::Text({chars})"),
        (Some(_), None) => panic!("{}: {} needs a width", view.name, column.option),
    };
    let is_value = kind == "ColumnKind::Value";
    let words = match (&column.words, column.settable && is_value) {
        (words, _) if !words.is_empty() => words.clone(),
        (_, true) => table.set_words(&view.name, &column.option),
        _ => Vec::new(),
    };
    format!(
        "Column {{ label: {:?}, option: opt::{}, kind: {kind}, words: &{words:?}, number: {} }}",
        column.label,
        column.option,
        column.settable && !is_value,
    )
}
