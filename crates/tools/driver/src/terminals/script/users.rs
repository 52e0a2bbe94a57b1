//! The user file: one row of values for each terminal.
//!
//! What: CSV with a heading line, fields in quotation marks where they hold commas. Not here: the
//! file.

use super::lex;
use transom_messages::Problem;

/// Most rows.
const ROWS_MAX: usize = 1_000_000;

/// Values by column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Users {
    /// Names of the columns.
    pub(crate) columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Users {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// Where it is not such a file.
    pub(crate) fn parse(text: &str) -> Result<Self, Problem> {
        let wrong = |line: usize, text: String| lex::wrong(line as u32 + 1, 1, text);
        let mut users = Self::default();
        let lines = text.lines().enumerate();
        for (at, line) in lines.filter(|(_, l)| !l.trim().is_empty()) {
            let fields = fields(line)
                .ok_or_else(|| wrong(at, "a field has no closing quotation mark".into()))?;
            if users.columns.is_empty() {
                users.columns = fields;
                continue;
            }
            if fields.len() != users.columns.len() {
                let (has, needs) = (fields.len(), users.columns.len());
                return Err(wrong(at, format!("{has} fields, the heading has {needs}")));
            }
            if users.rows.len() == ROWS_MAX {
                return Err(wrong(at, format!("at most {ROWS_MAX} rows are possible")));
            }
            users.rows.push(fields);
        }
        if users.rows.is_empty() {
            return Err(wrong(
                0,
                "a heading line and at least one row are needed".into(),
            ));
        }
        Ok(users)
    }

    /// Values of terminal `number`, counted from 1; the rows are used again when there are more
    /// terminals.
    pub(crate) fn row(&self, number: u32) -> &[String] {
        let at = (number.saturating_sub(1) as usize) % self.rows.len().max(1);
        self.rows.get(at).map_or(&[], Vec::as_slice)
    }
}

fn fields(line: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = line.chars().peekable();
    loop {
        let mut field = String::new();
        while rest.next_if(|c| *c == ' ').is_some() {}
        if rest.next_if_eq(&'"').is_some() {
            loop {
                match rest.next()? {
                    '"' if rest.next_if_eq(&'"').is_some() => field.push('"'),
                    '"' => break,
                    c => field.push(c),
                }
            }
            while rest.next_if(|c| *c != ',').is_some() {}
        } else {
            while let Some(c) = rest.next_if(|c| *c != ',') {
                field.push(c);
            }
            field.truncate(field.trim_end().len());
        }
        found.push(field);
        if rest.next().is_none() {
            return Some(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_dealt_to_terminals() {
        let users = Users::parse("ID,NAME\nU1,\"Doe, \"\"J\"\"\"\nU2, Roe\n").unwrap();
        assert_eq!(users.columns, ["ID", "NAME"]);
        assert_eq!(users.row(1), ["U1", "Doe, \"J\""]);
        assert_eq!(users.row(4), ["U2", "Roe"]);
        assert!(Users::parse("ID\n").is_err());
        assert_eq!(Users::parse("A,B\n1\n").unwrap_err().place.line, 2);
    }
}
