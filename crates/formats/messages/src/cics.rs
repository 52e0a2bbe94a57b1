//! Numbers that messages at terminals have from CICS: `DFHAC2001` is TXMAC2001E.
//!
//! Why: scripts and screen scrapers look for them; MSGPREFIX=DFH has them shown. Only numbers that
//! say the same there; words are of this region. Not here: the pages of messages.

use std::borrow::Cow;

/// Numbers of sign-on and sign-off that say what they say on CICS; of AC all do.
const SIGN_ON: [&str; 3] = ["CE3520", "CE3549", "CE3590"];

/// Domain and number, `AC2001`, are those of CICS.
pub(crate) fn is_of_cics(number: &str) -> bool {
    number.starts_with("AC") || SIGN_ON.contains(&number)
}

/// `TXMAC2001E ...` is `DFHAC2001 ...`; a line with a number of Transom's own stays.
pub fn as_cics(line: &str) -> Cow<'_, str> {
    let (id, words) = line.split_once(' ').unwrap_or((line, ""));
    let number = id.strip_prefix("TXM").and_then(|rest| rest.get(..6));
    match number.filter(|number| id.len() == 10 && is_of_cics(number)) {
        Some(number) => Cow::Owned(format!("DFH{number} {words}").trim_end().to_owned()),
        None => Cow::Borrowed(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_of_cics_are_shown_as_such() {
        assert_eq!(as_cics("TXMAC2001E not known"), "DFHAC2001 not known");
        assert_eq!(as_cics("TXMCE3549I you are"), "DFHCE3549 you are");
        for own in [
            "TXMCE3530E wrong",
            "TXMMT0010I end",
            "TXMAC",
            "",
            "TXMAC2001EX é",
        ] {
            assert_eq!(as_cics(own), own);
        }
    }
}
