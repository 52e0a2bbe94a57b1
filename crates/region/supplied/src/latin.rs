//! Characters as programs see them: CCSID 819, one byte each.

/// Characters as programs see them, one byte each.
pub(crate) fn latin(text: &str) -> Vec<u8> {
    text.chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?'))
        .collect()
}
