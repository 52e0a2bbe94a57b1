//! Operands that mapset, map and field share, and how they are inherited.

use crate::attribute::{Extra, ExtraSet, Extras};
use crate::model::{Controls, Mode, PrintLine};
use crate::problem::Problems;
use crate::scan::{Operand, Statement};
use crate::value::{hexadecimal, word, words, yes_no};
use transom_messages as messages;

/// Operands a map takes from its mapset and a field from its map.
#[derive(Debug, Clone)]
pub(super) struct Common {
    pub(super) mode: Mode,
    pub(super) prefix: bool,
    pub(super) controls: Controls,
    pub(super) cursor_location: bool,
    pub(super) map_attributes: ExtraSet,
    pub(super) symbolic_attributes: ExtraSet,
    pub(super) extras: Extras,
}

impl Default for Common {
    fn default() -> Self {
        Self {
            mode: Mode::Out,
            prefix: false,
            controls: Controls::default(),
            cursor_location: false,
            map_attributes: ExtraSet::default(),
            symbolic_attributes: ExtraSet::default(),
            extras: Extras::default(),
        }
    }
}

impl Common {
    /// Takes an operand if it is one of the shared ones; `None` if it is not.
    pub(super) fn take(&mut self, operand: &Operand) -> Option<Result<(), String>> {
        Some(match operand.key.as_str() {
            "MODE" => mode(operand).map(|m| self.mode = m),
            "TIOAPFX" => yes_no(operand).map(|y| self.prefix = y),
            "CTRL" => controls(operand).map(|c| self.controls = c),
            "CURSLOC" => yes_no(operand).map(|y| self.cursor_location = y),
            "EXTATT" => self.classic(operand),
            "MAPATTS" => kinds(operand).map(|k| self.map_attributes = k),
            "DSATTS" => kinds(operand).map(|k| {
                self.symbolic_attributes = k;
                self.map_attributes = self.map_attributes.union(k);
            }),
            _ => return take_extra(&mut self.extras, operand),
        })
    }

    fn classic(&mut self, operand: &Operand) -> Result<(), String> {
        let (map, symbolic) = match word(operand)?.as_str() {
            "YES" => (ExtraSet::classic(), ExtraSet::classic()),
            "MAPONLY" => (ExtraSet::classic(), ExtraSet::default()),
            "NO" => (ExtraSet::default(), ExtraSet::default()),
            _ => return Err("NO, MAPONLY or YES is expected".to_owned()),
        };
        self.map_attributes = map;
        self.symbolic_attributes = symbolic;
        Ok(())
    }

    /// DSATTS kinds are sent too, whatever the order of the operands was.
    pub(super) fn settle(&mut self) {
        self.map_attributes = self.map_attributes.union(self.symbolic_attributes);
    }
}

/// COLOR, HILIGHT, PS, VALIDN, OUTLINE, SOSI, TRANSP.
pub(super) fn take_extra(extras: &mut Extras, operand: &Operand) -> Option<Result<(), String>> {
    let (kind, value) = match operand.key.as_str() {
        "COLOR" => (Extra::Color, color(operand)),
        "HILIGHT" => (Extra::Highlight, highlight(operand)),
        "PS" => (Extra::Symbols, symbols(operand)),
        "VALIDN" => (Extra::Validation, validation(operand)),
        "OUTLINE" => (Extra::Outline, outline(operand)),
        "SOSI" => (Extra::ShiftOut, yes_no(operand).map(u8::from)),
        // The device's default is transparent, which is what YES asks for.
        "TRANSP" => (
            Extra::Transparency,
            yes_no(operand).map(|yes| if yes { 0 } else { 0xff }),
        ),
        _ => return None,
    };
    Some(value.map(|v| extras.set(kind, v)))
}

fn mode(operand: &Operand) -> Result<Mode, String> {
    match word(operand)?.as_str() {
        "IN" => Ok(Mode::In),
        "OUT" => Ok(Mode::Out),
        "INOUT" => Ok(Mode::InOut),
        _ => Err("IN, OUT or INOUT is expected".to_owned()),
    }
}

fn controls(operand: &Operand) -> Result<Controls, String> {
    let mut found = Controls::default();
    for w in words(operand) {
        match w.as_str() {
            "PRINT" => found.print = true,
            "FREEKB" => found.free_keyboard = true,
            "ALARM" => found.alarm = true,
            "FRSET" => found.reset_modified = true,
            "L40" => found.line = PrintLine::L40,
            "L64" => found.line = PrintLine::L64,
            "L80" => found.line = PrintLine::L80,
            "HONEOM" => found.line = PrintLine::Honeom,
            _ => {
                return Err(format!(
                    "{w} is none of PRINT, FREEKB, ALARM, FRSET, L40, L64, L80, HONEOM"
                ));
            }
        }
    }
    Ok(found)
}

