//! `files/service/*.xml` of a service archive: which fields take part in which direction.

use crate::problem::Result;
use crate::sar::interface::{Field, Interface, default_value, yes};
use crate::sar::manifest::ccsid;
use crate::xml::{Element, parse};
use std::collections::HashMap;
use transom_copybook::shape::Literal;
use transom_messages as messages;

/// Both directions of a service file.
pub(super) struct Inclusions {
    pub(super) input: Side,
    pub(super) output: Side,
    /// `ccsid`.
    pub(super) ccsid: Option<u16>,
}

/// Changes to the interface of one direction, by segment and field path.
#[derive(Default)]
pub(super) struct Side {
    entries: HashMap<String, Entry>,
}

struct Entry {
    included: Option<bool>,
    default: Option<Literal>,
}

impl Inclusions {
    pub(super) fn parse(file: &str, text: &str) -> Result<Inclusions> {
        let root = parse(file, text)?;
        Ok(Inclusions {
            input: Side::parse(file, root.find("serviceInputInterface"))?,
            output: Side::parse(file, root.find("serviceOutputInterface"))?,
            ccsid: root.child_text("ccsid").and_then(ccsid),
        })
    }
}

impl Side {
    fn parse(file: &str, element: Option<&Element>) -> Result<Side> {
        let mut side = Side::default();
        let Some(element) = element else {
            return Ok(side);
        };
        let Some(interface) = element.find("interface") else {
            return Ok(side);
        };
        for segment in interface.all("segment") {
            let name = segment.attr("segmentName").unwrap_or_default();
            for child in &segment.children {
                side.add(file, name, child)?;
            }
        }
        Ok(side)
    }

    fn add(&mut self, file: &str, path: &str, element: &Element) -> Result<()> {
        let Some(name) = element.attr("fieldName") else {
            return Ok(());
        };
        let path = format!("{path}/{name}");
        let default = default_value(element).map_err(|text| {
            element.problem(
                messages::ad::field_not_possible(
                    &path,
                    format_args!("defaultValue \"{text}\" is not hexadecimal"),
                ),
                file,
            )
        })?;
        for child in &element.children {
            self.add(file, &path, child)?;
        }
        self.entries.insert(
            path,
            Entry {
                included: yes(element.attr("included")),
                default,
            },
        );
        Ok(())
    }

    /// Changes the fields of `interface` that have an entry; the others stay as the interface file
    /// says.
    pub(super) fn apply(&self, interface: &mut Interface) {
        for container in &mut interface.containers {
            for name in [container.name.clone(), container.json_name.clone()] {
                for field in &mut container.fields {
                    self.field(&name, field);
                }
            }
        }
    }

    fn field(&self, path: &str, field: &mut Field) {
        let path = format!("{path}/{}", field.name);
        if let Some(entry) = self.entries.get(&path) {
            field.included = entry.included.unwrap_or(field.included);
            if entry.default.is_some() {
                field.default.clone_from(&entry.default);
            }
        }
        for child in &mut field.children {
            self.field(&path, child);
        }
    }
}
