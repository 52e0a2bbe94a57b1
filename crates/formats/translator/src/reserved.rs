//! Words cobc reserves and Enterprise COBOL does not (or only for the Report Writer), or that cobc
//! reserves without use.
//!
//! Why: a program may use them as its own names; cobc is then told to give them up. Only words a
//! program declares itself are given up, so that nothing cobc needs is lost.
//! Source: reserved word lists of both compilers' public documentation.

use crate::blocks::Item;
use crate::token::{Kind, Token};

/// In order of their bytes.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "ABSENT", "ACTIVE-CLASS", "ALIGNED", "ANYCASE", "ARGUMENT-NUMBER", "ARGUMENT-VALUE", "AS",
    "AUTHOR", "AUTOMATIC", "B-AND", "B-NOT", "B-OR", "B-XOR", "BACKGROUND-HIGH", "BACKGROUND-LOW",
    "BACKGROUND-STANDARD", "BASED", "BASIS", "BEGINNING", "BINARY-C-LONG", "BINARY-CHAR",
    "BINARY-DOUBLE", "BINARY-LONG", "BINARY-SHORT", "BIT", "BLOB", "BLOB-FILE", "BLOB-LOCATOR",
    "BOOLEAN", "C", "CBL", "CF", "CH", "CHAIN", "CHAINING", "CHAR", "CHAR-VARYING", "CLASS-ID",
    "CLOB", "CLOB-FILE", "CLOB-LOCATOR", "CLOCK-UNITS", "COL", "COLOR", "COLS", "COLUMNS",
    "COM-REG", "COMMAND-LINE", "COMMIT", "CONDITION", "CONSTANT", "CRT", "CRT-UNDER", "CURSOR",
    "DATA-POINTER", "DATE-COMPILED", "DATE-RECORD", "DATE-WRITTEN", "DBCLOB", "DBCLOB-FILE",
    "DBCLOB-LOCATOR", "DBCS", "DE", "DEFAULT-FONT", "DESTROY", "DISPLAY-1", "EC", "ECHO", "EGCS",
    "EJECT", "END-ACCEPT", "END-CHAIN", "END-DISPLAY", "END-EXEC", "END-INVOKE", "ENDING", "ENTER",
    "ENVIRONMENT-NAME", "ENVIRONMENT-VALUE", "EO", "ESCAPE", "EVENT", "EXCEPTION-OBJECT",
    "EXCLUSIVE", "EXEC", "EXECUTE", "EXHIBIT", "EXTERNAL-FORM", "FACTORY", "FILE-ID", "FIXED",
    "FIXED-FONT", "FLOAT-BINARY-128", "FLOAT-BINARY-32", "FLOAT-BINARY-64", "FLOAT-DECIMAL-16",
    "FLOAT-DECIMAL-34", "FLOAT-EXTENDED", "FLOAT-INFINITY", "FLOATING", "FONT", "FORMAT",
    "FUNCTION-ID", "FUNCTION-POINTER", "GET", "GROUP-USAGE", "HANDLE", "IDENTIFIED", "IGNORE",
    "INHERITS", "INQUIRE", "INSERT", "INSTALLATION", "INTERFACE", "INTERFACE-ID", "INVOKE",
    "JNIENVPTR", "JSON-STATUS", "KANJI", "KEPT", "LARGE-FONT", "LAYOUT-MANAGER", "LEFT-JUSTIFY",
    "LEFTLINE", "LIKE", "LM-RESIZE", "LOCALE", "LONG-VARBINARY", "LONG-VARCHAR", "MANUAL",
    "MEDIUM-FONT", "MENU", "METHOD", "METHOD-ID", "MINUS", "MODIFY", "MORE-LABELS", "NESTED", "NEW",
    "NO-ECHO", "NOTHING", "NUMBERS", "OBJECT-REFERENCE", "ONLY", "OPTIONS", "OVERLINE", "OVERRIDE",
    "PF", "PH", "PHYSICAL", "POS", "PRESENT", "PRIORITY", "PROMPT", "PROPERTY", "PROTOTYPE",
    "RAISE", "RAISING", "RD", "READY", "RELOAD", "RESULT-SET-LOCATOR", "RESUME", "RETRY", "REVERSE",
    "RF", "RH", "RIGHT-JUSTIFY", "ROLLBACK", "ROWID", "SCREEN", "SECURITY", "SELF", "SERVICE",
    "SHARING", "SHIFT-IN", "SHIFT-OUT", "SIGNED", "SIGNED-INT", "SIGNED-LONG", "SIGNED-SHORT",
    "SKIP1", "SKIP2", "SKIP3", "SMALL-FONT", "SORT-CONTROL", "SORT-CORE-SIZE", "SORT-FILE-SIZE",
    "SORT-MESSAGE", "SORT-MODE-SIZE", "SOURCES", "SPACE-FILL", "SQL", "SQLIMS", "SUBWINDOW",
    "SUPER", "SYMBOL", "SYSTEM-DEFAULT", "SYSTEM-OFFSET", "THREAD", "THREADS", "TIME-RECORD",
    "TIMESTAMP", "TIMESTAMP-OFFSET", "TIMESTAMP-OFFSET-RECORD", "TIMESTAMP-RECORD", "TRACE",
    "TRADITIONAL-FONT", "TRAILING-SIGN", "TRANSFORM", "TYPEDEF", "UNIVERSAL", "UNLOCK", "UNSIGNED",
    "UNSIGNED-INT", "UNSIGNED-LONG", "UNSIGNED-SHORT", "UPDATE", "USER-DEFAULT", "VAL-STATUS",
    "VALID", "VALIDATE", "VALIDATE-STATUS", "VARIANT", "WAIT", "WINDOW", "XML-EVENT",
    "XML-INFORMATION", "XML-NAMESPACE", "XML-NAMESPACE-PREFIX", "XML-NNAMESPACE",
    "XML-NNAMESPACE-PREFIX", "XML-NTEXT", "XML-SCHEMA", "XML-TEXT",
];

/// Words of the list that a program declares as data, paragraph or section, in order of use.
pub(crate) fn declared(items: &[Item]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let Some(token) = word(Some(item)).filter(|t| t.kind == Kind::Word) else {
            continue;
        };
        let name = token.upper();
        if WORDS.binary_search(&name.as_str()).is_err() || out.contains(&name) {
            continue;
        }
        let before = at.checked_sub(1).and_then(|n| word(items.get(n)));
        let after = word(items.get(at + 1));
        let level =
            before.is_some_and(|t| t.text.len() <= 2 && t.text.chars().all(|c| c.is_ascii_digit()));
        let begins = before.is_none_or(|t| t.kind == Kind::Period);
        let header = begins && after.is_some_and(|t| t.kind == Kind::Period || t.is("SECTION"));
        if level || header {
            out.push(name);
        }
    }
    out
}

/// The word of an item.
fn word(item: Option<&Item>) -> Option<&Token> {
    match item {
        Some(Item::Word(token)) if token.kind != Kind::Literal => Some(token),
        _ => None,
    }
}
