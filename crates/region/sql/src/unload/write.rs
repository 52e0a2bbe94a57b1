//! Rows become a file.

use super::{Files, Unloads, Why, delimited, quoted, said};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use transom_messages::{Message, sq};
use transom_sql::Name;
use transom_unload::{Coding, Style, Unload, Value};
use transom_wire::sql::{Request, SqlAnswer, SqlCursor, SqlFetch, SqlValue};

/// Rows of a block.
const BLOCK: u32 = 256;
/// Of this program alone.
const CURSOR: &str = "SCRIPT.UNLOAD";

impl Unloads {
    /// Writes the rows of a table and the LOAD statement for them; `rows` is what stands behind
    /// FROM: `WHERE .. ORDER BY ..`. Files get their names when they are whole.
    pub fn unload(
        &mut self,
        table: &str,
        rows: &str,
        (style, coding): (Style, Coding),
        files: Files<'_>,
    ) -> Result<Message, Message> {
        let done = self.unload_table(table, rows, (style, coding), files);
        // It only read: nothing is lost when this fails.
        let _ended = self.session.backout();
        done.map_err(|what| sq::not_unloaded(table, what))
    }

    fn unload_table(
        &mut self,
        table: &str,
        rows: &str,
        (style, coding): (Style, Coding),
        files: Files<'_>,
    ) -> Result<Message, Why> {
        let characters = self.characters(coding);
        let characters = characters.map_err(|n| Why(format!("CCSID {n} is not known")))?;
        let name = transom_sql::name(table).map_err(|problem| Why(problem.to_string()))?;
        let table = self.table(&name)?;
        let unload = Unload::new(&table, style, characters).map_err(Why)?;
        self.open(
            &table.name,
            table.columns.iter().map(|column| &*column.name),
            rows,
        )?;
        let data = Part::new(files.data)?;
        let mut out = BufWriter::with_capacity(1 << 16, &data.file);
        let mut count = 0_u64;
        let mut record = Vec::new();
        loop {
            let block = self.fetch()?;
            for row in &block.rows {
                count += 1;
                let values: Vec<Value> = row.values.iter().map(value).collect();
                record.clear();
                let made = unload.record(&values, &mut record);
                made.map_err(|w| Why(format!("row {count}, column {}: {}", w.field, w.what)))?;
                out.write_all(&record)
                    .map_err(|error| data.failed(&error))?;
            }
            if block.end {
                break;
            }
        }
        out.flush().map_err(|error| data.failed(&error))?;
        drop(out);
        let control = Part::new(files.control)?;
        let statement = unload.control(&table.name);
        let written = (&control.file).write_all(statement.as_bytes());
        written.map_err(|error| control.failed(&error))?;
        data.done()?;
        control.done()?;
        Ok(sq::unloaded(count, &table.name, unload.length()))
    }

    fn open<'c>(
        &mut self,
        table: &Name,
        columns: impl Iterator<Item = &'c str>,
        rows: &str,
    ) -> Result<(), Why> {
        let columns: Vec<String> = columns.map(delimited).collect();
        let text = format!(
            "SELECT {} FROM {} {rows}",
            columns.join(", "),
            quoted(table)
        );
        let answer = self.session.run(Request::Open {
            from: self.from.clone(),
            cursor: SqlCursor {
                name: CURSOR.to_owned(),
                hold: false,
                update: false,
                scroll: false,
                sensitive: false,
                rowset: false,
            },
            text,
            inputs: Vec::new(),
        });
        match answer.code {
            ..0 => Err(Why(said(&answer))),
            _ => Ok(()),
        }
    }

    fn fetch(&mut self) -> Result<SqlAnswer, Why> {
        let answer = self.session.run(Request::Fetch {
            cursor: CURSOR.to_owned(),
            to: SqlFetch::Next,
            rows: BLOCK,
        });
        match answer.code {
            ..0 => Err(Why(said(&answer))),
            _ => Ok(answer),
        }
    }
}

/// A file that is not whole yet.
struct Part {
    file: File,
    path: PathBuf,
    name: PathBuf,
}

impl Part {
    fn new(name: &Path) -> Result<Self, Why> {
        let mut path = name.as_os_str().to_owned();
        path.push(".part");
        let path = PathBuf::from(path);
        let file = File::create(&path);
        Ok(Self {
            file: file.map_err(|error| Why(format!("{}: {error}", name.display())))?,
            path,
            name: name.to_owned(),
        })
    }

    fn failed(&self, error: &std::io::Error) -> Why {
        Why(format!("{}: {error}", self.name.display()))
    }

    fn done(self) -> Result<(), Why> {
        let kept = self.file.sync_all();
        let named = kept.and_then(|()| std::fs::rename(&self.path, &self.name));
        named.map_err(|error| self.failed(&error))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // It is there only when it did not get its name.
        let _gone = std::fs::remove_file(&self.path);
    }
}

fn value(value: &SqlValue) -> Value {
    match value {
        SqlValue::Null => Value::Null,
        SqlValue::Integer(number) => Value::Integer(*number),
        SqlValue::Decimal {
            digits,
            precision,
            scale,
        } => Value::Decimal {
            digits: *digits,
            precision: *precision,
            scale: *scale,
        },
        SqlValue::Double(bits) => Value::Double(f64::from_bits(*bits)),
        SqlValue::Text(text) => Value::Text(text.clone()),
        SqlValue::Bytes(bytes) => Value::Bytes(bytes.clone()),
    }
}
