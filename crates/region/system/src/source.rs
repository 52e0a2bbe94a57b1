//! Reads COBOL, copybooks, maps and decks, also those that came from the mainframe as they were.
//!
//! Why apart: other texts of a system directory (server.xml) are written here and are never EBCDIC.
//! Not here: what makes EBCDIC recognisable (`transom_copybook`).

use crate::finding::Finding;
use std::path::Path;
use transom_copybook::CodePage;
use transom_copybook::codepage::source_text;
use transom_messages::{Message, si};

/// Longest name of a member.
const MEMBER_MAX: usize = 8;

/// The page a setting names; the settings accept no other.
pub fn page(name: &str) -> &'static CodePage {
    CodePage::by_name(name).unwrap_or(CodePage::all()[0])
}

/// Text of a source, and a notice where it is EBCDIC.
///
/// # Errors
/// TXMSI0007E: it cannot be read. TXMSI0047E: it is EBCDIC and its lines cannot be told.
pub fn read_source(
    path: &Path,
    shown: &str,
    page: &CodePage,
) -> Result<(String, Vec<Finding>), Message> {
    let bytes = std::fs::read(path).map_err(|e| si::not_read(path.display(), e))?;
    let read = source_text(bytes, page).map_err(|_| si::ebcdic_without_lines(shown))?;
    let notice = read.ebcdic.then(|| si::ebcdic_source(shown, page.name));
    Ok((read.text, notice.map(Finding::notice).into_iter().collect()))
}

/// The name as that of a member of a library, if it can be one.
pub(crate) fn member_name(text: &str) -> Option<String> {
    let national = |c: char| "@#$".contains(c);
    let first = text.chars().next()?;
    let fits = (first.is_ascii_alphabetic() || national(first))
        && text.len() <= MEMBER_MAX
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || national(c));
    fits.then(|| text.to_ascii_uppercase())
}
