//! Document and record of one direction, and how the record travels.
//!
//! What: cutting a record into containers and putting it together again; the JSON schema. Why:
//! interface files, copybooks and plans mean the same by it. Not here: converting values.

use serde_json::Value;
use transom_copybook::shape::{Kind, Shape};
use transom_types::ContainerName;

/// Document and carrier of one direction.
#[derive(Debug, Clone)]
pub struct ServiceData {
    /// Document and record; the containers of a channel lie one behind the other in one record.
    pub shape: Shape,
    /// How the record travels.
    pub carrier: Carrier,
}

/// How a record travels to a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Carrier {
    /// One COMMAREA.
    Commarea,
    /// Containers of one channel.
    Channel {
        /// Channel name; blank when the archive has none.
        name: String,
        /// The containers in the order of the record.
        containers: Vec<ContainerPlace>,
    },
}

/// Where a container lies in the record of a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContainerPlace {
    /// Container name.
    pub name: ContainerName,
    /// First byte in the record.
    pub offset: usize,
    /// Bytes at most.
    pub bytes: usize,
    /// CHAR container (converted by whoever gets it); else BIT.
    pub character: bool,
    /// Whether the program needs it.
    pub required: bool,
}

impl Carrier {
    /// Cuts an encoded record into containers. The record may be shorter than described (its last
    /// table is short).
    pub fn split<'a>(&self, record: &'a [u8]) -> Vec<(&ContainerPlace, &'a [u8])> {
        match self {
            Carrier::Commarea => Vec::new(),
            Carrier::Channel { containers, .. } => containers
                .iter()
                .map(|place| {
                    let end = (place.offset + place.bytes).min(record.len());
                    (place, record.get(place.offset..end).unwrap_or(&[]))
                })
                .collect(),
        }
    }

    /// Puts containers together to a record of `len` bytes. Containers nobody described are left
    /// out; what a missing or short container does not fill is blank for CHAR containers and X'00'
    /// for BIT containers.
    pub fn join<'a>(
        &self,
        len: usize,
        given: impl IntoIterator<Item = (ContainerName, &'a [u8])>,
    ) -> Vec<u8> {
        let mut record = vec![0; len];
        let Carrier::Channel { containers, .. } = self else {
            return record;
        };
        for place in containers.iter().filter(|p| p.character) {
            if let Some(area) = record.get_mut(place.offset..place.offset + place.bytes) {
                area.fill(b' ');
            }
        }
        for (name, bytes) in given {
            let Some(place) = containers.iter().find(|p| p.name == name) else {
                continue;
            };
            let n = bytes.len().min(place.bytes);
            if let Some(area) = record.get_mut(place.offset..place.offset + n) {
                area.copy_from_slice(&bytes[..n]);
            }
        }
        record
    }
}

impl ServiceData {
    /// The JSON schema a service archive holds for this direction. The containers a channel needs
    /// are required members.
    pub fn schema(&self) -> Value {
        let mut schema = crate::schema::of_shape(&self.shape);
        let Carrier::Channel { containers, .. } = &self.carrier else {
            return schema;
        };
        let needed = |field: &str| {
            containers
                .iter()
                .any(|c| c.required && c.name.as_str() == field)
        };
        if let Kind::Object(wrappers) = &self.shape.root.kind
            && let [wrapper] = wrappers.as_slice()
            && let Kind::Object(members) = &wrapper.kind
        {
            let names: Vec<&str> = members
                .iter()
                .filter(|m| needed(&m.field))
                .map(|m| m.name.as_str())
                .collect();
            if !names.is_empty() {
                schema["properties"][&wrapper.name]["required"] = names.into();
            }
        }
        schema
    }

    pub(super) fn empty() -> ServiceData {
        ServiceData {
            shape: Shape::new(Vec::new()),
            carrier: Carrier::Commarea,
        }
    }
}
