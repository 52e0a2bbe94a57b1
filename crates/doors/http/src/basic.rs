//! Basic authentication: what a header says, and remembering it.

use argon2::password_hash::rand_core::{OsRng, RngCore};
use base64::Engine as _;
use sha2::{Digest, Sha256};

/// Longest Authorization header looked at, bytes.
const AUTHORIZATION_BYTES: usize = 2_048;

/// Name and password of an Authorization header; `None`: it has none, or is too long.
pub fn credentials(header: &[u8]) -> Option<(String, String)> {
    if header.len() > AUTHORIZATION_BYTES {
        return None;
    }
    let (scheme, encoded) = std::str::from_utf8(header).ok()?.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(encoded.trim())
        .ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let (name, password) = text.split_once(':')?;
    Some((name.to_owned(), password.to_owned()))
}

/// Digests of headers under a key of this process: who was right is remembered without a password.
pub struct Digests {
    key: [u8; 32],
}

impl Default for Digests {
    fn default() -> Self {
        let mut key = [0; 32];
        OsRng.fill_bytes(&mut key);
        Self { key }
    }
}

impl Digests {
    /// That of a header.
    pub fn of(&self, header: &[u8]) -> [u8; 32] {
        Sha256::new()
            .chain_update(self.key)
            .chain_update(header)
            .finalize()
            .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_basic_credentials_only() {
        let pair = credentials(b"Basic aWJtdXNlcjpTWVMxOng=").unwrap();
        assert_eq!(pair, ("ibmuser".into(), "SYS1:x".into()));
        assert_eq!(credentials(b"Bearer aWJtdXNlcjpTWVMx"), None);
        assert_eq!(credentials(b"Basic ****"), None);
        assert_eq!(credentials(b"Basic"), None);
    }

    #[test]
    fn a_digest_is_its_headers_and_its_keys() {
        let (one, two) = (Digests::default(), Digests::default());
        assert_eq!(one.of(b"Basic eA=="), one.of(b"Basic eA=="));
        assert_ne!(one.of(b"Basic eA=="), one.of(b"Basic eQ=="));
        assert_ne!(one.of(b"Basic eA=="), two.of(b"Basic eA=="));
    }
}
