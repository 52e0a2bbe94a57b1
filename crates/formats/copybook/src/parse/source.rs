//! Reference format: lines of a source file -> characters of COBOL text, each with its place.
//!
//! Takes away sequence numbers, the text in columns 73-80, comment lines, debugging lines, compiler
//! directives and `*>` comments, and joins continued lines. It does not know words or literals
//! beyond what joining needs.

use super::SourceFormat;

/// One character of program text. Lines end with `'\n'` unless the next one continues them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Glyph {
    pub(super) c: char,
    /// 1-based.
    pub(super) line: u32,
    /// 1-based, in characters of the line as given.
    pub(super) column: u32,
}

/// Columns of area A and B in fixed format, as a 0-based range.
const FIXED_TEXT: std::ops::Range<usize> = 7..72;
/// 0-based column of the indicator.
const INDICATOR: usize = 6;
const TAB: usize = 8;

/// What reading a file in one format gave.
#[derive(Debug, Default)]
pub(super) struct Text {
    pub(super) glyphs: Vec<Glyph>,
    /// Lines whose indicator column holds a character that means nothing, with it: signs of a wrong
    /// format.
    pub(super) bad_indicators: Vec<(u32, char)>,
}

/// Reads all lines in `format`, which must not be `Auto`.
pub(super) fn read(source: &str, format: SourceFormat) -> Text {
    let mut reader = Reader {
        text: Text::default(),
        quote: None,
    };
    for (number, line) in lines(source) {
        let glyphs = spread(line, number);
        match format {
            SourceFormat::Free => reader.free_line(&glyphs),
            SourceFormat::Variable => reader.fixed_line(&glyphs, usize::MAX),
            SourceFormat::Fixed | SourceFormat::Auto => reader.fixed_line(&glyphs, FIXED_TEXT.end),
        }
    }
    reader.text
}

/// What a `>>SOURCE FORMAT` directive asks for, if there is one.
pub(super) fn directive(source: &str) -> Option<SourceFormat> {
    for (_, line) in lines(source).take(DIRECTIVE_LINES) {
        let upper = line.trim_start().to_ascii_uppercase();
        let Some(at) = upper
            .find(">>SOURCE")
            .or_else(|| upper.find("$SET SOURCEFORMAT"))
        else {
            continue;
        };
        let rest = &upper[at..];
        if rest.contains("FREE") {
            return Some(SourceFormat::Free);
        }
        if rest.contains("FIXED") {
            return Some(SourceFormat::Fixed);
        }
        if rest.contains("VARIABLE") {
            return Some(SourceFormat::Variable);
        }
    }
    None
}

/// How far down a source format directive is looked for.
const DIRECTIVE_LINES: usize = 50;

fn lines(source: &str) -> impl Iterator<Item = (u32, &str)> {
    let source = source.trim_start_matches('\u{FEFF}');
    let source = source.split('\u{1A}').next().unwrap_or_default();
    source
        .split('\n')
        .enumerate()
        .map(|(i, l)| (i as u32 + 1, l.trim_end_matches('\r')))
}

/// Characters of a line by column, tabs written out as blanks.
fn spread(line: &str, number: u32) -> Vec<Glyph> {
    let mut out = Vec::with_capacity(line.len());
    for (i, c) in line.chars().enumerate() {
        let column = i as u32 + 1;
        if c == '\t' {
            let to = (out.len() / TAB + 1) * TAB;
            out.resize(
                to,
                Glyph {
                    c: ' ',
                    line: number,
                    column,
                },
            );
        } else {
            let c = if c.is_control() || c == '\u{A0}' {
                ' '
            } else {
                c
            };
            out.push(Glyph {
                c,
                line: number,
                column,
            });
        }
    }
    out
}

struct Reader {
    text: Text,
    /// The quote of a literal that is open where the text read so far ends.
    quote: Option<char>,
}

