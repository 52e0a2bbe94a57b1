//! What CEMT knows of each kind of resource: its commands, columns and words.
//!
//! Not here: the screen and the commands themselves.

use transom_commands::{CommandId, OptionId, cmd, opt, option_name};

include!(concat!(env!("OUT_DIR"), "/views.rs"));

/// How a column is read and shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Characters, at most this many.
    Text(usize),
    /// A number of at most so many digits.
    Number(usize),
    /// A CICS value, shown by its first letters.
    Value,
    /// So many bytes in hexadecimal.
    Hex(usize),
}

/// One column.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// What stands before the value; empty: nothing.
    pub label: &'static str,
    /// Option of INQUIRE, and of SET when it may be typed over.
    pub option: OptionId,
    /// How it is read and shown.
    pub kind: ColumnKind,
    /// CICS values that may be typed over it.
    pub words: &'static [&'static str],
    /// A number that may be changed.
    pub number: bool,
}

/// One kind of resource as an operator sees it.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// Name.
    pub name: &'static str,
    /// Other names.
    pub also: &'static [&'static str],
    /// Option with the name of a member.
    pub key: OptionId,
    /// Its characters.
    pub key_chars: usize,
    /// INQUIRE.
    pub inquire: CommandId,
    /// SET.
    pub set: Option<CommandId>,
    /// DISCARD.
    pub discard: Option<CommandId>,
    /// How its members are found.
    pub list: List,
    /// What is shown.
    pub columns: &'static [Column],
    /// Words of SET that no column shows.
    pub actions: &'static [&'static str],
}

/// How the members of a kind are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    /// START, NEXT, END.
    Browse,
    /// The same; the name is bytes. Its first eight are shown in hexadecimal, the rest is zero.
    Hex,
    /// INQUIRE TASK LIST.
    Tasks,
    /// There is one.
    One,
}

/// All views; an abbreviation means the first that fits.
pub fn views() -> &'static [View] {
    VIEWS
}

/// Kinds of CICS that no region of ours has any of.
pub fn none_of() -> &'static [&'static str] {
    NONE_OF
}

/// Names that CEMT of CICS has other words for, TCLASS and JMODEL: they leave their beginnings to
/// TRANSACTION and JOURNALNAME.
const LONG: [&str; 2] = ["TRANCLASS", "JOURNALMODEL"];

/// What a word behind a verb of CEMT stands for.
#[derive(Debug, Clone, Copy)]
pub enum Meant {
    /// A kind that is shown.
    Kind(&'static View),
    /// A kind that CICS has and a region here has none of.
    NoneOf(&'static str),
}

impl Meant {
    /// The name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            Meant::Kind(view) => view.name,
            Meant::NoneOf(name) => name,
        }
    }
}

impl View {
    /// The view of a word, which may be cut short as far as no other one has it.
    pub fn of(word: &str) -> Option<&'static View> {
        match Self::fitting(word, |_| true).as_slice() {
            [Meant::Kind(one)] => Some(one),
            _ => None,
        }
    }

    /// What a word stands for that may be cut short, among the views of a request: one view is
    /// what is meant, several must be asked for. A name is a kind of CICS that no region has.
    pub fn fitting(word: &str, of_request: impl Fn(&View) -> bool) -> Vec<Meant> {
        let among = || views().iter().filter(|view| of_request(view));
        let mut whole = among().filter(|view| view.name == word || view.also.contains(&word));
        if let Some(view) = whole.next() {
            return vec![Meant::Kind(view)];
        }
        let keyword = |view: &View| view.name.starts_with(word) && !LONG.contains(&view.name);
        let other = |view: &View| view.also.iter().any(|also| also.starts_with(word));
        let mut fits: Vec<_> = among()
            .filter(|view| keyword(view) || other(view))
            .map(Meant::Kind)
            .collect();
        let nowhere = none_of().iter().filter(|name| name.starts_with(word));
        fits.extend(nowhere.copied().map(Meant::NoneOf));
        if fits.is_empty() {
            let known = among().filter(|view| view.name.starts_with(word));
            fits.extend(known.map(Meant::Kind));
        }
        fits
    }

    /// A word of SET, which may be cut short.
    pub fn word(&self, typed: &str) -> Option<&'static str> {
        let words = self.columns.iter().flat_map(|column| column.words);
        let mut all = words.chain(self.actions);
        all.find(|word| !typed.is_empty() && word.starts_with(typed))
            .copied()
    }

    /// A column whose number can be set, by its option's name, which may be cut short.
    pub fn settable(&self, typed: &str) -> Option<&'static Column> {
        self.column(typed).filter(|column| column.number)
    }

    /// A column by its option's name or label, which may be cut short.
    pub fn column(&self, typed: &str) -> Option<&'static Column> {
        let named = |c: &&Column| option_name(c.option).starts_with(typed);
        // TRANID is no option, but Tra( ) is on the screen.
        let labelled =
            |c: &&Column| !c.label.is_empty() && typed.starts_with(&c.label.to_ascii_uppercase());
        let mut columns = self.columns.iter();
        let found = columns.clone().find(named);
        found.or_else(|| columns.find(labelled))
    }
}

impl Column {
    /// Characters its values take.
    pub fn chars(&self) -> usize {
        match self.kind {
            ColumnKind::Text(chars) | ColumnKind::Number(chars) => chars,
            ColumnKind::Value if self.words.is_empty() => 7,
            ColumnKind::Value => 5,
            ColumnKind::Hex(bytes) => bytes * 2,
        }
    }
}
