//! Changes of definitions as EXEC CICS CSD asks for them: conditions, and the statement that does
//! it.
//!
//! What: an [`Operation`](asked::Operation), and [`Csd::statement`], which checks one and answers a
//! statement as DFHCSDUP takes it. Why: a change is a statement in a deck whoever makes it, CEDA, a
//! program or `transom csd`; what is here is only what CICS tells programs by RESP and RESP2. Not
//! here: carrying statements out (`apply`), locks (whoever keeps the decks), reading (`look`).
//!
//! RESP2 is the same number in all these commands: INVREQ 1 (RESTYPE), 2 (GROUP), 3 (LIST), 4
//! (RESID), 5 (BEFORE), 6 (AFTER), 7 (TO), 8 (AS), and the mistake in ATTRIBUTES as for CREATE;
//! DUPRES 1 (it is there), 2 (the group is a list), 3 (the list is a group); LOCKED 1 (by somebody
//! else), 2 (supplied by IBM); NOTFND 1 (resource), 2 (group), 3 (list), 4 (BEFORE, AFTER).

pub(crate) mod asked;
pub(crate) mod names;
mod target;

use crate::MAX_DEFINITIONS;
use crate::attributes::Fault;
use crate::definition::Definition;
use crate::store::Csd;
use crate::write::{write_as, write_statement};
use asked::{Duplicates, Operation, Place, Refused, Resource};
use names::{Named, no_list};
use transom_messages as messages;
use transom_resources::ResourceKind;
use transom_types::Resp;

/// Group and name of the definition whose attributes USERDEFINE begins with.
pub(crate) const USER_GROUP: &str = "USERDEF";
pub(crate) const USER_NAME: &str = "USER";

/// RESP2 of a mistake in ATTRIBUTES: its number in the low halfword, in the high one the offset
/// where CICS has one.
pub fn attributes_resp2(fault: Fault, at: usize) -> u32 {
    let offset = (at as u32 & 0x7FFF) << 16;
    match fault {
        Fault::Delimiter => offset | 400,
        Fault::Keyword => offset | 401,
        Fault::Twice => 406,
        Fault::Value | Fault::Name => 410,
        Fault::NoValue => 412,
    }
}

impl Csd {
    /// The statement that makes a change. `locked`: the other user who has locked a group or list.
    ///
    /// # Errors
    /// The condition that CICS raises.
    pub fn statement(
        &self,
        operation: &Operation,
        locked: &dyn Fn(&str) -> Option<String>,
    ) -> Result<String, Refused> {
        let named = Named::of(operation)?;
        target::check(self, operation, locked)?;
        match operation {
            Operation::Add {
                place,
                before,
                after,
            } => self.add_statement(place, before, after),
            Operation::Alter {
                resource,
                attributes,
            } => {
                let kind = named.kind()?;
                self.present(kind, resource)?;
                let definition = of_text(kind, resource, attributes)?;
                Ok(write_as("ALTER", &definition))
            }
            Operation::Append { list, to } => {
                let parts = [operand("LIST", list), operand("TO", to)];
                self.list(list).ok_or_else(|| no_list("APPEND", list))?;
                Ok(write_statement("APPEND", &parts))
            }
            Operation::Copy {
                resource,
                new_name,
                to,
                duplicates,
            } => self.copy_statement(&named, resource, (new_name, to), *duplicates),
            Operation::Define {
                resource,
                attributes,
                user_defaults,
            } => self.define_statement(&named, resource, attributes, *user_defaults),
            Operation::Delete {
                resource,
                from_lists,
            } => self.delete_statement(&named, resource, *from_lists),
            Operation::Lock(place) => Ok(write_statement("LOCK", &[place_operand(place)])),
            Operation::Unlock(place) => Ok(write_statement("UNLOCK", &[place_operand(place)])),
            Operation::Remove(place) => self.remove_statement(place),
            Operation::Rename { resource, new_name } => {
                let kind = named.kind()?;
                self.present(kind, resource)?;
                self.absent(kind, new_name, &resource.group)?;
                let mut parts = definition_operands(kind, resource);
                parts.push(operand("AS", new_name));
                Ok(write_statement("RENAME", &parts))
            }
        }
    }

