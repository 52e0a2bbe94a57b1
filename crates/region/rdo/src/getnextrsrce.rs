//! EXEC CICS CSD GETNEXTRSRCE: the next definition of a browse, with its attributes.
//!
//! By type, then by name. Conditions: ILLOGIC 1 (no such browse); END 1; LENGERR 1 (ATTRIBUTES are
//! longer than the area; the browse has gone on).

use crate::asked::{Failed, Unit, give_attributes, give_kind, look};
use crate::browse::not_started;
use transom_commands::opt;
use transom_csd::{Look, Resource};
use transom_region_task::command::Cx;

/// The command.
pub(crate) fn getnextrsrce(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    let Some(browse) = &cx.task.browses.definitions.resources else {
        return not_started();
    };
    let (group, last) = (browse.group.clone(), browse.last.clone());
    let after = last.map(|(kind, name)| Resource {
        kind,
        name,
        group: group.clone(),
    });
    let next = Look::NextDefinition {
        group: group.clone(),
        after,
    };
    let found = look(cx, next)?;
    if let Some(browse) = &mut cx.task.browses.definitions.resources {
        browse.last = Some((found.kind.clone(), found.name.clone()));
    }
    give_kind(cx, &found.kind);
    cx.set_text(opt::RESID, &found.name);
    cx.set_text(opt::GROUP, &group);
    give_attributes(cx, &found.attributes)?;
    Ok(Unit::Goes)
}
