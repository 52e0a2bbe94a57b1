//! JSON member names of COBOL items.
//!
//! Two regimes exist: that of the JSON assistants (DFHLS2JS, BAQLS2JS) and that of the API toolkit,
//! whose service interfaces start from the COBOL name with underscores and let the developer
//! rename. CamelCase is what developers commonly rename to. How names of programs, services and
//! wrappers are made is not decided here.

use std::collections::{HashMap, HashSet};

use crate::layout::{FieldId, FieldKind, Layout};

/// How a JSON name is made of a COBOL name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum NameStyle {
    /// The published rule of "COBOL to JSON schema mapping": `CA-REQUEST-ID` -> `ca_request_id`,
    /// `Current-USER--Id` -> `Current_user__Id`, `9A-ID` -> `_9a_id`.
    #[default]
    Ls2js,
    /// The name the toolkit proposes: `INQACC-ACCNO` -> `INQACC_ACCNO`.
    Toolkit,
    /// `INQACC-ACCNO` -> `InqaccAccno`.
    CamelCase,
}

impl NameStyle {
    /// The name of one item, not yet made unique. Empty for an empty name.
    pub fn apply(self, cobol: &str) -> String {
        match self {
            NameStyle::Ls2js => ls2js(cobol),
            NameStyle::Toolkit => cobol.replace('-', "_"),
            NameStyle::CamelCase => camel(cobol),
        }
    }
}

/// Names of all fields, indexed by [`FieldId`]: unique among siblings by numbers added (`year`,
/// `year1`). FILLER is empty, but a FILLER group is `filler1`, `filler2`, ... in the manner of the
/// style, so that what is inside has a place.
pub fn names(layout: &Layout, style: NameStyle) -> Vec<String> {
    let mut out = vec![String::new(); layout.fields.len()];
    name_siblings(layout, style, &layout.roots, &mut out);
    for field in &layout.fields {
        name_siblings(layout, style, &field.children, &mut out);
    }
    out
}

/// Names of all fields as the copybook has them, unique among siblings as in [`names`]; every
/// FILLER of a group has one, `FILLER1`, `FILLER2`, ... For looking at whole records.
pub fn cobol_names(layout: &Layout) -> Vec<String> {
    let mut out = vec![String::new(); layout.fields.len()];
    let groups = layout.fields.iter().map(|field| &field.children);
    for siblings in std::iter::once(&layout.roots).chain(groups) {
        let mut fillers = 0;
        let wanted = siblings.iter().map(|&id| {
            let field = &layout[id];
            if !field.is_filler() {
                return field.name.clone();
            }
            fillers += 1;
            format!("FILLER{fillers}")
        });
        let wanted = wanted.collect();
        make_unique(siblings, wanted, &mut out);
    }
    out
}

fn name_siblings(layout: &Layout, style: NameStyle, siblings: &[FieldId], out: &mut [String]) {
    // Names that need no number come first, so that YEAR, YEAR, YEAR1 do not fight for year1.
    let mut wanted: Vec<String> = Vec::with_capacity(siblings.len());
    let mut fillers = 0;
    for &id in siblings {
        let field = &layout[id];
        wanted.push(match (field.is_filler(), &field.kind) {
            (false, _) => style.apply(&field.name),
            (true, FieldKind::Group) => {
                fillers += 1;
                style.apply(&format!("FILLER{fillers}"))
            }
            (true, _) => String::new(),
        });
    }
    make_unique(siblings, wanted, out);
}

fn make_unique(siblings: &[FieldId], wanted: Vec<String>, out: &mut [String]) {
    let mut taken: HashSet<String> = HashSet::with_capacity(siblings.len());
    let first: Vec<bool> = wanted.iter().map(|w| taken.insert(w.clone())).collect();
    let mut next: HashMap<String, u32> = HashMap::new();
    for ((&id, name), first) in siblings.iter().zip(wanted).zip(first) {
        let unique = if first || name.is_empty() {
            name
        } else {
            numbered(&name, &mut taken, &mut next)
        };
        out[id.0 as usize] = unique;
    }
}

fn numbered(name: &str, taken: &mut HashSet<String>, next: &mut HashMap<String, u32>) -> String {
    let number = next.entry(name.to_owned()).or_insert(0);
    loop {
        *number += 1;
        let candidate = format!("{name}{number}");
        if taken.insert(candidate.clone()) {
            return candidate;
        }
    }
}

fn ls2js(cobol: &str) -> String {
    let mut out = String::with_capacity(cobol.len() + 1);
    if cobol.starts_with(|c: char| c.is_ascii_digit()) {
        out.push('_');
    }
    for (i, segment) in cobol.split('-').enumerate() {
        if i > 0 {
            out.push('_');
        }
        let keeps_case = segment.contains(char::is_lowercase);
        for c in segment.chars() {
            match c {
                '#' | '@' | '$' | ':' => out.push('X'),
                c if keeps_case => out.push(c),
                c => out.extend(c.to_lowercase()),
            }
        }
    }
    out
}

fn camel(cobol: &str) -> String {
    let mut out = String::with_capacity(cobol.len());
    for segment in cobol.split(['-', '_']) {
        let keeps_case = segment.contains(char::is_lowercase);
        for (i, c) in segment.chars().enumerate() {
            match i {
                0 => out.extend(c.to_uppercase()),
                _ if keeps_case => out.push(c),
                _ => out.extend(c.to_lowercase()),
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ParseOptions, Profile, parse};

    #[test]
    fn published_examples() {
        for (cobol, json) in [
            ("CA-REQUEST-ID", "ca_request_id"),
            ("current-user--id", "current_user__id"),
            ("9A-REQUEST-ID", "_9a_request_id"),
            ("CA_REQUEST_ID", "ca_request_id"),
            ("RS-SPARE", "rs_spare"),
            ("Mixed-CASE-Name", "Mixed_case_Name"),
            ("A#B", "aXb"),
            ("", ""),
        ] {
            assert_eq!(NameStyle::Ls2js.apply(cobol), json);
        }
        assert_eq!(
            NameStyle::Toolkit.apply("NUMBER-OF-ACCOUNTS"),
            "NUMBER_OF_ACCOUNTS"
        );
        assert_eq!(NameStyle::CamelCase.apply("INQACC-ACCNO"), "InqaccAccno");
        assert_eq!(NameStyle::CamelCase.apply("COMM_INT_RATE"), "CommIntRate");
    }

    #[test]
    fn siblings_get_different_names() {
        let text = "01 R.\n 05 YEAR PIC 9.\n 05 YEAR PIC 9.\n 05 YEAR1 PIC 9.\n 05 year PIC 9.\n 05 PIC X.\n \
                    05 FILLER.\n  10 A PIC X.\n 05 FILLER.\n  10 A PIC X.\n";
        let (copybook, _) = parse(text, &ParseOptions::default());
        let layout = Layout::new(&copybook, Profile::Host).expect("laid out");
        let names = names(&layout, NameStyle::Ls2js);
        assert_eq!(
            names,
            [
                "r", "year", "year2", "year1", "year3", "", "filler1", "a", "filler2", "a"
            ]
        );
    }
}
