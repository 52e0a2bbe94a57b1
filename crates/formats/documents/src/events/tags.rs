//! Tags: elements, their namespaces and attributes.
//!
//! Not here: where a tag ends (`scan`).

use super::characters::{Characters, Piece, Wrong};
use super::event::{ATTRIBUTE_PREFIX, ELEMENT_PREFIX, Event, NOT_WELL_FORMED, OTHER_END_TAG};
use super::names::{Name, Open, Unresolved, split};
use std::collections::HashSet;

const WRONG: Wrong = Wrong(NOT_WELL_FORMED);

/// Namespaces with their prefixes, and attributes with their values.
#[derive(Default)]
struct Said<'a> {
    namespaces: Vec<(Vec<u8>, Vec<u8>)>,
    attributes: Vec<(&'a [u8], Vec<Piece>)>,
}

/// Events of a start tag, without its brackets.
pub(super) fn start(
    tag: &[u8],
    characters: Characters,
    open: &mut Open,
) -> Result<Vec<Event>, Wrong> {
    let (body, empty) = match tag.strip_suffix(b"/") {
        Some(body) => (body, true),
        None => (tag, false),
    };
    characters.check(body)?;
    let (name, rest) = body.split_at(characters.name_length(body));
    if name.is_empty() {
        return Err(WRONG);
    }
    let said = said(rest, characters)?;
    open.begin(name, &said.namespaces);
    let mut out = events(name, said, open)?;
    if empty {
        out.push(named("END-OF-ELEMENT", resolve(open, name, false)?.0));
        open.end();
    }
    Ok(out)
}

/// The event of an end tag of this name.
pub(super) fn end(name: &[u8], characters: Characters, open: &mut Open) -> Result<Event, Wrong> {
    if name != open.name() {
        let is_name = !name.is_empty() && characters.name_length(name) == name.len();
        return Err(match is_name && split(name).is_some() {
            true => Wrong(OTHER_END_TAG),
            false => WRONG,
        });
    }
    let event = named("END-OF-ELEMENT", resolve(open, name, false)?.0);
    open.end();
    Ok(event)
}

fn said(tag: &[u8], characters: Characters) -> Result<Said<'_>, Wrong> {
    let mut out = Said::default();
    let mut words = Attributes(tag);
    while let Some((name, value)) = words.next()? {
        if characters.name_length(name) != name.len() {
            return Err(WRONG);
        }
        let value = characters.value(value)?;
        match name.strip_prefix(b"xmlns") {
            Some(b"") => out.namespaces.push((Vec::new(), text(value)?)),
            Some([b':', prefix @ ..]) if !prefix.is_empty() => {
                let value = Some(text(value)?).filter(|value| !value.is_empty());
                out.namespaces.push((prefix.to_vec(), value.ok_or(WRONG)?));
            }
            Some([b':', ..]) => return Err(WRONG),
            _ => out.attributes.push((name, value)),
        }
    }
    Ok(out)
}

/// A value without characters that the document's lack.
fn text(mut pieces: Vec<Piece>) -> Result<Vec<u8>, Wrong> {
    match (pieces.pop(), pieces.is_empty()) {
        (Some(Piece::Text(text)), true) => Ok(text),
        _ => Err(WRONG),
    }
}

/// Start of an element, its namespaces, its attributes.
fn events(name: &[u8], said: Said<'_>, open: &Open) -> Result<Vec<Event>, Wrong> {
    let (name, warning) = resolve(open, name, false)?;
    let mut out: Vec<Event> = warning.into_iter().collect();
    out.push(named("START-OF-ELEMENT", name));
    let mut seen = HashSet::new();
    for (prefix, namespace) in said.namespaces {
        if !seen.insert((prefix.clone(), None)) {
            return Err(WRONG);
        }
        out.push(Event {
            prefix,
            namespace,
            ..Event::new("NAMESPACE-DECLARATION")
        });
    }
    for (name, value) in said.attributes {
        let (name, warning) = resolve(open, name, true)?;
        if !seen.insert((name.local.clone(), Some(name.namespace.clone()))) {
            return Err(WRONG);
        }
        out.extend(warning);
        out.push(named("ATTRIBUTE-NAME", name));
        out.extend(value.into_iter().map(|piece| match piece {
            Piece::Text(text) => Event::with_text("ATTRIBUTE-CHARACTERS", text),
            Piece::National(c) => Event::character("ATTRIBUTE-NATIONAL-CHARACTER", c),
            Piece::Elsewhere => Event::new("EXCEPTION"),
        }));
    }
    Ok(out)
}

/// The parts of a name. With a prefix that is not declared it has none, and a warning comes first.
fn resolve(open: &Open, name: &[u8], attribute: bool) -> Result<(Name, Option<Event>), Wrong> {
    match open.resolve(name, attribute) {
        Ok(name) => Ok((name, None)),
        Err(Unresolved::NoName) => Err(WRONG),
        Err(Unresolved::Undeclared) => {
            let name = Name {
                local: name.to_vec(),
                ..Name::default()
            };
            let code = match attribute {
                true => ATTRIBUTE_PREFIX,
                false => ELEMENT_PREFIX,
            };
            Ok((name, Some(Event::exception(code))))
        }
    }
}

fn named(event: &'static str, name: Name) -> Event {
    Event {
        namespace: name.namespace,
        prefix: name.prefix,
        ..Event::with_text(event, name.local)
    }
}

/// Name and value as they stand.
type Attribute<'a> = (&'a [u8], &'a [u8]);

/// Attributes of a tag, one after the other.
pub(super) struct Attributes<'a>(pub(super) &'a [u8]);

impl<'a> Attributes<'a> {
    /// The next of them.
    pub(super) fn next(&mut self) -> Result<Option<Attribute<'a>>, Wrong> {
        let rest = self.0.trim_ascii_start();
        if rest.is_empty() {
            return Ok(None);
        }
        let equals = rest.iter().position(|b| *b == b'=').ok_or(WRONG)?;
        let name = rest[..equals].trim_ascii_end();
        let value = rest[equals + 1..].trim_ascii_start();
        let quote = value.first().filter(|b| matches!(b, b'"' | b'\''));
        let quote = *quote.ok_or(WRONG)?;
        let length = value[1..].iter().position(|b| *b == quote).ok_or(WRONG)?;
        // Something stands between two attributes.
        if name.is_empty() || rest.len() == self.0.len() {
            return Err(WRONG);
        }
        self.0 = &value[length + 2..];
        Ok(Some((name, &value[1..=length])))
    }
}
