//! What was seen, for people and as JSON.

use serde_json::json;
use std::fmt::Write as _;

/// How it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Ok,
    Note,
    Fault,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Note => "note",
            Self::Fault => "fault",
        }
    }
}

#[derive(Debug)]
struct Seen {
    check: &'static str,
    state: State,
    text: String,
    todo: String,
}

/// All of it, in the order it was seen.
#[derive(Debug, Default)]
pub(crate) struct Report(Vec<Seen>);

impl Report {
    pub(crate) fn ok(&mut self, check: &'static str, text: impl Into<String>) {
        self.add(State::Ok, check, text, "");
    }

    pub(crate) fn note(
        &mut self,
        check: &'static str,
        text: impl Into<String>,
        todo: impl Into<String>,
    ) {
        self.add(State::Note, check, text, todo);
    }

    pub(crate) fn fault(
        &mut self,
        check: &'static str,
        text: impl Into<String>,
        todo: impl Into<String>,
    ) {
        self.add(State::Fault, check, text, todo);
    }

    pub(crate) fn add(
        &mut self,
        state: State,
        check: &'static str,
        text: impl Into<String>,
        todo: impl Into<String>,
    ) {
        self.0.push(Seen {
            check,
            state,
            text: text.into(),
            todo: todo.into(),
        });
    }

    /// Notes and faults.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let count = |state| self.0.iter().filter(|seen| seen.state == state).count();
        (count(State::Note), count(State::Fault))
    }

    /// A line each; below it what to do.
    pub(crate) fn text(&self, dir: &str) -> String {
        let mut out = String::new();
        for seen in &self.0 {
            let _ = writeln!(
                out,
                "{:<6}{:<14}{}",
                seen.state.word(),
                seen.check,
                one_line(&seen.text)
            );
            if !seen.todo.is_empty() {
                let _ = writeln!(out, "{:20}-> {}", "", seen.todo);
            }
        }
        let (notes, faults) = self.counts();
        let _ = writeln!(out, "{dir}: {faults} faults, {notes} notes");
        out
    }

    /// One object.
    pub(crate) fn json(&self, dir: &str) -> String {
        let checks = self.0.iter().map(|seen| {
            json!({
                "check": seen.check,
                "state": seen.state.word(),
                "text": seen.text,
                "todo": seen.todo,
            })
        });
        let checks: Vec<_> = checks.collect();
        let (notes, faults) = self.counts();
        let all = json!({
            "directory": dir,
            "faults": faults,
            "notes": notes,
            "checks": checks,
        });
        format!("{all:#}\n")
    }

    #[cfg(test)]
    pub(crate) fn said(&self) -> Vec<(&'static str, State, &str)> {
        let seen = self.0.iter();
        seen.map(|s| (s.check, s.state, s.text.as_str())).collect()
    }
}

/// What other programs and files say steers no terminal.
fn one_line(text: &str) -> String {
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_says_how_it_is_and_what_to_do() {
        let mut report = Report::default();
        report.ok("cobc", "3.2");
        report.fault("ports", "port 1 is\u{1b}[2J taken", "end it");
        assert_eq!(
            report.text("bank"),
            "ok    cobc          3.2\nfault ports         port 1 is [2J taken\n                    -> \
             end it\nbank: 1 faults, 0 notes\n"
        );
        let json: serde_json::Value = serde_json::from_str(&report.json("bank")).unwrap();
        assert_eq!(json["checks"][1]["state"], "fault");
        assert_eq!((&json["faults"], &json["notes"]), (&1.into(), &0.into()));
    }
}
