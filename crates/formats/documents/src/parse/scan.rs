//! JSON text, read once from front to back.
//!
//! Why by hand: a value that no item takes is passed over without a tree and without recursion, so
//! no depth of a document costs more than a byte a level. Not here: which item takes a value.

use super::codes::INVALID;
use super::number::Number;

/// The text is not JSON.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Invalid;

impl From<Invalid> for i32 {
    fn from(_: Invalid) -> Self {
        INVALID
    }
}

/// A place in the text, which is UTF-8.
#[derive(Debug)]
pub(super) struct Scan {
    text: String,
    pub(super) at: usize,
}

impl Scan {
    pub(super) fn new(text: String) -> Self {
        Self { text, at: 0 }
    }

    /// The next byte behind white space.
    pub(super) fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    pub(super) fn take(&mut self, byte: u8) -> Result<(), Invalid> {
        match self.peek() == Some(byte) {
            true => {
                self.at += 1;
                Ok(())
            }
            false => Err(Invalid),
        }
    }

    /// Between two places.
    pub(super) fn between(&self, from: usize, to: usize) -> &str {
        self.text.get(from..to).unwrap_or("")
    }

    /// `true`, `false` or `null`.
    pub(super) fn word(&mut self, word: &str) -> Result<(), Invalid> {
        match self
            .text
            .get(self.at..)
            .is_some_and(|t| t.starts_with(word))
        {
            true => {
                self.at += word.len();
                Ok(())
            }
            false => Err(Invalid),
        }
    }

    pub(super) fn number(&mut self) -> Result<Number, Invalid> {
        let begin = self.at;
        let belongs = |b: &u8| matches!(b, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let rest = &self.text.as_bytes()[begin..];
        self.at += rest.iter().take_while(|b| belongs(b)).count();
        Number::read(self.between(begin, self.at)).ok_or(Invalid)
    }

    /// A string without its quotation marks. What is no character becomes U+FFFD.
    pub(super) fn string(&mut self) -> Result<String, Invalid> {
        self.take(b'"')?;
        let mut out = String::new();
        loop {
            let rest = self.text.get(self.at..).ok_or(Invalid)?;
            let plain = rest.find(['"', '\\']).ok_or(Invalid)?;
            if rest.as_bytes()[..plain].iter().any(|b| *b < b' ') {
                return Err(Invalid);
            }
            out.push_str(&rest[..plain]);
            self.at += plain + 1;
            if rest.as_bytes()[plain] == b'"' {
                return Ok(out);
            }
            out.push(self.escaped()?);
        }
    }

    fn escaped(&mut self) -> Result<char, Invalid> {
        let byte = self.text.as_bytes().get(self.at).ok_or(Invalid)?;
        self.at += 1;
        Ok(match byte {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            // JSON GENERATE writes it for EBCDIC's NEW LINE.
            b'x' => '\u{85}',
            b'u' => return self.code_point(),
            _ => return Err(Invalid),
        })
    }

    fn code_point(&mut self) -> Result<char, Invalid> {
        let first = self.unit()?;
        if !(0xD800..0xDC00).contains(&first) {
            return Ok(char::from_u32(first).unwrap_or('\u{FFFD}'));
        }
        let behind = self.at;
        if self.text.as_bytes()[behind..].starts_with(b"\\u") {
            self.at += 2;
            let second = self.unit()?;
            if (0xDC00..0xE000).contains(&second) {
                let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                return Ok(char::from_u32(code).unwrap_or('\u{FFFD}'));
            }
            self.at = behind;
        }
        Ok('\u{FFFD}')
    }

    fn unit(&mut self) -> Result<u32, Invalid> {
        let digits = self.text.get(self.at..self.at + 4).ok_or(Invalid)?;
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(Invalid);
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).map_err(|_| Invalid)
    }

    /// Name and colon of a member.
    pub(super) fn name(&mut self) -> Result<String, Invalid> {
        let name = self.string()?;
        self.take(b':')?;
        Ok(name)
    }

    /// Passes over a value, whatever it is.
    pub(super) fn skip(&mut self) -> Result<(), Invalid> {
        // Objects and arrays that are open: what closes them.
        let mut open: Vec<u8> = Vec::new();
        loop {
            match self.peek() {
                Some(byte @ (b'{' | b'[')) => {
                    self.at += 1;
                    let end = if byte == b'{' { b'}' } else { b']' };
                    if self.peek() != Some(end) {
                        open.push(end);
                        if end == b'}' {
                            self.name()?;
                        }
                        continue;
                    }
                    self.at += 1;
                }
                Some(b'"') => drop(self.string()?),
                Some(b't') => self.word("true")?,
                Some(b'f') => self.word("false")?,
                Some(b'n') => self.word("null")?,
                Some(b'-' | b'0'..=b'9') => drop(self.number()?),
                _ => return Err(Invalid),
            }
            // A value has ended, and with it what it was the last of.
            loop {
                let Some(end) = open.last().copied() else {
                    return Ok(());
                };
                match self.peek() {
                    Some(b',') => {
                        self.at += 1;
                        if end == b'}' {
                            self.name()?;
                        }
                        break;
                    }
                    Some(byte) if byte == end => {
                        self.at += 1;
                        open.pop();
                    }
                    _ => return Err(Invalid),
                }
            }
        }
    }
}
