//! Fields of a LOAD statement over the columns of a table.
//!
//! What: where each field begins and how long it is, as far as the statement says; lengths that are
//! left out are those of the columns. Not here: the bytes of a record (`read`).

use crate::control::{Condition, Constant, FieldKind, FieldSpec, IntoTable, Position};
use crate::text::Characters;
use transom_messages::{Problem, sq};
use transom_sql::{TableDefinition, Type};

/// Where the columns of a table are in a record.
#[derive(Debug)]
pub struct Layout {
    pub(crate) fields: Vec<Field>,
    pub(crate) when: Vec<Test>,
    pub(crate) characters: Characters,
    pub(crate) ieee: bool,
    length: Option<usize>,
}

#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// It is a column; else it is skipped.
    pub(crate) is_column: bool,
    /// `None`: behind the field before.
    pub(crate) start: Option<usize>,
    pub(crate) shape: Shape,
    /// Type of its value.
    pub(crate) kind: Type,
    pub(crate) null_if: Option<Test>,
}

/// How the bytes of a field are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Char(usize),
    Bits(usize),
    /// With their most bytes, without the two of the length.
    VarChar(usize),
    VarBits(usize),
    /// 2, 4 or 8 bytes.
    Integer(usize),
    Packed(usize, u8),
    Zoned(usize, u8),
    /// Digits as characters, and their scale where they have no point.
    Digits(usize, u8),
    Float(usize),
    FloatDigits(usize),
}

impl Shape {
    /// Its bytes, at most.
    pub(crate) const fn size(self) -> usize {
        match self {
            Self::VarChar(n) | Self::VarBits(n) => n + 2,
            Self::Char(n)
            | Self::Bits(n)
            | Self::Integer(n)
            | Self::Packed(n, _)
            | Self::Zoned(n, _)
            | Self::Digits(n, _)
            | Self::Float(n)
            | Self::FloatDigits(n) => n,
        }
    }

    pub(crate) const fn is_varying(self) -> bool {
        matches!(self, Self::VarChar(_) | Self::VarBits(_))
    }
}

/// Bytes that are compared.
#[derive(Debug)]
pub(crate) struct Test {
    first: usize,
    value: Vec<u8>,
    equal: bool,
}

impl Test {
    fn new(condition: &Condition, characters: Characters) -> Option<Self> {
        let (mut value, fill) = match &condition.value {
            Constant::Text(text) => (characters.encode(text).ok()?, characters.blank()),
            Constant::Bytes(bytes) => (bytes.clone(), 0),
        };
        if let Some(last) = condition.last {
            let length = (last - condition.first) as usize + 1;
            if value.len() > length {
                return None;
            }
            value.resize(length, fill);
        }
        Some(Self {
            first: condition.first as usize - 1,
            value,
            equal: condition.equal,
        })
    }

    fn end(&self) -> usize {
        self.first + self.value.len()
    }

    /// `None`: the record has not got the bytes.
    pub(crate) fn holds(&self, record: &[u8]) -> Option<bool> {
        let bytes = record.get(self.first..self.end())?;
        Some((bytes == self.value) == self.equal)
    }
}

impl Layout {
    /// Lays the fields of a statement over a table. The problem has the line of the statement.
    pub fn new(
        into: &IntoTable,
        table: &TableDefinition,
        characters: Characters,
        ieee: bool,
    ) -> Result<Self, Problem> {
        let columns = table.columns.iter().map(|column| FieldSpec {
            name: column.name.clone(),
            position: Position::Next,
            kind: None,
            null_if: None,
            line: into.line,
        });
        let all: Vec<FieldSpec> = match into.fields.as_slice() {
            [] => columns.collect(),
            given => given.to_vec(),
        };
        let mut layout = Self {
            fields: Vec::with_capacity(all.len()),
            when: Vec::new(),
            characters,
            ieee,
            length: None,
        };
        for condition in &into.when {
            let test = layout.test(condition, into.line)?;
            layout.when.push(test);
        }
        for spec in &all {
            let field = layout.field(into, table, spec)?;
            layout.fields.push(field);
        }
        layout.length = layout.measure();
        Ok(layout)
    }

    fn test(&self, condition: &Condition, line: u32) -> Result<Test, Problem> {
        let test = Test::new(condition, self.characters);
        test.ok_or_else(|| wrong(line, "the constant does not fit what it is compared with"))
    }

