//! DCLGEN: a table as DECLARE TABLE and as a COBOL structure.
//!
//! What: the member DCLGEN makes with LANGUAGE(IBMCOB), in fixed format, columns 8 to 72. Why: most
//! programs include one for each table. Not here: reading a catalog, writing a file.

use crate::catalog::TableDefinition;
use crate::types::Type;
use std::fmt::Write as _;

/// What a member is asked to have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DclgenOptions {
    /// STRUCTURE: the 01 level; empty: `DCL` and the name of the table.
    pub structure: String,
    /// NAMES: in front of a number instead of the name of the column.
    pub names: String,
    /// COLSUFFIX(YES): the name of the column behind the prefix.
    pub column_suffix: bool,
    /// INDVAR(YES): an array of indicators.
    pub indicators: bool,
    /// LABEL(YES) has no labels here; a comment with the name of each column.
    pub comments: bool,
}

/// Last column of a line.
const RIGHT: usize = 72;

/// The text of the member; `None`: a column has a type COBOL has no variable for.
pub fn dclgen(table: &TableDefinition, options: &DclgenOptions) -> Option<String> {
    let mut out = String::new();
    declare(table, &mut out);
    structure(table, options, &mut out)?;
    if options.indicators {
        indicators(table, options, &mut out);
    }
    let rule = "*".repeat(RIGHT - 6);
    let _ = writeln!(out, "      {rule}");
    let note = format!(
        "* THE NUMBER OF COLUMNS DESCRIBED BY THIS DECLARATION IS {}",
        table.columns.len()
    );
    let _ = writeln!(out, "      {note:<65}*");
    let _ = writeln!(out, "      {rule}");
    Some(out)
}

fn declare(table: &TableDefinition, out: &mut String) {
    let _ = writeln!(out, "           EXEC SQL DECLARE {} TABLE", shown(table));
    for (n, column) in table.columns.iter().enumerate() {
        let open = if n == 0 { "( " } else { "  " };
        let null = if column.nullable { "" } else { " NOT NULL" };
        let comma = if n + 1 == table.columns.len() {
            ""
        } else {
            ","
        };
        let first = format!("           {open}{:<30} ", column.name);
        let rest = format!("{}{null}{comma}", column.kind);
        let blank = if first.len() + rest.len() > RIGHT {
            format!("\n{:16}", "")
        } else {
            String::new()
        };
        let _ = writeln!(out, "{first}{blank}{rest}");
    }
    out.push_str("           ) END-EXEC.\n");
}

fn shown(table: &TableDefinition) -> String {
    table.name.to_string()
}

fn structure(table: &TableDefinition, options: &DclgenOptions, out: &mut String) -> Option<()> {
    let rule = "*".repeat(RIGHT - 6);
    let _ = writeln!(out, "      {rule}");
    let title = format!("* COBOL DECLARATION FOR TABLE {}", shown(table));
    let _ = writeln!(out, "      {title:<65}*");
    let _ = writeln!(out, "      {rule}");
    let name = if options.structure.is_empty() {
        format!("DCL{}", cobol_name(&table.name.name))
    } else {
        options.structure.clone()
    };
    let _ = writeln!(out, "       01  {name}.");
    for (n, column) in table.columns.iter().enumerate() {
        if options.comments {
            let _ = writeln!(out, "      *                       {}", column.name);
        }
        let field = field_name(&column.name, n, options);
        item(&field, column.kind, out)?;
    }
    Some(())
}

fn field_name(column: &str, place: usize, options: &DclgenOptions) -> String {
    if options.names.is_empty() {
        return cobol_name(column);
    }
    if options.column_suffix {
        return format!("{}{}", options.names, cobol_name(column));
    }
    format!("{}{}", options.names, place + 1)
}

/// Underscores are hyphens in COBOL; what is no character of a COBOL word is left out.
fn cobol_name(name: &str) -> String {
    let name: String = name
        .chars()
        .map(|c| if c == '_' || c == ' ' { '-' } else { c })
        .filter(|c| c.is_ascii_alphanumeric() || *c == '-')
        .take(30)
        .collect();
    name.trim_matches('-').to_owned()
}

fn item(name: &str, kind: Type, out: &mut String) -> Option<()> {
    let picture = match kind {
        Type::VarChar(n) | Type::VarCharBit(n) | Type::VarBinary(n) => {
            return {
                varying(name, &format!("X({n})"), out);
                Some(())
            };
        }
        Type::VarGraphic(n) => {
            return {
                varying(name, &format!("G({n}) USAGE DISPLAY-1"), out);
                Some(())
            };
        }
        Type::SmallInt => "PIC S9(4) USAGE COMP".to_owned(),
        Type::Integer => "PIC S9(9) USAGE COMP".to_owned(),
        Type::BigInt => "PIC S9(18) USAGE COMP".to_owned(),
        Type::Decimal { precision, scale } => decimal(precision, scale),
        Type::Real => "USAGE COMP-1".to_owned(),
        Type::Double => "USAGE COMP-2".to_owned(),
        Type::Char(n) | Type::CharBit(n) | Type::Binary(n) => format!("PIC X({n})"),
        Type::Graphic(n) => format!("PIC G({n}) USAGE DISPLAY-1"),
        Type::Date => "PIC X(10)".to_owned(),
        Type::Time => "PIC X(8)".to_owned(),
        Type::Timestamp(0) => "PIC X(19)".to_owned(),
        Type::Timestamp(digits) => format!("PIC X({})", 20 + u32::from(digits)),
        Type::Clob(n) => format!("USAGE SQL TYPE IS CLOB({n})"),
        Type::Blob(n) => format!("USAGE SQL TYPE IS BLOB({n})"),
        Type::DbClob(n) => format!("USAGE SQL TYPE IS DBCLOB({n})"),
        Type::RowId => "USAGE SQL TYPE IS ROWID".to_owned(),
        Type::DecFloat(_) | Type::Xml | Type::Unknown => return None,
    };
    line(10, name, &picture, out);
    Some(())
}

fn decimal(precision: u8, scale: u8) -> String {
    let whole = precision - scale;
    let digits = match (whole, scale) {
        (0, s) => format!("SV9({s})"),
        (w, 0) => format!("S9({w})V"),
        (w, s) => format!("S9({w})V9({s})"),
    };
    format!("PIC {digits} USAGE COMP-3")
}

fn varying(name: &str, picture: &str, out: &mut String) {
    let _ = writeln!(out, "           10 {name}.");
    line(49, &format!("{name}-LEN"), "PIC S9(4) USAGE COMP", out);
    line(49, &format!("{name}-TEXT"), &format!("PIC {picture}"), out);
}

/// An item of a level; the picture goes to a second line where the first is full.
fn line(level: u8, name: &str, picture: &str, out: &mut String) {
    let indent = if level == 10 {
        "           "
    } else {
        "              "
    };
    let first = format!("{indent}{level} {name:<20} {picture}.");
    if first.len() <= RIGHT {
        let _ = writeln!(out, "{first}");
        return;
    }
    let _ = writeln!(out, "{indent}{level} {name}");
    let _ = writeln!(out, "{indent}   {picture}.");
}

fn indicators(table: &TableDefinition, options: &DclgenOptions, out: &mut String) {
    let name = if options.structure.is_empty() {
        format!("I{}", cobol_name(&table.name.name))
    } else {
        format!("I{}", options.structure)
    };
    let _ = writeln!(out, "       01  {name}.");
    let count = table.columns.len();
    let _ = writeln!(
        out,
        "           10 INDSTRUC           PIC S9(4) USAGE COMP OCCURS {count} TIMES."
    );
}
