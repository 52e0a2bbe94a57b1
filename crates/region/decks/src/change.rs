//! A change of definitions: a statement at the end of the region's own deck.
//!
//! The decks of the user are read, never written. Not here: locks of groups (`locks`).

use crate::{CsdConfig, kept, locks};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use transom_messages::{self as messages, Message, Problem};

/// Tries a statement on the decks, then writes it.
///
/// # Errors
/// Why nothing was written, several messages when several things are wrong.
pub fn change(
    config: &CsdConfig,
    statement: &str,
    user: &str,
) -> Result<Vec<String>, Vec<Message>> {
    let Some(local) = &config.local else {
        return Err(vec![messages::am::no_own_deck()]);
    };
    let mut csd = kept::read(config).map_err(one)?;
    let mut written = statement.trim_end().to_owned();
    locks::check(local, statement, user).map_err(one)?;
    if let Some(comment) = locks::comment(statement, user) {
        let group = locks::group(statement).unwrap_or_default();
        if csd.group(&group).is_none() && csd.list(&group).is_none() {
            return Err(vec![messages::am::nothing_found()]);
        }
        written = format!("{comment}\n{written}");
    }
    let applied = csd.apply("CEDA", statement);
    let problems = &applied.problems;
    let texts: Vec<String> = problems.iter().map(|p| p.message.to_string()).collect();
    // A statement that changes nothing is not worth keeping.
    if applied.without_change || problems.iter().any(Problem::is_error) {
        return Err(applied.problems.into_iter().map(|p| p.message).collect());
    }
    append(local, &written)
        .map_err(|e| vec![messages::am::deck_not_written(local.display(), &e)])?;
    let mut lines = vec![messages::am::changed().to_string()];
    lines.extend(texts);
    Ok(lines)
}

fn one(message: Message) -> Vec<Message> {
    vec![message]
}

fn append(local: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = local.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().create(true).append(true).open(local)?;
    file.write_all(format!("{text}\n").as_bytes())?;
    file.sync_all()
}
