//! What CEDA asks of the region, and the bytes of it.

use crate::codec::{Reader, Writer};
use crate::pattern::matches;

/// Which definitions; an empty text means any, `*` at its end any ending.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Full keyword of the kind.
    pub kind: String,
    pub name: String,
    pub group: String,
    /// Groups of this list.
    pub list: String,
}

/// A request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// A statement as DFHCSDUP takes it, and who asks.
    Change(String, String),
    /// One line for each definition.
    Show(Wanted),
    /// The definitions with their attributes.
    View(Wanted),
    /// Install them.
    Install(Wanted),
    /// Tell what would not install.
    Check(Wanted),
    /// What one definition says: `KEYWORD=VALUE`, a line each.
    Values(Wanted),
    /// Lists and their groups.
    Lists(Wanted),
}

impl Wanted {
    /// The group is wanted.
    pub fn group_fits(&self, group: &str) -> bool {
        fits(&self.group, group)
    }

    /// Kind and name are wanted.
    pub fn fits(&self, kind: &str, name: &str) -> bool {
        (self.kind.is_empty() || self.kind == kind) && fits(&self.name, name)
    }
}

pub fn fits(pattern: &str, name: &str) -> bool {
    pattern.is_empty() || matches(pattern.as_bytes(), name.as_bytes())
}

impl Request {
    /// Bytes, without the domain.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(64);
        let (code, wanted) = match self {
            Self::Change(statement, user) => {
                out.u8(1).bytes(statement.as_bytes()).bytes(user.as_bytes());
                return out.0;
            }
            Self::Show(wanted) => (2, wanted),
            Self::View(wanted) => (3, wanted),
            Self::Install(wanted) => (4, wanted),
            Self::Check(wanted) => (5, wanted),
            Self::Values(wanted) => (6, wanted),
            Self::Lists(wanted) => (7, wanted),
        };
        out.u8(code).bytes(wanted.kind.as_bytes());
        out.bytes(wanted.name.as_bytes())
            .bytes(wanted.group.as_bytes())
            .bytes(wanted.list.as_bytes());
        out.0
    }

    /// Reads a request; `None`: not one.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        let code = from.u8()?;
        let first = from.text()?;
        if code == 1 {
            return Some(Self::Change(first, from.text()?));
        }
        let wanted = Wanted {
            kind: first,
            name: from.text()?,
            group: from.text()?,
            list: from.text()?,
        };
        match code {
            2 => Some(Self::Show(wanted)),
            3 => Some(Self::View(wanted)),
            4 => Some(Self::Install(wanted)),
            5 => Some(Self::Check(wanted)),
            6 => Some(Self::Values(wanted)),
            7 => Some(Self::Lists(wanted)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_come_back() {
        let wanted = Wanted {
            kind: "PROGRAM".into(),
            name: "PAY*".into(),
            group: "PAYROLL".into(),
            list: String::new(),
        };
        assert!(wanted.fits("PROGRAM", "PAY01") && !wanted.fits("FILE", "PAY01"));
        for request in [
            Request::Change(" DEFINE PROGRAM(A) GROUP(B)".into(), "ALICE".into()),
            Request::Values(wanted.clone()),
            Request::Show(wanted.clone()),
            Request::Check(wanted),
        ] {
            assert_eq!(Request::decode(&request.encode()), Some(request));
        }
        assert_eq!(Request::decode(&[9, 0, 0, 0, 0]), None);
    }
}
