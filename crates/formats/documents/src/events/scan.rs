//! The words of a document: tags, text, comments, instructions.
//!
//! Why words as a whole: a segment may end inside of one, and then nothing of it has happened yet.
//! Only character data are handed out in pieces. No document type definition is taken but its name:
//! entities of a document can take any amount of memory. Not here: the order of events.

use super::characters::{Characters, Piece, Wrong, is_control, is_space, reference};
use super::event::{BAD_CHARACTER, Event, LENGTH_MAX, NOT_WELL_FORMED};
use super::names::Open;
use super::tags::{self, Attributes};
use std::collections::VecDeque;

/// Why there is no word.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The document ends inside of it.
    Input,
    /// It is wrong: XML-CODE.
    Wrong(i32),
}

const WRONG: Stop = Stop::Wrong(NOT_WELL_FORMED);

impl From<Wrong> for Stop {
    fn from(wrong: Wrong) -> Self {
        Stop::Wrong(wrong.0)
    }
}

#[derive(Debug)]
pub(super) struct Scan {
    text: Vec<u8>,
    at: usize,
    characters: Characters,
    /// Nothing but a declaration may have come.
    begins: bool,
    doctype: bool,
    root: bool,
    open: Open,
}

type Words = VecDeque<Event>;

impl Scan {
    pub(super) fn new(text: Vec<u8>, utf8: bool) -> Self {
        Self {
            text,
            at: 0,
            characters: Characters {
                utf8,
                external: false,
            },
            begins: true,
            doctype: false,
            root: false,
            open: Open::default(),
        }
    }

    /// What is read goes, what comes follows.
    pub(super) fn append(&mut self, segment: &[u8]) {
        self.text.drain(..self.at);
        self.at = 0;
        self.text.extend_from_slice(segment);
    }

    /// The root element has ended, and nothing follows it.
    pub(super) fn is_complete(&self) -> bool {
        self.root && self.open.is_empty() && self.rest().iter().all(|b| is_space(*b))
    }

    fn rest(&self) -> &[u8] {
        self.text.get(self.at..).unwrap_or(&[])
    }

    /// The next word as events.
    pub(super) fn step(&mut self, out: &mut Words) -> Result<(), Stop> {
        if self.rest().len() > LENGTH_MAX {
            return Err(WRONG);
        }
        if std::mem::take(&mut self.begins) {
            match self.declaration(out) {
                Err(Stop::Input) => {
                    self.begins = true;
                    return Err(Stop::Input);
                }
                other => return other,
            }
        }
        if self.open.is_empty() {
            self.outside(out)
        } else {
            self.inside(out)
        }
    }

    fn declaration(&mut self, out: &mut Words) -> Result<(), Stop> {
        if !self.follows(b"<?xml")? || !self.rest().get(5).is_none_or(|b| is_space(*b)) {
            return Ok(());
        }
        let (body, end) = self.up_to(5, b"?>")?;
        self.characters.check(&body)?;
        let mut attributes = Attributes(&body);
        let mut names = ["version", "encoding", "standalone"].iter();
        let mut version = false;
        while let Some((name, value)) = attributes.next()? {
            if !names.any(|n| n.as_bytes() == name) {
                return Err(WRONG);
            }
            let event = match name {
                b"version" => {
                    version = value.starts_with(b"1.") && value.len() > 2;
                    "VERSION-INFORMATION"
                }
                b"encoding" => "ENCODING-DECLARATION",
                _ => "STANDALONE-DECLARATION",
            };
            let right = event != "STANDALONE-DECLARATION" || [&b"yes"[..], b"no"].contains(&value);
            if value.is_empty() || !right {
                return Err(WRONG);
            }
            out.push_back(Event::with_text(event, value.to_vec()));
        }
        if !version {
            out.clear();
            return Err(WRONG);
        }
        self.at = end;
        Ok(())
    }

    /// In front of the root element or behind it.
    fn outside(&mut self, out: &mut Words) -> Result<(), Stop> {
        while self.rest().first().is_some_and(|b| is_space(*b)) {
            self.at += 1;
        }
        match self.rest() {
            [] => return Err(Stop::Input),
            [b'<', ..] => {}
            [byte, ..] if is_control(*byte) => return Err(Stop::Wrong(BAD_CHARACTER)),
            _ => return Err(WRONG),
        }
        if self.markup(out)? {
            return Ok(());
        }
        if self.follows(b"<!DOCTYPE")? {
            return self.document_type(out);
        }
        if self.root || self.rest().starts_with(b"</") {
            return Err(WRONG);
        }
        self.start_tag(out)
    }

