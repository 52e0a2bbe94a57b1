//! Which records are meant.

use clap::Args;
use transom_monitoring::{FieldId, Record, field};

/// Options of both commands.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Filter {
    /// Transactions, for example PAY* (more than one: separated by commas)
    #[arg(long, short, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) transaction: Vec<String>,
    /// Users
    #[arg(long, short, value_name = "NAMES", value_delimiter = ',')]
    user: Vec<String>,
    /// First programs
    #[arg(long, short, value_name = "NAMES", value_delimiter = ',')]
    program: Vec<String>,
    /// Terminals
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    terminal: Vec<String>,
    /// Only tasks that had an abend
    #[arg(long)]
    abended: bool,
    /// Only tasks whose response took longer, in milliseconds
    #[arg(long, value_name = "MS")]
    slower_than: Option<f64>,
    /// Only tasks that ended in the last so many seconds
    #[arg(long, value_name = "SECONDS")]
    last: Option<u64>,
}

impl Filter {
    /// From when on records are meant, in nanoseconds since 1970; `None`: from the first.
    pub(crate) fn begin_ns(&self, now_ns: u64) -> Option<u64> {
        let ns = |seconds: u64| seconds.saturating_mul(1_000_000_000);
        self.last.map(|seconds| now_ns.saturating_sub(ns(seconds)))
    }

    /// The record is meant. `now_ns`: since 1970.
    pub(crate) fn takes(&self, record: &Record, now_ns: u64) -> bool {
        let named = |patterns: &[String], id: FieldId| {
            patterns.is_empty() || patterns.iter().any(|p| fits(p, record.text(id)))
        };
        named(&self.transaction, field::TRAN)
            && named(&self.user, field::USERID)
            && named(&self.program, field::PGMNAME)
            && named(&self.terminal, field::TERM)
            && (!self.abended || !record.text(field::ABCODEC).is_empty())
            && self
                .slower_than
                .is_none_or(|ms| record.response_ns() as f64 > ms * 1e6)
            && self
                .begin_ns(now_ns)
                .is_none_or(|from| record.number(field::STOP) >= from)
    }
}

/// A name with `*` for any characters at the end and `+` for one; letters in either case.
pub(crate) fn fits(pattern: &str, name: &[u8]) -> bool {
    let (beginning, open) = match pattern.strip_suffix('*') {
        Some(beginning) => (beginning, true),
        None => (pattern, false),
    };
    let beginning = beginning.as_bytes();
    let length = name.len() >= beginning.len() && (open || name.len() == beginning.len());
    let same = |(p, n): (&u8, &u8)| *p == b'+' || p.eq_ignore_ascii_case(n);
    length && beginning.iter().zip(name).all(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_patterns() {
        assert!(fits("PAY*", b"PAY1") && fits("pay1", b"PAY1") && fits("P+Y*", b"PAY"));
        assert!(!fits("PAY", b"PAY1") && !fits("PAY11", b"PAY1") && !fits("PA+*", b"PA"));
    }

    #[test]
    fn all_that_is_asked_for_must_hold() {
        let mut record = Record::default();
        record
            .set_text(field::TRAN, b"PAY1")
            .set_text(field::USERID, b"SMITH")
            .set(field::START, 1_000_000_000)
            .set(field::STOP, 1_500_000_000);
        let mut filter = Filter {
            transaction: vec!["BUY*".into(), "PAY*".into()],
            slower_than: Some(400.0),
            ..Filter::default()
        };
        assert!(filter.takes(&record, 0));
        filter.user = vec!["JONES".into()];
        assert!(!filter.takes(&record, 0));
        let late = Filter {
            last: Some(1),
            ..Filter::default()
        };
        assert!(late.takes(&record, 2_000_000_000) && !late.takes(&record, 3_000_000_000));
    }
}
