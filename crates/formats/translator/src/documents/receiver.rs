//! What a data item takes of JSON.
//!
//! Not here: where it takes it from (`filling`).

use transom_copybook::{Field, FieldKind};
use transom_documents::Receiver;

/// What an item takes; nothing of it where it is suppressed.
pub(super) fn receiver(
    field: &Field,
    suppressed: bool,
    native_binary: bool,
) -> Result<Receiver, String> {
    let text = |characters: usize, justified, alphabetic| Receiver::Text {
        characters: u32::try_from(characters).unwrap_or(u32::MAX),
        justified,
        alphabetic,
    };
    if suppressed && field.kind != FieldKind::Group {
        return Ok(text(0, false, false));
    }
    if let Some((digits, scale, signed)) = field.kind.number() {
        let native = match field.kind {
            FieldKind::Binary { native, len, .. } if native || native_binary => len,
            _ => 0,
        };
        return Ok(Receiver::Number {
            whole: i32::from(digits) - i32::from(scale),
            scale: i32::from(scale),
            native,
            signed,
        });
    }
    Ok(match &field.kind {
        FieldKind::Group => Receiver::Group,
        FieldKind::Alphanumeric { justified } => {
            let picture = field.picture.as_deref().unwrap_or("X");
            let letters = picture.split(['(', ')']).step_by(2);
            let mut letters = letters.flat_map(str::chars);
            text(field.len, *justified, letters.all(|c| c == 'A'))
        }
        FieldKind::AlphanumericEdited { mask } => {
            let places = mask.chars().filter(|c| matches!(c, 'X' | 'A' | '9'));
            text(places.count(), false, false)
        }
        FieldKind::Float4 => Receiver::Float { short: true },
        FieldKind::Float8 => Receiver::Float { short: false },
        FieldKind::National { .. } | FieldKind::NationalEdited { .. } => {
            return Err(format!("the national item {}", field.name));
        }
        FieldKind::Dbcs { .. } => return Err(format!("the DBCS item {}", field.name)),
        FieldKind::Pointer => return Err(format!("the pointer {}", field.name)),
        _ => return Err(format!("the index {}", field.name)),
    })
}
