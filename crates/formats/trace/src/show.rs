//! Entries for people: one line each, several lines each, or JSON.
//!
//! What: [`line`], [`full`], [`json`]. Why here: a dump and `transom trace` show them alike. Not
//! here: which entries are shown.

use crate::entry::{Entry, Point};
use std::fmt::Write as _;
use transom_types::Resp;

/// Heads the lines of [`line`].
pub const HEADING: &str = "TIME            TASK    TRAN CP POINT     PROGRAM    LINE  WHAT";

/// Characters of a line in front of the transaction: time and task number.
pub const BEHIND_TASK: usize = 24;

/// One line. `offset_s`: seconds that local time is east of UTC.
pub fn line(entry: &Entry, offset_s: i32) -> String {
    let mut line = format!(
        "{} {:>7} {} {} {:9} {:8} {:>6}  ",
        time(entry.time_ns, offset_s),
        entry.task,
        characters(&entry.transid, 4),
        entry.component,
        entry.point.name(),
        characters(&program(entry), 8),
        match entry.point {
            Point::Data => 0,
            _ => entry.line,
        },
    );
    line.push_str(&what(entry));
    line.truncate(line.trim_end().len());
    line
}

/// What happened, in words.
pub fn what(entry: &Entry) -> String {
    let resource = characters(&entry.resource, 0);
    let resp = || format!("{} {}", Resp(entry.resp), entry.resp2);
    match entry.point {
        Point::Attach | Point::LinkReturn => String::new(),
        Point::Detach if resource.is_empty() => "normal".to_owned(),
        Point::Detach | Point::Abend => format!("abend {resource}"),
        Point::CommandEntry => command(entry),
        Point::CommandExit => join(&[&command(entry), &resp(), &resource]),
        Point::RequestEntry => resource,
        Point::RequestExit => join(&[&resource, &resp()]),
        Point::Suspend | Point::Resume | Point::SqlEntry => resource,
        Point::SqlExit => format!("SQLCODE {}", entry.resp2 as i32),
        Point::User | Point::UserException => {
            let data = match entry.resp2 {
                0 => String::new(),
                bytes => format!("{bytes} bytes"),
            };
            join(&[&format!("TRACENUM {:03}", entry.resp), &resource, &data])
        }
        Point::Data => {
            let data = entry.user_data();
            format!("{} *{}*", hexadecimal(&data), characters(&data, 0))
        }
    }
}

/// Several lines: the line, and every field under its name.
pub fn full(entry: &Entry, offset_s: i32) -> String {
    let mut text = line(entry, offset_s);
    if entry.point != Point::Data {
        let _ = write!(
            text,
            "\n    {} {}, resource '{}' X'{}', RESP {} RESP2 {}, entry {}",
            entry.component,
            entry.component.title(),
            characters(&entry.resource, 8),
            hexadecimal(&entry.resource),
            entry.resp,
            entry.resp2,
            entry.number,
        );
    }
    text
}

/// One object of JSON, without line end.
pub fn json(entry: &Entry, worker: u16) -> String {
    let mut text = format!(
        "{{\"time_ns\":{},\"worker\":{worker},\"entry\":{},\"task\":{},\"transaction\":{},\
         \"component\":\"{}\",\"point\":\"{}\"",
        entry.time_ns,
        entry.number,
        entry.task,
        quoted(&characters(&entry.transid, 0)),
        entry.component,
        entry.point.name(),
    );
    if entry.point == Point::Data {
        let _ = write!(text, ",\"data\":\"{}\"}}", hexadecimal(&entry.user_data()));
        return text;
    }
    let _ = write!(
        text,
        ",\"program\":{},\"line\":{},\"resource\":{}",
        quoted(&characters(&entry.program, 0)),
        entry.line,
        quoted(&characters(&entry.resource, 0)),
    );
    match entry.point {
        Point::CommandEntry => {
            let _ = write!(text, ",\"command\":{}", quoted(&command(entry)));
        }
        Point::CommandExit => {
            let _ = write!(text, ",\"command\":{}", quoted(&command(entry)));
            put_resp(&mut text, entry);
        }
        Point::RequestExit => put_resp(&mut text, entry),
        Point::SqlExit => {
            let _ = write!(text, ",\"sqlcode\":{}", entry.resp2 as i32);
        }
        Point::User | Point::UserException => {
            let (number, bytes) = (entry.resp, entry.resp2);
            let _ = write!(text, ",\"tracenum\":{number},\"bytes\":{bytes}");
        }
        _ => {}
    }
    text.push('}');
    text
}

