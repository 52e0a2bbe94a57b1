//! Who may do what: readable rules in the way of an external security manager.
//!
//! A rule covers a name or a generic name of one class, for example `TRANSACTION PAY*`, and lists
//! users and groups with their access. Of several rules for a resource the most specific one counts
//! alone; in it the user's own entry, else the highest of the user's groups, else `ALL`. What no
//! rule covers nobody may touch. Users and groups share their names as on z/OS: a name that is a
//! group's means no user; `USER(A)` and `GROUP(A)` say which is meant. Not here: who asks
//! (`authority`), when checks are made (RESSEC, CMDSEC).

use std::collections::HashMap;
use transom_messages::{self as messages, Message};
use transom_wire::pattern::{is_generic, matches};
use transom_wire::security::Access;

/// Most rules.
const RULES_MAX: usize = 10_000;
/// Longest generic name.
const PATTERN_CHARS_MAX: usize = 246;
/// Longest name of a user or group.
const WHO_CHARS_MAX: usize = 16;
/// Everybody, signed on or not.
const ALL: &str = "ALL";

/// Classes of resources the region checks.
const CLASSES: [&str; 13] = [
    "TRANSACTION",
    "COMMAND",
    "FILE",
    "PROGRAM",
    "TSQUEUE",
    "TDQUEUE",
    "JOURNALNAME",
    "SURROGATE",
    "DB2ENTRY",
    "DSNR",
    "MDSNSM",
    "MDSNCL",
    "MDSNPK",
];

/// What a region without rules of its own does. Groups as in IBM's samples: SYSADM, OPERATOR,
/// DEVELOPER and INQUIRE share the supplied transactions; applications are everybody's, as with
/// RESSEC(NO).
const SUPPLIED: &[(&str, &str)] = &[
    ("TRANSACTION *", "ALL READ"),
    (
        "TRANSACTION CEMT",
        "SYSADM READ, OPERATOR READ, DEVELOPER READ, INQUIRE READ",
    ),
    ("TRANSACTION CEDA", "SYSADM READ"),
    ("TRANSACTION CEDB", "SYSADM READ"),
    (
        "TRANSACTION CEDC",
        "SYSADM READ, DEVELOPER READ, INQUIRE READ",
    ),
    ("TRANSACTION CECI", "SYSADM READ, DEVELOPER READ"),
    ("TRANSACTION CECS", "SYSADM READ, DEVELOPER READ"),
    ("TRANSACTION CEBR", "SYSADM READ, DEVELOPER READ"),
    ("TRANSACTION CEDF", "SYSADM READ, DEVELOPER READ"),
    ("TRANSACTION CEDG", "SYSADM READ, DEVELOPER READ"),
    ("TRANSACTION CEDX", "SYSADM READ, DEVELOPER READ"),
    ("TRANSACTION CEDY", "SYSADM READ, DEVELOPER READ"),
    ("TRANSACTION CETR", "SYSADM READ"),
    ("TRANSACTION CWTO", "SYSADM READ, OPERATOR READ"),
    (
        "COMMAND *",
        "SYSADM ALTER, OPERATOR UPDATE, DEVELOPER READ, INQUIRE READ",
    ),
    (
        "COMMAND PROGRAM",
        "SYSADM ALTER, OPERATOR UPDATE, DEVELOPER UPDATE, INQUIRE READ",
    ),
    ("COMMAND SECURITY", "SYSADM ALTER"),
    ("FILE *", "SYSADM ALTER, DEVELOPER UPDATE"),
    ("PROGRAM *", "SYSADM ALTER, DEVELOPER UPDATE"),
    ("TSQUEUE *", "SYSADM ALTER, DEVELOPER UPDATE"),
    ("TDQUEUE *", "SYSADM ALTER, DEVELOPER UPDATE"),
    ("JOURNALNAME *", "SYSADM ALTER, DEVELOPER UPDATE"),
    ("SURROGATE *", "SYSADM READ"),
    ("DSNR *", "ALL READ"),
    ("MDSNSM *", "SYSADM READ, DEVELOPER READ"),
    ("MDSNCL *", "SYSADM READ, DEVELOPER READ"),
    ("MDSNPK *", "SYSADM READ, DEVELOPER READ"),
];

/// Groups the supplied rules name.
const SUPPLIED_GROUPS: [&str; 4] = ["SYSADM", "OPERATOR", "DEVELOPER", "INQUIRE"];