fn kinds(operand: &Operand) -> Result<ExtraSet, String> {
    words(operand)
        .iter()
        .try_fold(ExtraSet::default(), |set, w| {
            Extra::ALL
                .into_iter()
                .find(|k| k.word() == w)
                .map(|k| set.with(k))
                .ok_or_else(|| format!("{w} is no extended attribute"))
        })
}

fn color(operand: &Operand) -> Result<u8, String> {
    const COLORS: [&str; 8] = [
        "DEFAULT",
        "BLUE",
        "RED",
        "PINK",
        "GREEN",
        "TURQUOISE",
        "YELLOW",
        "NEUTRAL",
    ];
    let w = word(operand)?;
    // Sources written for other BMS assemblers call neutral what the screen shows.
    let w = if w == "WHITE" { "NEUTRAL" } else { &w };
    match COLORS.iter().position(|c| *c == w) {
        Some(0) => Ok(0),
        Some(n) => Ok(0xf0 + n as u8),
        None => Err(format!("one of {} is expected", COLORS.join(", "))),
    }
}

fn highlight(operand: &Operand) -> Result<u8, String> {
    match word(operand)?.as_str() {
        "OFF" => Ok(0),
        "BLINK" => Ok(0xf1),
        "REVERSE" => Ok(0xf2),
        "UNDERLINE" => Ok(0xf4),
        _ => Err("OFF, BLINK, REVERSE or UNDERLINE is expected".to_owned()),
    }
}

fn symbols(operand: &Operand) -> Result<u8, String> {
    let w = word(operand)?;
    if w == "BASE" {
        return Ok(0);
    }
    if w.starts_with("X'") {
        return match hexadecimal(operand)?.as_slice() {
            [one] => Ok(*one),
            _ => Err("one byte is expected".to_owned()),
        };
    }
    match w.as_bytes() {
        [c @ b'A'..=b'I'] => Ok(c - b'A' + 0xc1),
        [c @ b'0'..=b'9'] => Ok(c - b'0' + 0xf0),
        _ => Err("BASE, a letter, a digit or X'nn' is expected".to_owned()),
    }
}

fn validation(operand: &Operand) -> Result<u8, String> {
    words(operand)
        .iter()
        .try_fold(0, |bits, w| match w.as_str() {
            "MUSTFILL" => Ok(bits | 4),
            "MUSTENTER" => Ok(bits | 2),
            "TRIGGER" => Ok(bits | 1),
            "USEREXIT" => Ok(bits),
            _ => Err("MUSTFILL, MUSTENTER, TRIGGER or USEREXIT is expected".to_owned()),
        })
}

fn outline(operand: &Operand) -> Result<u8, String> {
    words(operand)
        .iter()
        .try_fold(0, |bits, w| match w.as_str() {
            "BOX" => Ok(15),
            "UNDER" => Ok(bits | 1),
            "RIGHT" => Ok(bits | 2),
            "OVER" => Ok(bits | 4),
            "LEFT" => Ok(bits | 8),
            _ => Err("BOX, LEFT, RIGHT, OVER or UNDER is expected".to_owned()),
        })
}

/// A name in the first column: letters, digits, `@ # $ _`, and `-` in the names of fields.
pub(super) fn check_name(s: &Statement, most: usize, problems: &mut Problems) {
    let mut characters = s.name.chars();
    let letter = |c: char| c.is_ascii_uppercase() || "@#$_".contains(c);
    let valid = characters.next().is_some_and(letter)
        && characters.all(|c| letter(c) || c.is_ascii_digit() || (c == '-' && most > 8))
        && s.name.len() <= most;
    if !valid {
        problems.add(s.at, messages::bm::name_expected(&s.operation, most));
    }
}

/// Reports an operand: known but wrong, or unknown.
pub(super) fn report(
    s: &Statement,
    operand: &Operand,
    outcome: Option<Result<(), String>>,
    problems: &mut Problems,
) {
    let outcome = outcome.filter(|_| crate::table::has(&s.operation, &operand.key));
    match outcome {
        Some(Ok(())) => {}
        Some(Err(reason)) => {
            problems.add(
                operand.at,
                messages::bm::operand_not_valid(&operand.key, &operand.value, &reason),
            );
        }
        None if operand.key.is_empty() => {
            problems.add(
                operand.at,
                messages::bm::no_keyword(&s.operation, &operand.value),
            );
        }
        None => {
            problems.add(
                operand.at,
                messages::bm::operand_unknown(&s.operation, &operand.key),
            );
        }
    }
}

/// Reports an operand that CICS has and Transom does not do.
pub(super) fn unsupported(operand: &Operand, problems: &mut Problems) {
    problems.add(
        operand.at,
        messages::bm::operand_without_effect(&operand.key, &operand.value),
    );
}
