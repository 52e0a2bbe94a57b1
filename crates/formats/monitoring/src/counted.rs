//! Which command counts in which field.
//!
//! Why here: workers count what the table says, and a command that is added counts by its row.
//! Totals are not counted but added up ([`crate::Record::add_up`]); a command that counts in a
//! total alone has it here. Not here: counts that depend on what a command finds (main or auxiliary
//! storage, whether a RECEIVE MAP waited).

use crate::{FieldId, field};
use transom_commands::{CommandId, cmd};

/// The field a command counts in.
pub fn counter_of(command: CommandId) -> Option<FieldId> {
    let row = ROWS.iter().find(|(id, _)| *id == command);
    row.map(|(_, field)| *field)
}

#[rustfmt::skip]
const ROWS: &[(CommandId, FieldId)] = &[
    (cmd::READ, field::FCGETCT),
    (cmd::REWRITE, field::FCPUTCT),
    (cmd::READNEXT, field::FCBRWCT),
    (cmd::READPREV, field::FCBRWCT),
    (cmd::WRITE, field::FCADDCT),
    (cmd::DELETE, field::FCDELCT),
    (cmd::STARTBR, field::FCTOTCT),
    (cmd::ENDBR, field::FCTOTCT),
    (cmd::RESETBR, field::FCTOTCT),
    (cmd::UNLOCK, field::FCTOTCT),
    (cmd::READQ_TS, field::TSGETCT),
    (cmd::DELETEQ_TS, field::TSTOTCT),
    (cmd::READQ_TD, field::TDGETCT),
    (cmd::WRITEQ_TD, field::TDPUTCT),
    (cmd::DELETEQ_TD, field::TDPURCT),
    (cmd::LINK, field::PCLINKCT),
    (cmd::XCTL, field::PCXCTLCT),
    (cmd::LOAD, field::PCLOADCT),
    (cmd::START, field::ICPUINCT),
    (cmd::CANCEL, field::ICTOTCT),
    (cmd::DELAY, field::ICTOTCT),
    (cmd::RETRIEVE, field::ICTOTCT),
    (cmd::GETMAIN, field::SCUGETCT),
    (cmd::GETMAIN64, field::SCUGETCT),
    (cmd::SYNCPOINT, field::SPSYNCCT),
    (cmd::WRITE_JOURNALNAME, field::JNLWRTCT),
    (cmd::WRITE_JOURNALNUM, field::JNLWRTCT),
    (cmd::SEND_MAP, field::BMSOUTCT),
    (cmd::SEND_MAP_MAPPINGDEV, field::BMSOUTCT),
    (cmd::SEND_TEXT, field::BMSTOTCT),
    (cmd::SEND_TEXT_NOEDIT, field::BMSTOTCT),
    (cmd::SEND_TEXT_MAPPED, field::BMSTOTCT),
    (cmd::SEND_CONTROL, field::BMSTOTCT),
    (cmd::PUT_CONTAINER, field::PGPUTCCT),
    (cmd::PUT64_CONTAINER, field::PGPUTCCT),
    (cmd::GET_CONTAINER, field::PGGETCCT),
    (cmd::GET64_CONTAINER, field::PGGETCCT),
    (cmd::MOVE_CONTAINER, field::PGMOVCCT),
    (cmd::STARTBROWSE_CONTAINER, field::PGBRWCCT),
    (cmd::GETNEXT_CONTAINER, field::PGBRWCCT),
    (cmd::ENDBROWSE_CONTAINER, field::PGBRWCCT),
    (cmd::DELETE_CONTAINER, field::PGTOTCCT),
];
