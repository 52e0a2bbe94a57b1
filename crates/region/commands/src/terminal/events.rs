//! The terminal at the beginning and the end of a task.
//!
//! What: what the region says of the terminal becomes state of the task, and what the task leaves
//! goes back with its end. Not here: pages of BMS that a task left (`bms::send_page`).

use super::state::Terminal;
use super::{input, output};
use crate::command::ask_region;
use crate::eib;
use crate::task_state::TaskState;
use transom_monitoring::field;
use transom_wire::definitions::ProfileEntry;
use transom_wire::terminal::{Asked, Facts, Input, Left, Request};
use transom_workers::seam::{Address, Host};

/// A task begins; without `facts` it has no terminal.
pub(crate) fn begin(host: &mut dyn Host, task: &mut TaskState, facts: Option<&[u8]>) {
    let Some(mut facts) = facts.and_then(Facts::decode) else {
        return;
    };
    let first = std::mem::take(&mut facts.input);
    eib::set_terminal(host.eib_mut(), facts.terminal);
    let user_area = user_area(host, &facts.user_area);
    let terminal = Terminal {
        profile: ProfileEntry::of(host.shared(), task.transaction.profile),
        alternate: facts.alternate,
        alternate_sent: facts.alternate,
        facts,
        outputs: Vec::new(),
        output_bytes: 0,
        first,
        passed: None,
        rest: Vec::new(),
        next: None,
        immediate: false,
        message: None,
        released: false,
        disconnect: false,
        notice: None,
        user_area,
        read: false,
        wrote: false,
    };
    if let Input::Record(record) = &terminal.first {
        input::show_key(host, record);
        let counts = &mut task.counts;
        counts.count_bytes((field::TCMSGIN1, field::TCCHRIN1), record.bytes.len());
    }
    task.terminal.own = Some(Box::new(terminal));
}

/// The terminal's user area as the task before left it, in storage of this task; 0: none.
fn user_area(host: &mut dyn Host, bytes: &[u8]) -> Address {
    if bytes.is_empty() {
        return 0;
    }
    let Some(address) = host.getmain(bytes.len(), None) else {
        return 0;
    };
    host.memory_mut(address, bytes.len()).copy_from_slice(bytes);
    address
}

/// The user area as the task leaves it; as it was found where the task had no room for it.
fn area_left(host: &dyn Host, terminal: &Terminal) -> Vec<u8> {
    match terminal.user_area() {
        (0, _) => terminal.facts.user_area.clone(),
        (address, bytes) => host.memory(address, bytes).to_vec(),
    }
}

/// The task ends abnormally: what it sent before is shown, the region's message comes on top. The
/// user area stays as it is: it is no recoverable resource.
pub(crate) fn at_abend(host: &mut dyn Host, task: &mut TaskState) {
    let Some(terminal) = task.terminal.get_mut() else {
        return;
    };
    let own = terminal.facts.terminal;
    let ask = |host: &mut dyn Host, request: Request| {
        // A terminal that is gone changes nothing any more.
        let _answer = ask_region(host, &Asked { own, request });
    };
    let records = output::take(terminal);
    if !records.is_empty() {
        ask(host, Request::Write(records));
    }
    let area = area_left(host, terminal);
    if area != terminal.facts.user_area {
        ask(host, Request::KeepArea(area));
    }
}

/// The task ends normally: output not yet sent and the next transaction. The COMMAREA or channel
/// for that one is the reply of the task; without one the reply is empty.
pub(crate) fn end(host: &dyn Host, task: &mut TaskState) -> Option<Vec<u8>> {
    let terminal = task.terminal.own.take()?;
    if terminal.next.is_none() {
        task.reply_area = Default::default();
        task.reply_channel = None;
    }
    let left = Left {
        user_area: area_left(host, &terminal),
        outputs: terminal.outputs,
        next: terminal.next,
        immediate: terminal.immediate,
        message: terminal.message,
        disconnect: terminal.disconnect,
        notice: terminal.notice,
    };
    Some(left.encode())
}
