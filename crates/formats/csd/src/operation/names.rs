//! The names that an operation or a look gives: which characters CICS takes.

use super::asked::{Operation, Place, Refused, Resource};
use transom_messages as messages;
use transom_resources::ResourceKind;
use transom_types::Resp;

/// Longest name of a group or a list.
const NAME: usize = 8;

/// RESP2 of INVREQ for a name.
pub(crate) const GROUP: u32 = 2;
pub(crate) const LIST: u32 = 3;
const RESTYPE: u32 = 1;
const RESID: u32 = 4;

/// What an operation is about, its names checked.
pub(crate) struct Named {
    /// `None`: a whole group, or nothing of a kind.
    pub(crate) kind: Option<ResourceKind>,
}

impl Named {
    /// Checks all names.
    pub(super) fn of(operation: &Operation) -> Result<Self, Refused> {
        let mut kind = None;
        match operation {
            Operation::Add {
                place,
                before,
                after,
            } => {
                both(place)?;
                optional("BEFORE", before, 5)?;
                optional("AFTER", after, 6)?;
                if !before.is_empty() && !after.is_empty() {
                    let message = messages::cs::operands_exclude("BEFORE", "AFTER");
                    return Err(Refused::new(Resp::INVREQ, 6, message));
                }
            }
            Operation::Append { list, to } => {
                word("LIST", list, LIST)?;
                word("TO", to, 7)?;
            }
            Operation::Copy {
                resource,
                new_name,
                to,
                ..
            } => {
                kind = of_resource(resource, true)?;
                optional("TO", to, 7)?;
                match kind {
                    Some(kind) if !new_name.is_empty() => resid("AS", kind, new_name, 8)?,
                    None if !new_name.is_empty() => {
                        let message = messages::cs::operands_exclude("AS", "GROUP");
                        return Err(Refused::new(Resp::INVREQ, 8, message));
                    }
                    _ if to.is_empty() => word("TO", to, 7)?,
                    _ => {}
                }
            }
            Operation::Define { resource, .. } | Operation::Alter { resource, .. } => {
                kind = of_resource(resource, false)?;
            }
            Operation::Delete { resource, .. } => kind = of_resource(resource, true)?,
            Operation::Lock(place) | Operation::Unlock(place) => one(place)?,
            Operation::Remove(place) => both(place)?,
            Operation::Rename { resource, new_name } => {
                kind = of_resource(resource, false)?;
                if let Some(kind) = kind {
                    resid("AS", kind, new_name, 8)?;
                }
            }
        }
        Ok(Self { kind })
    }

    /// The kind where there must be one.
    pub(super) fn kind(&self) -> Result<ResourceKind, Refused> {
        self.kind.ok_or_else(|| no_kind(""))
    }
}

/// A list that is not there.
pub(crate) fn no_list(verb: &str, list: &str) -> Refused {
    let message = messages::cs::list_not_found(verb, list);
    Refused::new(Resp::NOTFND, 3, message)
}

/// Kind and names of a resource; no kind and no name where `group` alone may stand.
pub(crate) fn of_resource(
    resource: &Resource,
    group: bool,
) -> Result<Option<ResourceKind>, Refused> {
    word("GROUP", &resource.group, GROUP)?;
    if group && resource.kind.is_empty() && resource.name.is_empty() {
        return Ok(None);
    }
    let kind = ResourceKind::by_keyword(&resource.kind);
    let kind = kind.ok_or_else(|| no_kind(&resource.kind))?;
    resid("RESID", kind, &resource.name, RESID)?;
    Ok(Some(kind))
}

/// A group or a list, and not both.
pub(crate) fn one(place: &Place) -> Result<(), Refused> {
    match (place.group.is_empty(), place.list.is_empty()) {
        (true, false) => word("LIST", &place.list, LIST),
        (false, false) => {
            let message = messages::cs::operands_exclude("GROUP", "LIST");
            Err(Refused::new(Resp::INVREQ, LIST, message))
        }
        _ => word("GROUP", &place.group, GROUP),
    }
}

/// The name of a group or list.
pub(crate) fn word(keyword: &str, value: &str, resp2: u32) -> Result<(), Refused> {
    let why = if value.is_empty() {
        "it is empty"
    } else if value.len() > NAME {
        "it has more than 8 characters"
    } else if !value.bytes().all(is_of_name) {
        "it takes A to Z, 0 to 9, $, @ and #"
    } else {
        return Ok(());
    };
    let message = messages::cs::name_not_valid(keyword, value, why);
    Err(Refused::new(Resp::INVREQ, resp2, message))
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit() || b"$@#".contains(&byte)
}

fn no_kind(kind: &str) -> Refused {
    let message = messages::cs::not_a_resource_type(kind, "");
    Refused::new(Resp::INVREQ, RESTYPE, message)
}

fn both(place: &Place) -> Result<(), Refused> {
    word("GROUP", &place.group, GROUP)?;
    word("LIST", &place.list, LIST)
}

fn optional(keyword: &str, value: &str, resp2: u32) -> Result<(), Refused> {
    match value.is_empty() {
        true => Ok(()),
        false => word(keyword, value, resp2),
    }
}

/// The name of a resource: a generic one is none.
fn resid(keyword: &str, kind: ResourceKind, value: &str, resp2: u32) -> Result<(), Refused> {
    let generic = value.contains(['*', '+']);
    let why = match crate::value::name(value, kind.name_length()) {
        Ok(_) if !generic => return Ok(()),
        Ok(_) => "a generic name stands for several".to_owned(),
        Err(why) => why,
    };
    let message = messages::cs::name_not_valid(keyword, value, &why);
    Err(Refused::new(Resp::INVREQ, resp2, message))
}
