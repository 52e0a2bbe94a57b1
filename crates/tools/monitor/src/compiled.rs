//! What the compilation of a program left: names of its records, and the items inside them.
//!
//! What: the compiler's declarations have names and numbers of records and of addresses in LINKAGE,
//! the translated source has the items. Where numbers alone do not say which item is meant, nothing
//! has a name: a wrong one is worse. Not here: areas of dumps (`areas`), values (`names`).

use crate::areas::{Part, Stored};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use transom_copybook::{FieldId, Layout, ParseOptions, Profile, SourceFormat};

const COMMAREA: &str = "DFHCOMMAREA";
/// Records of LOCAL-STORAGE begin at multiples of it.
const LOCAL_ALIGNMENT: usize = 16;
const SECTIONS: [&str; 3] = [
    "LOCAL-STORAGE SECTION",
    "LINKAGE SECTION",
    "PROCEDURE DIVISION",
];
/// Words of PROCEDURE DIVISION USING that are no names.
const BESIDE_NAMES: [&str; 5] = ["PROCEDURE", "DIVISION", "USING", "BY", "REFERENCE"];

/// What the compiler left of a program.
pub(crate) struct Compiled {
    /// The translated source.
    text: String,
    /// Declarations of records.
    records: String,
    /// Declarations of parameters.
    parameters: String,
    /// `None`: the section cannot be read.
    working_storage: Option<Layout>,
    local_storage: Option<Layout>,
    linkage: Option<Layout>,
}

/// An item of level 01 or 77 in an area.
pub(crate) struct Named<'a> {
    pub(crate) name: String,
    /// Layout and item; `None`: nothing is known of what is inside.
    pub(crate) items: Option<(&'a Layout, FieldId)>,
    /// Where it begins in the area, and its bytes in the dump.
    pub(crate) at: usize,
    pub(crate) bytes: usize,
}

impl Compiled {
    /// `None`: it is not there, or was made after the dump.
    pub(crate) fn of(dir: &Path, program: &str, taken: SystemTime) -> Option<Self> {
        let file = |ending: &str| -> PathBuf {
            let folder = dir.join(".transom/generated");
            folder.join(format!("{program}.{ending}"))
        };
        let read = |path: PathBuf| -> Option<String> {
            let made = path.metadata().ok()?.modified().ok()?;
            let bytes = std::fs::read(&path).ok().filter(|_| made <= taken)?;
            Some(bytes.iter().map(|byte| char::from(*byte)).collect())
        };
        let text = read(file("cob"))?;
        Some(Self {
            records: read(file("c.l.h"))?,
            parameters: read(file("c.h"))?,
            working_storage: layout(&text, "WORKING-STORAGE SECTION"),
            local_storage: layout(&text, SECTIONS[0]),
            linkage: layout(&text, SECTIONS[1]),
            text,
        })
    }

    /// The items of an area; none: it is nobody's.
    pub(crate) fn items(&self, area: &Stored) -> Vec<Named<'_>> {
        if area.part == Part::Local {
            let found = self.local_storage.as_ref();
            return found.map_or_else(Vec::new, |layout| local_items(layout, area.bytes.len()));
        }
        let length = area.bytes.len();
        let (layout, name) = match area.part {
            Part::Record(number) => (&self.working_storage, self.record(number, length)),
            Part::AtRecord(number) => (&self.linkage, self.linked(number)),
            Part::Parameter(number) => (&self.linkage, self.parameter(number)),
            Part::Commarea | Part::Local => (&self.linkage, Some(COMMAREA.to_owned())),
        };
        let Some(name) = name else {
            return Vec::new();
        };
        let items = (layout.as_ref()).and_then(|layout| Some((layout, root(layout, &name, area)?)));
        // How long an item behind an address is, nobody else knows.
        if items.is_none() && area.is_behind_address() {
            return Vec::new();
        }
        let bytes = match items {
            Some((layout, id)) if area.is_behind_address() => length.min(layout[id].extent()),
            _ => length,
        };
        vec![Named {
            name,
            items,
            at: 0,
            bytes,
        }]
    }

    /// The record with this number and length.
    fn record(&self, number: u32, length: usize) -> Option<String> {
        named(&self.records, &format!("b_{number}[{length}]"))
    }

    /// The item of LINKAGE whose address the compiler keeps under this number.
    fn linked(&self, number: u32) -> Option<String> {
        named(&self.records, &format!("*b_{number}"))
    }

    /// The item of PROCEDURE DIVISION USING under this number: both are numbered in the order of
    /// the source. Where the program moves it (SET ADDRESS OF), or there are other entries, nobody
    /// knows what it is.
    fn parameter(&self, number: u32) -> Option<String> {
        let declared = |line: &str| -> Option<u32> {
            let (_, rest) = line.split_once("*cob_parm_")?;
            rest.split(' ').next()?.parse().ok()
        };
        let mut numbers: Vec<u32> = self.parameters.lines().filter_map(declared).collect();
        numbers.sort_unstable();
        let using = using(&self.text);
        let roots = self.linkage.as_ref()?;
        let name_of = |id: &FieldId| roots[*id].name.to_ascii_uppercase();
        let names: Vec<String> = (roots.roots.iter().map(name_of))
            .filter(|name| using.contains(name))
            .collect();
        if names.len() != numbers.len() || names.len() != using.len() {
            return None;
        }
        let at = numbers.iter().position(|one| *one == number)?;
        let name = names.get(at)?;
        (!is_moved(&self.text, name)).then(|| name.clone())
    }
}

