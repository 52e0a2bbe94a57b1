//! The paging commands a user types: `P/2`, `P/N`, `T/B` and so on.
//!
//! A command is a code of the region's configuration (PGRET, PGPURGE) with letters behind it, with
//! or without `CSPG` in front. Not here: what a command does.

use crate::PagingConfig;

/// A command.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Show a page; the identifier names a message that waits.
    Retrieve(Page, Option<u32>),
    /// Say what waits.
    Query,
    /// Forget messages; the identifier names one that waits.
    Purge(Purge, Option<u32>),
    /// A paging code with something else behind it, or one for chaining and copying.
    Unknown(String),
}

/// A page of the message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Page {
    Current,
    Last,
    /// From 1.
    Number(usize),
    Forward(usize),
    Back(usize),
}

/// Which messages are purged.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Purge {
    /// A: all.
    Everything,
    /// B and C: the one on the screen.
    Shown,
    /// H: those chained to it; there are none.
    Chained,
    /// R: those that wait.
    Waiting,
}

/// Reads what was typed; `None`: it is no paging command.
pub(super) fn parse(config: &PagingConfig, typed: &str) -> Option<Command> {
    let text = typed.trim().to_uppercase();
    let text = match text.strip_prefix("CSPG") {
        Some(rest) if rest.is_empty() || rest.starts_with(' ') => rest.trim(),
        _ => &text,
    };
    let behind = |code: &str| text.strip_prefix(code).filter(|_| !code.is_empty());
    if let Some(rest) = behind(&config.retrieve) {
        return Some(retrieve(rest).unwrap_or_else(|| Command::Unknown(text.to_owned())));
    }
    if let Some(rest) = behind(&config.purge) {
        return Some(purge(rest).unwrap_or_else(|| Command::Unknown(text.to_owned())));
    }
    let other = behind(&config.chain).or_else(|| behind(&config.copy));
    other.map(|_| Command::Unknown(text.to_owned()))
}

/// Reads what a key stands for: a whole command, or what follows the code of retrieval.
pub(super) fn parse_key(config: &PagingConfig, text: &str) -> Option<Command> {
    parse(config, text).or_else(|| parse(config, &format!("{}{}", config.retrieve, text.trim())))
}

fn retrieve(rest: &str) -> Option<Command> {
    let (page, id) = split(rest)?;
    let page = match page {
        "" | "C" => Page::Current,
        "N" => Page::Forward(1),
        "P" => Page::Back(1),
        "L" => Page::Last,
        "Q" => return id.is_none().then_some(Command::Query),
        text => match (text.strip_prefix('+'), text.strip_prefix('-')) {
            (Some(n), _) => Page::Forward(n.parse().ok()?),
            (_, Some(n)) => Page::Back(n.parse().ok()?),
            _ => Page::Number(text.parse().ok()?),
        },
    };
    Some(Command::Retrieve(page, id))
}

fn purge(rest: &str) -> Option<Command> {
    let (what, id) = split(rest)?;
    let what = match what {
        "A" => Purge::Everything,
        "B" | "C" => Purge::Shown,
        "H" => Purge::Chained,
        "R" => Purge::Waiting,
        "" if id.is_some() => Purge::Waiting,
        _ => return None,
    };
    Some(Command::Purge(what, id))
}

/// Letters and the six hexadecimal digits of a message behind a comma.
fn split(rest: &str) -> Option<(&str, Option<u32>)> {
    match rest.split_once(',') {
        None => Some((rest.trim(), None)),
        Some((what, id)) => {
            let id = u32::from_str_radix(id.trim(), 16).ok()?;
            Some((what.trim(), Some(id)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_as_users_type_them() {
        let config = PagingConfig::default();
        let read = |text| parse(&config, text);
        assert_eq!(read("p/2"), Some(Command::Retrieve(Page::Number(2), None)));
        assert_eq!(
            read("CSPG P/N"),
            Some(Command::Retrieve(Page::Forward(1), None))
        );
        assert_eq!(read("P/-3"), Some(Command::Retrieve(Page::Back(3), None)));
        assert_eq!(
            read("P/L,00000A"),
            Some(Command::Retrieve(Page::Last, Some(10)))
        );
        assert_eq!(read("T/B"), Some(Command::Purge(Purge::Shown, None)));
        assert_eq!(read("P/Q"), Some(Command::Query));
        assert_eq!(read("P/(N)1"), Some(Command::Unknown("P/(N)1".into())));
        assert_eq!(read("C/T001"), Some(Command::Unknown("C/T001".into())));
        assert_eq!(
            parse_key(&config, "N"),
            Some(Command::Retrieve(Page::Forward(1), None))
        );
        assert_eq!(read("MENU"), None);
        assert_eq!(read("CSPG"), None);
    }
}
