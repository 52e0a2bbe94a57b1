//! EXEC CICS INQUIRE, SET and DISCARD DB2CONN, DB2ENTRY and DB2TRAN: what the table of kinds does
//! not say.
//!
//! AUTHTYPE is NOTAPPLIC where there is an AUTHID. The connection is discarded only when it is not
//! in use, and takes all entries and transactions with it; an entry only when it is disabled. Two
//! DB2TRANs cannot name the same transactions. Conditions: NOTFND 1; INVREQ 2 (DISCARD of what is
//! in use), INVREQ 991 (BUSY(FORCE)), INVREQ 992 and 993 (a value, a TRANSID SET does not take; own
//! numbers). Differs: SET does not wait until the last unit of work has ended (BUSY(WAIT)).

use super::kind::{self, Verb, take_off};
use crate::command::{Cx, Done, Fail, NORMAL, raise};
use crate::unsupported::OPTION_NOT_IMPLEMENTED;
use transom_commands::{OptionId, opt};
use transom_types::Resp;
use transom_wire::definitions::{
    Db2AuthType, Db2Connection, Db2ThreadEntry, Db2Transaction, Installed,
};

/// RESP2 of INVREQ: it is in use.
const IN_USE: u32 = 2;
/// RESP2 of INVREQ: another DB2TRAN names the transactions.
const SAME_TRANSID: u32 = 993;

/// INQUIRE DB2CONN.
pub(crate) fn inquire_connection(cx: &mut Cx<'_>) -> Done {
    let Some(entry) = kind::inquired::<Db2Connection>(cx)? else {
        return NORMAL;
    };
    kind::answer(cx, &entry);
    let [word, _] = auth_words(entry.authtype);
    auth_type(cx, opt::AUTHTYPE, entry.authid.is_blank(), word);
    let [_, word] = auth_words(entry.comauthtype);
    auth_type(cx, opt::COMAUTHTYPE, entry.comauthid.is_blank(), word);
    NORMAL
}

/// INQUIRE DB2ENTRY.
pub(crate) fn inquire_entry(cx: &mut Cx<'_>) -> Done {
    let Some(entry) = kind::inquired::<Db2ThreadEntry>(cx)? else {
        return NORMAL;
    };
    kind::answer(cx, &entry);
    let [word, _] = auth_words(entry.authtype);
    auth_type(cx, opt::AUTHTYPE, entry.authid.is_blank(), word);
    NORMAL
}

/// Of threads, and of threads for commands.
fn auth_words(of: Db2AuthType) -> [&'static str; 2] {
    match of {
        Db2AuthType::UserId => ["USERID", "CUSERID"],
        Db2AuthType::Group => ["GROUP", "CGROUP"],
        Db2AuthType::Sign => ["SIGN", "CSIGN"],
        Db2AuthType::Term => ["TERM", "CTERM"],
        Db2AuthType::Tx => ["TX", "CTX"],
        Db2AuthType::OpId => ["OPID", "COPID"],
    }
}

fn auth_type(cx: &mut Cx<'_>, option: OptionId, by_type: bool, word: &'static str) {
    cx.set_cvda(option, if by_type { word } else { "NOTAPPLIC" });
}

/// SET DB2CONN.
pub(crate) fn set_connection(cx: &mut Cx<'_>) -> Done {
    busy(cx)?;
    kind::set::<Db2Connection>(cx)
}

/// SET DB2ENTRY.
pub(crate) fn set_entry(cx: &mut Cx<'_>) -> Done {
    busy(cx)?;
    kind::set::<Db2ThreadEntry>(cx)
}

/// Tasks that use SQL are not purged for a SET.
fn busy(cx: &Cx<'_>) -> Result<(), Fail> {
    match cx.cvda_is(opt::BUSY, "FORCE") {
        true => raise(Resp::INVREQ, OPTION_NOT_IMPLEMENTED),
        false => Ok(()),
    }
}

/// SET DB2TRAN.
pub(crate) fn set_transaction(cx: &mut Cx<'_>) -> Done {
    let (_, before) = kind::named::<Db2Transaction>(cx, Verb::Set)?;
    let mut entry = before.clone();
    kind::change(cx, &mut entry)?;
    if entry.same_transid(cx.host.shared()).is_some() {
        return raise(Resp::INVREQ, SAME_TRANSID);
    }
    kind::keep(cx, &before, &entry, Resp::INVREQ)
}

/// DISCARD DB2CONN.
pub(crate) fn discard_connection(cx: &mut Cx<'_>) -> Done {
    let (name, entry) = kind::named::<Db2Connection>(cx, Verb::Discard)?;
    if entry.connected {
        return raise(Resp::INVREQ, IN_USE);
    }
    discard_every::<Db2Transaction>(cx)?;
    discard_every::<Db2ThreadEntry>(cx)?;
    take_off(cx, Db2Connection::KIND.keyword(), &name)
}

fn discard_every<T: Installed>(cx: &mut Cx<'_>) -> Result<(), Fail> {
    for name in cx.host.shared().group_names(T::SPACE) {
        take_off(cx, T::KIND.keyword(), &name)?;
    }
    Ok(())
}

/// DISCARD DB2ENTRY.
pub(crate) fn discard_entry(cx: &mut Cx<'_>) -> Done {
    let (name, entry) = kind::named::<Db2ThreadEntry>(cx, Verb::Discard)?;
    if entry.enabled {
        return raise(Resp::INVREQ, IN_USE);
    }
    take_off(cx, Db2ThreadEntry::KIND.keyword(), &name)
}
