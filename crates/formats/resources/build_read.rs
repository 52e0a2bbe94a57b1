//! Reads the lines of a table file. Not here: what a token says (`build_tokens`), Rust text.

use crate::tokens::{answer, attribute, column, field, rule, view, words};

/// All kinds and views while they are read.
#[derive(Default)]
pub(crate) struct Table {
    pub(crate) common: Kind,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) views: Vec<View>,
    none: Vec<String>,
}

/// One kind of resource; also what is common to all, which has no name.
#[derive(Default)]
pub(crate) struct Kind {
    pub(crate) keyword: String,
    pub(crate) variant: String,
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) installs: String,
    pub(crate) record: Option<Record>,
    /// A `Missing` as Rust text.
    pub(crate) missing: Option<String>,
    pub(crate) state: Vec<Field>,
    pub(crate) constants: Vec<(String, String)>,
    pub(crate) nothing: Vec<String>,
    pub(crate) by_code: Vec<Answer>,
    pub(crate) attributes: Vec<Attribute>,
    cemt: Cemt,
    cemt_none: bool,
}

pub(crate) struct Record {
    pub(crate) name: String,
    pub(crate) key: Field,
    /// Empty: none.
    pub(crate) space: String,
    pub(crate) combined: bool,
}

pub(crate) struct Attribute {
    pub(crate) keyword: String,
    pub(crate) rule: String,
    pub(crate) default: String,
    pub(crate) effect: &'static str,
    pub(crate) field: Option<Field>,
    pub(crate) answers: Vec<Answer>,
}

pub(crate) struct Field {
    pub(crate) name: String,
    /// A `FieldValue` as Rust text.
    pub(crate) value: String,
    pub(crate) doc: String,
}

pub(crate) struct Answer {
    pub(crate) option: String,
    pub(crate) words: Vec<String>,
    pub(crate) by_code: bool,
    pub(crate) set: &'static str,
    pub(crate) resp2: u32,
    pub(crate) times: u32,
    pub(crate) divide: u32,
}

/// What CEMT shows of a kind.
#[derive(Default)]
pub(crate) struct Cemt {
    pub(crate) set: bool,
    pub(crate) discard: bool,
    pub(crate) also: Vec<String>,
    pub(crate) actions: Vec<String>,
    pub(crate) columns: Vec<Column>,
}

pub(crate) struct Column {
    pub(crate) label: String,
    pub(crate) option: String,
    pub(crate) chars: Option<String>,
    pub(crate) words: Vec<String>,
    pub(crate) settable: bool,
}

/// A view of CEMT.
pub(crate) struct View {
    pub(crate) name: String,
    pub(crate) inquired: String,
    pub(crate) key: String,
    pub(crate) key_chars: String,
    pub(crate) list: &'static str,
    pub(crate) like: Option<String>,
    pub(crate) cemt: Cemt,
}

impl Table {
    /// Reads one file: a kind, the attributes of all kinds, or the views.
    pub(crate) fn read(&mut self, file: &str, text: &str) {
        let mut kind = Kind::default();
        for (number, line) in text.lines().enumerate() {
            let at = format!("{file}:{}", number + 1);
            let line = line.split('#').next().unwrap_or("").trim_end();
            let (head, rest) = line.split_once(' ').unwrap_or((line, ""));
            match head {
                "" if rest.trim().is_empty() => {}
                "view" => self.views.push(view(rest, &at)),
                "none" => self.none.extend(words(rest)),
                _ if head.starts_with("cemt") && file == "views.txt" => {
                    let view = self
                        .views
                        .last_mut()
                        .unwrap_or_else(|| panic!("{at}: no view"));
                    view.cemt.read(head, rest, &at);
                }
                _ => kind.line(line, head, rest, &at),
            }
        }
        match file {
            "views.txt" => {}
            "common.txt" => self.common = kind,
            _ => {
                assert!(!kind.variant.is_empty(), "{file}: no kind");
                let own = format!("{}.txt", kind.keyword.to_ascii_lowercase());
                assert_eq!(file, own, "the file of a kind has its name");
                self.kinds.push(kind);
            }
        }
    }

