//! Users and their secrets, and the trait a registry of users implements.
//!
//! Why a trait: the file is enough for one machine; a directory service can take its place. Not
//! here: who is signed on where (`region/server`), what users may do.

use std::time::{Duration, SystemTime};
use transom_messages::Message;
use transom_wire::secret::Secret;

/// A user as a registry knows it, without secrets.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct User {
    /// User identifier, upper case, at most 8 characters.
    pub userid: String,
    /// Name of the person, at most 20 characters are shown.
    pub name: String,
    /// Groups; the first is the default group.
    pub groups: Vec<String>,
    /// Operator classes, 1 to 24.
    pub opclass: Vec<u8>,
    /// Operator identifier, at most 3 characters; empty: the first of the user identifier.
    pub opid: String,
    /// Operator priority, 0 to 255.
    pub priority: u8,
    /// Minutes without input after which the user is signed off; 0: never.
    pub timeout_minutes: u32,
    /// Language code of three letters; empty: the region's.
    pub language: String,
    /// When the password was last changed, seconds since 1970; 0: not known.
    pub changed: u64,
    /// When the user last proved the password, seconds since 1970; 0: not known.
    pub last_use: u64,
    /// Wrong attempts since then.
    pub wrong_attempts: u32,
    /// When the password must be changed, seconds since 1970; 0: never.
    pub expires: u64,
    /// Certificates that prove to be this user: subjects as RFC 4514 writes them, or `sha256:` with
    /// a fingerprint.
    pub certificates: Vec<String>,
    /// May do nothing.
    pub revoked: bool,
}

/// What a registry asks of passwords.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordRules {
    /// Wrong ones in a row that are too many; 0: none are.
    pub attempts_max: u32,
    /// How long a user is refused then, where they came from; `None`: revoked, everywhere.
    pub lockout: Option<Duration>,
    /// Days after which one must be changed; 0: never.
    pub days: u32,
    /// Characters a new password has at least, 1 to 8.
    pub chars_min: usize,
}

impl Default for PasswordRules {
    fn default() -> Self {
        Self {
            attempts_max: 5,
            lockout: Some(Duration::from_secs(900)),
            days: 0,
            chars_min: 1,
        }
    }
}

/// Why a user was not let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Denied {
    /// No such user.
    Unknown,
    /// A password or phrase is needed.
    NoSecret,
    /// It is wrong.
    Wrong,
    /// It is wrong, and once too often: the user is revoked now.
    WrongTooOften,
    /// It is right but must be changed first.
    MustChange,
    /// The new one is not acceptable.
    NewNotAcceptable,
    /// The password is right, and the user is revoked.
    Revoked,
    /// Too many were wrong where this one comes from; it was not looked at.
    TooManyHere,
    /// The user is not a member of the group asked for.
    NotInGroup,
    /// The registry cannot be used.
    Unavailable(Message),
}

/// Where users come from. Calls may take long and must cost the same for users that do not exist.
pub trait UserRegistry: Send + Sync {
    /// Checks a secret; with `new` replaces it when it is right. Wrong attempts are counted, and a
    /// user with too many is revoked.
    fn verify(&self, userid: &str, secret: &Secret, new: Option<&Secret>) -> Result<User, Denied>;

    /// All users, for checks of authority of users who did not sign on here; `None`: the registry
    /// does not tell.
    ///
    /// # Errors
    /// It cannot be read.
    fn users(&self) -> Result<Option<Vec<User>>, Message> {
        Ok(None)
    }

    /// Changes when the users change; `None`: the registry does not tell.
    fn version(&self) -> Option<(SystemTime, u64)> {
        None
    }
}

/// Makes a user identifier of what somebody typed: upper case, 1 to 8 of `A-Z 0-9 # @ $`.
pub fn userid(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_uppercase();
    let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '#' | '@' | '$');
    ((1..=8).contains(&text.len()) && text.chars().all(good)).then_some(text)
}
