//! JSON GENERATE, XML GENERATE, JSON PARSE and XML PARSE, which GnuCOBOL lacks or does otherwise.
//!
//! What: GENERATE becomes a CALL for each item (`transom_documents`), in the order of the record,
//! with PERFORM around the items of tables and IF around what may be suppressed. JSON PARSE
//! becomes a CALL for each item and a loop that MOVEs one value after the other, XML PARSE a loop
//! that PERFORMs the processing procedure for each event. Exception phrases become IF. Why in
//! COBOL: the program itself finds, compares and moves its items, so lengths, subscripts and bad
//! data are those of any other statement. Not here: text of documents.

mod absent;
mod calls;
mod emit;
mod encodings;
mod ending;
mod events;
mod filling;
mod indicators;
mod nulls;
mod parsing;
mod programs;
mod reader;
mod receiver;
mod record;
mod said;
mod statement;
pub(crate) mod words;

use crate::data;
use crate::declared::Declared;
use crate::national::known_as_national;
use crate::token::{Kind, Session, Token};
use calls::Calls;
use emit::Emitter;
use ending::Endings;
use events::Events;
use filling::Filling;
use parsing::Parse;
use programs::Programs;
use reader::Reference;
use record::Record;
use statement::Statement;
use transom_copybook::ParseOptions;
use transom_messages as messages;

/// Special registers and the items that stand for them.
const REGISTERS: [(&str, &str); 11] = [
    ("JSON-CODE", JSON_CODE),
    ("JSON-STATUS", "TXM-JSON-STATUS"),
    ("XML-CODE", XML_CODE),
    ("XML-EVENT", "TXM-XML-EVENT"),
    ("XML-INFORMATION", "TXM-XML-INFORMATION"),
    ("XML-TEXT", "TXM-XML-TEXT"),
    ("XML-NAMESPACE", "TXM-XML-NAMESPACE"),
    ("XML-NAMESPACE-PREFIX", "TXM-XML-PREFIX"),
    ("XML-NTEXT", "TXM-XML-NTEXT"),
    ("XML-NNAMESPACE", "TXM-XML-NNAMESPACE"),
    ("XML-NNAMESPACE-PREFIX", "TXM-XML-NPREFIX"),
];
/// Those of them that are as long as what they hold.
const VARYING: [&str; 3] = ["XML-TEXT", "XML-NAMESPACE", "XML-NAMESPACE-PREFIX"];
/// Those that hold national text.
pub(crate) const NATIONAL: [&str; 3] = ["XML-NTEXT", "XML-NNAMESPACE", "XML-NNAMESPACE-PREFIX"];
const JSON_CODE: &str = "TXM-JSON-CODE";
const XML_CODE: &str = "TXM-XML-CODE";

/// What of the compiler's options matters here.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Options {
    /// TRUNC(BIN): COMP holds what its bytes can.
    pub(crate) native_binary: bool,
    /// XMLPARSE(COMPAT).
    pub(crate) compatible: bool,
}

/// Puts statements the compiler knows in place of all four.
pub(crate) fn generate(
    tokens: Vec<Token>,
    declared: &Declared,
    options: Options,
    session: &mut Session,
) -> Vec<Token> {
    let is_register = |t: &Token| {
        let mut registers = REGISTERS.iter();
        registers.any(|(name, _)| t.is(name)) && !declared.names.contains(&t.upper())
    };
    if !tokens.iter().any(is_register) && !tokens.windows(2).any(|w| begins(w).is_some()) {
        return tokens;
    }
    let mut scan = Scan {
        programs: Programs::of(&tokens),
        pictures: data::options(&tokens),
        tokens: &tokens,
        declared,
        options,
        session,
        out: Vec::with_capacity(tokens.len() * 2),
        endings: Endings::default(),
    };
    let mut at = 0;
    while at < tokens.len() {
        at = scan.step(at, is_register(&tokens[at]));
    }
    let (programs, out) = (scan.programs, scan.out);
    programs.insert(out)
}

/// A statement of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
    JsonGenerate,
    XmlGenerate,
    JsonParse,
    XmlParse,
}

impl Verb {
    fn name(self) -> &'static str {
        match self {
            Verb::JsonGenerate => "JSON GENERATE",
            Verb::XmlGenerate => "XML GENERATE",
            Verb::JsonParse => "JSON PARSE",
            Verb::XmlParse => "XML PARSE",
        }
    }

    fn is_json(self) -> bool {
        matches!(self, Verb::JsonGenerate | Verb::JsonParse)
    }
}

fn begins(words: &[Token]) -> Option<Verb> {
    let (first, second) = (words.first()?, words.get(1)?);
    match (first.is("JSON"), first.is("XML")) {
        (true, _) if second.is("GENERATE") => Some(Verb::JsonGenerate),
        (true, _) if second.is("PARSE") => Some(Verb::JsonParse),
        (_, true) if second.is("GENERATE") => Some(Verb::XmlGenerate),
        (_, true) if second.is("PARSE") => Some(Verb::XmlParse),
        _ => None,
    }
}

/// Generated text, or why there is none.
type Made = Result<Vec<Token>, String>;

struct Scan<'a> {
    tokens: &'a [Token],
    programs: Programs,
    pictures: ParseOptions,
    declared: &'a Declared,
    options: Options,
    session: &'a mut Session,
    out: Vec<Token>,
    endings: Endings,
}

