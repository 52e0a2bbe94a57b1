//! The report as one self-contained HTML page, for who decides and not only for who measured.
//!
//! What: the head, a verdict in one sentence, failures before anything else, figures, plots in two
//! columns, tables. Why one layout: runs over HTTP and with terminals are read side by side. Not
//! here: what a run says (`report`, `terminals/page`), how plots are drawn (`plot`).

mod style;

use crate::cpu::ProcessCpu;
use crate::machine::Machine;
use crate::moments::{Moment, Share};
use crate::plot::{Series, bars, escape, number, plot};
use style::STYLE;

/// What is on a page.
pub(crate) struct Page<'a> {
    pub(crate) title: &'a str,
    pub(crate) machine: &'a Machine,
    /// Whether the run was good, and why, in one sentence.
    pub(crate) verdict: (bool, String),
    /// More about the run, beside date and machine.
    pub(crate) facts: Vec<(&'static str, String)>,
    /// What failed; empty: nothing.
    pub(crate) failures: String,
    /// Figures of the last step: what, value, and a line below.
    pub(crate) tiles: Vec<(&'static str, String, String)>,
    pub(crate) plots: Vec<String>,
    /// Heading and contents.
    pub(crate) sections: Vec<(String, String)>,
    /// How to read it.
    pub(crate) note: &'a str,
}

impl Page<'_> {
    /// The page.
    pub(crate) fn html(&self) -> String {
        let machine = self.machine;
        let head = [&machine.date, &machine.host, &machine.cpu];
        let head: String = head.map(|text| escape(text) + " &middot; ").concat();
        let facts: String = self
            .facts
            .iter()
            .map(|(name, value)| format!("<div><dt>{name}</dt><dd>{}</dd></div>", escape(value)))
            .collect();
        let tiles: String = self
            .tiles
            .iter()
            .map(|(name, value, below)| {
                let (value, below) = (escape(value), escape(below));
                format!("<div><span>{name}</span><b>{value}</b><small>{below}</small></div>")
            })
            .collect();
        let plots: String = self
            .plots
            .iter()
            .map(|svg| format!("<figure>{svg}</figure>"))
            .collect();
        let sections: String = self
            .sections
            .iter()
            .map(|(heading, html)| format!("<h2>{}</h2>{html}", escape(heading)))
            .collect();
        let failures = match self.failures.is_empty() {
            true => String::new(),
            false => format!(
                "<section class=\"failed\"><h2>What failed</h2>{}</section>",
                self.failures
            ),
        };
        format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" \
             content=\"width=device-width\"><title>{title}</title><style>{STYLE}</style><main><h1>{title}</h1>\
             <p class=\"head\">{head}version {version}</p><p><code>{command}</code></p>\
             <p class=\"verdict {class}\">{verdict}</p>{failures}<section class=\"tiles\">{tiles}</section>\
             <section class=\"plots\">{plots}</section>{sections}<h2>The run</h2><dl>{facts}</dl><p class=\"note\">{note}</p></main></html>\n",
            title = escape(self.title),
            class = if self.verdict.0 { "good" } else { "bad" },
            verdict = escape(&self.verdict.1),
            version = escape(&machine.version),
            command = escape(&machine.command),
            note = escape(self.note),
        )
    }
}

/// What the last step looked like: its course, its response times, who used the processors.
pub(crate) fn at_full_load(
    what: &str,
    moments: &[Moment],
    shares: &[Share],
    used: &[ProcessCpu],
) -> Vec<String> {
    let mut all = course(what, moments);
    all.extend(spread(shares));
    all.extend(processors(used));
    all
}

