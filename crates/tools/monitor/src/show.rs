//! Records as lines: a list for eyes, CSV, JSON.

use crate::moment;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use transom_messages::mn;
use transom_monitoring::stream::{Begin, Known};
use transom_monitoring::{FieldId, Kind, Record, UserValue, field};

/// A form of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    List,
    Csv,
    Json,
}

/// Fields of a list where none are asked for, and of CSV the same with all of the others behind.
const LISTED: &[FieldId] = &[
    field::TRAN,
    field::TRANNUM,
    field::USERID,
    field::TERM,
    field::PGMNAME,
    field::STOP,
    field::USRDISPT,
    field::USRCPUT,
    field::SUSPTIME,
    field::FCTOTCT,
    field::ABCODEC,
];

/// Shows records.
pub(crate) struct Shown {
    form: Form,
    fields: Vec<FieldId>,
    /// Names of fields that users define, `USER.A001`.
    others: Vec<String>,
    /// All such fields there are, by their places in the dictionary.
    there: BTreeMap<u16, Known>,
    /// The response time stands behind them.
    response: bool,
    pub(crate) utc_offset_s: i32,
}

impl Shown {
    /// The names of fields, RESPONSE among them; none: those of the form.
    ///
    /// # Errors
    /// A name is that of no field.
    pub(crate) fn new(form: Form, names: &[String]) -> Result<Self, String> {
        let is_response = |name: &&String| name.trim().eq_ignore_ascii_case("RESPONSE");
        let is_other = |name: &&String| is_user_field(name);
        let (others, own): (Vec<&String>, Vec<&String>) = names.iter().partition(is_other);
        let named = own
            .into_iter()
            .filter(|name| !is_response(name))
            .map(|name| {
                FieldId::named(name.trim()).ok_or_else(|| mn::no_such_field(name).to_string())
            });
        let fields = named.collect::<Result<_, _>>()?;
        let response = names.is_empty() || names.iter().any(|name| is_response(&name));
        let mut shown = Self::of(form, (fields, names.is_empty()), response);
        shown.others = others
            .iter()
            .map(|name| name.trim().to_ascii_uppercase())
            .collect();
        Ok(shown)
    }

    fn of(form: Form, (fields, none): (Vec<FieldId>, bool), response: bool) -> Self {
        let fields = match (none, form) {
            (false, _) => fields,
            (true, Form::List) => LISTED.to_vec(),
            (true, _) => FieldId::all().collect(),
        };
        Self {
            form,
            fields,
            others: Vec::new(),
            there: BTreeMap::new(),
            response,
            utc_offset_s: 0,
        }
    }

    /// A stream begins: its fields of users and its local time.
    pub(crate) fn begin(&mut self, begin: &Begin) {
        self.utc_offset_s = begin.utc_offset_s;
        let is_known = |known: &Known| {
            FieldId::all().any(|id| {
                let field = id.field();
                field.group == known.group && field.number == known.number
            })
        };
        let fields = (0..).zip(&begin.fields);
        let others = fields.filter(|(_, known)| !is_known(known));
        self.there = others.map(|(n, known)| (n, known.clone())).collect();
    }

    /// What stands above the first record.
    pub(crate) fn heading(&self) -> String {
        match self.form {
            Form::Json => String::new(),
            Form::List => {
                let columns = self.fields.iter().map(|id| pad(*id, id.field().name));
                let mut columns: String = columns.collect();
                for name in &self.others {
                    columns += &format!("{name:>14} ");
                }
                if self.response {
                    columns += " RESPONSE";
                }
                columns.trim_end().to_owned() + "\n"
            }
            Form::Csv => {
                let mut names: Vec<String> = self.fields.iter().map(|id| name(*id)).collect();
                names.extend(self.others.iter().cloned());
                names.extend(self.response.then(|| "RESPONSE".to_owned()));
                names.join(",") + "\n"
            }
        }
    }

    /// A record.
    pub(crate) fn line(&self, record: &Record) -> String {
        let response = seconds(record.response_ns());
        match self.form {
            Form::List => {
                let columns = self.fields.iter();
                let columns = columns.map(|id| pad(*id, &self.text(record, *id, false)));
                let mut line: String = columns.collect();
                for name in &self.others {
                    line += &format!("{:>14} ", self.other(record, name));
                }
                if self.response {
                    line += &format!("{response:>9}");
                }
                line.trim_end().to_owned() + "\n"
            }
            Form::Csv => {
                let columns = self.fields.iter();
                let mut columns: Vec<String> = columns
                    .map(|id| quoted(&self.text(record, *id, true)))
                    .collect();
                let others = self.others.iter();
                columns.extend(others.map(|name| quoted(&self.other(record, name))));
                columns.extend(self.response.then_some(response));
                columns.join(",") + "\n"
            }
            Form::Json => {
                let mut object = Map::new();
                for id in &self.fields {
                    if let Some(value) = value(record, *id) {
                        object.insert(name(*id), value);
                    }
                }
                for (name, value) in self.user_values(record) {
                    if self.others.is_empty() || self.others.contains(&name) {
                        object.insert(name, user_value(value));
                    }
                }
                object.insert(
                    "RESPONSE".to_owned(),
                    json!(record.response_ns() as f64 / 1e9),
                );
                format!("{}\n", Value::Object(object))
            }
        }
    }

