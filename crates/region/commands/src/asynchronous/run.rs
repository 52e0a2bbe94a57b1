//! EXEC CICS RUN TRANSID: start a child that runs beside the task.
//!
//! CHANNEL copies the channel as it is now; one that does not exist is made. CHILD gets 16 binary
//! bytes that FETCH CHILD and FREE CHILD ask for. The child runs for the parent's user. Conditions:
//! TRANSIDERR, DISABLED, CHANNELERR 1 (name), NOSTART (the task has too many children, or the
//! region takes no more work).

use super::copied_channel;
use crate::command::{Cx, Done, NORMAL};
use transom_commands::opt;
use transom_wire::asynchronous::ask;
use transom_wire::codec::Writer;
use transom_wire::requests::Domain;

/// The command.
pub(crate) fn run(cx: &mut Cx<'_>) -> Done {
    let transid = cx.name::<4>(opt::TRANSID).unwrap_or([b' '; 4]);
    cx.resource(&transid);
    let channel = copied_channel(cx)?;
    let bytes = channel.as_ref().map_or(0, Vec::len);
    let mut out = Writer::with_capacity(bytes + 32);
    out.u8(ask::RUN)
        .raw(&transid)
        .raw(cx.task.userid.as_bytes())
        .raw(&channel.unwrap_or_default());
    let token = cx.ask(Domain::Child, &out.0)?;
    cx.set_bytes(opt::CHILD, &token, 0);
    NORMAL
}
