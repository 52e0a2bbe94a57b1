//! Reads COBOL, copybooks and maps, also those that came from the mainframe as they were.
//!
//! Why apart: other texts of a system directory (decks, server.xml) are written here and are never
//! EBCDIC. Not here: what makes EBCDIC recognisable (`transom_copybook`).

use crate::finding::Finding;
use std::path::Path;
use transom_copybook::CodePage;
use transom_copybook::codepage::source_text;
use transom_messages::{Message, si};

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
