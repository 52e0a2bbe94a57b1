//! Messages of cobc and gcc, in terms of the user's files.
//!
//! What: reads `file:line: error: text`. The translator writes `#line` directives, so cobc names
//! the user's file already; lines of the generated file go through the line map. Columns: cobc
//! has none, so the word it quotes is looked up in the user's line.

use crate::Translated;
use transom_messages::{self as messages, Message, Place, Problem};

/// Messages read from one run of the compiler.
const MAX_MESSAGES: usize = 1_000;

/// Noise: in generated CALLs a field may be both input and output of a command, and national items
/// are used only where their bytes count (`refuse`).
const EXPECTED: &[&str] = &[
    "duplicate USING BY REFERENCE item",
    "_FORTIFY_SOURCE",
    "handling of USAGE NATIONAL is unfinished",
];

impl Translated {
    /// Turns what cobc wrote to its error output into problems of the user's source. `generated`:
    /// the name under which the generated COBOL was compiled.
    pub fn map_compiler_output(&self, generated: &str, stderr: &str) -> Vec<Problem> {
        let mut out: Vec<Problem> = Vec::new();
        for line in stderr.lines() {
            let known = self.map_line(generated, line);
            let Some(problem) = known.or_else(|| foreign(line)) else {
                continue;
            };
            if EXPECTED.iter().any(|known| problem.words().contains(known)) {
                continue;
            }
            if !out.contains(&problem) && out.len() < MAX_MESSAGES {
                out.push(problem);
            }
        }
        out
    }

    fn map_line(&self, generated: &str, line: &str) -> Option<Problem> {
        let (file, rest) = self.known_file(generated, line)?;
        let (number, rest) = rest.split_once(':')?;
        let number: u32 = number.trim().parse().ok()?;
        let (message, text) = said(rest.trim_start())?;
        let place = self.place_of(file, generated, number, text);
        Some(Problem::new(message, place))
    }

    /// The file a message begins with: its longest known name, since names may hold colons.
    fn known_file<'t>(&'t self, generated: &'t str, line: &'t str) -> Option<(&'t str, &'t str)> {
        let names = self.files.iter().map(|(name, _)| name.as_str());
        names
            .chain(std::iter::once(generated))
            .filter_map(|name| Some((name, line.strip_prefix(name)?.strip_prefix(':')?)))
            .max_by_key(|(name, _)| name.len())
    }

    fn place_of(&self, file: &str, generated: &str, number: u32, text: &str) -> Place {
        let user = self.files.iter().any(|(name, _)| name == file);
        let (file, line, copied_from) = if file == generated && !user {
            match self.line_map.origin(number) {
                Some(origin) => (origin.file.to_owned(), origin.line, origin.copied_from),
                None => (file.to_owned(), number, Vec::new()),
            }
        } else {
            (file.to_owned(), number, self.line_map.first_use(file))
        };
        let column = self.column(&file, line, text);
        Place {
            file,
            line,
            column: Some(column).filter(|column| *column != 0),
            copied_from,
        }
    }

    /// Column of the word the message quotes; 0 when it is not in that line.
    fn column(&self, file: &str, line: u32, text: &str) -> u32 {
        let source = self.files.iter().find(|(name, _)| name == file);
        let source = source.and_then(|(_, t)| t.lines().nth(line.checked_sub(1)? as usize));
        let (Some(source), Some(word)) = (source, quoted(text)) else {
            return 0;
        };
        let (source, word) = (source.to_ascii_uppercase(), word.to_ascii_uppercase());
        source
            .find(&word)
            .map_or(0, |at| source[..at].chars().count() as u32 + 1)
    }
}

/// An error in no file of ours: gcc, the assembler, or cobc itself.
fn foreign(line: &str) -> Option<Problem> {
    let (file, text) = line
        .split_once(" error: ")
        .or_else(|| line.split_once("cobc: error: "))?;
    let file = file.split(':').next().unwrap_or("");
    let file = if file.is_empty() { "cobc" } else { file };
    let place = Place {
        file: file.to_owned(),
        ..Place::default()
    };
    Some(Problem::new(messages::tr::compiler_failed(text), place))
}

/// `error: text` and the like; lines without a severity only say where the compiler was.
fn said(rest: &str) -> Option<(Message, &str)> {
    let (word, text) = rest.split_once(": ")?;
    // gcc puts a column before the severity.
    let (word, text) = match word.parse::<u32>() {
        Ok(_) => text.split_once(": ")?,
        Err(_) => (word, text),
    };
    let message = match word {
        "error" | "fatal error" => messages::tr::compiler_error(text),
        "warning" => messages::tr::compiler_warning(text),
        "note" => messages::tr::compiler_note(text),
        _ => return None,
    };
    Some((message, text))
}

/// The first word in quotes.
fn quoted(text: &str) -> Option<&str> {
    let open = text.find(['\'', '\u{2018}'])?;
    let rest = text.get(open..)?.trim_start_matches(['\'', '\u{2018}']);
    let word = rest.get(..rest.find(['\'', '\u{2019}'])?)?;
    (!word.is_empty()).then_some(word)
}
