//! Services against the programs they link to: do COMMAREA and containers lie alike on both sides?
//!
//! What: items of one name in the interface of a service and in what its program has for the same
//! bytes (DFHCOMMAREA, or the items of GET and PUT CONTAINER) must lie at one offset and have one
//! length. Why: a service was made from a copybook, the program may have been compiled with another
//! one; answers would hold wrong data. Not here: what the operations are (`report`).

use crate::archives::{Service, ServiceArea};
use std::collections::HashMap;
use transom_copybook::shape::{Kind, Node};
use transom_copybook::{FieldId, FieldKind, Layout};
use transom_messages::{Message, si};
use transom_system::Finding;
use transom_system::report::SourceReport;

/// An elementary item: its name, first byte, bytes.
type Item = (String, usize, usize);

/// What does not fit.
pub(crate) fn check(services: &[Service], programs: &[SourceReport]) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for service in services {
        let name = service.program.as_str();
        let Some(program) = programs.iter().find(|p| p.program == name) else {
            continue;
        };
        let mut wrong = Vec::new();
        for area in &service.areas {
            let layouts = described_by(program, area).iter();
            wrong.extend(layouts.filter_map(|layout| elsewhere(service, area, layout)));
        }
        let findings = match wrong.is_empty() {
            true => lengths(service, program),
            false => wrong.into_iter().map(Finding::error).collect(),
        };
        for finding in findings {
            // Request and response, or GET and PUT, say the same.
            if !found.iter().any(|known| known.text == finding.text) {
                found.push(finding);
            }
        }
    }
    found
}

/// What the program has for the bytes of an area.
fn described_by<'p>(program: &'p SourceReport, area: &ServiceArea) -> &'p [Layout] {
    match &area.container {
        None => program.commarea.as_slice(),
        Some(name) => {
            let known = program.containers.get(&name.to_ascii_uppercase());
            known.map_or(&[], Vec::as_slice)
        }
    }
}

/// How messages name it.
fn shown(area: &ServiceArea) -> String {
    match &area.container {
        None => "DFHCOMMAREA".to_owned(),
        Some(name) => format!("container {name}"),
    }
}

/// The first item that lies at two places.
fn elsewhere(service: &Service, area: &ServiceArea, layout: &Layout) -> Option<Message> {
    let ours = described(layout);
    let items: Vec<Item> = ours.iter().map(|(item, _)| item.clone()).collect();
    let mut theirs = Vec::new();
    walk(&area.shape.root, 0, &mut theirs);
    theirs.retain(|item| (area.offset..area.offset + area.bytes).contains(&item.1));
    theirs.iter_mut().for_each(|item| item.1 -= area.offset);
    let (places, known) = (unique(&theirs), unique(&items));
    let there = |item: &Item| {
        let place = places.get(item.0.as_str())?;
        known.contains_key(item.0.as_str()).then_some(*place)
    };
    let same = |item: &Item| there(item) == Some((item.1, item.2));
    let differs = items
        .iter()
        .position(|item| there(item).is_some() && !same(item))?;
    let item = &items[differs];
    let pointer = (0..differs)
        .rev()
        .take_while(|n| !same(&items[*n]))
        .filter(|n| ours[*n].1)
        .last();
    let (name, program) = (&service.name, service.program);
    let (there, here) = (place(there(item)?), place((item.1, item.2)));
    let area = shown(area);
    Some(match pointer {
        Some(n) => si::pointer_between(name, &item.0, there, here, area, program, &items[n].0),
        None => si::item_elsewhere(name, &item.0, there, here, area, program),
    })
}

/// Areas of which one side ends before the other. One that is only there to be moved says nothing.
fn lengths(service: &Service, program: &SourceReport) -> Vec<Finding> {
    let mut out = Vec::new();
    for area in &service.areas {
        let same = service
            .areas
            .iter()
            .filter(|a| a.container == area.container);
        let theirs = same.map(|a| a.bytes).max().unwrap_or(0);
        for layout in described_by(program, area) {
            let Some(root) = layout.roots.first().map(|id| &layout[*id]) else {
                continue;
            };
            let ours = root.extent();
            if !root.children.is_empty() && theirs != ours {
                let (name, program) = (&service.name, service.program);
                let text = si::lengths_differ(name, theirs, shown(area), program, ours);
                out.push(Finding::notice(text.to_string()));
            }
        }
    }
    out
}

/// As messages have it.
fn place((offset, bytes): (usize, usize)) -> String {
    format!("offset {offset} with {bytes} bytes")
}

/// Elementary items of the program, in order, and whether each is a POINTER.
fn described(layout: &Layout) -> Vec<(Item, bool)> {
    let elementary = |id: &FieldId| layout[*id].children.is_empty();
    layout
        .ids()
        .filter(elementary)
        .map(|id| {
            let field = &layout[id];
            let item = (field.name.to_ascii_uppercase(), field.offset, field.len);
            (item, field.kind == FieldKind::Pointer)
        })
        .collect()
}

/// Elementary items of a service, each in the first element of its table.
fn walk(node: &Node, base: usize, out: &mut Vec<Item>) {
    match &node.kind {
        Kind::Object(members) => members.iter().for_each(|m| walk(m, base, out)),
        Kind::Array(array) => {
            let mut element = Vec::new();
            walk(&array.element, base + node.offset, &mut element);
            // A table of elementary items has its name, not its element.
            if let [one] = element.as_mut_slice()
                && one.0.is_empty()
            {
                one.0 = cobol_name(&node.field);
            }
            out.extend(element);
        }
        Kind::Select(select) => select
            .arms
            .iter()
            .for_each(|arm| walk(&arm.node, base, out)),
        leaf => out.push((cobol_name(&node.field), base + node.offset, leaf.leaf_len())),
    }
}

