//! Operator messages: one page per message id.
//!
//! What: the pages of `pages/` (text, explanation, system action, user response), embedded. Why:
//! the id in a log line must lead to help without a network. Not here: who issues a message.
//!
//! An id is `TXM`, two letters of the domain, four digits and the severity: `TXMPG0012E`.

#![forbid(unsafe_code)]

mod page;

pub use page::{Page, PageError, Severity, parse};

use std::fmt::Write as _;

include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// The page of a message, with or without the leading `TXM`, in either case.
pub fn lookup(id: &str) -> Option<Page> {
    let id = id.trim().to_ascii_uppercase();
    let stem = id.strip_prefix("TXM").unwrap_or(&id);
    let at = FILES.binary_search_by_key(&stem, |file| file.0).ok()?;
    parse(FILES[at].0, FILES[at].1).ok()
}

/// All pages in id order. A page that does not parse is left out (the crate's test finds it).
pub fn all() -> Vec<Page> {
    FILES
        .iter()
        .filter_map(|(stem, text)| parse(stem, text).ok())
        .collect()
}

/// File name without ending and text of every page, as embedded.
pub fn files() -> &'static [(&'static str, &'static str)] {
    FILES
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
            let _ = write!(
                out,
                "\n## {domain}: {}\n",
                page::domain_name(domain).unwrap_or("other")
            );
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
