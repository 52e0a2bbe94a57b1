//! The statement of a service: what it is, its parameters, and the text that is run.
//!
//! What: host variables become parameter markers, whose types the database finds out; a value is
//! never part of a text. Not here: types, running it.

use transom_region_api::RestFailure;
use transom_sql::{Kind, SqlProblem, Statement};

/// A statement as it is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text {
    /// With parameter markers only.
    pub(crate) text: String,
    /// The name of each marker in the order of the text; a name may come more than once.
    pub(crate) markers: Vec<String>,
    /// It gives rows.
    pub(crate) is_query: bool,
}

impl Text {
    /// Reads a statement.
    ///
    /// # Errors
    /// What Db2 or Transom does not run as a service.
    pub(crate) fn read(statement: &str) -> Result<Self, RestFailure> {
        let parsed = transom_sql::statement(statement).map_err(|problem| refused(&problem))?;
        let is_query = is_query(&parsed.kind)?;
        if parsed.markers > 0 && !parsed.hosts.is_empty() {
            return Err(RestFailure::Refused(
                "a statement has either parameter markers or named parameters".to_owned(),
            ));
        }
        let (text, markers) = match parsed.hosts.is_empty() {
            true => (
                statement.to_owned(),
                (1..=parsed.markers).map(|n| format!("P{n}")).collect(),
            ),
            false => with_markers(statement, &parsed)?,
        };
        let text = text.trim().trim_end_matches(';').to_owned();
        Ok(Self {
            text,
            markers,
            is_query,
        })
    }
}

/// Whether it gives rows.
fn is_query(kind: &Kind) -> Result<bool, RestFailure> {
    match kind {
        Kind::Query => Ok(true),
        Kind::Insert { rows: None, .. }
        | Kind::Update { current: None }
        | Kind::Delete { current: None }
        | Kind::Merge
        | Kind::Truncate => Ok(false),
        Kind::Call { .. } => Err(RestFailure::Refused(
            "CALL of a procedure as a service is not done".to_owned(),
        )),
        _ => Err(RestFailure::Refused(
            "a service is one SELECT, INSERT, UPDATE, DELETE, MERGE or TRUNCATE".to_owned(),
        )),
    }
}

/// The statement with a marker for each host variable, and their names as they are written.
fn with_markers(statement: &str, parsed: &Statement) -> Result<(String, Vec<String>), RestFailure> {
    let mut text = String::with_capacity(statement.len());
    let (mut markers, mut from) = (Vec::new(), 0);
    for host in &parsed.hosts {
        let whole = statement.get(host.at.offset..host.end).unwrap_or_default();
        let name = whole.trim_start_matches(':').trim();
        let simple = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '#' | '@' | '$');
        if host.indicator.is_some() || name.is_empty() || !name.chars().all(simple) {
            return Err(RestFailure::Refused(format!(
                "the parameter {whole} is more than a name"
            )));
        }
        text += statement.get(from..host.at.offset).unwrap_or_default();
        text.push('?');
        from = host.end;
        markers.push(name.to_owned());
    }
    text += statement.get(from..).unwrap_or_default();
    Ok((text, markers))
}

fn refused(problem: &SqlProblem) -> RestFailure {
    let text = transom_sql::text(problem.code, &problem.tokens);
    RestFailure::Sql {
        code: problem.code,
        state: transom_sql::state(problem.code).to_owned(),
        text: match &problem.refused {
            Some(reason) => format!("{text} ({reason})"),
            None => text,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_parameters_keep_their_letters() {
        let read = Text::read(
            "SELECT * FROM EMP WHERE WORKDEPT LIKE :workDept AND (X = :n OR Y = :workDept);",
        );
        let read = read.unwrap();
        let text = "SELECT * FROM EMP WHERE WORKDEPT LIKE ? AND (X = ? OR Y = ?)";
        assert_eq!(read.text, text);
        assert_eq!(read.markers, ["workDept", "n", "workDept"]);
        assert!(read.is_query);
    }

    #[test]
    fn markers_are_numbered() {
        let read = Text::read("UPDATE EMP SET X = ? WHERE Y = ?").unwrap();
        assert_eq!(read.markers, ["P1", "P2"]);
        assert!(!read.is_query);
    }

    #[test]
    fn what_is_no_service_is_refused() {
        for (text, part) in [
            ("CALL P(:A)", "CALL"),
            ("CREATE TABLE T (A INTEGER)", "one SELECT"),
            ("COMMIT", "one SELECT"),
            ("SELECT A FROM T WHERE A = :A AND B = ?", "either"),
            ("SELECT A FROM T WHERE A = :A:I", "more than a name"),
        ] {
            match Text::read(text) {
                Err(RestFailure::Refused(why)) => assert!(why.contains(part), "{text}: {why}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        let wrong = Text::read("SELEKT 1");
        assert!(matches!(wrong, Err(RestFailure::Sql { code, .. }) if code < 0));
    }
}
