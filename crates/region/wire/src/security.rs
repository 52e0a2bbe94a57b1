//! Users, passwords and authority: what workers ask the region, and what it answers.
//!
//! A password goes no further than the request; no trace, log or dump shows it. Not here: the
//! commands, registries and rules.

use crate::language;
use crate::secret::Secret;
use transom_types::{TermId, UserId};

language! {
    /// What somebody may do with a resource; each level has those before it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
    pub enum Access {
        /// Nothing.
        #[default]
        0 = None,
        /// Look, run, attach.
        1 = Read,
        /// Change.
        2 = Update,
        /// Control.
        3 = Control,
        /// Create and discard.
        4 = Alter,
    }

    /// What a worker asks of the region's security service.
    #[derive(Debug)]
    pub enum Request {
        /// Check a secret, change it, sign on.
        1 = Check(check: Check),
        /// The terminal's user signs off.
        2 = SignOff(terminal: TermId),
        /// GMTEXT.
        3 = Greeting,
        /// What a user may do.
        4 = Access(question: Question),
        /// What the region knows of a user.
        5 = User(user: UserId),
        /// PERFORM SECURITY REBUILD.
        6 = Rebuild,
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

    /// What the region tells about a user whose secret was right; times in seconds since 1970, 0:
    /// not known.
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
        /// Operator identifier of up to three characters; empty: nobody gave one.
        pub opid: String,
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
        assert!(!format!("{request:?}").contains("wonder"));
    }
}
