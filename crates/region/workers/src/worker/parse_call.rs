//! One step of JSON PARSE or XML PARSE.
//!
//! Why a copy of the document: the program may give its storage back while its items are filled or
//! its processing procedure runs. Not here: what a document says (`transom_documents`), which steps
//! there are (the translator).

use super::call::Bad;
use super::documents::{Documents, Parse, bytes_of, characters_of, get, put, set};
use super::edge::Argument;
use crate::seam::Outcome;
use std::ffi::c_int;
use transom_documents::{Answer, Characters, Event, JsonParse, Step, XmlParse};
use transom_types::AbendCode;

/// libcob's field types (common.h of GnuCOBOL 3.1).
const TYPE_FLOAT: i32 = 0x13;
const TYPE_DOUBLE: i32 = 0x14;
/// Statements of XML PARSE in each other: a procedure may CALL or LINK to a program with another.
const PARSES_MAX: usize = 200;

/// What a step comes to: its answer; `None`: the descriptor was overwritten.
pub(super) type Stepped = Result<Option<Result<c_int, Outcome>>, Bad>;

impl Documents {
    /// Takes a step of JSON PARSE or XML PARSE.
    pub(super) fn parse(&mut self, step: &Step, arguments: &[Argument]) -> Stepped {
        match (step, arguments) {
            (
                Step::JsonParse {
                    characters,
                    ignores_null,
                },
                [text, number @ ..],
            ) => {
                let characters = match (characters, number) {
                    (Characters::Numbered, [number]) => {
                        Characters::of_ccsid(get(number).ok_or(Bad::Input)?)
                    }
                    (Characters::Numbered, _) => return Ok(None),
                    (known, _) => Some(*known),
                };
                let text = bytes_of(text)?;
                self.json = Some(JsonParse::new(&text, characters, *ignores_null));
                Ok(Some(Ok(0)))
            }
            (
                Step::XmlParse {
                    characters,
                    national,
                },
                [document, number, ccsid @ ..],
            ) => match characters_of(*characters, ccsid)? {
                Ok(characters) => self.begin(characters, *national, document, number),
                Err(outcome) => Ok(Some(Err(outcome))),
            },
            (Step::NextEvent, [document, number, registers @ ..]) => {
                self.event(document, number, registers)
            }
            _ => match self.json_step(step, arguments)? {
                Some(answer) => Ok(Some(Ok(answer))),
                None => Ok(None),
            },
        }
    }

    fn json_step(&mut self, step: &Step, arguments: &[Argument]) -> Result<Option<c_int>, Bad> {
        let Some(json) = self.json.as_mut() else {
            return Ok(None);
        };
        match (step, arguments) {
            (Step::Target(target), []) => return Ok(json.add(target.clone()).map(|()| 0)),
            (Step::NextValue, indexes) => {
                let case = json.next_value().case();
                for (item, index) in indexes.iter().zip(json.indexes()) {
                    set(item, i64::from(index))?;
                }
                return Ok(Some(case));
            }
            (Step::TakeText, [item, length]) => {
                let text = json.text();
                let text = &text[..text.len().min(item.size)];
                put(item, text)?;
                set(length, text.len() as i64)?;
            }
            (Step::TakeNumber, [item]) => {
                let Some(bytes) = number(json, item) else {
                    return Ok(None);
                };
                put(item, &bytes)?;
            }
            (Step::Occurrences, [item]) => {
                let count = get(item).ok_or(Bad::Input)?.max(0);
                json.count(u32::try_from(count).unwrap_or(u32::MAX));
            }
            (Step::JsonStatus, [item]) => {
                set(item, json.status().into())?;
                let code = json.code();
                self.json = None;
                return Ok(Some(code));
            }
            _ => return Ok(None),
        }
        Ok(Some(0))
    }

    fn begin(
        &mut self,
        characters: Characters,
        national: bool,
        document: &Argument,
        number: &Argument,
    ) -> Stepped {
        // What the same program left unfinished is over, and what was in it.
        let left = get(number).ok_or(Bad::Input)?;
        if let Some(at) = self.parses.iter().position(|parse| parse.number == left) {
            self.parses.truncate(at);
        }
        if self.parses.len() >= PARSES_MAX {
            let text = format!("more than {PARSES_MAX} XML PARSE statements in each other");
            return Ok(Some(Err(Outcome::Abend(AbendCode::ASRA, text))));
        }
        self.last += 1;
        set(number, self.last)?;
        self.parses.push(Parse {
            number: self.last,
            events: XmlParse::new(&bytes_of(document)?, characters, national),
        });
        Ok(Some(Ok(0)))
    }

    fn event(&mut self, document: &Argument, number: &Argument, registers: &[Argument]) -> Stepped {
        let wanted = get(number).ok_or(Bad::Input)?;
        let at = self.parses.iter().position(|parse| parse.number == wanted);
        let (Some(at), [_, code, _, text, _, _, _, _, _, national, ..]) = (at, registers) else {
            return Ok(None);
        };
        self.parses.truncate(at + 1);
        let Some(parse) = self.parses.last_mut() else {
            return Ok(None);
        };
        let told = get(code).ok_or(Bad::Input)?;
        let told = i32::try_from(told).unwrap_or(i32::MAX);
        let room = parse.events.room(text.size, national.size);
        let mut answer = parse.events.next(told, room);
        if answer == Answer::Segment {
            parse.events.segment(&bytes_of(document)?);
            answer = parse.events.next(0, room);
        }
        match answer {
            Answer::Event(event) => {
                fill(&event, registers)?;
                return Ok(Some(Ok(1)));
            }
            Answer::End(end) => set(code, end.into())?,
            Answer::Segment | Answer::BadCode => {
                let text = format!("IGZ0230S XML-CODE was set to {told} by a processing procedure");
                let code = AbendCode::from_field(b"4038");
                return Ok(Some(Err(Outcome::Abend(code, text))));
            }
        }
        set(number, 0)?;
        self.parses.pop();
        Ok(Some(Ok(0)))
    }
}

/// The number as its item has it: sign and digits, COMP-1 or COMP-2.
fn number(json: &JsonParse, item: &Argument) -> Option<Vec<u8>> {
    match item.kind {
        TYPE_FLOAT => Some(json.floats()?.0.to_ne_bytes().to_vec()),
        TYPE_DOUBLE => Some(json.floats()?.1.to_ne_bytes().to_vec()),
        _ => {
            let part = usize::try_from(item.scale).unwrap_or(0);
            json.digits(item.size.checked_sub(1 + part)?, part)
        }
    }
}

/// The special registers of an event.
fn fill(event: &Event, registers: &[Argument]) -> Result<(), Bad> {
    let [name, code, information, text @ ..] = registers else {
        return Err(Bad::Input);
    };
    let mut shown = event.name.as_bytes().to_vec();
    shown.resize(name.size, b' ');
    put(name, &shown)?;
    set(code, event.code.into())?;
    let none = &Vec::new();
    let parts = [&event.text, &event.namespace, &event.prefix];
    let all = match event.national {
        false => [parts, [none; 3]],
        true => [[none; 3], parts],
    };
    for (pair, bytes) in text.chunks_exact(2).zip(all.as_flattened()) {
        let length = bytes.len().min(pair[0].size);
        put(&pair[0], &bytes[..length])?;
        set(&pair[1], length as i64)?;
    }
    set(information, event.information.into())
}
