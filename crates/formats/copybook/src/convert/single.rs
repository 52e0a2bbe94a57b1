//! The number in one item, for who shows storage item by item.
//!
//! Not here: records ([`Decoder`](super::Decoder)), items that are no numbers.

use super::error::ConvertError;
use super::leaf::Leaf;
use super::page::Page;
use crate::layout::FieldKind;
use crate::shape::{self, Kind, Properties, RecordFormat};

/// The number in an item's bytes, as in JSON. `None`: it is no number, or has more digits than are
/// converted. Errors: `TXMCB0603E` and `TXMCB0605E`, the bytes have no value.
pub fn number_in(
    kind: &FieldKind,
    bytes: &[u8],
    format: &RecordFormat,
) -> Option<Result<String, Box<ConvertError>>> {
    let kind = match kind {
        FieldKind::Float4 => Kind::Float { len: 4 },
        FieldKind::Float8 => Kind::Float { len: 8 },
        other => shape::number(other)?,
    };
    let properties = Properties {
        data_screening: true,
        ..Properties::default()
    };
    let page = Page::of(format.ccsid).ok()?;
    let leaf = Leaf::compile(&kind, "", &properties, format, &page).ok()?;
    if bytes.len() != kind.leaf_len() {
        return None;
    }
    let mut shown = Vec::new();
    let put = leaf.put(&mut shown, bytes, 0);
    Some(put.map(|()| String::from_utf8_lossy(&shown).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Layout, ParseOptions, Profile, SourceFormat, parse};

    /// What an item of this description says; `None`: no number.
    fn says(description: &str, bytes: &[u8]) -> Option<String> {
        let options = ParseOptions {
            format: SourceFormat::Free,
            ..ParseOptions::default()
        };
        let (book, _) = parse(&format!("01 A {description}."), &options);
        let layout = Layout::new(&book, Profile::Native).unwrap();
        let kind = &layout[layout.roots[0]].kind;
        let number = number_in(kind, bytes, &RecordFormat::region())?;
        Some(number.unwrap_or_else(|_| "no number".to_owned()))
    }

    #[test]
    fn numbers_of_each_usage() {
        let table: [(&str, &[u8], &str); 12] = [
            ("PIC S9(3)V99 COMP-3", &[0x00, 0x12, 0x5C], "1.25"),
            ("PIC S9V99 COMP-3", &[0x00, 0x5D], "-0.05"),
            ("PIC S9V99 COMP-3", &[0x20, 0x20], "no number"),
            ("PIC S9(4) COMP-5", &[1, 0], "1"),
            ("PIC S9(4) COMP", &[0xFF, 0xF9], "-7"),
            ("PIC 9(4) COMP", &[0x04, 0xD2], "1234"),
            ("PIC 99PP COMP", &[0, 12], "1200"),
            ("PIC S9(3)", b"12J", "-121"),
            ("PIC S9(3)", b"   ", "no number"),
            // An unsigned item with blanks has digits on z/OS.
            ("PIC 9(3)", b" 12", "12"),
            ("COMP-2", &1.5_f64.to_le_bytes(), "1.5"),
            ("COMP-2", &f64::NAN.to_le_bytes(), "no number"),
        ];
        for (description, bytes, number) in table {
            let shown = says(description, bytes);
            assert_eq!(shown.as_deref(), Some(number), "{description} {bytes:?}");
        }
        assert_eq!(says("PIC X(3)", b"123"), None);
        assert_eq!(says("PIC 9(3)", b"12"), None);
    }
}
