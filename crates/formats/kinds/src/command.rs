//! The commands about a kind, INQUIRE, SET, DISCARD and CREATE, as paragraphs of the command table.
//!
//! What: options follow from what the kind's file says of attributes and answers; the file adds
//! what does not follow and takes away what CICS does not have. Why paragraphs: the command table
//! has one reader. Format: `table/README.md`, and `formats/commands/table/README.md` of what comes
//! out. Not here: lines of the file (`read`).

use crate::model::{Answer, Attribute, Command, Kind, Table, Verb};
use std::fmt::Write as _;

/// Option of INQUIRE without which the answers of `common.txt` are not among its options.
const SIGNATURE: &str = "-signature";

impl Verb {
    /// All of them.
    pub(crate) const ALL: [Verb; 4] = [Verb::Inquire, Verb::Set, Verb::Discard, Verb::Create];

    fn word(self) -> &'static str {
        match self {
            Verb::Inquire => "INQUIRE",
            Verb::Set => "SET",
            Verb::Discard => "DISCARD",
            Verb::Create => "CREATE",
        }
    }

    fn group(self) -> &'static str {
        match self {
            Verb::Inquire => "Inquiry",
            Verb::Set => "Setting of resources",
            Verb::Discard | Verb::Create => "Creation and removal of resources",
        }
    }
}

impl Command {
    /// `VERB works open fn 4E02 raises INVREQ`
    pub(crate) fn of_line(text: &str, at: &str) -> Self {
        let mut words = text.split_whitespace();
        let word = words.next().unwrap_or_default();
        let verb = Verb::ALL.into_iter().find(|verb| verb.word() == word);
        let mut command = Self {
            verb: verb.unwrap_or_else(|| panic!("{at}: command {word:?}")),
            works: false,
            open: false,
            code: None,
            raises: Vec::new(),
            own: Vec::new(),
        };
        while let Some(word) = words.next() {
            match word {
                "works" => command.works = true,
                "open" => command.open = true,
                "fn" => command.code = words.next().map(str::to_owned),
                "raises" => command.raises = words.by_ref().map(str::to_owned).collect(),
                _ => panic!("{at}: command VERB works open fn CODE raises CONDITIONS"),
            }
        }
        command
    }

    /// Options below the line.
    pub(crate) fn options(&mut self, text: &str) {
        self.own.extend(text.split_whitespace().map(str::to_owned));
    }
}

impl Table {
    /// The commands about kinds, as paragraphs of the command table.
    pub fn paragraphs(&self) -> String {
        let commands = self.kinds.iter().flat_map(|kind| {
            let of_kind = kind.commands.iter();
            of_kind.map(move |command| paragraph(kind, command, &self.common))
        });
        commands.collect::<Vec<_>>().join("\n")
    }
}

/// The paragraph of a command; `common` is what all kinds answer.
fn paragraph(kind: &Kind, command: &Command, common: &Kind) -> String {
    let mut out = String::new();
    let (word, keyword) = (command.verb.word(), &kind.keyword);
    let _ = writeln!(
        out,
        "group {}\ncommand {word} {keyword}",
        command.verb.group()
    );
    if let Some(code) = &command.code {
        let _ = writeln!(out, "  fn {code}");
    }
    if command.works {
        out.push_str("  status works\n");
    }
    if command.open {
        out.push_str("  open\n");
    }
    let _ = writeln!(out, "  raises {}", raises(kind, command).join(" "));
    for option in options(kind, command, common) {
        let _ = writeln!(out, "  {option}");
    }
    out
}

fn raises(kind: &Kind, command: &Command) -> Vec<String> {
    if !command.raises.is_empty() {
        return command.raises.clone();
    }
    let missing = kind.missing_resp.as_deref().unwrap_or("NOTFND");
    let usual: &[&str] = match command.verb {
        Verb::Inquire if kind.one => &["NOTAUTH", missing],
        Verb::Inquire if command.works => &["END", "ILLOGIC", "NOTAUTH", missing],
        Verb::Inquire => &["END", "ILLOGIC", "INVREQ", "NOTAUTH", missing],
        Verb::Set | Verb::Discard => &["INVREQ", "NOTAUTH", missing],
        Verb::Create => &["ILLOGIC", "INVREQ", "LENGERR", "NOTAUTH"],
    };
    usual.iter().map(|name| (*name).to_owned()).collect()
}

/// What follows, with what the file says in its place, less what it takes away, and what it adds.
fn options(kind: &Kind, command: &Command, common: &Kind) -> Vec<String> {
    let mut follow = match command.verb {
        Verb::Inquire => inquire(kind, command, common),
        Verb::Set => set(kind),
        Verb::Discard => key(kind),
        Verb::Create => create(kind),
    };
    for own in command.own.iter().filter(|own| *own != SIGNATURE) {
        let (taken_away, own) = match own.strip_prefix('-') {
            Some(taken_away) => (true, taken_away),
            None => (false, own.as_str()),
        };
        let place = follow
            .iter()
            .position(|option| keyword(option) == keyword(own));
        match (place, taken_away) {
            (Some(place), true) => drop(follow.remove(place)),
            (Some(place), false) => own.clone_into(&mut follow[place]),
            (None, true) => panic!(
                "{} {}: {own} does not follow",
                command.verb.word(),
                kind.keyword
            ),
            (None, false) => follow.push(own.to_owned()),
        }
    }
    follow
}

