//! Lines of JCL -> statements with their operands and in-stream data.

use crate::MAX_PROBLEMS;
use crate::lexer::is_sequence;
use transom_messages as messages;
use transom_messages::Problem;

/// Longest expression of IF, in bytes.
const MAX_TEST: usize = 4096;
/// Columns of a JCL statement that count.
const COLUMNS: usize = 71;

/// A JCL statement, continuation lines joined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) line: u32,
    /// Upper case; empty for a concatenated DD.
    pub(super) name: String,
    /// `EXEC`, `DD`, `JOB` ...; upper case.
    pub(super) operation: String,
    pub(super) operands: Vec<Operand>,
    /// Lines after a DD * or DD DATA.
    pub(super) instream: Option<Vec<InstreamLine>>,
}

/// `VALUE` or `KEY=VALUE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Operand {
    pub(super) key: Option<String>,
    pub(super) value: String,
}

/// A line of in-stream data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstreamLine {
    /// Line in the file, from 1.
    pub number: u32,
    pub text: String,
}

impl Statement {
    pub(super) fn value(&self, key: &str) -> Option<&str> {
        let found = self.operands.iter().find(|o| o.key.as_deref() == Some(key));
        found.map(|o| o.value.as_str())
    }

    pub(super) fn positional(&self) -> impl Iterator<Item = &str> {
        let found = self.operands.iter().filter(|o| o.key.is_none());
        found.map(|o| o.value.as_str())
    }
}

/// Cuts a job into statements.
pub(super) fn statements(text: &str, problems: &mut Vec<Problem>) -> Vec<Statement> {
    let lines: Vec<(u32, &str)> = (1..).zip(text.lines()).collect();
    let mut list: Vec<Statement> = Vec::new();
    let mut rest = &lines[..];
    while let Some(((number, line), after)) = rest.split_first() {
        rest = after;
        let Some(body) = line.strip_prefix("//").filter(|b| !b.starts_with('*')) else {
            stray(*number, line, problems);
            continue;
        };
        if body.trim().is_empty() {
            continue;
        }
        let (mut statement, taken) = join(*number, body, rest);
        cut_off(*number, line, problems);
        for (number, line) in rest.iter().take(taken) {
            cut_off(*number, line, problems);
        }
        rest = rest.get(taken..).unwrap_or(&[]);
        if statement.operation == "DD" {
            rest = take_instream(&mut statement, rest);
        }
        list.push(statement);
    }
    list
}

/// A line that is neither JCL nor data.
fn stray(number: u32, line: &str, problems: &mut Vec<Problem>) {
    let expected = line.starts_with("/*") || line.starts_with("//*") || line.trim().is_empty();
    if !expected && problems.len() < MAX_PROBLEMS {
        problems.push(Problem::new(messages::id::line_ignored(), (number, 1)));
    }
}

/// Text behind the columns that count, sequence numbers aside.
fn cut_off(number: u32, line: &str, problems: &mut Vec<Problem>) {
    let beyond: Vec<char> = line.chars().skip(COLUMNS + 1).collect();
    if !line.starts_with("//*") && !is_sequence(&beyond) && problems.len() < MAX_PROBLEMS {
        let at = (number, u32::try_from(COLUMNS + 2).unwrap_or(0));
        problems.push(Problem::new(messages::id::text_ignored(COLUMNS + 1), at));
    }
}

/// Joins the operands of a statement that go on on the lines that follow; answers how many those
/// are.
fn join(line: u32, body: &str, rest: &[(u32, &str)]) -> (Statement, usize) {
    let body: String = body.chars().take(COLUMNS - 2).collect();
    let (name, after) = word(&body);
    let (operation, after) = word(after.trim_start());
    if operation.eq_ignore_ascii_case("IF") {
        return test(line, name, after, rest);
    }
    let mut field = String::new();
    let mut open = false;
    let mut goes_on = take_field(after.trim_start(), &mut field, &mut open);
    let mut taken = 0;
    while goes_on {
        let Some((_, next)) = rest.get(taken) else {
            break;
        };
        taken += 1;
        if next.starts_with("//*") {
            continue;
        }
        let Some(body) = next.strip_prefix("// ") else {
            taken -= 1;
            break;
        };
        let body: String = body.chars().take(COLUMNS - 3).collect();
        goes_on = take_field(body.trim_start(), &mut field, &mut open);
    }
    let statement = Statement {
        line,
        name: name.to_ascii_uppercase(),
        operation: operation.to_ascii_uppercase(),
        operands: operands(&field),
        instream: None,
    };
    (statement, taken)
}

