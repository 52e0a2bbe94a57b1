//! How a step ends: a condition code, or an abend code of the system or of a user.
//!
//! Why: COBOL's checks have the codes of CICS in a worker, which a job has not got.

use std::fmt;
use transom_types::AbendCode;
use transom_workers::seam::TaskEnd;

/// Bits of RETURN-CODE that a condition code has.
const CODE_MASK: i32 = 0xFFF;
/// What Language Environment ends with after a condition that nobody handles.
const UNHANDLED: &str = "U4038";

/// How a step ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepEnd {
    /// By itself; its condition code.
    Code(u16),
    /// By an abend.
    Abend(Abended),
}

/// An abend: its code, `S0C7` or `U4038`, and what happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Abended {
    pub code: String,
    pub text: String,
}

impl fmt::Display for Abended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.code, self.text)
    }
}

/// Of the end of the worker's task and the RETURN-CODE of the program.
pub(crate) fn step_end(end: &TaskEnd, return_code: i32) -> StepEnd {
    match end {
        TaskEnd::Normal => StepEnd::Code(u16::try_from(return_code & CODE_MASK).unwrap_or(0)),
        TaskEnd::Abend(code, text) => StepEnd::Abend(abended(*code, text)),
    }
}

fn abended(code: AbendCode, text: &str) -> Abended {
    // Where in the module says nothing that the line does not.
    let text = text.split(" (offset X'").next().unwrap_or_default();
    let first = text.split(' ').next().unwrap_or_default();
    let is_system = |word: &str| {
        word.len() == 4 && word.starts_with('S') && word[1..].bytes().all(|b| b.is_ascii_hexdigit())
    };
    let number = code.as_str().trim();
    let of_user = number.len() == 4 && number.bytes().all(|b| b.is_ascii_digit());
    let (code, rest) = match () {
        () if is_system(first) => (first.to_owned(), text.get(5..).unwrap_or_default()),
        // CEE3ABD, and a file without FILE STATUS.
        () if of_user => (format!("U{number}"), text.get(5..).unwrap_or(text)),
        () => (UNHANDLED.to_owned(), text),
    };
    Abended {
        code,
        text: rest.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code_of(code: &[u8], text: &str) -> String {
        let end = TaskEnd::Abend(AbendCode::from_field(code), text.to_owned());
        match step_end(&end, 0) {
            StepEnd::Abend(abended) => abended.to_string(),
            StepEnd::Code(code) => code.to_string(),
        }
    }

    #[test]
    fn checks_have_the_codes_of_the_system() {
        let data = "S0C7 data exception: 'X' is not numeric at line 12";
        let shown = "S0C7 data exception: 'X' is not numeric at line 12";
        assert_eq!(code_of(b"ASRA", data), shown);
        assert_eq!(
            code_of(b"0123", "0123 CEE3ABD was called"),
            "U0123 CEE3ABD was called"
        );
        let call = "the called program X is not available";
        assert_eq!(code_of(b"APCN", call), format!("U4038 {call}"));
    }

    #[test]
    fn a_condition_code_has_twelve_bits() {
        assert_eq!(step_end(&TaskEnd::Normal, 12), StepEnd::Code(12));
        assert_eq!(step_end(&TaskEnd::Normal, 4096 + 8), StepEnd::Code(8));
        assert_eq!(step_end(&TaskEnd::Normal, -1), StepEnd::Code(4095));
    }
}
