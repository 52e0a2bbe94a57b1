//! EXEC CICS RUN TRANSID: start a child that runs beside the task.
//!
//! CHANNEL copies the channel as it is now; one that does not exist is made. CHILD gets 16 binary
//! bytes that FETCH CHILD and FREE CHILD ask for. The child runs for the parent's user. Conditions:
//! TRANSIDERR, DISABLED, INVREQ (a transaction of another system), CHANNELERR 1 (name), NOSTART
//! (the task has too many children, or the region takes no more work).

use super::copied_channel::copied_channel;
use crate::command::{Cx, Done, NORMAL};
use crate::task::association::hand_on;
use transom_commands::opt;
use transom_types::TransId;
use transom_wire::asynchronous::Request;

/// The command.
pub(crate) fn run(cx: &mut Cx<'_>) -> Done {
    let transid = cx.name::<4>(opt::TRANSID).unwrap_or([b' '; 4]);
    cx.resource(&transid);
    let channel = copied_channel(cx)?;
    let token = cx.ask(&Request::Run {
        transid: TransId::from_field(&transid),
        userid: cx.task.userid,
        channel,
        inherited: hand_on(cx),
    })?;
    cx.set_bytes(opt::CHILD, &token, 0);
    NORMAL
}