/// An IF with its expression up to THEN, which may stand on the lines that follow, as its one
/// operand.
fn test(line: u32, name: &str, after: &str, rest: &[(u32, &str)]) -> (Statement, usize) {
    let end = |text: &str| text.to_ascii_uppercase().find(" THEN");
    let mut field = format!("{} ", after.trim());
    let mut taken = 0;
    while end(&field).is_none() && field.len() < MAX_TEST {
        let next = rest.get(taken).filter(|(_, next)| next.starts_with("//"));
        let Some((_, next)) = next else {
            break;
        };
        let comment = next.starts_with("//*");
        let then = next
            .get(2..)
            .is_some_and(|body| first_word(body).eq_ignore_ascii_case("THEN"));
        if !comment && !then && !wants_more(&field) {
            break;
        }
        taken += 1;
        if let Some(body) = next.strip_prefix("// ") {
            let body: String = body.chars().take(COLUMNS - 3).collect();
            field += &format!("{} ", body.trim());
        }
    }
    let value = match end(&field) {
        Some(at) => field.get(..at).unwrap_or("").trim().to_owned(),
        // Its operand shows that THEN is missing.
        None => String::new(),
    };
    let statement = Statement {
        line,
        name: name.to_ascii_uppercase(),
        operation: "IF".to_owned(),
        operands: vec![Operand { key: None, value }],
        instream: None,
    };
    (statement, taken)
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or("")
}

/// Whether an expression cannot end here.
fn wants_more(text: &str) -> bool {
    let (opened, closed) = (text.matches('(').count(), text.matches(')').count());
    let last = text
        .split_whitespace()
        .next_back()
        .unwrap_or("")
        .to_ascii_uppercase();
    let words = [
        "AND", "OR", "NOT", "EQ", "NE", "GT", "LT", "GE", "LE", "NG", "NL",
    ];
    opened > closed
        || words.contains(&last.as_str())
        || last.ends_with(['&', '|', '=', '<', '>', '¬'])
}

fn word(text: &str) -> (&str, &str) {
    let end = text.find(' ').unwrap_or(text.len());
    text.split_at(end)
}

/// Appends the operand field up to its first blank; true when it goes on on the next line.
fn take_field(text: &str, field: &mut String, open: &mut bool) -> bool {
    for c in text.chars() {
        match c {
            '\'' => *open = !*open,
            ' ' if !*open => return field.ends_with(','),
            _ => {}
        }
        field.push(c);
    }
    *open || field.ends_with(',')
}

fn operands(field: &str) -> Vec<Operand> {
    let parts = split(field.trim_end_matches(','));
    parts
        .iter()
        .filter(|p| !p.is_empty())
        .map(|part| operand(part))
        .collect()
}

fn operand(part: &str) -> Operand {
    let is_key = |key: &str| {
        !key.is_empty()
            && key
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "@#$.".contains(c))
    };
    match part.split_once('=') {
        Some((key, value)) if is_key(key) => Operand {
            key: Some(key.to_ascii_uppercase()),
            value: value.to_owned(),
        },
        _ => Operand {
            key: None,
            value: part.to_owned(),
        },
    }
}

/// The lines of a DD * or DD DATA; answers what follows them.
fn take_instream<'a, 'b>(
    statement: &mut Statement,
    rest: &'a [(u32, &'b str)],
) -> &'a [(u32, &'b str)] {
    let only_delimiter = statement
        .positional()
        .any(|w| w.eq_ignore_ascii_case("DATA"));
    if !only_delimiter && !statement.positional().any(|w| w == "*") {
        return rest;
    }
    let own = statement
        .value("DLM")
        .map(|d| d.trim_matches('\'').to_owned());
    let delimiter = own.clone().unwrap_or_else(|| "/*".to_owned());
    let ends = |line: &str| {
        line.starts_with(&delimiter) || (!only_delimiter && own.is_none() && line.starts_with("//"))
    };
    let end = rest
        .iter()
        .position(|(_, line)| ends(line))
        .unwrap_or(rest.len());
    let lines = rest.get(..end).unwrap_or(&[]).iter();
    let lines = lines.map(|(number, text)| InstreamLine {
        number: *number,
        text: (*text).to_owned(),
    });
    statement.instream = Some(lines.collect());
    let delimited = rest
        .get(end)
        .is_some_and(|(_, line)| line.starts_with(&delimiter));
    rest.get(end + usize::from(delimited)..).unwrap_or(&[])
}

/// Cuts at commas outside of parentheses and quotes.
pub(super) fn split(text: &str) -> Vec<String> {
    let mut list = vec![String::new()];
    let (mut depth, mut quoted) = (0u32, false);
    for c in text.chars() {
        match c {
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            ',' if depth == 0 && !quoted => {
                list.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = list.last_mut() {
            last.push(c);
        }
    }
    list
}
