//! `.si` interface files: a COBOL record, or the containers of a channel, as XML.
//!
//! The vocabulary is the one IMS uses for its message metadata, which is why the documents name
//! IMS. Positions count from 1 and are those of the record with every table full; items inside
//! tables have no position of their own.

use crate::problem::Result;
use crate::xml::{Element, parse};
use std::str::FromStr;
use transom_copybook::shape::Literal;
use transom_messages as messages;

/// Most fields in one interface.
pub(crate) const FIELDS_MAX: usize = 50_000;

/// An interface file.
#[derive(Debug, Clone, PartialEq)]
pub struct Interface {
    /// File, for messages.
    pub file: String,
    /// `messageName`.
    pub name: String,
    /// Containers of a channel, or one area.
    pub containers: Vec<Container>,
    /// `serviceType="CICS_CHANNEL"`.
    pub channel: bool,
}

/// A `segment`: the COMMAREA or one container.
#[derive(Debug, Clone, PartialEq)]
pub struct Container {
    /// Name on the wire (`originalName`).
    pub name: String,
    /// Name in JSON (`name`, or the name on the wire when that is empty).
    pub json_name: String,
    /// `containerType="CHAR"`.
    pub character: bool,
    /// `required`.
    pub required: bool,
    /// Bytes, when the segment says so itself; used for containers without fields.
    pub bytes: Option<usize>,
    /// Top-level items.
    pub fields: Vec<Field>,
    /// Line in the file.
    pub line: u32,
}

/// One data item.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Name in JSON.
    pub name: String,
    /// Name in the copybook, hyphens turned to underscores.
    pub original: String,
    /// Whether clients see it.
    pub included: bool,
    /// Value when a request has none.
    pub default: Option<Literal>,
    /// `redefines`: original name of the item whose storage it shares.
    pub redefines: Option<String>,
    /// `dependsOnPath` (or `dependsOn`): names of the counter with `.` between.
    pub depends_on: Option<String>,
    /// `minOccurs`, `maxOccurs`.
    pub occurs: Option<(usize, usize)>,
    /// `startPos` minus 1, from the start of the segment.
    pub start: Option<usize>,
    /// Bytes in all, tables full.
    pub bytes: usize,
    /// `datatype` of `applicationDatatype`, upper case.
    pub datatype: String,
    /// Digits.
    pub precision: Option<u8>,
    /// Digits after the point.
    pub scale: i16,
    /// `typeConverter`, upper case.
    pub converter: Option<String>,
    /// `isSigned`, when given.
    pub signed: Option<bool>,
    /// `isSignLeading`.
    pub sign_leading: bool,
    /// `isSignSeparate`.
    pub sign_separate: bool,
    /// `isNativeInteger`: COMP-5.
    pub native: bool,
    /// `encoding` of the marshaller, such as `UTF-16BE`.
    pub encoding: Option<String>,
    /// `codepageConversion`.
    pub converted: bool,
    /// Items below.
    pub children: Vec<Field>,
    /// Line in the file.
    pub line: u32,
    /// Column in the file.
    pub column: u32,
}

impl Interface {
    /// Parses a document.
    ///
    /// # Errors
    /// TXMAD0005E malformed XML; TXMAD0013E no message, odd numbers, or too many fields.
    pub fn parse(file: &str, text: &str) -> Result<Interface> {
        let root = parse(file, text)?;
        let message = root.child("message").unwrap_or(&root);
        let mut reader = Reader { file, fields: 0 };
        let mut containers = Vec::new();
        for segment in message.all("segment") {
            containers.push(reader.container(segment)?);
        }
        if containers.is_empty() {
            return Err(root.problem(
                messages::ad::interface_not_possible("the interface has no segment"),
                file,
            ));
        }
        let kind = root
            .attr("serviceType")
            .unwrap_or_default()
            .to_ascii_uppercase();
        Ok(Interface {
            file: file.to_owned(),
            name: root.attr("messageName").unwrap_or_default().to_owned(),
            channel: kind.contains("CHANNEL") || containers.len() > 1,
            containers,
        })
    }
}

/// Position, bytes and occurrences of a field.
struct Extent {
    start: Option<usize>,
    bytes: usize,
    occurs: Option<(usize, usize)>,
}

struct Reader<'a> {
    file: &'a str,
    fields: usize,
}

