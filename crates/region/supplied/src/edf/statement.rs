//! A command or SQL statement as EDF shows it: options with their values, and what was typed over
//! them.
//!
//! What: [`Shown`], taken from a call each time a display is made. A value that is longer than its
//! row is shown with its beginning. What is typed over storage of the program changes it there; a
//! constant is changed for this one execution. Not here: headers, keys.

use super::records::records;
use super::text::{
    hex_of, number_of, printable, read_bytes, read_hex, read_number, read_text, shown_as,
};
use crate::call::SECRETS;
use crate::prose;
use transom_commands::sql::{FLAG_NATIVE, Role};
use transom_commands::{ArgKind, DataKind, OptionId, opt};
use transom_region_commands::{Edited, Statement};
use transom_types::ProgramName;
use transom_workers::seam::{Area, Call, Host, SqlCall};

/// Characters of a row of an SQL statement.
const SQL_CHARS: usize = 74;
/// Bytes of a value in one row, as characters.
const SHOWN_BYTES: usize = 56;
/// Of hexadecimal digits, an address stands behind them.
const SHOWN_HEX: usize = 18;

/// What stands in the brackets of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Value {
    None,
    Label,
    Secret,
    Number(i64),
    Text(Vec<u8>),
    Pointer(usize),
}

/// An option.
#[derive(Debug, Clone)]
struct Argument {
    option: OptionId,
    keyword: &'static str,
    value: Value,
    /// A halfword, for the width of its number.
    short: bool,
    address: usize,
    /// Bytes of the field, of which a text may show fewer.
    bytes: usize,
}

/// A statement.
#[derive(Debug, Clone, Default)]
pub(super) struct Shown {
    /// The row it begins with.
    pub(super) verb: String,
    arguments: Vec<Argument>,
    /// Rows that are only shown.
    rows: Vec<String>,
    nohandle: bool,
    pub(super) line: u32,
    pub(super) function: Option<[u8; 2]>,
    /// Name of the command, for stop conditions.
    pub(super) name: String,
}

/// A row: what stands in it, and what can be typed over with the number of its option.
pub(super) struct Row {
    pub(super) text: String,
    pub(super) value: Option<(usize, String)>,
    pub(super) behind: String,
}

/// What came of a value that was typed over.
pub(super) enum Change {
    Done,
    Constant(OptionId, Edited),
    NoValue(&'static str),
}

impl Shown {
    pub(super) fn of(host: &dyn Host, statement: &Statement<'_>) -> Self {
        match statement {
            Statement::Command(call) => Self::of_command(host, &**call),
            Statement::Sql(call) => Self::of_sql(&**call),
        }
    }

    fn of_command(host: &dyn Host, call: &dyn Call) -> Self {
        let command = transom_commands::command(call.command());
        let name = command.map_or("", |command| command.name);
        let options = call.options().into_iter();
        let options = options.filter(|option| !matches!(*option, opt::RESP | opt::RESP2));
        let arguments = options.map(|option| {
            let spec = command.and_then(|command| command.option_by_id(option));
            let kind = spec.map_or(ArgKind::None, |spec| spec.argument);
            let bytes = field(host, call, option);
            let half = |kind| kind == DataKind::Halfword;
            let short = match kind {
                ArgKind::DataValue { kind } | ArgKind::DataArea { kind, .. } => half(kind),
                _ => false,
            };
            Argument {
                option,
                keyword: transom_commands::option_name(option),
                value: value(host, call, option, kind),
                short,
                address: call.address_of(option).unwrap_or(0),
                bytes,
            }
        });
        Self {
            verb: format!("EXEC CICS {name}"),
            name: name.to_owned(),
            arguments: arguments.collect(),
            rows: Vec::new(),
            nohandle: call.nohandle(),
            line: call.line(),
            function: command.and_then(|c| c.fn_code_with(|option| call.has(option))),
        }
    }

