//! Reads the lines of a table file. Not here: what a token says (`tokens`), what commands follow
//! (`command`).

use crate::model::{Attribute, Cemt, Command, Kind, Record, State, Table, View};
use crate::tokens::{answer, attribute, chars, column, field, rule, typed, view, words};

impl Table {
    /// Reads one file: a kind, the attributes of all kinds, or the views.
    pub fn read(&mut self, file: &str, text: &str) {
        let mut kind = Kind::default();
        for (number, line) in text.lines().enumerate() {
            let at = format!("{file}:{}", number + 1);
            let line = line.split('#').next().unwrap_or("").trim_end();
            let (head, rest) = line.split_once(' ').unwrap_or((line, ""));
            match head {
                "" if rest.trim().is_empty() => {}
                "view" => self.views.push(view(rest, &at)),
                "none" => self.none.extend(words(rest)),
                "cvda" => self.value(rest, &at),
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
    pub fn further_views(&self) -> Vec<View> {
        let named = |kind: &&Kind| self.views.iter().any(|view| view.name == kind.keyword);
        let kinds = self.kinds.iter().filter(|kind| !named(kind));
        let with_columns = kinds.filter(|kind| !kind.cemt.columns.is_empty());
        with_columns.map(|kind| view(&kind.keyword, "")).collect()
    }

    /// `NAME number`: a CICS value that comes with a kind.
    fn value(&mut self, text: &str, at: &str) {
        let (name, number) = text.split_once(' ').unwrap_or((text, ""));
        let number = number
            .trim()
            .parse()
            .unwrap_or_else(|_| panic!("{at}: cvda NAME number"));
        if let Some((_, before)) = self.values.insert(name.to_owned(), (number, at.to_owned())) {
            panic!("{at}: {name} is also at {before}");
        }
    }
}

impl Kind {
    fn line(&mut self, line: &str, head: &str, rest: &str, at: &str) {
        if !head.is_empty() {
            self.in_command = head == "command";
        }
        match head {
            "common" => {}
            "kind" => self.names(rest, at),
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
            "one" => self.one = true,
            "command" => self.commands.push(Command::of_line(rest, at)),
            "missing" => {
                self.missing = Some(missing(rest, at));
                self.missing_resp = rest.split(' ').next().map(str::to_owned);
            }
            "state" => self.state.push(state(rest, at)),
            "answer" => self.answers(rest, at),
            "nothing" => self.nothings(rest, at),
            "cemt" if rest == "none" => self.cemt_none = true,
            _ if head.starts_with("cemt") => self.cemt.read(head, rest, at),
            "" => self.further(rest, at),
            _ if head.starts_with(|c: char| c.is_ascii_uppercase()) => self.attribute(line, at),
            _ => panic!("{at}: unknown directive {head:?}"),
        }
    }

    /// `KEYWORD Variant name title`
    fn names(&mut self, text: &str, at: &str) {
        let parts: Vec<&str> = text.splitn(4, ' ').collect();
        let [keyword, variant, name, title] = parts[..] else {
            panic!("{at}: kind KEYWORD Variant name title");
        };
        self.keyword = keyword.to_owned();
        self.variant = variant.to_owned();
        self.name = rule(name, at);
        self.name_chars = chars(name).unwrap_or_else(|| panic!("{at}: {name} is no name"));
        self.title = title.to_owned();
    }

    /// An indented line: options of the command above it, or more of the attribute.
    fn further(&mut self, text: &str, at: &str) {
        if self.in_command {
            let last = self.commands.last_mut();
            last.into_iter().for_each(|command| command.options(text));
            return;
        }
        let last = self.attributes.last_mut();
        let last = last.unwrap_or_else(|| panic!("{at}: no attribute"));
        text.split_whitespace()
            .for_each(|token| last.token(token, at));
    }

    fn attribute(&mut self, line: &str, at: &str) {
        let mut tokens = line.split_whitespace();
        let mut attribute = attribute(tokens.next().unwrap_or_default(), at);
        let mut known = self.attributes.iter();
        let twice = known.any(|other| other.keyword == attribute.keyword);
        assert!(!twice, "{at}: {} twice", attribute.keyword);
        tokens.for_each(|token| attribute.token(token, at));
        self.attributes.push(attribute);
    }

    /// `OPTION(type)`
    fn nothings(&mut self, text: &str, at: &str) {
        for token in text.split_whitespace() {
            let (option, argument) = typed(token);
            let argument = argument.unwrap_or_else(|| panic!("{at}: {token} has no type"));
            self.nothing.push((option.to_owned(), argument));
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

/// `name:type OPTION[WORDS]! -- Sentence.`
fn state(text: &str, at: &str) -> State {
    let (tokens, doc) = text
        .split_once(" -- ")
        .unwrap_or_else(|| panic!("{at}: --"));
    let mut tokens = tokens.split_whitespace();
    State {
        field: field(tokens.next().unwrap_or_default(), doc, at),
        answers: tokens.map(|token| answer(token, at)).collect(),
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
