//! A file becomes rows.
//!
//! What: one unit of work for all of a LOAD statement; the first record that is wrong ends it, and
//! nothing of it stays. On z/OS a record that cannot be converted may be discarded and the others
//! loaded: a table with rows missing is what nobody asked for here.

use super::records::RecordFile;
use super::{Records, Unloads, Why, delimited, failed, quoted, said};
use std::path::Path;
use transom_messages::{self as messages, Message, Place, Problem, sq};
use transom_sql::{Name, TableDefinition};
use transom_unload::{IntoTable, Layout, Load, Resume, Value, load_statement};
use transom_wire::sql::{Request, SqlInput, SqlInputs, SqlValue};

/// Rows of a block.
const BLOCK: usize = 200;

/// INTO TABLE of a LOAD that runs.
struct Target {
    name: Name,
    layout: Layout,
    insert: String,
    rows: Vec<SqlInputs>,
    /// The records they were.
    records: Vec<u64>,
    loaded: u64,
}

impl Unloads {
    /// Runs the LOAD statement of a control file, by its name and text, on a data file. What is
    /// told is a line for each table.
    pub fn load(
        &mut self,
        (name, text): (&str, &str),
        data: &Path,
        records: Records,
    ) -> Result<Vec<Message>, Problem> {
        let load = load_statement(text).map_err(|problem| problem.in_file(name))?;
        let done = self.targets(&load, name).and_then(|mut targets| {
            let told = self.run(&load, &mut targets, (data, records));
            told.map_err(|message| Problem::new(message, Place::default()))
        });
        if done.is_err() {
            // What made it fail is told; a session that cannot back out is ended by its engine.
            let _ended = self.session.backout();
        }
        done
    }

    /// The tables of a statement and where their columns are.
    fn targets(&mut self, load: &Load, file: &str) -> Result<Vec<Target>, Problem> {
        let into = load.tables.iter();
        into.map(|into| self.target(load, into).map_err(|p| p.in_file(file)))
            .collect()
    }

    fn target(&mut self, load: &Load, into: &IntoTable) -> Result<Target, Problem> {
        let wrong =
            |what: &dyn std::fmt::Display| Problem::from(sq::load_statement(what)).at(into.line, 1);
        let characters = self.characters(load.coding);
        let characters = characters.map_err(|n| wrong(&format_args!("CCSID {n} is not known")))?;
        let table = self.table(&into.name).map_err(|why| wrong(&why))?;
        let layout = Layout::new(into, &table, characters, load.ieee)?;
        let columns: Vec<String> = layout.columns().map(|(name, _)| delimited(name)).collect();
        if columns.is_empty() {
            return Err(wrong(&"no field is a column"));
        }
        let markers = vec!["?"; columns.len()].join(", ");
        let name = quoted(&table.name);
        Ok(Target {
            insert: format!(
                "INSERT INTO {name} ({}) VALUES ({markers})",
                columns.join(", ")
            ),
            name: table.name,
            layout,
            rows: Vec::new(),
            records: Vec::new(),
            loaded: 0,
        })
    }

    /// A table that is no view.
    pub(super) fn table(&mut self, name: &Name) -> Result<TableDefinition, Why> {
        let table = self.session.definition(name);
        match table.map_err(|error| Why(error.to_string()))? {
            Some(table) if table.view => Err(Why(format!("{name} is a view"))),
            Some(table) => Ok(table),
            None => Err(Why(format!("there is no table {name}"))),
        }
    }

