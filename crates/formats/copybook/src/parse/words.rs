//! Words of the language that begin a clause.
//!
//! Why: a name ends where the next clause begins, before any clause is read. Not here: what
//! follows the word (`clause`).

use super::copybook::Usage;

/// Whether a word cannot be a name because a clause begins with it.
pub(super) fn starts_clause(word: &str) -> bool {
    usage_word(word).is_some()
        || matches!(
            word,
            "REDEFINES"
                | "PIC"
                | "PICTURE"
                | "USAGE"
                | "SIGN"
                | "LEADING"
                | "TRAILING"
                | "OCCURS"
                | "SYNC"
                | "SYNCHRONIZED"
                | "JUST"
                | "JUSTIFIED"
                | "BLANK"
                | "VALUE"
                | "VALUES"
                | "EXTERNAL"
                | "GLOBAL"
                | "VOLATILE"
                | "IS"
                | "RENAMES"
                | "GROUP-USAGE"
                | "DATE"
                | "ASCENDING"
                | "DESCENDING"
                | "INDEXED"
                | "DEPENDING"
                | "THRU"
                | "THROUGH"
        )
}

/// The USAGE that a word alone says.
pub(super) fn usage_word(word: &str) -> Option<Usage> {
    let word = word
        .strip_prefix("COMPUTATIONAL")
        .map(|rest| format!("COMP{rest}"))
        .unwrap_or_else(|| word.to_owned());
    Some(match word.as_str() {
        "DISPLAY" => Usage::Display,
        "DISPLAY-1" => Usage::Dbcs,
        "NATIONAL" => Usage::National,
        "COMP" | "COMP-0" | "COMP-4" | "BINARY" => Usage::Binary,
        "COMP-1" | "FLOAT-SHORT" => Usage::Comp1,
        "COMP-2" | "FLOAT-LONG" => Usage::Comp2,
        "COMP-3" | "PACKED-DECIMAL" => Usage::Packed,
        "COMP-5" => Usage::Comp5,
        "COMP-6" => Usage::Comp6,
        "BINARY-CHAR" => Usage::Native {
            len: 1,
            signed: true,
        },
        "BINARY-SHORT" => Usage::Native {
            len: 2,
            signed: true,
        },
        "BINARY-LONG" => Usage::Native {
            len: 4,
            signed: true,
        },
        "BINARY-DOUBLE" => Usage::Native {
            len: 8,
            signed: true,
        },
        "INDEX" => Usage::Index,
        "POINTER" => Usage::Pointer,
        "POINTER-32" => Usage::Pointer32,
        "PROCEDURE-POINTER" => Usage::ProcedurePointer,
        "FUNCTION-POINTER" => Usage::FunctionPointer,
        "OBJECT" => Usage::ObjectReference,
        _ => return None,
    })
}
