//! An event of XML PARSE: what the special registers hold.
//!
//! Not here: which event comes (`scan`), what follows it (`procedure`).

/// XML-CODE of an EXCEPTION: return code and reason code of z/OS XML System Services.
pub(super) const NOT_WELL_FORMED: i32 = 0x000C_0000;
pub(super) const BAD_CHARACTER: i32 = 0x000C_3030;
pub(super) const OTHER_END_TAG: i32 = 0x000C_3035;
/// The document ends before its root element does.
pub(super) const END_OF_BUFFER: i32 = 0x0004_1301;
/// A prefix that is not declared, of an element and of an attribute: warnings of Enterprise COBOL.
pub(super) const ELEMENT_PREFIX: i32 = 0x0004_0800;
pub(super) const ATTRIBUTE_PREFIX: i32 = 0x0004_0801;

/// A document is no longer than an item.
pub(super) const LENGTH_MAX: usize = 134_217_727;

/// What the processing procedure is told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Event {
    /// XML-EVENT.
    pub name: &'static str,
    /// XML-TEXT.
    pub text: Vec<u8>,
    /// XML-NAMESPACE.
    pub namespace: Vec<u8>,
    /// XML-NAMESPACE-PREFIX.
    pub prefix: Vec<u8>,
    /// Texts are UTF-16, the high byte first, and belong to XML-NTEXT, XML-NNAMESPACE and
    /// XML-NNAMESPACE-PREFIX.
    pub national: bool,
    /// XML-INFORMATION.
    pub information: i32,
    /// XML-CODE.
    pub code: i32,
}

impl Event {
    pub(super) fn new(name: &'static str) -> Self {
        Self {
            name,
            ..Self::default()
        }
    }

    pub(super) fn with_text(name: &'static str, text: Vec<u8>) -> Self {
        Self {
            name,
            text,
            information: 1,
            ..Self::default()
        }
    }

    pub(super) fn exception(code: i32) -> Self {
        Self {
            code,
            ..Self::new("EXCEPTION")
        }
    }

    /// A character that the document's characters lack.
    pub(super) fn character(name: &'static str, c: char) -> Self {
        let mut units = [0; 2];
        let units = c.encode_utf16(&mut units).iter();
        Self {
            national: true,
            ..Self::with_text(name, units.copied().flat_map(u16::to_be_bytes).collect())
        }
    }
}
