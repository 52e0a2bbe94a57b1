//! A statistics record: its fields, its bytes in a program, its copybook.
//!
//! Not here: which records there are (`tables`).

/// A record, as the copybook of its name has it.
#[derive(Debug)]
pub struct Layout {
    /// Name of the copybook, `DFHXMGDS`.
    pub name: &'static str,
    /// Name of its length field, with which every record begins.
    pub length: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// Option of PERFORM, COLLECT and EXTRACT STATISTICS.
    pub option: &'static str,
    /// There is one for each resource, whose name is the first field; else one for the region.
    pub of_resource: bool,
    pub fields: &'static [StatisticsField],
    /// Behind them fields that come several times.
    pub repeated: Option<Repeated>,
}

/// Fields that come several times, one set behind the other.
#[derive(Debug, Clone, Copy)]
pub struct Repeated {
    pub name: &'static str,
    pub times: usize,
    pub fields: &'static [StatisticsField],
}

/// A field of a record.
#[derive(Debug)]
pub struct StatisticsField {
    pub name: &'static str,
    pub means: Means,
    pub title: &'static str,
}

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Means {
    /// So many characters.
    Text(u8),
    /// As it is now; a reset leaves it.
    Now,
    /// The most since the last reset.
    Peak,
    /// How often since the last reset.
    Count,
    /// What the first [`Means::Count`] of the record was before the last reset.
    Before,
}

/// What stands in a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Text(Vec<u8>),
    Number(u64),
}

/// A record with its values, in the order of its fields.
#[derive(Debug, Clone)]
pub struct Counted {
    pub layout: &'static Layout,
    pub values: Vec<Value>,
}

impl Counted {
    /// Values that are no numbers are names, blank padded or not.
    pub fn new(layout: &'static Layout, values: Vec<Value>) -> Self {
        debug_assert_eq!(layout.all().count(), values.len(), "{}", layout.name);
        Self { layout, values }
    }

    /// The name of its resource without blanks; empty for the region.
    pub fn resource(&self) -> &[u8] {
        match self.values.first() {
            Some(Value::Text(name)) if self.layout.of_resource => name.trim_ascii_end(),
            _ => b"",
        }
    }

    /// The number in a field of this name.
    pub fn number(&self, name: &str) -> Option<u64> {
        let at = self.layout.fields.iter().position(|f| f.name == name)?;
        match self.values.get(at)? {
            Value::Number(number) => Some(*number),
            Value::Text(_) => None,
        }
    }

    /// Something was counted since the last reset.
    pub fn has_counts(&self) -> bool {
        let mut fields = self.layout.all().zip(&self.values);
        fields
            .any(|(field, value)| field.means == Means::Count && !matches!(value, Value::Number(0)))
    }

    /// As a program sees it by its copybook.
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = vec![0, 0];
        for (field, value) in self.layout.all().zip(&self.values) {
            match (field.means, value) {
                (Means::Text(bytes), Value::Text(text)) => {
                    let end = out.len() + usize::from(bytes);
                    out.extend(text.iter().take(usize::from(bytes)));
                    out.resize(end, b' ');
                }
                (_, Value::Number(number)) => {
                    let number = i32::try_from(*number).unwrap_or(i32::MAX);
                    out.extend(number.to_be_bytes());
                }
                (_, Value::Text(_)) => out.extend([0; 4]),
            }
        }
        let length = u16::try_from(out.len()).unwrap_or(u16::MAX);
        out[..2].copy_from_slice(&length.to_be_bytes());
        out
    }
}

impl Layout {
    /// All fields, those that are repeated as often as they are.
    pub fn all(&self) -> impl Iterator<Item = &'static StatisticsField> {
        let repeated = self.repeated.iter();
        let again = repeated.flat_map(|r| (0..r.times).flat_map(|_| r.fields));
        self.fields.iter().chain(again)
    }

    /// Names of [`Layout::all`]; those of repeated fields with their number, `NQGTNQSI(2)`.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let again = self.repeated.iter().flat_map(|r| {
            let named = |n| move |field: &StatisticsField| format!("{}({n})", field.name);
            (1..=r.times).flat_map(move |n| r.fields.iter().map(named(n)))
        });
        let first = self.fields.iter().map(|field| field.name.to_owned());
        first.chain(again)
    }

    /// The copybook that describes [`Counted::bytes`].
    pub fn copybook(&self) -> String {
        let mut out = format!(
            "      * {}: statistics, {}.\n       01  {}.\n",
            self.name, self.title, self.name
        );
        out += &item(3, self.length, "S9(4) COMP", "Length of the record");
        for field in self.fields {
            out += &field.item(3);
        }
        if let Some(repeated) = &self.repeated {
            let (name, times) = (repeated.name, repeated.times);
            out += &format!("           03 {name:<9} OCCURS {times}.\n");
            for field in repeated.fields {
                out += &field.item(5);
            }
        }
        out
    }
}

impl StatisticsField {
    fn item(&self, level: usize) -> String {
        match self.means {
            Means::Text(bytes) => item(level, self.name, &format!("X({bytes})"), self.title),
            _ => item(level, self.name, "S9(8) COMP", self.title),
        }
    }
}

fn item(level: usize, name: &str, picture: &str, title: &str) -> String {
    let indent = " ".repeat(8 + level);
    format!("      * {title}\n{indent}{level:02} {name:<9} PIC {picture}.\n")
}
