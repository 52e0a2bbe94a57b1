//! What the tokens of a table file say: attributes, fields, answers, columns.
//!
//! Format: `table/README.md`.

use crate::model::{Answer, Attribute, Cemt, Column, Field, View};

/// `Label:OPTION(chars)!` or `OPTION[WORDS]!`
pub(crate) fn column(token: &str) -> Column {
    let settable = token.ends_with('!');
    let token = token.trim_end_matches('!');
    let (label, token) = token.split_once(':').unwrap_or(("", token));
    let (option, words) = bracketed(token);
    let (option, chars) = match option.split_once('(') {
        Some((option, chars)) => (option, Some(chars.trim_end_matches(')').to_owned())),
        None => (option, None),
    };
    Column {
        label: label.to_owned(),
        option: option.to_owned(),
        chars,
        words,
        settable,
    }
}

/// `view NAME inquire OTHER key OPTION(chars) list how like VIEW`
pub(crate) fn view(text: &str, at: &str) -> View {
    let mut tokens = text.split_whitespace();
    let name = tokens.next().unwrap_or_else(|| panic!("{at}: no name"));
    let mut view = View {
        name: name.to_owned(),
        inquired: name.to_owned(),
        key: name.to_owned(),
        key_chars: String::new(),
        list: "Browse",
        like: None,
        cemt: Cemt::default(),
    };
    while let (Some(word), Some(value)) = (tokens.next(), tokens.next()) {
        match word {
            "inquire" => view.inquired = value.to_owned(),
            "key" => {
                let (key, chars) = value.split_once('(').unwrap_or_else(|| panic!("{at}: key"));
                view.key = key.to_owned();
                view.key_chars = chars.trim_end_matches(')').to_owned();
            }
            "list" => {
                view.list = match value {
                    "tasks" => "Tasks",
                    "one" => "One",
                    "hex" => "Hex",
                    _ => panic!("{at}: list tasks, one or hex"),
                }
            }
            "like" => view.like = Some(value.to_owned()),
            _ => panic!("{at}: unknown word {word:?}"),
        }
    }
    view
}

/// `KEYWORD(rule)=default`
pub(crate) fn attribute(token: &str, at: &str) -> Attribute {
    let (keyword, rest) = token
        .split_once('(')
        .unwrap_or_else(|| panic!("{at}: no ("));
    let (inside, rest) = rest.split_once(')').unwrap_or_else(|| panic!("{at}: no )"));
    Attribute {
        keyword: keyword.to_owned(),
        rule: rule(inside, at),
        chars: chars(inside),
        default: rest.trim_start_matches('=').to_owned(),
        effect: "Kept",
        field: None,
        answers: Vec::new(),
    }
}

const SIZED: [(&str, &str); 4] = [
    ("n", "Name"),
    ("c", "CaseName"),
    ("text", "Text"),
    ("path", "Path"),
];

/// Rule and length of a name or text.
fn sized(text: &str) -> Option<(&'static str, usize)> {
    let length = |prefix: &str| text.strip_prefix(prefix)?.parse().ok();
    let mut all = SIZED.iter();
    all.find_map(|(prefix, rule)| Some((*rule, length(prefix)?)))
}

/// Characters of a name or text.
pub(crate) fn chars(text: &str) -> Option<usize> {
    sized(text).map(|(_, length)| length)
}

/// What stands in the parentheses of an attribute, as a `Rule`.
pub(crate) fn rule(text: &str, at: &str) -> String {
    if let Some((rule, length)) = sized(text) {
        return format!("Rule::{rule}({length})");
    }
    let mut parts = text.split('|');
    let first = parts.next().unwrap_or_default();
    let rest: Vec<&str> = parts.collect();
    if let Some((low, high)) = first.split_once("..") {
        for bound in [low, high] {
            assert!(bound.parse::<i64>().is_ok(), "{at}: {bound} is no number");
        }
        return match rest.is_empty() {
            true => format!("Rule::Number({low}, {high})"),
            false => format!("Rule::NumberOr({low}, {high}, &{rest:?})"),
        };
    }
    match first {
        "any" => "Rule::Any".to_owned(),
        _ => format!("Rule::OneOf(&{:?})", words(&text.replace('|', " "))),
    }
}

