//! Users and their secrets, and the trait a registry of users implements.
//!
//! Why a trait: the file is enough for one machine; a directory service can take its place. Not here:
//! who is signed on where (`super`), what users may do.

/// Longest password.
pub const PASSWORD_CHARS_MAX: usize = 8;
/// Shortest and longest phrase.
pub const PHRASE_CHARS: std::ops::RangeInclusive<usize> = 9..=100;

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
}

/// What a registry asks of passwords.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordRules {
    /// Wrong ones in a row after which a user is revoked; 0: never.
    pub attempts_max: u32,
    /// Days after which one must be changed; 0: never.
    pub days: u32,
    /// Characters a new password has at least, 1 to 8.
    pub chars_min: usize,
}

impl Default for PasswordRules {
    fn default() -> Self {
        Self {
            attempts_max: 5,
            days: 0,
            chars_min: 1,
        }
    }
}

/// A password or a phrase. It is wiped when dropped and never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    bytes: Vec<u8>,
    phrase: bool,
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
    /// The user is revoked.
    Revoked,
    /// The user is not a member of the group asked for.
    NotInGroup,
    /// The registry cannot be used; one sentence with its TXM identifier.
    Unavailable(String),
}

/// Where users come from. Calls may take long and must cost the same for users that do not exist.
pub trait UserRegistry: Send + Sync {
    /// Checks a secret; with `new` replaces it when it is right. Wrong attempts are counted, and a user
    /// with too many is revoked.
    fn verify(&self, userid: &str, secret: &Secret, new: Option<&Secret>) -> Result<User, Denied>;

    /// All users, for checks of authority of users who did not sign on here; `None`: the registry does not
    /// tell.
    ///
    /// # Errors
    /// One sentence with its TXM identifier.
    fn users(&self) -> Result<Option<Vec<User>>, String> {
        Ok(None)
    }
}

/// Makes a user identifier of what somebody typed: upper case, 1 to 8 of `A-Z 0-9 # @ $`.
pub fn userid(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_uppercase();
    let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '#' | '@' | '$');
    ((1..=8).contains(&text.len()) && text.chars().all(good)).then_some(text)
}