    /// In an element.
    fn inside(&mut self, out: &mut Words) -> Result<(), Stop> {
        match self.rest().first() {
            None => Err(Stop::Input),
            Some(b'<') => {
                if self.markup(out)? {
                    return Ok(());
                }
                if self.follows(b"<![CDATA[")? {
                    let (text, end) = self.up_to(9, b"]]>")?;
                    let text = self.characters.lines(&text)?;
                    out.push_back(Event::new("START-OF-CDATA-SECTION"));
                    if !text.is_empty() {
                        out.push_back(Event::with_text("CONTENT-CHARACTERS", text));
                    }
                    out.push_back(Event::new("END-OF-CDATA-SECTION"));
                    self.at = end;
                    return Ok(());
                }
                if self.follows(b"</")? {
                    return self.end_tag(out);
                }
                self.start_tag(out)
            }
            Some(_) => self.characters(out),
        }
    }

    /// Comments and processing instructions.
    fn markup(&mut self, out: &mut Words) -> Result<bool, Stop> {
        if self.follows(b"<!--")? {
            let (text, end) = self.up_to(4, b"--")?;
            match self.text.get(end) {
                None => return Err(Stop::Input),
                Some(b'>') => {}
                Some(_) => return Err(WRONG),
            }
            let text = self.characters.lines(&text)?;
            out.push_back(Event::with_text("COMMENT", text));
            self.at = end + 1;
            return Ok(true);
        }
        if !self.follows(b"<?")? {
            return Ok(false);
        }
        let (body, end) = self.up_to(2, b"?>")?;
        let body = self.characters.lines(&body)?;
        let length = self.characters.name_length(&body);
        let (target, data) = body.split_at(length);
        let data_begins = data.iter().take_while(|b| is_space(**b)).count();
        let glued = data_begins == 0 && !data.is_empty();
        if target.is_empty() || glued || target.eq_ignore_ascii_case(b"xml") {
            return Err(WRONG);
        }
        let target = target.to_vec();
        out.push_back(Event::with_text("PROCESSING-INSTRUCTION-TARGET", target));
        if data_begins < data.len() {
            let data = data[data_begins..].to_vec();
            out.push_back(Event::with_text("PROCESSING-INSTRUCTION-DATA", data));
        }
        self.at = end;
        Ok(true)
    }

    /// DOCTYPE: its name and what it names outside.
    fn document_type(&mut self, out: &mut Words) -> Result<(), Stop> {
        let mut quote = None;
        let mut end = 9;
        loop {
            match (self.rest().get(end), quote) {
                (None, _) => return Err(Stop::Input),
                (Some(b), Some(q)) if *b == q => quote = None,
                (Some(_), Some(_)) => {}
                (Some(b @ (b'"' | b'\'')), None) => quote = Some(*b),
                (Some(b'>'), None) => break,
                (Some(b'[' | b'<'), None) => return Err(WRONG),
                (Some(_), None) => {}
            }
            end += 1;
        }
        let body = self.rest()[9..end].to_vec();
        self.characters.check(&body)?;
        let begin = body.iter().take_while(|b| is_space(**b)).count();
        let length = self.characters.name_length(&body[begin..]);
        if begin == 0 || length == 0 || self.root || self.doctype {
            return Err(WRONG);
        }
        let (name, outside) = body[begin..].split_at(length);
        self.characters.external = outside.iter().any(|b| !is_space(*b));
        self.doctype = true;
        let event = Event::with_text("DOCUMENT-TYPE-DECLARATION", name.to_vec());
        out.push_back(event);
        self.at += end + 1;
        Ok(())
    }

    fn start_tag(&mut self, out: &mut Words) -> Result<(), Stop> {
        let end = self.tag_end()?;
        let body = &self.text[self.at + 1..self.at + end];
        out.extend(tags::start(body, self.characters, &mut self.open)?);
        self.root = true;
        self.at += end + 1;
        Ok(())
    }

