//! Lines of a source file: fixed or free format, indicator column, continuation.
//!
//! What: answers logical lines, each a run of characters that know their own line and column.
//! Why: from here on nobody cares about columns 1-6, 7 and 73-80. Not here: words.
//! Source of the rules: "Reference format" of the Enterprise COBOL language reference.

/// Characters of one line (or of several joined by continuation).
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Logical {
    pub(crate) chars: Vec<char>,
    /// Line and column of each character.
    pub(crate) at: Vec<(u32, u32)>,
    /// A debugging line.
    pub(crate) debug: bool,
    /// The text begins in area A (columns 8 to 11); always in free format at any column.
    pub(crate) area_a: bool,
}

/// Column after the last that counts in fixed format.
const END_OF_TEXT: usize = 72;
/// A line longer than this is cut: no compiler takes it.
const MAX_LINE: usize = 4096;

/// Looks at the text and says whether it is free format.
pub(crate) fn looks_free(text: &str) -> bool {
    let (mut fixed, mut free) = (0usize, 0usize);
    for line in text.lines().take(3000) {
        if let Some(format) = format_directive(line) {
            return format;
        }
        let line = line.trim_end();
        if line.trim().is_empty() || is_card(line) {
            continue;
        }
        let chars: Vec<char> = expand_tabs(line, 8);
        match chars.get(6) {
            None if line.trim_start().len() == line.len() => free += 1,
            None => {}
            Some(' ' | '*' | '-' | '/' | 'D' | 'd' | '$')
                if !line.trim_start().starts_with("*>") =>
            {
                fixed += 1;
            }
            Some('*') => fixed += 1,
            Some(_) => free += 1,
        }
    }
    free > fixed
}

/// `>>SOURCE FORMAT IS FREE` or `$SET SOURCEFORMAT"FREE"`.
fn format_directive(line: &str) -> Option<bool> {
    let upper = line.trim().to_ascii_uppercase();
    let at = upper
        .find(">>SOURCE")
        .or_else(|| upper.find("$SET SOURCEFORMAT"))?;
    if upper[..at]
        .trim_matches(|c: char| c.is_ascii_digit() || c == ' ')
        .is_empty()
    {
        if upper[at..].contains("FREE") {
            return Some(true);
        }
        if upper[at..].contains("FIXED") {
            return Some(false);
        }
    }
    None
}

/// A CBL or PROCESS card.
pub(crate) fn is_card(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ' || c == '\t');
    let word = rest.split([' ', ',']).next().unwrap_or("");
    (word.eq_ignore_ascii_case("CBL") || word.eq_ignore_ascii_case("PROCESS"))
        && !rest[word.len()..].trim_start().starts_with(['.', '('])
        && !rest[word.len()..]
            .trim_start()
            .to_ascii_uppercase()
            .starts_with("SECTION")
}

/// Cuts a text into logical lines; blank and comment lines are left out.
pub(crate) fn logical_lines(text: &str, free: bool) -> Vec<Logical> {
    let mut out: Vec<Logical> = Vec::new();
    let mut free = free;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, raw) in text.lines().enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        if let Some(format) = format_directive(raw) {
            free = format;
            continue;
        }
        let raw: String = raw.chars().take(MAX_LINE).collect();
        if free {
            push_free(&mut out, &raw, number);
        } else {
            push_fixed(&mut out, &raw, number);
        }
    }
    out
}

fn push_free(out: &mut Vec<Logical>, raw: &str, number: u32) {
    let chars: Vec<char> = expand_tabs(raw.trim_end(), 8);
    if let Some(start) = chars.iter().position(|c| *c != ' ') {
        let debug = starts_with(&chars[start..], ">>D ");
        let start = if debug { start + 4 } else { start };
        out.push(piece(&chars, start, number, debug, true));
    }
}

