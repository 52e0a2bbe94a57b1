//! The logical message of a task: what ACCUM and PAGING build.
//!
//! What: [`How`] a command sends, [`Message`] with one [`Group`] for each kind of terminal the
//! message is for (one without ROUTE). Not here: what may follow what (`message`).

use crate::devices::device_of;
use crate::page::Page;
use transom_bms::{Device, PageBuilder, TextBuilder};
use transom_copybook::codepage::{CP037, CodePage};
use transom_types::TermId;

/// What a task is building.
#[derive(Default)]
pub struct Message {
    pub open: Option<Open>,
    /// Who gets the next message (ROUTE).
    pub route: Option<Route>,
    /// Where the last map went, for ASSIGN.
    pub placed: Placed,
}

/// A map on the screen, from 1.
#[derive(Clone, Copy, Default)]
pub struct Placed {
    pub line: u16,
    pub column: u16,
    pub rows: u16,
    pub columns: u16,
}

/// Where complete pages go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Disposition {
    Terminal,
    Paging,
    Set,
}

/// How a command sends.
#[derive(Clone, Copy)]
pub struct How {
    pub disposition: Disposition,
    pub accum: bool,
    pub reqid: [u8; 2],
}

/// What a message is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// SEND MAP.
    Maps,
    /// SEND TEXT.
    Text,
    /// SEND CONTROL, and pages that were complete before; goes with both.
    Either,
}

/// A message that is not complete.
pub struct Open {
    pub how: How,
    pub kind: Kind,
    pub groups: Vec<Group>,
    /// The program was told that the page of this group is full.
    pub told: Option<usize>,
    /// Pages that go to the program with the next answer.
    pub returned: Vec<Page>,
}

/// Who gets a message, and what ROUTE said of it.
#[derive(Clone)]
pub struct Route {
    pub groups: Vec<(transom_types::Device, Vec<TermId>)>,
    pub title: Vec<u8>,
    pub delay_ms: u64,
    pub reqid: Option<[u8; 2]>,
}

/// The pages for one kind of terminal.
pub struct Group {
    pub facts: transom_types::Device,
    pub targets: Vec<TermId>,
    pub maps: Option<PageBuilder>,
    pub text: Option<TextBuilder>,
    /// The page was broken since the program was told.
    pub broke: bool,
    /// Complete pages so far.
    pub pages: u16,
    pub kept: Vec<Vec<u8>>,
    pub kept_bytes: usize,
    /// The region has pages of it.
    pub handed: bool,
}

impl How {
    /// The command is part of a logical message.
    pub fn is_logical(self, routed: bool) -> bool {
        let set = routed && self.disposition == Disposition::Set;
        self.accum || set || self.disposition == Disposition::Paging
    }
}

impl Message {
    /// Commands of a message are being given.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Kinds of terminals, for ASSIGN DESTCOUNT; after OVERFLOW the number of the full one.
    pub fn destinations(&self) -> usize {
        match (&self.open, &self.route) {
            (Some(open), _) if open.told.is_some() => open.told.map_or(0, |at| at + 1),
            (Some(open), _) => open.groups.len(),
            (None, Some(route)) => route.groups.len(),
            (None, None) => 0,
        }
    }

    /// Number of the page being built, for ASSIGN PAGENUM; 0 without a message.
    pub fn page_number(&self) -> u16 {
        let group = self.open.as_ref().and_then(|open| {
            let at = open.told.unwrap_or(0);
            open.groups.get(at)
        });
        group.map_or(0, |group| group.pages.saturating_add(1))
    }
}

impl Group {
    pub fn new(facts: transom_types::Device, targets: Vec<TermId>) -> Self {
        Self {
            facts,
            targets,
            maps: None,
            text: None,
            broke: false,
            pages: 0,
            kept: Vec::new(),
            kept_bytes: 0,
            handed: false,
        }
    }

    /// The device as maps see it.
    pub fn device(&self, alternate: bool) -> Device {
        device_of(&self.facts, alternate)
    }

    /// Pages the region has not got yet.
    pub fn take_kept(&mut self) -> Vec<Vec<u8>> {
        self.kept_bytes = 0;
        std::mem::take(&mut self.kept)
    }

    pub fn code_page(&self) -> &'static CodePage {
        CodePage::by_ccsid(self.facts.ccsid).unwrap_or(&CP037)
    }
}