    fn of_sql(call: &dyn SqlCall) -> Self {
        let view = call.statement();
        let (program, line) = (view.program, view.line);
        let mut rows = vec![
            "CALL TO RESOURCE MANAGER DSNCSQL".to_owned(),
            format!("DBRM={program}, STMT={line:05}"),
        ];
        rows.extend(prose::wrapped(view.text, &[SQL_CHARS]));
        let mut numbers = [0, 0];
        for (n, role) in call.roles().into_iter().enumerate() {
            let (kind, number) = match role {
                Role::Input => ("IVAR", &mut numbers[0]),
                Role::Output => ("OVAR", &mut numbers[1]),
                _ => continue,
            };
            *number += 1;
            let bytes = call.bytes(n);
            let item = format!("{:?}", call.item(n).kind).to_ascii_uppercase();
            let item = item.split([' ', '{']).next().unwrap_or_default().to_owned();
            rows.push(format!(
                "{kind} {number:03}: TYPE={item:9} LEN={:05} AT X'{:08X}'",
                bytes.len(),
                bytes.as_ptr() as usize,
            ));
            let start = bytes.get(..SHOWN_HEX).unwrap_or(bytes);
            rows.push(format!(
                "          DATA={}  '{}'",
                hex_of(start),
                printable(start)
            ));
        }
        let verb = view.text.split_whitespace().next().unwrap_or_default();
        let area = call
            .roles()
            .into_iter()
            .position(|role| role == Role::Sqlca);
        if let Some(code) = area.and_then(|n| sqlcode(call.bytes(n), view.has(FLAG_NATIVE))) {
            rows.push(format!("SQLCODE = {code:+}"));
        }
        Self {
            verb: format!("EXEC SQL {}", verb.to_ascii_uppercase()),
            name: format!("SQL {}", verb.to_ascii_uppercase()),
            rows,
            line,
            ..Self::default()
        }
    }

    /// Values as they are now, but for constants that were typed over.
    pub(super) fn retake(
        &mut self,
        host: &dyn Host,
        statement: &Statement<'_>,
        edited: &[(OptionId, Edited)],
    ) {
        let mut new = Self::of(host, statement);
        for (new, old) in new.arguments.iter_mut().zip(&mut self.arguments) {
            if edited.iter().any(|(option, _)| *option == old.option) {
                std::mem::swap(&mut new.value, &mut old.value);
            }
        }
        *self = new;
    }

    /// Values as they are now: the program of a LINK may have changed them.
    pub(super) fn again(&mut self, host: &dyn Host) {
        for argument in &mut self.arguments {
            if let Value::Text(bytes) = &mut argument.value
                && host.reach(argument.address, bytes.len(), false) == bytes.len()
            {
                *bytes = host.memory(argument.address, bytes.len()).to_vec();
            }
        }
    }

    /// All rows behind the first.
    pub(super) fn rows(&self, hex: bool) -> Vec<Row> {
        let plain = |text: String| Row {
            text,
            value: None,
            behind: String::new(),
        };
        let arguments = self.arguments.iter().enumerate();
        let arguments = arguments.map(|(n, argument)| argument.row(n, hex));
        let nohandle = self.nohandle.then(|| plain(" NOHANDLE".to_owned()));
        let rows = self.rows.iter().cloned().map(plain);
        arguments.chain(nohandle).chain(rows).collect()
    }

