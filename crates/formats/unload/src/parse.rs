//! A LOAD statement is read.
//!
//! What: options that would change which rows are loaded, or what they hold, are done or refused;
//! those that say how z/OS does its work (work data sets, sorting, logs, statistics) are nothing
//! here. Not here: what the statement says (`control`).

use crate::cards::{Card, cards};
use crate::control::{Coding, IntoTable, Load, Resume};
use transom_messages::{Problem, sq};
use transom_sql::Name;

/// Options without an effect here; each may have a list in brackets, the second kind a word too.
const ALONE: &[&str] = &[
    "DATA",
    "NOCOPYPEND",
    "KEEPDICTIONARY",
    "REUSE",
    "RESET",
    "STATISTICS",
    "TABLE",
    "INDEX",
    "COLUMN",
    "KEYCARD",
    "FREQVAL",
    "COUNT",
    "NUMCOLS",
    "MOST",
    "ALL",
    "PREFORMAT",
    "COPYDDN",
    "RECOVERYDDN",
    "NOSUBS",
    "SORTKEYS",
    "WORKDDN",
];
const WITH_VALUE: &[&str] = &[
    "INDDN",
    "LOG",
    "SHRLEVEL",
    "DISCARDDN",
    "DISCARDS",
    "ERRDDN",
    "MAPDDN",
    "SORTDEVT",
    "SORTNUM",
    "NUMRECS",
    "UPDATE",
    "REPORT",
    "HISTORY",
    "SAMPLE",
    "PRESORTED",
    "PARALLEL",
    "FORCEROLLUP",
];

/// Reads the LOAD statement of a text; TEMPLATE statements in front of it are skipped.
pub fn load_statement(text: &str) -> Result<Load, Problem> {
    let cards = cards(text)?;
    let start = cards.iter().position(|(card, _)| is(card, "LOAD"));
    let mut parser = Parser { cards, at: 0 };
    let before = parser.cards.first();
    let skips = before.is_some_and(|(card, _)| is(card, "TEMPLATE"));
    match start {
        Some(at) if at == 0 || skips => parser.at = at + 1,
        _ => return Err(parser.wrong("LOAD is expected")),
    }
    parser.load()
}

fn is(card: &Card, word: &str) -> bool {
    matches!(card, Card::Word(text) if text == word)
}

pub(crate) struct Parser {
    cards: Vec<(Card, u32)>,
    pub(crate) at: usize,
}

pub(crate) type Parsed<T> = Result<T, Problem>;

impl Parser {
    pub(crate) fn peek(&self) -> Option<&Card> {
        self.cards.get(self.at).map(|(card, _)| card)
    }

    pub(crate) fn line(&self) -> u32 {
        let here = self.cards.get(self.at).or(self.cards.last());
        here.map_or(1, |(_, line)| *line)
    }

    pub(crate) fn wrong(&self, what: impl std::fmt::Display) -> Problem {
        Problem::from(sq::load_statement(what)).at(self.line(), 1)
    }

    pub(crate) fn eat(&mut self, word: &str) -> bool {
        let there = self.peek().is_some_and(|card| is(card, word));
        self.at += usize::from(there);
        there
    }

    pub(crate) fn symbol(&mut self, symbol: char) -> bool {
        let there = self.peek() == Some(&Card::Symbol(symbol));
        self.at += usize::from(there);
        there
    }

    pub(crate) fn expect(&mut self, symbol: char) -> Parsed<()> {
        match self.symbol(symbol) {
            true => Ok(()),
            false => Err(self.wrong(format_args!("{symbol} is expected"))),
        }
    }

    pub(crate) fn number(&mut self) -> Parsed<u32> {
        let Some(Card::Number(number)) = self.peek() else {
            return Err(self.wrong("a number is expected"));
        };
        let number = *number;
        self.at += 1;
        Ok(number)
    }

    pub(crate) fn name(&mut self) -> Parsed<String> {
        let name = match self.peek() {
            Some(Card::Word(name) | Card::Name(name)) => name.clone(),
            _ => return Err(self.wrong("a name is expected")),
        };
        self.at += 1;
        Ok(name)
    }

