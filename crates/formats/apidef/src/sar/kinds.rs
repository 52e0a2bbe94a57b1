//! Elementary items of an interface as kinds of a shape.

use crate::sar::interface::Field;
use transom_copybook::shape::{Binary, BytesForm, Kind, MAX_DIGITS, Packed, Sign, Text, Zoned};

/// Kind of an elementary item of `len` bytes, or why there is none.
pub(super) fn elementary(field: &Field, len: usize) -> std::result::Result<Kind, String> {
    if len == 0 {
        return Err("it has no bytes".to_owned());
    }
    let converter = field.converter.as_deref().unwrap_or_default();
    match (field.datatype.as_str(), converter) {
        (_, "ZONEDDECIMAL") => zoned(field, len),
        (_, "PACKEDDECIMAL") => packed(field, len),
        (
            "INT" | "SHORT" | "LONG" | "BYTE" | "UINT" | "USHORT" | "ULONG" | "UBYTE" | "INTEGER",
            _,
        )
        | (
            _,
            "INT" | "SHORT" | "LONG" | "BYTE" | "UINT" | "USHORT" | "ULONG" | "UBYTE" | "INTEGER",
        ) => binary(field, len),
        ("DECIMAL", "BINARY") => binary(field, len),
        ("FLOAT" | "DOUBLE", _) | (_, "FLOAT" | "DOUBLE") if len == 4 || len == 8 => {
            Ok(Kind::Float { len })
        }
        ("BINARY", _) => Ok(Kind::Bytes {
            len,
            form: BytesForm::Hex,
        }),
        (
            "CHAR" | "VARCHAR" | "STRING" | "DATE" | "TIME" | "TIMESTAMP" | "",
            "" | "CHAR" | "CLOB",
        ) => text(field, len),
        ("DECIMAL", "") if field.precision.is_some_and(|p| usize::from(p) == len) => {
            zoned(field, len)
        }
        ("DECIMAL", "") => packed(field, len),
        (datatype, "") => Err(format!("datatype {datatype} is not supported")),
        (datatype, converter) => Err(format!(
            "datatype {datatype} with typeConverter {converter} is not supported"
        )),
    }
}

fn text(field: &Field, len: usize) -> std::result::Result<Kind, String> {
    match field.encoding.as_deref() {
        Some("UTF-16BE" | "UTF-16" | "UTF16") => {
            if len.is_multiple_of(2) {
                Ok(Kind::National { chars: len / 2 })
            } else {
                Err(format!(
                    "{len} bytes are no whole number of UTF-16 characters"
                ))
            }
        }
        None | Some("") => {
            // Without conversion a byte and a character are the same thing, which is ISO 8859-1.
            let ccsid = (!field.converted).then_some(819);
            Ok(Kind::Text(Text {
                ccsid,
                ..Text::new(len)
            }))
        }
        Some(other) => match crate::sar::manifest::ccsid(other) {
            Some(ccsid) => Ok(Kind::Text(Text {
                ccsid: Some(ccsid),
                ..Text::new(len)
            })),
            None => Err(format!("encoding {other} is not supported")),
        },
    }
}

fn digits(field: &Field, fallback: usize) -> std::result::Result<u8, String> {
    let digits = field.precision.map_or(fallback, usize::from);
    match u8::try_from(digits) {
        Ok(d) if (1..=MAX_DIGITS).contains(&d) => Ok(d),
        _ => Err(format!("{digits} digits, 1 to {MAX_DIGITS} are possible")),
    }
}

fn zoned(field: &Field, len: usize) -> std::result::Result<Kind, String> {
    let sign = match (
        field.signed == Some(true),
        field.sign_leading,
        field.sign_separate,
    ) {
        (false, _, _) => Sign::None,
        (true, false, false) => Sign::Trailing,
        (true, true, false) => Sign::Leading,
        (true, false, true) => Sign::TrailingSeparate,
        (true, true, true) => Sign::LeadingSeparate,
    };
    let separate = usize::from(matches!(
        sign,
        Sign::LeadingSeparate | Sign::TrailingSeparate
    ));
    let kind = Zoned {
        digits: digits(field, len.saturating_sub(separate))?,
        scale: field.scale,
        sign,
    };
    agree(kind.len(), len).map(|()| Kind::Zoned(kind))
}

fn packed(field: &Field, len: usize) -> std::result::Result<Kind, String> {
    let kind = Packed {
        digits: digits(field, len.saturating_mul(2).saturating_sub(1))?,
        scale: field.scale,
        signed: field.signed.unwrap_or(true),
        sign_nibble: true,
    };
    agree(kind.len(), len).map(|()| Kind::Packed(kind))
}

fn binary(field: &Field, len: usize) -> std::result::Result<Kind, String> {
    let Some(most) = [(1, 2), (2, 4), (4, 9), (8, 18)]
        .iter()
        .find(|(l, _)| *l == len)
        .map(|(_, d)| *d)
    else {
        return Err(format!(
            "a binary number of {len} bytes, 1, 2, 4 or 8 are possible"
        ));
    };
    let unsigned = field.datatype.starts_with('U')
        || field
            .converter
            .as_deref()
            .is_some_and(|c| c.starts_with('U'));
    Ok(Kind::Binary(Binary {
        len: u8::try_from(len).unwrap_or(8),
        digits: digits(field, most)?,
        scale: field.scale,
        signed: field.signed.unwrap_or(!unsigned),
        native: field.native,
        full_range: field.native,
    }))
}

fn agree(needed: usize, given: usize) -> std::result::Result<(), String> {
    if needed == given {
        Ok(())
    } else {
        Err(format!(
            "its digits need {needed} bytes, the interface gives {given}"
        ))
    }
}
