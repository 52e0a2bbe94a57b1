//! The tables an encoder parses by. Offsets count from the start of the enclosing element.

use super::error::ConvertError;
use super::json::{Chars, Raw};
use super::leaf::Leaf;
use super::number::Number;
use crate::shape::OverrideId;

/// What a value of the document becomes.
#[derive(Debug, Clone)]
pub(super) enum Item {
    Leaf {
        offset: usize,
        len: usize,
        leaf: Leaf,
    },
    Object(Vec<Member>),
    Array(Box<Elements>),
}

/// An elementary, group or table item with its name for messages.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) item: Item,
    pub(super) field: String,
}

#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) name: String,
    /// The name as it is usually written: in quotes, with a colon.
    pub(super) key: Box<[u8]>,
    pub(super) target: Target,
    pub(super) arm: Option<Box<Chosen>>,
}

/// What is done when a document has the member of a redefinition.
#[derive(Debug, Clone)]
pub(super) struct Chosen {
    /// The redefined area, numbered within its object.
    pub(super) area: usize,
    pub(super) offset: usize,
    /// Initial bytes of this arm.
    pub(super) initial: Vec<u8>,
    /// Element to step out to, offset and bytes of the field its rule compares.
    pub(super) mark: Option<(u8, usize, Vec<u8>)>,
}

#[derive(Debug, Clone)]
pub(super) struct Elements {
    pub(super) offset: usize,
    pub(super) stride: usize,
    pub(super) min: usize,
    pub(super) max: usize,
    pub(super) element: Target,
    pub(super) counter: Option<CountField>,
}

/// A counter to be set.
#[derive(Debug, Clone)]
pub(super) struct CountField {
    pub(super) up: u8,
    pub(super) offset: usize,
    pub(super) len: usize,
    pub(super) number: Number,
    /// Its value in a record without the table.
    pub(super) preset: u128,
    pub(super) field: String,
}

/// A value from outside the document.
#[derive(Debug, Clone)]
pub(super) struct Outside {
    pub(super) id: OverrideId,
    pub(super) offset: usize,
    pub(super) len: usize,
    pub(super) leaf: Leaf,
    /// JSON pointer of the member.
    pub(super) pointer: String,
    pub(super) field: String,
}

/// The member of a name.
pub(super) fn find(members: &[Member], name: &Raw<'_>) -> Result<Option<usize>, Box<ConvertError>> {
    if name.plain {
        return Ok(members
            .iter()
            .position(|member| member.name.as_bytes() == name.bytes));
    }
    let name = Chars::of(name)?.collect::<Result<String, _>>()?;
    Ok(members.iter().position(|member| member.name == name))
}
