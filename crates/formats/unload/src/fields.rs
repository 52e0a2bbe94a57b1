//! Fields of a LOAD statement are read, and conditions.
//!
//! Not here: options of the statement (`parse`), what becomes of a field (`layout`).

use crate::cards::Card;
use crate::control::{Condition, Constant, FieldKind, FieldSpec, Position};
use crate::parse::{Parsed, Parser};

/// Most fields of a statement.
const FIELDS_MAX: usize = 10_000;

impl Parser {
    pub(crate) fn fields(&mut self, fields: &mut Vec<FieldSpec>) -> Parsed<()> {
        loop {
            let field = self.field()?;
            fields.push(field);
            if fields.len() > FIELDS_MAX {
                return Err(self.wrong("there are too many fields"));
            }
            if self.symbol(')') {
                return Ok(());
            }
            self.expect(',')?;
        }
    }

    fn field(&mut self) -> Parsed<FieldSpec> {
        let line = self.line();
        let name = self.name()?;
        let mut position = Position::Next;
        if self.eat("POSITION") {
            self.expect('(')?;
            if !self.symbol('*') {
                let first = self.number()?;
                let last = self.symbol(':').then(|| self.number()).transpose()?;
                if first == 0 || last.is_some_and(|last| last < first) {
                    return Err(self.wrong("the positions are not in order, from 1"));
                }
                position = Position::At(first, last);
            }
            self.expect(')')?;
        }
        let kind = self.kind()?;
        let null_if = self.eat("NULLIF").then(|| self.condition()).transpose()?;
        for word in ["DEFAULTIF", "CONSTANTIF", "CONSTANT", "STRIP", "PRESERVE"] {
            if self.eat(word) {
                return Err(self.wrong(format_args!("{word} is not done")));
            }
        }
        Ok(FieldSpec {
            name,
            position,
            kind,
            null_if,
            line,
        })
    }

    fn kind(&mut self) -> Parsed<Option<FieldKind>> {
        let word = match self.peek() {
            Some(Card::Word(word)) if word != "NULLIF" => word.clone(),
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(match word.as_str() {
            "CHAR" | "CHARACTER" => {
                let bit = self.eat("BIT");
                self.eat("MIXED");
                let length = self.length()?;
                match bit {
                    true => FieldKind::Binary(length),
                    false => FieldKind::Char(length),
                }
            }
            "VARCHAR" => {
                let bit = self.eat("BIT");
                self.eat("MIXED");
                match bit {
                    true => FieldKind::VarBinary,
                    false => FieldKind::VarChar,
                }
            }
            "BINARY" => FieldKind::Binary(self.length()?),
            "VARBINARY" => FieldKind::VarBinary,
            "SMALLINT" => FieldKind::SmallInt,
            "BIGINT" => FieldKind::BigInt,
            "INTEGER" | "INT" if self.eat("EXTERNAL") => FieldKind::IntegerExternal(self.length()?),
            "INTEGER" | "INT" => FieldKind::Integer,
            "DECIMAL" | "DEC" => self.decimal()?,
            "FLOAT" if self.eat("EXTERNAL") => FieldKind::FloatExternal(self.length()?),
            "FLOAT" => FieldKind::Float(self.length()?),
            "DATE" | "TIME" | "TIMESTAMP" if self.eat("EXTERNAL") => {
                let length = self.length()?;
                match word.as_str() {
                    "DATE" => FieldKind::DateExternal(length),
                    "TIME" => FieldKind::TimeExternal(length),
                    _ => FieldKind::TimestampExternal(length),
                }
            }
            _ => {
                self.at -= 1;
                return Err(self.wrong(format_args!("a field of type {word} is not done")));
            }
        }))
    }

    fn decimal(&mut self) -> Parsed<FieldKind> {
        if self.eat("ZONED") {
            return Ok(FieldKind::Zoned);
        }
        if !self.eat("EXTERNAL") {
            self.eat("PACKED");
            return Ok(FieldKind::Packed);
        }
        if !self.symbol('(') {
            return Ok(FieldKind::DecimalExternal(None, None));
        }
        let length = self.number()?;
        let scale = self.symbol(',').then(|| self.number()).transpose()?;
        self.expect(')')?;
        Ok(FieldKind::DecimalExternal(Some(length), scale))
    }

    fn length(&mut self) -> Parsed<Option<u32>> {
        if !self.symbol('(') {
            return Ok(None);
        }
        let length = self.number()?;
        self.expect(')')?;
        match length {
            0 => Err(self.wrong("a length is 1 at least")),
            _ => Ok(Some(length)),
        }
    }

    /// `(1:2) = X'0003'` and more of them with AND.
    pub(crate) fn when(&mut self) -> Parsed<Vec<Condition>> {
        let mut all = vec![self.condition()?];
        while self.eat("AND") {
            all.push(self.condition()?);
        }
        match self.eat("OR") {
            true => Err(self.wrong("WHEN with OR is not done")),
            false => Ok(all),
        }
    }

    /// `(46)='?'`: bytes and what they are compared with.
    fn condition(&mut self) -> Parsed<Condition> {
        if !self.symbol('(') {
            return Err(self.wrong("a condition is done with positions, (1:2) = X'0003', alone"));
        }
        let first = self.number()?;
        let last = self.symbol(':').then(|| self.number()).transpose()?;
        self.expect(')')?;
        if first == 0 || last.is_some_and(|last| last < first) {
            return Err(self.wrong("the positions are not in order, from 1"));
        }
        let equal = match self.symbol('=') {
            true => true,
            false if self.symbol('<') => {
                self.expect('>')?;
                false
            }
            false if self.symbol('\u{ac}') || self.symbol('^') || self.symbol('!') => {
                self.expect('=')?;
                false
            }
            false => return Err(self.wrong("= or <> is expected")),
        };
        let value = match self.peek() {
            Some(Card::Text(text)) => Constant::Text(text.clone()),
            Some(Card::Bytes(bytes)) => Constant::Bytes(bytes.clone()),
            _ => return Err(self.wrong("a constant is expected")),
        };
        self.at += 1;
        Ok(Condition {
            first,
            last,
            equal,
            value,
        })
    }
}
