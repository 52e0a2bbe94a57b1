//! What differs from CICS TS, Enterprise COBOL and the utilities of z/OS: the rows, and the page
//! `docs/reference/differences.md`.
//!
//! What: differences that no other table knows stand in `table/`, one file per area; those of
//! commands, resource definitions and system initialization come from their own tables, so that the
//! page cannot say less than the region does. Why: who moves an application must find on one page
//! what will be different, and nothing else. Not here: what works as on z/OS, and how to do things.

#![forbid(unsafe_code)]

mod page;
mod system_programming;

pub use page::reference_page;
pub use system_programming::commands_page;

include!(concat!(env!("OUT_DIR"), "/areas.rs"));

/// The differences of one area.
#[derive(Debug, Clone, Copy)]
pub struct Area {
    /// Heading on the page.
    pub title: &'static str,
    /// `CICS TS`, `Enterprise COBOL` or `z/OS utilities`.
    pub product: &'static str,
    /// In the order of the file.
    pub rows: &'static [Row],
}

/// One difference.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// What it is about.
    pub subject: &'static str,
    /// What z/OS does.
    pub there: &'static str,
    /// What Transom does.
    pub here: &'static str,
    /// Messages that tell it when it happens.
    pub told: &'static [&'static str],
    /// Pages with more about it, from the root of the project.
    pub see: &'static [&'static str],
}

/// All areas, those of one product together.
pub fn areas() -> &'static [Area] {
    AREAS
}