    /// Views of kinds with columns that no line of views.txt names.
    pub(crate) fn further_views(&self) -> Vec<View> {
        let named = |kind: &&Kind| self.views.iter().any(|view| view.name == kind.keyword);
        let kinds = self.kinds.iter().filter(|kind| !named(kind));
        let with_columns = kinds.filter(|kind| !kind.cemt.columns.is_empty());
        with_columns.map(|kind| view(&kind.keyword, "")).collect()
    }

    fn kind(&self, keyword: &str) -> Option<&Kind> {
        self.kinds.iter().find(|kind| kind.keyword == keyword)
    }

    /// What CEMT knows of a view: its own, or that of its kind.
    pub(crate) fn cemt_of<'a>(&'a self, view: &'a View) -> &'a Cemt {
        self.kind(&view.name).map_or(&view.cemt, |kind| &kind.cemt)
    }

    /// Columns of a view: those of the view it is like, or its own.
    pub(crate) fn columns_of<'a>(&'a self, view: &'a View) -> &'a [Column] {
        let like = view.like.as_ref().map(|other| {
            let found = self.views.iter().find(|v| v.name == *other);
            found.unwrap_or_else(|| panic!("view {other} is not known"))
        });
        &self.cemt_of(like.unwrap_or(view)).columns
    }

    /// Characters of the key of a view: its own, else those of names of its kind.
    pub(crate) fn key_chars(&self, view: &View) -> String {
        let of_kind = self.kind(&view.name).map(|kind| kind.name.as_str());
        let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect();
        digits(of_kind.unwrap_or(&view.key_chars))
    }

    /// Words of SET of an option of a kind.
    pub(crate) fn set_words(&self, name: &str, option: &str) -> Vec<String> {
        let of_view = self.views.iter().find(|view| view.name == name);
        let name = of_view
            .and_then(|view| view.like.as_deref())
            .unwrap_or(name);
        let kind = self.kind(name).unwrap_or_else(|| panic!("{name}: no kind"));
        let answers = kind.attributes.iter().flat_map(|a| &a.answers);
        let mut answers = answers.chain(&kind.by_code);
        let found = answers.find(|a| a.option == option && a.set != "No");
        let found = found.unwrap_or_else(|| panic!("{name}: {option} has no words of SET"));
        found.words.clone()
    }

    /// Kinds CEMT says it has none of.
    pub(crate) fn none(&self) -> Vec<&str> {
        let of_kinds = self.kinds.iter().filter(|kind| kind.cemt_none);
        let mut all: Vec<&str> = of_kinds.map(|kind| &kind.keyword[..]).collect();
        all.extend(self.none.iter().map(String::as_str));
        all.sort_unstable();
        all
    }
}

impl Kind {
    /// Name of the kind in INQUIRE; the common attributes stand for those of any kind.
    pub(crate) fn inquired(&self) -> String {
        match self.keyword.as_str() {
            "" => "PROGRAM".to_owned(),
            keyword => keyword.to_owned(),
        }
    }

