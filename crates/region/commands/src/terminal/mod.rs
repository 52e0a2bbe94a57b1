//! Terminal control and basic mapping support.
//!
//! What: the terminal of a task as the worker knows it, and the commands that use it, a file each.
//! Reading order: here, `output` (what is sent when), `input` (what is received), `text` (code
//! pages), the commands, `bms`. Not here: sessions (region side), data streams
//! (`transom_datastream`), maps (`transom_bms`).

pub(crate) mod bms;
pub(crate) mod converse;
pub(crate) mod extract;
pub(crate) mod facts;
pub(crate) mod input;
pub(crate) mod issue;
pub(crate) mod output;
pub(crate) mod receive;
pub(crate) mod send;
pub(crate) mod signal;
mod text;

use crate::command::{Cx, Fail, ask_region, raise};
use crate::eib;
use crate::task_state::TaskState;
use bms::message::Message;
use transom_copybook::codepage::{CP037, CodePage};
use transom_datastream::ScreenSize;
use transom_types::{Resp, TransId};
use transom_wire::definitions::{ProfileEntry, UpperCase};
use transom_wire::terminal::{Asked, Facts, Input, Left, Request};
use transom_workers::seam::{Address, Host};

/// What a task knows of its terminal.
#[derive(Default)]
pub(crate) struct TaskTerminal {
    own: Option<Box<Terminal>>,
    /// The logical message being built by ACCUM, PAGING or SET; a task without terminal may route
    /// one.
    pub page: Message,
}

/// The terminal of a task.
pub(crate) struct Terminal {
    pub facts: Facts,
    pub profile: ProfileEntry,
    /// The alternate screen size is in force once what was written has been sent.
    pub alternate: bool,
    /// Records not sent yet.
    outputs: Vec<Vec<u8>>,
    output_bytes: usize,
    /// What the first RECEIVE gets.
    first: Input,
    /// Data of the last record that a RECEIVE with NOTRUNCATE left.
    rest: Vec<u8>,
    /// RETURN TRANSID, IMMEDIATE, INPUTMSG.
    pub next: Option<TransId>,
    pub immediate: bool,
    pub message: Option<Vec<u8>>,
    /// SEND PAGE RELEASE was given: all levels of the task end.
    pub released: bool,
    /// ISSUE DISCONNECT was done: the session ends with the task.
    disconnect: bool,
    /// The terminal's user area (TCTUA) in task storage; 0: none.
    user_area: Address,
}

impl TaskTerminal {
    /// The terminal, if the task has one.
    pub(crate) fn get(&self) -> Option<&Terminal> {
        self.own.as_deref()
    }

    pub(crate) fn get_mut(&mut self) -> Option<&mut Terminal> {
        self.own.as_deref_mut()
    }
}

impl Terminal {
    /// Screen size in force.
    pub(crate) fn size(&self) -> ScreenSize {
        transom_wire::terminal::screen_size(&self.facts.device, self.alternate)
    }

    /// The user area: its address, 0 when there is none, and its length.
    pub(crate) fn user_area(&self) -> (Address, usize) {
        (self.user_area, self.facts.user_area.len())
    }

    /// Code page of the device; one that is not known counts as 037.
    pub(crate) fn page_of_device(&self) -> &'static CodePage {
        CodePage::by_ccsid(self.facts.device.ccsid).unwrap_or(&CP037)
    }

    /// Input becomes upper case before programs see it.
    pub(crate) fn folds(&self) -> bool {
        self.facts.upper_case == UpperCase::Yes || self.profile.upper_case
    }
}

/// The terminal of the task. Without one: INVREQ 200 in a program that a mirror linked to, else
/// `otherwise`.
pub(crate) fn own<'a>(cx: &'a mut Cx<'_>, otherwise: Resp) -> Result<&'a mut Terminal, Fail> {
    let linked = cx.task.mirror().is_some();
    match cx.task.terminal.get_mut() {
        Some(terminal) => Ok(terminal),
        None if linked => raise(Resp::INVREQ, 200),
        None => raise(otherwise, 0),
    }
}

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
        facts,
        outputs: Vec::new(),
        output_bytes: 0,
        first,
        rest: Vec::new(),
        next: None,
        immediate: false,
        message: None,
        released: false,
        disconnect: false,
        user_area,
    };
    if let Input::Record(record) = &terminal.first {
        input::show_key(host, record, terminal.size());
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
    };
    Some(left.encode())
}
