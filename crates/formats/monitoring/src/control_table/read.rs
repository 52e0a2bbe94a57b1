//! DFHMCT macros as a [`ControlTable`].
//!
//! What: TYPE=EMP with ID, COUNT, CLOCK, FIELD and PERFORM; TYPE=RECORD with EXCLUDE and INCLUDE;
//! of TYPE=INITIAL the two points that APPLNAME=YES makes. Why in two steps: a place in a record is
//! known when all macros have said which numbers they use. Not here: statements and their columns
//! (`formats/csd`).

use super::{
    ControlTable, DEFAULT_ENTRY, How, NUMBERS_MAX, Operand, Operation, PIECE_BYTES, POINTS_MAX,
    Point, STRING_BYTES_MAX, USER_BYTES_MAX,
};
use crate::kind::{FieldId, Kind};
use crate::known::Known;
use std::collections::BTreeMap;
use transom_csd::macros::{is_without_meaning, parts, statements};
use transom_messages::{Message, Place, Problem, mn};

/// Fields of CICS that are in every record.
const ALWAYS: &[&str] = &[
    "TRAN", "TTYPE", "TRANNUM", "RTYPE", "START", "STOP", "PERRECNT",
];
/// Operands of TYPE=INITIAL that say nothing about records of tasks as they are written here.
const INITIAL: &[&str] = &[
    "SUFFIX", "COMPRESS", "RMI", "FILE", "DPL", "TSQUEUE", "URIMAP", "WEBSERV",
];

impl ControlTable {
    /// Reads the source of a table. A statement that is wrong is left out and told.
    pub fn read(name: &str, file: &str, source: &str) -> (Self, Vec<Problem>) {
        let mut reader = Reader::default();
        for statement in statements(source) {
            let place = Place::line(file, statement.line);
            let told = match statement.operation.as_str() {
                "DFHMCT" => reader.macro_of(&statement.operands),
                "END" => break,
                other if is_without_meaning(other) => Ok(()),
                other => Err(mn::mct_statement(other)),
            };
            if let Err(message) = told {
                reader.problems.push(Problem { message, place });
            }
        }
        reader.table(name, file)
    }
}

/// What an entry name uses.
#[derive(Default)]
struct Entry {
    clocks: u16,
    counts: u16,
    string: u16,
    /// Headings by letter and number.
    headings: BTreeMap<(u8, u16), String>,
}

#[derive(Default)]
struct Reader {
    entries: Vec<(String, Entry)>,
    /// Operations name numbers of their entry until all are known.
    points: Vec<Point>,
    excluded: Vec<u8>,
    problems: Vec<Problem>,
}

type Told = Result<(), Message>;

impl Reader {
    fn macro_of(&mut self, operands: &str) -> Told {
        let operands = parts(operands);
        let named: BTreeMap<&str, &str> =
            operands.iter().filter_map(|o| o.split_once('=')).collect();
        let known: &[&str] = match named.get("TYPE").copied() {
            Some("INITIAL") => &["APPLNAME"],
            Some("EMP") => &["CLASS", "ID", "CLOCK", "COUNT", "FIELD", "PERFORM", "PER"],
            Some("RECORD") => &["CLASS", "EXCLUDE", "INCLUDE"],
            Some("FINAL") => &[],
            _ => return Err(mn::mct_operand("TYPE=")),
        };
        let may = |operand: &str| {
            let name = operand.split('=').next().unwrap_or(operand);
            let initial = named.get("TYPE") == Some(&"INITIAL") && INITIAL.contains(&name);
            operand.contains('=') && (name == "TYPE" || known.contains(&name) || initial)
        };
        if let Some(wrong) = operands.iter().find(|operand| !may(operand)) {
            return Err(mn::mct_operand(wrong));
        }
        if !matches!(named.get("CLASS").copied(), None | Some("PERFORM" | "PER")) {
            return Err(mn::mct_operand("CLASS="));
        }
        match named.get("TYPE").copied() {
            Some("EMP") => self.point(&named),
            Some("RECORD") => self.record(&named),
            Some("INITIAL") => self.initial(&named),
            _ => Ok(()),
        }
    }

    /// APPLNAME=YES makes two points of entry name DFHAPPL.
    fn initial(&mut self, named: &BTreeMap<&str, &str>) -> Told {
        match named.get("APPLNAME").copied() {
            None | Some("NO") => Ok(()),
            Some("YES") => {
                self.add_point("DFHAPPL", 1, &["MOVE(0,4)".to_owned()])?;
                self.add_point("DFHAPPL", 2, &["MOVE(4,8)".to_owned()])
            }
            Some(_) => Err(mn::mct_operand("APPLNAME=")),
        }
    }