    /// The next field.
    fn field(
        &self,
        into: &IntoTable,
        table: &TableDefinition,
        spec: &FieldSpec,
    ) -> Result<Field, Problem> {
        let column = table.column(&spec.name);
        let kind = column.map_or(Type::Unknown, |column| column.kind);
        if column.is_none() && !into.ignore_fields {
            let missing = sq::load_no_column(&spec.name, &table.name);
            return Err(Problem::from(missing).at(spec.line, 1));
        }
        let mut others = self.fields.iter().filter(|field| field.is_column);
        if others.any(|field| field.name == spec.name) {
            let what = format!("field {} is there twice", spec.name);
            return Err(wrong(spec.line, &what));
        }
        let shape = shape(spec, kind, self.characters)
            .map_err(|what| wrong(spec.line, &format!("field {}: {what}", spec.name)))?;
        let null_if = spec.null_if.as_ref().map(|c| self.test(c, spec.line));
        Ok(Field {
            name: spec.name.clone(),
            is_column: column.is_some(),
            start: match spec.position {
                Position::At(first, _) => Some(first as usize - 1),
                Position::Next => None,
            },
            shape,
            kind: value_kind(shape, kind),
            null_if: null_if.transpose()?,
        })
    }

    /// Columns that get a value, with the type the value has.
    pub fn columns(&self) -> impl Iterator<Item = (&str, Type)> {
        let columns = self.fields.iter().filter(|field| field.is_column);
        columns.map(|field| (field.name.as_str(), field.kind))
    }

    /// Bytes of a record; `None`: records are not equally long.
    pub fn length(&self) -> Option<usize> {
        self.length
    }

    /// The record is one for this table: WHEN.
    pub fn takes(&self, record: &[u8]) -> bool {
        self.when
            .iter()
            .all(|test| test.holds(record) == Some(true))
    }

    fn measure(&self) -> Option<usize> {
        let tests = self
            .fields
            .iter()
            .filter_map(|field| field.null_if.as_ref());
        let mut length = self.when.iter().chain(tests).map(Test::end).max();
        let mut at = Some(0);
        for field in &self.fields {
            let start = field.start.or(at)?;
            let end = start + field.shape.size();
            length = length.max(Some(end));
            at = (!field.shape.is_varying()).then_some(end);
        }
        length
    }
}

fn wrong(line: u32, what: &str) -> Problem {
    Problem::from(sq::load_statement(what)).at(line, 1)
}

/// Bytes of a field, by what the statement says and by its column.
fn shape(spec: &FieldSpec, column: Type, characters: Characters) -> Result<Shape, String> {
    let placed = match spec.position {
        Position::At(first, Some(last)) => Some((last - first + 1) as usize),
        _ => None,
    };
    let kind = match spec.kind {
        Some(kind) => kind,
        None => of_column(column)?,
    };
    let default = column.length().map(|n| n as usize);
    let length = |said: Option<u32>, default: Option<usize>| {
        let said = said.map(|n| n as usize).or(placed).or(default);
        said.ok_or_else(|| "its length is not said".to_owned())
    };
    let shape = match kind {
        FieldKind::Char(said) if is_bytes(column) => Shape::Bits(length(said, default)?),
        FieldKind::Char(said) => Shape::Char(length(said, default)?),
        FieldKind::Binary(said) => Shape::Bits(length(said, default)?),
        FieldKind::VarChar | FieldKind::VarBinary => {
            let most = placed.map(|n| n.saturating_sub(2)).or(default);
            let most = most.ok_or("its length is not said")?;
            match kind == FieldKind::VarBinary || is_bytes(column) {
                true => Shape::VarBits(most),
                false => Shape::VarChar(most),
            }
        }
        FieldKind::DateExternal(said) => Shape::Char(length(said, Some(10))?),
        FieldKind::TimeExternal(said) => Shape::Char(length(said, Some(8))?),
        FieldKind::TimestampExternal(said) => Shape::Char(length(said, Some(26))?),
        number => number_shape(number, column, &length)?,
    };
    let is_ebcdic = matches!(characters, Characters::Page(page) if page.ebcdic);
    if matches!(shape, Shape::Zoned(..)) && !is_ebcdic {
        return Err("DECIMAL ZONED of ASCII or UNICODE is not done".to_owned());
    }
    match placed.filter(|placed| *placed != shape.size()) {
        Some(placed) => {
            let size = shape.size();
            Err(format!(
                "POSITION says {placed} bytes, its type says {size}"
            ))
        }
        None => Ok(shape),
    }
}

