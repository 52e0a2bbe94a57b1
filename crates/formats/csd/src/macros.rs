//! Statements of the assembler, as macros of tables are written in them.
//!
//! What: columns 1 to 71 count, anything in 72 goes on in column 16 of the next line, `*` first is
//! a comment; lines of JCL around it are skipped. Why here: tables of several kinds are such
//! sources. Not here: what a macro means.

/// Columns that count.
const COLUMNS: usize = 71;
/// Where a statement goes on, counted from 0.
const CONTINUED: usize = 15;
/// Statements that only concern a listing or the shape of a module.
const WITHOUT_MEANING: &[&str] = &[
    "TITLE", "PRINT", "EJECT", "SPACE", "PUNCH", "AMODE", "RMODE", "CSECT", "ICTL", "ISEQ",
];

/// One statement: its line, operation and operands, in upper case.
pub struct Statement {
    pub line: u32,
    pub operation: String,
    pub operands: String,
}

/// An operation that says nothing about a table.
pub fn is_without_meaning(operation: &str) -> bool {
    WITHOUT_MEANING.contains(&operation)
}

/// The statements of a source, each over all its lines.
pub fn statements(source: &str) -> Vec<Statement> {
    let mut found = Vec::new();
    let mut lines = (1u32..).zip(source.lines());
    while let Some((line, text)) = lines.next() {
        if is_outside(text) {
            continue;
        }
        let body = body(text, 0);
        // The name in front of the operation means nothing here.
        let behind_name = body.find(' ').and_then(|at| body.get(at..)).unwrap_or("");
        let behind_name = behind_name.trim_start();
        let (operation, rest) = behind_name.split_once(' ').unwrap_or((behind_name, ""));
        let mut operands = String::new();
        let mut ended = take_operands(&mut operands, rest);
        let mut goes_on = goes_on(text);
        while let Some((_, text)) = goes_on.then(|| lines.next()).flatten() {
            if !ended {
                ended = take_operands(&mut operands, &self::body(text, CONTINUED));
            }
            goes_on = self::goes_on(text);
        }
        found.push(Statement {
            line,
            operation: operation.to_ascii_uppercase(),
            operands: operands.to_ascii_uppercase(),
        });
    }
    found
}

/// The parts between commas that stand in no parentheses.
pub fn parts(text: &str) -> Vec<String> {
    let mut depth = 0usize;
    let parts = text.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    let parts = parts.filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

/// A comment, JCL, or nothing.
fn is_outside(line: &str) -> bool {
    let begins = |text: &&str| line.starts_with(*text);
    line.trim().is_empty() || ["*", ".*", "//", "/*"].iter().any(begins)
}

fn body(line: &str, from: usize) -> String {
    line.chars().take(COLUMNS).skip(from).collect()
}

fn goes_on(line: &str) -> bool {
    line.chars()
        .nth(COLUMNS)
        .is_some_and(|c| !c.is_whitespace())
}

/// Operands go to the first blank. `true`: they ended there; behind a comma more may follow.
fn take_operands(operands: &mut String, text: &str) -> bool {
    let (word, remarks) = match text.trim_start().split_once(' ') {
        Some((word, _)) => (word, true),
        None => (text.trim_start(), false),
    };
    operands.push_str(word);
    remarks && !word.ends_with(',')
}
