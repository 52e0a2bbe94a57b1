//! The words of a deck: commands of DFHCSDUP, and operands without a value.
//!
//! Why: a word that begins a line is a command, an operand or a mistake, and only these lists tell
//! which. Not here: operands with values, which each command knows (`apply`).

/// Commands of DFHCSDUP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Define,
    /// DEFINE with the attributes of USER in USERDEF.
    UserDefine,
    Alter,
    Delete,
    Add,
    Remove,
    Append,
    Copy,
    Rename,
    /// Prints, checks or converts a CSD file: nothing to do here.
    Ignored,
}

const VERBS: &[(&str, Verb)] = &[
    ("DEFINE", Verb::Define),
    ("USERDEFINE", Verb::UserDefine),
    ("ALTER", Verb::Alter),
    ("DELETE", Verb::Delete),
    ("ADD", Verb::Add),
    ("REMOVE", Verb::Remove),
    ("APPEND", Verb::Append),
    ("COPY", Verb::Copy),
    ("RENAME", Verb::Rename),
    ("LIST", Verb::Ignored),
    ("EXTRACT", Verb::Ignored),
    ("INITIALIZE", Verb::Ignored),
    ("UPGRADE", Verb::Ignored),
    ("VERIFY", Verb::Ignored),
    ("SCAN", Verb::Ignored),
    ("SERVICE", Verb::Ignored),
    ("PROCESS", Verb::Ignored),
    ("MIGRATE", Verb::Ignored),
    ("LOCK", Verb::Ignored),
    ("UNLOCK", Verb::Ignored),
    ("INSTALL", Verb::Ignored),
];

/// Operands without a value. Another word that begins a line is a command, known or not.
const BARE: &[&str] = &["ALL", "MERGE", "OBJECTS", "REMOVE", "REPLACE", "SIGSUMM"];

/// The word is one of these, abbreviated to three letters or more.
pub(crate) fn is_bare(word: &str) -> bool {
    let mut all = BARE.iter();
    all.any(|bare| word.len() >= 3 && bare.starts_with(word))
}

/// How the command is written out.
pub(crate) fn whole(word: &str) -> Option<&'static str> {
    row(word).map(|row| row.0)
}

/// The command words, for suggestions.
pub(crate) fn verb_words() -> impl Iterator<Item = &'static str> {
    VERBS.iter().map(|row| row.0)
}

/// The command of a word, abbreviated to three letters or more.
pub(crate) fn verb(word: &str) -> Option<Verb> {
    row(word).map(|row| row.1)
}

fn row(word: &str) -> Option<&'static (&'static str, Verb)> {
    let exact = VERBS.iter().find(|row| row.0 == word);
    exact.or_else(|| {
        let mut fits = VERBS
            .iter()
            .filter(|row| word.len() >= 3 && row.0.starts_with(word));
        fits.next().filter(|_| fits.next().is_none())
    })
}
