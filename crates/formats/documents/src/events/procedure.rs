//! XML PARSE as the processing procedure sees it: an event, what it leaves in XML-CODE, the next.
//!
//! Not here: the words of a document (`scan`).

use super::event::{END_OF_BUFFER, Event};
use super::scan::{Scan, Stop};
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
}

impl XmlParse {
    /// Of this document, in UTF-8 or in the characters of programs.
    pub fn new(document: &[u8], utf8: bool) -> Self {
        Self {
            scan: Scan::new(document.to_vec(), utf8),
            queue: VecDeque::from([Event::new("START-OF-DOCUMENT")]),
            last: Last::None,
            over: false,
        }
    }

    /// Goes on with this segment.
    pub fn segment(&mut self, document: &[u8]) {
        self.scan.append(document);
        self.last = Last::None;
    }

    /// What comes after an event from which the procedure has come back with this XML-CODE. A text
    /// that is longer than `room` comes in pieces.
    pub fn next(&mut self, code: i32, room: usize) -> Answer {
        match (self.last, code) {
            (Last::Exception(code), _) => return Answer::End(code),
            (Last::None, _) => {}
            (_, -1) => return Answer::End(-1),
            (Last::EndOfInput, 1) => return Answer::Segment,
            (Last::EndOfInput, 0) => self.over = true,
            (Last::EndOfDocument, 0) => return Answer::End(0),
            (Last::Normal, 0) => {}
            _ => return Answer::BadCode,
        }
        let mut event = self.event();
        if event.text.len() > room.max(1) {
            let rest = event.text.split_off(room.max(1));
            let rest = Event {
                text: rest,
                ..event.clone()
            };
            event.information = 2;
            self.queue.push_front(rest);
        }
        self.last = match event.name {
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
                Err(Stop::Input) if self.over => return exception(END_OF_BUFFER),
                Err(Stop::Input) => return Event::new("END-OF-INPUT"),
                Err(Stop::Wrong(code)) => return exception(code),
            }
        }
    }
}

fn exception(code: i32) -> Event {
    Event {
        code,
        ..Event::new("EXCEPTION")
    }
}