    fn define_statement(
        &self,
        named: &Named,
        resource: &Resource,
        attributes: &str,
        user_defaults: bool,
    ) -> Result<String, Refused> {
        let kind = named.kind()?;
        let given = of_text(kind, resource, attributes)?;
        self.absent(kind, &given.name, &resource.group)?;
        self.has_room(1)?;
        let definition = match user_defaults {
            true => self.with_user_defaults(&given)?,
            false => given,
        };
        Ok(write_as("DEFINE", &definition))
    }

    fn remove_statement(&self, place: &Place) -> Result<String, Refused> {
        let groups = self.list(&place.list);
        let groups = groups.ok_or_else(|| no_list("REMOVE", &place.list))?;
        if !groups.contains(&place.group) {
            let what = format!("group {} in list {}", place.group, place.list);
            let message = messages::cs::nothing_to_remove("REMOVE", &what);
            return Err(Refused::new(Resp::NOTFND, 2, message));
        }
        let parts = [operand("GROUP", &place.group), operand("LIST", &place.list)];
        Ok(write_statement("REMOVE", &parts))
    }

    /// The definition with what USER in USERDEF says where it says nothing itself.
    pub(crate) fn with_user_defaults(&self, given: &Definition) -> Result<Definition, Refused> {
        let users = self.group(USER_GROUP).unwrap_or_default();
        let user = users
            .iter()
            .find(|d| d.kind == given.kind && d.name == USER_NAME);
        let Some(user) = user else {
            let message = messages::cs::no_user_defaults(given.kind.keyword());
            return Err(Refused::new(Resp::NOTFND, 1, message));
        };
        let mut whole = Definition {
            attributes: user.attributes.clone(),
            ..given.clone()
        };
        for (keyword, value) in &given.attributes {
            whole.set(keyword, value.clone());
        }
        Ok(whole)
    }

    fn add_statement(&self, place: &Place, before: &str, after: &str) -> Result<String, Refused> {
        let (group, list) = (&place.group, &place.list);
        let groups = self.list(list).unwrap_or_default();
        if groups.contains(group) {
            let message = messages::cs::already_in_list(group, list);
            return Err(Refused::new(Resp::DUPRES, 1, message));
        }
        let mut parts = vec![operand("GROUP", group), operand("LIST", list)];
        for (keyword, other) in [("BEFORE", before), ("AFTER", after)] {
            if other.is_empty() {
                continue;
            }
            if !groups.iter().any(|name| name == other) {
                let message = messages::cs::not_in_list(other, list);
                return Err(Refused::new(Resp::NOTFND, 4, message));
            }
            parts.push(operand(keyword, other));
        }
        Ok(write_statement("ADD", &parts))
    }

    fn copy_statement(
        &self,
        named: &Named,
        resource: &Resource,
        (new_name, to): (&str, &str),
        duplicates: Duplicates,
    ) -> Result<String, Refused> {
        let target = if to.is_empty() { &resource.group } else { to };
        let mut parts = match named.kind {
            Some(kind) => {
                self.present(kind, resource)?;
                definition_operands(kind, resource)
            }
            None => {
                self.present_group(&resource.group)?;
                vec![operand("GROUP", &resource.group)]
            }
        };
        if duplicates == Duplicates::Refused {
            for copied in self.group(&resource.group).unwrap_or_default() {
                let is = |kind| copied.kind == kind && copied.name == resource.name;
                if named.kind.is_none_or(is) {
                    let name = match new_name.is_empty() {
                        true => &copied.name,
                        false => new_name,
                    };
                    self.absent(copied.kind, name, target)?;
                }
            }
        }
        let all = self.group(&resource.group).unwrap_or_default().len();
        self.has_room(named.kind.map_or(all, |_| 1))?;
        if !to.is_empty() {
            parts.push(operand("TO", to));
        }
        if !new_name.is_empty() {
            parts.push(operand("AS", new_name));
        }
        match duplicates {
            Duplicates::Refused => {}
            Duplicates::Kept => parts.push("MERGE".into()),
            Duplicates::Replaced => parts.push("REPLACE".into()),
        }
        Ok(write_statement("COPY", &parts))
    }

