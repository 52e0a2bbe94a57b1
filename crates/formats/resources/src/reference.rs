//! The generated page `docs/reference/resources.md`.

use crate::{Answer, Attribute, Effect, Installs, ResourceKind, Rule, View, common_attributes};
use std::fmt::Write as _;

/// Every kind and attribute with what Transom does with it, as Markdown.
pub fn reference_page() -> String {
    let mut page = String::from(HEAD);
    for kind in ResourceKind::all() {
        let _ = write!(
            page,
            "\n## {}\n\n{}. {}\n\n",
            kind.keyword(),
            kind.title(),
            installing(kind.installs())
        );
        let shown = View::of(kind.keyword()).filter(|view| view.name == kind.keyword());
        table(&mut page, kind.attributes(), shown);
    }
    page.push_str("\n## All kinds\n\nAttributes that every kind has.\n\n");
    table(&mut page, common_attributes(), None);
    page
}

const HEAD: &str = "# Resource definitions\n\n\
    Generated from the table of resource kinds; do not edit.\n\n\
    Every attribute here is accepted in a deck and its value is checked. *Acts*: the region works\n\
    by it. *Shown*: INQUIRE, CEMT or CEDA show it and nothing depends on it. An empty field: it\n\
    stays in the deck and has no effect. An option of INQUIRE with `*` can be changed by SET, one\n\
    in brackets is a column of CEMT.\n";

fn installing(installs: Installs) -> &'static str {
    match installs {
        Installs::Now => "CEDA INSTALL takes effect at once.",
        Installs::AtStart => "It takes effect when the region starts.",
        Installs::Accepted => "It can be installed and changes nothing.",
        Installs::Refused => {
            "Decks may have it; CEDA INSTALL refuses it, and nothing depends on it."
        }
    }
}

fn table(page: &mut String, attributes: &[Attribute], view: Option<&View>) {
    page.push_str("| attribute | values | default | effect | INQUIRE |\n");
    page.push_str("| --- | --- | --- | --- | --- |\n");
    for attribute in attributes {
        let effect = match attribute.effect {
            Effect::Acts => "acts",
            Effect::Shown => "shown",
            Effect::Kept => "",
        };
        let default = match attribute.default {
            "" => String::new(),
            default => format!("`{default}`"),
        };
        let answers = attribute.answers.iter().map(|a| option(a, view));
        let _ = writeln!(
            page,
            "| `{}` | {} | {default} | {effect} | {} |",
            attribute.keyword,
            values(attribute.rule),
            answers.collect::<Vec<_>>().join(" ")
        );
    }
}

fn option(answer: &Answer, view: Option<&View>) -> String {
    let star = match answer.set {
        crate::Set::No => "",
        _ => "*",
    };
    let is_column = view.is_some_and(|v| v.columns.iter().any(|c| c.option == answer.option));
    match is_column {
        true => format!("[`{}`{star}]", answer.name),
        false => format!("`{}`{star}", answer.name),
    }
}

fn values(rule: Rule) -> String {
    let list = |words: &[&str]| {
        let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        quoted.join(" ")
    };
    match rule {
        Rule::Name(length) => format!("name, {length}"),
        Rule::CaseName(length) => format!("name, {length}, case kept"),
        Rule::Text(length) => format!("text, {length}"),
        Rule::Path(length) => format!("path, {length}"),
        Rule::Number(low, high) => format!("{low} to {high}"),
        Rule::NumberOr(low, high, words) => format!("{low} to {high} {}", list(words)),
        Rule::OneOf(words) => list(words),
        Rule::Any => "any".to_owned(),
    }
}
