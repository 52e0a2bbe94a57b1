//! Installing DB2CONN, DB2ENTRY and DB2TRAN: what must be there, and what must not be in use.
//!
//! Not here: installing in general (`region/server`), what statements make of it (`attachment`).

use transom_messages::{self as messages, Message};
use transom_wire::Shared;
use transom_wire::definitions::{Db2Connection, Db2ThreadEntry, Entry, Installed};

/// The moment allows to install it. At a start nothing is in use.
///
/// # Errors
/// Says what stands against it.
pub fn installable(entry: &Entry, shared: &dyn Shared, start: bool) -> Result<(), Message> {
    let connection = || Db2Connection::only(shared);
    match entry {
        Entry::Db2Conn(_) if !start && connection().is_some_and(|old| old.connected) => {
            Err(messages::am::in_use_disconnect())
        }
        Entry::Db2Entry(_) | Entry::Db2Tran(_) if connection().is_none() => {
            Err(messages::am::no_db2conn())
        }
        Entry::Db2Entry(new) => {
            let old = Db2ThreadEntry::find(shared, new.name);
            match !start && old.is_some_and(|old| old.enabled) {
                true => Err(messages::am::in_use_disable()),
                false => Ok(()),
            }
        }
        Entry::Db2Tran(new) => match new.same_transid(shared) {
            Some(other) => {
                let name = String::from_utf8_lossy(&other.name).trim_end().to_owned();
                Err(messages::am::same_transid(name, new.transid))
            }
            None => Ok(()),
        },
        _ => Ok(()),
    }
}