    fn delete_statement(
        &self,
        named: &Named,
        resource: &Resource,
        from_lists: bool,
    ) -> Result<String, Refused> {
        let mut parts = match named.kind {
            Some(kind) => {
                self.present(kind, resource)?;
                definition_operands(kind, resource)
            }
            None => {
                self.present_group(&resource.group)?;
                vec!["ALL".into(), operand("GROUP", &resource.group)]
            }
        };
        if from_lists {
            parts.push("REMOVE".into());
        }
        Ok(write_statement("DELETE", &parts))
    }

    fn has_room(&self, more: usize) -> Result<(), Refused> {
        if self.definition_count() + more <= MAX_DEFINITIONS {
            return Ok(());
        }
        let message = messages::cs::too_many_definitions(MAX_DEFINITIONS);
        Err(Refused::new(Resp::CSDERR, 3, message))
    }

    fn present_group(&self, group: &str) -> Result<&[Definition], Refused> {
        self.group(group).ok_or_else(|| {
            let message = messages::cs::group_not_found(group);
            Refused::new(Resp::NOTFND, 2, message)
        })
    }

    /// The group has the definition.
    pub(crate) fn present(
        &self,
        kind: ResourceKind,
        resource: &Resource,
    ) -> Result<&Definition, Refused> {
        let all = self.present_group(&resource.group)?;
        let found = all
            .iter()
            .find(|d| d.kind == kind && d.name == resource.name);
        found.ok_or_else(|| {
            let what = format!("{}({})", kind.keyword(), resource.name);
            let message = messages::cs::nothing_in_group(what, &resource.group);
            Refused::new(Resp::NOTFND, 1, message)
        })
    }

    /// The group does not have it yet.
    fn absent(&self, kind: ResourceKind, name: &str, group: &str) -> Result<(), Refused> {
        let there = self.groups.get(group);
        if there.is_some_and(|there| there.contains(kind, name)) {
            let what = format!("{}({name})", kind.keyword());
            let message = messages::cs::already_defined(what, group);
            return Err(Refused::new(Resp::DUPRES, 1, message));
        }
        Ok(())
    }
}

fn of_text(kind: ResourceKind, resource: &Resource, text: &str) -> Result<Definition, Refused> {
    let text = text.trim_end_matches('\0');
    // A new line in a value would be another statement.
    if let Some(at) = text.find(char::is_control) {
        let resp2 = attributes_resp2(Fault::Delimiter, at);
        let message = messages::cs::control_character(kind.keyword(), &resource.name);
        return Err(Refused::new(Resp::INVREQ, resp2, message));
    }
    let definition = Definition::of_text(kind, &resource.name, text).map_err(|wrong| {
        let resp2 = attributes_resp2(wrong.fault, wrong.at);
        Refused::new(Resp::INVREQ, resp2, wrong.message)
    })?;
    Ok(Definition {
        group: resource.group.clone(),
        ..definition
    })
}

fn operand(keyword: &str, value: &str) -> String {
    format!("{keyword}({value})")
}

fn place_operand(place: &Place) -> String {
    match place.list.is_empty() {
        true => operand("GROUP", &place.group),
        false => operand("LIST", &place.list),
    }
}

fn definition_operands(kind: ResourceKind, resource: &Resource) -> Vec<String> {
    vec![
        operand(kind.keyword(), &resource.name),
        operand("GROUP", &resource.group),
    ]
}
