//! A checkout as texts and archives: every file read once and sorted.
//!
//! Not here: which of them are taken (`plan`).

use crate::arguments::Wanted;
use crate::kind::{self, Kind};
use crate::placeholders::{Placeholder, Values, of_line, replace, said};
use crate::walk::{Found, reason, walk};
use std::cell::RefCell;
use std::collections::BTreeMap;
use transom_apidef::archive::Archive;
use transom_copybook::CodePage;
use transom_copybook::codepage::source_text;
use transom_messages::{Message, im};

/// Longest file that is read as a text.
const TEXT_MAX: u64 = 8 << 20;
/// Bytes of all texts together.
const TEXTS_MAX: u64 = 512 << 20;
/// Longest archive.
const ARCHIVE_MAX: u64 = 64 << 20;

/// What the files of a checkout are.
pub(crate) struct Sorted {
    pub(crate) files: Vec<Found>,
    /// Texts that are something, by the places of their files.
    pub(crate) texts: BTreeMap<usize, (Kind, String)>,
    /// Archives that are sound.
    pub(crate) archives: Vec<usize>,
    pub(crate) remarks: Vec<Message>,
    /// Values that the checkout says placeholders have, with the file that says it.
    pub(crate) said: BTreeMap<String, (String, usize)>,
    /// Placeholders that have no value, each with a name that can stand in its place.
    open: RefCell<Vec<String>>,
    pub(crate) values: Values,
}

/// Front of the names that stand for placeholders while texts are looked at.
const STAND_IN: &str = "PH";
/// Digits behind it.
const DIGITS: usize = 6;

impl Sorted {
    /// Reads a checkout.
    pub(crate) fn read(wanted: &Wanted) -> Result<Self, Message> {
        let walked = walk(&wanted.root, &wanted.without)?;
        let mut sorted = Self {
            files: walked.files,
            remarks: walked.remarks,
            texts: BTreeMap::new(),
            archives: Vec::new(),
            said: BTreeMap::new(),
            open: RefCell::default(),
            values: wanted.values.clone(),
        };
        let mut bytes = 0_u64;
        for at in 0..sorted.files.len() {
            let length = sorted.files[at].bytes;
            match sorted.files[at].ending().as_str() {
                "sar" | "aar" => sorted.archive(at)?,
                _ if length > TEXT_MAX || length == 0 => {}
                _ => bytes += sorted.text(at)?,
            }
            if bytes > TEXTS_MAX {
                return Err(im::too_much(TEXTS_MAX));
            }
        }
        if wanted.suggested {
            for (name, (value, _)) in &sorted.said {
                let values = &mut sorted.values;
                values.entry(name.clone()).or_insert_with(|| value.clone());
            }
        }
        Ok(sorted)
    }

    fn bytes(&self, at: usize) -> Result<Vec<u8>, Message> {
        let file = &self.files[at];
        std::fs::read(&file.path).map_err(|why| im::not_read(&file.shown, reason(&why)))
    }

    fn archive(&mut self, at: usize) -> Result<(), Message> {
        let shown = self.files[at].shown.clone();
        let length = self.files[at].bytes;
        if length > ARCHIVE_MAX {
            self.remarks.push(im::too_long(shown, length, ARCHIVE_MAX));
            return Ok(());
        }
        match Archive::read(&shown, &self.bytes(at)?) {
            Ok(_) => self.archives.push(at),
            Err(problem) => self.remarks.push(im::bad_archive(&shown, problem.message)),
        }
        Ok(())
    }

    /// Reads a text; answers its length, 0 for what is none or of no use.
    fn text(&mut self, at: usize) -> Result<u64, Message> {
        let bytes = self.bytes(at)?;
        let page = &CodePage::all()[0];
        let Ok(source) = source_text(bytes, page) else {
            let ending = self.files[at].ending();
            if kind::is_source(&ending) {
                self.remarks.push(im::no_lines(&self.files[at].shown));
            }
            return Ok(0);
        };
        let text = source.text;
        if !is_text(&text) {
            return Ok(0);
        }
        for line in text.lines() {
            if let Some((name, value)) = said(line) {
                self.said.entry(name).or_insert((value, at));
            }
        }
        let kind = kind::of(&self.files[at], &text);
        if kind == Kind::Other && !kind::is_member(&self.files[at].ending()) {
            return Ok(0);
        }
        let length = text.len() as u64;
        self.texts.insert(at, (kind, text));
        Ok(length)
    }

    /// Files of a kind, with their texts.
    pub(crate) fn of(&self, kind: Kind) -> impl Iterator<Item = (usize, &str)> {
        let of_kind = self.texts.iter().filter(move |(_, (k, _))| *k == kind);
        of_kind.map(|(at, (_, text))| (*at, text.as_str()))
    }

    /// A text with its values in it.
    pub(crate) fn with_values(&self, text: &str) -> String {
        replace(text, &self.values)
    }

    /// A text with its values, and with names in the place of what has none: it can be read.
    pub(crate) fn closed(&self, text: &str) -> String {
        let text = self.with_values(text);
        let mut all: Vec<Placeholder> = text.lines().flat_map(of_line).collect();
        all.sort();
        all.dedup();
        let mut text = text;
        for placeholder in all {
            let mut open = self.open.borrow_mut();
            let known = open.iter().position(|name| *name == placeholder.name);
            let number = known.unwrap_or(open.len());
            if known.is_none() {
                open.push(placeholder.name);
            }
            let name = format!("{STAND_IN}{number:0DIGITS$}");
            text = text.replace(&placeholder.written, &name);
        }
        text
    }

    /// Names of the placeholders whose stand-ins are in a text.
    pub(crate) fn open_in(&self, text: &str) -> Vec<String> {
        let open = self.open.borrow();
        let mut found = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find(STAND_IN) {
            rest = &rest[at + STAND_IN.len()..];
            let number = rest
                .get(..DIGITS)
                .and_then(|digits| digits.parse::<usize>().ok());
            found.extend(number.and_then(|number| open.get(number)).cloned());
        }
        found
    }

    /// Whether a name with stand-ins could be another name.
    pub(crate) fn fits(&self, name: &str, other: &str) -> bool {
        if name == other {
            return true;
        }
        let Some(open) = name
            .find(STAND_IN)
            .filter(|_| !self.open_in(name).is_empty())
        else {
            return false;
        };
        let back = name
            .get(open + STAND_IN.len() + DIGITS..)
            .unwrap_or_default();
        let front = &name[..open];
        other.len() > front.len() + back.len()
            && other.starts_with(front)
            && other.ends_with(back)
            && (!back.is_empty() || !front.is_empty())
    }
}

/// No more than a few characters that no source has.
fn is_text(text: &str) -> bool {
    const OF: usize = 200;
    let strange =
        |c: &char| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}' | '\u{1a}');
    let strangers = text.chars().filter(strange).count();
    strangers * OF <= text.len()
}