fn push_fixed(out: &mut Vec<Logical>, raw: &str, number: u32) {
    let chars = fixed_columns(raw.trim_end());
    if is_card(&raw.chars().take(END_OF_TEXT).collect::<String>()) {
        let line: Vec<char> = chars.iter().copied().take(END_OF_TEXT).collect();
        let start = line
            .iter()
            .position(|c| c.is_ascii_alphabetic())
            .unwrap_or(0);
        out.push(piece(&line, start, number, false, true));
        return;
    }
    let text = &chars[..chars.len().min(END_OF_TEXT)];
    let indicator = text.get(6).copied().unwrap_or(' ');
    let blank = text.iter().skip(7).all(|c| *c == ' ');
    match indicator {
        '*' | '/' => return,
        '-' if !blank => {
            if let Some(last) = out.last_mut() {
                continue_line(last, text, number);
                return;
            }
        }
        '$' | '>' if starts_with(&text[6..], "$SET") || starts_with(&text[6..], ">>") => {
            out.push(piece(text, 6, number, false, true));
            return;
        }
        _ => {}
    }
    if blank {
        return;
    }
    let start = text
        .iter()
        .skip(7)
        .position(|c| *c != ' ')
        .map_or(7, |p| p + 7);
    let debug = matches!(indicator, 'D' | 'd');
    out.push(piece(text, start, number, debug, start < 11));
}

/// Columns of a fixed format line. Tabs go to every eighth column, or to every fourth when eight
/// would push text out of column 72 and four does not.
fn fixed_columns(raw: &str) -> Vec<char> {
    let wide = expand_tabs(raw, 8);
    if !raw.contains('\t') || wide.len() <= END_OF_TEXT {
        return wide;
    }
    let narrow = expand_tabs(raw, 4);
    let keeps_area = narrow.iter().take(7).eq(wide.iter().take(7));
    if keeps_area && narrow.len() <= END_OF_TEXT {
        narrow
    } else {
        wide
    }
}

fn expand_tabs(raw: &str, width: usize) -> Vec<char> {
    let mut chars = Vec::with_capacity(raw.len());
    for c in raw.chars() {
        if c == '\t' {
            let stop = (chars.len() / width + 1) * width;
            chars.resize(stop, ' ');
        } else if c.is_control() {
            chars.push(' ');
        } else {
            chars.push(c);
        }
    }
    chars
}

fn piece(chars: &[char], start: usize, number: u32, debug: bool, area_a: bool) -> Logical {
    let mut line = Logical {
        debug,
        area_a,
        ..Logical::default()
    };
    append(&mut line, chars, start, number);
    line
}

fn append(line: &mut Logical, chars: &[char], start: usize, number: u32) {
    let end = chars
        .iter()
        .rposition(|c| *c != ' ')
        .map_or(0, |last| last + 1);
    for (at, c) in chars.iter().enumerate().take(end).skip(start) {
        line.chars.push(*c);
        line.at.push((number, at as u32 + 1));
    }
}

/// Joins a line with `-` in column 7 to the one before.
fn continue_line(last: &mut Logical, text: &[char], number: u32) {
    let start = text
        .iter()
        .skip(7)
        .position(|c| *c != ' ')
        .map_or(7, |p| p + 7);
    match open_quote(&last.chars) {
        Some(quote) => {
            // An open literal reaches to column 72 of its line.
            let (line, mut column) = last.at.last().copied().unwrap_or((number, 7));
            while (column as usize) < END_OF_TEXT {
                column += 1;
                last.chars.push(' ');
                last.at.push((line, column));
            }
            let skip = usize::from(text.get(start) == Some(&quote));
            append(last, text, start + skip, number);
        }
        None => append(last, text, start, number),
    }
}

/// The quote character of a literal that is still open at the end.
pub(crate) fn open_quote(chars: &[char]) -> Option<char> {
    let mut open = None;
    for (i, c) in chars.iter().enumerate() {
        match open {
            Some(quote) if *c == quote => open = None,
            Some(_) => {}
            None if *c == '\'' || *c == '"' => open = Some(*c),
            None if *c == '*' && chars.get(i + 1) == Some(&'>') => return None,
            None => {}
        }
    }
    open
}

fn starts_with(chars: &[char], word: &str) -> bool {
    let mut at = chars.iter();
    word.chars()
        .all(|w| at.next().is_some_and(|c| c.eq_ignore_ascii_case(&w)))
}
