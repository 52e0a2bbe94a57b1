//! Sign-on and passwords: SIGNON, SIGNOFF, VERIFY and CHANGE of passwords and phrases, QUERY SECURITY.
//!
//! Worker side: checks arguments, asks the region, answers what it learned. A password goes no further
//! than the request; no trace, log or dump shows it. Not here: registries and checks (region side).

pub(crate) mod check;
pub(crate) mod query_security;
pub(crate) mod sign_off;

use crate::codec::{Reader, Writer};
use crate::region::Secret;
use transom_types::TermId;

const CHECK: u8 = 1;
const SIGN_OFF: u8 = 2;
const GREETING: u8 = 3;

/// What a worker asks of the region's security service.
#[derive(Debug)]
pub(crate) enum Request {
    /// Check a secret, change it, sign on.
    Check(Check),
    /// The terminal's user signs off.
    SignOff(TermId),
    /// GMTEXT.
    Greeting,
}

/// A secret to check.
#[derive(Debug)]
pub(crate) struct Check {
    /// Sign the user on there.
    pub terminal: Option<TermId>,
    pub userid: String,
    /// Group the user must belong to; empty: any.
    pub group: String,
    pub secret: Secret,
    /// What it shall be from now on.
    pub new: Option<Secret>,
}

/// What the region tells about a user whose secret was right; times in seconds since 1970, 0: not known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    pub name: String,
    pub language: String,
    pub changed: u64,
    pub last_use: u64,
    pub wrong_attempts: u32,
}

impl Request {
    /// Bytes of the request, without the domain.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(64);
        match self {
            Self::Greeting => out.u8(GREETING),
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
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        let kind = from.u8()?;
        let mut terminal = || Some(TermId::from_field(from.raw(TermId::LEN)?));
        match kind {
            GREETING => Some(Self::Greeting),
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
