//! Messages: their texts, their pages, and the way to the operator.
//!
//! What: `chapters/` has one file for each domain; a section is a message with its texts,
//! explanation, system action and user response. From each text comes a constructor, whose
//! parameters are the inserts: `pg::not_defined(name)` is
//! `TXMPG0001E program PAY is not defined and has no module`. Why: a text stands once, can't differ
//! from its page, and the id in a log line leads to help without a network. Not here: who issues a
//! message; where lines to the operator go ([`Operator`] takes a sink).
//!
//! An id is `TXM`, two letters of the domain, four digits and the severity.

#![forbid(unsafe_code)]

mod abends;
mod cics;
mod few;
mod message;
mod operator;
mod pace;
mod page;
mod problem;

pub use abends::{Abend, abend, abends, abends_page};
pub use cics::as_cics;
pub use few::{Crowd, Few, TOLD};
pub use message::{Message, Severity, Text};
pub use operator::{Line, Operator, Said, Source, Who};
pub use pace::Pace;
pub use page::Page;
pub use problem::{Place, Problem};

use std::fmt::Write as _;

include!(concat!(env!("OUT_DIR"), "/chapters.rs"));

/// The page of a message, with or without the leading `TXM` and the severity behind, in either
/// case. Some have the numbers of CICS: `DFHAC2001` is TXMAC2001E.
pub fn lookup(id: &str) -> Option<Page> {
    let id = id.trim().to_ascii_uppercase();
    let of_cics = id.strip_prefix("DFH").filter(|stem| cics::is_of_cics(stem));
    let stem = of_cics.or(id.strip_prefix("TXM")).unwrap_or(&id);
    let number = stem.get(..ID_LENGTH).unwrap_or(stem);
    let of = |page: &Page| page.id.get(3..).unwrap_or("");
    let at = PAGES.partition_point(|page| of(page) < number);
    let page = PAGES.get(at)?;
    let fits = match stem.len() {
        ID_LENGTH => of(page).get(..ID_LENGTH) == Some(stem),
        _ => of(page) == stem,
    };
    fits.then_some(*page)
}

/// Two letters of the domain and four digits.
const ID_LENGTH: usize = 6;

/// All pages in id order.
pub fn all() -> &'static [Page] {
    PAGES
}

/// All texts in id order.
pub fn texts() -> &'static [Text] {
    TEXTS
}

/// The page `docs/reference/messages.md`.
pub fn reference_page() -> String {
    let mut out = String::from(
        "# Messages\n\nGenerated from the message pages; do not edit.\n\n\
         The last letter of an id is the severity: I information, W warning, E error, S severe.\n",
    );
    let mut domain = "";
    for page in all() {
        if page.domain() != domain {
            domain = page.domain();
            let _ = write!(out, "\n## {domain}: {}\n", page.domain);
        }
        let _ = write!(
            out,
            "\n### {}\n\n`{}`\n\n{}\n\n*System action.* {}\n\n*User response.* {}\n",
            page.id(),
            page.text,
            page.explanation,
            page.system_action,
            page.user_response
        );
    }
    out
}
