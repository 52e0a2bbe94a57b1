//! What a task tells the region about pages it built for later.
//!
//! Not here: pages while they are built (`region/commands`), what the region does with them
//! (`region/server/terminal::paging`).

use crate::language;
use transom_types::TermId;

language! {
    /// A request about the task's logical message.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum PageRequest {
        /// More pages for one kind of terminal.
        1 = Keep(group: u16, pages: Vec<Vec<u8>>),
        /// The message is complete.
        2 = Deliver(delivery: Delivery),
        /// The message is given up.
        3 = Purge,
        /// A paging command a user typed behind CSPG.
        4 = Command(text: Vec<u8>),
    }

    /// Where and how a message goes.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Delivery {
        /// When the task's own user sees it.
        pub when: When,
        /// OPERPURGE: only a purge command ends the session.
        pub operator_purges: bool,
        /// TITLE of ROUTE, in the code page of programs.
        pub title: Vec<u8>,
        /// Milliseconds until it is delivered.
        pub delay_ms: u64,
        /// Kind of terminal, as in [`PageRequest::Keep`], and terminal.
        pub targets: Vec<(u16, TermId)>,
    }

    /// When the first page is shown.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum When {
        /// When the terminal is free.
        0 = Free,
        /// At once; the task ends (RELEASE).
        1 = Release,
        /// At once; the task goes on when the user has seen it (RETAIN).
        2 = Retain,
    }
}
