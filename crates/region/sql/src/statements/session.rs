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
use super::texts::Texts;
use crate::session::{Ends, Look, SqlSession};
use std::collections::HashMap;
use std::sync::Arc;
use transom_recovery::{Part, StoreError, UowId};
use transom_sql::{Catalog, Kind, Lookup, Name, TableDefinition, Type};
use transom_wire::sql::{Request, SqlAnswer, SqlFrom, SqlInput, SqlUnit};

/// Plans a session keeps; beyond that it begins again.
const PLANS_MAX: usize = 2_000;

/// A prepared statement: names in it are those of the moment it was prepared in.
#[derive(Clone)]
pub(super) struct Prepared {
    pub(super) text: String,
    pub(super) schema: Arc<str>,
}

/// A plan of a text.
struct Planned {
    /// Of names without a schema.
    schema: Arc<str>,
    /// Types of the values.
    codes: Vec<i64>,
    plan: Arc<Plan>,
    /// It is short for sure; `None`: nobody has asked.
    short: Option<bool>,
}

impl Planned {
    fn is_for(&self, schema: &Arc<str>, inputs: &[SqlInput]) -> bool {
        let codes = inputs.iter().map(|input| input.kind);
        (Arc::ptr_eq(&self.schema, schema) || self.schema == *schema)
            && self.codes.iter().copied().eq(codes)
    }
}

/// One session.
pub(crate) struct Session<D> {
    pub(super) driver: D,
    pub(super) tables: Arc<Tables>,
    /// Of the schema [`Session::tables`] is.
    pub(super) schema: i64,
    plans: HashMap<String, Vec<Planned>, Texts>,
    /// How many they are.
    planned: usize,
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
            plans: HashMap::default(),
            planned: 0,
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
        let known = self.plans.get(text).into_iter().flatten();
        if let Some(known) = known.into_iter().find(|one| one.is_for(schema, inputs)) {
            return Ok(known.plan.clone());
        }
        let codes: Vec<i64> = inputs.iter().map(|input| input.kind).collect();
        let kind = |code: &i64| Type::from_code(*code).unwrap_or_default();
        let kinds: Vec<Type> = codes.iter().map(kind).collect();
        let plan = Plan::of(text, &kinds, (&self.tables, schema), D::DIALECT)?;
        if self.planned >= PLANS_MAX {
            self.forget_plans();
        }
        self.planned += 1;
        let planned = Planned {
            schema: schema.clone(),
            codes,
            plan: plan.clone(),
            short: None,
        };
        self.plans.entry(text.to_owned()).or_default().push(planned);
        Ok(plan)
    }

    /// A statement that is known, in a unit of work that has changed something, takes a bounded
    /// number of steps.
    fn is_bounded(&mut self, text: (&str, &Arc<str>), inputs: &[SqlInput]) -> bool {
        let (text, schema) = text;
        if !D::HAS_SHORT || !self.driver.writes() || self.driver.schema().ok() != Some(self.schema)
        {
            return false;
        }
        let known = self.plans.get_mut(text).into_iter().flatten();
        let Some(known) = known.into_iter().find(|one| one.is_for(schema, inputs)) else {
            return false;
        };
        let driver = &mut self.driver;
        let asked = || known.plan.is_one_row(|text| driver.is_straight(text));
        *known.short.get_or_insert_with(asked)
    }

    /// Reads the catalog again when somebody has changed the schema.
    fn look_at_schema(&mut self) -> Result<(), SqlAnswer> {
        let schema = self.driver.schema()?;
        if schema != self.schema {
            self.tables = Arc::new(self.driver.tables()?);
            self.forget_plans();
            self.schema = schema;
        }
        Ok(())
    }

    fn forget_plans(&mut self) {
        self.plans.clear();
        self.planned = 0;
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
        let reads = D::IS_READ && !self.driver.writes();
        answer.unit = SqlUnit::of(self.part() != Part::None, reads);
        answer
    }

    fn is_short(&mut self, request: &Request) -> bool {
        match request {
            Request::Select { from, text, inputs } | Request::Execute { from, text, inputs }
                if !from.dynamic =>
            {
                let schema = self.begin_for(from);
                self.is_bounded((text, &schema), inputs)
            }
            _ => false,
        }
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

    fn hurry(&mut self, on: bool) -> bool {
        self.driver.hurry(on)
    }

    fn gave_up(&self) -> bool {
        self.driver.gave_up()
    }
}
