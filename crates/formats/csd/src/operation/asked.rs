//! What programs ask for, and why it is refused.

use transom_language::language;
use transom_messages::Message;
use transom_types::Resp;

/// Begins the names of groups and lists that nobody but IBM changes.
pub(crate) const PROTECTED: &str = "DFH";

language! {
    /// A definition, or a whole group where kind and name are empty.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct Resource {
        pub kind: String,
        pub name: String,
        pub group: String,
    }

    /// A group or a list; the other one is empty.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct Place {
        pub group: String,
        pub list: String,
    }

    /// What COPY does about a definition that the target has already.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Duplicates {
        1 = Refused,
        2 = Kept,
        3 = Replaced,
    }

    /// A change.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Operation {
        1 = Add { place: Place, before: String, after: String },
        2 = Alter { resource: Resource, attributes: String },
        3 = Append { list: String, to: String },
        4 = Copy { resource: Resource, new_name: String, to: String, duplicates: Duplicates },
        /// With the attributes of USER in USERDEF where it is USERDEFINE.
        5 = Define { resource: Resource, attributes: String, user_defaults: bool },
        6 = Delete { resource: Resource, from_lists: bool },
        7 = Lock(place: Place),
        8 = Unlock(place: Place),
        9 = Remove(place: Place),
        10 = Rename { resource: Resource, new_name: String },
    }
}

/// Why nothing was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub resp: Resp,
    pub resp2: u32,
    pub message: Message,
}

impl Refused {
    /// The condition with a message that says the same.
    pub fn new(resp: Resp, resp2: u32, message: Message) -> Self {
        Self {
            resp,
            resp2,
            message,
        }
    }
}
