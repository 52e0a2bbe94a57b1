//! What a program describes of what it is passed: DFHCOMMAREA and the records of its containers,
//! laid out.
//!
//! Why: what calls the program has a description of its own, and the two can be compared. Not here:
//! comparing, areas that no literal or item of the source names.

use crate::data::{self, Data, Entry};
use crate::token::{Kind, Token};
use std::collections::BTreeMap;
use transom_copybook::Layout;

/// The record DFHCOMMAREA of the first program; `None` where there is none that can be laid out.
pub(crate) fn described(tokens: &[Token]) -> Option<Layout> {
    let data = of_first(tokens)?;
    let is_it = |entry: &Entry| {
        let named = entry.name.as_deref() == Some("DFHCOMMAREA");
        entry.level == 1 && entry.in_linkage && named
    };
    let at = data.entries.iter().position(is_it)?;
    laid_out(tokens, &data.entries[data.item(at)])
}

/// Containers that the first program gets and puts by their names, with the items it has for them.
pub(crate) fn containers(tokens: &[Token]) -> BTreeMap<String, Vec<Layout>> {
    let mut areas: Vec<(String, String)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if !token.is_any(&["EXEC", "EXECUTE"]) {
            continue;
        }
        let rest = &tokens[at..];
        let end = rest.iter().position(|t| t.is("END-EXEC"));
        let block = &rest[..end.unwrap_or(rest.len())];
        if let Some(area) = container(block).filter(|area| !areas.contains(area)) {
            areas.push(area);
        }
    }
    let mut found: BTreeMap<String, Vec<Layout>> = BTreeMap::new();
    let data = of_first(tokens).unwrap_or_default();
    for (container, item) in areas {
        if let Some(layout) = item_of(tokens, &data, &item) {
            found.entry(container).or_default().push(layout);
        }
    }
    found
}

/// `EXEC CICS GET CONTAINER('NAME') .. INTO(ITEM)`: container and item.
fn container(block: &[Token]) -> Option<(String, String)> {
    let [_, cics, verb, what, ..] = block else {
        return None;
    };
    let verbs = ["GET", "PUT", "GET64", "PUT64"];
    if !(cics.is("CICS") && verb.is_any(&verbs) && what.is("CONTAINER")) {
        return None;
    }
    let argument = |word: &str| {
        let at = block.iter().position(|t| t.is(word))?;
        let rest = block.get(at + 1..)?;
        let close = rest.iter().position(|t| t.kind == Kind::Close)?;
        rest.get(1..close).filter(|_| rest[0].kind == Kind::Open)
    };
    let name = match argument("CONTAINER")? {
        [literal] if literal.kind == Kind::Literal => literal.text.trim_matches(['\'', '"']),
        _ => return None,
    };
    let area = argument("INTO").or_else(|| argument("FROM"));
    let item = match area.or_else(|| argument("SET"))? {
        [item] if area.is_some() && item.kind == Kind::Word => item,
        [address, of, item] if address.is("ADDRESS") && of.is("OF") => item,
        _ => return None,
    };
    Some((name.trim_end().to_ascii_uppercase(), item.upper()))
}

/// The item of this name, if only one has it.
fn item_of(tokens: &[Token], data: &Data, name: &str) -> Option<Layout> {
    let mut found = data.named(name, &[]);
    let (Some(at), None) = (found.next(), found.next()) else {
        return None;
    };
    laid_out(tokens, &data.entries[data.item(at)])
}

fn laid_out(tokens: &[Token], entries: &[Entry]) -> Option<Layout> {
    data::layout(tokens, entries, &data::options(tokens)).ok()
}

/// What the first program describes.
fn of_first(tokens: &[Token]) -> Option<Data> {
    let header = |w: &[Token]| w[0].is("PROCEDURE") && w[1].is("DIVISION");
    let procedure = tokens.windows(2).position(header)?;
    Some(Data::read(tokens, 0..procedure))
}
