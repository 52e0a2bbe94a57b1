//! Writes where records lie in shared memory, and what is done with all kinds of them alike.

use crate::answers::{changed, taken, told};
use crate::type_of;
use std::fmt::Write as _;
use transom_resources::{FieldValue, Record, ResourceKind};

/// What lies in shared memory, a group for each name.
pub(crate) fn installed(out: &mut String, kind: ResourceKind, record: &Record) {
    let (key, key_type) = (record.key.name, type_of(record.key.value));
    let own = key_bytes(record).replace(key, &format!("self.{key}"));
    let (bytes, space) = (key_bytes(record), record.space);
    let instead = match kind.is_one() {
        true => format!("only(shared, Space::{space}, {own});\n        "),
        false => String::new(),
    };
    writeln!(
        out,
        "    /// Installs or replaces it, keeping its counters. `false`: shared storage is full.\n    \
         #[must_use]\n    pub fn install(&self, shared: &dyn Shared) -> bool {{\n        \
         {instead}put(shared, Space::{space}, {own}, &self.encode())\n    }}\n\n    \
         /// The installed one.\n    \
         pub fn find(shared: &dyn Shared, {key}: {key_type}) -> Option<Self> {{\n        \
         get(shared, Space::{space}, {bytes}, Self::decode)\n    }}\n"
    )
    .unwrap();
}

fn key_bytes(record: &Record) -> String {
    match record.key.value {
        FieldValue::Name { .. } => format!("{}.as_bytes()", record.key.name),
        _ => format!("&{}", record.key.name),
    }
}

/// The trait by which commands treat all kinds alike.
pub(crate) fn as_installed(out: &mut String, kind: ResourceKind, record: &Record) {
    let (name, space, keyword) = (record.name, record.space, kind.keyword());
    let missing = record
        .missing
        .expect("a kind that is installed can be missing");
    let key = record.key.name;
    let own = key_bytes(record).replace(key, &format!("self.{key}"));
    let own = own.trim_start_matches('&');
    let (resp, resp2) = (
        missing.resp,
        [missing.inquire, missing.set, missing.discard],
    );
    writeln!(
        out,
        "impl Installed for {name} {{\n    \
         const KIND: ResourceKind = ResourceKind::{kind:?};\n    \
         const SPACE: Space = Space::{space};\n    \
         const KEY: OptionId = opt::{keyword};\n    \
         const KEY_BYTES: usize = {};\n    \
         const MISSING: (Resp, [u32; 3]) = (Resp::{resp}, {resp2:?});\n\n    \
         fn store(&self, shared: &dyn Shared) -> bool {{\n        self.install(shared)\n    }}\n\n    \
         fn named(shared: &dyn Shared, name: &[u8]) -> Option<Self> {{\n        \
         get(shared, Self::SPACE, name, Self::decode)\n    }}\n\n    \
         fn name(&self) -> Vec<u8> {{\n        {own}.to_vec()\n    }}\n\n    \
         fn record(&self) -> Vec<u8> {{\n        self.encode()\n    }}\n\n    \
         fn of_record(bytes: &[u8]) -> Option<Self> {{\n        Self::decode(bytes)\n    }}\n",
        kind.name_length(),
    )
    .unwrap();
    taken(out, kind);
    if told(kind).next().is_some() {
        out.push_str(
            "    fn tell(&self, tell: &mut dyn FnMut(OptionId, Told<'_>)) {\n        \
             self.answers(tell);\n    }\n\n",
        );
    }
    if changed(kind).next().is_some() {
        out.push_str(
            "    fn set(&mut self, given: &dyn Given) -> Result<(), u32> {\n        \
             self.change(given)\n    }\n",
        );
    }
    out.push_str("}\n\n");
}

/// All kinds of records: one of them, and a visit to those in shared memory.
pub(crate) fn entry(out: &mut String, records: &[(ResourceKind, &Record)]) {
    let mut variants = String::new();
    let mut reads = String::new();
    let mut stores = String::new();
    let mut visits = String::new();
    for (kind, record) in records {
        let name = record.name;
        writeln!(
            variants,
            "    /// {}.\n    {kind:?}({name}),",
            kind.keyword()
        )
        .unwrap();
        let read = match record.combined {
            true => format!("{name}::from_definition(definition)?.map(Self::{kind:?})"),
            false => format!("Some(Self::{kind:?}({name}::of_attributes(definition)))"),
        };
        writeln!(reads, "            ResourceKind::{kind:?} => {read},").unwrap();
        if !record.space.is_empty() {
            writeln!(
                stores,
                "            Self::{kind:?}(entry) => entry.install(shared),"
            )
            .unwrap();
            writeln!(visits, "    visit.kind::<{name}>();").unwrap();
        }
    }
    writeln!(
        out,
        "/// A definition as a region takes it.\n#[derive(Debug, Clone, PartialEq, Eq)]\n\
         pub enum Entry {{\n{variants}}}\n\n\
         impl Entry {{\n    \
         /// `None`: it defines nothing here (a resource of another region, a model without\n    \
         /// prefix), or the kind has no record. The error names the attribute that does not\n    \
         /// fit.\n    \
         pub fn of(definition: &Definition) -> Result<Option<Self>, super::NotUsable> {{\n        \
         Ok(match definition.kind {{\n{reads}            _ => None,\n        }})\n    }}\n\n    \
         /// Installs what lies in shared memory; what does not is left to its domain.\n    \
         /// `false`: shared storage is full.\n    #[must_use]\n    \
         pub fn install(&self, shared: &dyn Shared) -> bool {{\n        \
         match self {{\n{stores}            _ => true,\n        }}\n    }}\n}}\n\n\
         /// Visits all kinds in shared memory.\n\
         pub fn each_installed(visit: &mut impl EachInstalled) {{\n{visits}}}\n"
    )
    .unwrap();
}

/// Spaces of what no deck defines, or does not define one by one.
const OTHER_SPACES: [(&str, &str); 11] = [
    ("TsMain", "Main temporary storage queues."),
    ("Enqueue", "Enqueued resources."),
    ("Counter", "Named counters."),
    ("Task", "Running tasks, for INQUIRE TASK and PURGE."),
    ("System", "Region facts: APPLID, SYSIDNT, CWA ..."),
    ("Terminal", "Terminals."),
    ("Alias", "ALIAS and XTRANID: the transaction they name."),
    ("TsModel", "TSMODELs."),
    (
        "Interval",
        "START requests that wait for their time, by REQID.",
    ),
    (
        "Edf",
        "Terminals and transactions under EDF, with their displays.",
    ),
    (
        "Asked",
        "How often tasks asked for what workers carry out by themselves.",
    ),
];

pub(crate) fn spaces(records: &[(ResourceKind, &Record)]) -> String {
    let with_space = records
        .iter()
        .filter(|(_, record)| !record.space.is_empty());
    let of_kinds = with_space.map(|(kind, record)| {
        let doc = format!("Installed definitions of {}, by name.", kind.keyword());
        (record.space, doc)
    });
    let others = OTHER_SPACES.map(|(name, doc)| (name, doc.to_owned()));
    let rows = others.into_iter().chain(of_kinds).enumerate();
    let rows: Vec<String> = rows
        .map(|(at, (name, doc))| format!("    /// {doc}\n    {name} = {},\n", at + 1))
        .collect();
    let count = rows.len() + 1;
    format!(
        "/// Numbers of kinds lie below.\n\
         pub const SPACES: usize = {count};\n\n\
         /// Kinds of region-wide data.\n\
         #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]\n\
         #[repr(u8)]\npub enum Space {{\n{}}}\n",
        rows.concat()
    )
}
