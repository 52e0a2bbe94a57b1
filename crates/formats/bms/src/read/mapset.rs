//! Operands of DFHMSD.

use super::common::{Common, report, unsupported};
use crate::model::{Language, Mapset};
use crate::problem::Problems;
use crate::scan::{Operand, Statement};
use crate::value::word;

/// DFHMSD TYPE=FINAL ends a mapset.
pub(super) fn is_final(s: &Statement) -> bool {
    s.operands
        .iter()
        .any(|o| o.key == "TYPE" && o.value.eq_ignore_ascii_case("FINAL"))
}

pub(super) fn read(s: &Statement, problems: &mut Problems) -> (Mapset, Common) {
    let mut mapset = Mapset {
        name: s.name.clone(),
        language: Language::Cobol,
        storage_auto: false,
        base: None,
        suffix: None,
        maps: Vec::new(),
    };
    let mut common = Common::default();
    for operand in &s.operands {
        let outcome = match operand.key.as_str() {
            "TYPE" => Some(check_type(operand)),
            "LANG" => Some(language(operand).map(|l| mapset.language = l)),
            "STORAGE" => Some(storage(operand).map(|()| mapset.storage_auto = true)),
            "BASE" => Some(word(operand).map(|w| mapset.base = Some(w))),
            "SUFFIX" => Some(suffix(operand).map(|c| mapset.suffix = Some(c))),
            "DATA" if operand.value.eq_ignore_ascii_case("FIELD") => Some(Ok(())),
            // The name under which a mapset is installed decides its terminals, not TERM.
            "TERM" | "FOLD" | "TRIGRAPH" | "DSECT" => Some(Ok(())),
            "DATA" | "PARTN" | "LDC" | "OBFMT" | "HTAB" | "VTAB" | "FLDSEP" => {
                unsupported(operand, problems);
                continue;
            }
            _ => common.take(operand),
        };
        report(s, operand, outcome, problems);
    }
    // STORAGE=AUTO implies the prefix unless TIOAPFX says otherwise.
    if mapset.storage_auto && !s.operands.iter().any(|o| o.key == "TIOAPFX") {
        common.prefix = true;
    }
    common.settle();
    (mapset, common)
}

/// &SYSPARM is what the assembler step is told: here always both map and DSECT.
fn check_type(operand: &Operand) -> Result<(), String> {
    match word(operand)?.trim_start_matches('&') {
        "SYSPARM" | "MAP" | "DSECT" => Ok(()),
        _ => Err("&SYSPARM, MAP, DSECT or FINAL is expected".to_owned()),
    }
}

fn language(operand: &Operand) -> Result<Language, String> {
    match word(operand)?.as_str() {
        "COBOL" | "COBOL2" | "COBOL3" => Ok(Language::Cobol),
        "ASM" | "PLI" | "C" => Ok(Language::Other),
        _ => Err("COBOL, COBOL2, PLI, C or ASM is expected".to_owned()),
    }
}

fn storage(operand: &Operand) -> Result<(), String> {
    match word(operand)?.as_str() {
        "AUTO" => Ok(()),
        _ => Err("AUTO is expected".to_owned()),
    }
}

fn suffix(operand: &Operand) -> Result<char, String> {
    let w = word(operand)?;
    match w.chars().collect::<Vec<_>>().as_slice() {
        [c] if c.is_ascii_alphanumeric() => Ok(*c),
        _ => Err("one letter or digit is expected".to_owned()),
    }
}
