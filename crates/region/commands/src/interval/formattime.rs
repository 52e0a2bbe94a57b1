//! EXEC CICS FORMATTIME: an ABSTIME as dates, times and texts.
//!
//! DATESEP without argument means `/`, TIMESEP `:`; without the option there is no separator.
//! DATE, FULLDATE and DATEFORM follow DATFORM of the SIT.
//! Condition: INVREQ 1 (ABSTIME negative or not a number), 2 (STRINGFORMAT not known).

use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::{OptionId, opt};
use transom_types::Resp;
use transom_types::calendar::{ABSTIME_MAX, DAYS, DateTime, MONTHS};
use transom_wire::definitions::DateForm;

/// The command.
pub(crate) fn formattime(cx: &mut Cx<'_>) -> Done {
    let abstime = cx.number(opt::ABSTIME).unwrap_or(-1);
    if !(0..=ABSTIME_MAX).contains(&abstime) {
        return raise(Resp::INVREQ, 1);
    }
    let at = DateTime::from_abstime(abstime);
    dates(cx, &at);
    if cx.has(opt::TIME) {
        let separator = separator(cx, opt::TIMESEP, b':');
        let mut text = Text::new();
        text.digits(at.hour, 2)
            .push(separator)
            .digits(at.minute, 2)
            .push(separator);
        text.digits(at.second, 2);
        cx.set_bytes(opt::TIME, text.bytes(), b' ');
    }
    numbers(cx, &at);
    if cx.has(opt::DATESTRING) {
        let Some(text) = date_string(cx) else {
            return raise(Resp::INVREQ, 2);
        };
        cx.set_text(opt::DATESTRING, &text);
    }
    NORMAL
}

fn numbers(cx: &mut Cx<'_>, at: &DateTime) {
    let rows = [
        (opt::DAYCOUNT, at.day_count),
        (opt::DAYOFWEEK, at.day_of_week),
        (opt::DAYOFMONTH, at.day),
        (opt::MONTHOFYEAR, at.month),
        (opt::YEAR, at.year),
        (opt::MILLISECONDS, at.millisecond),
    ];
    for (option, value) in rows {
        cx.set_number(option, i64::from(value));
    }
}

/// Parts of a date in the order a form shows them.
#[derive(Clone, Copy)]
enum Part {
    Year2,
    Year4,
    Month,
    Day,
    DayOfYear,
}

fn dates(cx: &mut Cx<'_>, at: &DateTime) {
    use Part::{Day, DayOfYear, Month, Year2, Year4};
    let separator = separator(cx, opt::DATESEP, b'/');
    let (name, date, full_date): (&str, &[Part], &[Part]) = match cx.region.facts.date_form {
        DateForm::MonthDayYear => ("MMDDYY", &[Month, Day, Year2], &[Month, Day, Year4]),
        DateForm::DayMonthYear => ("DDMMYY", &[Day, Month, Year2], &[Day, Month, Year4]),
        DateForm::YearMonthDay => ("YYMMDD", &[Year2, Month, Day], &[Year4, Month, Day]),
    };
    let rows: [(OptionId, &[Part]); 12] = [
        (opt::YYDDD, &[Year2, DayOfYear]),
        (opt::YYMMDD, &[Year2, Month, Day]),
        (opt::YYDDMM, &[Year2, Day, Month]),
        (opt::DDMMYY, &[Day, Month, Year2]),
        (opt::MMDDYY, &[Month, Day, Year2]),
        (opt::YYYYDDD, &[Year4, DayOfYear]),
        (opt::YYYYMMDD, &[Year4, Month, Day]),
        (opt::YYYYDDMM, &[Year4, Day, Month]),
        (opt::DDMMYYYY, &[Day, Month, Year4]),
        (opt::MMDDYYYY, &[Month, Day, Year4]),
        (opt::DATE, date),
        (opt::FULLDATE, full_date),
    ];
    for (option, parts) in rows {
        if !cx.has(option) {
            continue;
        }
        let mut text = Text::new();
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                text.push(separator);
            }
            match part {
                Year2 => text.digits(at.year % 100, 2),
                Year4 => text.digits(at.year, 4),
                Month => text.digits(at.month, 2),
                Day => text.digits(at.day, 2),
                DayOfYear => text.digits(at.day_of_year, 3),
            };
        }
        cx.set_bytes(option, text.bytes(), b' ');
    }
    cx.set_text(opt::DATEFORM, name);
}

/// The separator: none without the option, the default for the bare option.
fn separator(cx: &Cx<'_>, option: OptionId, default: u8) -> Option<u8> {
    cx.has(option).then(|| match cx.call.bytes(option) {
        Some([separator, ..]) => *separator,
        _ => default,
    })
}

/// DATESTRING in the form STRINGFORMAT names; RFC 1123 without it. All are UTC.
fn date_string(cx: &Cx<'_>) -> Option<String> {
    let form = |option, name: &str| cx.value_is(option, opt::STRINGFORMAT, name);
    let known = form(opt::RFC1123, "RFC1123") || !cx.has(opt::STRINGFORMAT);
    let cookie = form(opt::COOKIE, "COOKIE");
    let rfc850 = form(opt::RFC850, "RFC850");
    let asctime = form(opt::ASCTIME, "ASCTIME");
    let rfc3339 = form(opt::RFC3339, "RFC3339");
    let local = cx.number(opt::ABSTIME).unwrap_or(0);
    let at = DateTime::from_abstime(local - i64::from(cx.host.utc_offset_s()) * 1000);
    let day_name = DAYS.get(at.day_of_week as usize)?;
    let month = MONTHS.get(at.month as usize - 1)?;
    let time = format!("{:02}:{:02}:{:02}", at.hour, at.minute, at.second);
    if rfc3339 {
        return Some(format!(
            "{:04}-{:02}-{:02}T{time}.{:03}Z",
            at.year, at.month, at.day, at.millisecond
        ));
    }
    if cookie {
        return Some(format!(
            "{}, {:02}-{month}-{} {time} GMT",
            &day_name[..3],
            at.day,
            at.year
        ));
    }
    if rfc850 {
        let year = at.year % 100;
        return Some(format!(
            "{day_name}, {:02}-{month}-{year:02} {time} GMT",
            at.day
        ));
    }
    if asctime {
        return Some(format!(
            "{} {month} {:2} {time} {}",
            &day_name[..3],
            at.day,
            at.year
        ));
    }
    known.then(|| {
        format!(
            "{}, {:02} {month} {} {time} GMT",
            &day_name[..3],
            at.day,
            at.year
        )
    })
}

/// A short text on the stack; the separator may be any byte.
struct Text([u8; 16], usize);

impl Text {
    fn new() -> Self {
        Self([b' '; 16], 0)
    }

    fn push(&mut self, byte: Option<u8>) -> &mut Self {
        if let (Some(byte), Some(slot)) = (byte, self.0.get_mut(self.1)) {
            *slot = byte;
            self.1 += 1;
        }
        self
    }

    fn digits(&mut self, value: u32, digits: u32) -> &mut Self {
        for power in (0..digits).rev() {
            self.push(Some(b'0' + (value / 10u32.pow(power) % 10) as u8));
        }
        self
    }

    fn bytes(&self) -> &[u8] {
        &self.0[..self.1]
    }
}
