//! Hashes of passwords and phrases.
//!
//! Why argon2id: a stolen file must not give the passwords away. Not here: where a hash is kept.

use argon2::Argon2;
use argon2::password_hash::rand_core::OsRng;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use std::sync::OnceLock;
use transom_messages::{self as messages, Message};
use transom_wire::secret::Secret;

/// The hash of a secret, with a salt of its own.
///
/// # Errors
/// It is not acceptable.
pub(super) fn hashed(secret: &Secret) -> Result<String, Message> {
    if !secret.is_acceptable() {
        return Err(messages::xs::password_not_possible());
    }
    let salt = SaltString::generate(&mut OsRng);
    let hash = Argon2::default().hash_password(secret.bytes(), &salt);
    hash.map(|hash| hash.to_string())
        .map_err(messages::xs::not_hashed)
}

/// Whether a secret fits; without a usable hash the same work is done on one nobody's secret fits.
pub(super) fn matches(hash: &str, secret: &Secret) -> bool {
    static NOBODY: OnceLock<String> = OnceLock::new();
    let nobody = NOBODY.get_or_init(|| hashed(&Secret::password(b"nobody")).unwrap_or_default());
    let parsed = PasswordHash::new(hash);
    let known = parsed.is_ok() && !secret.is_empty();
    let Ok(hash) = parsed.or_else(|_| PasswordHash::new(nobody)) else {
        return false;
    };
    Argon2::default()
        .verify_password(secret.bytes(), &hash)
        .is_ok()
        && known
}