    fn line(&mut self, line: &str, head: &str, rest: &str, at: &str) {
        match head {
            "common" => {}
            "kind" => {
                let parts: Vec<&str> = rest.splitn(4, ' ').collect();
                let [keyword, variant, name, title] = parts[..] else {
                    panic!("{at}: kind KEYWORD Variant name title");
                };
                self.keyword = keyword.to_owned();
                self.variant = variant.to_owned();
                self.name = rule(name, at);
                self.title = title.to_owned();
            }
            "installs" => {
                self.installs = match rest {
                    "now" => "Now",
                    "start" => "AtStart",
                    "accepted" => "Accepted",
                    "refused" => "Refused",
                    _ => panic!("{at}: installs now, start, accepted or refused"),
                }
                .to_owned();
            }
            "record" => self.record = Some(record(rest, at)),
            "missing" => self.missing = Some(missing(rest, at)),
            "state" => {
                let (token, doc) = rest
                    .split_once(" -- ")
                    .unwrap_or_else(|| panic!("{at}: --"));
                self.state.push(field(token, doc, at));
            }
            "answer" => self.answers(rest, at),
            "nothing" => self.nothing.extend(words(rest)),
            "cemt" if rest == "none" => self.cemt_none = true,
            _ if head.starts_with("cemt") => self.cemt.read(head, rest, at),
            "" => {
                let last = self.attributes.last_mut();
                let last = last.unwrap_or_else(|| panic!("{at}: no attribute"));
                rest.split_whitespace()
                    .for_each(|token| last.token(token, at));
            }
            _ if head.starts_with(|c: char| c.is_ascii_uppercase()) => {
                let mut tokens = line.split_whitespace();
                let mut attribute = attribute(tokens.next().unwrap_or_default(), at);
                let twice = self
                    .attributes
                    .iter()
                    .any(|a| a.keyword == attribute.keyword);
                assert!(!twice, "{at}: {} twice", attribute.keyword);
                tokens.for_each(|token| attribute.token(token, at));
                self.attributes.push(attribute);
            }
            _ => panic!("{at}: unknown directive {head:?}"),
        }
    }

    /// `OPTION=CONSTANT`, `*OPTION[WORDS]~`.
    fn answers(&mut self, text: &str, at: &str) {
        for token in text.split_whitespace() {
            match token.split_once('=') {
                Some((option, value)) => self.constants.push((option.into(), value.into())),
                None => self.by_code.push(answer(token, at)),
            }
        }
    }
}

/// `Name key:type Space *`
fn record(text: &str, at: &str) -> Record {
    let (text, combined) = match text.strip_suffix(" *") {
        Some(text) => (text, true),
        None => (text, false),
    };
    let parts: Vec<&str> = text.split(' ').collect();
    let [name, key, space] = parts[..] else {
        panic!("{at}: record Name key:type Space");
    };
    Record {
        name: name.to_owned(),
        key: field(key, "Name.", at),
        space: space.trim_matches('-').to_owned(),
        combined,
    }
}

/// `RESP 1 1 1`
fn missing(text: &str, at: &str) -> String {
    let parts: Vec<&str> = text.split(' ').collect();
    let [resp, inquire, set, discard] = parts[..] else {
        panic!("{at}: missing RESP inquire set discard");
    };
    format!(
        "Some(Missing {{ resp: {resp:?}, inquire: {inquire}, set: {set}, discard: {discard} }})"
    )
}

impl Attribute {
    fn token(&mut self, token: &str, at: &str) {
        match token {
            "acts" => self.effect = "Acts",
            "shown" => self.effect = "Shown",
            _ if token.starts_with(|c: char| c.is_ascii_lowercase()) => {
                self.field = Some(field(token, &self.doc(token), at));
            }
            _ => self.answers.push(answer(token, at)),
        }
    }

    /// `STATUS(ENABLED).`, `PRIORITY.`
    fn doc(&self, token: &str) -> String {
        let value = token.split_once(':').map_or("", |(_, value)| value);
        let is_flag = value != "given" && value.starts_with(|c: char| c.is_ascii_uppercase());
        let is_flag = is_flag && value.chars().all(|c| !c.is_ascii_lowercase());
        match is_flag {
            true => format!("{}({}).", self.keyword, value.replace('|', " or ")),
            false => format!("{}.", self.keyword),
        }
    }
}

impl Cemt {
    fn read(&mut self, head: &str, rest: &str, at: &str) {
        match head {
            "cemt" => {
                for verb in rest.split_whitespace() {
                    match verb {
                        "set" => self.set = true,
                        "discard" => self.discard = true,
                        _ => panic!("{at}: cemt set discard, or cemt none"),
                    }
                }
            }
            "cemt-also" => self.also.extend(words(rest)),
            "cemt-actions" => self.actions.extend(words(rest)),
            "cemt-columns" => self.columns.extend(rest.split_whitespace().map(column)),
            _ => panic!("{at}: unknown directive {head:?}"),
        }
    }
}
