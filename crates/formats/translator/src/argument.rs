//! One argument of an EXEC CICS option as a CALL operand.
//!
//! What: fields are passed by reference as they stand; literals become constants; expressions and
//! addresses go through temporaries. Not here: which option it belongs to.

use crate::clauses::join;
use crate::generated::Generated;
use crate::token::{Kind, Token};
use transom_commands::{ArgKind, DataKind, Flow};

/// A CALL operand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Argument {
    /// The user's own words, by reference.
    Field(Vec<Token>),
    /// A generated field, by reference.
    Generated(String),
    /// The user's words, by content.
    Content(Vec<Token>),
}

/// An operand and the statements it needs around the CALL.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) argument: Argument,
    pub(crate) before: Vec<String>,
    pub(crate) after: Vec<String>,
}

/// Temporaries a command has taken.
#[derive(Debug, Default)]
pub(crate) struct Temporaries {
    numbers: usize,
    pointers: usize,
}

const FIGURATIVE: &[&str] = &[
    "SPACE",
    "SPACES",
    "ZERO",
    "ZEROS",
    "ZEROES",
    "LOW-VALUE",
    "LOW-VALUES",
    "HIGH-VALUE",
    "HIGH-VALUES",
    "QUOTE",
    "QUOTES",
    "NULL",
    "NULLS",
];

/// Makes the operand; `Err` says why the words cannot stand there.
pub(crate) fn argument(
    words: &[Token],
    kind: ArgKind,
    generated: &mut Generated,
    temporaries: &mut Temporaries,
) -> Result<Made, String> {
    let Some(first) = words.first() else {
        return Err("the argument is empty".to_owned());
    };
    let plain = |argument| Made {
        argument,
        before: Vec::new(),
        after: Vec::new(),
    };
    if first.is("ADDRESS") && words.get(1).is_some_and(|t| t.is("OF")) {
        return address(words, kind, generated, temporaries);
    }
    let constant = match words {
        [one] if one.kind == Kind::Literal => Some(literal(&one.text)),
        [one] if one.is_any(FIGURATIVE) => Some(figurative(&one.upper(), kind)),
        [one] if one.kind == Kind::Word => number(&one.text),
        _ => None,
    };
    let length = first.is("LENGTH") && words.len() > 1;
    let function = first.is("FUNCTION");
    let name = is_identifier(words) && !length && !function;
    if name && constant.is_none() {
        return Ok(plain(Argument::Field(words.to_vec())));
    }
    if kind.is_output() {
        return changed(words, kind, constant, generated, temporaries);
    }
    if let Some(description) = constant {
        return Ok(plain(Argument::Generated(generated.constant(description))));
    }
    if length && is_identifier(&words[1 + usize::from(words[1].is("OF"))..]) {
        return Ok(plain(Argument::Content(words.to_vec())));
    }
    if function && !numeric(kind) {
        return Ok(plain(Argument::Content(words.to_vec())));
    }
    Ok(computed(words, generated, temporaries))
}

/// Something that is no field where the command both reads and writes: it works on a copy.
fn changed(
    words: &[Token],
    kind: ArgKind,
    constant: Option<String>,
    generated: &mut Generated,
    temporaries: &mut Temporaries,
) -> Result<Made, String> {
    if !matches!(
        kind,
        ArgKind::DataArea {
            flow: Flow::InOut,
            ..
        }
    ) {
        return Err(format!("{} cannot be changed by the command", join(words)));
    }
    match constant {
        Some(_) if !numeric(kind) => {
            let argument = Argument::Content(words.to_vec());
            Ok(Made {
                argument,
                before: Vec::new(),
                after: Vec::new(),
            })
        }
        _ => Ok(computed(words, generated, temporaries)),
    }
}

/// An expression, through a temporary.
fn computed(words: &[Token], generated: &mut Generated, temporaries: &mut Temporaries) -> Made {
    temporaries.numbers += 1;
    let field = generated.number(temporaries.numbers);
    let before = vec![format!("COMPUTE {field} = {}", join(words))];
    Made {
        argument: Argument::Generated(field),
        before,
        after: Vec::new(),
    }
}

