//! The parameters of one command, checked against its table.

use crate::lexer::TokenKind;
use crate::name::check_name;
use crate::script::{KeyValue, Listed, Place};
use crate::table::{Effect, Keyword, Shape};
use crate::tree::Node;
use transom_messages as messages;
use transom_messages::Problem;
use transom_types::nearest;

/// Longest word that is kept for LISTCAT.
const TEXT_MAX: usize = 64;

/// What a command was given.
pub(crate) struct Params<'a> {
    /// As messages call the command: `DEFINE CLUSTER`.
    pub(crate) command: &'static str,
    /// Where the command begins.
    pub(crate) at: (u32, u32),
    found: Vec<(&'static str, &'a Node)>,
    /// What is kept for LISTCAT: its name there and the value.
    pub(crate) listed: Vec<Listed>,
    pub(crate) problems: Vec<Problem>,
}

impl<'a> Params<'a> {
    pub(crate) fn new(command: &'static str, at: (u32, u32)) -> Self {
        Self {
            command,
            at,
            found: Vec::new(),
            listed: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Takes parameters; those that have no effect are named in one notice.
    pub(crate) fn take(&mut self, nodes: &'a [Node], tables: &[&'static [Keyword]]) {
        let mut without: Vec<&str> = Vec::new();
        let mut first = None;
        for node in nodes {
            let Some(keyword) = find(&node.word, tables).filter(|_| node.kind == TokenKind::Word)
            else {
                self.unknown(node, tables);
                continue;
            };
            match keyword.effect {
                Effect::Used => self.enter(keyword.name, node),
                Effect::Silent => {}
                Effect::Listed(shape) => self.keep(keyword.name, shape, node),
                Effect::Notice => {
                    first.get_or_insert(node.at());
                    without.push(keyword.name);
                }
                Effect::Refused => {
                    self.problem(
                        node.at(),
                        messages::id::parameter_not_supported(keyword.name, self.command),
                    );
                }
            }
        }
        if let Some(at) = first {
            self.problem(
                at,
                messages::id::without_effect(self.command, without.join(", ")),
            );
        }
    }

    /// Notes a value for LISTCAT; one that cannot be is a problem.
    fn keep(&mut self, name: &'static str, shape: Shape, node: &'a Node) {
        let numbers: Option<Vec<u64>> = node.inside().iter().map(number).collect();
        let numbers = numbers.unwrap_or_default();
        let most = |values: &[u64], most: u64| values.iter().all(|n| *n <= most);
        let mut note = |name: &'static str, value: String| self.listed.push((name, value));
        let wanted = match (shape, &numbers[..]) {
            (Shape::Flag(group), _) if node.args.is_none() => return note(group, name.to_owned()),
            (Shape::Number(shown), [one]) => return note(shown, one.to_string()),
            (Shape::Text(shown), _) => match node.inside() {
                [one] if one.word.len() <= TEXT_MAX => return note(shown, one.word.clone()),
                _ => "one word is expected",
            },
            (Shape::Share, [region, rest @ ..])
                if (1..=4).contains(region) && rest.len() < 2 && most(rest, 4) =>
            {
                let system = rest.first().copied().unwrap_or(3);
                return note("SHROPTNS", format!("({region},{system})"));
            }
            (Shape::Free, [interval, rest @ ..]) if rest.len() < 2 && most(&numbers, 100) => {
                let area = rest.first().copied().unwrap_or(0);
                note("FREESPACE-%CI", interval.to_string());
                return note("FREESPACE-%CA", area.to_string());
            }
            (Shape::Share, _) => "share options are 1 to 4, and 3 or 4",
            (Shape::Free, _) => "free space is one or two numbers from 0 to 100",
            (Shape::Number(_), _) => "one number is expected",
            (Shape::Flag(_), _) => "it has no value",
        };
        self.bad(node, wanted);
    }

    fn enter(&mut self, name: &'static str, node: &'a Node) {
        if self.has(name) {
            self.problem(node.at(), messages::id::parameter_twice(self.command, name));
        } else {
            self.found.push((name, node));
        }
    }

    fn unknown(&mut self, node: &Node, tables: &[&'static [Keyword]]) {
        let shown = if node.word.is_empty() {
            "( )"
        } else {
            node.word.as_str()
        };
        let known = tables.iter().flat_map(|t| t.iter()).map(|k| k.name);
        let message = match nearest(&node.word, known) {
            Some(near) => messages::id::not_a_parameter_but(shown, self.command, near),
            None => messages::id::not_a_parameter(shown, self.command),
        };
        self.problem(node.at(), message);
    }

    pub(crate) fn problem(&mut self, at: (u32, u32), message: messages::Message) {
        self.problems.push(Problem::new(message, at));
    }

    /// A value that cannot be used.
    pub(crate) fn bad(&mut self, node: &Node, reason: &str) {
        self.problem(
            node.at(),
            messages::id::parameter_not_valid(self.command, node.joined(), reason),
        );
    }

    pub(crate) fn missing(&mut self, what: &str) {
        self.problem(self.at, messages::id::parameter_missing(self.command, what));
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.node(name).is_some()
    }

    pub(crate) fn node(&self, name: &str) -> Option<&'a Node> {
        self.found.iter().find(|f| f.0 == name).map(|f| f.1)
    }

    /// At most one of these words is given; which.
    pub(crate) fn one_of(&mut self, names: &[&'static str]) -> Option<&'static str> {
        let given: Vec<&'static str> = names.iter().copied().filter(|n| self.has(n)).collect();
        if let [one, other, ..] = given[..] {
            let at = self.node(other).map_or(self.at, Node::at);
            self.problem(
                at,
                messages::id::exclude_each_other(self.command, one, other),
            );
        }
        given.first().copied()
    }

    /// The data set name of `NAME(..)`.
    pub(crate) fn dataset(&mut self, name: &str) -> Option<String> {
        let node = self.node(name)?;
        match node.inside() {
            [one] => self.checked_name(one),
            _ => {
                self.bad(node, "one data set name is expected");
                None
            }
        }
    }

    /// A data set name without its password.
    pub(crate) fn checked_name(&mut self, node: &Node) -> Option<String> {
        let text = node.word.to_ascii_uppercase();
        let plain = text.split('/').next().unwrap_or("");
        match check_name(plain) {
            Ok(()) => Some(plain.to_owned()),
            Err(reason) => {
                self.bad(node, &format!("the name {reason}"));
                None
            }
        }
    }

    /// One number.
    pub(crate) fn number(&mut self, name: &str) -> Option<u64> {
        let node = self.node(name)?;
        match self.numbers(name)?.as_slice() {
            [one] => Some(*one),
            _ => {
                self.bad(node, "one number is expected");
                None
            }
        }
    }

    /// Two numbers.
    pub(crate) fn pair(&mut self, name: &str) -> Option<(u64, u64)> {
        let node = self.node(name)?;
        match self.numbers(name)?.as_slice() {
            [one, two] => Some((*one, *two)),
            _ => {
                self.bad(node, "two numbers are expected");
                None
            }
        }
    }

    fn numbers(&mut self, name: &str) -> Option<Vec<u64>> {
        let node = self.node(name)?;
        let numbers: Option<Vec<u64>> = node.inside().iter().map(number).collect();
        if numbers.is_none() {
            self.bad(node, "a number is expected");
        }
        numbers
    }

    /// A DD name or data set.
    pub(crate) fn place(&mut self, dd: &'static str, dataset: &'static str) -> Option<Place> {
        let word = self.one_of(&[dd, dataset])?;
        let node = self.node(word)?;
        let Some(inside) = node.inside().first() else {
            self.bad(node, "a name is expected");
            return None;
        };
        if node.inside().len() > 1 && word == dd {
            let words: Vec<&str> = node
                .inside()
                .iter()
                .skip(1)
                .map(|n| n.word.as_str())
                .collect();
            self.problem(
                node.at(),
                messages::id::without_effect(self.command, words.join(", ")),
            );
        }
        if word == dd {
            return Some(Place::Dd(
                inside.word.split('/').next().unwrap_or("").to_owned(),
            ));
        }
        self.checked_name(inside)?;
        Some(Place::Dataset(inside.joined()))
    }

    /// The key of FROMKEY and TOKEY.
    pub(crate) fn key(&mut self, name: &str) -> Option<KeyValue> {
        let node = self.node(name)?;
        let [value] = node.inside() else {
            self.bad(node, "one key is expected");
            return None;
        };
        let (text, generic) = match value.kind {
            TokenKind::Word => match value.word.strip_suffix('*') {
                Some(head) => (head, true),
                None => (value.word.as_str(), false),
            },
            _ => (value.word.as_str(), false),
        };
        let bytes = match value.kind {
            TokenKind::Hex => hex(text),
            _ => text
                .chars()
                .map(|c| u8::try_from(u32::from(c)).ok())
                .collect(),
        };
        match bytes.filter(|b| !b.is_empty() && b.len() <= 255) {
            Some(bytes) => Some(KeyValue { bytes, generic }),
            None => {
                self.bad(
                    node,
                    "a key has 1 to 255 bytes: text, 'text' or X'hexadecimal digits'",
                );
                None
            }
        }
    }
}

/// The keyword of a word or abbreviation.
pub(crate) fn find(word: &str, tables: &[&'static [Keyword]]) -> Option<&'static Keyword> {
    let mut all = tables.iter().flat_map(|t| t.iter());
    all.find(|k| k.name == word || k.short.contains(&word))
}

/// Decimal, or X'..' and B'..' as IDCAMS has them.
pub(crate) fn number(node: &Node) -> Option<u64> {
    match node.kind {
        TokenKind::Word if node.args.is_none() => node.word.parse().ok(),
        TokenKind::Hex => u64::from_str_radix(&node.word, 16).ok(),
        _ => None,
    }
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|c| c.to_digit(16).and_then(|d| u8::try_from(d).ok()))
        .collect();
    let digits = digits.filter(|d| d.len() % 2 == 0)?;
    Some(
        digits
            .chunks(2)
            .map(|pair| pair.iter().fold(0, |byte, d| byte << 4 | d))
            .collect(),
    )
}