/// The name behind a declaration.
fn named(declarations: &str, declared: &str) -> Option<String> {
    let mut lines = declarations.lines();
    let line = lines.find(|line| line.split_whitespace().any(|word| word == declared))?;
    let (_, name) = line.split_once("/* ")?;
    name.split_whitespace().next().map(str::to_owned)
}

/// Lines of COBOL, in upper case, without those that say where they are from.
fn lines(source: &str) -> impl Iterator<Item = String> {
    let code = source.lines().filter(|line| !line.starts_with('#'));
    code.map(str::to_ascii_uppercase)
}

/// Names of PROCEDURE DIVISION USING; none where another word stands among them.
fn using(source: &str) -> Vec<String> {
    let behind = lines(source).skip_while(|line| !line.trim_start().starts_with(SECTIONS[2]));
    let mut found = Vec::new();
    for line in behind {
        for word in line.split_whitespace() {
            let (name, is_end) = match word.strip_suffix('.') {
                Some(name) => (name, true),
                None => (word, false),
            };
            if ["VALUE", "RETURNING", "OPTIONAL"].contains(&name) {
                return Vec::new();
            }
            if !name.is_empty() && !BESIDE_NAMES.contains(&name) {
                found.push(name.to_owned());
            }
            if is_end {
                return found;
            }
        }
    }
    Vec::new()
}

/// Whether the program says ADDRESS OF the item, or ENTRY anywhere: it may be elsewhere then than
/// where the program was called with it.
fn is_moved(source: &str, name: &str) -> bool {
    let code: Vec<String> = lines(source).collect();
    let code = code.join(" ");
    let words: Vec<&str> = code
        .split(|c: char| c.is_whitespace() || "(),.".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    words.contains(&"ENTRY")
        || words
            .windows(3)
            .any(|three| three == ["ADDRESS", "OF", name])
}

/// The records of a section of a translated source.
fn layout(source: &str, section: &str) -> Option<Layout> {
    let begins = |line: &str, word: &str| {
        let front = line.trim_start().get(..word.len());
        front.is_some_and(|front| front.eq_ignore_ascii_case(word))
    };
    let is_end = |line: &&str| SECTIONS.iter().any(|word| begins(line, word));
    let lines = source.lines();
    let behind = lines.skip_while(|line| !begins(line, section));
    let inside = behind.skip(1).take_while(|line| !is_end(line));
    let text: Vec<&str> = inside.filter(|line| !line.starts_with('#')).collect();
    let options = ParseOptions {
        format: SourceFormat::Free,
        ..ParseOptions::default()
    };
    let (book, _) = transom_copybook::parse(&text.join("\n"), &options);
    Layout::new(&book, Profile::Native).ok()
}

/// The record of this name and length, if it is the only one and its items stay where they are.
fn root(layout: &Layout, name: &str, area: &Stored) -> Option<FieldId> {
    let named = |id: &&FieldId| layout[**id].name.eq_ignore_ascii_case(name);
    let mut found = layout.roots.iter().filter(named);
    let id = *found.next()?;
    let is_only = found.next().is_none();
    let (extent, length) = (layout[id].extent(), area.bytes.len());
    let fits = match area.part {
        Part::Record(_) => extent == length,
        // A COMMAREA may be longer than what the program has of it.
        Part::Commarea | Part::Local => extent <= length,
        // As much is shown as there is.
        Part::Parameter(_) | Part::AtRecord(_) => true,
    };
    (is_only && fits && !slides(layout, id)).then_some(id)
}

/// Records of LOCAL-STORAGE, one behind another; none where they do not fill it.
fn local_items(layout: &Layout, length: usize) -> Vec<Named<'_>> {
    let mut at = 0;
    let mut found = Vec::new();
    let own = |id: &&FieldId| layout[**id].redefines.is_none();
    for id in layout.roots.iter().filter(own) {
        let bytes = layout[*id].extent();
        found.push(Named {
            name: layout[*id].name.clone(),
            items: (!slides(layout, *id)).then_some((layout, *id)),
            at,
            bytes,
        });
        at += bytes.next_multiple_of(LOCAL_ALIGNMENT);
    }
    if at != length {
        found.clear();
    }
    found
}

/// Whether a table of varying length moves the item or one below it.
fn slides(layout: &Layout, id: FieldId) -> bool {
    let field = &layout[id];
    field.slides || field.children.iter().any(|child| slides(layout, *child))
}
