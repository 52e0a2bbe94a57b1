//! SQLCODEs with their SQLSTATEs and texts.
//!
//! Why one table: program, DSNTIAR, translator and reference page say the same of a code. Not here:
//! when a code is given.

mod code;
mod table;

pub use code::SqlCode;

/// Most bytes of SQLERRMC.
const SQLERRMC: usize = 70;

/// All codes, from the lowest.
pub fn codes() -> &'static [SqlCode] {
    table::CODES
}

/// A code of the table.
pub fn code(code: i32) -> Option<&'static SqlCode> {
    let at = codes().binary_search_by_key(&code, |c| c.code).ok()?;
    codes().get(at)
}

/// SQLSTATE of a code; of one that is not in the table only its class is known.
pub fn state(code: i32) -> &'static str {
    match self::code(code) {
        Some(known) => known.state,
        None if code == 0 => "00000",
        None if code > 0 => "01000",
        None => "58004",
    }
}

/// The text with tokens in their places; a token that is missing is shown as an empty one.
pub fn text(code: i32, tokens: &[impl AsRef<str>]) -> String {
    let Some(known) = self::code(code) else {
        return format!("there is no text for SQLCODE {code}");
    };
    let mut out = String::new();
    let mut rest = known.text;
    while let Some((before, behind)) = rest.split_once('{') {
        let (number, after) = behind.split_once('}').unwrap_or((behind, ""));
        let token = number.parse::<usize>().ok().and_then(|n| tokens.get(n));
        out += before;
        out += token.map_or("", AsRef::as_ref);
        rest = after;
    }
    out + rest
}

/// SQLERRMC: tokens with X'FF' between them, and no more than fits. The encoding of the tokens is
/// the caller's.
pub fn sqlerrmc(tokens: &[impl AsRef<[u8]>]) -> Vec<u8> {
    let tokens: Vec<&[u8]> = tokens.iter().map(AsRef::as_ref).collect();
    let mut out = tokens.join(&0xFF);
    out.truncate(SQLERRMC);
    out
}

/// What DSNTIAR needs of an SQLCA.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sqlca {
    pub code: i32,
    pub state: String,
    pub tokens: Vec<String>,
    /// SQLERRP: the module that found the error.
    pub module: String,
    /// SQLERRD.
    pub numbers: [i32; 6],
}

/// The lines of DSNTIAR: text of the code, SQLSTATE, SQLERRP, SQLERRD in decimal and hexadecimal.
/// No line is longer than `width` (72 to 240, the length of a record of the caller's area).
pub fn dsntiar(sqlca: &Sqlca, width: usize) -> Vec<String> {
    let width = width.clamp(72, 240);
    let text = text(sqlca.code, &sqlca.tokens).to_uppercase();
    let first = match sqlca.code {
        0 => format!("DSNT400I SQLCODE = 000, {text}"),
        100 => format!("DSNT404I SQLCODE = 100, NOT FOUND:  {text}"),
        code @ 1.. => format!("DSNT404I SQLCODE = {code:03}, WARNING:  {text}"),
        code => format!(
            "DSNT408I SQLCODE = -{:03}, ERROR:  {text}",
            code.unsigned_abs()
        ),
    };
    let mut lines = wrap(&first, width);
    let state = &sqlca.state;
    lines.extend(wrap(
        &format!("DSNT418I SQLSTATE   = {state} SQLSTATE RETURN CODE"),
        width,
    ));
    if sqlca.code != 0 {
        let module = &sqlca.module;
        lines.extend(wrap(
            &format!("DSNT415I SQLERRP    = {module} SQL PROCEDURE DETECTING ERROR"),
            width,
        ));
        let decimal: Vec<String> = sqlca.numbers.iter().map(i32::to_string).collect();
        let hex = sqlca.numbers.iter().map(|n| format!("X'{n:08X}'"));
        let hex: Vec<String> = hex.collect();
        for shown in [decimal.join("  "), hex.join("  ")] {
            lines.extend(wrap(
                &format!("DSNT416I SQLERRD    = {shown} SQL DIAGNOSTIC INFORMATION"),
                width,
            ));
        }
    }
    lines
}

/// Each line begins with a blank, each further one is indented to the text of the first.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::from(" ");
    let mut is_empty = true;
    for word in text.split(' ') {
        // A word that fits on no line is cut.
        let mut word: Vec<char> = word.chars().collect();
        loop {
            let used = line.chars().count() + usize::from(!is_empty);
            if used + word.len() <= width {
                if !is_empty {
                    line.push(' ');
                }
                line.extend(word.iter());
                is_empty = false;
                break;
            }
            if is_empty {
                let rest = word.split_off(width.saturating_sub(used).max(1));
                line.extend(word.iter());
                word = rest;
            }
            lines.push(std::mem::replace(&mut line, " ".repeat(10)));
            is_empty = true;
        }
    }
    lines.push(line);
    lines
}
