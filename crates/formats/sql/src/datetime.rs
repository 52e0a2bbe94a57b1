//! Dates, times and timestamps as strings: what Db2 reads, and the one form it is kept in.
//!
//! Why: `'2005-04-01'`, `'04/01/2005'` and `'01.04.2005'` are one date, and an engine compares
//! texts. Not here: arithmetic, LOCAL formats.

/// -180: the value is invalid; -181: the string is none.
type Read = Result<String, i32>;

/// A date in ISO, USA, EUR or JIS form: `YYYY-MM-DD`.
pub fn date(text: &str) -> Read {
    let text = text.trim_end();
    let (separator, order) = match text {
        t if t.contains('-') => ('-', [0, 1, 2]),
        t if t.contains('/') => ('/', [2, 0, 1]),
        t if t.contains('.') => ('.', [2, 1, 0]),
        _ => return Err(-180),
    };
    let parts: Vec<&str> = text.split(separator).collect();
    if parts.len() == 4 || parts.len() > 4 && separator == '-' {
        // A timestamp stands for its date.
        return Ok(timestamp(text)?[..10].to_owned());
    }
    let [Some(year), Some(month), Some(day)] = order.map(|n| parts.get(n)) else {
        return Err(-180);
    };
    if parts.len() != 3 || year.len() != 4 {
        return Err(-180);
    }
    let (year, month, day) = (number(year, 4)?, number(month, 2)?, number(day, 2)?);
    if !(1..=12).contains(&month) || day == 0 || day > days(year, month) || year == 0 {
        return Err(-181);
    }
    Ok(format!("{year:04}-{month:02}-{day:02}"))
}

/// A time in ISO, EUR, JIS or USA form: `HH.MM.SS`.
pub fn time(text: &str) -> Read {
    let text = text.trim_end().to_uppercase();
    let (clock, half) = match text.strip_suffix("AM") {
        Some(clock) => (clock.trim_end(), Some(0)),
        None => match text.strip_suffix("PM") {
            Some(clock) => (clock.trim_end(), Some(12)),
            None => (text.as_str(), None),
        },
    };
    let separator = if clock.contains(':') { ':' } else { '.' };
    let parts: Vec<&str> = clock.split(separator).collect();
    if parts.len() > 3 || parts.len() < 2 && half.is_none() {
        return Err(-180);
    }
    let mut hour = number(parts[0], 2)?;
    let minute = parts.get(1).map_or(Ok(0), |t| number(t, 2))?;
    let second = parts.get(2).map_or(Ok(0), |t| number(t, 2))?;
    if let Some(half) = half {
        // Midnight at the end of a day is 12:00 AM, and 00:00 AM is that at its beginning.
        hour = match (hour, minute, half) {
            (0, 0, 0) => 0,
            (12, 0, 0) => 24,
            (1..=12, ..) => hour % 12 + half,
            _ => return Err(-181),
        };
    }
    let is_end = hour == 24 && minute == 0 && second == 0;
    if !(hour < 24 && minute < 60 && second < 60 || is_end) {
        return Err(-181);
    }
    Ok(format!("{hour:02}.{minute:02}.{second:02}"))
}

/// A timestamp: `YYYY-MM-DD-HH.MM.SS.NNNNNN` or `YYYYMMDDHHMMSS`. A blank or T between date and
/// time and colons are allowed, and the part behind the seconds may be shorter.
pub fn timestamp(text: &str) -> Read {
    let text = text.trim_end();
    if text.len() == 14 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let part = |from: usize| text.get(from..from + 2).unwrap_or_default();
        let day = date(&format!("{}-{}-{}", &text[..4], part(4), part(6)))?;
        let clock = time(&format!("{}.{}.{}", part(8), part(10), part(12)))?;
        return Ok(format!("{day}-{clock}.000000"));
    }
    if !text.is_char_boundary(10) || text.len() < 10 {
        return Err(-180);
    }
    let (day, rest) = text.split_at(10);
    if !day.contains('-') {
        return Err(-180);
    }
    let day = date(day)?;
    if rest.is_empty() {
        return Ok(format!("{day}-00.00.00.000000"));
    }
    let clock = rest
        .strip_prefix(['-', ' ', 'T'])
        .ok_or(-180)?
        .replace(':', ".");
    let mut parts = clock.splitn(4, '.');
    let hms: Vec<&str> = parts.by_ref().take(3).collect();
    if hms.len() != 3 {
        return Err(-180);
    }
    let clock = time(&hms.join("."))?;
    let fraction = parts.next().unwrap_or("");
    if fraction.len() > 12 || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return Err(-180);
    }
    let fraction: String = fraction.chars().chain("000000".chars()).take(6).collect();
    Ok(format!("{day}-{clock}.{fraction}"))
}

/// A timestamp of [`timestamp`] with blank and colons.
pub(crate) fn iso(timestamp: &str) -> String {
    let (day, rest) = timestamp.split_at(10);
    let clock = rest.trim_start_matches('-');
    format!("{day} {}", clock.replacen('.', ":", 2))
}

fn number(text: &str, most: usize) -> Result<u32, i32> {
    if text.is_empty() || text.len() > most || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(-180);
    }
    text.parse().map_err(|_| -180)
}

fn days(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