/// How long a field is: as it was said, as it is placed, or else so.
type Length<'a> = &'a dyn Fn(Option<u32>, Option<usize>) -> Result<usize, String>;

/// The same of a number.
fn number_shape(kind: FieldKind, column: Type, length: Length<'_>) -> Result<Shape, String> {
    let (precision, scale) = column.digits().unwrap_or((31, 0));
    let precision = usize::from(precision);
    Ok(match kind {
        FieldKind::SmallInt => Shape::Integer(2),
        FieldKind::Integer => Shape::Integer(4),
        FieldKind::BigInt => Shape::Integer(8),
        FieldKind::IntegerExternal(said) => Shape::Digits(length(said, None)?, 0),
        FieldKind::Packed => Shape::Packed(length(None, Some(precision / 2 + 1))?, scale),
        FieldKind::Zoned => Shape::Zoned(length(None, Some(precision))?, scale),
        FieldKind::DecimalExternal(said, scale) => {
            let scale = u8::try_from(scale.unwrap_or(0)).ok().filter(|s| *s <= 31);
            Shape::Digits(length(said, None)?, scale.ok_or("its scale is too large")?)
        }
        FieldKind::Float(Some(bits)) => Shape::Float(if bits <= 21 { 4 } else { 8 }),
        FieldKind::Float(None) => {
            let own = if column == Type::Real { 4 } else { 8 };
            match length(None, Some(own))? {
                n @ (4 | 8) => Shape::Float(n),
                _ => return Err("a FLOAT has 4 or 8 bytes".to_owned()),
            }
        }
        FieldKind::FloatExternal(said) => Shape::FloatDigits(length(said, None)?),
        _ => return Err("it is no number".to_owned()),
    })
}

/// The type of a field that has none.
fn of_column(column: Type) -> Result<FieldKind, String> {
    Ok(match column {
        Type::SmallInt => FieldKind::SmallInt,
        Type::Integer => FieldKind::Integer,
        Type::BigInt => FieldKind::BigInt,
        Type::Decimal { .. } => FieldKind::Packed,
        Type::Real | Type::Double => FieldKind::Float(None),
        Type::Char(n) => FieldKind::Char(Some(n)),
        Type::VarChar(_) => FieldKind::VarChar,
        Type::CharBit(n) | Type::Binary(n) => FieldKind::Binary(Some(n)),
        Type::VarCharBit(_) | Type::VarBinary(_) => FieldKind::VarBinary,
        Type::Date => FieldKind::DateExternal(None),
        Type::Time => FieldKind::TimeExternal(None),
        Type::Timestamp(0) => FieldKind::TimestampExternal(Some(19)),
        Type::Timestamp(digits) => FieldKind::TimestampExternal(Some(20 + u32::from(digits))),
        Type::Unknown => return Err("its type is not said, and it is no column".to_owned()),
        other => return Err(format!("a column of type {other} is not done")),
    })
}

fn is_bytes(column: Type) -> bool {
    column.is_bit_data() || matches!(column, Type::Binary(_) | Type::VarBinary(_))
}

/// Type of the values of a field.
fn value_kind(shape: Shape, column: Type) -> Type {
    let length = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let is_binary = matches!(column, Type::Binary(_) | Type::VarBinary(_));
    match shape {
        Shape::Char(n) => Type::Char(length(n)),
        Shape::VarChar(n) => Type::VarChar(length(n)),
        Shape::Bits(n) | Shape::VarBits(n) if is_binary => Type::VarBinary(length(n)),
        Shape::Bits(n) | Shape::VarBits(n) => Type::VarCharBit(length(n)),
        Shape::Integer(2) => Type::SmallInt,
        Shape::Integer(4) => Type::Integer,
        Shape::Integer(_) => Type::BigInt,
        Shape::Packed(_, scale) | Shape::Zoned(_, scale) | Shape::Digits(_, scale) => {
            Type::decimal(31, scale)
        }
        Shape::Float(4) => Type::Real,
        Shape::Float(_) | Shape::FloatDigits(_) => Type::Double,
    }
}
