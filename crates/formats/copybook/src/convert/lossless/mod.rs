//! Whole records as JSON that gives the same bytes back.
//!
//! What: [`Lossless::decode`] shows a record, [`Lossless::encode`] makes it of what was shown, with
//! the changes somebody made. Why beside [`Decoder`](super::Decoder) and
//! [`Encoder`](super::Encoder): a record holds more than its values. Bytes that the values alone
//! would not give back (signs written another way, digits that are none, storage no item names)
//! stand in one more member, [`BYTES`]; they apply as long as the value they belong to is
//! unchanged, so an edited value always wins. All redefinitions are members; those a document gives
//! must agree. Not here: files of records, speed.
//!
//! Both work on the record with all tables at their largest sizes, in which every item has one
//! place; `expand` and [`compact`](super::slide::compact) turn a record into that and back.

mod expand;
mod marks;
mod show;
mod store;
mod value;

use super::encode::Encoder;
use super::error::ConvertError;
use super::items::Target;
use super::plan::Scope;
use crate::shape::{Count, Kind, Node, Presence, Properties, RecordFormat, Shape, UnknownMembers};
use expand::Expanded;
use transom_messages::{self as messages, Message, Problem};

/// The member with the bytes of a record that its values do not give back. Its members are named by
/// JSON pointers to values, by offsets (decimal, as in the layout of the copybook), or `end`,
/// `length` and `record`; all but `length` are hexadecimal.
pub const BYTES: &str = "$bytes";

/// Shows records and makes records of what it showed.
#[derive(Debug, Clone)]
pub struct Lossless {
    root: Target,
    scopes: Vec<Scope>,
    template: Vec<u8>,
    notes: Vec<Message>,
}

/// What was noticed when a record was shown.
#[derive(Debug, Default)]
pub struct Shown {
    /// Values that are none of their item, or the reason why the record as a whole has no values.
    pub invalid: Vec<ConvertError>,
    /// Length of the record as its tables say; less bytes may have been there.
    pub length: usize,
}

impl Lossless {
    /// For all items of a shape, hidden ones too. A table whose counter is no number is taken to be
    /// full; [`Lossless::notes`] says so. Problems as those of [`Encoder::compile`].
    pub fn compile(mut shape: Shape, format: &RecordFormat) -> Result<Lossless, Problem> {
        let mut notes = Vec::new();
        complete(&mut shape.root, &mut notes);
        let properties = Properties {
            escape_output_control_characters: true,
            initialize_input_fields: true,
            enforce_min_array_occurrence: false,
            unknown_members: UnknownMembers::Refuse,
            ..Properties::default()
        };
        let mut encoder = Encoder::compile(&shape, &properties, format)?;
        if encoder.scopes.iter().any(overlapping) {
            // Tables that share storage cannot move what is behind them.
            let fixed = RecordFormat {
                odo_slides: false,
                ..format.clone()
            };
            encoder = Encoder::compile(&shape, &properties, &fixed)?;
        }
        Ok(Lossless {
            root: encoder.root,
            scopes: encoder.scopes,
            template: encoder.template,
            notes,
        })
    }

    /// What is to be known about every record.
    pub fn notes(&self) -> &[Message] {
        &self.notes
    }

    /// Length of the record with all tables full, in bytes.
    pub fn max_record_len(&self) -> usize {
        self.template.len()
    }

    /// Records differ in length.
    pub fn varies(&self) -> bool {
        self.scopes.iter().any(|scope| !scope.tables.is_empty())
    }

    /// Length of the record at the start of `data`, as its tables say.
    pub fn record_len(&self, data: &[u8]) -> Result<usize, ConvertError> {
        match Expanded::of(&self.scopes, data) {
            Ok(expanded) => Ok(expanded.length),
            Err(error) => Err(*error),
        }
    }
}

/// Shows what is hidden, and makes tables whose counter is no number full.
fn complete(node: &mut Node, notes: &mut Vec<Message>) {
    node.presence = Presence::Shown;
    match &mut node.kind {
        Kind::Object(members) => members.iter_mut().for_each(|m| complete(m, notes)),
        Kind::Array(array) => {
            if let Count::DependsOn(counter) = &array.count
                && !matches!(
                    counter.kind,
                    Kind::Zoned(_) | Kind::Packed(_) | Kind::Binary(_)
                )
            {
                notes.push(messages::cb::table_taken_full(&counter.field, &node.field));
                array.count = Count::Fixed;
            }
            complete(&mut array.element, notes);
        }
        _ => {}
    }
}

fn overlapping(scope: &Scope) -> bool {
    scope
        .tables
        .windows(2)
        .any(|pair| pair[1].offset < pair[0].end)
}