impl Scan<'_> {
    /// Writes what stands at `at`; answers what comes after it.
    fn step(&mut self, at: usize, is_register: bool) -> usize {
        let token = &self.tokens[at];
        let Some(program) = self.programs.procedure_of(at) else {
            self.out.push(token.clone());
            return at + 1;
        };
        if let Some(verb) = begins(&self.tokens[at..]) {
            self.endings.verb(token, &mut self.out);
            return self.statement(at, verb, program);
        }
        if is_register {
            let register = REGISTERS.iter().find(|(name, _)| token.is(name));
            if let Some((name, item)) = register {
                return self.register(at, name, item, program);
            }
        }
        self.endings.step(self.tokens, at, &mut self.out)
    }

    /// The item of a special register.
    fn register(&mut self, at: usize, name: &str, item: &str, program: usize) -> usize {
        let token = &self.tokens[at];
        self.programs.needs_code(program);
        if name.starts_with("XML") && name != "XML-CODE" {
            self.programs.needs_registers(program, 1);
        }
        let national = NATIONAL.contains(&name);
        if !national && !VARYING.contains(&name) {
            words::words(item, token.at, &mut self.out);
            return at + 1;
        }
        let next = self.tokens.get(at + 1).map(|t| t.kind);
        let length = format!("{item}-L");
        let closes = next == Some(Kind::Close);
        if self.ends_with(&["LENGTH", "OF"]) {
            self.out.truncate(self.out.len() - 2);
            words::words(&length, token.at, &mut self.out);
        } else if let Some(words) = self.function_length().filter(|_| closes) {
            self.out.truncate(self.out.len() - words);
            let characters = match national {
                true => format!("FUNCTION INTEGER ( {length} / 2 )"),
                false => length,
            };
            words::words(&characters, token.at, &mut self.out);
            return at + 2;
        } else if national {
            let text = known_as_national(&format!("{item} ( 1 : {length} )"));
            words::words(&text, token.at, &mut self.out);
        } else if next == Some(Kind::Open) {
            words::words(item, token.at, &mut self.out);
        } else {
            let text = format!("{item} ( 1 : {length} )");
            words::words(&text, token.at, &mut self.out);
        }
        at + 1
    }

    /// Words of FUNCTION LENGTH and its bracket, if they are the last.
    fn function_length(&self) -> Option<usize> {
        let words = ["FUNCTION", "LENGTH", "("];
        let all = (0..2).map(|skipped| &words[skipped..]);
        let mut all = all.filter(|words| self.ends_with(words));
        all.next().map(<[&str]>::len)
    }

    fn ends_with(&self, last: &[&str]) -> bool {
        let Some(begin) = self.out.len().checked_sub(last.len()) else {
            return false;
        };
        let words = self.out[begin..].iter();
        words
            .zip(last)
            .all(|(token, word)| token.is(word) || &*token.text == *word)
    }

    fn statement(&mut self, at: usize, verb: Verb, program: usize) -> usize {
        let place = self.tokens[at].at;
        let calls = Calls::new(place);
        let json = verb.is_json();
        let (made, end) = match verb {
            Verb::JsonGenerate | Verb::XmlGenerate => {
                match Statement::read(self.tokens, at + 2, json) {
                    Ok((statement, end)) => (self.generated(&statement, program, calls), end),
                    Err((why, end)) => (Err(why), end),
                }
            }
            Verb::JsonParse => match Parse::read(self.tokens, at + 2) {
                Ok((parse, end)) => (self.filled(&parse, program, calls), end),
                Err((why, end)) => (Err(why), end),
            },
            Verb::XmlParse => match Events::read(self.tokens, at + 2) {
                Ok((events, end)) => (self.performed(&events, program, calls), end),
                Err((why, end)) => (Err(why), end),
            },
        };
        let code = match made {
            Ok(text) => {
                self.programs.needs_code(program);
                self.out.extend(text);
                if json { JSON_CODE } else { XML_CODE }
            }
            Err(why) => {
                let message = messages::tr::not_supported(
                    format_args!("{} with {why}", verb.name()),
                    "the page of COBOL says which phrases and items there are",
                );
                self.session.problem(message, place);
                "CONTINUE"
            }
        };
        self.endings.open(json, code);
        end
    }

    fn record(&self, item: &Reference, program: usize) -> Result<Record, String> {
        let data = self.programs.data_of(program);
        record::find(self.tokens, &data, item, &self.pictures)
    }

    fn generated(&mut self, statement: &Statement, program: usize, calls: Calls) -> Made {
        let record = self.record(&statement.source, program)?;
        let mut emitter = Emitter {
            record: &record,
            statement,
            declared: self.declared,
            native_binary: self.options.native_binary,
            takes_national: false,
            out: calls,
            needs: Vec::new(),
        };
        emitter.all()?;
        let (text, needs) = (emitter.out.text, emitter.needs);
        self.programs.needs(program, needs);
        Ok(text)
    }

    fn filled(&mut self, parse: &Parse, program: usize, calls: Calls) -> Made {
        let record = self.record(&parse.receiver, program)?;
        let native_binary = self.options.native_binary;
        let mut filling = Filling::new(&record, parse, self.declared, native_binary, calls);
        filling.all()?;
        let (text, needs, characters) = (filling.out.text, filling.needs, filling.characters);
        self.programs.needs(program, needs);
        self.programs
            .needs_text(program, "TXM-DOC-TEXT", characters);
        Ok(text)
    }

    fn performed(&mut self, events: &Events, program: usize, calls: Calls) -> Made {
        if self.options.compatible {
            return Err("XMLPARSE(COMPAT)".to_owned());
        }
        let document = &events.document;
        let national = self.declared.national.contains_key(&document.names[0]);
        let record = self.record(document, program)?;
        let bytes = record.layout[record.item].len;
        self.programs.needs_registers(program, bytes);
        if events.returns_national {
            // Each byte of the document may become two.
            let room = bytes.saturating_mul(2);
            self.programs.needs_national(program, room);
        } else if national {
            self.programs.needs_national(program, bytes);
        }
        events.text(national, calls)
    }
}
