//! A document in the making: groups that are open, and what they hold so far.
//!
//! Why a group is kept until it ends: SUPPRESS drops one that holds nothing, and attributes stand
//! in the start tag, in front of elements that came before them. Not here: text of one value.

use crate::parse::Characters;
use crate::step::Step;
use crate::value::Value;
use crate::{json, xml};

/// Most characters of a document: the longest item of COBOL.
const LENGTH_MAX: usize = 134_217_727;
/// Most groups in each other: levels 01 to 49, and a table around each.
const DEPTH_MAX: usize = 128;

const JSON_TOO_SMALL: i32 = 1;
const XML_TOO_SMALL: i32 = 400;
const XML_BAD_NAMESPACE: i32 = 416;
const XML_ILLEGAL: i32 = 417;
const XML_BAD_PREFIX: i32 = 419;

/// What is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Form {
    Json(Characters),
    Xml { utf8: bool, declaration: bool },
}

/// A group or table that is open.
#[derive(Debug, Default)]
struct Frame {
    name: String,
    table: bool,
    attributes: String,
    content: String,
    members: usize,
    /// SUPPRESS has left something out.
    skipped: bool,
}

/// A document in the making.
#[derive(Debug)]
pub struct Document {
    form: Form,
    /// The outermost is the document itself.
    frames: Vec<Frame>,
    length: usize,
    code: i32,
    namespace: String,
    prefix: String,
}

/// A document that was made.
#[derive(Debug, PartialEq, Eq)]
pub struct Finished {
    pub bytes: Vec<u8>,
    /// COUNT IN: bytes, or code units of a national item.
    pub count: usize,
    /// JSON-CODE or XML-CODE.
    pub code: i32,
}

impl Document {
    /// The first step of a statement; `None`: it is another one.
    pub fn begin(step: &Step) -> Option<Self> {
        let form = match *step {
            Step::Json(characters) => Form::Json(characters),
            Step::Xml { utf8, declaration } => Form::Xml { utf8, declaration },
            _ => return None,
        };
        Some(Self {
            form,
            frames: vec![Frame::default()],
            length: 0,
            code: 0,
            namespace: String::new(),
            prefix: String::new(),
        })
    }

    /// Takes a step; `None`: it does not follow the ones before.
    pub fn take(&mut self, step: &Step, value: Option<Value<'_>>) -> Option<()> {
        match step {
            Step::Json(_) | Step::Xml { .. } | Step::End => return None,
            Step::Namespace => self.namespace = text(value?),
            Step::Prefix => self.prefix = text(value?),
            Step::Open(name) => self.open(name, false)?,
            Step::Table(name) => self.open(name, true)?,
            Step::Close | Step::EndTable => {
                if self.frames.len() < 2 {
                    return None;
                }
                let frame = self.frames.pop()?;
                self.close(frame);
            }
            Step::Item { name, attribute } => self.item(name, *attribute, value?),
            Step::Truth { name, value } => {
                let value = if *value { "true" } else { "false" };
                self.member(name, value);
            }
            Step::Null(name) => self.member(name, "null"),
            Step::Skip => self.top().skipped = true,
            Step::JsonParse { .. }
            | Step::Target(_)
            | Step::NextValue
            | Step::TakeText
            | Step::TakeNumber
            | Step::Occurrences
            | Step::JsonStatus
            | Step::XmlParse { .. }
            | Step::NextEvent => return None,
        }
        Some(())
    }

    /// The document, at most so many bytes of it.
    pub fn finish(mut self, room: usize) -> Finished {
        let frame = self.frames.drain(..1).next().unwrap_or_default();
        let (mut bytes, too_small) = match self.form {
            Form::Json(characters) => {
                let text = match frame.name.as_str() {
                    // NAME OMITTED: the group itself.
                    "" if frame.table => frame.content,
                    _ => format!("{{{}}}", frame.content),
                };
                (characters.bytes(&text), JSON_TOO_SMALL)
            }
            Form::Xml { utf8, declaration } => {
                let encoding = if utf8 { "UTF-8" } else { "ISO-8859-1" };
                let declaration = match declaration {
                    true => format!("<?xml version=\"1.0\" encoding=\"{encoding}\"?>"),
                    false => String::new(),
                };
                let text = declaration + &frame.content;
                let bytes = match utf8 {
                    true => text.into_bytes(),
                    false => Characters::Programs.bytes(&text),
                };
                (bytes, XML_TOO_SMALL)
            }
        };
        if matches!(self.code, XML_BAD_NAMESPACE | XML_BAD_PREFIX) {
            bytes.clear();
        }
        if bytes.len() > room || self.length > LENGTH_MAX {
            bytes.truncate(room - room % self.unit());
            self.code = too_small;
        }
        Finished {
            count: bytes.len() / self.unit(),
            bytes,
            code: self.code,
        }
    }

