//! A pull reader of JSON text (RFC 8259): tokens as slices of the input, nothing copied.

use super::MAX_SKIP_DEPTH;
use super::error::ConvertError;
use super::error::ErrorKind;
use transom_messages as messages;

/// A string as written between its quotes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Raw<'a> {
    pub(super) bytes: &'a [u8],
    /// Printable ASCII without escapes.
    pub(super) plain: bool,
    /// Offset of the opening quote.
    pub(super) at: usize,
}

/// Reads tokens one after another.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    text: &'a [u8],
    pub(super) at: usize,
}

type Read<T> = Result<T, Box<ConvertError>>;

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// The next byte behind white space, which is skipped; 0 at the end (never valid there).
    #[inline]
    pub(super) fn peek(&mut self) -> u8 {
        loop {
            match self.text.get(self.at) {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                Some(byte) => return *byte,
                None => return 0,
            }
        }
    }

    pub(super) fn at_end(&mut self) -> bool {
        self.peek();
        self.at >= self.text.len()
    }

    /// Skips white space and the given text if it is next.
    #[inline]
    pub(super) fn eat_text(&mut self, text: &[u8]) -> bool {
        self.peek();
        let found = self.text[self.at..].starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// Skips white space and the given byte if it is next.
    #[inline]
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte && self.at < self.text.len();
        self.at += usize::from(found);
        found
    }

    #[inline]
    pub(super) fn expect(&mut self, byte: u8, what: &str) -> Read<()> {
        if self.eat(byte) {
            Ok(())
        } else {
            Err(self.syntax(what))
        }
    }

    /// An error at the present place.
    #[cold]
    pub(super) fn syntax(&self, expected: &str) -> Box<ConvertError> {
        let found = match self.text.get(self.at) {
            None => "the document ends".to_owned(),
            Some(byte) if byte.is_ascii_graphic() => format!("there is '{}'", *byte as char),
            Some(byte) => format!("there is the byte X'{byte:02X}'"),
        };
        not_json(
            self.at,
            format_args!("{found} where {expected} is expected"),
        )
    }

    /// A string; white space before it is skipped. Escapes are checked to be complete, their values
    /// and UTF-8 are checked by whoever decodes a string that is not plain.
    #[inline]
    pub(super) fn string(&mut self, what: &str) -> Read<Raw<'a>> {
        self.expect(b'"', what)?;
        let start = self.at;
        let end = plain_end(self.text, start);
        if self.text.get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(Raw {
                bytes: &self.text[start..end],
                plain: true,
                at: start - 1,
            });
        }
        self.long_string(start, end)
    }

    fn long_string(&mut self, start: usize, from: usize) -> Read<Raw<'a>> {
        let mut at = from;
        loop {
            match self.text.get(at) {
                Some(b'"') => break,
                Some(b'\\') => at += 2,
                Some(0..0x20) => {
                    self.at = at;
                    return Err(not_json(
                        at,
                        "a control character in a string is not escaped",
                    ));
                }
                Some(_) => at += 1,
                None => {
                    self.at = start - 1;
                    return Err(not_json(start - 1, "the string has no closing quote"));
                }
            }
        }
        self.at = at + 1;
        Ok(Raw {
            bytes: &self.text[start..at],
            plain: false,
            at: start - 1,
        })
    }

    /// A number as written.
    #[inline]
    pub(super) fn number(&mut self) -> Read<&'a [u8]> {
        let start = self.at;
        let rest = &self.text[start..];
        let mut len = usize::from(rest.first() == Some(&b'-'));
        let whole = digits(&rest[len..]);
        if whole == 0 || (whole > 1 && rest[len] == b'0') {
            self.at += len;
            return Err(self.syntax("a number without leading zeros"));
        }
        len += whole;
        if rest.get(len) == Some(&b'.') {
            let fraction = digits(&rest[len + 1..]);
            if fraction == 0 {
                self.at += len + 1;
                return Err(self.syntax("a digit after the decimal point"));
            }
            len += 1 + fraction;
        }
        if matches!(rest.get(len), Some(b'e' | b'E')) {
            len += 1 + usize::from(matches!(rest.get(len + 1), Some(b'+' | b'-')));
            let exponent = digits(&rest[len.min(rest.len())..]);
            if exponent == 0 {
                self.at += len.min(rest.len());
                return Err(self.syntax("a digit in the exponent"));
            }
            len += exponent;
        }
        self.at = start + len;
        Ok(&rest[..len])
    }

    /// A value of any kind as written, its syntax checked.
    pub(super) fn token(&mut self) -> Read<&'a [u8]> {
        self.peek();
        let start = self.at;
        self.skip()?;
        Ok(&self.text[start..self.at])
    }

    /// Skips a value of any kind, checking its syntax; not recursive.
    pub(super) fn skip(&mut self) -> Read<()> {
        // One bit per open level: 1 = object.
        let mut objects = [false; MAX_SKIP_DEPTH];
        let mut depth = 0;
        loop {
            let open = match self.peek() {
                b'{' => Some(true),
                b'[' => Some(false),
                _ => None,
            };
            if let Some(object) = open {
                self.at += 1;
                if !self.eat(if object { b'}' } else { b']' }) {
                    let Some(slot) = objects.get_mut(depth) else {
                        return Err(ConvertError::new(
                            messages::cb::nested_too_deeply(MAX_SKIP_DEPTH),
                            self.at,
                        )
                        .of_kind(ErrorKind::NotJson));
                    };
                    *slot = object;
                    depth += 1;
                    if object {
                        self.key()?;
                    }
                    continue;
                }
            } else {
                self.scalar()?;
            }
            loop {
                let Some(level) = depth.checked_sub(1) else {
                    return Ok(());
                };
                if self.eat(b',') {
                    if objects[level] {
                        self.key()?;
                    }
                    break;
                }
                let (close, what) = if objects[level] {
                    (b'}', "',' or '}'")
                } else {
                    (b']', "',' or ']'")
                };
                self.expect(close, what)?;
                depth = level;
            }
        }
    }

    fn key(&mut self) -> Read<()> {
        let name = self.string("a member name")?;
        check(&name)?;
        self.expect(b':', "':'")
    }

    fn scalar(&mut self) -> Read<()> {
        match self.peek() {
            b'"' => check(&self.string("a value")?),
            b'-' | b'0'..=b'9' => self.number().map(|_| ()),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            _ => Err(self.syntax("a value")),
        }
    }

    fn word(&mut self, word: &[u8]) -> Read<()> {
        if self.text[self.at..].starts_with(word) {
            self.at += word.len();
            Ok(())
        } else {
            Err(self.syntax("a value"))
        }
    }
}

