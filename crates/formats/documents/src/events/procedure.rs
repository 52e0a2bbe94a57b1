//! XML PARSE as the processing procedure sees it: an event, what it leaves in XML-CODE, the next.
//!
//! Not here: the words of a document (`scan`).

use super::event::{ATTRIBUTE_PREFIX, ELEMENT_PREFIX, END_OF_BUFFER, Event};
use super::national;
use super::scan::{Scan, Stop};
use crate::parse::Characters;
use std::collections::VecDeque;

/// What follows the processing procedure.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    Event(Event),
    /// The next segment is in the document's item: [`XmlParse::segment`], then again.
    Segment,
    /// The statement ends with this XML-CODE.
    End(i32),
    /// The procedure has set XML-CODE to something that it must not be; the task ends.
    BadCode,
}

/// What the last event was, as far as XML-CODE means something there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    None,
    Normal,
    EndOfInput,
    EndOfDocument,
    /// Parsing goes on where the procedure sets XML-CODE to zero.
    Warning(i32),
    Exception(i32),
}

/// A statement under way.
#[derive(Debug)]
pub struct XmlParse {
    scan: Scan,
    queue: VecDeque<Event>,
    last: Last,
    /// No more input will come.
    over: bool,
    /// The document is national: what of a segment belongs to the next.
    units: Option<national::Units>,
    /// The document is read as UTF-8.
    utf8: bool,
    /// What is told is national.
    national: bool,
}

impl XmlParse {
    /// Of this document in these characters; what is told is national where the document is, or
    /// where RETURNING NATIONAL says so.
    pub fn new(document: &[u8], characters: Characters, national: bool) -> Self {
        let utf8 = characters != Characters::Programs;
        let is_national = characters == Characters::National;
        let mut parse = Self {
            scan: Scan::new(Vec::new(), utf8),
            queue: VecDeque::from([Event::new("START-OF-DOCUMENT")]),
            last: Last::None,
            over: false,
            units: is_national.then(national::Units::default),
            utf8,
            national: national || is_national,
        };
        parse.segment(document);
        parse
    }

    /// That of the register for national texts where they are, else of the other one.
    pub fn room(&self, text: usize, national: usize) -> usize {
        if self.national { national } else { text }
    }

    /// Goes on with this segment.
    pub fn segment(&mut self, document: &[u8]) {
        match &mut self.units {
            Some(units) => self.scan.append(units.text(document).as_bytes()),
            None => self.scan.append(document),
        }
        self.last = Last::None;
    }

    /// What comes after an event from which the procedure has come back with this XML-CODE. A text
    /// that is longer than `room` comes in pieces.
    pub fn next(&mut self, code: i32, room: usize) -> Answer {
        match (self.last, code) {
            (Last::Warning(_), 0) => {}
            (Last::Exception(code) | Last::Warning(code), _) => return Answer::End(code),
            (Last::None, _) => {}
            (_, -1) => return Answer::End(-1),
            (Last::EndOfInput, 1) => return Answer::Segment,
            (Last::EndOfInput, 0) => self.over = true,
            (Last::EndOfDocument, 0) => return Answer::End(0),
            (Last::Normal, 0) => {}
            _ => return Answer::BadCode,
        }
        let mut event = self.event();
        if self.national && !event.national {
            for text in [&mut event.text, &mut event.namespace, &mut event.prefix] {
                *text = national::bytes(text, self.utf8);
            }
            event.national = true;
        }
        if event.text.len() > room.max(1) {
            let whole = national::whole(&event.text, room.max(1), event.national, self.utf8);
            let rest = event.text.split_off(whole);
            let rest = Event {
                text: rest,
                ..event.clone()
            };
            event.information = 2;
            self.queue.push_front(rest);
        }
        self.last = match event.name {
            "EXCEPTION" if [ELEMENT_PREFIX, ATTRIBUTE_PREFIX].contains(&event.code) => {
                Last::Warning(event.code)
            }
            "EXCEPTION" => Last::Exception(event.code),
            "END-OF-INPUT" => Last::EndOfInput,
            "END-OF-DOCUMENT" => Last::EndOfDocument,
            _ => Last::Normal,
        };
        Answer::Event(event)
    }

    fn event(&mut self) -> Event {
        loop {
            if let Some(event) = self.queue.pop_front() {
                return event;
            }
            if self.scan.is_complete() {
                return Event::new("END-OF-DOCUMENT");
            }
            match self.scan.step(&mut self.queue) {
                Ok(()) => {}
                Err(Stop::Input) if self.over => return Event::exception(END_OF_BUFFER),
                Err(Stop::Input) => return Event::new("END-OF-INPUT"),
                Err(Stop::Wrong(code)) => return Event::exception(code),
            }
        }
    }
}
