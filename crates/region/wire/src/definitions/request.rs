//! What CEDA asks of the region.

use crate::language;
use crate::pattern::matches;
use transom_csd::{Csd, Definition, Look, Operation, Resource};

language! {
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
        1 = Change(statement: String, user: String),
        /// A part of the definitions: `FROM ALL`, then one line for each.
        2 = Show {
            wanted: Wanted,
            /// Number of the first; the last one where there are not so many.
            from: usize,
            count: usize,
        },
        /// The definitions with their attributes.
        3 = View(wanted: Wanted),
        /// Install them.
        4 = Install(wanted: Wanted),
        /// Tell what would not install.
        5 = Check(wanted: Wanted),
        /// What one definition says: `KEYWORD=VALUE`, a line each.
        6 = Values(wanted: Wanted),
        /// Lists and their groups.
        7 = Lists(wanted: Wanted),
        /// EXEC CICS CREATE. A refusal answers one byte: 1 when nothing was attempted.
        8 = Create {
            kind: String,
            name: String,
            attributes: String,
            log: bool,
        },
        /// EXEC CICS DISCARD: the definition goes, and the next start does not bring it back.
        9 = Discard {
            kind: String,
            name: String,
        },
        /// EXEC CICS SET: what SET can change becomes what the record says; the rest of it counts
        /// for nothing. NOSPACE: shared storage is full.
        10 = Set {
            kind: String,
            name: Vec<u8>,
            record: Vec<u8>,
        },
        /// EXEC CICS CSD that changes, and who asks. A refusal answers one byte: 1 when nothing
        /// was attempted.
        11 = Operate(operation: Operation, user: String),
        /// EXEC CICS CSD that reads.
        12 = Look(look: Look),
        /// EXEC CICS CSD INSTALL: a definition, a group, or a list.
        13 = InstallFor {
            resource: Resource,
            list: String,
        },
    }
}

impl Wanted {
    /// The group is wanted.
    pub fn group_fits(&self, group: &str) -> bool {
        fits(&self.group, group)
    }

    /// Definitions of the groups and lists asked for.
    pub fn selected<'a>(&self, csd: &'a Csd) -> Vec<&'a Definition> {
        let mut groups: Vec<&str> = Vec::new();
        if self.list.is_empty() {
            groups.extend(csd.groups().filter(|group| self.group_fits(group)));
        } else {
            for list in csd.lists().filter(|list| fits(&self.list, list)) {
                let members = csd.list(list).unwrap_or_default();
                groups.extend(members.iter().map(String::as_str));
            }
        }
        let all = groups
            .into_iter()
            .flat_map(|g| csd.group(g).unwrap_or_default());
        all.filter(|d| self.fits(d.kind.keyword(), &d.name))
            .collect()
    }

    /// `LIST GROUP` for each group of each list asked for.
    pub fn lists(&self, csd: &Csd) -> Vec<String> {
        let mut lines = Vec::new();
        for list in csd.lists().filter(|list| fits(&self.list, list)) {
            let groups = csd.list(list).unwrap_or_default().iter();
            let groups = groups.filter(|group| self.group_fits(group));
            lines.extend(groups.map(|group| format!("{list:8} {group}")));
        }
        lines
    }

    /// Kind and name are wanted.
    pub fn fits(&self, kind: &str, name: &str) -> bool {
        (self.kind.is_empty() || self.kind == kind) && fits(&self.name, name)
    }
}

fn fits(pattern: &str, name: &str) -> bool {
    pattern.is_empty() || matches(pattern.as_bytes(), name.as_bytes())
}
