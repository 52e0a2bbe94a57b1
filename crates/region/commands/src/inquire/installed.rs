//! EXEC CICS INQUIRE TSMODEL and TRANCLASS (each with START, NEXT, END), SET TRANCLASS.
//!
//! Conditions: NOTFND 1, TCIDERR 1 (no such resource), ILLOGIC 1, END 2 (browse); SET TRANCLASS:
//! INVREQ 2 (MAXACTIVE), 3 (PURGETHRESH). Not here: kinds with a group of shared memory for each
//! resource (`kind`).

use super::answer::{constants, tell};
use super::browse::{Wanted, wanted_of};
use super::kind;
use super::region_facts;
use crate::command::{Cx, Done, Fail, NORMAL, raise};
use transom_commands::opt;
use transom_resources::ResourceKind;
use transom_types::{Resp, TransClass};
use transom_wire::definitions::TsModelEntry;
use transom_wire::system::{ClassFacts, Request};

/// INQUIRE TSMODEL.
pub(crate) fn ts_model(cx: &mut Cx<'_>) -> Done {
    let names = |cx: &mut Cx<'_>| {
        let models = TsModelEntry::all(cx.host.shared());
        Ok(models.iter().map(|model| model.name.to_vec()).collect())
    };
    let Wanted::Name(name) = wanted_of(cx, opt::TSMODEL, 8, names)? else {
        return NORMAL;
    };
    let models = TsModelEntry::all(cx.host.shared());
    let Some(model) = models.into_iter().find(|model| model.name[..] == name) else {
        return raise(Resp::NOTFND, 1);
    };
    constants(cx, ResourceKind::TsModel);
    model.answers(&mut |option, told| tell(cx, option, told));
    cx.set_bytes(opt::PREFIX, &model.prefix, b' ');
    NORMAL
}

/// INQUIRE TRANCLASS.
pub(crate) fn class(cx: &mut Cx<'_>) -> Done {
    let names = |cx: &mut Cx<'_>| {
        let classes = region_facts::classes(cx)?;
        Ok(classes.iter().map(|c| c.name.as_bytes().to_vec()).collect())
    };
    let Wanted::Name(name) = wanted_of(cx, opt::TRANCLASS, 8, names)? else {
        return NORMAL;
    };
    let class = find_class(cx, &name)?;
    constants(cx, ResourceKind::TranClass);
    cx.set_number(opt::ACTIVE, i64::from(class.active));
    cx.set_number(opt::QUEUED, i64::from(class.queued));
    cx.set_number(opt::MAXACTIVE, i64::from(class.max_active));
    cx.set_number(opt::PURGETHRESH, i64::from(class.purge_threshold));
    NORMAL
}

fn find_class(cx: &mut Cx<'_>, name: &[u8]) -> Result<ClassFacts, Fail> {
    let mut classes = region_facts::classes(cx)?.into_iter();
    let found = classes.find(|class| class.name.as_bytes()[..] == *name);
    found.map_or_else(|| raise(Resp::TCIDERR, 1), Ok)
}

/// SET TRANCLASS.
pub(crate) fn set_class(cx: &mut Cx<'_>) -> Done {
    let name = cx.name::<8>(opt::TRANCLASS).unwrap_or([b' '; 8]);
    cx.resource(&name);
    let number = |option| kind::number(cx, ResourceKind::TranClass, option);
    let max_active = number(opt::MAXACTIVE)?;
    let threshold = number(opt::PURGETHRESH)?;
    cx.ask(&Request::SetClass {
        name: TransClass::from_field(&name),
        max_active,
        purge_threshold: threshold,
    })?;
    NORMAL
}
