//! Which room may depend on which, as the table of ARCHITECTURE.md says.
//!
//! What: the table is read from the page people read, and every Cargo.toml is held against it. Why:
//! a copy in the source would be the rule, and the page a rumour. Not here: arrows inside a room
//! (`graph`).

use std::fs;
use std::path::Path;

/// The page, and the heading its table stands under.
const PAGE: &str = "ARCHITECTURE.md";
const HEADING: &str = "## Who may see whom";

/// A row: rooms, and what they may depend on. A pattern is a room or a folder with `/*`.
#[derive(Debug, PartialEq, Eq)]
struct Row<'a> {
    rooms: Vec<&'a str>,
    may_see: Vec<&'a str>,
}

/// Rooms that are missing in the table or depend on what it does not allow.
pub(crate) fn check(root: &Path, rooms: &[String], problems: &mut Vec<String>) {
    let page = fs::read_to_string(root.join(PAGE)).unwrap_or_default();
    let rows = rows(&page);
    let workspace = fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default();
    for room in rooms {
        let Some(row) = row_of(&rows, room) else {
            problems.push(format!("{PAGE}: the table of arrows has no row for {room}"));
            continue;
        };
        let Ok(manifest) = fs::read_to_string(root.join(room).join("Cargo.toml")) else {
            problems.push(format!("{room}: has no Cargo.toml"));
            continue;
        };
        for other in dependencies(&manifest, &workspace) {
            if !row.may_see.iter().any(|pattern| matches(pattern, other)) {
                problems.push(format!("{room}: may not depend on {other} ({PAGE})"));
            }
        }
    }
}

/// Rooms that a room depends on, tests aside, as `crates/formats/types`.
pub(crate) fn dependencies<'a>(manifest: &str, workspace: &'a str) -> Vec<&'a str> {
    let product = manifest.split("[dev-dependencies]").next();
    let lines = product.unwrap_or_default().lines();
    let names = lines.filter(|l| l.starts_with("transom-"));
    names
        .filter_map(|line| {
            let name = line.split(['.', ' ', '=']).next()?;
            let mut all = workspace.lines();
            let declared = all.find(|l| l.split(' ').next() == Some(name))?;
            declared.split('"').nth(1)
        })
        .collect()
}

fn rows(page: &str) -> Vec<Row<'_>> {
    let below = page.split(HEADING).nth(1).unwrap_or_default();
    let section = below.split("\n## ").next().unwrap_or_default();
    let lines = section.lines().filter(|l| l.starts_with("| crates/"));
    lines
        .filter_map(|line| {
            let mut cells = line.trim_matches('|').split('|');
            let mut cell = || Some(cells.next()?.split(',').map(str::trim).collect());
            let (rooms, may_see) = (cell()?, cell()?);
            Some(Row { rooms, may_see })
        })
        .collect()
}

/// The row that names the room itself, else the one that names its shelf.
fn row_of<'r, 'a>(rows: &'r [Row<'a>], room: &str) -> Option<&'r Row<'a>> {
    let named = rows.iter().find(|row| row.rooms.contains(&room));
    named.or_else(|| {
        rows.iter()
            .find(|r| r.rooms.iter().any(|p| matches(p, room)))
    })
}

fn matches(pattern: &str, room: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(folder) => room.starts_with(folder),
        None => pattern == room || pattern == "everything",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "
## Who may see whom
| room | may depend on |
| --- | --- |
| crates/formats/* | crates/formats/* |
| crates/region/api, crates/region/wire | crates/formats/* |
| crates/region/* | crates/formats/*, crates/region/wire |
| crates/tools/transom | everything |
## Limits
| crates/doors/* | everything |
";

    fn may(room: &str, other: &str) -> bool {
        let rows = rows(PAGE);
        let row = row_of(&rows, room);
        row.is_some_and(|r| r.may_see.iter().any(|p| matches(p, other)))
    }

    #[test]
    fn the_page_is_the_rule() {
        assert!(may("crates/formats/csd", "crates/formats/types"));
        assert!(may("crates/region/server", "crates/region/wire"));
        assert!(!may("crates/region/server", "crates/region/api"));
        assert!(!may("crates/region/api", "crates/region/wire"));
        assert!(may("crates/tools/transom", "crates/region/server"));
        assert!(!may("crates/doors/gateway", "crates/formats/types"));
    }

    #[test]
    fn dependencies_of_a_room() {
        let manifest = "[dependencies]\ntransom-types.workspace = true\nlibc = \"1\"\n\
            [dev-dependencies]\ntransom-csd.workspace = true\n";
        let workspace = "transom-types = { path = \"crates/formats/types\" }\n\
            transom-csd = { path = \"crates/formats/csd\" }\n";
        assert_eq!(dependencies(manifest, workspace), ["crates/formats/types"]);
    }
}
