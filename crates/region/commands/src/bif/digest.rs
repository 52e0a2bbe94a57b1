//! EXEC CICS BIF DIGEST: SHA-1 of some data.
//!
//! RESULT holds 40 hexadecimal digits, 20 bytes (BINARY) or 28 characters (BASE64); HEX is the
//! default. Conditions: INVREQ 1 (DIGESTTYPE not known); LENGERR 1 (RECORDLEN negative), 2 (RESULT
//! too short). SHA-1 is what the command is defined to use; it must not protect anything.

use crate::command::{Cx, Done, NORMAL, area_in, area_out, raise};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha1::{Digest as _, Sha1};
use transom_commands::opt;
use transom_types::Resp;

/// The command.
pub(crate) fn digest(cx: &mut Cx<'_>) -> Done {
    let length = match cx.number(opt::RECORDLEN) {
        Some(length) => usize::try_from(length).or_else(|_| raise(Resp::LENGERR, 1))?,
        None => cx.call.bytes(opt::RECORD).map_or(0, <[u8]>::len),
    };
    let record = area_in(cx.host, cx.call, opt::RECORD, length);
    let digest = Sha1::digest(record);
    let result = if cx.value_is(opt::BINARY, opt::DIGESTTYPE, "BINARY") {
        digest.to_vec()
    } else if cx.value_is(opt::BASE64, opt::DIGESTTYPE, "BASE64") {
        STANDARD.encode(digest).into_bytes()
    } else if cx.value_is(opt::HEX, opt::DIGESTTYPE, "HEX") || !cx.has(opt::DIGESTTYPE) {
        digest
            .iter()
            .flat_map(|byte| format!("{byte:02X}").into_bytes())
            .collect()
    } else {
        return raise(Resp::INVREQ, 1);
    };
    if cx
        .call
        .bytes(opt::RESULT)
        .is_some_and(|field| field.len() < result.len())
    {
        return raise(Resp::LENGERR, 2);
    }
    area_out(cx.host, cx.call, opt::RESULT, &result);
    NORMAL
}
