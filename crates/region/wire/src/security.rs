//! Users, passwords and authority: what workers ask the region, and what it answers.
//!
//! A password goes no further than the request; no trace, log or dump shows it. Not here: the
//! commands, registries and rules.

use crate::codec::{Reader, Writer};
use crate::secret::Secret;
use transom_types::{TermId, UserId};

/// What somebody may do with a resource; each level has those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Access {
    /// Nothing.
    #[default]
    None,
    /// Look, run, attach.
    Read,
    /// Change.
    Update,
    /// Control.
    Control,
    /// Create and discard.
    Alter,
}

impl Access {
    /// One byte.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Reads [`Self::code`].
    pub fn of_code(code: u8) -> Self {
        match code {
            1 => Self::Read,
            2 => Self::Update,
            3 => Self::Control,
            4 => Self::Alter,
            _ => Self::None,
        }
    }
}

const CHECK: u8 = 1;
const SIGN_OFF: u8 = 2;
const GREETING: u8 = 3;
const ACCESS: u8 = 4;
const USER: u8 = 5;
const REBUILD: u8 = 6;

/// What a worker asks of the region's security service.
#[derive(Debug)]
pub enum Request {
    /// Check a secret, change it, sign on.
    Check(Check),
    /// The terminal's user signs off.
    SignOff(TermId),
    /// GMTEXT.
    Greeting,
    /// What a user may do.
    Access(Question),
    /// What the region knows of a user.
    User(UserId),
    /// PERFORM SECURITY REBUILD.
    Rebuild,
}

/// What may a user do with a resource?
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub user: UserId,
    pub class: String,
    pub name: String,
    /// Less than this is logged, if `log` is set.
    pub wanted: Access,
    pub log: bool,
}

/// The answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Answer {
    /// `None`: no rule covers the name.
    pub access: Option<Access>,
    pub user_known: bool,
    pub class_known: bool,
}

impl Answer {
    pub fn encode(self) -> Vec<u8> {
        let mut out = Writer::with_capacity(4);
        out.flag(self.access.is_some())
            .u8(self.access.unwrap_or_default().code())
            .flag(self.user_known)
            .flag(self.class_known);
        out.0
    }

    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        let covered = from.flag()?;
        let access = Access::of_code(from.u8()?);
        Some(Self {
            access: covered.then_some(access),
            user_known: from.flag()?,
            class_known: from.flag()?,
        })
    }
}

/// A secret to check.
#[derive(Debug)]
pub struct Check {
    /// Sign the user on there.
    pub terminal: Option<TermId>,
    pub userid: String,
    /// Group the user must belong to; empty: any.
    pub group: String,
    pub secret: Secret,
    /// What it shall be from now on.
    pub new: Option<Secret>,
}

/// What the region tells about a user whose secret was right; times in seconds since 1970, 0: not
/// known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    pub name: String,
    pub language: String,
    pub changed: u64,
    pub last_use: u64,
    pub wrong_attempts: u32,
    /// When the password must be changed.
    pub expires: u64,
    /// Operator priority.
    pub priority: u8,
    /// Operator classes.
    pub opclass: Vec<u8>,
}

impl Request {
    /// Bytes of the request, without the domain.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(64);
        match self {
            Self::Greeting => out.u8(GREETING),
            Self::Rebuild => out.u8(REBUILD),
            Self::User(user) => out.u8(USER).raw(user.as_bytes()),
            Self::Access(question) => {
                out.u8(ACCESS).raw(question.user.as_bytes());
                out.bytes(question.class.as_bytes())
                    .bytes(question.name.as_bytes())
                    .u8(question.wanted.code())
                    .flag(question.log)
            }
            Self::SignOff(terminal) => out.u8(SIGN_OFF).raw(terminal.as_bytes()),
            Self::Check(check) => {
                let terminal = check.terminal.unwrap_or(TermId::BLANK);
                out.u8(CHECK).raw(terminal.as_bytes());
                out.bytes(check.userid.as_bytes())
                    .bytes(check.group.as_bytes());
                put(&mut out, &check.secret);
                out.flag(check.new.is_some());
                if let Some(new) = &check.new {
                    put(&mut out, new);
                }
                &mut out
            }
        };
        out.0
    }

    /// Reads a request; `None`: not one.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        let kind = from.u8()?;
        match kind {
            GREETING => return Some(Self::Greeting),
            REBUILD => return Some(Self::Rebuild),
            USER => return Some(Self::User(UserId::from_field(from.raw(UserId::LEN)?))),
            ACCESS => {
                return Some(Self::Access(Question {
                    user: UserId::from_field(from.raw(UserId::LEN)?),
                    class: from.text()?,
                    name: from.text()?,
                    wanted: Access::of_code(from.u8()?),
                    log: from.flag()?,
                }));
            }
            _ => {}
        }
        let mut terminal = || Some(TermId::from_field(from.raw(TermId::LEN)?));
        match kind {
            SIGN_OFF => Some(Self::SignOff(terminal()?)),
            CHECK => {
                let terminal = Some(terminal()?).filter(|name| !name.is_blank());
                let (userid, group) = (from.text()?, from.text()?);
                let secret = get(&mut from)?;
                let new = match from.flag()? {
                    true => Some(get(&mut from)?),
                    false => None,
                };
                Some(Self::Check(Check {
                    terminal,
                    userid,
                    group,
                    secret,
                    new,
                }))
            }
            _ => None,
        }
    }
}

fn put(out: &mut Writer, secret: &Secret) {
    out.flag(secret.is_phrase()).bytes(secret.bytes());
}

fn get(from: &mut Reader<'_>) -> Option<Secret> {
    let phrase = from.flag()?;
    let bytes = from.bytes()?;
    Some(match phrase {
        true => Secret::phrase(bytes),
        false => Secret::password(bytes),
    })
}

impl Facts {
    /// Bytes of the answer.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(64);
        out.bytes(self.name.as_bytes())
            .bytes(self.language.as_bytes());
        out.u64(self.changed)
            .u64(self.last_use)
            .u32(self.wrong_attempts)
            .u64(self.expires)
            .u8(self.priority)
            .bytes(&self.opclass);
        out.0
    }

    /// Reads them.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        Some(Self {
            name: from.text()?,
            language: from.text()?,
            changed: from.u64()?,
            last_use: from.u64()?,
            wrong_attempts: from.u32()?,
            expires: from.u64()?,
            priority: from.u8()?,
            opclass: from.bytes()?.to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_come_back() {
        let request = Request::Check(Check {
            terminal: Some(TermId::from_field(b"T001")),
            userid: "ALICE".into(),
            group: String::new(),
            secret: Secret::password(b"wonder1 "),
            new: Some(Secret::phrase(b"a long phrase")),
        });
        let bytes = request.encode();
        let Some(Request::Check(back)) = Request::decode(&bytes) else {
            panic!("not a check");
        };
        assert_eq!(back.secret.bytes(), b"wonder1");
        assert!(back.new.is_some_and(|new| new.is_phrase()));
        assert_eq!(back.terminal, Some(TermId::from_field(b"T001")));
        for cut in 0..bytes.len() {
            assert!(Request::decode(&bytes[..cut]).is_none(), "cut at {cut}");
        }
        assert!(!format!("{request:?}").contains("wonder"));
    }
}
