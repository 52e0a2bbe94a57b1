//! LOCK and UNLOCK of groups and lists: while one is locked only the user who locked it changes it.
//!
//! A lock is a statement in the region's own deck with a comment that names its holder: DFHCSDUP
//! reads past both.

use transom_csd::{Changed, Csd};
use transom_messages::{self as messages, Message};

/// Begins the comment above a LOCK.
const HOLDER: &str = "* locked by ";

/// Group or list a line of the deck locks or unlocks.
fn group(line: &str) -> Option<String> {
    let upper = line.to_ascii_uppercase();
    let after = ["GROUP(", "LIST("]
        .iter()
        .find_map(|word| upper.split_once(word).map(|(_, rest)| rest.to_owned()))?;
    let (name, _) = after.split_once(')')?;
    Some(name.trim().to_owned())
}

fn verb(line: &str) -> String {
    let first = line.split_whitespace().next();
    first.unwrap_or_default().to_ascii_uppercase()
}

/// The comment that goes with a LOCK.
pub(super) fn comment(statement: &str, user: &str) -> Option<String> {
    let changed = Changed::by(statement);
    match changed.first()?.verb {
        "LOCK" => Some(format!("{HOLDER}{user}")),
        "UNLOCK" => Some(format!("* unlocked by {user}")),
        _ => None,
    }
}

/// A statement is refused that changes what another user has locked, what nobody changes, or that
/// gives a group the name of a list: one sentence.
pub(super) fn check(csd: &Csd, text: &str, statement: &str, user: &str) -> Result<(), Message> {
    for changed in Changed::by(statement) {
        changed.is_free(csd)?;
        if let Some(other) = holder(text, &changed.name).filter(|other| other != user) {
            return Err(messages::am::group_locked(&changed.name, &other));
        }
    }
    Ok(())
}

/// Who holds the lock of a group by the text of the deck.
pub(super) fn holder(text: &str, wanted: &str) -> Option<String> {
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
        let csd = Csd::new();
        let check = |statement: &str| check(&csd, &text, statement, "CAROL").is_ok();
        assert!(!check(" DELETE GROUP(TAX)") && check(" COPY GROUP(TAX) TO(MINE)"));
    }
}
