//! A code page prepared for the inner loops.

use crate::codepage::{CodePage, PLAIN};
use std::sync::Arc;
use transom_messages as messages;
use transom_messages::Problem;

/// Marks bytes in [`Page::plain`] that cannot be copied; any value with the high bit would do.
const STOP: u8 = 0xFF;
const DEL: u8 = 0x7F;

/// Tables of one code page.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) cp: &'static CodePage,
    /// The output byte of characters that stand for themselves in JSON, else a byte with the high
    /// bit set.
    pub(super) plain: [u8; 256],
    /// Plain characters keep their byte.
    pub(super) identity: bool,
}

impl Page {
    pub(super) fn of(ccsid: u16) -> Result<Arc<Page>, Problem> {
        let cp = CodePage::by_ccsid(u32::from(ccsid))
            .ok_or_else(|| Problem::from(messages::cb::code_page_unknown(ccsid)))?;
        let mut plain = [STOP; 256];
        for ((slot, class), ascii) in plain.iter_mut().zip(cp.class).zip(cp.ascii) {
            if class == PLAIN && ascii != DEL {
                *slot = ascii;
            }
        }
        let identity = (0x20..DEL)
            .filter(|b| !matches!(b, b'"' | b'\\'))
            .all(|b| plain[usize::from(b)] == b)
            && !cp.ebcdic;
        Ok(Arc::new(Page {
            cp,
            plain,
            identity,
        }))
    }
}

/// True if every byte stands for itself in a JSON string: printable ASCII except `"` and `\`.
/// Written without branches so that the compiler uses vector instructions.
#[inline]
pub(super) fn all_plain(bytes: &[u8]) -> bool {
    let mut bad = 0u8;
    for &c in bytes {
        bad |= u8::from(c < 0x20) | u8::from(c == b'"') | u8::from(c == b'\\') | u8::from(c >= DEL);
    }
    bad == 0
}

/// Replaces each byte by its entry in the table; both sides have the same length.
#[inline]
pub(super) fn translate(to: &mut [u8], from: &[u8], table: &[u8; 256]) {
    let mut to = to.chunks_exact_mut(8);
    let mut from = from.chunks_exact(8);
    for (to, from) in (&mut to).zip(&mut from) {
        for i in 0..8 {
            to[i] = table[usize::from(from[i])];
        }
    }
    for (to, from) in to.into_remainder().iter_mut().zip(from.remainder()) {
        *to = table[usize::from(*from)];
    }
}