/// The supplied rules name this group, whether it has members or not.
pub(crate) fn is_supplied_group(name: &str) -> bool {
    SUPPLIED_GROUPS.contains(&name)
}

/// Whose access is asked for.
pub struct Subject<'a> {
    /// The user.
    pub user: &'a str,
    /// The user's groups, upper case.
    pub groups: &'a [String],
    /// Whether a name is that of a group.
    pub is_group: &'a dyn Fn(&str) -> bool,
}

/// Supplied transactions nobody at a terminal can be kept from (category 3 of CICS). Mirrors are
/// not among them: their programs are the application's.
const UNCHECKED: [&str; 7] = ["CSGM", "CESN", "CESL", "CESF", "CMAC", "CSPG", "CSAC"];

/// Users and groups with their access.
type Who = Vec<Entry>;

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    meant: Meant,
    name: String,
    access: Access,
}

/// What the name of an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meant {
    /// A group if there is one of this name, else a user.
    Either,
    User,
    Group,
}

/// The rules of a class. Why two parts: every attach asks, and a region may have thousands of rules
/// for names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct OfClass {
    names: HashMap<String, Who>,
    /// The most specific first.
    generic: Vec<(String, Who)>,
}

impl OfClass {
    fn set(&mut self, pattern: &str, who: Who) {
        if !is_generic(pattern) {
            self.names.insert(pattern.to_owned(), who);
            return;
        }
        self.generic.retain(|(known, _)| known != pattern);
        let weight = weight(pattern);
        let at = self
            .generic
            .partition_point(|r| self::weight(&r.0) > weight);
        self.generic.insert(at, (pattern.to_owned(), who));
    }

    /// A name beats every generic name.
    fn covers(&self, name: &str) -> Option<&Who> {
        let fits = |rule: &&(String, Who)| matches(rule.0.as_bytes(), name.as_bytes());
        let named = self.names.get(name);
        named.or_else(|| self.generic.iter().find(fits).map(|rule| &rule.1))
    }

    fn has(&self, pattern: &str) -> bool {
        self.names.contains_key(pattern) || self.generic.iter().any(|rule| rule.0 == pattern)
    }
}

/// Of two generic names the one with the longer beginning counts.
fn weight(pattern: &str) -> (usize, usize) {
    let start = pattern.find(['*', '+']);
    (start.unwrap_or(pattern.len()), pattern.len())
}

/// All rules of a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    classes: HashMap<String, OfClass>,
    count: usize,
}

impl Default for Rules {
    /// The supplied rules.
    fn default() -> Self {
        let mut rules = Self {
            classes: HashMap::new(),
            count: 0,
        };
        for (key, who) in SUPPLIED {
            // A test reads them all.
            let _good = rules.set(key, who);
        }
        rules
    }
}

impl Rules {
    /// Takes one rule: `TRANSACTION PAY*` and `CLERKS READ, BOB NONE`. A rule for the same class
    /// and name is replaced, a supplied one too.
    ///
    /// # Errors
    /// A class or an entry that is none.
    pub fn set(&mut self, key: &str, who: &str) -> Result<(), Message> {
        let wrong = |why: String| Err(messages::xs::rule_not_usable(format_args!("{key:?}"), &why));
        let upper = key.to_ascii_uppercase();
        let mut words = upper.split_whitespace();
        let (Some(class), Some(pattern), None) = (words.next(), words.next(), words.next()) else {
            return wrong("a class and a name are needed, as in \"FILE PAY*\"".into());
        };
        // Classes of the installation carry a digit or one of # @ $, so that a slip of the hand is
        // seen.
        let own =
            class.len() <= 8 && class.contains(|c: char| c.is_ascii_digit() || "#@$".contains(c));
        if !CLASSES.contains(&class) && !own {
            return wrong(format!(
                "there is no class {class}; one of your own has a digit or # @ $ in it"
            ));
        }
        if pattern.len() > PATTERN_CHARS_MAX {
            return wrong(format!("a name has at most {PATTERN_CHARS_MAX} characters"));
        }
        let mut entries = Vec::new();
        for entry in who.split(',').map(str::trim).filter(|e| !e.is_empty()) {
            match parse_entry(entry) {
                Some(entry) => entries.push(entry),
                None => {
                    return wrong(format!(
                        "{entry:?} is not a user or group and NONE, READ, UPDATE, CONTROL or ALTER"
                    ));
                }
            }
        }
        let known = self.classes.get(class).is_some_and(|c| c.has(pattern));
        if !known && self.count >= RULES_MAX {
            return wrong(format!("more than {RULES_MAX} rules are not possible"));
        }
        self.count += usize::from(!known);
        let of_class = self.classes.entry(class.to_owned()).or_default();
        of_class.set(pattern, entries);
        Ok(())
    }

