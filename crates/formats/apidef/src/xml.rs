//! A small XML tree with line and column of every element, for configuration-sized documents.
//!
//! Why a tree: `.si`, `.map` and server.xml are read once, looked at from several sides, and every
//! complaint must name a place. Namespaces: prefixes are cut off, IBM's documents use one
//! vocabulary each. Document type definitions are refused, so nothing can be expanded or fetched.
//! Not here: writing large documents, validation.

use crate::problem::Result;
use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};
use transom_messages as messages;
use transom_messages::Problem;

/// Deepest nesting of elements.
pub const DEPTH_MAX: usize = 128;
/// Most elements in one document.
pub const ELEMENTS_MAX: usize = 200_000;
/// Most attributes on one element.
pub const ATTRIBUTES_MAX: usize = 256;

/// One element with its attributes, text and child elements in document order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Element {
    /// Name without namespace prefix.
    pub name: String,
    /// Attributes in document order; names keep their prefix, `xmlns` declarations are left out.
    pub attributes: Vec<(String, String)>,
    /// Child elements.
    pub children: Vec<Element>,
    /// All character data directly inside, joined.
    pub text: String,
    /// 1-based line of the start tag.
    pub line: u32,
    /// 1-based column of the start tag, in characters.
    pub column: u32,
}

impl Element {
    /// Value of an attribute.
    pub fn attr(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, v)| v.as_str())
    }

    /// Value of an attribute whatever the case of its name.
    pub fn attr_any_case(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, v)| v.as_str())
    }

    /// First child with this name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|c| c.name == name)
    }

    /// All children with this name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |c| c.name == name)
    }

    /// First element with this name below this one, at any depth.
    pub fn find(&self, name: &str) -> Option<&Element> {
        self.children.iter().find_map(|c| {
            if c.name == name {
                Some(c)
            } else {
                c.find(name)
            }
        })
    }

    /// Trimmed text of the first child with this name.
    pub fn child_text(&self, name: &str) -> Option<&str> {
        self.child(name).map(|c| c.text.trim())
    }

    /// A problem at this element.
    pub fn problem(&self, message: messages::Message, file: &str) -> Problem {
        Problem::new(message, file).at(self.line, self.column)
    }
}

/// Parses one document. `file` is only for messages.
///
/// # Errors
/// TXMAD0005E with line and column when the text is not well formed or has a document type
/// definition; TXMAD0003E when a limit of this module is passed.
pub fn parse(file: &str, text: &str) -> Result<Element> {
    Parser {
        file,
        text,
        counted: (0, 1, 1),
        elements: 0,
        reader: Reader::from_str(text),
    }
    .run()
}

/// Text with the five special characters escaped, fit for attribute values and text.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            // XML 1.0 has no way to write these at all.
            c if c.is_control() && !matches!(c, '\t' | '\n' | '\r') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

struct Parser<'a> {
    file: &'a str,
    text: &'a str,
    /// Byte position up to which lines were counted, and the line and column there.
    counted: (usize, u32, u32),
    elements: usize,
    reader: Reader<&'a [u8]>,
}