/// Interfaces have hyphens turned to underscores.
fn cobol_name(name: &str) -> String {
    name.to_ascii_uppercase().replace('_', "-")
}

/// Places of names that occur once.
fn unique(items: &[Item]) -> HashMap<&str, (usize, usize)> {
    let mut places = HashMap::new();
    let mut twice = Vec::new();
    for (name, at, len) in items {
        if name.is_empty() || places.insert(name.as_str(), (*at, *len)).is_some() {
            twice.push(name.as_str());
        }
    }
    for name in twice {
        places.remove(name);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_copybook::shape::{Node, Shape, Text};
    use transom_copybook::{ParseOptions, Profile, SourceFormat, parse};
    use transom_types::ProgramName;

    fn layout(text: &str) -> Layout {
        let options = ParseOptions {
            format: SourceFormat::Free,
            ..ParseOptions::default()
        };
        let (copybook, _) = parse(text, &options);
        Layout::new(&copybook, Profile::Native).unwrap()
    }

    fn text(name: &str, offset: usize, len: usize) -> Node {
        Node::new(name, offset, Kind::Text(Text::new(len)))
    }

    /// A service made from a record of customer number, name and city.
    fn service(members: Vec<Node>, bytes: usize) -> Service {
        let shape = Shape::new(members).with_len(bytes);
        let area = ServiceArea {
            container: None,
            shape,
            offset: 0,
            bytes,
        };
        Service {
            name: "inqacc".to_owned(),
            program: ProgramName::from_field(b"INQACC"),
            areas: vec![area.clone(), area],
        }
    }

    fn said(commarea: &str, service: Service) -> Vec<String> {
        let mut report = transom_system::report::SourceReport {
            file: "INQACC.cbl".to_owned(),
            program: "INQACC".to_owned(),
            state: transom_system::report::SourceState::Ready,
            invreq: Default::default(),
            names: Default::default(),
            sql: Vec::new(),
            commarea: None,
            containers: Default::default(),
        };
        report.commarea = Some(layout(commarea));
        let container = ("CUST".to_owned(), vec![layout(commarea)]);
        report.containers = [container].into();
        let found = check(&[service], &[report]);
        found.iter().map(|f| f.text.clone()).collect()
    }

    const PROGRAM: &str =
        "01 DFHCOMMAREA. 05 CUST-NO PIC 9(6). 05 PCB-PTR POINTER. 05 CITY PIC X(8).";

    #[test]
    fn the_pointer_that_only_the_program_has_is_named() {
        let made_without = service(vec![text("CUST_NO", 0, 6), text("CITY", 6, 8)], 14);
        assert_eq!(
            said(PROGRAM, made_without),
            [
                "TXMSI0060E service inqacc: CITY lies at offset 6 with 8 bytes in its interface, at \
              offset 10 with 8 bytes in DFHCOMMAREA of INQACC, behind POINTER PCB-PTR"
            ]
        );
    }

    #[test]
    fn a_pointer_has_the_four_bytes_that_the_service_has() {
        let members = || vec![text("CUST_NO", 0, 6), text("CITY", 10, 8)];
        assert!(said(PROGRAM, service(members(), 18)).is_empty());
        assert_eq!(
            said(PROGRAM, service(members(), 20)),
            ["TXMSI0061W service inqacc: its interface has 20 bytes, DFHCOMMAREA of INQACC has 18"]
        );
    }

    #[test]
    fn an_item_of_another_length_is_named_itself() {
        let longer = service(vec![text("CUST_NO", 0, 8), text("CITY", 12, 8)], 20);
        assert_eq!(
            said(PROGRAM, longer),
            [
                "TXMSI0060E service inqacc: CUST-NO lies at offset 0 with 8 bytes in its interface, \
              at offset 0 with 6 bytes in DFHCOMMAREA of INQACC"
            ]
        );
        let moved = "01 DFHCOMMAREA PIC X(32767).";
        assert!(said(moved, service(vec![text("CUST_NO", 0, 6)], 6)).is_empty());
    }

    #[test]
    fn containers_are_compared_where_they_lie_in_the_record() {
        let items = vec![
            text("KIND", 0, 4),
            text("CUST_NO", 4, 6),
            text("CITY", 10, 8),
        ];
        let mut service = service(items, 18);
        for (area, (name, offset, bytes)) in service
            .areas
            .iter_mut()
            .zip([("HEAD", 0, 4), ("CUST", 4, 14)])
        {
            (area.container, area.offset, area.bytes) = (Some(name.to_owned()), offset, bytes);
        }
        assert_eq!(
            said(PROGRAM, service.clone()),
            [
                "TXMSI0060E service inqacc: CITY lies at offset 6 with 8 bytes in its interface, at \
              offset 10 with 8 bytes in container CUST of INQACC, behind POINTER PCB-PTR"
            ]
        );
        let record = "01 CUST. 05 CUST-NO PIC 9(6). 05 CITY PIC X(8). 05 ZIP PIC X(5).";
        assert_eq!(
            said(record, service),
            [
                "TXMSI0061W service inqacc: its interface has 14 bytes, container CUST of INQACC has 19"
            ]
        );
    }
}