fn put_resp(text: &mut String, entry: &Entry) {
    let (resp, resp2) = (Resp(entry.resp), entry.resp2);
    let _ = write!(text, ",\"resp\":\"{resp}\",\"resp2\":{resp2}");
}

/// The time of day with microseconds.
pub fn time(time_ns: u64, offset_s: i32) -> String {
    const DAY_US: i64 = 86_400_000_000;
    let local = (time_ns / 1_000) as i64 + i64::from(offset_s) * 1_000_000;
    let us = local.rem_euclid(DAY_US);
    let seconds = us / 1_000_000;
    format!(
        "{:02}:{:02}:{:02}.{:06}",
        seconds / 3_600,
        seconds / 60 % 60,
        seconds % 60,
        us % 1_000_000
    )
}

fn program(entry: &Entry) -> [u8; 8] {
    match entry.point {
        Point::Data => [b' '; 8],
        _ => entry.program,
    }
}

fn command(entry: &Entry) -> String {
    let id = transom_commands::CommandId(entry.command);
    transom_commands::command(id).map_or_else(|| "?".to_owned(), |known| known.name.to_owned())
}

fn join(parts: &[&str]) -> String {
    let parts = parts.iter().filter(|part| !part.is_empty());
    parts.copied().collect::<Vec<&str>>().join(" ")
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// Printable characters, blanks at the end off, or padded to `width`.
fn characters(bytes: &[u8], width: usize) -> String {
    let shown = bytes.iter().map(|byte| match byte {
        b' '..=b'~' => char::from(*byte),
        0 => ' ',
        _ => '.',
    });
    let text: String = shown.collect();
    format!("{:width$}", text.trim_end())
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Component;
    use transom_commands::cmd;

    fn read() -> Entry {
        Entry {
            number: 12,
            time_ns: 1_700_000_000_123_456_789,
            task: 42,
            transid: *b"PAY1",
            program: *b"PAYROLL ",
            line: 120,
            resource: *b"ACCOUNTS",
            command: cmd::READ.0,
            resp: Resp::NOTFND.0,
            resp2: 80,
            ..Entry::new(Component::EI, Point::CommandExit)
        }
    }

    #[test]
    fn a_line_and_its_json() {
        assert_eq!(
            line(&read(), 3_600),
            "23:13:20.123456      42 PAY1 EI EXIT      PAYROLL     120  READ NOTFND 80 ACCOUNTS"
        );
        assert_eq!(
            json(&read(), 2),
            "{\"time_ns\":1700000000123456789,\"worker\":2,\"entry\":12,\"task\":42,\
             \"transaction\":\"PAY1\",\"component\":\"EI\",\"point\":\"EXIT\",\
             \"program\":\"PAYROLL\",\"line\":120,\"resource\":\"ACCOUNTS\",\
             \"command\":\"READ\",\"resp\":\"NOTFND\",\"resp2\":80}"
        );
    }

    #[test]
    fn what_a_program_says_breaks_no_line() {
        let entry = Entry {
            resource: *b"A\"\\\n\x00\xFFB ",
            ..read()
        };
        assert!(!line(&entry, 0).contains('\n'));
        assert!(json(&entry, 1).contains("\"resource\":\"A\\\"\\\\. .B\""));
    }
}
