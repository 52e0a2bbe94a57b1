//! Name and clauses of a data description entry.
//!
//! Not here: which entries there are.

use crate::token::{Kind, Token};

/// What an entry says of its item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Clauses {
    /// The character-string of PICTURE in upper case.
    pub(crate) picture: Option<String>,
    pub(crate) usage: Option<Usage>,
    /// Elements of a table at most; 0: it is none, 1: also where a name says how many.
    pub(crate) occurs: u32,
    pub(crate) redefines: bool,
    pub(crate) synchronized: bool,
    pub(crate) value: bool,
}

/// USAGE of an item of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Usage {
    Display,
    /// BINARY, COMP, COMP-4.
    Binary,
    /// COMP-5.
    Native,
    /// COMP-3, PACKED-DECIMAL.
    Packed,
    /// COMP-1.
    Short,
    /// COMP-2.
    Long,
    Index,
    Pointer,
    FunctionPointer,
    ProcedurePointer,
    National,
    /// DISPLAY-1.
    Dbcs,
    Utf8,
    Object,
}

const USAGES: &[(&str, Usage)] = &[
    ("DISPLAY", Usage::Display),
    ("BINARY", Usage::Binary),
    ("COMP", Usage::Binary),
    ("COMPUTATIONAL", Usage::Binary),
    ("COMP-4", Usage::Binary),
    ("COMPUTATIONAL-4", Usage::Binary),
    ("COMP-5", Usage::Native),
    ("COMPUTATIONAL-5", Usage::Native),
    ("COMP-3", Usage::Packed),
    ("COMPUTATIONAL-3", Usage::Packed),
    ("PACKED-DECIMAL", Usage::Packed),
    ("COMP-1", Usage::Short),
    ("COMPUTATIONAL-1", Usage::Short),
    ("COMP-2", Usage::Long),
    ("COMPUTATIONAL-2", Usage::Long),
    ("INDEX", Usage::Index),
    ("POINTER", Usage::Pointer),
    ("POINTER-32", Usage::Pointer),
    ("FUNCTION-POINTER", Usage::FunctionPointer),
    ("PROCEDURE-POINTER", Usage::ProcedurePointer),
    ("NATIONAL", Usage::National),
    ("DISPLAY-1", Usage::Dbcs),
    ("UTF-8", Usage::Utf8),
    ("OBJECT", Usage::Object),
];

/// Words that begin a clause where the name is left out.
const CLAUSES: &[&str] = &[
    "BLANK",
    "DYNAMIC",
    "EXTERNAL",
    "GLOBAL",
    "GROUP-USAGE",
    "JUST",
    "JUSTIFIED",
    "OCCURS",
    "PIC",
    "PICTURE",
    "REDEFINES",
    "SIGN",
    "SYNC",
    "SYNCHRONIZED",
    "USAGE",
    "VALUE",
    "VALUES",
    "VOLATILE",
];

/// Reads the words behind a level.
pub(super) fn read(words: &[&Token]) -> (Option<String>, Clauses) {
    let clause = |t: &Token| t.is_any(CLAUSES) || usage(t).is_some();
    let first = words.first().filter(|t| t.kind == Kind::Word);
    let named = first.filter(|t| !clause(t));
    let rest = &words[usize::from(named.is_some())..];
    let has = |list: &[&str]| rest.iter().any(|t| t.is_any(list));
    let clauses = Clauses {
        picture: picture(rest),
        usage: rest.iter().find_map(|t| usage(t)),
        occurs: occurs(rest),
        redefines: has(&["REDEFINES"]),
        synchronized: has(&["SYNC", "SYNCHRONIZED"]),
        value: has(&["VALUE", "VALUES"]),
    };
    let name = named.filter(|t| !t.is("FILLER")).map(|t| t.upper());
    (name, clauses)
}

fn usage(token: &Token) -> Option<Usage> {
    let known = USAGES.iter().find(|(word, _)| token.is(word));
    known.map(|(_, usage)| *usage)
}

/// The words of a PICTURE, which have no blanks between them.
fn picture(words: &[&Token]) -> Option<String> {
    let at = words.iter().position(|t| t.is_any(&["PIC", "PICTURE"]))?;
    let mut words = words[at + 1..].iter().skip_while(|t| t.is("IS"));
    let mut out = words.next()?.upper();
    for word in words.take_while(|t| t.glued && t.kind != Kind::Period) {
        out.push_str(&word.upper());
    }
    Some(out)
}

/// `OCCURS 5`, `OCCURS 1 TO 5`: five.
fn occurs(words: &[&Token]) -> u32 {
    let Some(at) = words.iter().position(|t| t.is("OCCURS")) else {
        return 0;
    };
    let number = |at: usize| words.get(at).and_then(|t| t.text.parse().ok());
    let to = words.get(at + 2).is_some_and(|t| t.is("TO"));
    let first = number(at + 1);
    first.map_or(1, |first| number(at + 3).filter(|_| to).unwrap_or(first))
}

impl Clauses {
    /// Characters of a national item: `N(4)`, `NNNN`; `None`: it is no such item.
    pub(crate) fn national_characters(&self) -> Option<usize> {
        let picture = self.picture.as_deref().filter(|p| p.starts_with('N'))?;
        let mut count = 0;
        let mut rest = picture;
        while let Some(letter) = rest.chars().next() {
            rest = &rest[letter.len_utf8()..];
            let times = rest.strip_prefix('(').and_then(|r| r.split_once(')'));
            let (times, behind) = match times {
                Some((times, behind)) => (times.parse().unwrap_or(1), behind),
                None => (1, rest),
            };
            rest = behind;
            count += if letter == 'N' { times } else { 0 };
        }
        Some(count)
    }

    /// It has no items in it: a picture, or a usage that needs none.
    pub(crate) fn is_elementary(&self) -> bool {
        let alone = [Usage::Short, Usage::Long, Usage::Pointer, Usage::Index];
        self.picture.is_some() || self.usage.is_some_and(|usage| alone.contains(&usage))
    }

    /// COMP, COMP-4, COMP-5, BINARY.
    pub(crate) fn is_binary(&self) -> bool {
        matches!(self.usage, Some(Usage::Binary | Usage::Native))
    }

    /// COMP-5.
    pub(crate) fn is_native(&self) -> bool {
        self.usage == Some(Usage::Native)
    }
}
