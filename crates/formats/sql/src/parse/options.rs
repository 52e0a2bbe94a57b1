//! Data types and column definitions.

use super::parser::{Parsed, Parser};
use crate::catalog::{Column, ColumnDefault, Identity};
use crate::lexer::TokenKind;
use crate::problem::SqlProblem;
use crate::registers::Register;
use crate::tree::words::Numbers;
use crate::types::{DECIMAL_MAX, Type};

impl Parser<'_> {
    /// A built-in type with its length and FOR .. DATA.
    pub(super) fn data_type(&mut self) -> Parsed<Type> {
        let at = self.at();
        self.eat_all(&["SYSIBM"]);
        self.eat_symbol(".");
        let word = self.any_word()?;
        let kind = match word.as_str() {
            "SMALLINT" => Type::SmallInt,
            "INTEGER" | "INT" => Type::Integer,
            "BIGINT" => Type::BigInt,
            "DECIMAL" | "DEC" | "NUMERIC" => self.decimal()?,
            "DECFLOAT" => Type::DecFloat(self.length(34, &[16, 34])?),
            "REAL" => Type::Real,
            "DOUBLE" => {
                self.eat("PRECISION");
                Type::Double
            }
            "FLOAT" => {
                let bits: u8 = self.length(53, &[])?;
                if bits <= 21 { Type::Real } else { Type::Double }
            }
            "CHAR" | "CHARACTER" => self.characters()?,
            "VARCHAR" => Type::VarChar(self.string_length(true)?),
            "LONG" => self.long()?,
            "CLOB" => Type::Clob(self.string_length(true)?),
            "GRAPHIC" => Type::Graphic(self.string_length(false)?),
            "VARGRAPHIC" => Type::VarGraphic(self.string_length(true)?),
            "DBCLOB" => Type::DbClob(self.string_length(true)?),
            "BINARY" => self.binary()?,
            "VARBINARY" => Type::VarBinary(self.string_length(true)?),
            "BLOB" => Type::Blob(self.string_length(true)?),
            "DATE" => Type::Date,
            "TIME" => Type::Time,
            "TIMESTAMP" => self.timestamp()?,
            "ROWID" => Type::RowId,
            "XML" => return Err(SqlProblem::refused("the type XML is not done", at)),
            _ => {
                return Err(SqlProblem::new(-204, &[&word], at));
            }
        };
        self.subtype(kind)
    }

    fn decimal(&mut self) -> Parsed<Type> {
        let at = self.at();
        let (mut precision, mut scale) = (5, 0);
        if self.eat_symbol("(") {
            precision = self.integer()?;
            if self.eat_symbol(",") {
                scale = self.integer()?;
            }
            self.expect_symbol(")")?;
        }
        if precision == 0 || precision > DECIMAL_MAX || scale > precision {
            return Err(SqlProblem::new(-604, &[], at));
        }
        Ok(Type::Decimal { precision, scale })
    }

    /// `(n)`, one of some values; an empty list allows any.
    fn length(&mut self, default: u8, allowed: &[u8]) -> Parsed<u8> {
        let at = self.at();
        if !self.eat_symbol("(") {
            return Ok(default);
        }
        let value: u8 = self.integer()?;
        self.expect_symbol(")")?;
        if value == 0 || (!allowed.is_empty() && !allowed.contains(&value)) {
            return Err(SqlProblem::new(-604, &[], at));
        }
        Ok(value)
    }

    fn characters(&mut self) -> Parsed<Type> {
        if self.eat_all(&["LARGE", "OBJECT"]) {
            return Ok(Type::Clob(self.string_length(true)?));
        }
        if self.eat("VARYING") {
            return Ok(Type::VarChar(self.string_length(true)?));
        }
        Ok(Type::Char(self.string_length(false)?))
    }

    fn long(&mut self) -> Parsed<Type> {
        match self.eat_any(&["VARCHAR", "VARGRAPHIC"]) {
            Some("VARCHAR") => Ok(Type::VarChar(32_704)),
            Some(_) => Ok(Type::VarGraphic(16_352)),
            None => Err(self.illegal("VARCHAR VARGRAPHIC")),
        }
    }

    fn binary(&mut self) -> Parsed<Type> {
        if self.eat_all(&["LARGE", "OBJECT"]) {
            return Ok(Type::Blob(self.string_length(true)?));
        }
        if self.eat("VARYING") {
            return Ok(Type::VarBinary(self.string_length(true)?));
        }
        Ok(Type::Binary(self.string_length(false)?))
    }

    /// `(n)`, `(nK)`; a varying type without a length has the most there is.
    fn string_length(&mut self, varying: bool) -> Parsed<u32> {
        if !self.eat_symbol("(") {
            return Ok(if varying { 32_704 } else { 1 });
        }
        let at = self.at();
        // `1M` is one token that is no number: it is read by its digits.
        let value: u64 = self.integer()?;
        let unit = match self.eat_any(&["K", "M", "G"]) {
            Some("K") => 1 << 10,
            Some("M") => 1 << 20,
            Some(_) => 1 << 30,
            None => 1,
        };
        self.eat_any(&["OCTETS", "CODEUNITS16", "CODEUNITS32"]);
        self.expect_symbol(")")?;
        // 2G means the most there is, one byte less.
        let bytes = value.saturating_mul(unit).min(0x7FFF_FFFF);
        match u32::try_from(bytes) {
            Ok(bytes) if bytes > 0 => Ok(bytes),
            _ => Err(SqlProblem::new(-604, &[], at)),
        }
    }

    fn timestamp(&mut self) -> Parsed<Type> {
        let at = self.at();
        let mut digits = 6;
        if self.eat_symbol("(") {
            digits = self.integer()?;
            self.expect_symbol(")")?;
        }
        if digits > 12 {
            return Err(SqlProblem::new(-604, &[], at));
        }
        if self.eat_all(&["WITHOUT", "TIME", "ZONE"]) || self.eat_all(&["WITHOUT", "TIMEZONE"]) {
            return Ok(Type::Timestamp(digits));
        }
        if self.are(&["WITH", "TIME", "ZONE"]) {
            return Err(self.refused("TIMESTAMP WITH TIME ZONE is not done"));
        }
        Ok(Type::Timestamp(digits))
    }

    /// FOR BIT DATA makes another type; FOR SBCS DATA, FOR MIXED DATA and CCSID do not.
    fn subtype(&mut self, kind: Type) -> Parsed<Type> {
        let mut kind = kind;
        loop {
            if self.eat_all(&["FOR", "BIT", "DATA"]) {
                kind = match kind {
                    Type::Char(n) => Type::CharBit(n),
                    Type::VarChar(n) => Type::VarCharBit(n),
                    _ => return Err(SqlProblem::new(-604, &[], self.at())),
                };
            } else if self.eat_all(&["FOR", "SBCS", "DATA"])
                || self.eat_all(&["FOR", "MIXED", "DATA"])
            {
            } else if self.eat("CCSID") {
                self.advance();
            } else {
                return Ok(kind);
            }
        }
    }

    /// `GENERATED ..`: an identity, or a refusal of what else is generated.
    pub(super) fn generated(&mut self, column: &mut Column) -> Parsed<()> {
        self.expect("GENERATED")?;
        let always = self.eat("ALWAYS");
        if !always {
            self.expect("BY")?;
            self.expect("DEFAULT")?;
        }
        if !self.eat_all(&["AS", "IDENTITY"]) {
            if column.kind == Type::RowId {
                return Ok(());
            }
            return Err(self.refused("GENERATED is done for identity columns only"));
        }
        let mut numbers = Numbers::default();
        if self.eat_symbol("(") {
            while !self.eat_symbol(")") {
                if !self.number_option(&mut numbers)? {
                    return Err(self.illegal("START WITH, INCREMENT BY"));
                }
                self.eat_symbol(",");
            }
        }
        numbers.bound(column.kind);
        column.identity = Some(Identity { always, numbers });
        column.nullable = false;
        Ok(())
    }

    /// One option of a sequence; false: something else follows.
    pub(super) fn number_option(&mut self, numbers: &mut Numbers) -> Parsed<bool> {
        if self.eat_all(&["START", "WITH"]) || self.eat_all(&["RESTART", "WITH"]) {
            numbers.start = Some(self.signed()?);
        } else if self.eat_all(&["INCREMENT", "BY"]) || self.eat("INCREMENT") {
            numbers.increment = Some(self.signed()?);
        } else if self.eat("MINVALUE") {
            numbers.minimum = Some(self.signed()?);
        } else if self.eat("MAXVALUE") {
            numbers.maximum = Some(self.signed()?);
        } else if self.eat("CACHE") {
            numbers.cache = Some(self.signed()?);
        } else if self.eat("CYCLE") {
            numbers.cycle = true;
        } else if self.eat("NO") {
            if self
                .eat_any(&["CYCLE", "CACHE", "ORDER", "MINVALUE", "MAXVALUE"])
                .is_none()
            {
                return Err(self.illegal("CYCLE CACHE ORDER MINVALUE MAXVALUE"));
            }
        } else {
            let words = [
                "NOCYCLE",
                "NOCACHE",
                "NOORDER",
                "NOMINVALUE",
                "NOMAXVALUE",
                "ORDER",
            ];
            return Ok(self.eat_any(&words).is_some());
        }
        Ok(true)
    }

    /// What stands behind DEFAULT.
    pub(super) fn default_value(&mut self) -> Parsed<ColumnDefault> {
        let at = self.at();
        let register = Register::at_front(|n| {
            let token = self.peek_at(n).filter(|t| t.kind == TokenKind::Word)?;
            Some(token.text.clone())
        });
        if let Some((register, words)) = register {
            for _ in 0..words {
                self.advance();
            }
            return Ok(ColumnDefault::Register(register.name()));
        }
        if self.eat("NULL") {
            return Ok(ColumnDefault::Null);
        }
        let negative = self.is_symbol("-");
        if negative || self.is_symbol("+") {
            self.advance();
        }
        let Some(token) = self.peek() else {
            return Ok(ColumnDefault::System);
        };
        let text = token.text.clone();
        let value = match token.kind {
            TokenKind::Integer | TokenKind::Decimal | TokenKind::Float => {
                ColumnDefault::Number(if negative { format!("-{text}") } else { text })
            }
            TokenKind::String | TokenKind::Graphic => ColumnDefault::Text(text),
            TokenKind::Hex | TokenKind::Binary => ColumnDefault::Hex(text),
            _ if negative => return Err(self.illegal("CONSTANT")),
            TokenKind::Word if self.is_symbol_at(1, "(") => {
                return Err(SqlProblem::refused(
                    "a function as the default of a column is not done",
                    at,
                ));
            }
            _ => return Ok(ColumnDefault::System),
        };
        self.advance();
        Ok(value)
    }
}
