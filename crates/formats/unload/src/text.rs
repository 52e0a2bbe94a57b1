//! Characters of a file.

use transom_copybook::CodePage;

/// Code of the characters in a file.
#[derive(Debug, Clone, Copy)]
pub enum Characters {
    Page(&'static CodePage),
    Utf8,
}

impl Characters {
    pub(crate) fn decode(self, bytes: &[u8]) -> Option<String> {
        match self {
            Self::Page(page) => Some(page.decode(bytes)),
            Self::Utf8 => Some(str::from_utf8(bytes).ok()?.to_owned()),
        }
    }

    /// The error is a character that the code has not got.
    pub(crate) fn encode(self, text: &str) -> Result<Vec<u8>, char> {
        match self {
            Self::Page(page) => {
                let byte = |c| page.from_char(c).ok_or(c);
                text.chars().map(byte).collect()
            }
            Self::Utf8 => Ok(text.as_bytes().to_vec()),
        }
    }

    pub(crate) fn blank(self) -> u8 {
        match self {
            Self::Page(page) => page.space,
            Self::Utf8 => b' ',
        }
    }
}