    fn point(&mut self, named: &BTreeMap<&str, &str>) -> Told {
        let id = named.get("ID").ok_or_else(|| mn::mct_operand("ID="))?;
        let (entry, number) = identity(id).ok_or_else(|| mn::mct_operand(id))?;
        for (operand, letter) in [("CLOCK", b'S'), ("COUNT", b'A'), ("FIELD", b'C')] {
            if let Some(list) = named.get(operand) {
                self.headings(&entry, letter, list)?;
            }
        }
        let perform = named.get("PERFORM").or_else(|| named.get("PER"));
        let perform = perform.ok_or_else(|| mn::mct_operand("PERFORM="))?;
        self.add_point(&entry, number, &parts(bare(perform)))
    }

    fn add_point(&mut self, entry: &str, number: u16, options: &[String]) -> Told {
        let same = |point: &Point| point.number == number && point.entry == entry;
        if self.points.iter().any(same) {
            return Err(mn::mct_twice(number, entry));
        }
        if self.points.len() == POINTS_MAX {
            return Err(mn::mct_full(POINTS_MAX));
        }
        let uses = self.entry(entry);
        let mut operations = Vec::new();
        for option in options {
            let made = operation(option).ok_or_else(|| mn::mct_option(option))?;
            uses.takes(&made);
            operations.push(made);
        }
        let entry = entry.to_owned();
        self.points.push(Point {
            entry,
            number,
            operations,
        });
        Ok(())
    }

    /// The first number of a list, and the headings of it and those that follow.
    fn headings(&mut self, entry: &str, letter: u8, list: &str) -> Told {
        let list = parts(bare(list));
        let first = list.first().and_then(|first| first.parse::<u16>().ok());
        let first = first.filter(|first| (1..=NUMBERS_MAX).contains(first));
        let first = first.ok_or_else(|| mn::mct_operand("CLOCK=, COUNT= or FIELD="))?;
        let uses = self.entry(entry);
        for (number, heading) in (first..=NUMBERS_MAX).zip(list.into_iter().skip(1)) {
            uses.headings.insert((letter, number), heading);
        }
        Ok(())
    }

    fn entry(&mut self, name: &str) -> &mut Entry {
        let at = self.entries.iter().position(|(entry, _)| entry == name);
        let at = at.unwrap_or_else(|| {
            self.entries.push((name.to_owned(), Entry::default()));
            self.entries.len() - 1
        });
        &mut self.entries[at].1
    }

    fn record(&mut self, named: &BTreeMap<&str, &str>) -> Told {
        for (operand, exclude) in [("EXCLUDE", true), ("INCLUDE", false)] {
            for part in named
                .get(operand)
                .map_or(Vec::new(), |list| parts(bare(list)))
            {
                let fields = fields_of(&part);
                if fields.is_empty() {
                    return Err(mn::mct_field(&part));
                }
                self.excluded.retain(|field| !fields.contains(field));
                if exclude {
                    self.excluded.extend(fields);
                }
            }
        }
        Ok(())
    }

    /// Places in the record for what the macros use.
    fn table(self, name: &str, file: &str) -> (ControlTable, Vec<Problem>) {
        let mut problems = self.problems;
        let (mut fields, mut begins) = (Vec::new(), BTreeMap::new());
        for (entry, uses) in &self.entries {
            begins.insert(entry.as_str(), (fields.len() as u16, uses));
            fields.extend(uses.fields(entry));
        }
        let bytes: usize = fields.iter().map(|field| usize::from(field.bytes)).sum();
        if bytes > USER_BYTES_MAX {
            let (message, place) = (mn::mct_full(USER_BYTES_MAX), Place::line(file, 1));
            problems.push(Problem { message, place });
        }
        let mut points = self.points;
        for point in &mut points {
            let Some((begin, uses)) = begins.get(point.entry.as_str()) else {
                continue;
            };
            for operation in &mut point.operations {
                let (field, before) = match operation {
                    Operation::Count { field, .. } | Operation::Many { field, .. } => {
                        (field, uses.clocks)
                    }
                    Operation::Move { field, .. } => (field, uses.clocks + uses.counts),
                    Operation::Start(field) | Operation::Stop(field) => (field, 0),
                };
                // Numbers begin at 1, places at 0; a table with too many fields is not used.
                *field = (*field - 1).wrapping_add(before).wrapping_add(*begin);
            }
        }
        let table = ControlTable {
            name: name.to_owned(),
            fields,
            points,
            excluded: self.excluded,
        };
        (table, problems)
    }
}