    /// Takes over what was typed over option `n`.
    pub(super) fn change(
        &mut self,
        (host, program): (&mut dyn Host, ProgramName),
        call: &mut dyn Call,
        (n, typed, hex): (usize, &str, bool),
    ) -> Change {
        let (_, constants) = records(host, program);
        let Some(argument) = self.arguments.get_mut(n) else {
            return Change::Done;
        };
        let refused = Change::NoValue(argument.keyword);
        let bytes = argument.bytes;
        let at = argument.address;
        let inside = |record: &Area| (record.address..record.address + record.bytes).contains(&at);
        let there =
            bytes > 0 && host.reach(at, bytes, true) == bytes && !constants.iter().any(inside);
        match &mut argument.value {
            Value::Number(now) => {
                let new = if hex { None } else { read_number(typed) };
                let Some(new) = new else { return refused };
                *now = new;
                if !there {
                    return Change::Constant(argument.option, Edited::Number(new));
                }
                call.set_number(argument.option, new);
                *now = call.number(argument.option).unwrap_or(new);
            }
            Value::Text(now) => {
                let length = now.len().min(if hex { SHOWN_HEX } else { SHOWN_BYTES });
                let new = match hex {
                    true => read_hex(typed),
                    false => read_text(typed).map(|typed| read_bytes(&now[..length], &typed)),
                };
                let Some(new) = new.filter(|new| new.len() == length) else {
                    return refused;
                };
                now[..length].copy_from_slice(&new);
                if !there {
                    return Change::Constant(argument.option, Edited::Text(now.clone()));
                }
                host.memory_mut(argument.address, length)
                    .copy_from_slice(&new);
            }
            Value::None | Value::Label | Value::Secret | Value::Pointer(_) => return refused,
        }
        Change::Done
    }
}

impl Argument {
    fn row(&self, n: usize, hex: bool) -> Row {
        let keyword = self.keyword;
        let at = match hex && self.address != 0 && self.value != Value::Secret {
            true => format!(" AT X'{:08X}'", self.address),
            false => String::new(),
        };
        let (shown, changes) = match &self.value {
            Value::None => (String::new(), false),
            Value::Label => ("()".to_owned(), false),
            Value::Secret => ("('********')".to_owned(), false),
            Value::Number(number) if hex => (format!("(X'{number:08X}')"), false),
            Value::Number(number) => (number_of(*number, self.short), true),
            Value::Pointer(address) => (format!("(X'{address:08X}')"), false),
            Value::Text(bytes) => {
                let most = if hex { SHOWN_HEX } else { SHOWN_BYTES };
                let start = bytes.get(..most).unwrap_or(bytes);
                let more = if start.len() < self.bytes { "..." } else { "" };
                (shown_as(start, hex, more), !bytes.is_empty())
            }
        };
        let (text, value) = match changes {
            true => (format!(" {keyword}"), Some((n, shown))),
            false => (format!(" {keyword} {shown}").trim_end().to_owned(), None),
        };
        Row {
            text,
            value,
            behind: at,
        }
    }
}

/// Bytes of a field that are there to be read; nothing happens where there are none.
fn field(host: &dyn Host, call: &dyn Call, option: OptionId) -> usize {
    let Some(address) = call.address_of(option).filter(|address| *address != 0) else {
        return 0;
    };
    match host.reach(address, 1, false) {
        0 => 0,
        _ => call.bytes(option).map_or(0, <[u8]>::len),
    }
}

fn value(host: &dyn Host, call: &dyn Call, option: OptionId, kind: ArgKind) -> Value {
    if SECRETS.contains(&option) {
        return Value::Secret;
    }
    let there = field(host, call, option) > 0;
    let number = || call.number(option).filter(|_| there).map(Value::Number);
    let text = || {
        let bytes = call.bytes(option).filter(|_| there).unwrap_or_default();
        Value::Text(bytes.get(..SHOWN_BYTES).unwrap_or(bytes).to_vec())
    };
    match kind {
        ArgKind::None => Value::None,
        ArgKind::Label => Value::Label,
        ArgKind::PtrRef | ArgKind::PtrValue => {
            Value::Pointer(call.pointer(option).filter(|_| there).unwrap_or(0))
        }
        ArgKind::Cvda | ArgKind::CvdaOut => number().unwrap_or(Value::None),
        ArgKind::Name(_) => text(),
        ArgKind::DataValue { kind } | ArgKind::DataArea { kind, .. } => match kind {
            DataKind::Halfword
            | DataKind::Fullword
            | DataKind::Doubleword
            | DataKind::Packed(_) => number().unwrap_or_else(text),
            DataKind::Pointer => {
                Value::Pointer(call.pointer(option).filter(|_| there).unwrap_or(0))
            }
            DataKind::Char(_) | DataKind::Bytes => text(),
        },
    }
}

/// SQLCODE of an SQLCA: behind SQLCAID and SQLCABC.
fn sqlcode(area: &[u8], native: bool) -> Option<i32> {
    let bytes = *area.get(12..)?.first_chunk()?;
    Some(match native {
        true => i32::from_le_bytes(bytes),
        false => i32::from_be_bytes(bytes),
    })
}
