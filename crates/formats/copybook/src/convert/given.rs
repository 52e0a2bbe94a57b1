//! What of a document went into a record: nothing of it may be there although it is valid.

use super::error::ConvertError;
use super::items::{Item, Target, find};
use super::json::Cursor;

/// What of a document went into a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given {
    /// At least one value.
    Values,
    /// Nothing, although it has members: the record has none of them.
    OtherMembers,
    /// Nothing: it is empty.
    Nothing,
}

/// What of a valid document without effect on its record was used.
#[cold]
pub(super) fn given(root: &Target, json: &[u8]) -> Given {
    let mut cursor = Cursor::new(json);
    let mut others = false;
    match cursor.at_end() || !gives(&mut cursor, root, &mut others).unwrap_or(true) {
        false => Given::Values,
        true if others => Given::OtherMembers,
        true => Given::Nothing,
    }
}

/// Whether a document gives a value at all; `others` becomes true for members that are not there.
fn gives(
    cursor: &mut Cursor<'_>,
    target: &Target,
    others: &mut bool,
) -> Result<bool, Box<ConvertError>> {
    let Item::Object(members) = &target.item else {
        return Ok(cursor.token()? != b"null");
    };
    if !cursor.eat(b'{') {
        cursor.skip()?;
        return Ok(false);
    }
    let mut any = false;
    while !cursor.eat(b'}') {
        let name = cursor.string("a member name")?;
        cursor.expect(b':', "':'")?;
        match find(members, &name)? {
            Some(index) => any |= gives(cursor, &members[index].target, others)?,
            None => {
                *others = true;
                cursor.skip()?;
            }
        }
        cursor.eat(b',');
    }
    Ok(any)
}
