//! A CEDA line -> what to do. Verbs and keywords may be cut short.

use crate::abbreviation::abbreviated;
use crate::words::{Value, Word, words};
use transom_csd::ResourceKind;
use transom_messages::{self as messages, Message};
use transom_wire::definitions::request::{Request, Wanted};

/// Columns of a statement in a deck.
const DECK_CHARS: usize = 70;

/// What a transaction may do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Power {
    View,
    Change,
    Install,
}

/// What a line asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// A statement of the region's deck; its verb.
    Change(String, &'static str),
    /// Answer lines.
    Say(Request),
    /// A list of definitions with room for commands.
    Rows(Wanted),
    /// The attributes of one definition.
    Sheet {
        wanted: Wanted,
        /// They may be typed over.
        open: bool,
        /// Done before: a statement and its verb.
        first: Option<(String, &'static str)>,
    },
}

const VERBS: [(&str, Power); 16] = [
    ("DEFINE", Power::Change),
    ("ALTER", Power::Change),
    ("DELETE", Power::Change),
    ("COPY", Power::Change),
    ("RENAME", Power::Change),
    ("MOVE", Power::Change),
    ("ADD", Power::Change),
    ("REMOVE", Power::Change),
    ("APPEND", Power::Change),
    ("LOCK", Power::Change),
    ("UNLOCK", Power::Change),
    ("VIEW", Power::View),
    ("DISPLAY", Power::View),
    ("EXPAND", Power::View),
    ("CHECK", Power::View),
    ("INSTALL", Power::Install),
];

/// What can be typed first, its abbreviation in capitals.
pub(super) fn verbs(power: Power) -> Vec<String> {
    let mut known: Vec<&str> = VERBS
        .iter()
        .filter(|row| power >= row.1)
        .map(|row| row.0)
        .collect();
    known.sort_unstable();
    let means = |verb: &str, short: &str| {
        let first = VERBS.iter().find(|(known, _)| known.starts_with(short));
        first.is_some_and(|(known, _)| *known == verb)
    };
    let shown = known
        .iter()
        .map(|verb| abbreviated(verb, |short| means(verb, short)));
    shown.collect()
}

/// Understands a line.
pub(super) fn parse(line: &str, power: Power) -> Result<Action, Message> {
    let mut parts = words(line)?.into_iter();
    let Some(Word { text: typed, .. }) = parts.next() else {
        return Err(messages::am::type_command());
    };
    let mut parts: Vec<Word> = parts.collect();
    let found = VERBS.iter().find(|(verb, _)| verb.starts_with(&typed));
    let Some((verb, needs)) = found else {
        return Err(messages::am::word_unknown(&typed));
    };
    if power < *needs {
        return Err(messages::am::may_not(verb));
    }
    let wanted = wanted(&mut parts);
    Ok(match *verb {
        "VIEW" if !wanted.kind.is_empty() && !is_generic(&wanted.name) => Action::Sheet {
            wanted,
            open: false,
            first: None,
        },
        "VIEW" | "DISPLAY" | "EXPAND" if wanted.kind.is_empty() && !wanted.list.is_empty() => {
            Action::Say(Request::Lists(wanted))
        }
        "VIEW" | "DISPLAY" | "EXPAND" => Action::Rows(wanted),
        "CHECK" => Action::Say(Request::Check(wanted)),
        "INSTALL" if wanted.group.is_empty() && wanted.list.is_empty() => {
            return Err(messages::am::install_what());
        }
        "INSTALL" => Action::Say(Request::Install(wanted)),
        "DEFINE" if wanted.kind.is_empty() => {
            return Err(messages::am::define_what());
        }
        "DEFINE" => Action::Sheet {
            first: Some((statement("DEFINE", &parts), "DEFINE")),
            wanted,
            open: true,
        },
        // Without attributes ALTER shows what can be typed over.
        "ALTER" if is_bare(&parts) && !wanted.kind.is_empty() => Action::Sheet {
            wanted,
            open: true,
            first: None,
        },
        "ALTER" => Action::Sheet {
            first: Some((statement("ALTER", &parts), "ALTER")),
            wanted,
            open: true,
        },
        // A definition moves when it gets another group.
        "MOVE" => Action::Change(statement("RENAME", &parts), "MOVE"),
        verb => Action::Change(statement(verb, &parts), verb),
    })
}

/// Finds kind, name, group and list, and makes their keywords whole.
fn wanted(parts: &mut [Word]) -> Wanted {
    let mut wanted = Wanted::default();
    for part in parts {
        let value = literal(part.value.as_ref()).to_ascii_uppercase();
        let is = |keyword: &str| !part.text.is_empty() && keyword.starts_with(&part.text);
        if is("GROUP") {
            part.text = "GROUP".into();
            wanted.group = value;
        } else if part.text.len() > 1 && is("LIST") {
            part.text = "LIST".into();
            wanted.list = value;
        } else if wanted.kind.is_empty()
            && let Some(kind) = kind(&part.text)
        {
            part.text = kind.keyword().to_owned();
            (wanted.kind, wanted.name) = (part.text.clone(), value);
        }
    }
    wanted
}

/// Kind and group and nothing else.
fn is_bare(parts: &[Word]) -> bool {
    let of_place = |part: &Word| part.text == "GROUP" || kind(&part.text).is_some();
    parts.iter().all(of_place)
}

fn is_generic(name: &str) -> bool {
    name.is_empty() || name.contains(['*', '+'])
}

/// A kind of resource, its name possibly cut short.
fn kind(word: &str) -> Option<ResourceKind> {
    let short = || ResourceKind::all().find(|kind| kind.keyword().starts_with(word));
    ResourceKind::by_keyword(word).or_else(|| if word.len() < 2 { None } else { short() })
}

fn literal(value: Option<&Value>) -> String {
    match value {
        Some(Value::Literal(bytes)) => bytes.iter().map(|b| char::from(*b)).collect(),
        Some(Value::Variable(name)) => format!("&{name}"),
        None => String::new(),
    }
}

/// A statement in the columns of a deck.
fn statement(verb: &str, parts: &[Word]) -> String {
    let texts = parts.iter().map(|word| match &word.value {
        Some(value) => format!("{}({})", word.text, literal(Some(value))),
        None => word.text.clone(),
    });
    rows(verb, texts)
}

/// Verb and operands, no line longer than a deck takes.
pub(super) fn rows(verb: &str, parts: impl Iterator<Item = String>) -> String {
    let mut rows = vec![format!(" {verb}")];
    for part in parts {
        let used = rows.last().map_or(0, String::len);
        if used + 1 + part.len() > DECK_CHARS {
            rows.push(String::from("      "));
        }
        if let Some(row) = rows.last_mut() {
            row.push(' ');
            // A new line in a value would be another statement.
            let plain = |c: char| if c.is_control() { ' ' } else { c };
            row.extend(part.chars().map(plain));
        }
    }
    rows.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_panel_has_what_may_be_done() {
        let all = verbs(Power::Install);
        assert_eq!(all.len(), VERBS.len());
        assert!(all.contains(&"Define".to_owned()), "{all:?}");
        assert!(all.contains(&"DELete".to_owned()), "{all:?}");
        assert_eq!(verbs(Power::View).len(), 4);
    }

    #[test]
    fn lines_become_requests() {
        let of = |line: &str| parse(line, Power::Install);
        let wanted = Wanted {
            group: "G1".into(),
            ..Wanted::default()
        };
        let pay = Wanted {
            kind: "PROGRAM".into(),
            name: "PAY".into(),
            ..wanted.clone()
        };
        let statement = " DEFINE PROGRAM(PAY) GROUP(G1) LANGUAGE(COBOL)\n";
        assert_eq!(
            of("def prog(PAY) g(G1) LANGUAGE(COBOL)"),
            Ok(Action::Sheet {
                wanted: pay.clone(),
                open: true,
                first: Some((statement.into(), "DEFINE"))
            })
        );
        let bare = Action::Sheet {
            wanted: pay,
            open: true,
            first: None,
        };
        assert_eq!(of("ALT PROG(PAY) GROUP(G1)"), Ok(bare));
        let install = Action::Say(Request::Install(wanted.clone()));
        assert_eq!(of("INSTALL GROUP(G1)"), Ok(install));
        assert_eq!(of("DISPLAY GROUP(g1)"), Ok(Action::Rows(wanted)));
        let moved = Action::Change(" RENAME PROGRAM(A) GROUP(B) TO(C)\n".into(), "MOVE");
        assert_eq!(of("MOVE PROG(A) G(B) TO(C)"), Ok(moved));
        for nothing in ["", " , "] {
            assert!(of(nothing).unwrap_err().id().starts_with("TXMAM0021I"));
        }
        assert!(
            of("INSTALL PROG(A)")
                .unwrap_err()
                .id()
                .starts_with("TXMAM0024E")
        );
        let one = rows("ALTER", ["DESCRIPTION(X\n UNLOCK)".to_owned()].into_iter());
        assert_eq!(one, " ALTER DESCRIPTION(X  UNLOCK)\n");
        let may_not = parse("DEF PROG(A) G(B)", Power::View).unwrap_err();
        assert!(may_not.id().starts_with("TXMAM0023E"), "{may_not}");
    }
}
