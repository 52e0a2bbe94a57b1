//! `[monitoring]`, `[trace]`, and the rules of `[service_classes]` and `[report_classes]`.

use crate::kind::{Kind, Name, Number};
use crate::problem::{Needed, SettingProblem};

settings! {
    /// Files of monitoring records, in the folder monitoring/ of the directory. MN and MNPER of
    /// [region] say whether there are any.
    pub struct MonitoringSettings in "[monitoring]" {
        /// A file that has become longer is followed by another one, {values} MB.
        file_megabytes: u64 = 64, Number(1, 65_536);
        /// Files that are kept, {values}; the oldest beyond them is deleted.
        files: usize = 16, Number(1, 10_000);
        /// Kilobytes of records that wait to be written, {values}. What there is no room for is
        /// lost and counted; the region does not wait.
        queue_kilobytes: usize = 8_192, Number(64, 1_048_576);
        /// Milliseconds that a record waits at most, {values}.
        flush_milliseconds: u64 = 500, Number(10, 60_000);
    }
}

settings! {
    /// Auxiliary trace: two data sets in the folder trace/ of the directory, DFHAUXT.trc and
    /// DFHBUXT.trc. INTTR, AUXTR, AUXTRSW, SYSTR and USERTR of [region] say what is traced.
    pub struct TraceSettings in "[trace]" {
        /// A data set of the auxiliary trace grows no longer, {values} MB.
        dataset_megabytes: u64 = 64, Number(1, 1_024);
    }
}

/// A line of `[service_classes]` or `[report_classes]`: which tasks are of a class, and its goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceRule {
    /// What of a task is looked at.
    pub subject: ServiceSubject,
    /// What it must be; `*` at the end: anything, `+`: one character.
    pub pattern: String,
    /// The class.
    pub class: String,
    /// Milliseconds that 90 % of its tasks may take; report classes have no goal.
    pub goal_ms: Option<u64>,
    /// Line in the file; the first rule that fits decides.
    pub line: usize,
}

/// What of a task a rule looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServiceSubject {
    Transaction,
    User,
    Program,
    Terminal,
    TranClass,
}

const SUBJECTS: &[(&str, ServiceSubject)] = &[
    ("TRANSACTION", ServiceSubject::Transaction),
    ("USER", ServiceSubject::User),
    ("PROGRAM", ServiceSubject::Program),
    ("TERMINAL", ServiceSubject::Terminal),
    ("TRANCLASS", ServiceSubject::TranClass),
];

/// Longest goal in seconds.
const GOAL_S_MAX: f64 = 86_400.0;

impl ServiceRule {
    /// Checks a line of `[report_classes]`.
    pub(crate) fn reported(key: &str, value: &str, line: usize) -> Result<Self, SettingProblem> {
        let rule = Self::of(key, value, line)?;
        match rule.goal_ms {
            None => Ok(rule),
            Some(_) => Err(SettingProblem::value(
                key,
                value,
                Needed("a class alone is needed: report classes have no goal".to_owned()),
            )),
        }
    }

    /// Checks a line of `[service_classes]`.
    pub(crate) fn of(key: &str, value: &str, line: usize) -> Result<Self, SettingProblem> {
        let wrong = |why: &str| SettingProblem::value(key, value, Needed(why.to_owned()));
        let upper = key.trim().to_ascii_uppercase();
        let (subject, pattern) = upper.split_once(' ').unwrap_or((&upper, ""));
        let known = SUBJECTS.iter().find(|(name, _)| *name == subject);
        let pattern = pattern.trim();
        let (Some((_, subject)), false) = (known, pattern.is_empty()) else {
            let names: Vec<&str> = SUBJECTS.iter().map(|(name, _)| *name).collect();
            return Err(wrong(&format!(
                "one of {} and a name are needed",
                names.join(", ")
            )));
        };
        let mut words = value.split_whitespace();
        let class = Name(8).check(words.next().unwrap_or_default());
        let class = class.map_err(|why| SettingProblem::value(key, value, why))?;
        let goal_ms = match words.next().map(str::parse::<f64>) {
            None => None,
            Some(Ok(seconds)) if seconds > 0.0 && seconds <= GOAL_S_MAX => {
                Some((seconds * 1_000.0).round().max(1.0) as u64)
            }
            Some(_) => return Err(wrong("a class and the seconds of its goal are needed")),
        };
        match words.next() {
            None => Ok(Self {
                subject: *subject,
                pattern: pattern.to_owned(),
                class,
                goal_ms,
                line,
            }),
            Some(_) => Err(wrong("a class and the seconds of its goal are needed")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_has_a_subject_a_class_and_maybe_a_goal() {
        let rule = ServiceRule::of("transaction PAY*", "CicsHi 0.5", 1).unwrap();
        assert_eq!(
            (rule.subject, rule.goal_ms),
            (ServiceSubject::Transaction, Some(500))
        );
        assert_eq!(
            (rule.pattern.as_str(), rule.class.as_str()),
            ("PAY*", "CICSHI")
        );
        assert_eq!(
            ServiceRule::of("USER SMITH", "LOW", 2).unwrap().goal_ms,
            None
        );
        for (key, value) in [
            ("TRANS PAY*", "A 1"),
            ("TRANSACTION", "A 1"),
            ("USER X", ""),
            ("USER X", "A -1"),
            ("USER X", "A 1 2"),
            ("USER X", "A NaN"),
        ] {
            assert!(ServiceRule::of(key, value, 3).is_err(), "{key} = {value}");
        }
        let reported = ServiceRule::reported("USER S*", "CLERKS", 1).unwrap();
        assert_eq!(
            (reported.class.as_str(), reported.goal_ms),
            ("CLERKS", None)
        );
        let refused = ServiceRule::reported("USER S*", "CLERKS 2", 1).unwrap_err();
        assert!(refused.to_string().contains("no goal"), "{refused}");
    }
}