/// `ADDRESS OF x`: through a pointer, which is stored back when the command sets it.
fn address(
    words: &[Token],
    kind: ArgKind,
    generated: &mut Generated,
    temporaries: &mut Temporaries,
) -> Result<Made, String> {
    if !is_identifier(&words[2..]) {
        return Err(format!("{} is not an address", join(words)));
    }
    temporaries.pointers += 1;
    let field = generated.pointer(temporaries.pointers);
    let text = join(words);
    let after = match kind.is_output() {
        true => vec![format!("SET {text} TO {field}")],
        false => Vec::new(),
    };
    let before = vec![format!("SET {field} TO {text}")];
    Ok(Made {
        argument: Argument::Generated(field),
        before,
        after,
    })
}

fn numeric(kind: ArgKind) -> bool {
    let data = match kind {
        ArgKind::DataValue { kind } | ArgKind::DataArea { kind, .. } => kind,
        ArgKind::Cvda | ArgKind::CvdaOut => return true,
        _ => return false,
    };
    matches!(
        data,
        DataKind::Halfword | DataKind::Fullword | DataKind::Doubleword | DataKind::Packed(_)
    )
}

/// A data name with qualifiers, subscripts and reference modification.
fn is_identifier(words: &[Token]) -> bool {
    let Some(first) = words.first() else {
        return false;
    };
    if !is_name(first) {
        return false;
    }
    let mut at = 1;
    while let Some(token) = words.get(at) {
        if token.is_any(&["OF", "IN"]) && words.get(at + 1).is_some_and(is_name) {
            at += 2;
            continue;
        }
        if token.kind != Kind::Open {
            return false;
        }
        let mut depth = 0usize;
        let close = words[at..].iter().position(|t| {
            match t.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        });
        match close {
            Some(n) => at += n + 1,
            None => return false,
        }
    }
    true
}

fn is_name(token: &Token) -> bool {
    token.kind == Kind::Word
        && token.text.chars().any(|c| c.is_alphabetic())
        && token
            .text
            .chars()
            .all(|c| c.is_alphanumeric() || c == '-' || c == '_')
}

/// Description of an integer constant.
fn number(text: &str) -> Option<String> {
    let value: i64 = text.parse().ok()?;
    let picture = if i32::try_from(value).is_ok() {
        "S9(9)"
    } else {
        "S9(18)"
    };
    Some(format!("PIC {picture} COMP-5 VALUE {value}"))
}

/// Description of a literal: one character per character of its value.
fn literal(text: &str) -> String {
    let quote = text.find(['\'', '"']).unwrap_or(0);
    let (prefix, body) = text.split_at(quote);
    let hex = prefix.to_ascii_uppercase().ends_with('X');
    let mark = body.chars().next().unwrap_or('\'');
    let inner = body.strip_prefix(mark).unwrap_or(body);
    let inner = inner.strip_suffix(mark).unwrap_or(inner);
    if hex {
        let length = (inner.chars().count() / 2).max(1);
        return format!("PIC X({length}) VALUE X'{inner}'");
    }
    let doubled = format!("{mark}{mark}");
    let length = inner.replace(&doubled, "'").chars().count();
    if length == 0 {
        return "PIC X(1) VALUE SPACE".to_owned();
    }
    format!("PIC X({length}) VALUE {mark}{inner}{mark}")
}

fn figurative(word: &str, kind: ArgKind) -> String {
    let zero = word.starts_with("ZERO");
    match kind {
        ArgKind::PtrValue => "POINTER VALUE NULL".to_owned(),
        _ if zero && numeric(kind) => "PIC S9(9) COMP-5 VALUE 0".to_owned(),
        _ if word.starts_with("NULL") => "PIC X(1) VALUE LOW-VALUE".to_owned(),
        _ => format!("PIC X(1) VALUE {word}"),
    }
}