fn digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| b.is_ascii_digit()).count()
}

fn check(raw: &Raw<'_>) -> Read<()> {
    if raw.plain {
        return Ok(());
    }
    for c in Chars::of(raw)? {
        c?;
    }
    Ok(())
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// First place from `start` that is not printable ASCII or is `"` or `\`: eight bytes at a time.
#[inline]
fn plain_end(text: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(Ok(word)) = text.get(at..at + 8).map(<[u8; 8]>::try_from) {
        let word = u64::from_le_bytes(word);
        let quote = word ^ (ONES * b'"' as u64);
        let slash = word ^ (ONES * b'\\' as u64);
        let below = word.wrapping_sub(ONES * 0x20) & !word;
        let found = (quote.wrapping_sub(ONES) & !quote)
            | (slash.wrapping_sub(ONES) & !slash)
            | below
            | word;
        let found = found & HIGHS;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let plain = |b: &&u8| matches!(b, 0x20..0x80) && !matches!(b, b'"' | b'\\');
    at + text[at.min(text.len())..].iter().take_while(plain).count()
}

/// The characters a string stands for.
pub(super) struct Chars<'a> {
    text: std::str::Chars<'a>,
    at: usize,
}

impl<'a> Chars<'a> {
    /// Refuses what is not UTF-8.
    pub(super) fn of(raw: &Raw<'a>) -> Read<Chars<'a>> {
        match std::str::from_utf8(raw.bytes) {
            Ok(text) => Ok(Chars {
                text: text.chars(),
                at: raw.at,
            }),
            Err(error) => {
                let at = raw.at + 1 + error.valid_up_to();
                Err(not_text(at, "the string is not valid UTF-8"))
            }
        }
    }

    fn escape(&mut self) -> Read<char> {
        Ok(match self.text.next() {
            Some(c @ ('"' | '\\' | '/')) => c,
            Some('b') => '\u{8}',
            Some('f') => '\u{C}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => return self.unicode(),
            _ => {
                return Err(not_json(self.at, "the string has an unknown escape"));
            }
        })
    }

    fn unicode(&mut self) -> Read<char> {
        let first = self.unit()?;
        let code = if (0xD800..0xDC00).contains(&first) {
            let second = if self.text.next() == Some('\\') && self.text.next() == Some('u') {
                self.unit()?
            } else {
                0
            };
            if !(0xDC00..0xE000).contains(&second) {
                return Err(self.lone());
            }
            0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)
        } else {
            first
        };
        char::from_u32(code).ok_or_else(|| self.lone())
    }

    #[cold]
    fn lone(&self) -> Box<ConvertError> {
        not_text(self.at, "the string has half of a surrogate pair")
    }

    fn unit(&mut self) -> Read<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            match self.text.next().and_then(|c| c.to_digit(16)) {
                Some(digit) => unit = unit << 4 | digit,
                None => {
                    return Err(not_json(self.at, "\\u needs four hexadecimal digits"));
                }
            }
        }
        Ok(unit)
    }
}

impl Iterator for Chars<'_> {
    type Item = Read<char>;

    fn next(&mut self) -> Option<Read<char>> {
        match self.text.next()? {
            '\\' => Some(self.escape()),
            c => Some(Ok(c)),
        }
    }
}

#[cold]
fn not_json(at: usize, reason: impl std::fmt::Display) -> Box<ConvertError> {
    ConvertError::new(messages::cb::not_json(reason), at).of_kind(ErrorKind::NotJson)
}

/// Bytes that are no characters.
#[cold]
fn not_text(at: usize, reason: &str) -> Box<ConvertError> {
    ConvertError::new(messages::cb::not_utf8(reason), at).of_kind(ErrorKind::NotJson)
}
