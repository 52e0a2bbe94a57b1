//! What a task knows of its terminal.

use super::bms::state::Message;
use transom_copybook::codepage::{CP037, CodePage};
use transom_datastream::ScreenSize;
use transom_types::TransId;
use transom_wire::definitions::{ProfileEntry, UpperCase};
use transom_wire::terminal::{Facts, Input};
use transom_workers::seam::Address;

/// The terminal of a task, if it has one, and the message it builds.
#[derive(Default)]
pub(crate) struct TaskTerminal {
    pub(super) own: Option<Box<Terminal>>,
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
    pub(super) outputs: Vec<Vec<u8>>,
    pub(super) output_bytes: usize,
    /// What the first RECEIVE gets.
    pub(super) first: Input,
    /// Data of the last record that a RECEIVE with NOTRUNCATE left.
    pub(super) rest: Vec<u8>,
    /// RETURN TRANSID, IMMEDIATE, INPUTMSG.
    pub next: Option<TransId>,
    pub immediate: bool,
    pub message: Option<Vec<u8>>,
    /// SEND PAGE RELEASE was given: all levels of the task end.
    pub released: bool,
    /// ISSUE DISCONNECT was done: the session ends with the task.
    pub(super) disconnect: bool,
    /// The terminal's user area (TCTUA) in task storage; 0: none.
    pub(super) user_area: Address,
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
