//! The group or list that an operation changes: it is not somebody else's, and its name is free.

use super::asked::{Operation, PROTECTED, Place, Refused};
use crate::store::Csd;
use transom_messages as messages;
use transom_types::Resp;

/// What is changed: a group or a list.
enum Target<'a> {
    Group(&'a str),
    List(&'a str),
}

/// DUPRES 2 and 3, LOCKED 1 and 2.
pub(super) fn check(
    csd: &Csd,
    operation: &Operation,
    locked: &dyn Fn(&str) -> Option<String>,
) -> Result<(), Refused> {
    let target = match operation {
        Operation::Add { place, .. } => {
            free(csd, &Target::Group(&place.group))?;
            Target::List(&place.list)
        }
        Operation::Append { list, to } => {
            free(csd, &Target::List(list))?;
            Target::List(to)
        }
        Operation::Copy { resource, to, .. } if to.is_empty() => Target::Group(&resource.group),
        Operation::Copy { to, .. } => Target::Group(to),
        Operation::Alter { resource, .. }
        | Operation::Define { resource, .. }
        | Operation::Delete { resource, .. }
        | Operation::Rename { resource, .. } => Target::Group(&resource.group),
        Operation::Lock(place) | Operation::Unlock(place) => either(place),
        Operation::Remove(place) => Target::List(&place.list),
    };
    // What must be there already cannot have the name of the other.
    let makes = !matches!(
        operation,
        Operation::Alter { .. }
            | Operation::Delete { .. }
            | Operation::Remove(_)
            | Operation::Rename { .. }
    );
    if makes {
        free(csd, &target)?;
    }
    let (Target::Group(name) | Target::List(name)) = target;
    own(name, locked)?;
    if let Operation::Delete {
        resource,
        from_lists: true,
    } = operation
    {
        let lists = csd.lists.iter();
        let with = lists.filter(|(_, groups)| groups.contains(&resource.group));
        for (list, _) in with {
            own(list, locked)?;
        }
    }
    Ok(())
}

/// A group that is not there has not the name of a list, nor the other way round.
fn free(csd: &Csd, target: &Target<'_>) -> Result<(), Refused> {
    match target {
        Target::Group(name) if csd.group(name).is_none() && csd.list(name).is_some() => {
            let message = messages::cs::name_is_a_list(name);
            Err(Refused::new(Resp::DUPRES, 2, message))
        }
        Target::List(name) if csd.list(name).is_none() && csd.group(name).is_some() => {
            let message = messages::cs::name_is_a_group(name);
            Err(Refused::new(Resp::DUPRES, 3, message))
        }
        _ => Ok(()),
    }
}

fn own(name: &str, locked: &dyn Fn(&str) -> Option<String>) -> Result<(), Refused> {
    if name.starts_with(PROTECTED) {
        let message = messages::cs::name_is_protected(name);
        return Err(Refused::new(Resp::LOCKED, 2, message));
    }
    match locked(name) {
        Some(other) => {
            let message = messages::am::group_locked(name, &other);
            Err(Refused::new(Resp::LOCKED, 1, message))
        }
        None => Ok(()),
    }
}

fn either(place: &Place) -> Target<'_> {
    match place.list.is_empty() {
        true => Target::Group(&place.group),
        false => Target::List(&place.list),
    }
}
