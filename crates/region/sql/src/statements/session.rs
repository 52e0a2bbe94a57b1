//! A session: the statements of one task.
//!
//! What: outside of a unit of work that changes something each statement sees what is committed
//! (cursor stability); with its first change a session begins a unit of work. Not here: the thread
//! it runs on, the coordinator.

use super::answers::reason;
use super::catalog::Tables;
use super::cursor::Opened;
use super::driver::Driver;
use super::names::Names;
use super::plan::Plan;
use crate::session::{Ends, Look, SqlSession};
use std::collections::HashMap;
use std::sync::Arc;
use transom_recovery::{Part, StoreError, UowId};
use transom_sql::{Catalog, Kind, Lookup, Name, TableDefinition, Type};
use transom_wire::sql::{Request, SqlAnswer, SqlFrom, SqlInput};

/// Plans a session keeps; beyond that it begins again.
const PLANS_MAX: usize = 2_000;

/// A prepared statement: names in it are those of the moment it was prepared in.
#[derive(Clone)]
pub(super) struct Prepared {
    pub(super) text: String,
    pub(super) schema: Arc<str>,
}

/// One session.
pub(crate) struct Session<D> {
    pub(super) driver: D,
    pub(super) tables: Arc<Tables>,
    /// Of the schema [`Session::tables`] is.
    pub(super) schema: i64,
    plans: HashMap<(Arc<str>, String, Vec<i64>), Arc<Plan>>,
    /// Schemas of names, and special registers.
    pub(super) names: Names,
    pub(super) cursors: HashMap<String, Opened>,
    /// Names of savepoints, the last one last.
    pub(super) savepoints: Vec<String>,
    pub(super) prepared: HashMap<String, Prepared>,
}

impl<D: Driver> Session<D> {
    pub(crate) fn new(driver: D) -> Self {
        Self {
            driver,
            tables: Arc::default(),
            schema: -1,
            plans: HashMap::new(),
            names: Names::default(),
            cursors: HashMap::new(),
            savepoints: Vec::new(),
            prepared: HashMap::new(),
        }
    }

    /// The statement for values of these types.
    pub(super) fn plan(
        &mut self,
        (text, schema): (&str, &Arc<str>),
        inputs: &[SqlInput],
    ) -> Result<Arc<Plan>, SqlAnswer> {
        self.look_at_schema()?;
        let codes: Vec<i64> = inputs.iter().map(|input| input.kind).collect();
        let key = (schema.clone(), text.to_owned(), codes);
        if let Some(plan) = self.plans.get(&key) {
            return Ok(plan.clone());
        }
        let kind = |code: &i64| Type::from_code(*code).unwrap_or_default();
        let kinds: Vec<Type> = key.2.iter().map(kind).collect();
        let plan = Plan::of(text, &kinds, (&self.tables, schema), D::DIALECT)?;
        if self.plans.len() >= PLANS_MAX {
            self.plans.clear();
        }
        self.plans.insert(key, plan.clone());
        Ok(plan)
    }

    /// Reads the catalog again when somebody has changed the schema.
    fn look_at_schema(&mut self) -> Result<(), SqlAnswer> {
        let schema = self.driver.schema()?;
        if schema != self.schema {
            self.tables = Arc::new(self.driver.tables()?);
            self.plans.clear();
            self.schema = schema;
        }
        Ok(())
    }

    /// Nothing of the unit of work is left.
    fn ended(&mut self) {
        self.savepoints.clear();
    }
}

impl<D: Driver> SqlSession for Session<D> {
    fn run(&mut self, request: Request) -> SqlAnswer {
        let mut answer = self.answer(request).unwrap_or_else(|answer| answer);
        if self.driver.lost() {
            self.driver.give_up();
            self.ended();
            answer.back_out = true;
        }
        answer.touched = self.part() != Part::None;
        answer
    }

    fn look(&mut self, from: &SqlFrom, text: &str) -> Result<Look, SqlAnswer> {
        let schema = self.begin_for(from);
        let plan = self.plan((text, &schema), &[])?;
        let kind = &plan.statement.kind;
        let gives = matches!(kind, Kind::Query | Kind::SelectInto);
        let columns = plan.rewritten.iter().filter(|_| gives);
        let names = columns.flat_map(|r| &r.columns).map(|c| c.name.clone());
        Ok(Look {
            ends: match kind {
                Kind::Commit { .. } => Some(Ends::Commit),
                Kind::Rollback { savepoint: None } => Some(Ends::Backout),
                _ => None,
            },
            columns: names.collect(),
        })
    }

    fn definition(&mut self, name: &Name) -> Result<Option<TableDefinition>, StoreError> {
        let looked = self.look_at_schema();
        looked.map_err(|answer| StoreError::Unavailable(reason(&answer)))?;
        let name = name.in_schema(&self.driver.qualifiers().all);
        Ok(match self.tables.table(&name) {
            Lookup::Found(table) => Some(TableDefinition::clone(&table)),
            Lookup::Missing | Lookup::Unknown => None,
        })
    }

    fn part(&self) -> Part {
        match (self.driver.writes(), self.cursors.is_empty()) {
            (true, _) => Part::Changes,
            (false, false) => Part::Locks,
            (false, true) => Part::None,
        }
    }

    fn commit(&mut self, mark: Option<UowId>) -> Result<(), StoreError> {
        if self.driver.writes() {
            self.ended();
            self.driver.commit(mark)?;
        } else if mark.is_some() {
            let text = "what it was to decide is backed out";
            return Err(StoreError::Unavailable(text.to_owned()));
        } else {
            self.driver.only_read();
        }
        self.cursors.retain(|_, opened| opened.cursor.from.hold);
        Ok(())
    }

    fn backout(&mut self) -> Result<(), StoreError> {
        self.ended();
        self.cursors.clear();
        self.driver.backout()
    }

    fn keeps(&self) -> bool {
        !self.cursors.is_empty() || self.names.are_set()
    }

    fn reset(&mut self) {
        self.prepared.clear();
        self.names = Names::default();
        self.driver.reset();
    }
}
