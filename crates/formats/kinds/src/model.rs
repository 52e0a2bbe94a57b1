//! What the files say, and questions about it.
//!
//! Not here: reading it (`read`), commands (`command`).

use std::collections::BTreeMap;

/// All kinds and views while they are read.
#[derive(Default)]
pub struct Table {
    pub common: Kind,
    pub kinds: Vec<Kind>,
    pub views: Vec<View>,
    pub(crate) none: Vec<String>,
    pub(crate) values: BTreeMap<String, (i32, String)>,
}

/// One kind of resource; also what is common to all, which has no name.
#[derive(Default)]
pub struct Kind {
    pub keyword: String,
    pub variant: String,
    pub name: String,
    pub name_chars: usize,
    pub title: String,
    pub installs: String,
    pub record: Option<Record>,
    /// A `Missing` as Rust text.
    pub missing: Option<String>,
    /// Its condition.
    pub missing_resp: Option<String>,
    /// A region has one, and commands do not name it.
    pub one: bool,
    pub state: Vec<State>,
    pub constants: Vec<(String, String)>,
    /// Option, and what stands in its parentheses.
    pub nothing: Vec<(String, String)>,
    pub by_code: Vec<Answer>,
    pub attributes: Vec<Attribute>,
    pub(crate) commands: Vec<Command>,
    /// Lines below are options of the last command, not of the last attribute.
    pub(crate) in_command: bool,
    pub(crate) cemt: Cemt,
    pub(crate) cemt_none: bool,
}

/// What the region keeps.
pub struct Record {
    /// Type.
    pub name: String,
    pub key: Field,
    /// Empty: none.
    pub space: String,
    pub combined: bool,
}

pub struct Attribute {
    pub keyword: String,
    pub rule: String,
    /// Characters of a name or text.
    pub chars: Option<usize>,
    pub default: String,
    pub effect: &'static str,
    pub field: Option<Field>,
    pub answers: Vec<Answer>,
}

pub struct Field {
    pub name: String,
    /// A `FieldValue` as Rust text.
    pub value: String,
    pub doc: String,
}

/// A field that no attribute says, and the options that tell it.
pub struct State {
    pub field: Field,
    pub answers: Vec<Answer>,
}

pub struct Answer {
    pub option: String,
    /// What stands in its parentheses, when it does not follow.
    pub argument: Option<String>,
    pub words: Vec<String>,
    pub by_code: bool,
    pub set: &'static str,
    pub resp2: u32,
    pub times: u32,
    pub divide: u32,
}

/// What CEMT shows of a kind.
#[derive(Default)]
pub struct Cemt {
    pub set: bool,
    pub discard: bool,
    pub also: Vec<String>,
    pub actions: Vec<String>,
    pub columns: Vec<Column>,
}

pub struct Column {
    pub label: String,
    pub option: String,
    pub chars: Option<String>,
    pub words: Vec<String>,
    pub settable: bool,
}

/// A view of CEMT.
pub struct View {
    pub name: String,
    pub inquired: String,
    pub key: String,
    pub key_chars: String,
    pub list: &'static str,
    pub like: Option<String>,
    pub cemt: Cemt,
}

/// What is done with a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    /// Reads it.
    Inquire,
    /// Changes it.
    Set,
    /// Removes it.
    Discard,
    /// Makes one.
    Create,
}

/// `command VERB works open fn 4E02 raises INVREQ` and the options below it.
pub(crate) struct Command {
    pub(crate) verb: Verb,
    pub(crate) works: bool,
    /// Options the table does not know are no error.
    pub(crate) open: bool,
    pub(crate) code: Option<String>,
    pub(crate) raises: Vec<String>,
    /// In place of those that follow, besides them, or (with `-`) taken away.
    pub(crate) own: Vec<String>,
}

impl Table {
    /// CICS values that come with kinds: name, number, where that is said.
    pub fn values(&self) -> impl Iterator<Item = (&str, i32, &str)> {
        let all = self.values.iter();
        all.map(|(name, (number, at))| (name.as_str(), *number, at.as_str()))
    }

    fn kind(&self, keyword: &str) -> Option<&Kind> {
        self.kinds.iter().find(|kind| kind.keyword == keyword)
    }

    /// What CEMT knows of a view: its own, or that of its kind.
    pub fn cemt_of<'a>(&'a self, view: &'a View) -> &'a Cemt {
        self.kind(&view.name).map_or(&view.cemt, |kind| &kind.cemt)
    }

    /// Columns of a view: those of the view it is like, or its own.
    pub fn columns_of<'a>(&'a self, view: &'a View) -> &'a [Column] {
        let like = view.like.as_ref().map(|other| {
            let found = self.views.iter().find(|v| v.name == *other);
            found.unwrap_or_else(|| panic!("view {other} is not known"))
        });
        &self.cemt_of(like.unwrap_or(view)).columns
    }

    /// Characters of the key of a view: its own, else those of names of its kind.
    pub fn key_chars(&self, view: &View) -> String {
        let of_kind = self.kind(&view.name).map(|kind| kind.name.as_str());
        let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect();
        digits(of_kind.unwrap_or(&view.key_chars))
    }

    /// How the members of a view are found: a `List`.
    pub fn list(&self, view: &View) -> &'static str {
        match self.kind(&view.name).is_some_and(|kind| kind.one) {
            true => "One",
            false => view.list,
        }
    }

    /// Words of SET of an option of a kind.
    pub fn set_words(&self, name: &str, option: &str) -> Vec<String> {
        let of_view = self.views.iter().find(|view| view.name == name);
        let name = of_view
            .and_then(|view| view.like.as_deref())
            .unwrap_or(name);
        let kind = self.kind(name).unwrap_or_else(|| panic!("{name}: no kind"));
        let answers = kind.attributes.iter().flat_map(|a| &a.answers);
        let mut answers = answers.chain(kind.others());
        let found = answers.find(|a| a.option == option && a.set != "No");
        let found = found.unwrap_or_else(|| panic!("{name}: {option} has no words of SET"));
        found.words.clone()
    }

    /// Kinds CEMT says it has none of.
    pub fn none(&self) -> Vec<&str> {
        let of_kinds = self.kinds.iter().filter(|kind| kind.cemt_none);
        let mut all: Vec<&str> = of_kinds.map(|kind| &kind.keyword[..]).collect();
        all.extend(self.none.iter().map(String::as_str));
        all.sort_unstable();
        all
    }
}

impl Kind {
    /// Answers about what no attribute says.
    pub fn others(&self) -> impl Iterator<Item = &Answer> {
        let of_state = self.state.iter().flat_map(|state| &state.answers);
        of_state.chain(&self.by_code)
    }
}
