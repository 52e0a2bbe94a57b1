//! What a task knows of its terminal.

use crate::bms::Message;
use transom_copybook::codepage::{CP037, CodePage};
use transom_datastream::ScreenSize;
use transom_types::TransId;
use transom_wire::definitions::{ProfileEntry, UpperCase};
use transom_wire::terminal::{Facts, Input};
use transom_workers::seam::Address;

/// The terminal of a task, if it has one, and the message it builds.
#[derive(Default)]
pub struct TaskTerminal {
    pub own: Option<Box<Terminal>>,
    /// The logical message being built by ACCUM, PAGING or SET; a task without terminal may route
    /// one.
    pub page: Message,
}

/// The terminal of a task.
pub struct Terminal {
    pub facts: Facts,
    pub profile: ProfileEntry,
    /// The alternate screen size is in force once what was written has been sent.
    pub alternate: bool,
    /// The same of what has been sent.
    pub alternate_sent: bool,
    /// Records not sent yet.
    pub outputs: Vec<Vec<u8>>,
    pub output_bytes: usize,
    /// What the first RECEIVE gets.
    pub first: Input,
    /// INPUTMSG of LINK, XCTL or RETURN: what the next read gets, before anything else.
    pub passed: Option<Passed>,
    /// Data of the last record that a RECEIVE with NOTRUNCATE left.
    pub rest: Vec<u8>,
    /// RETURN TRANSID, IMMEDIATE, INPUTMSG.
    pub next: Option<TransId>,
    pub immediate: bool,
    pub message: Option<Vec<u8>>,
    /// SEND PAGE RELEASE was given: all levels of the task end.
    pub released: bool,
    /// ISSUE DISCONNECT was done: the session ends with the task.
    pub disconnect: bool,
    /// What the user is told at the bottom of the screen when the task has ended.
    pub notice: Option<String>,
    /// The terminal's user area (TCTUA) in task storage; 0: none.
    pub user_area: Address,
    /// The user was asked for more than what began the task.
    pub read: bool,
    /// Something was written, sent or not.
    pub wrote: bool,
}

/// INPUTMSG that nobody has received yet.
pub struct Passed {
    pub data: Vec<u8>,
    /// Number of the level it was passed to; it is gone when that has ended. 0: the next read of
    /// any.
    pub level: usize,
}

impl TaskTerminal {
    /// The terminal, if the task has one.
    pub fn get(&self) -> Option<&Terminal> {
        self.own.as_deref()
    }

    pub fn get_mut(&mut self) -> Option<&mut Terminal> {
        self.own.as_deref_mut()
    }
}

impl Terminal {
    /// Screen size in force.
    pub fn size(&self) -> ScreenSize {
        transom_wire::terminal::screen_size(&self.facts.device, self.alternate)
    }

    /// The next read gets this.
    pub fn pass(&mut self, message: Passed) {
        self.passed = Some(message);
    }

    /// Bytes of INPUTMSG that nobody has received yet.
    pub fn passed_bytes(&self) -> usize {
        self.passed.as_ref().map_or(0, |passed| passed.data.len())
    }

    /// A level has ended: what was passed to it alone is gone.
    pub fn level_ended(&mut self, level: usize) {
        if self
            .passed
            .as_ref()
            .is_some_and(|passed| passed.level == level)
        {
            self.passed = None;
        }
    }

    /// The user area: its address, 0 when there is none, and its length.
    pub fn user_area(&self) -> (Address, usize) {
        (self.user_area, self.facts.user_area.len())
    }

    /// Code page of the device; one that is not known counts as 037.
    pub fn page_of_device(&self) -> &'static CodePage {
        CodePage::by_ccsid(self.facts.device.ccsid).unwrap_or(&CP037)
    }

    /// Input becomes upper case before programs see it.
    pub fn folds(&self) -> bool {
        self.facts.upper_case == UpperCase::Yes || self.profile.upper_case
    }
}
