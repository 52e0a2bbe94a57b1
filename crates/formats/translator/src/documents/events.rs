//! XML PARSE: its phrases, and the loop that performs the processing procedure.
//!
//! Not here: which event comes (`transom_documents`), exception phrases (`ending`).

use super::calls::Calls;
use super::encodings::characters;
use super::parsing::{Encoding, encoding};
use super::reader::{Reader, Reference};
use crate::token::Token;
use transom_documents::{Characters, Step};

/// CCSID of national items.
const UTF_16: i64 = 1200;

/// A statement without its exception phrases.
#[derive(Debug, Default)]
pub(super) struct Events {
    pub(super) document: Reference,
    encoding: Encoding,
    /// RETURNING NATIONAL.
    pub(super) returns_national: bool,
    /// `P-1 THRU P-9`.
    procedure: String,
}

/// The special registers that take an event.
const REGISTERS: [&str; 16] = [
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
    "TXM-XML-NTEXT",
    "TXM-XML-NTEXT-L",
    "TXM-XML-NNAMESPACE",
    "TXM-XML-NNAMESPACE-L",
    "TXM-XML-NPREFIX",
    "TXM-XML-NPREFIX-L",
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
                self.encoding = encoding(from)?;
            } else if from.take("RETURNING") {
                from.expect("NATIONAL")?;
                self.returns_national = true;
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

    /// The loop; whether the document is national.
    pub(super) fn text(&self, national: bool, mut out: Calls) -> Result<Vec<Token>, String> {
        let document = &*self.document.written;
        // A national document has the characters that this says.
        let encoding = match self.encoding {
            Encoding::Literal(UTF_16) if national => &Encoding::Absent,
            ref other => other,
        };
        let mut first = vec![document.to_owned(), "TXM-XML-HANDLE".to_owned()];
        let absent = Characters::Programs;
        let characters = characters(encoding, national, absent, &mut out, &mut first)?;
        let begin = Step::XmlParse {
            characters,
            national: self.returns_national,
        };
        let first: Vec<&str> = first.iter().map(String::as_str).collect();
        out.step(&begin, &first);
        out.write("PERFORM WITH TEST AFTER UNTIL TXM-XML-MORE = 0");
        let items: Vec<&str> = std::iter::once(document).chain(REGISTERS).collect();
        out.answered(&Step::NextEvent, &items, "TXM-XML-MORE");
        out.write(&format!(
            "IF TXM-XML-MORE NOT = 0 PERFORM {} END-IF",
            self.procedure
        ));
        out.write("END-PERFORM");
        Ok(out.text)
    }
}
