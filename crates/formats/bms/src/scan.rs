//! Assembler source to statements: fixed columns, continuation, quotes, remarks.
//!
//! Why by hand: the form is old and small. Columns 1 to 71 hold the statement, a character in
//! column 72 continues it at column 16 of the next line, columns 73 to 80 are sequence numbers. Not
//! here: what a macro or operand means.

use crate::problem::{Place, Problems};
use transom_messages as messages;

/// Last column of a statement.
const END_COLUMN: usize = 71;
/// Column where a continued statement goes on.
const CONTINUE_COLUMN: usize = 16;

/// One statement.
#[derive(Debug)]
pub(crate) struct Statement {
    /// Upper case; empty when the statement has no name.
    pub(crate) name: String,
    /// Macro or instruction, upper case.
    pub(crate) operation: String,
    pub(crate) operands: Vec<Operand>,
    /// Where the statement begins.
    pub(crate) at: Place,
}

/// `KEY=value`, or a value alone.
#[derive(Debug, Clone)]
pub(crate) struct Operand {
    /// Upper case; empty for a positional operand.
    pub(crate) key: String,
    /// As written, quotes and parentheses included.
    pub(crate) value: String,
    pub(crate) at: Place,
}

type Line<'a> = (u32, &'a [char]);
type Cell = (char, Place);

/// All statements up to END.
pub(crate) fn statements(source: &str, problems: &mut Problems) -> Vec<Statement> {
    let lines: Vec<Vec<char>> = source
        .lines()
        .map(|l| l.trim_end_matches('\r').chars().collect())
        .collect();
    let mut lines = lines
        .iter()
        .zip(1u32..)
        .map(|(l, number)| (number, l.as_slice()));
    let mut found = Vec::new();
    while let Some(first) = lines.next() {
        if is_comment(first.1) || first.1.iter().all(|c| *c == ' ') {
            // Boxes of asterisks often reach column 72, so a comment never continues.
            continue;
        }
        let mut group = vec![first];
        while group.last().is_some_and(|l| is_continued(l.1)) {
            match lines.next() {
                Some(next) => group.push(next),
                None => break,
            }
        }
        let Some(statement) = statement(&group, problems) else {
            continue;
        };
        if statement.operation == "END" {
            break;
        }
        found.push(statement);
    }
    found
}

fn is_comment(line: &[char]) -> bool {
    matches!(line, ['*', ..] | ['.', '*', ..])
}

fn is_continued(line: &[char]) -> bool {
    line.get(END_COLUMN).is_some_and(|c| *c != ' ')
}

fn statement(group: &[Line<'_>], problems: &mut Problems) -> Option<Statement> {
    let (number, first) = *group.first()?;
    let body = first.get(..END_COLUMN.min(first.len()))?;
    let at = |column: usize| Place {
        line: number,
        column: column as u32 + 1,
    };
    let name_end = body.iter().position(|c| *c == ' ').unwrap_or(body.len());
    let operation_start = name_end + blanks(body.get(name_end..)?);
    let rest = body.get(operation_start..)?;
    let operation_len = rest.iter().position(|c| *c == ' ').unwrap_or(rest.len());
    let operands_start = operation_start + operation_len;
    let start = operands_start + blanks(body.get(operands_start..)?);
    let text = |cells: &[char]| cells.iter().collect::<String>().to_ascii_uppercase();
    let mut statement = Statement {
        name: text(body.get(..name_end)?),
        operation: text(rest.get(..operation_len)?),
        operands: Vec::new(),
        at: at(if name_end == 0 { operation_start } else { 0 }),
    };
    // Other instructions (TITLE, PRINT ...) have operands of their own form.
    if statement.operation.starts_with("DFHM") {
        statement.operands = operands(&cells(group, start, problems), problems);
    }
    (!statement.operation.is_empty()).then_some(statement)
}

fn blanks(cells: &[char]) -> usize {
    cells.iter().position(|c| *c != ' ').unwrap_or(cells.len())
}

/// The operand characters of a statement over all its lines, remarks left out.
fn cells(group: &[Line<'_>], start: usize, problems: &mut Problems) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    let mut quoted = false;
    let mut ended = false;
    let mut last = Place::default();
    for (index, (number, line)) in group.iter().enumerate() {
        let place = |column: usize| Place {
            line: *number,
            column: column as u32 + 1,
        };
        let from = if index == 0 {
            start
        } else {
            CONTINUE_COLUMN - 1
        };
        let margin = line.get(..from.min(line.len())).unwrap_or_default();
        if index > 0 && margin.iter().any(|c| *c != ' ') {
            problems.add(
                place(blanks(margin)),
                messages::bm::continuation_not_blank(),
            );
        }
        let body = line
            .get(from..END_COLUMN.min(line.len()))
            .unwrap_or_default();
        // A short line is as good as one filled with blanks.
        let padding = END_COLUMN.saturating_sub(from.max(line.len()));
        let continued = index + 1 < group.len();
        let fill = std::iter::repeat_n(&' ', if continued { padding } else { 0 });
        for (column, c) in body.iter().chain(fill).enumerate() {
            last = place(from + column);
            if !quoted && *c == ' ' {
                // After a comma the operands go on in the next line; otherwise the rest is remark.
                ended = cells.last().is_none_or(|l| l.0 != ',');
                break;
            }
            quoted ^= *c == '\'';
            cells.push((*c, last));
        }
        if ended {
            break;
        }
    }
    if quoted {
        problems.add(last, messages::bm::quote_not_ended());
        cells.push(('\'', last));
    } else if cells.last().is_some_and(|l| l.0 == ',') {
        problems.add(last, messages::bm::continuation_missing());
        cells.pop();
    }
    cells
}

/// Splits at commas outside quotes and parentheses.
fn operands(cells: &[Cell], problems: &mut Problems) -> Vec<Operand> {
    let mut found = Vec::new();
    let mut quoted = false;
    let mut depth = 0usize;
    for part in cells.split(|(c, _)| {
        quoted ^= *c == '\'';
        match c {
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        *c == ',' && !quoted && depth == 0
    }) {
        if let Some((_, at)) = part.first() {
            let operand = operand(part, *at);
            // As in every macro, an operand without a value is one that is not written.
            if !operand.value.is_empty() {
                found.push(operand);
            }
        }
    }
    if depth > 0
        && let Some((_, at)) = cells.last()
    {
        problems.add(*at, messages::bm::parenthesis_not_closed());
    }
    found
}

fn operand(part: &[Cell], at: Place) -> Operand {
    let text = |cells: &[Cell]| cells.iter().map(|(c, _)| *c).collect::<String>();
    let key = part.iter().position(|(c, _)| *c == '=').filter(|at| {
        part.iter()
            .take(*at)
            .all(|(c, _)| c.is_ascii_alphanumeric())
    });
    match key {
        Some(end) => Operand {
            key: text(part.get(..end).unwrap_or_default()).to_ascii_uppercase(),
            value: text(part.get(end + 1..).unwrap_or_default()),
            at,
        },
        None => Operand {
            key: String::new(),
            value: text(part),
            at,
        },
    }
}
