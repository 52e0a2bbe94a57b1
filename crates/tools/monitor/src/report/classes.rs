//! Service and report classes: rules that put tasks into classes, the former with goals.
//!
//! What: `[service_classes]` and `[report_classes]` of transom.toml, `"TRANSACTION PAY*" = "CICSHI
//! 0.5"`: the first rule that fits is that of the task. Why here and not in the region: rules can
//! be changed, and the records of yesterday seen by them. Not here: reading transom.toml
//! (`formats/settings`).

use crate::filter::fits;
use std::path::Path;
use transom_monitoring::{Record, field};
use transom_settings::{ServiceRule, ServiceSubject, Settings};

/// Tasks that no rule fits.
const OTHER: &str = "OTHER";

/// The rules.
#[derive(Debug, Default)]
pub(crate) struct Classes(Vec<ServiceRule>);

impl Classes {
    /// The rules of the service classes of a system directory.
    ///
    /// # Errors
    /// transom.toml cannot be read, or is wrong.
    pub(crate) fn of_service(dir: &Path) -> Result<Self, String> {
        Self::settings(dir).map(|settings| Self(settings.service_classes))
    }

    /// The rules of its report classes.
    ///
    /// # Errors
    /// As `of_service`.
    pub(crate) fn of_reports(dir: &Path) -> Result<Self, String> {
        Self::settings(dir).map(|settings| Self(settings.report_classes))
    }

    fn settings(dir: &Path) -> Result<Settings, String> {
        let path = dir.join("transom.toml");
        let text = std::fs::read_to_string(&path);
        let text = text.map_err(|why| transom_messages::mn::not_readable(path.display(), &why));
        let (settings, problems) = transom_settings::parse(&text.map_err(|m| m.to_string())?);
        match problems.first() {
            None => Ok(settings),
            Some(problem) => Err(problem.to_string()),
        }
    }

    /// The class of a task.
    pub(crate) fn class_of(&self, record: &Record) -> &str {
        let fitting = self.0.iter().find(|rule| {
            let id = match rule.subject {
                ServiceSubject::Transaction => field::TRAN,
                ServiceSubject::User => field::USERID,
                ServiceSubject::Program => field::PGMNAME,
                ServiceSubject::Terminal => field::TERM,
                ServiceSubject::TranClass => field::TCLSNAME,
            };
            fits(&rule.pattern, record.text(id))
        });
        fitting.map_or(OTHER, |rule| &rule.class)
    }

    /// The goal of a class in seconds, if it has one.
    pub(crate) fn goal_of(&self, class: &str) -> Option<f64> {
        let mut of_class = self.0.iter().filter(|rule| rule.class == class);
        of_class
            .find_map(|rule| rule.goal_ms)
            .map(|ms| ms as f64 / 1_000.0)
    }

    /// Rules that fit none of these records.
    pub(crate) fn classes(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|rule| rule.class.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rule_that_fits_decides() {
        let home = tempfile::tempdir().unwrap();
        let rules = "[service_classes]\n\"TRANSACTION PAY*\" = \"CICSHI 0.5\"\n\
                     \"USER SMITH\" = \"CICSMED\"\n\"TRANSACTION P*\" = \"CICSLOW 2\"\n\
                     [report_classes]\n\"TRANSACTION P*\" = \"PAYMENTS\"\n";
        std::fs::write(home.path().join("transom.toml"), rules).unwrap();
        let classes = Classes::of_service(home.path()).unwrap();
        let class = |transid: &[u8], user: &[u8]| {
            let mut record = Record::default();
            record
                .set_text(field::TRAN, transid)
                .set_text(field::USERID, user);
            classes.class_of(&record).to_owned()
        };
        assert_eq!(class(b"PAY1", b"SMITH"), "CICSHI");
        assert_eq!(class(b"POST", b"SMITH"), "CICSMED");
        assert_eq!(class(b"POST", b"JONES"), "CICSLOW");
        assert_eq!(class(b"MENU", b"JONES"), "OTHER");
        assert_eq!(classes.goal_of("CICSHI"), Some(0.5));
        assert_eq!(classes.goal_of("CICSMED"), None);
        let reported = Classes::of_reports(home.path()).unwrap();
        let mut record = Record::default();
        record.set_text(field::TRAN, b"PAY1");
        assert_eq!(reported.class_of(&record), "PAYMENTS");
    }
}