impl Reader {
    fn free_line(&mut self, line: &[Glyph]) {
        let first = line.iter().position(|g| g.c != ' ');
        let Some(first) = first else { return };
        let rest = &line[first..];
        if matches!(rest[0].c, '*' | '/' | '$') || starts(rest, ">>") {
            return;
        }
        if self.quote.is_some() && rest[0].c == '-' {
            return self.continue_with(&rest[1..]);
        }
        self.end_line();
        self.copy(line);
    }

    fn fixed_line(&mut self, line: &[Glyph], end: usize) {
        let end = end.min(line.len());
        if line[..end].iter().all(|g| g.c == ' ') {
            return;
        }
        let Some(indicator) = line.get(INDICATOR) else {
            return self.short_line(line);
        };
        let area = line.get(FIXED_TEXT.start..end).unwrap_or_default();
        match indicator.c {
            '*' | '/' | '$' | 'D' | 'd' => {}
            '-' => self.continue_with(area),
            ' ' => self.text_line(area),
            other => {
                self.text.bad_indicators.push((indicator.line, other));
                self.text_line(area);
            }
        }
    }

    /// A line that ends before the indicator column: a sequence number, or text in the wrong place.
    fn short_line(&mut self, line: &[Glyph]) {
        if let Some(g) = line.iter().find(|g| g.c != ' ' && !g.c.is_ascii_digit()) {
            self.text.bad_indicators.push((g.line, g.c));
        }
    }

    fn text_line(&mut self, area: &[Glyph]) {
        let first = area.iter().position(|g| g.c != ' ');
        let Some(first) = first else { return };
        if starts(&area[first..], ">>") {
            return;
        }
        self.end_line();
        self.copy(area);
    }

    /// Joins a continuation line: an open literal goes on after its repeated quote, anything else
    /// word to word.
    fn continue_with(&mut self, area: &[Glyph]) {
        let Some(first) = area.iter().position(|g| g.c != ' ') else {
            return;
        };
        if self.quote.is_some() {
            self.pad_literal();
            let skip = usize::from(Some(area[first].c) == self.quote);
            self.copy(&area[first + skip..]);
            return;
        }
        while self.text.glyphs.last().is_some_and(|g| g.c == ' ') {
            self.text.glyphs.pop();
        }
        let last = self.text.glyphs.last().map(|g| g.c);
        let reopens = matches!(last, Some('"' | '\'')) && last == Some(area[first].c);
        if reopens {
            // The literal was closed in the last column and goes on: `"AB"` + `"CD"` is one
            // literal.
            self.text.glyphs.pop();
            self.quote = last;
            self.copy(&area[first + 1..]);
        } else {
            self.copy(&area[first..]);
        }
    }

    /// Text of an open literal reaches to column 72 even if the editor cut the blanks.
    fn pad_literal(&mut self) {
        let Some(&last) = self.text.glyphs.last() else {
            return;
        };
        for column in last.column + 1..=FIXED_TEXT.end as u32 {
            self.text.glyphs.push(Glyph {
                c: ' ',
                line: last.line,
                column,
            });
        }
    }

    fn end_line(&mut self) {
        self.quote = None;
        if let Some(&last) = self.text.glyphs.last() {
            self.text.glyphs.push(Glyph { c: '\n', ..last });
        }
    }

    fn copy(&mut self, area: &[Glyph]) {
        let mut before = self.text.glyphs.last().map_or(' ', |g| g.c);
        for (i, &g) in area.iter().enumerate() {
            match self.quote {
                Some(q) if g.c == q => self.quote = None,
                Some(_) => {}
                None if matches!(before, ' ' | '\n') && starts(&area[i..], "*>") => return,
                None if g.c == '"' || g.c == '\'' => self.quote = Some(g.c),
                None => {}
            }
            before = g.c;
            self.text.glyphs.push(g);
        }
    }
}

fn starts(glyphs: &[Glyph], with: &str) -> bool {
    let mut g = glyphs.iter();
    with.chars().all(|c| g.next().is_some_and(|g| g.c == c))
}
