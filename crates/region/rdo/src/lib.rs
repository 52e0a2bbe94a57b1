//! EXEC CICS CSD, inside a worker: resource definitions by programs.
//!
//! What: [`run`] carries a command out, one file each; what they share is `asked`. Why a room:
//! these commands take nothing from others, and `region/commands` is full. The region keeps the
//! definitions, CEDA and these commands work on the same ones. Not here: which definitions are
//! refused (`formats/csd`), writing them (`region/decks`), ending the unit of work, which the
//! command processor does ([`Unit`]).

#![forbid(unsafe_code)]

mod add;
mod alter;
mod append;
mod asked;
mod browse;
mod copy;
mod define;
mod delete;
mod disconnect;
mod endbrgroup;
mod endbrlist;
mod endbrrsrce;
mod getnextgroup;
mod getnextlist;
mod getnextrsrce;
mod inquiregroup;
mod inquirelist;
mod inquirersrce;
mod install;
mod lock;
mod remove;
mod rename;
mod startbrgroup;
mod startbrlist;
mod startbrrsrce;
mod unlock;
mod userdefine;

use transom_commands::{CommandId, cmd};
use transom_region_task::command::{Cx, Fail, raise};
use transom_types::Resp;

pub use asked::{ATTRIBUTES_BYTES_MAX, Failed, Unit};

/// A command function.
type Handler = fn(&mut Cx<'_>) -> Result<Unit, Failed>;

#[rustfmt::skip]
const ROWS: &[(CommandId, Handler)] = &[
    (cmd::CSD_ADD, add::add),
    (cmd::CSD_ALTER, alter::alter),
    (cmd::CSD_APPEND, append::append),
    (cmd::CSD_COPY, copy::copy),
    (cmd::CSD_DEFINE, define::define),
    (cmd::CSD_DELETE, delete::delete),
    (cmd::CSD_DISCONNECT, disconnect::disconnect),
    (cmd::CSD_ENDBRGROUP, endbrgroup::endbrgroup),
    (cmd::CSD_ENDBRLIST, endbrlist::endbrlist),
    (cmd::CSD_ENDBRRSRCE, endbrrsrce::endbrrsrce),
    (cmd::CSD_GETNEXTGROUP, getnextgroup::getnextgroup),
    (cmd::CSD_GETNEXTLIST, getnextlist::getnextlist),
    (cmd::CSD_GETNEXTRSRCE, getnextrsrce::getnextrsrce),
    (cmd::CSD_INQUIREGROUP, inquiregroup::inquiregroup),
    (cmd::CSD_INQUIRELIST, inquirelist::inquirelist),
    (cmd::CSD_INQUIRERSRCE, inquirersrce::inquirersrce),
    (cmd::CSD_INSTALL, install::install),
    (cmd::CSD_LOCK, lock::lock),
    (cmd::CSD_REMOVE, remove::remove),
    (cmd::CSD_RENAME, rename::rename),
    (cmd::CSD_STARTBRGROUP, startbrgroup::startbrgroup),
    (cmd::CSD_STARTBRLIST, startbrlist::startbrlist),
    (cmd::CSD_STARTBRRSRCE, startbrrsrce::startbrrsrce),
    (cmd::CSD_UNLOCK, unlock::unlock),
    (cmd::CSD_USERDEFINE, userdefine::userdefine),
];

/// Commands this room carries out.
pub fn commands() -> impl Iterator<Item = CommandId> {
    ROWS.iter().map(|row| row.0)
}

/// Carries the command out.
///
/// # Errors
/// Its condition, and whether the unit of work is backed out.
pub fn run(cx: &mut Cx<'_>) -> Result<Unit, Failed> {
    let id = cx.call.command();
    match ROWS.iter().find(|row| row.0 == id) {
        Some((_, handler)) => handler(cx),
        None => raise::<Unit>(Resp::INVREQ, 0).map_err(Fail::into),
    }
}
