//! A Db2 statement as an engine runs it.

use super::answers::coded;
use super::catalog::Tables;
use std::sync::Arc;
use transom_sql::{
    Dialect, Kind, Parameter, Rewritten, Role, Setting, SqlProblem, Statement, Type,
};
use transom_wire::sql::SqlAnswer;

/// A statement that was read and rewritten, for values of these types.
pub(crate) struct Plan {
    pub(crate) statement: Statement,
    /// `None`: there is nothing to run.
    pub(super) rewritten: Option<Rewritten>,
    /// Which of the values each host variable is; `usize::MAX`: none.
    inputs: Vec<usize>,
}

impl Plan {
    /// Reads and rewrites; the error is the answer to the statement.
    pub(super) fn of(
        text: &str,
        kinds: &[Type],
        (tables, schema): (&Tables, &str),
        dialect: Dialect,
    ) -> Result<Arc<Self>, SqlAnswer> {
        let wrong = |problem: SqlProblem| {
            let position = u32::try_from(problem.at.offset + 1).unwrap_or(u32::MAX);
            refused(&problem).at(position)
        };
        let statement = transom_sql::statement(text).map_err(wrong)?;
        let mut inputs = Vec::with_capacity(statement.hosts.len());
        let mut hosts = Vec::with_capacity(statement.hosts.len());
        let mut next = 0;
        for host in &statement.hosts {
            if host.role == Role::Input {
                inputs.push(next);
                hosts.push(vec![kinds.get(next).copied().unwrap_or_default()]);
                next += 1;
            } else {
                inputs.push(usize::MAX);
                hosts.push(vec![Type::Unknown]);
            }
        }
        let setting = Setting {
            dialect,
            catalog: tables,
            schema,
            hosts: &hosts,
            dec31: false,
        };
        let rewritten = transom_sql::rewrite(&statement, &setting);
        let rewritten = rewritten.map_err(|e| missing(refused(&e), tables, schema))?;
        Ok(Arc::new(Self {
            statement,
            rewritten,
            inputs,
        }))
    }

    /// It is one statement for rows, and its text is `straight`.
    pub(super) fn is_one_row(&self, straight: impl FnOnce(&str) -> bool) -> bool {
        let of_rows = match &self.statement.kind {
            Kind::SelectInto | Kind::Insert { .. } => true,
            Kind::Update { current } | Kind::Delete { current } => current.is_none(),
            _ => false,
        };
        let alone = |one: &&Rewritten| one.otherwise.is_none() && one.more.is_empty();
        let rewritten = self.rewritten.as_ref().filter(alone);
        of_rows && rewritten.is_some_and(|one| straight(&one.text))
    }

    /// Which of the values a parameter is.
    pub(super) fn input(&self, parameter: &Parameter) -> Option<usize> {
        match parameter.value {
            transom_sql::Value::Host(host, _) => self.input_of(host),
            transom_sql::Value::Marker(n) => Some(n),
            _ => None,
        }
    }

    /// Which of the values a host variable is.
    pub(super) fn input_of(&self, host: usize) -> Option<usize> {
        self.inputs.get(host).copied()
    }
}

/// What is wrong with a statement, as its answer.
pub(super) fn refused(problem: &SqlProblem) -> SqlAnswer {
    SqlAnswer {
        text: problem.refused.clone().unwrap_or_default(),
        ..coded(problem.code, problem.tokens.clone())
    }
}

/// Of a name that is not there: where there is one, and what would say so.
fn missing(mut answer: SqlAnswer, tables: &Tables, schema: &str) -> SqlAnswer {
    let name = answer.tokens.first().cloned().unwrap_or_default();
    let bare = match name.strip_prefix(schema) {
        Some(bare) => bare.trim_start_matches('.').to_owned(),
        None => name,
    };
    let others = tables.called(&bare);
    if answer.code == -204 && !others.is_empty() {
        let asked = match schema {
            "" => "a name without a schema",
            schema => schema,
        };
        answer.text = format!(
            "{bare} was looked for in {asked}, and there is {}: [sql] qualifier and [sql.packages] \
             say which schema names without one have",
            others.join(", ")
        );
    }
    answer
}
