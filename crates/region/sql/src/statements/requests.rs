//! What a session is asked: statements, cursors, prepared statements.
//!
//! Not here: running a text (`run`), the turn to write and the end of units of work (`session`).

use super::answers::coded;
use super::catalog::{self, Defined};
use super::driver::{Driver, Ran};
use super::names::Set;
use super::plan::{Plan, refused};
use super::run::How;
use super::session::{Prepared, Session};
use std::sync::Arc;
use transom_sql::{Kind, Register};
use transom_wire::sql::{Request, SqlAnswer, SqlColumn, SqlFrom, SqlInput, SqlValue};

/// A statement with the schema of its names.
type Text<'a> = (&'a str, &'a Arc<str>);

impl<D: Driver> Session<D> {
    pub(super) fn answer(&mut self, request: Request) -> Result<SqlAnswer, SqlAnswer> {
        match request {
            Request::Select { from, text, inputs } => {
                let schema = self.begin_for(&from);
                self.select((&text, &schema), &inputs)
            }
            Request::Execute { from, text, inputs } => {
                let schema = self.begin_for(&from);
                self.execute((&text, &schema), &from.program, &inputs)
            }
            Request::Open {
                from,
                cursor,
                text,
                inputs,
            } => {
                let schema = self.begin_for(&from);
                self.open_cursor(&cursor, (&text, &schema), &inputs)
            }
            Request::Fetch { cursor, to, rows } => self.fetch(&cursor, to, rows),
            Request::FetchRows {
                cursor,
                to,
                rows,
                most,
            } => self.fetch_rows(&cursor, to, (rows, most)),
            Request::Close(cursor) => self.close_cursor(&cursor),
            Request::InsertRows { from, text, rows } => {
                let schema = self.begin_for(&from);
                self.insert_rows((&text, &schema), &rows)
            }
            Request::Immediate { from, text } => self.execute_immediate(&from, &text),
            Request::Prepare { from, name, text } => {
                let schema = self.begin_for(&from);
                self.prepare(name, Prepared { text, schema })
            }
            Request::ExecutePrepared { from, name, inputs } => {
                self.names.run_for(&from);
                self.execute_prepared(&name, &from.program, &inputs)
            }
            Request::OpenPrepared {
                from,
                cursor,
                name,
                inputs,
            } => {
                self.names.run_for(&from);
                self.open_prepared(&cursor, &name, &inputs)
            }
            Request::Describe { name, what } => self.describe(&name, what),
            Request::DescribeTable { from, name } => {
                let schema = self.begin_for(&from);
                self.describe_table(name.trim(), &schema)
            }
            // It is answered before there is a session.
            Request::Reading => Err(SqlAnswer::of(-84, *b"42612")),
        }
    }

    /// Columns of a table, a view or an alias.
    fn describe_table(&mut self, name: &str, schema: &Arc<str>) -> Result<SqlAnswer, SqlAnswer> {
        // The host variable has a name and nothing else: no part of another statement.
        transom_sql::name(name).map_err(|problem| refused(&problem))?;
        let plan = self.plan((&format!("SELECT * FROM {name}"), schema), &[])?;
        Ok(SqlAnswer {
            columns: columns(&plan),
            ..SqlAnswer::done()
        })
    }

    /// Schema of names without one in a statement of this program.
    pub(super) fn begin_for(&mut self, from: &SqlFrom) -> Arc<str> {
        self.names.run_for(from);
        self.names.schema_of(from, self.driver.qualifiers())
    }

    fn select(&mut self, text: Text<'_>, inputs: &[SqlInput]) -> Result<SqlAnswer, SqlAnswer> {
        let plan = self.plan(text, inputs)?;
        self.select_row(&plan, inputs)
    }

