//! Figures as Prometheus reads them: the text exposition format, version 0.0.4.
//!
//! What: families with their type and help, samples with labels, histograms. Why by hand: a scrape
//! of thousands of histograms is some megabytes of text, made in milliseconds. Nothing a user, a
//! program or a file chose can end a line or a label. Not here: which figures there are.

use crate::histogram::{BOUNDS_NS, Reading};
use std::fmt::Write as _;

/// What a family is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Only ever more, until the process ends.
    Counter,
    /// More or less.
    Gauge,
    /// How often up to which bound.
    Histogram,
    /// Nobody has said.
    Untyped,
}

/// Text under construction.
#[derive(Debug, Default)]
pub struct Exposition {
    text: String,
    family: String,
    samples: usize,
    /// Labels of a histogram, kept for their room.
    labels: String,
}

impl Exposition {
    /// A text for which so many bytes are set aside.
    pub fn with_capacity(bytes: usize) -> Self {
        Self {
            text: String::with_capacity(bytes),
            ..Self::default()
        }
    }

    /// Begins a family; its samples follow. The name has the letters, digits and underscores that
    /// Prometheus allows: other characters become underscores.
    pub fn family(&mut self, name: &str, kind: Kind, help: &str) {
        self.family.clear();
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        self.family.extend(name.chars().map(plain));
        let kind = match kind {
            Kind::Counter => "counter",
            Kind::Gauge => "gauge",
            Kind::Histogram => "histogram",
            Kind::Untyped => "untyped",
        };
        self.text.push_str("# HELP ");
        self.text.push_str(&self.family);
        self.text.push(' ');
        escape(&mut self.text, help, false);
        let _infallible = writeln!(self.text, "\n# TYPE {} {kind}", self.family);
    }

    /// A value of the family.
    pub fn sample(&mut self, labels: &[(&str, &str)], value: u64) {
        self.named(labels);
        put_number(&mut self.text, value);
        self.text.push('\n');
        self.samples += 1;
    }

    /// A value of the family in seconds.
    pub fn seconds(&mut self, labels: &[(&str, &str)], ns: u64) {
        self.named(labels);
        put_seconds(&mut self.text, ns);
        self.text.push('\n');
        self.samples += 1;
    }

    /// The family with labels, in front of a value.
    fn named(&mut self, labels: &[(&str, &str)]) {
        self.text.push_str(&self.family);
        if !labels.is_empty() {
            self.text.push('{');
            put_labels(&mut self.text, labels);
            self.text.push('}');
        }
        self.text.push(' ');
    }

    /// A histogram of the family, in seconds.
    pub fn histogram(&mut self, labels: &[(&str, &str)], reading: &Reading) {
        self.labels.clear();
        put_labels(&mut self.labels, labels);
        let Self {
            text,
            family,
            labels,
            ..
        } = self;
        let mut below = 0;
        let bounds = BOUNDS.iter().copied().chain(["+Inf"]);
        for (bound, count) in bounds.zip(reading.counts) {
            below += count;
            text.push_str(family);
            text.push_str("_bucket{");
            text.push_str(labels);
            text.push_str(if labels.is_empty() { "le=\"" } else { ",le=\"" });
            text.push_str(bound);
            text.push_str("\"} ");
            put_number(text, below);
            text.push('\n');
        }
        for end in ["_sum", "_count"] {
            text.push_str(family);
            text.push_str(end);
            if !labels.is_empty() {
                text.push('{');
                text.push_str(labels);
                text.push('}');
            }
            text.push(' ');
            match end {
                "_sum" => put_seconds(text, reading.sum_ns),
                _ => put_number(text, below),
            }
            text.push('\n');
        }
        self.samples += reading.counts.len() + 2;
    }

    /// Samples so far: series, as whoever stores them counts.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// The text.
    pub fn into_text(self) -> String {
        self.text
    }
}

/// [`BOUNDS_NS`] as they are written; a test holds both together.
const BOUNDS: [&str; BOUNDS_NS.len()] = [
    "0.00025", "0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "1",
    "5", "30",
];

fn put_labels(out: &mut String, labels: &[(&str, &str)]) {
    for (n, (name, value)) in labels.iter().enumerate() {
        if n > 0 {
            out.push(',');
        }
        out.push_str(name);
        out.push_str("=\"");
        escape(out, value, true);
        out.push('"');
    }
}

/// Backslash, line end and, inside a label, quotation mark.
fn escape(out: &mut String, text: &str, quoted: bool) {
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '"' if quoted => out.push_str("\\\""),
            c => out.push(c),
        }
    }
}

fn put_number(out: &mut String, mut value: u64) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend(digits[at..].iter().map(|digit| char::from(*digit)));
}

/// Nanoseconds as seconds, exact.
fn put_seconds(out: &mut String, ns: u64) {
    put_number(out, ns / 1_000_000_000);
    let fraction = ns % 1_000_000_000;
    if fraction != 0 {
        let _infallible = write!(out, ".{fraction:09}");
        out.truncate(out.trim_end_matches('0').len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Histogram;
    use std::time::Duration;

    #[test]
    fn bounds_are_written_as_they_are() {
        for (text, ns) in BOUNDS.iter().zip(BOUNDS_NS) {
            let mut out = String::new();
            put_seconds(&mut out, ns);
            assert_eq!(out, *text);
        }
    }

    #[test]
    fn a_text_is_what_prometheus_documents() {
        let times = Histogram::default();
        times.saw(Duration::from_micros(300));
        times.saw(Duration::from_secs(90));
        let mut out = Exposition::default();
        out.family("transom_tasks", Kind::Gauge, "Tasks\\now.\nAll.");
        out.sample(&[], 0);
        out.family("transom_file requests", Kind::Counter, "By file.");
        out.sample(&[("file", "A\"B\\C\nD"), ("request", "read")], u64::MAX);
        out.family("t", Kind::Histogram, "x");
        out.histogram(&[("transaction", "PAY1")], &times.read());
        assert_eq!(out.samples(), 18);
        let text = out.into_text();
        let first = "# HELP transom_tasks Tasks\\\\now.\\nAll.\n# TYPE transom_tasks gauge\n\
                     transom_tasks 0\n# HELP transom_file_requests By file.\n\
                     # TYPE transom_file_requests counter\n\
                     transom_file_requests{file=\"A\\\"B\\\\C\\nD\",request=\"read\"} \
                     18446744073709551615\n";
        assert!(text.starts_with(first), "{text}");
        let lines: Vec<_> = text.lines().filter(|line| line.starts_with("t_")).collect();
        assert_eq!(lines[0], "t_bucket{transaction=\"PAY1\",le=\"0.00025\"} 0");
        assert_eq!(lines[1], "t_bucket{transaction=\"PAY1\",le=\"0.0005\"} 1");
        assert_eq!(lines[13], "t_bucket{transaction=\"PAY1\",le=\"+Inf\"} 2");
        assert_eq!(lines[14], "t_sum{transaction=\"PAY1\"} 90.0003");
        assert_eq!(lines[15], "t_count{transaction=\"PAY1\"} 2");
    }
}
