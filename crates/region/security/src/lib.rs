//! Users of a region and what they may do.
//!
//! What: the registry of users with the file that is one ([`UserFile`]), rules ([`Rules`]), and
//! what comes of both for a user and a resource ([`Authority`]); wrong passwords by their place
//! ([`Attempts`]); what running tasks may ask ([`Rights`]). Reading order: `user`, `file`, `rules`,
//! `authority`, `rights`. Why a room: `transom user`
//! and the check of transom.toml need all of it and no region. Not here: who is signed on where and
//! requests of tasks (`region/server`), when checks are made (RESSEC, CMDSEC: `region/commands`),
//! users of the gateway.

#![forbid(unsafe_code)]

mod attempts;
mod authority;
mod clock;
mod config;
mod demands;
mod file;
mod memory;
mod passwords;
mod rights;
mod rules;
mod user;

pub use authority::Authority;
pub use clock::TimeOfDay;
pub use config::{SecurityMode, UserConfig};
pub use file::UserFile;
pub use passwords::Passwords;
pub use rights::{Known, Rights};
pub use rules::{Rules, Subject};
pub use transom_wire::secret::{PASSWORD_CHARS_MAX, PHRASE_CHARS, Secret};
pub use transom_wire::security::Access;
pub use user::{Denied, PasswordRules, User, UserRegistry, userid};