    fn load(&mut self) -> Parsed<Load> {
        let mut load = Load {
            resume: Resume::default(),
            coding: Coding::default(),
            ieee: false,
            tables: Vec::new(),
        };
        while let Some(card) = self.peek() {
            let Card::Word(word) = card.clone() else {
                return Err(self.wrong("an option of LOAD is expected"));
            };
            let line = self.line();
            self.at += 1;
            match word.as_str() {
                "INTO" => {
                    let table = self.table(line)?;
                    load.tables.push(table);
                }
                "RESUME" | "REPLACE" => load.resume = self.resume(&word)?,
                "EBCDIC" => load.coding = Coding::Ebcdic(None),
                "ASCII" => load.coding = Coding::Ascii(None),
                "UNICODE" => load.coding = Coding::Unicode,
                "CCSID" => {
                    let given = self.ccsid()?;
                    load.coding = match load.coding {
                        Coding::Ebcdic(_) => Coding::Ebcdic(given),
                        Coding::Ascii(_) => Coding::Ascii(given),
                        Coding::Unicode => Coding::Unicode,
                    };
                }
                "FLOAT" => load.ieee = self.float()?,
                "ENFORCE" => self.enforce()?,
                _ => self.without_effect(&word)?,
            }
        }
        match load.tables.is_empty() {
            true => Err(self.wrong("INTO TABLE is expected")),
            false => Ok(load),
        }
    }

    fn resume(&mut self, word: &str) -> Parsed<Resume> {
        Ok(match word {
            "REPLACE" => Resume::Replace,
            _ if self.eat("YES") => Resume::Add,
            _ if self.eat("NO") => Resume::Empty,
            _ => return Err(self.wrong("RESUME YES or RESUME NO is expected")),
        })
    }

    /// The single-byte one; 0: none.
    fn ccsid(&mut self) -> Parsed<Option<u32>> {
        self.expect('(')?;
        let first = self.number()?;
        while self.symbol(',') {
            self.number()?;
        }
        self.expect(')')?;
        Ok((first != 0).then_some(first))
    }

    fn float(&mut self) -> Parsed<bool> {
        self.expect('(')?;
        let ieee = self.eat("IEEE");
        if !ieee && !self.eat("S390") {
            return Err(self.wrong("FLOAT(S390) or FLOAT(IEEE) is expected"));
        }
        self.expect(')')?;
        Ok(ieee)
    }

    fn enforce(&mut self) -> Parsed<()> {
        match self.eat("CONSTRAINTS") || self.eat("NO") {
            true => Ok(()),
            false => Err(self.wrong("ENFORCE CONSTRAINTS or ENFORCE NO is expected")),
        }
    }

    fn without_effect(&mut self, word: &str) -> Parsed<()> {
        let with_value = WITH_VALUE.contains(&word);
        if !with_value && !ALONE.contains(&word) {
            self.at -= 1;
            return Err(self.wrong(format_args!("{word} is not done")));
        }
        let has_value = matches!(
            self.peek(),
            Some(Card::Word(_) | Card::Name(_) | Card::Number(_))
        );
        if with_value && has_value {
            self.at += 1;
        }
        if word == "SORTKEYS" && !self.eat("NO") {
            let number = matches!(self.peek(), Some(Card::Number(_)));
            self.at += usize::from(number);
        }
        if self.symbol('(') {
            while !self.symbol(')') {
                if self.peek().is_none() {
                    return Err(self.wrong(") is expected"));
                }
                self.at += 1;
            }
        }
        Ok(())
    }

    fn table(&mut self, line: u32) -> Parsed<IntoTable> {
        if !self.eat("TABLE") {
            return Err(self.wrong("INTO TABLE is expected"));
        }
        let mut parts = vec![self.name()?];
        while self.symbol('.') {
            parts.push(self.name()?);
        }
        let name = parts.pop().unwrap_or_default();
        let mut table = IntoTable {
            name: Name {
                qualifier: parts.pop(),
                name,
            },
            resume: None,
            when: Vec::new(),
            ignore_fields: false,
            fields: Vec::new(),
            line,
        };
        while let Some(Card::Word(word)) = self.peek() {
            let word = word.clone();
            if word == "INTO" {
                return Ok(table);
            }
            self.at += 1;
            match word.as_str() {
                "RESUME" | "REPLACE" => table.resume = Some(self.resume(&word)?),
                "WHEN" => table.when = self.when()?,
                "IGNOREFIELDS" => {
                    table.ignore_fields = self.eat("YES");
                    self.eat("NO");
                }
                _ => self.without_effect(&word)?,
            }
        }
        if self.symbol('(') {
            self.fields(&mut table.fields)?;
        }
        Ok(table)
    }
}