impl Reader<'_> {
    fn container(&mut self, segment: &Element) -> Result<Container> {
        let name = segment
            .attr("originalName")
            .or(segment.attr("name"))
            .unwrap_or_default()
            .trim()
            .to_owned();
        let json_name = segment
            .attr("name")
            .map(str::trim)
            .filter(|n| !n.is_empty())
            .unwrap_or(&name)
            .to_owned();
        let bytes = match segment
            .child_text("bytes")
            .or(segment.attr("bytes"))
            .or(segment.attr("maxLength"))
        {
            Some(text) => Some(self.number(segment, "bytes", text)?),
            None => None,
        };
        Ok(Container {
            name,
            json_name,
            character: segment
                .attr("containerType")
                .is_some_and(|t| t.eq_ignore_ascii_case("CHAR")),
            required: yes(segment.attr("required")).unwrap_or(false),
            bytes,
            fields: segment
                .all("field")
                .map(|f| self.field(f))
                .collect::<Result<_>>()?,
            line: segment.line,
        })
    }

    fn field(&mut self, e: &Element) -> Result<Field> {
        self.fields += 1;
        if self.fields > FIELDS_MAX {
            let limit = format_args!("more than {FIELDS_MAX} fields");
            return Err(e.problem(messages::ad::limit_passed(limit), self.file));
        }
        let marshaller = e.child("marshaller");
        let of_marshaller = |name: &str| marshaller.and_then(|m| m.attr(name));
        let datatype = e.child("applicationDatatype");
        let of_datatype = |name: &str| datatype.and_then(|d| d.attr(name));
        let original = e
            .attr("originalName")
            .or(e.attr("name"))
            .unwrap_or_default()
            .to_owned();
        let Extent {
            start,
            bytes,
            occurs,
        } = self.extent(e)?;
        let precision = self.parsed(e, "precision", of_datatype("precision"))?;
        let scale = self.parsed(e, "scale", of_datatype("scale"))?;
        let children = e
            .all("field")
            .map(|c| self.field(c))
            .collect::<Result<_>>()?;
        Ok(Field {
            name: e
                .attr("name")
                .filter(|n| !n.is_empty())
                .unwrap_or(&original)
                .to_owned(),
            original,
            included: yes(e.attr("included")).unwrap_or(true),
            default: default_value(e).map_err(|text| self.odd(e, "defaultValue", &text))?,
            redefines: attr_or_child(e, "redefines"),
            depends_on: attr_or_child(e, "dependsOnPath").or_else(|| attr_or_child(e, "dependsOn")),
            occurs,
            start,
            bytes,
            datatype: of_datatype("datatype")
                .unwrap_or_default()
                .to_ascii_uppercase(),
            precision,
            scale: scale.unwrap_or(0),
            converter: marshaller
                .and_then(|m| m.child_text("typeConverter"))
                .filter(|t| !t.is_empty())
                .map(str::to_ascii_uppercase),
            signed: yes(of_marshaller("isSigned")),
            sign_leading: yes(of_marshaller("isSignLeading")).unwrap_or(false),
            sign_separate: yes(of_marshaller("isSignSeparate")).unwrap_or(false),
            native: yes(of_marshaller("isNativeInteger")).unwrap_or(false),
            encoding: of_marshaller("encoding").map(str::to_ascii_uppercase),
            converted: yes(e.attr("codepageConversion")).unwrap_or(true),
            children,
            line: e.line,
            column: e.column,
        })
    }

    fn extent(&self, e: &Element) -> Result<Extent> {
        let start = match e.child_text("startPos") {
            Some(text) if !text.is_empty() => {
                let position = self.number(e, "startPos", text)?;
                Some(
                    position
                        .checked_sub(1)
                        .ok_or_else(|| self.odd(e, "startPos", text))?,
                )
            }
            _ => None,
        };
        let bytes = match e.child_text("bytes") {
            Some(text) => self.number(e, "bytes", text)?,
            None => 0,
        };
        let occurs = match e.attr("maxOccurs") {
            None => None,
            Some(text) => {
                let max = self.number(e, "maxOccurs", text)?;
                let min = e
                    .attr("minOccurs")
                    .map_or(Ok(max), |t| self.number(e, "minOccurs", t))?;
                Some((min.min(max), max))
            }
        };
        Ok(Extent {
            start,
            bytes,
            occurs,
        })
    }

    fn number(&self, e: &Element, what: &str, text: &str) -> Result<usize> {
        text.trim()
            .parse::<u32>()
            .map(|n| n as usize)
            .map_err(|_| self.odd(e, what, text))
    }

    fn parsed<T: FromStr>(&self, e: &Element, what: &str, text: Option<&str>) -> Result<Option<T>> {
        let parse = |t: &str| t.parse().map_err(|_| self.odd(e, what, t));
        text.map(parse).transpose()
    }

    fn odd(&self, e: &Element, what: &str, text: &str) -> transom_messages::Problem {
        let name = e.attr("name").unwrap_or_default();
        e.problem(
            messages::ad::field_not_possible(
                name,
                format_args!("{what} \"{text}\" makes no sense"),
            ),
            self.file,
        )
    }
}

fn attr_or_child(e: &Element, name: &str) -> Option<String> {
    e.attr(name)
        .or_else(|| e.child_text(name))
        .filter(|t| !t.is_empty())
        .map(str::to_owned)
}

/// The default of a field or of an entry in the service file; `isHex` says that it is written as
/// bytes.
pub(super) fn default_value(e: &Element) -> std::result::Result<Option<Literal>, String> {
    let Some(text) = e.attr("defaultValue").filter(|t| !t.is_empty()) else {
        return Ok(None);
    };
    if yes(e.attr("isHex")) != Some(true) {
        return Ok(Some(Literal::Text(text.to_owned())));
    }
    let digits = text.strip_prefix("0x").unwrap_or(text).as_bytes();
    let byte = |pair: &[u8]| {
        std::str::from_utf8(pair)
            .ok()
            .and_then(|p| u8::from_str_radix(p, 16).ok())
    };
    let bytes: Option<Vec<u8>> = if digits.len() % 2 == 0 {
        digits.chunks(2).map(byte).collect()
    } else {
        None
    };
    bytes
        .map(|b| Some(Literal::Bytes(b)))
        .ok_or_else(|| text.to_owned())
}

pub(super) fn yes(text: Option<&str>) -> Option<bool> {
    match text?.trim().to_ascii_uppercase().as_str() {
        "Y" | "YES" | "TRUE" | "1" => Some(true),
        "N" | "NO" | "FALSE" | "0" => Some(false),
        _ => None,
    }
}
