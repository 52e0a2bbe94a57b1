//! Moments as texts: `2026-11-22 13:45:00 UTC`.
//!
//! Not here: the clock.

use transom_types::Date;

const DAY_SECONDS: u64 = 86_400;

/// A moment for people.
pub(crate) fn utc(unix_ms: u64) -> String {
    let seconds = unix_ms / 1_000;
    let day = i64::try_from(seconds / DAY_SECONDS).unwrap_or(0);
    let Date { year, month, day } = Date::from_days(day);
    let rest = seconds % DAY_SECONDS;
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// Milliseconds since 1970 of `2026-11-22T13:45:00Z`, with `+01:00` in place of `Z`, with or
/// without seconds and parts of them; a blank may stand for the `T`. `None`: it is no such moment.
pub fn moment(text: &str) -> Option<u64> {
    let (date, rest) = text.split_at_checked(10)?;
    let mut parts = date.split('-');
    let mut number = |digits: usize| {
        let part = parts.next().filter(|p| p.len() == digits)?;
        digits_of(part)
    };
    let (year, month, day) = (number(4)?, number(2)?, number(2)?);
    let date = Date::new(year as i64, month as u32, day as u32)?;
    let rest = rest.strip_prefix(['T', ' '])?;
    let at = rest.find(['Z', '+', '-', ' '])?;
    let (clock, zone) = rest.split_at(at);
    let minutes = match zone.trim_start() {
        "Z" | "UTC" => 0,
        zone => {
            let (sign, ahead) = match zone.strip_prefix('-') {
                Some(ahead) => (-1, ahead),
                None => (1, zone.strip_prefix('+')?),
            };
            let (hours, minutes) = ahead.split_once(':')?;
            let (hours, minutes) = (digits_of(hours)?, digits_of(minutes)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            sign * (hours * 60 + minutes) as i64
        }
    };
    let (clock, ms) = match clock.split_once('.') {
        Some((clock, part)) => (clock, thousandths(part)?),
        None => (clock, 0),
    };
    let mut parts = clock.split(':').map(digits_of);
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().unwrap_or(Some(0))?;
    if hour > 23 || minute > 59 || second > 59 || parts.next().is_some() {
        return None;
    }
    let seconds = (hour * 3_600 + minute * 60 + second) as i64;
    let seconds = date.days() * DAY_SECONDS as i64 + seconds - minutes * 60;
    u64::try_from(seconds).ok().map(|s| s * 1_000 + ms)
}

fn digits_of(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.len() <= 4 && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

fn thousandths(part: &str) -> Option<u64> {
    let three = format!("{part:0<3}");
    digits_of(three.get(..3)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_and_shown() {
        let noon = moment("2026-11-22T12:00:00Z").unwrap();
        assert_eq!(utc(noon), "2026-11-22 12:00:00 UTC");
        assert_eq!(moment(&utc(noon)), Some(noon));
        assert_eq!(moment("2026-11-22 13:00+01:00"), Some(noon));
        assert_eq!(moment("2026-11-22T07:00:00.25-05:00"), Some(noon + 250));
        for bad in [
            "",
            "now",
            "2026-11-22",
            "2026-11-22T12:00:00",
            "2026-02-30T12:00Z",
            "2026-11-22T24:00Z",
            "2026-11-22 12:00 11:00",
            "2026-11-22T12:00+01:60",
            "2026-11-22T12:00+0100",
        ] {
            assert_eq!(moment(bad), None, "{bad}");
        }
    }
}
