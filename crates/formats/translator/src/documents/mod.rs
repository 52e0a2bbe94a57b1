//! JSON GENERATE and XML GENERATE, which GnuCOBOL lacks or does otherwise.
//!
//! What: the statement becomes a CALL for each item (`transom_documents`), in the order of the
//! record, with PERFORM around the items of tables and IF around what may be suppressed; its
//! exception phrases become IF. Why in COBOL: the program itself finds, compares and moves its
//! items, so lengths, subscripts and bad data are those of any other statement. Not here: text of
//! documents.

mod emit;
mod ending;
mod programs;
mod record;
mod statement;
mod words;

use crate::declared::Declared;
use crate::slack;
use crate::token::{Session, Token};
use emit::Emitter;
use ending::Endings;
use programs::Programs;
use statement::Statement;
use transom_copybook::ParseOptions;
use transom_messages as messages;

/// Special registers, the items that stand for them, and what the program then needs.
const REGISTERS: [(&str, &str); 2] = [("JSON-CODE", JSON_CODE), ("XML-CODE", XML_CODE)];
const JSON_CODE: &str = "TXM-JSON-CODE";
const XML_CODE: &str = "TXM-XML-CODE";

/// Puts statements the compiler knows in place of both.
pub(crate) fn generate(
    tokens: Vec<Token>,
    declared: &Declared,
    native_binary: bool,
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
        options: slack::options(&tokens),
        tokens: &tokens,
        declared,
        native_binary,
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

/// `JSON GENERATE` or `XML GENERATE`; whether it is JSON.
fn begins(words: &[Token]) -> Option<bool> {
    let json = words[0].is("JSON");
    ((json || words[0].is("XML")) && words.get(1)?.is("GENERATE")).then_some(json)
}

struct Scan<'a> {
    tokens: &'a [Token],
    programs: Programs,
    options: ParseOptions,
    declared: &'a Declared,
    /// TRUNC(BIN).
    native_binary: bool,
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
        if let Some(json) = begins(&self.tokens[at..]) {
            self.endings.verb(token, &mut self.out);
            return self.statement(at, json, program);
        }
        if is_register {
            let item = REGISTERS.iter().find(|(name, _)| token.is(name));
            if let Some((_, item)) = item {
                self.programs.needs_code(program);
                let text = (*item).into();
                self.out.push(Token {
                    text,
                    ..token.clone()
                });
                return at + 1;
            }
        }
        self.endings.step(self.tokens, at, &mut self.out)
    }

    fn statement(&mut self, at: usize, json: bool, program: usize) -> usize {
        let place = self.tokens[at].at;
        let what = if json {
            "JSON GENERATE"
        } else {
            "XML GENERATE"
        };
        let (statement, end) = match Statement::read(self.tokens, at + 2, json) {
            Ok(read) => read,
            Err((why, end)) => {
                let message = messages::tr::not_supported(
                    format_args!("{what} with {why}"),
                    "the page of COBOL says which phrases there are",
                );
                self.session.problem(message, place);
                self.endings.open(json, "CONTINUE");
                return end;
            }
        };
        self.programs.needs_code(program);
        let found = record::find(
            self.tokens,
            &self.programs.data_of(program),
            &statement.source,
            &self.options,
        );
        let emitted = found.and_then(|found| {
            let mut emitter = Emitter {
                record: &found,
                statement: &statement,
                declared: self.declared,
                native_binary: self.native_binary,
                at: place,
                text: Vec::new(),
                needs: Vec::new(),
            };
            emitter.all()?;
            Ok((emitter.text, emitter.needs))
        });
        match emitted {
            Ok((text, needs)) => {
                self.programs.needs(program, needs);
                self.out.extend(text);
            }
            Err(why) => {
                let message = messages::tr::not_supported(
                    format_args!("{what} with {why}"),
                    "the page of COBOL says what items there may be",
                );
                self.session.problem(message, place);
            }
        }
        let code = if json { JSON_CODE } else { XML_CODE };
        self.endings.open(json, code);
        end
    }
}