    fn run(
        &mut self,
        load: &Load,
        targets: &mut [Target],
        (data, records): (&Path, Records),
    ) -> Result<Vec<Message>, Message> {
        let lengths = targets.iter().map(|target| target.layout.length());
        let said: Option<Vec<usize>> = lengths.collect();
        let said = said.and_then(|all| all.into_iter().max());
        let length = match records {
            Records::Variable => None,
            Records::Fixed(length) => Some(length),
            Records::Said => Some(said.ok_or_else(|| {
                let what = "records of the statement differ in length: their format must be said";
                messages::sq::not_loaded(&targets[0].name, what)
            })?),
        };
        let mut reader = RecordFile::open(data, length)?;
        for (n, target) in targets.iter().enumerate() {
            if targets[..n].iter().all(|other| other.name != target.name) {
                let own = load.tables[n].resume;
                self.make_room(&target.name, own.unwrap_or(load.resume))?;
            }
        }
        let (mut record, mut total) = (Vec::new(), 0_u64);
        while reader.next(&mut record)? {
            total += 1;
            for target in &mut *targets {
                if !target.layout.takes(&record) {
                    continue;
                }
                let values = target.layout.read(&record);
                let values =
                    values.map_err(|wrong| reader.wrong_field(&wrong.field, &wrong.what))?;
                let kinds = target.layout.columns().map(|(_, kind)| kind.code());
                let pairs = kinds.zip(values);
                let inputs = pairs.map(|(kind, value)| SqlInput {
                    kind,
                    value: sql_value(value),
                });
                target.rows.push(SqlInputs {
                    inputs: inputs.collect(),
                });
                target.records.push(reader.number);
                if target.rows.len() == BLOCK {
                    self.insert(target, &reader)?;
                }
            }
        }
        for target in &mut *targets {
            self.insert(target, &reader)?;
        }
        let committed = self.session.commit(None);
        committed.map_err(|error| sq::not_loaded(&targets[0].name, failed(&error)))?;
        let line = |target: &Target| sq::loaded(target.loaded, &target.name, total - target.loaded);
        Ok(targets.iter().map(line).collect())
    }

    /// What RESUME and REPLACE say of rows that are there.
    fn make_room(&mut self, name: &Name, resume: Resume) -> Result<(), Message> {
        let table = quoted(name);
        let (text, rows) = match resume {
            Resume::Add => return Ok(()),
            Resume::Replace => (format!("DELETE FROM {table}"), false),
            Resume::Empty => (
                format!("SELECT 1 FROM {table} FETCH FIRST 1 ROW ONLY"),
                true,
            ),
        };
        let answer = self.session.run(Request::Execute {
            from: self.from.clone(),
            text,
            inputs: Vec::new(),
        });
        if answer.code < 0 {
            return Err(sq::not_loaded(name, said(&answer)));
        }
        match rows && !answer.rows.is_empty() {
            true => Err(sq::not_loaded(name, "it has rows, and RESUME is NO")),
            false => Ok(()),
        }
    }

    /// Inserts the rows that wait.
    fn insert(&mut self, target: &mut Target, reader: &RecordFile) -> Result<(), Message> {
        if target.rows.is_empty() {
            return Ok(());
        }
        let answer = self.session.run(Request::InsertRows {
            from: self.from.clone(),
            text: target.insert.clone(),
            rows: std::mem::take(&mut target.rows),
        });
        let records = std::mem::take(&mut target.records);
        if answer.code < 0 {
            let row = answer
                .conditions()
                .first()
                .map_or(1, |row| row.row as usize);
            let record = records.get(row - 1).or(records.first());
            return Err(reader.wrong(record.copied().unwrap_or(1), said(&answer)));
        }
        target.loaded += u64::from(answer.count);
        Ok(())
    }
}

fn sql_value(value: Value) -> SqlValue {
    match value {
        Value::Null => SqlValue::Null,
        Value::Integer(number) => SqlValue::Integer(number),
        Value::Decimal {
            digits,
            precision,
            scale,
        } => SqlValue::Decimal {
            digits,
            precision,
            scale,
        },
        Value::Double(number) => SqlValue::Double(number.to_bits()),
        Value::Text(text) => SqlValue::Text(text),
        Value::Bytes(bytes) => SqlValue::Bytes(bytes),
    }
}