/// `name:value`, see the README.
pub(crate) fn field(token: &str, doc: &str, at: &str) -> Field {
    let (name, value) = token
        .split_once(':')
        .unwrap_or_else(|| panic!("{at}: no : in {token}"));
    Field {
        name: name.to_owned(),
        value: field_value(value, at),
        doc: doc.to_owned(),
    }
}

fn field_value(text: &str, at: &str) -> String {
    if let Some((name, variants)) = text.split_once('{') {
        let variants = variants.trim_end_matches('}').split(',');
        let pairs = variants.map(|variant| variant.split_once('=').unwrap_or((variant, "")));
        return format!(
            "FieldValue::Choice({name:?}, &{:?})",
            pairs.collect::<Vec<_>>()
        );
    }
    if let Some(length) = text.strip_prefix('[') {
        return format!("FieldValue::Bytes({})", length.trim_end_matches(']'));
    }
    let (plain, optional) = match text.strip_suffix('?') {
        Some(plain) => (plain, true),
        None => (text, false),
    };
    let bytes = match plain {
        "u8" => 1,
        "u16" => 2,
        "u32" => 4,
        "u64" => 8,
        _ => 0,
    };
    if bytes > 0 {
        return format!("FieldValue::Number {{ bytes: {bytes}, optional: {optional} }}");
    }
    let (name, none) = plain.split_once('-').unwrap_or((plain, ""));
    let is_name = [
        "FileName",
        "JournalName",
        "PlanName",
        "ProfileName",
        "ProgramName",
        "SysId",
        "TdQueueName",
        "TermId",
        "TransClass",
        "TransId",
        "UserId",
    ];
    if is_name.contains(&name) {
        return format!(
            "FieldValue::Name {{ of: {name:?}, optional: {optional}, none: {none:?} }}"
        );
    }
    match plain {
        "mmss" => "FieldValue::MinutesSeconds".to_owned(),
        "text" => "FieldValue::Text".to_owned(),
        "bytes" => "FieldValue::Other(\"Vec<u8>\")".to_owned(),
        "given" => "FieldValue::Given".to_owned(),
        "false" | "true" => format!("FieldValue::State({plain})"),
        _ if plain.chars().any(|c| c.is_ascii_lowercase()) => {
            format!("FieldValue::Other({plain:?})")
        }
        _ if plain.is_empty() => panic!("{at}: a field without value"),
        _ => format!("FieldValue::Flag(&{:?})", words(&plain.replace('|', " "))),
    }
}

/// `*OPTION(type)[WORDS]*60~3`
pub(crate) fn answer(token: &str, at: &str) -> Answer {
    let (by_code, rest) = match token.strip_prefix('*') {
        Some(rest) => (true, rest),
        None => (false, token),
    };
    let (rest, set, resp2) = match rest.split_once(['!', '~']) {
        Some((before, resp2)) if rest.contains('!') => (before, "Record", resp2),
        Some((before, resp2)) => (before, "Code", resp2),
        None => (rest, "No", ""),
    };
    let scaled = |mark| {
        let (option, number) = rest.split_once(mark)?;
        Some((option, number.parse::<u32>().ok()?))
    };
    let (rest, times, divide) = match (scaled('*'), scaled('/')) {
        (Some((option, times)), _) => (option, times, 1),
        (_, Some((option, divide))) => (option, 1, divide),
        _ => (rest, 1, 1),
    };
    let (option, words) = bracketed(rest);
    let (option, argument) = typed(option);
    let plain = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
    assert!(
        !option.is_empty() && option.chars().all(plain),
        "{at}: {token}"
    );
    Answer {
        option: option.to_owned(),
        argument,
        words,
        by_code,
        set,
        resp2: match resp2 {
            "" => 0,
            _ => resp2.parse().unwrap_or_else(|_| panic!("{at}: {token}")),
        },
        times,
        divide,
    }
}

/// `OPTION(type)`
pub(crate) fn typed(token: &str) -> (&str, Option<String>) {
    match token.split_once('(') {
        Some((option, argument)) => (option, Some(argument.trim_end_matches(')').to_owned())),
        None => (token, None),
    }
}

/// `HEAD[A|B]`
fn bracketed(token: &str) -> (&str, Vec<String>) {
    match token.split_once('[') {
        Some((head, list)) => (head, words(&list.trim_end_matches(']').replace('|', " "))),
        None => (token, Vec::new()),
    }
}

pub(crate) fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}