    /// Bytes of a code unit.
    fn unit(&self) -> usize {
        match self.form {
            Form::Json(Characters::National) => 2,
            _ => 1,
        }
    }

    fn top(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn open(&mut self, name: &str, table: bool) -> Option<()> {
        if self.frames.len() > DEPTH_MAX {
            return None;
        }
        self.check_namespace();
        self.frames.push(Frame {
            name: name.to_owned(),
            table,
            ..Frame::default()
        });
        Some(())
    }

    /// What a group or table that has ended is in the one around it.
    fn close(&mut self, frame: Frame) {
        let outermost = self.frames.len() == 1;
        if frame.members == 0 && frame.skipped && !outermost {
            self.top().skipped = true;
            return;
        }
        match (&self.form, frame.table) {
            (Form::Json(_), true) => {
                let value = format!("[{}]", frame.content);
                self.member(&frame.name, &value);
            }
            (Form::Json(_), false) => {
                let value = format!("{{{}}}", frame.content);
                if outermost && frame.name.is_empty() {
                    let document = self.top();
                    document.content = value;
                    // Marks that the content stands without a name.
                    document.table = true;
                } else {
                    self.member(&frame.name, &value);
                }
            }
            (Form::Xml { .. }, true) => {
                let top = self.top();
                top.content.push_str(&frame.content);
                top.members += frame.members;
                top.skipped |= frame.skipped;
            }
            (Form::Xml { .. }, false) => {
                self.element(&xml::name(&frame.name), &frame.attributes, &frame.content);
            }
        }
    }

    fn item(&mut self, name: &str, attribute: bool, value: Value<'_>) {
        let (text, is_number) = value.written();
        if matches!(self.form, Form::Json(_)) {
            let mut shown = String::new();
            match is_number {
                true => shown = text,
                false => json::string(&text, &mut shown),
            }
            return self.member(name, &shown);
        }
        self.check_namespace();
        let mut name = xml::name(name);
        let mut content = xml::escaped(&text);
        if value.bytes().iter().any(|b| xml::is_illegal(*b)) {
            name = format!("hex.{name}");
            content = xml::hex(value.bytes());
            self.code = XML_ILLEGAL;
        }
        if attribute && self.frames.len() > 1 {
            let added = format!(" {name}=\"{content}\"");
            if self.has_room(added.len()) {
                let top = self.top();
                top.attributes.push_str(&added);
                top.members += 1;
            }
        } else {
            self.element(&name, "", &content);
        }
    }

    /// A name and value of JSON; elements of a table have no name.
    fn member(&mut self, name: &str, value: &str) {
        if !self.has_room(value.len()) {
            return;
        }
        let top = self.top();
        if top.members > 0 {
            top.content.push(',');
        }
        if !top.table {
            json::string(name, &mut top.content);
            top.content.push(':');
        }
        top.content.push_str(value);
        top.members += 1;
    }

    fn element(&mut self, name: &str, attributes: &str, content: &str) {
        if !self.has_room(content.len()) {
            return;
        }
        let prefixed = match self.prefix.is_empty() {
            true => name.to_owned(),
            false => format!("{}:{name}", self.prefix),
        };
        let namespace = match (self.frames.len(), &*self.namespace, &*self.prefix) {
            (2.., _, _) | (_, "", _) => String::new(),
            (_, namespace, "") => format!(" xmlns=\"{}\"", xml::escaped(namespace)),
            (_, namespace, prefix) => {
                format!(" xmlns:{prefix}=\"{}\"", xml::escaped(namespace))
            }
        };
        let top = self.top();
        let element = format!("<{prefixed}{namespace}{attributes}>{content}</{prefixed}>");
        top.content.push_str(&element);
        top.members += 1;
    }

    fn check_namespace(&mut self) {
        if self.frames.len() > 1 {
            return;
        }
        if self.namespace.bytes().any(xml::is_illegal) {
            self.code = XML_BAD_NAMESPACE;
        } else if !self.prefix.is_empty() && !xml::is_name(&self.prefix) {
            self.code = XML_BAD_PREFIX;
        }
    }

    /// Counts what is added; a document that is too long for any item grows no more.
    fn has_room(&mut self, added: usize) -> bool {
        self.length = self.length.saturating_add(added);
        self.length <= LENGTH_MAX
    }
}

/// A namespace or prefix: without the blanks of its item.
fn text(value: Value<'_>) -> String {
    let text: String = value.bytes().iter().map(|b| char::from(*b)).collect();
    text.trim_end_matches(' ').to_owned()
}

#[cfg(test)]
mod tests;