    /// The row of SELECT INTO.
    pub(super) fn select_row(
        &mut self,
        plan: &Plan,
        inputs: &[SqlInput],
    ) -> Result<SqlAnswer, SqlAnswer> {
        // The second row is looked for, but not read.
        let ran = self.run_plan(plan, inputs, How::at_most(2))?;
        let Ran { mut rows, .. } = ran;
        match rows.len() {
            0 => Ok(SqlAnswer::of(100, *b"02000")),
            1 => Ok(SqlAnswer {
                rows: std::mem::take(&mut rows),
                ..SqlAnswer::done()
            }),
            _ => Err(coded(-811, Vec::new())),
        }
    }

    pub(super) fn execute(
        &mut self,
        text: Text<'_>,
        program: &str,
        inputs: &[SqlInput],
    ) -> Result<SqlAnswer, SqlAnswer> {
        let plan = self.plan(text, inputs)?;
        let kind = &plan.statement.kind;
        let current = match kind {
            Kind::Commit { .. } => return Err(coded(-925, Vec::new())),
            Kind::Rollback { savepoint: None } => return Err(coded(-926, Vec::new())),
            Kind::Rollback { .. }
            | Kind::Savepoint { .. }
            | Kind::ReleaseSavepoint { .. }
            | Kind::LockTable { .. } => return self.within_unit(kind, text.1),
            Kind::SetRegister(register) => return self.set_register(*register, &plan, inputs),
            Kind::Drop { kind, name } => {
                let (kind, spaces) = (*kind, self.tables.in_space(kind, name));
                self.drop_tables(kind, &spaces, text.1)?;
                let is_own = matches!(kind, "SEQUENCE" | "ALIAS" | "SYNONYM");
                let name = name.in_schema(text.1);
                if is_own && !self.tables.has(kind, &name) {
                    return Err(coded(-204, vec![name.to_string()]));
                }
                None
            }
            Kind::CreateAlias { name, .. } => self.new_object("ALIAS", name, text.1)?,
            Kind::CreateSequence { name, .. } => self.new_object("SEQUENCE", name, text.1)?,
            Kind::Update { current } | Kind::Delete { current } => current.as_ref(),
            kind if is_run(kind) => None,
            _ => return Err(not_run(text.0)),
        };
        self.before_definition(&plan, text)?;
        let ran = match current {
            Some(current) => {
                let at = self.positioned(program, current, (&plan, inputs))?;
                self.change_rows(&plan, inputs, &at)?
            }
            None => self.run_plan(&plan, inputs, How::default())?,
        };
        self.keep_definition(&plan, text)?;
        let changes = matches!(
            kind,
            Kind::Insert { .. } | Kind::Update { .. } | Kind::Delete { .. } | Kind::Merge
        );
        let mut answer = match changes && ran.changed == 0 {
            true => SqlAnswer::of(100, *b"02000"),
            false => SqlAnswer::done(),
        };
        if changes {
            answer.count = u32::try_from(ran.changed).unwrap_or(u32::MAX);
        }
        answer.rows = ran.rows;
        Ok(answer)
    }

    /// What works in the unit of work and sends nothing.
    fn within_unit(&mut self, kind: &Kind, schema: &str) -> Result<SqlAnswer, SqlAnswer> {
        match kind {
            Kind::Savepoint { name, unique } => self.set_savepoint(name, *unique)?,
            Kind::ReleaseSavepoint { name } => self.release_savepoint(name)?,
            Kind::Rollback {
                savepoint: Some(name),
            } => self.back_to_savepoint(name.as_deref())?,
            Kind::LockTable { table, exclusive } => {
                let table = self.tables.real(&table.in_schema(schema));
                let table = transom_sql::engine_name(&table, D::DIALECT);
                self.driver.lock_table(&table, *exclusive)?;
            }
            _ => self.driver.begin()?,
        }
        Ok(SqlAnswer::done())
    }

