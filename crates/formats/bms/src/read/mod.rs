//! Statements to mapsets: which macro may stand where, names, what is inherited.
//!
//! Not here: operands of one macro (`mapset`, `map`, `field`), form of the source (`scan`).

mod common;
mod field;
mod map;
mod mapset;

use crate::model::{Map, Mapset};
use crate::problem::Problems;
use crate::scan::{Statement, statements};
use common::Common;
use std::collections::HashSet;
use transom_messages as messages;
use transom_messages::Problem;

/// What a source became.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Mapsets without errors, in the order of the source.
    pub mapsets: Vec<Mapset>,
    /// Everything found, in the order of the source.
    pub problems: Vec<Problem>,
}

/// Reads BMS source. `name` stands in problems, usually the file's path.
///
/// Errors never stop reading; a mapset with an error is left out. Sources above
/// [`crate::MAX_SOURCE_BYTES`] are refused.
pub fn read(name: &str, source: &str) -> Source {
    let mut problems = Problems::new(name);
    if source.len() > crate::MAX_SOURCE_BYTES {
        problems.add(
            Default::default(),
            messages::bm::source_too_long(crate::MAX_SOURCE_BYTES),
        );
        return Source {
            mapsets: Vec::new(),
            problems: problems.into_list(),
        };
    }
    let statements = statements(source, &mut problems);
    let mut reader = Reader {
        problems,
        mapsets: Vec::new(),
        open: None,
    };
    for statement in &statements {
        reader.statement(statement);
    }
    reader.finish(&statements);
    Source {
        mapsets: reader.mapsets,
        problems: reader.problems.into_list(),
    }
}

/// A mapset that is being read.
struct Open {
    mapset: Mapset,
    defaults: Common,
    /// Operands in force for fields: of the last DFHMDI, or the mapset's.
    current: Common,
    names: HashSet<String>,
    /// Fields of the current map, occurrences counted.
    occurrences: usize,
    errors_before: usize,
}

struct Reader {
    problems: Problems,
    mapsets: Vec<Mapset>,
    open: Option<Open>,
}

/// Instructions of the assembler that have no meaning for a map.
const SILENT: [&str; 16] = [
    "TITLE", "PRINT", "EJECT", "SPACE", "CSECT", "RSECT", "START", "END", "PUNCH", "REPRO",
    "USING", "DS", "LTORG", "AMODE", "RMODE", "DC",
];

impl Reader {
    fn statement(&mut self, s: &Statement) {
        match s.operation.as_str() {
            "DFHMSD" if mapset::is_final(s) => self.close(),
            "DFHMSD" => self.open(s),
            "DFHMDI" => self.map(s),
            "DFHMDF" => self.field(s),
            other if SILENT.contains(&other) => {}
            other => {
                self.problems.add(s.at, messages::bm::not_a_macro(other));
            }
        }
    }

    fn open(&mut self, s: &Statement) {
        self.close();
        let errors_before = self.problems.errors();
        common::check_name(s, 8, &mut self.problems);
        let (mapset, defaults) = mapset::read(s, &mut self.problems);
        self.open = Some(Open {
            current: defaults.clone(),
            mapset,
            defaults,
            names: HashSet::new(),
            occurrences: 0,
            errors_before,
        });
    }

    fn map(&mut self, s: &Statement) {
        let Some(open) = &mut self.open else {
            self.out_of_place(s);
            return;
        };
        common::check_name(s, 7, &mut self.problems);
        if open.mapset.maps.len() >= crate::MAX_MAPS {
            self.problems
                .add(s.at, messages::bm::too_many_maps(crate::MAX_MAPS));
            return;
        }
        if open.mapset.maps.iter().any(|m| m.name == s.name) {
            self.problems.add(s.at, messages::bm::map_twice(&s.name));
        }
        let (map, common) = map::read(s, &open.defaults, &mut self.problems);
        open.current = common;
        open.occurrences = 0;
        open.mapset.maps.push(map);
    }

    fn field(&mut self, s: &Statement) {
        let Some(open) = &mut self.open else {
            self.out_of_place(s);
            return;
        };
        let Some(map) = open.mapset.maps.last_mut() else {
            self.out_of_place(s);
            return;
        };
        if !s.name.is_empty() {
            common::check_name(s, 30, &mut self.problems);
            if !open.names.insert(s.name.clone()) {
                self.problems.add(s.at, messages::bm::field_twice(&s.name));
            }
        }
        let field = field::read(s, map, &open.current, &mut self.problems);
        let Some(field) = field else { return };
        open.occurrences += usize::from(field.occurs.unwrap_or(1));
        if open.occurrences > crate::MAX_FIELDS {
            self.problems
                .add(s.at, messages::bm::too_many_fields(crate::MAX_FIELDS));
            return;
        }
        warn_unsent(s, map, &field, &mut self.problems);
        map.fields.push(field);
    }

    fn out_of_place(&mut self, s: &Statement) {
        let message = match s.operation.as_str() {
            "DFHMDI" => messages::bm::map_out_of_place(),
            _ => messages::bm::field_out_of_place(),
        };
        self.problems.add(s.at, message);
    }

    fn close(&mut self) {
        if let Some(open) = self.open.take()
            && open.errors_before == self.problems.errors()
        {
            self.mapsets.push(open.mapset);
        }
    }

    fn finish(&mut self, statements: &[Statement]) {
        let at = statements.last().map(|s| s.at).unwrap_or_default();
        if self.open.is_some() {
            self.problems.add(at, messages::bm::final_missing());
            self.close();
        } else if self.mapsets.is_empty() && self.problems.errors() == 0 {
            self.problems.add(at, messages::bm::no_mapset());
        }
    }
}

/// An extended attribute in a field that MAPATTS does not list never reaches a terminal.
fn warn_unsent(s: &Statement, map: &Map, field: &crate::model::Field, problems: &mut Problems) {
    for kind in crate::attribute::Extra::ALL {
        let given = s.operands.iter().find(|o| o.key == kind.word());
        if let Some(operand) = given
            && field.extras.get(kind) != 0
            && !map.map_attributes.has(kind)
        {
            problems.add(operand.at, messages::bm::attribute_not_sent(&operand.key));
        }
    }
}