impl Entry {
    fn takes(&mut self, operation: &Operation) {
        match operation {
            Operation::Count { field, .. } => self.counts = self.counts.max(*field),
            Operation::Many { field, counts } => self.counts = self.counts.max(field + counts - 1),
            Operation::Move { at, length, .. } => self.string = self.string.max(at + length),
            Operation::Start(clock) | Operation::Stop(clock) => {
                self.clocks = self.clocks.max(*clock);
            }
        }
    }

    fn fields(&self, entry: &str) -> Vec<Known> {
        let clocks = (1..=self.clocks).map(|number| (number, Kind::Clock));
        let counts = (1..=self.counts).map(|number| (number, Kind::Count));
        let pieces = (1..=self.string.div_ceil(PIECE_BYTES)).map(|number| {
            let left = self.string - (number - 1) * PIECE_BYTES;
            (number, Kind::Text(left.min(PIECE_BYTES) as u8))
        });
        let field = |(number, kind): (u16, Kind)| {
            let letter = kind.letter() as u8;
            let heading = self.headings.get(&(letter, number));
            Known {
                group: entry.to_owned(),
                number,
                name: heading.map_or(entry, String::as_str).to_owned(),
                letter,
                bytes: kind.bytes() as u8,
            }
        };
        clocks.chain(counts).chain(pieces).map(field).collect()
    }
}

/// Entry name and number of `7`, `(PP,3)` or `ORDERS.7`.
fn identity(id: &str) -> Option<(String, u16)> {
    let (entry, number) = match id.rsplit_once('.') {
        Some((entry, number)) => (entry, number.parse().ok()?),
        None => match bare(id).strip_prefix("PP,") {
            Some(number) => (DEFAULT_ENTRY, number.parse::<u16>().ok()?.checked_add(199)?),
            None => (DEFAULT_ENTRY, id.parse().ok()?),
        },
    };
    let named = (1..=8).contains(&entry.len()) && entry.bytes().all(is_national);
    (named && (1..=255).contains(&number)).then(|| (entry.to_owned(), number))
}

fn is_national(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"@#$".contains(&byte)
}

/// An option of PERFORM; fields are numbers of their entry. `None`: it is none, or none that works.
fn operation(option: &str) -> Option<Operation> {
    let (name, rest) = option.split_once('(')?;
    let operands = parts(rest.strip_suffix(')')?);
    let number = |n: usize, least: u16, most: u16| {
        let number = operands.get(n)?.parse::<u16>().ok();
        number.filter(|number| (least..=most).contains(number))
    };
    let (first, many) = (|| number(0, 1, NUMBERS_MAX), operands.len() == 2);
    let how = match name {
        "ADDCNT" => How::Add,
        "SUBCNT" => How::Subtract,
        "NACNT" => How::And,
        "ORCNT" => How::Or,
        "EXCNT" => How::ExclusiveOr,
        "MLTCNT" if many => {
            let (field, counts) = (first()?, number(1, 1, NUMBERS_MAX)?);
            let fits = field + counts - 1 <= NUMBERS_MAX;
            return fits.then_some(Operation::Many { field, counts });
        }
        "MOVE" if many => {
            let at = number(0, 0, STRING_BYTES_MAX - 1)?;
            let length = number(1, 1, STRING_BYTES_MAX - at)?;
            let field = 1;
            return Some(Operation::Move { field, at, length });
        }
        "SCLOCK" if operands.len() == 1 => return first().map(Operation::Start),
        "PCLOCK" if operands.len() == 1 => return first().map(Operation::Stop),
        _ => return None,
    };
    let operand = match operands.get(1).map(String::as_str).filter(|_| many)? {
        "DATA1" => Operand::Data1,
        "DATA2" => Operand::Data2,
        value => Operand::Value(value.parse().ok()?),
    };
    let field = first()?;
    Some(Operation::Count {
        field,
        how,
        operand,
    })
}

