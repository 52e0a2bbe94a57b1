//! Compiles the BMS sources of a system directory.
//!
//! What: each mapset below `bms/` becomes `.transom/maps/NAME.map`, which SEND MAP loads, and
//! `.transom/maps/NAME.cpy`, the symbolic map programs COPY where `copy/` has none of that name.
//! Reading BMS takes milliseconds, so everything is read at each build; files that would not change
//! are left alone, so that programs are not built again. Not here: BMS itself (`transom_bms`).

use crate::directory::{SystemDirectory, files};
use crate::finding::Finding;
use crate::source::{page, read_source};
use std::collections::BTreeMap;
use std::path::Path;
use transom_bms::{Mapset, PhysicalMapset, copybook};
use transom_messages::{Message, si};

/// File extensions of BMS sources.
const EXTENSIONS: [&str; 4] = ["bms", "map", "asm", "mac"];

/// What the sources hold.
#[derive(Debug, Default)]
pub(crate) struct Maps {
    /// Names of all mapsets that are right.
    pub(crate) mapsets: Vec<String>,
    /// Messages, errors among them.
    pub(crate) findings: Vec<Finding>,
}

/// Compiles all maps.
pub(crate) fn build(system: &SystemDirectory) -> Result<Maps, Message> {
    let folder = system.own("maps");
    std::fs::create_dir_all(&folder).map_err(|e| si::not_written(folder.display(), e))?;
    let mut maps = Maps::default();
    let mut owners: BTreeMap<String, String> = BTreeMap::new();
    for path in files(&system.root.join("bms"), &EXTENSIONS) {
        let shown = system.shown(&path);
        let page = page(system.settings.cobol.source_codepage);
        let text = match read_source(&path, &shown, page) {
            Ok((text, notice)) => {
                maps.findings.extend(notice);
                text
            }
            Err(error) => {
                maps.findings.push(Finding::error(error));
                continue;
            }
        };
        let source = transom_bms::read(&shown, &text);
        maps.findings
            .extend(source.problems.iter().map(|problem| Finding {
                is_error: problem.is_error(),
                text: problem.place_first().to_string(),
            }));
        for mapset in &source.mapsets {
            let file = file_name(mapset);
            if let Some(other) = owners.insert(file.clone(), shown.clone()) {
                let text = format!("{shown}: {}", si::mapset_twice(file, other));
                maps.findings.push(Finding::error(text));
                continue;
            }
            write(&folder, &file, mapset)?;
            maps.mapsets.push(file);
        }
    }
    remove_others(&folder, &maps.mapsets);
    Ok(maps)
}

/// A version for one kind of terminal has the suffix behind its name.
fn file_name(mapset: &Mapset) -> String {
    let suffix = mapset.suffix.map(String::from).unwrap_or_default();
    format!("{}{suffix}", mapset.name)
}

fn write(folder: &Path, file: &str, mapset: &Mapset) -> Result<(), Message> {
    let physical = PhysicalMapset::from(mapset).to_bytes();
    put(&folder.join(format!("{file}.map")), &physical)?;
    if let Some(text) = copybook(mapset) {
        put(&folder.join(format!("{file}.cpy")), text.as_bytes())?;
    }
    Ok(())
}

/// Replaces a file in one step, when it would change.
fn put(path: &Path, bytes: &[u8]) -> Result<(), Message> {
    if std::fs::read(path).is_ok_and(|now| now == bytes) {
        return Ok(());
    }
    let fresh = path.with_extension("new");
    std::fs::write(&fresh, bytes)
        .and_then(|()| std::fs::rename(&fresh, path))
        .map_err(|e| si::not_written(path.display(), e))
}

/// Mapsets whose source is gone are not there any more.
fn remove_others(folder: &Path, mapsets: &[String]) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = path.file_stem().and_then(|s| s.to_str());
        if !name.is_some_and(|n| mapsets.iter().any(|m| m == n)) {
            // One that stays is used only by programs that name it.
            let _removed = std::fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
HELLO    DFHMSD TYPE=&SYSPARM,MODE=INOUT,LANG=COBOL,TIOAPFX=YES
HELLO1   DFHMDI SIZE=(24,80)
NAME     DFHMDF POS=(3,10),LENGTH=20,ATTRB=(UNPROT,IC)
         DFHMSD TYPE=FINAL
         END
";

    fn system(dir: &Path) -> SystemDirectory {
        std::fs::write(dir.join("transom.toml"), "").unwrap();
        SystemDirectory::open(dir, |_| Vec::new()).unwrap().0
    }

    #[test]
    fn a_source_becomes_a_map_and_a_copybook() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("bms")).unwrap();
        std::fs::write(dir.path().join("bms/hello.bms"), SOURCE).unwrap();
        let system = system(dir.path());
        let maps = build(&system).unwrap();
        assert_eq!(maps.mapsets, ["HELLO"], "{:?}", maps.findings);
        let copy = std::fs::read_to_string(system.own("maps/HELLO.cpy")).unwrap();
        assert!(copy.contains("NAMEI"), "{copy}");
        std::fs::remove_file(dir.path().join("bms/hello.bms")).unwrap();
        build(&system).unwrap();
        assert!(!system.own("maps/HELLO.map").exists());
    }

    #[test]
    fn a_mistake_names_file_and_line() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("bms")).unwrap();
        let wrong = SOURCE.replace("POS=(3,10)", "POS=(3,100)");
        std::fs::write(dir.path().join("bms/hello.bms"), wrong).unwrap();
        let maps = build(&system(dir.path())).unwrap();
        assert!(
            maps.findings
                .iter()
                .any(|f| f.is_error && f.text.starts_with("bms/hello.bms:3:")),
            "{:?}",
            maps.findings
        );
    }
}
