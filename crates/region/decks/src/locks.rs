//! LOCK and UNLOCK of groups and lists: while one is locked only the user who locked it changes it.
//!
//! A lock is a statement in the region's own deck with a comment that names its holder: DFHCSDUP
//! reads past both.

use std::fs;
use std::path::Path;
use transom_messages::{self as messages, Message};

/// Begins the comment above a LOCK.
const HOLDER: &str = "* locked by ";

/// Group or list a statement is about.
pub(super) fn group(statement: &str) -> Option<String> {
    let upper = statement.to_ascii_uppercase();
    let after = ["GROUP(", "LIST("]
        .iter()
        .find_map(|word| upper.split_once(word).map(|(_, rest)| rest.to_owned()))?;
    let (name, _) = after.split_once(')')?;
    Some(name.trim().to_owned())
}

fn verb(statement: &str) -> String {
    let first = statement.split_whitespace().next();
    first.unwrap_or_default().to_ascii_uppercase()
}

/// The comment that goes with a LOCK.
pub(super) fn comment(statement: &str, user: &str) -> Option<String> {
    match verb(statement).as_str() {
        "LOCK" => Some(format!("{HOLDER}{user}")),
        "UNLOCK" => Some(format!("* unlocked by {user}")),
        _ => None,
    }
}

/// All groups and lists a statement names: ADD names both, COPY and RENAME have a target. A name in
/// a description only refuses more.
fn named(statement: &str) -> Vec<String> {
    let upper = statement.to_ascii_uppercase();
    let behind = |word: &&str| -> Vec<String> {
        let names = upper.split(*word).skip(1);
        let name = |rest: &str| rest.split_once(')').map(|(name, _)| name.trim().to_owned());
        names.filter_map(name).collect()
    };
    ["GROUP(", "LIST(", "TO("].iter().flat_map(behind).collect()
}

/// A statement about something another user has locked is refused: one sentence.
pub(super) fn check(local: &Path, statement: &str, user: &str) -> Result<(), Message> {
    let text = fs::read_to_string(local).unwrap_or_default();
    for wanted in named(statement) {
        if let Some(other) = holder(&text, &wanted).filter(|other| other != user) {
            return Err(messages::am::group_locked(&wanted, &other));
        }
    }
    Ok(())
}

/// Who holds the lock of a group by the text of the deck.
fn holder(text: &str, wanted: &str) -> Option<String> {
    let (mut holder, mut named) = (None, "");
    for line in text.lines() {
        if let Some(user) = line.strip_prefix(HOLDER) {
            named = user.trim();
            continue;
        }
        let about = || group(line).as_deref() == Some(wanted);
        match verb(line).as_str() {
            "LOCK" if about() => holder = Some(named.to_owned()),
            "UNLOCK" if about() => holder = None,
            _ => {}
        }
    }
    holder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_statement_counts() {
        let text = "* locked by ALICE\n LOCK GROUP(PAY)\n* locked by BOB\n LOCK GROUP(TAX)\n";
        assert_eq!(holder(text, "PAY").as_deref(), Some("ALICE"));
        assert_eq!(holder(text, "TAX").as_deref(), Some("BOB"));
        assert_eq!(holder(text, "OTHER"), None);
        let text = format!("{text}* unlocked by ALICE\n UNLOCK GROUP(PAY)\n");
        assert_eq!(holder(&text, "PAY"), None);
        assert_eq!(
            named(" ADD GROUP(pay) LIST( L1 )\n      TO(NEW)\n"),
            ["PAY", "L1", "NEW"]
        );
        assert_eq!(
            group(" DEFINE PROGRAM(A) GROUP(pay) X(Y)").as_deref(),
            Some("PAY")
        );
    }
}
