//! LIST and SCAN: groups, lists and definitions as lines.

use std::fmt::Write as _;
use transom_csd::{Command, Csd, Definition, ResourceKind};
use transom_decks::Session;
use transom_messages::{Message, cs};

/// Columns of attributes.
const COLUMNS: usize = 100;

/// LIST: all, GROUP(name) or LIST(name), generic; with OBJECTS each definition.
pub(crate) fn list(command: &Command, session: &Session<'_>) -> Vec<String> {
    let csd = session.csd();
    let (group, list) = (command.value("GROUP"), command.value("LIST"));
    let all = group.is_none() && list.is_none();
    let objects = command.has("OBJECTS");
    let mut lines = Vec::new();
    let locked = |name: &str| match session.holder(name) {
        Some(user) => format!("  locked by {user}"),
        None => String::new(),
    };
    if all || group.is_some() {
        let pattern = group.as_deref().unwrap_or("*");
        for name in csd.groups().filter(|name| Command::fits(pattern, name)) {
            let definitions = csd.group(name).unwrap_or_default();
            let count = definitions.len();
            lines.push(format!(
                "  GROUP {name:8} {count:6} definitions{}",
                locked(name)
            ));
            if objects {
                for definition in in_order(definitions) {
                    object(definition, &mut lines);
                }
            }
        }
    }
    if all || list.is_some() {
        let pattern = list.as_deref().unwrap_or("*");
        for name in csd.lists().filter(|name| Command::fits(pattern, name)) {
            let groups = csd.list(name).unwrap_or_default();
            lines.push(format!(
                "  LIST  {name:8} {:6} groups{}",
                groups.len(),
                locked(name)
            ));
            for group in groups {
                let known = csd.group(group).is_some() || transom_csd::is_supplied(group);
                let missing = if known { "" } else { "  not defined" };
                lines.push(format!("    {group:8}{missing}"));
            }
        }
    }
    lines.push(counts(csd));
    lines
}

/// SCAN kind(name): the groups that have it, with its attributes.
pub(crate) fn scan(command: &Command, csd: &Csd) -> Result<Vec<String>, Message> {
    let Some((kind, pattern)) = command.resource() else {
        return Err(cs::resource_missing("SCAN"));
    };
    let pattern = pattern.trim().to_ascii_uppercase();
    let mut lines = Vec::new();
    for group in csd.groups() {
        let definitions = csd.group(group).unwrap_or_default().iter();
        let fits = |d: &&Definition| {
            d.kind == kind && Command::fits(&pattern, &d.name.to_ascii_uppercase())
        };
        for definition in definitions.filter(fits) {
            lines.push(format!("  GROUP {group}"));
            object(definition, &mut lines);
        }
    }
    if lines.is_empty() {
        lines.push(format!("  {} is in no group", named(kind, &pattern)));
    }
    Ok(lines)
}

/// How much there is.
pub(crate) fn counts(csd: &Csd) -> String {
    let (groups, lists) = (csd.groups().count(), csd.lists().count());
    let definitions = csd.definition_count();
    format!("  {groups} groups, {lists} lists, {definitions} definitions")
}

/// By type, then by name.
fn in_order(definitions: &[Definition]) -> Vec<&Definition> {
    let mut all: Vec<&Definition> = definitions.iter().collect();
    all.sort_by_key(|d| (d.kind.keyword(), d.name.as_str()));
    all
}

fn object(definition: &Definition, lines: &mut Vec<String>) {
    lines.push(format!("    {}", named(definition.kind, &definition.name)));
    let mut line = String::from("       ");
    for (keyword, value) in definition.attributes() {
        if line.len() + keyword.len() + value.len() + 3 > COLUMNS && line.len() > 7 {
            lines.push(std::mem::replace(&mut line, String::from("       ")));
        }
        let _ = write!(line, " {keyword}({value})");
    }
    if line.len() > 7 {
        lines.push(line);
    }
}

/// `PROGRAM(PAY)`
fn named(kind: ResourceKind, name: &str) -> String {
    format!("{}({name})", kind.keyword())
}