    fn end_tag(&mut self, out: &mut Words) -> Result<(), Stop> {
        let end = self.rest().iter().position(|b| *b == b'>');
        let end = end.ok_or(Stop::Input)?;
        let name = &self.text[self.at + 2..self.at + end];
        let name = name.trim_ascii_end();
        out.push_back(tags::end(name, self.characters, &mut self.open)?);
        self.at += end + 1;
        Ok(())
    }

    /// Character data up to the next tag, or to the end of the segment.
    fn characters(&mut self, out: &mut Words) -> Result<(), Stop> {
        let rest = self.rest();
        let tag = rest.iter().position(|b| *b == b'<');
        let mut end = tag.unwrap_or(rest.len());
        if tag.is_none() {
            end = self.whole_characters(end);
        }
        let rest = rest[..end].to_vec();
        if end == 0 {
            return Err(Stop::Input);
        }
        if rest.windows(3).any(|w| w == b"]]>") {
            return Err(WRONG);
        }
        let mut events = Vec::new();
        let mut text = Vec::new();
        let mut at = 0;
        while at < rest.len() {
            let plain = rest[at..].iter().position(|b| *b == b'&');
            let plain = plain.unwrap_or(rest.len() - at);
            text.extend(self.characters.lines(&rest[at..at + plain])?);
            at += plain;
            if at == rest.len() {
                break;
            }
            let (name, behind) = reference(&rest[at..])?;
            at += behind;
            match self.characters.referred(name)? {
                Piece::Text(bytes) => text.extend(bytes),
                other => {
                    let piece = std::mem::take(&mut text);
                    if !piece.is_empty() {
                        events.push(Event::with_text("CONTENT-CHARACTERS", piece));
                    }
                    events.push(match other {
                        Piece::National(c) => Event::character("CONTENT-NATIONAL-CHARACTER", c),
                        _ => Event::with_text("UNRESOLVED-REFERENCE", name.to_vec()),
                    });
                }
            }
        }
        if !text.is_empty() {
            events.push(Event::with_text("CONTENT-CHARACTERS", text));
        }
        if let Some(last) = events.last_mut().filter(|_| tag.is_none()) {
            last.information = 2;
        }
        out.extend(events);
        self.at += end;
        Ok(())
    }

    /// Bytes at the end of a segment that only the next one may explain stay.
    fn whole_characters(&self, length: usize) -> usize {
        let rest = &self.rest()[..length];
        let tail = rest.len().saturating_sub(16);
        let reference = rest.iter().rposition(|b| *b == b'&');
        let open = reference.filter(|at| !rest[*at..].contains(&b';'));
        let mut end = open.unwrap_or(rest.len());
        while end > tail && matches!(rest[end - 1], b']' | b'\r') {
            end -= 1;
        }
        if self.characters.utf8
            && let Err(error) = std::str::from_utf8(&rest[..end])
            && error.error_len().is_none()
        {
            end = error.valid_up_to();
        }
        end
    }

    /// The place of `>` that ends a tag; those in values do not.
    fn tag_end(&self) -> Result<usize, Stop> {
        let mut quote = None;
        for (at, byte) in self.rest().iter().enumerate().skip(1) {
            match (byte, quote) {
                (b, Some(q)) if *b == q => quote = None,
                (b'<', _) => return Err(WRONG),
                (_, Some(_)) => {}
                (b'"' | b'\'', None) => quote = Some(*byte),
                (b'>', None) => return Ok(at),
                _ => {}
            }
        }
        Err(Stop::Input)
    }

    /// Whether this comes next; the document may end before that is known.
    fn follows(&self, what: &[u8]) -> Result<bool, Stop> {
        let rest = self.rest();
        if rest.len() < what.len() && what.starts_with(rest) {
            return Err(Stop::Input);
        }
        Ok(rest.starts_with(what))
    }

    /// Bytes from here up to an end, and the place behind it.
    fn up_to(&self, skip: usize, end: &[u8]) -> Result<(Vec<u8>, usize), Stop> {
        let rest = self.rest().get(skip..).unwrap_or(&[]);
        let found = rest.windows(end.len()).position(|w| w == end);
        let length = found.ok_or(Stop::Input)?;
        let behind = self.at + skip + length + end.len();
        Ok((rest[..length].to_vec(), behind))
    }
}