/// A step as it went: rate, slow ones, failures where there are any.
fn course(what: &str, moments: &[Moment]) -> Vec<String> {
    if moments.len() < 2 {
        return Vec::new();
    }
    let line = |name: &str, value: fn(&Moment) -> f64| Series {
        name: name.to_owned(),
        points: moments.iter().map(|m| (m.at_s, value(m))).collect(),
    };
    let time = "seconds since measuring began";
    let rate = format!("{what} per second, as it went");
    let mut all = vec![
        plot(
            &rate,
            time,
            &format!("{what}/s"),
            &[line("rate", |m| m.per_s)],
        ),
        plot(
            "Slow ones, as it went",
            time,
            "ms, 99 of 100 within",
            &[line("p99", |m| m.p99_ms)],
        ),
    ];
    if moments.iter().any(|m| m.failures > 0) {
        let failed = [line("failures", |m| m.failures as f64)];
        all.push(plot("Failures, as they came", time, "failures", &failed));
    }
    all
}

/// How response times are spread, where there is more than one bar.
fn spread(shares: &[Share]) -> Option<String> {
    let name = |share: &Share| number(share.from_ms);
    let all: Vec<(String, f64)> = shares.iter().map(|s| (name(s), s.percent)).collect();
    let title = "Distribution of response times";
    (all.len() > 1).then(|| bars(title, "from so many ms on", "% of all", &all))
}

/// CPU by process: one bar for each, and what it is of the sum.
fn processors(all: &[ProcessCpu]) -> Option<String> {
    let rows: Vec<(String, f64)> = all.iter().map(|p| (process(&p.name), p.percent)).collect();
    let title = "CPU by process (100 % = one processor)";
    (rows.len() > 1).then(|| bars(title, "", "% of one processor", &rows))
}

/// The same as a table.
pub(crate) fn processes(what: &str, all: &[ProcessCpu]) -> String {
    let rows: String = all
        .iter()
        .map(|p| {
            let name = escape(&process(&p.name));
            format!(
                "<tr><td>{name}<td>{:.1}<td>{:.4}</tr>",
                p.percent, p.each_ms
            )
        })
        .collect();
    format!(
        "<table class=\"narrow\"><thead><tr><th>process<th>CPU %<th>CPU ms/{what}</tr></thead>{rows}</table>"
    )
}

/// `@3270` in words.
fn process(name: &str) -> String {
    match name.strip_prefix('@') {
        Some(port) => format!("listener of port {port}"),
        None => name.to_owned(),
    }
}

/// `12,345`.
pub(crate) fn whole(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_stands_first_and_texts_are_no_html() {
        let page = |failures: &str| {
            let page = Page {
                title: "<b>",
                machine: &Machine::default(),
                verdict: (failures.is_empty(), "a & b".into()),
                facts: vec![("Host", "<i>".into())],
                failures: failures.to_owned(),
                tiles: Vec::new(),
                plots: Vec::new(),
                sections: Vec::new(),
                note: "",
            };
            page.html()
        };
        let good = page("");
        assert!(good.contains("<h1>&lt;b&gt;</h1>") && good.contains("<dd>&lt;i&gt;</dd>"));
        assert!(
            good.contains("class=\"verdict good\">a &amp; b<") && !good.contains("What failed")
        );
        let bad = page("<p>7 timeout</p>");
        assert!(bad.contains("class=\"verdict bad\""));
        assert!(bad.find("7 timeout") < bad.find("class=\"tiles\""));
    }

    #[test]
    fn no_plot_has_one_point() {
        let moment = Moment {
            at_s: 1.0,
            per_s: 2.0,
            p99_ms: 3.0,
            failures: 0,
        };
        assert!(course("screens", std::slice::from_ref(&moment)).is_empty());
        assert_eq!(
            course("screens", &[moment.clone(), moment.clone()]).len(),
            2
        );
        let failed = Moment {
            failures: 1,
            ..moment
        };
        assert_eq!(course("screens", &[failed.clone(), failed]).len(), 3);
        let share = Share {
            from_ms: 1.0,
            percent: 100.0,
        };
        assert!(spread(&[share]).is_none() && processors(&[]).is_none());
        assert_eq!(whole(1_234_567.4), "1,234,567");
        assert_eq!(whole(12.0), "12");
    }
}
