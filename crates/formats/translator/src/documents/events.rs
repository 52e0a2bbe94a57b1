//! XML PARSE: its phrases, and the loop that performs the processing procedure.
//!
//! Not here: which event comes (`transom_documents`), exception phrases (`ending`).

use super::calls::Calls;
use super::reader::{Reader, Reference};
use crate::token::Token;
use transom_documents::{Characters, Step};

/// A statement without its exception phrases.
#[derive(Debug, Default)]
pub(super) struct Events {
    pub(super) document: Reference,
    utf8: bool,
    /// `P-1 THRU P-9`.
    procedure: String,
}

/// The special registers that take an event.
const REGISTERS: [&str; 10] = [
    "TXM-XML-HANDLE",
    "TXM-XML-EVENT",
    "TXM-XML-CODE",
    "TXM-XML-INFORMATION",
    "TXM-XML-TEXT",
    "TXM-XML-TEXT-L",
    "TXM-XML-NAMESPACE",
    "TXM-XML-NAMESPACE-L",
    "TXM-XML-PREFIX",
    "TXM-XML-PREFIX-L",
];

impl Events {
    /// Reads it from the word behind PARSE; answers the word behind it too, also with the error.
    pub(super) fn read(tokens: &[Token], at: usize) -> Result<(Self, usize), (String, usize)> {
        let mut reader = Reader::new(tokens, at);
        let mut events = Self::default();
        match events.phrases(&mut reader) {
            Ok(()) => Ok((events, reader.at)),
            Err(why) => Err((why, reader.at)),
        }
    }

    fn phrases(&mut self, from: &mut Reader<'_>) -> Result<(), String> {
        self.document = from.reference()?;
        loop {
            let with = from.take("WITH");
            if from.take("ENCODING") {
                let page = from.word().unwrap_or_default();
                from.at += 1;
                let known = page.parse().ok().and_then(Characters::of_ccsid);
                let known = known.ok_or_else(|| format!("ENCODING {page}"))?;
                self.utf8 = known == Characters::Utf8;
            } else if from.take("RETURNING") {
                return Err("RETURNING NATIONAL".to_owned());
            } else if from.take("VALIDATING") {
                return Err("VALIDATING".to_owned());
            } else if !with && from.take("PROCESSING") {
                break;
            } else {
                let word = from.word().unwrap_or_default();
                return Err(format!("{word} in it"));
            }
        }
        from.expect("PROCEDURE")?;
        from.take("IS");
        self.procedure = from.reference()?.written;
        if from.take("THROUGH") || from.take("THRU") {
            let last = from.reference()?.written;
            self.procedure += &format!(" THRU {last}");
        }
        match (from.is_over(), from.word()) {
            (true, _) | (_, None) => Ok(()),
            (false, Some(word)) => Err(format!("{word} in it")),
        }
    }

    /// The loop.
    pub(super) fn text(&self, mut out: Calls) -> Vec<Token> {
        let document = &*self.document.written;
        let begin = Step::XmlParse { utf8: self.utf8 };
        out.step(&begin, &[document, "TXM-XML-HANDLE"]);
        out.write("PERFORM WITH TEST AFTER UNTIL TXM-XML-MORE = 0");
        let items: Vec<&str> = std::iter::once(document).chain(REGISTERS).collect();
        out.answered(&Step::NextEvent, &items, "TXM-XML-MORE");
        out.write(&format!(
            "IF TXM-XML-MORE NOT = 0 PERFORM {} END-IF",
            self.procedure
        ));
        out.write("END-PERFORM");
        out.text
    }
}