impl Parser<'_> {
    fn run(mut self) -> Result<Element> {
        let mut open: Vec<Element> = Vec::new();
        let mut root: Option<Element> = None;
        loop {
            let start = usize::try_from(self.reader.buffer_position()).unwrap_or(0);
            let event = match self.reader.read_event() {
                Ok(event) => event,
                Err(error) => {
                    let at = usize::try_from(self.reader.error_position()).unwrap_or(start);
                    return Err(self.bad(at, error.to_string()));
                }
            };
            match event {
                Event::Start(tag) => {
                    let element = self.element(&tag, start, open.len(), root.is_some())?;
                    open.push(element);
                }
                Event::Empty(tag) => {
                    let element = self.element(&tag, start, open.len(), root.is_some())?;
                    close(&mut open, &mut root, element);
                }
                Event::End(_) => {
                    if let Some(element) = open.pop() {
                        close(&mut open, &mut root, element);
                    }
                }
                Event::Text(text) => {
                    let piece = text.decode().map_err(|e| self.bad(start, e.to_string()))?;
                    match open.last_mut() {
                        Some(element) => element.text.push_str(&piece),
                        None if piece.trim().is_empty() => {}
                        None => return Err(self.bad(start, "text outside of the root element")),
                    }
                }
                Event::CData(data) => {
                    let piece = data.decode().map_err(|e| self.bad(start, e.to_string()))?;
                    add_text(&mut open, &piece);
                }
                Event::GeneralRef(name) => add_text(&mut open, &self.reference(&name, start)?),
                Event::DocType(_) => {
                    return Err(self.bad(start, "document type definitions are not accepted"));
                }
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
                Event::Eof => break,
            }
        }
        if let Some(element) = open.last() {
            return Err(element.problem(
                messages::ad::xml_not_well_formed(format_args!("<{}> is not closed", element.name)),
                self.file,
            ));
        }
        root.ok_or_else(|| self.bad(self.text.len(), "there is no element in this file"))
    }

    /// `&lt;`, `&#65;` and the like.
    fn reference(&mut self, name: &BytesRef<'_>, start: usize) -> Result<String> {
        match name.resolve_char_ref() {
            Ok(Some(c)) => Ok(c.to_string()),
            Ok(None) => {
                let name = name.decode().map_err(|e| self.bad(start, e.to_string()))?;
                let text = quick_xml::escape::resolve_predefined_entity(&name)
                    .ok_or_else(|| self.bad(start, format!("unknown entity &{name};")))?;
                Ok(text.to_owned())
            }
            Err(e) => Err(self.bad(start, e.to_string())),
        }
    }

    fn element(
        &mut self,
        tag: &BytesStart<'_>,
        start: usize,
        depth: usize,
        after_root: bool,
    ) -> Result<Element> {
        self.elements += 1;
        if self.elements > ELEMENTS_MAX || depth >= DEPTH_MAX {
            return Err(Problem::new(
                messages::ad::limit_passed(format_args!(
                    "more than {ELEMENTS_MAX} elements or {DEPTH_MAX} levels of elements"
                )),
                self.file,
            ));
        }
        if depth == 0 && after_root {
            return Err(self.bad(start, "a second root element"));
        }
        let mut attributes = Vec::new();
        for (number, attribute) in tag.attributes().enumerate() {
            let attribute = attribute.map_err(|e| self.bad(start, e.to_string()))?;
            let name = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
            if number >= ATTRIBUTES_MAX {
                return Err(Problem::new(
                    messages::ad::limit_passed(format_args!(
                        "more than {ATTRIBUTES_MAX} attributes on an element"
                    )),
                    self.file,
                ));
            }
            if name == "xmlns" || name.starts_with("xmlns:") {
                continue;
            }
            let value = String::from_utf8_lossy(&attribute.value);
            let value =
                quick_xml::escape::unescape(&value).map_err(|e| self.bad(start, e.to_string()))?;
            attributes.push((name, value.into_owned()));
        }
        let name = String::from_utf8_lossy(tag.local_name().as_ref()).into_owned();
        let (line, column) = self.place(start);
        Ok(Element {
            name,
            attributes,
            line,
            column,
            ..Element::default()
        })
    }

    /// Line and column of a byte position. Positions mostly grow, so counting goes on from the last
    /// one.
    fn place(&mut self, at: usize) -> (u32, u32) {
        let at = at.min(self.text.len());
        let (from, mut line, mut column) = if at >= self.counted.0 {
            self.counted
        } else {
            (0, 1, 1)
        };
        for byte in &self.text.as_bytes()[from..at] {
            match byte {
                b'\n' => (line, column) = (line + 1, 1),
                b if b & 0xC0 != 0x80 => column += 1,
                _ => {}
            }
        }
        self.counted = (at, line, column);
        (line, column)
    }

    fn bad(&mut self, at: usize, reason: impl std::fmt::Display) -> Problem {
        let (line, column) = self.place(at);
        Problem::new(messages::ad::xml_not_well_formed(reason), self.file).at(line, column)
    }
}

fn add_text(open: &mut [Element], piece: &str) {
    if let Some(element) = open.last_mut() {
        element.text.push_str(piece);
    }
}

fn close(open: &mut [Element], root: &mut Option<Element>, element: Element) {
    match open.last_mut() {
        Some(parent) => parent.children.push(element),
        None => *root = Some(element),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_names_attributes_text_and_places() {
        let text = "<?xml version=\"1.0\"?>\n<!-- c -->\n<ns2:a xmlns:ns2=\"urn:x\" k='1 &lt; 2'>\n  <b>x&amp;y&#65;<![CDATA[<z>]]></b><b/>\n</ns2:a>";
        let root = parse("t.xml", text).unwrap();
        assert_eq!((root.name.as_str(), root.attr("k")), ("a", Some("1 < 2")));
        assert_eq!(root.child_text("b"), Some("x&yA<z>"));
        assert_eq!((root.children[0].line, root.children[0].column), (4, 3));
        assert_eq!(root.all("b").count(), 2);
    }

    #[test]
    fn bad_documents_say_where() {
        for (text, line, column) in [
            ("<a>\n  <b></c>\n</a>", 2, 6),
            ("<a>\n  <b>", 2, 3),
            ("<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>", 1, 1),
            ("<a>&nope;</a>", 1, 4),
            ("", 1, 1),
            ("<a/><b/>", 1, 5),
        ] {
            let error = parse("t.xml", text).unwrap_err();
            assert_eq!(error.id(), "TXMAD0005E", "{text}");
            assert_eq!(
                (error.place.line, error.place.column),
                (line, Some(column)),
                "{text} {error:?}"
            );
        }
        // Declarations of namespaces are left out of an element, not out of the count.
        let many = |name: &str| {
            let attributes = (0..=ATTRIBUTES_MAX).map(|n| format!(" {name}{n}=\"\""));
            format!("<a{}/>", attributes.collect::<String>())
        };
        for name in ["x", "xmlns:x"] {
            let error = parse("t.xml", &many(name)).unwrap_err();
            assert_eq!(error.id(), "TXMAD0003E", "{name}");
        }
        let deep = "<a>".repeat(DEPTH_MAX + 1);
        assert_eq!(parse("t.xml", &deep).unwrap_err().id(), "TXMAD0003E");
    }
}