    /// What a record has in fields of users, by their names.
    fn user_values<'a>(
        &'a self,
        record: &'a Record,
    ) -> impl Iterator<Item = (String, &'a UserValue)> {
        let values = record.more().map_or(&[][..], |more| &more.values);
        let named = |value: &'a UserValue| {
            let known = self.there.get(&value.field)?;
            Some((known.user_name(), value))
        };
        values.iter().filter_map(named)
    }

    fn other(&self, record: &Record, name: &str) -> String {
        let value = self.user_values(record).find(|(there, _)| there == name);
        match value {
            None => "0".to_owned(),
            Some((_, value)) if !value.text.is_empty() => latin(&value.text),
            Some((_, value)) if value.is_clock => seconds(value.number),
            Some((_, value)) => value.number.to_string(),
        }
    }

    fn text(&self, record: &Record, id: FieldId, exact: bool) -> String {
        let number = record.number(id);
        match id.field().kind {
            Kind::Text(_) => String::from_utf8_lossy(record.text(id)).into_owned(),
            Kind::Stamp if number == 0 => String::new(),
            Kind::Stamp if exact => moment::iso(number),
            Kind::Stamp => moment::shown(number, self.utc_offset_s),
            Kind::Clock => seconds(number),
            Kind::Count | Kind::LongCount | Kind::Packed => number.to_string(),
        }
    }
}

/// `USER.A001`: an entry name, a letter and a number.
fn is_user_field(name: &str) -> bool {
    let Some((entry, number)) = name.trim().rsplit_once('.') else {
        return false;
    };
    let Some((letter, digits)) = number.split_at_checked(1) else {
        return false;
    };
    let is_system = FieldId::all().any(|id| id.field().group.eq_ignore_ascii_case(entry));
    let numbered = digits.len() == 3 && digits.bytes().all(|b| b.is_ascii_digit());
    !is_system && numbered && matches!(letter, "S" | "A" | "C" | "s" | "a" | "c")
}

/// Characters of a user's string; zeros, where nothing was moved to, are blanks.
fn latin(text: &[u8]) -> String {
    let shown = text.iter().map(|byte| match byte {
        0 => ' ',
        byte => char::from(*byte),
    });
    shown.collect::<String>().trim_end().to_owned()
}

fn user_value(value: &UserValue) -> Value {
    match value {
        value if !value.text.is_empty() => json!(latin(&value.text)),
        value if value.is_clock => {
            json!({"seconds": value.number as f64 / 1e9, "periods": value.periods})
        }
        value => json!(value.number),
    }
}

/// Seconds with six digits.
fn seconds(ns: u64) -> String {
    format!("{}.{:06}", ns / 1_000_000_000, ns / 1_000 % 1_000_000)
}

/// The name of a field, with its number where several have it.
pub(crate) fn name(id: FieldId) -> String {
    let field = id.field();
    let same = FieldId::all().filter(|other| other.field().name == field.name);
    match same.count() {
        1 => field.name.to_owned(),
        _ => format!("{}{:03}", field.name, field.number),
    }
}

fn pad(id: FieldId, text: &str) -> String {
    let wide = id.field().name.len();
    match id.field().kind {
        Kind::Text(bytes) => format!("{text:width$} ", width = wide.max(bytes.into())),
        Kind::Stamp => format!("{text:23} "),
        Kind::Clock => format!("{text:>width$} ", width = wide.max(10)),
        Kind::Count | Kind::LongCount | Kind::Packed => {
            format!("{text:>width$} ", width = wide.max(7))
        }
    }
}

fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// The value in JSON; nothing where there is none.
fn value(record: &Record, id: FieldId) -> Option<Value> {
    let (number, periods) = (record.number(id), record.periods(id));
    Some(match id.field().kind {
        Kind::Text(_) => {
            let text = record.text(id);
            if text.is_empty() {
                return None;
            }
            json!(String::from_utf8_lossy(text))
        }
        _ if number == 0 && periods == 0 => return None,
        Kind::Stamp => json!(moment::iso(number)),
        Kind::Clock => json!({"seconds": number as f64 / 1e9, "periods": periods}),
        Kind::Count | Kind::LongCount | Kind::Packed => json!(number),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let mut record = Record::default();
        record
            .set_text(field::TRAN, b"PAY1")
            .set_text(field::OUSERCOR, b"a,\"b\"")
            .set(field::TRANNUM, 42)
            .set(field::START, 1_795_381_507_000_000_000)
            .set(field::STOP, 1_795_381_507_001_500_000)
            .add_clock(field::USRCPUT, 250_000, 1);
        record
    }

    #[test]
    fn a_list_has_columns() {
        let names = ["tran", "TRANNUM", "USRCPUT", "RESPONSE"].map(str::to_owned);
        let shown = Shown::new(Form::List, &names).unwrap();
        assert_eq!(shown.heading(), "TRAN TRANNUM    USRCPUT  RESPONSE\n");
        assert_eq!(shown.line(&record()), "PAY1      42   0.000250  0.001500\n");
        let shown = Shown::new(Form::List, &names[..1]).unwrap();
        assert_eq!(shown.heading() + &shown.line(&record()), "TRAN\nPAY1\n");
        let refused = Shown::new(Form::List, &["TRAM".to_owned()]).err().unwrap();
        assert!(refused.contains("TXMMN0006E"), "{refused}");
    }

    #[test]
    fn csv_is_quoted_and_json_has_what_there_is() {
        let names = ["OUSERCOR", "STOP", "RESPONSE"].map(str::to_owned);
        let csv = Shown::new(Form::Csv, &names).unwrap().line(&record());
        assert_eq!(
            csv,
            "\"a,\"\"b\"\"\",2026-11-22T21:05:07.001500Z,0.001500\n"
        );
        let json = Shown::new(Form::Json, &[]).unwrap().line(&record());
        let json: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["USRCPUT"], json!({"seconds": 0.000_25, "periods": 1}));
        assert_eq!(json["TRAN"], "PAY1");
        assert!(json.get("FCGETCT").is_none());
    }
}
