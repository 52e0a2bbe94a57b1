//! A password or a phrase on its way to where it is checked.
//!
//! Not here: how it is stored and compared (region side).

use crate::language;

/// Longest password.
pub const PASSWORD_CHARS_MAX: usize = 8;
/// Shortest and longest phrase.
pub const PHRASE_CHARS: std::ops::RangeInclusive<usize> = 9..=100;

language! {
    /// A password or a phrase. It is wiped when dropped and never shown.
    #[derive(Clone, PartialEq, Eq)]
    pub struct Secret {
        phrase: bool,
        bytes: Vec<u8>,
    }
}

impl Secret {
    /// A password; trailing blanks and low values do not count.
    pub fn password(bytes: &[u8]) -> Self {
        Self::new(bytes, false)
    }

    /// A phrase; up to 8 characters it is a password, as in CICS.
    pub fn phrase(bytes: &[u8]) -> Self {
        let mut secret = Self::new(bytes, true);
        secret.phrase = secret.bytes.len() > PASSWORD_CHARS_MAX;
        secret
    }

    fn new(bytes: &[u8], phrase: bool) -> Self {
        let end = bytes.iter().rposition(|b| !matches!(b, b' ' | 0));
        let bytes = bytes.get(..end.map_or(0, |at| at + 1)).unwrap_or_default();
        Self {
            bytes: bytes.to_vec(),
            phrase,
        }
    }

    /// Nothing was given.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// It is a phrase, not a password.
    pub fn is_phrase(&self) -> bool {
        self.phrase
    }

    /// The characters.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// It may become somebody's secret.
    pub fn is_acceptable(&self) -> bool {
        let length = self.bytes.len();
        let graphic = |b: &u8| b.is_ascii_graphic() || *b >= 0xA1;
        match self.phrase {
            true => {
                PHRASE_CHARS.contains(&length)
                    && self.bytes.iter().all(|b| graphic(b) || *b == b' ')
            }
            false => (1..=PASSWORD_CHARS_MAX).contains(&length) && self.bytes.iter().all(graphic),
        }
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.bytes.fill(0);
        // Keeps the stores from being taken for useless.
        std::hint::black_box(&self.bytes);
    }
}