    /// What a user of these groups may do; `None`: no rule covers the name. Some supplied
    /// transactions are everybody's whatever the rules say.
    pub fn access(&self, class: &str, name: &str, who: &Subject<'_>) -> Option<Access> {
        if class == "TRANSACTION" && UNCHECKED.contains(&name) {
            return Some(Access::Alter);
        }
        self.written(class, name, who)
    }

    /// As [`Self::access`], by the rules alone: for a LINK from outside, which may name any
    /// transaction as its mirror.
    pub fn written(&self, class: &str, name: &str, subject: &Subject<'_>) -> Option<Access> {
        let who = self.classes.get(class)?.covers(name)?;
        let find = |wanted: &str, other: Meant| {
            let fits = |entry: &&Entry| entry.name == wanted && entry.meant != other;
            who.iter().find(fits)
        };
        let user = find(subject.user, Meant::Group)
            .filter(|entry| entry.meant == Meant::User || !(subject.is_group)(subject.user));
        let group = |group: &String| find(group, Meant::User).map(|entry| entry.access);
        let by_group = || subject.groups.iter().filter_map(group).max();
        let by_all = || find(ALL, Meant::User).map(|entry| entry.access);
        let access = user.map(|entry| entry.access);
        Some(access.or_else(by_group).or_else(by_all).unwrap_or_default())
    }

    /// Somebody wrote a rule for the class.
    pub fn has_class(&self, class: &str) -> bool {
        CLASSES.contains(&class) || self.classes.contains_key(class)
    }
}