/// Fields of CICS of a part of EXCLUDE or INCLUDE: ALL, a group, a number.
fn fields_of(part: &str) -> Vec<u8> {
    let number = part.parse::<u16>().ok();
    let is_meant = |id: &FieldId| {
        let field = id.field();
        !ALWAYS.contains(&field.name)
            && (part == "ALL" || field.group == part || Some(field.number) == number)
    };
    let fields = FieldId::all().filter(is_meant);
    fields.map(|id| id.0).collect()
}

/// Without the parentheses around it.
fn bare(text: &str) -> &str {
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    inner.unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> (ControlTable, Vec<String>) {
        let (table, problems) = ControlTable::read("DFHMCTA1", "mct", &lines.join("\n"));
        let told = problems.iter().map(|p| p.place_first().to_string());
        (table, told.collect())
    }

    #[test]
    fn points_of_one_entry_share_its_fields() {
        let (table, told) = read(&[
            " DFHMCT TYPE=EMP,ID=180,CLASS=PERFORM,PERFORM=(SCLOCK(1),ADDCNT(2,1))",
            " DFHMCT TYPE=EMP,ID=181,CLASS=PERFORM,PERFORM=PCLOCK(1)",
            " DFHMCT TYPE=EMP,ID=(PP,3),PERFORM=(MLTCNT(3,2),SUBCNT(1,DATA2))",
            " DFHMCT TYPE=EMP,ID=BANK.180,CLOCK=(1,WAITS),PERFORM=(SCLOCK(1))",
        ]);
        assert_eq!(told, [""; 0]);
        let names: Vec<String> = table.fields.iter().map(Known::user_name).collect();
        let of_user = [
            "USER.S001",
            "USER.A001",
            "USER.A002",
            "USER.A003",
            "USER.A004",
        ];
        assert_eq!(names[..5], of_user);
        assert_eq!((&*names[5], &*table.fields[5].name), ("BANK.S001", "WAITS"));
        let field = 2;
        let add = Operation::Count {
            field,
            how: How::Add,
            operand: Operand::Value(1),
        };
        let operations = |entry, number| table.point(entry, number).unwrap().operations.clone();
        assert_eq!(operations("USER", 180), [Operation::Start(0), add]);
        assert_eq!(operations("USER", 181), [Operation::Stop(0)]);
        let many = Operation::Many {
            field: 3,
            counts: 2,
        };
        assert_eq!(operations("USER", 202)[0], many);
        assert_eq!(operations("BANK", 180), [Operation::Start(5)]);
        assert!(table.point("BANK", 181).is_none());
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let (table, told) = read(&[
            " DFHMCT TYPE=EMP,CLASS=PERFORM,PERFORM=PCLOCK(1)",
            " DFHMCT TYPE=EMP,ID=256,PERFORM=PCLOCK(1)",
            " DFHMCT TYPE=EMP,ID=1,PERFORM=DELIVER",
            " DFHMCT TYPE=EMP,ID=2,PERFORM=MOVE(8000,200)",
            " DFHMCT TYPE=EMP,ID=3,PERFORM=ADDCNT(257,1)",
            " DFHMCT TYPE=EMP,ID=4,PERFORM=PCLOCK(1)",
            " DFHMCT TYPE=EMP,ID=4,PERFORM=PCLOCK(2)",
            " DFHMCT TYPE=RECORD,EXCLUDE=DFHWEBB",
            " DFHMCT TYPE=EMP,ID=5,CLASS=EXCEPTION,PERFORM=PCLOCK(1)",
            " DFHPLT TYPE=INITIAL",
        ]);
        assert_eq!(table.points.len(), 1);
        let expected = [
            "mct:1: TXMMN0009E DFHMCT: ID= is missing or not valid",
            "mct:2: TXMMN0009E DFHMCT: 256 is missing or not valid",
            "mct:3: TXMMN0009E DFHMCT: DELIVER of PERFORM is not valid, or not done here",
            "mct:4: TXMMN0009E DFHMCT: MOVE(8000,200) of PERFORM is not valid, or not done here",
            "mct:5: TXMMN0009E DFHMCT: ADDCNT(257,1) of PERFORM is not valid, or not done here",
            "mct:7: TXMMN0009E point 4 of USER is defined twice",
            "mct:8: TXMMN0009E DFHMCT: there is no field DFHWEBB that could be left out",
            "mct:9: TXMMN0009E DFHMCT: CLASS= is missing or not valid",
            "mct:10: TXMMN0009E DFHPLT does not belong into a monitoring control table",
        ];
        assert_eq!(told, expected);
    }
}