/// `KEYWORD` of `KEYWORD|SYNONYM(kind)?!~status`.
fn keyword(option: &str) -> &str {
    let end = option.find(|c: char| !c.is_ascii_alphanumeric());
    &option[..end.unwrap_or(option.len())]
}

fn key(kind: &Kind) -> Vec<String> {
    match kind.one {
        true => Vec::new(),
        false => vec![format!("{}(n{})!", kind.keyword, kind.name_chars)],
    }
}

fn create(kind: &Kind) -> Vec<String> {
    let named = format!("{}(n{})!", kind.keyword, kind.name_chars);
    let others = "ATTRIBUTES(b:ATTRLEN)! ATTRLEN(h) LOG NOLOG LOGMESSAGE(cvda)";
    let others = others.split(' ').map(str::to_owned);
    std::iter::once(named).chain(others).collect()
}

fn inquire(kind: &Kind, command: &Command, common: &Kind) -> Vec<String> {
    let mut all = Vec::new();
    if !kind.one {
        let (keyword, chars) = (&kind.keyword, kind.name_chars);
        all.push(format!("{keyword}(<>c{chars})?"));
        all.extend(["START", "NEXT", "END"].map(str::to_owned));
        all.push(format!("AT(n{chars})"));
    }
    let of_attributes = kind.attributes.iter().flat_map(|attribute| {
        let answers = attribute.answers.iter();
        answers.map(move |answer| (answer, argument(kind, answer, Some(attribute))))
    });
    let others = kind
        .others()
        .map(|answer| (answer, argument(kind, answer, None)));
    for (answer, argument) in of_attributes.chain(others) {
        all.push(format!("{}({})", answer.option, output(&argument)));
    }
    let constant = if command.works { "~constant" } else { "" };
    let common = Some(common).filter(|_| !command.own.iter().any(|own| own == SIGNATURE));
    let same = std::iter::once(kind).chain(common).flat_map(Kind::same);
    for (option, argument) in same {
        if !all.iter().any(|other| keyword(other) == option) {
            all.push(format!("{option}({}){constant}", output(&argument)));
        }
    }
    all
}

fn set(kind: &Kind) -> Vec<String> {
    let mut all = key(kind);
    let of_attributes = kind.attributes.iter().flat_map(|attribute| {
        let answers = attribute.answers.iter();
        answers.map(move |answer| (answer, Some(attribute)))
    });
    for (answer, attribute) in of_attributes.chain(kind.others().map(|answer| (answer, None))) {
        if answer.set == "No" {
            continue;
        }
        let acts = attribute.is_none_or(|attribute| attribute.effect == "Acts");
        let status = if acts { "" } else { "~ignored" };
        let argument = argument(kind, answer, attribute);
        let argument = argument
            .strip_prefix('c')
            .filter(|chars| chars.parse::<u16>().is_ok())
            .map_or(argument.clone(), |chars| format!("n{chars}"));
        let words = answer.words.iter().map(|word| format!("{word}{status}"));
        for option in std::iter::once(format!("{}({argument}){status}", answer.option)).chain(words)
        {
            if !all.iter().any(|other| keyword(other) == keyword(&option)) {
                all.push(option);
            }
        }
    }
    all
}

/// What the command writes: `>c8`, `>cvda`; a pointer as it is.
fn output(argument: &str) -> String {
    match argument {
        "ptr" => argument.to_owned(),
        _ => format!(">{argument}"),
    }
}

/// What stands in the parentheses: what the file says, else what follows from values and attribute.
fn argument(kind: &Kind, answer: &Answer, attribute: Option<&Attribute>) -> String {
    if let Some(argument) = &answer.argument {
        return argument.clone();
    }
    if !answer.words.is_empty() {
        return "cvda".to_owned();
    }
    match attribute.map(|attribute| (attribute.chars, attribute.rule.as_str())) {
        Some((Some(chars), _)) => format!("c{chars}"),
        Some((None, rule)) if rule.starts_with("Rule::Number") => "f".to_owned(),
        _ => panic!("{}: {} has no type", kind.keyword, answer.option),
    }
}

impl Kind {
    /// Options that all resources of the kind answer alike, with what stands in their parentheses.
    fn same(&self) -> impl Iterator<Item = (&str, String)> {
        let constants = self.constants.iter().map(|(option, value)| {
            let argument = match value.parse::<i32>() {
                Ok(_) => "f",
                Err(_) => "cvda",
            };
            (option.as_str(), argument.to_owned())
        });
        let nothing = self.nothing.iter();
        constants.chain(nothing.map(|(option, argument)| (option.as_str(), argument.clone())))
    }
}