fn parse_entry(entry: &str) -> Option<Entry> {
    let (who, access) = entry.split_once(char::is_whitespace)?;
    let access = match access.trim().to_ascii_uppercase().as_str() {
        "NONE" => Access::None,
        "READ" => Access::Read,
        "UPDATE" => Access::Update,
        "CONTROL" => Access::Control,
        "ALTER" => Access::Alter,
        _ => return None,
    };
    let who = who.to_ascii_uppercase();
    let within = |word: &str| who.strip_prefix(word)?.strip_suffix(')');
    let (meant, name) = match (within("USER("), within("GROUP(")) {
        (Some(name), _) => (Meant::User, name),
        (_, Some(name)) => (Meant::Group, name),
        _ => (Meant::Either, who.as_str()),
    };
    let good = |c: char| c.is_ascii_alphanumeric() || "#@$".contains(c);
    let named = (1..=WHO_CHARS_MAX).contains(&name.len()) && name.chars().all(good);
    named.then(|| Entry {
        meant,
        name: name.to_owned(),
        access,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may(rules: &Rules, class: &str, name: &str, user: &str, of: &[&str]) -> Option<Access> {
        let groups: Vec<String> = of.iter().map(|name| (*name).to_owned()).collect();
        let subject = Subject {
            user,
            groups: &groups,
            is_group: &|name| is_supplied_group(name) || name == "CLERKS",
        };
        rules.access(class, name, &subject)
    }

    #[test]
    fn supplied_rules() {
        assert_eq!(Rules::default().count, SUPPLIED.len());
        let rules = Rules::default();
        let may = |class, name, who: &[&str]| may(&rules, class, name, "ALICE", who);
        assert_eq!(may("TRANSACTION", "PAY1", &[]), Some(Access::Read));
        assert_eq!(may("TRANSACTION", "CEMT", &[]), Some(Access::None));
        assert_eq!(may("TRANSACTION", "CEMT", &["INQUIRE"]), Some(Access::Read));
        assert_eq!(
            may("COMMAND", "SHUTDOWN", &["DEVELOPER"]),
            Some(Access::Read)
        );
        assert_eq!(
            may("COMMAND", "PROGRAM", &["DEVELOPER"]),
            Some(Access::Update)
        );
        assert_eq!(
            may("COMMAND", "SHUTDOWN", &["OPERATOR"]),
            Some(Access::Update)
        );
        assert_eq!(may("FILE", "PAY", &[]), Some(Access::None));
        assert_eq!(may("PAY$CLS", "X", &[]), None);
    }

    #[test]
    fn the_most_specific_rule_counts_alone() {
        let mut rules = Rules::default();
        rules
            .set("transaction pay*", "clerks read, bob none")
            .unwrap();
        rules.set("TRANSACTION PAYX", "BOSSES READ").unwrap();
        rules.set("TRANSACTION *", "").unwrap();
        let may = |name, user, who: &[&str]| may(&rules, "TRANSACTION", name, user, who);
        assert_eq!(may("PAY1", "ALICE", &["CLERKS"]), Some(Access::Read));
        assert_eq!(may("PAY1", "BOB", &["CLERKS"]), Some(Access::None));
        assert_eq!(may("PAYX", "ALICE", &["CLERKS"]), Some(Access::None));
        assert_eq!(may("TAX1", "ALICE", &["CLERKS"]), Some(Access::None));
        assert_eq!(may("CESN", "ALICE", &[]), Some(Access::Alter));
        assert_eq!(may("CSMI", "ALICE", &[]), Some(Access::None));
        let alice = Subject {
            user: "ALICE",
            groups: &[],
            is_group: &|_| false,
        };
        let written = rules.written("TRANSACTION", "CESN", &alice);
        assert_eq!(written, Some(Access::None));
    }

    #[test]
    fn of_generic_names_the_longer_beginning_counts_whatever_the_order() {
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let mut rules = Rules::default();
            for at in order {
                let (key, who) = [
                    ("FILE P*", "ALL READ"),
                    ("FILE PAY*", "ALL UPDATE"),
                    ("FILE PAY*S", "ALL CONTROL"),
                ][at];
                rules.set(key, who).unwrap();
            }
            let may = |rules: &Rules, name| may(rules, "FILE", name, "ALICE", &[]);
            assert_eq!(may(&rules, "PAYS"), Some(Access::Control));
            assert_eq!(may(&rules, "PAY1"), Some(Access::Update));
            assert_eq!(may(&rules, "PX"), Some(Access::Read));
            assert_eq!(may(&rules, "TAX"), Some(Access::None));
            rules.set("FILE PAY*", "ALL NONE").unwrap();
            let again = may(&rules, "PAY1");
            assert_eq!(again, Some(Access::None));
            assert_eq!(rules.count, SUPPLIED.len() + 3);
        }
    }

    #[test]
    fn a_user_with_the_name_of_a_group_is_not_meant_by_it() {
        let mut rules = Rules::default();
        rules.set("FILE A", "clerks read, alice read").unwrap();
        rules
            .set("FILE B", "user(clerks) read, group(alice) update")
            .unwrap();
        let may = |name, user, of: &[&str]| may(&rules, "FILE", name, user, of);
        assert_eq!(may("A", "CLERKS", &[]), Some(Access::None));
        assert_eq!(may("A", "BOB", &["CLERKS"]), Some(Access::Read));
        assert_eq!(may("A", "ALICE", &[]), Some(Access::Read));
        assert_eq!(may("B", "CLERKS", &[]), Some(Access::Read));
        assert_eq!(may("B", "BOB", &["CLERKS"]), Some(Access::None));
        assert_eq!(may("B", "ALICE", &[]), Some(Access::None));
        assert_eq!(may("B", "BOB", &["ALICE"]), Some(Access::Update));
        let supplied = |user| super::tests::may(&rules, "TRANSACTION", "CEMT", user, &[]);
        assert_eq!(supplied("SYSADM"), Some(Access::None));
    }

    #[test]
    fn mistakes_are_said() {
        let mut rules = Rules::default();
        for (key, who, part) in [
            ("TRANSACTION", "ALL READ", "a class and a name"),
            ("TRANSACTOIN X", "ALL READ", "no class TRANSACTOIN"),
            ("FILE X", "ALL RAED", "\"ALL RAED\""),
            ("FILE X", "READ", "\"READ\""),
        ] {
            let text = rules.set(key, who).unwrap_err().to_string();
            assert!(
                text.starts_with("TXMXS0017E") && text.contains(part),
                "{text}"
            );
        }
        rules.set("PAY$CLS LIMIT.1", "ALL READ").unwrap();
        assert!(rules.has_class("PAY$CLS") && !rules.has_class("TAX$CLS"));
    }
}
