//! EXEC CICS INQUIRE JOURNALMODEL (with START, NEXT, END).
//!
//! A browse goes by JOURNALNAME, names that leave something open behind those that do not.
//! Conditions: NOTFND 1, ILLOGIC 1, END 2 (browse). Not here: DISCARD, which is that of all kinds
//! (`kind`).

use super::browse::{Wanted, wanted_in_order};
use super::kind;
use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_types::Resp;
use transom_wire::definitions::{Installed, JournalModel};

/// INQUIRE JOURNALMODEL.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    let names = |cx: &mut Cx<'_>| {
        let mut models = JournalModel::all(cx.host.shared());
        models.sort_by_cached_key(JournalModel::order);
        Ok(models.iter().map(|model| model.name.to_vec()).collect())
    };
    let Wanted::Name(name) = wanted_in_order(cx, opt::JOURNALMODEL, 8, names)? else {
        return NORMAL;
    };
    match JournalModel::named(cx.host.shared(), &name) {
        Some(model) => kind::answer(cx, &model),
        None => return raise(Resp::NOTFND, 1),
    }
    NORMAL
}