    /// SET of a special register.
    fn set_register(
        &mut self,
        register: Register,
        plan: &Plan,
        inputs: &[SqlInput],
    ) -> Result<SqlAnswer, SqlAnswer> {
        let ran = self.run_plan(plan, inputs, How::at_most(1))?;
        let value = ran.rows.first().and_then(|row| row.values.first());
        let invalid = || coded(-713, vec![register.name()]);
        let Some(SqlValue::Text(value)) = value else {
            return Err(invalid());
        };
        match self.names.set(register, value) {
            Set::Done => Ok(SqlAnswer::done()),
            Set::Invalid => Err(invalid()),
            Set::NotDone => Err(SqlAnswer {
                text: format!("SET {} to {value} is not done", register.name()),
                ..coded(-84, Vec::new())
            }),
        }
    }

    /// -601 where there is one of the name.
    fn new_object<T>(
        &self,
        kind: &str,
        name: &transom_sql::Name,
        schema: &str,
    ) -> Result<Option<T>, SqlAnswer> {
        let name = name.in_schema(schema);
        match self.tables.has(kind, &name) {
            true => Err(coded(-601, vec![name.to_string(), kind.to_owned()])),
            false => Ok(None),
        }
    }

    /// A table space and a database take their tables along.
    fn drop_tables(
        &mut self,
        kind: &str,
        tables: &[transom_sql::Name],
        schema: &Arc<str>,
    ) -> Result<(), SqlAnswer> {
        if kind == "TABLE" {
            return Ok(());
        }
        for name in tables {
            let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
            let full = match &name.qualifier {
                Some(own) => format!("{}.{}", quoted(own), quoted(&name.name)),
                None => quoted(&name.name),
            };
            self.execute((&format!("DROP TABLE {full}"), schema), "", &[])?;
        }
        Ok(())
    }

    fn before_definition(
        &mut self,
        plan: &Plan,
        (text, schema): Text<'_>,
    ) -> Result<(), SqlAnswer> {
        let kind = &plan.statement.kind;
        match is_kept(kind) {
            true => self.driver.before(&Defined { kind, text, schema }),
            false => Ok(()),
        }
    }

    fn keep_definition(&mut self, plan: &Plan, (text, schema): Text<'_>) -> Result<(), SqlAnswer> {
        let kind = &plan.statement.kind;
        if !is_kept(kind) {
            return Ok(());
        }
        self.driver.begin()?;
        let defined = Defined { kind, text, schema };
        let kept = catalog::kept(&defined, &self.tables);
        self.driver.keep(&defined, &kept)?;
        // A sequence changes no schema of the engine.
        self.schema = -1;
        Ok(())
    }
}

/// A definition that the catalog keeps.
fn is_kept(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::CreateTable(_)
            | Kind::AlterTable(_)
            | Kind::CreateView(_)
            | Kind::CreateSequence { .. }
            | Kind::CreateAlias { .. }
            | Kind::Drop { .. }
    )
}

/// What is sent to the engine as it is, or is only kept, or needs nothing.
fn is_run(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Query
            | Kind::SelectInto
            | Kind::ValuesInto
            | Kind::Insert { rows: None, .. }
            | Kind::Merge
            | Kind::Truncate
            | Kind::CreateTable(_)
            | Kind::AlterTable(_)
            | Kind::CreateIndex { .. }
            | Kind::CreateView(_)
            | Kind::Nothing(_)
            | Kind::DeclareTable(_)
    )
}

/// A statement that would be done in another place, or is not done at all.
fn not_run(text: &str) -> SqlAnswer {
    let words: Vec<&str> = text.split_whitespace().take(3).collect();
    SqlAnswer {
        text: format!("{} is not done there", words.join(" ")),
        ..coded(-84, Vec::new())
    }
}

/// Columns of the rows of a query; a change gives none.
pub(super) fn columns(plan: &Plan) -> Vec<SqlColumn> {
    if !matches!(plan.statement.kind, Kind::Query) {
        return Vec::new();
    }
    let columns = plan.rewritten.iter().flat_map(|written| &written.columns);
    let column = |column: &transom_sql::ResultColumn| SqlColumn {
        name: column.name.clone(),
        kind: column.kind.code(),
        nullable: column.nullable,
    };
    columns.map(column).collect()
}
