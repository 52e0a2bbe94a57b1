//! Compiles the BMS sources of a system directory.
//!
//! What: each mapset below `bms/` becomes `.transom/maps/NAME.map`, which SEND MAP loads, and
//! `.transom/maps/NAME.cpy`, the symbolic map programs COPY where `copy/` has none of that name.
//! NAME is that of the member, as on z/OS the load module has it; the label of DFHMSD is another
//! name where no other source has it. Reading BMS takes milliseconds, so everything is read at each
//! build; files that would not change are left alone, so that programs are not built again. Not
//! here: BMS itself (`transom_bms`), jobs around a source (`jobs`).

use crate::directory::{SystemDirectory, files};
use crate::finding::Finding;
use crate::jobs;
use crate::source::{member_name, page, read_source};
use std::collections::BTreeMap;
use std::path::Path;
use transom_bms::{Mapset, PhysicalMapset, copybook};
use transom_messages::{Message, si};

/// File extensions of BMS sources.
const EXTENSIONS: [&str; 5] = ["bms", "map", "asm", "mac", "jcl"];

/// What the sources hold.
#[derive(Debug, Default)]
pub(crate) struct Maps {
    /// Names of all mapsets that are right.
    pub(crate) mapsets: Vec<String>,
    /// Labels by which some of them are known too.
    pub(crate) labels: Vec<String>,
    /// Messages, errors among them.
    pub(crate) findings: Vec<Finding>,
}

/// A mapset of a source.
struct Found {
    shown: String,
    mapset: Mapset,
    /// Name of the member, where the source holds nothing else.
    member: Option<String>,
}

/// Compiles all maps.
pub(crate) fn build(system: &SystemDirectory) -> Result<Maps, Message> {
    let folder = system.own("maps");
    std::fs::create_dir_all(&folder).map_err(|e| si::not_written(folder.display(), e))?;
    let mut maps = Maps::default();
    let mut found = Vec::new();
    for path in files(&system.root.join("bms"), &EXTENSIONS) {
        found.extend(read(system, &path, &mut maps.findings));
    }
    let mut owners: BTreeMap<String, String> = BTreeMap::new();
    for one in &found {
        let name = one.name();
        if let Some(other) = owners.insert(name.clone(), one.shown.clone()) {
            let text = format!("{}: {}", one.shown, si::mapset_twice(&name, other));
            maps.findings.push(Finding::error(text));
            continue;
        }
        write(&folder, &name, &one.mapset)?;
        maps.mapsets.push(name);
    }
    for one in found.iter().filter(|one| one.name() != one.label()) {
        let (name, label) = (one.name(), one.label());
        let alone = found.iter().filter(|o| o.label() == label).count() == 1;
        let message = if alone && !owners.contains_key(&label) {
            write(&folder, &label, &one.mapset)?;
            maps.labels.push(label.clone());
            si::mapset_has_two_names(&name, &label)
        } else {
            si::mapset_shares_its_label(&name, &label)
        };
        let text = format!("{}: {message}", one.shown);
        maps.findings.push(Finding::notice(text));
    }
    let all: Vec<&String> = maps.mapsets.iter().chain(&maps.labels).collect();
    remove_others(&folder, &all);
    Ok(maps)
}

/// The mapsets of a file.
fn read(system: &SystemDirectory, path: &Path, findings: &mut Vec<Finding>) -> Vec<Found> {
    let shown = system.shown(path);
    let page = page(system.settings.cobol.source_codepage);
    let text = match read_source(path, &shown, page) {
        Ok((text, notice)) => {
            findings.extend(notice);
            text
        }
        Err(error) => {
            findings.push(Finding::error(error));
            return Vec::new();
        }
    };
    if !jobs::is_job(&text) {
        let member = path.file_stem().and_then(|stem| stem.to_str());
        return mapsets(&shown, &text, member.and_then(member_name), findings);
    }
    let sources = jobs::sources(&text);
    if sources.is_empty() {
        let text = format!("{shown}: {}", si::job_without_mapset());
        findings.push(Finding::error(text));
    }
    let sources = sources.into_iter();
    sources
        .flat_map(|source| mapsets(&shown, &source.text, source.name, findings))
        .collect()
}

fn mapsets(
    shown: &str,
    text: &str,
    member: Option<String>,
    findings: &mut Vec<Finding>,
) -> Vec<Found> {
    let source = transom_bms::read(shown, text);
    findings.extend(source.problems.iter().map(|problem| Finding {
        is_error: problem.is_error(),
        text: problem.place_first().to_string(),
    }));
    let member = member.filter(|_| source.mapsets.len() == 1);
    let mapsets = source.mapsets.into_iter();
    mapsets
        .map(|mapset| Found {
            shown: shown.to_owned(),
            mapset,
            member: member.clone(),
        })
        .collect()
}

impl Found {
    /// The label of DFHMSD; a version for one kind of terminal has the suffix behind it.
    fn label(&self) -> String {
        let suffix = self.mapset.suffix.map(String::from).unwrap_or_default();
        format!("{}{suffix}", self.mapset.name)
    }

    /// The name of the load module.
    fn name(&self) -> String {
        match &self.member {
            None => self.label(),
            Some(member) if *member == self.mapset.name => self.label(),
            Some(member) => match self.mapset.suffix {
                Some(suffix) if !member.ends_with(suffix) => format!("{member}{suffix}"),
                _ => member.clone(),
            },
        }
    }
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
fn remove_others(folder: &Path, mapsets: &[&String]) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = path.file_stem().and_then(|s| s.to_str());
        if !name.is_some_and(|n| mapsets.iter().any(|m| *m == n)) {
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

    /// Sources below `bms/`: file and label.
    fn labelled(sources: &[(&str, &str)]) -> (tempfile::TempDir, SystemDirectory, Maps) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("bms")).unwrap();
        for (file, label) in sources {
            let text = SOURCE.replace("HELLO    DFHMSD", &format!("{label:<8} DFHMSD"));
            std::fs::write(dir.path().join("bms").join(file), text).unwrap();
        }
        let system = system(dir.path());
        let maps = build(&system).unwrap();
        (dir, system, maps)
    }

    fn said(maps: &Maps) -> Vec<&str> {
        maps.findings.iter().map(|f| f.text.as_str()).collect()
    }

    #[test]
    fn a_mapset_has_the_name_of_its_member_and_its_label_while_no_other_has_it() {
        let (_dir, system, maps) = labelled(&[("payset.bms", "PAY")]);
        assert_eq!(
            (maps.mapsets, maps.labels),
            (vec!["PAYSET".to_owned()], vec!["PAY".to_owned()])
        );
        for name in ["PAYSET", "PAY"] {
            assert!(system.own(&format!("maps/{name}.map")).is_file());
            assert!(system.own(&format!("maps/{name}.cpy")).is_file());
        }
        let (_dir, system, maps) = labelled(&[("A.bms", "SET"), ("B.bms", "SET")]);
        assert_eq!(maps.mapsets, ["A", "B"]);
        assert_eq!(
            said(&maps),
            [
                "bms/A.bms: TXMSI0055I mapset A has the label SET, which another source has too",
                "bms/B.bms: TXMSI0055I mapset B has the label SET, which another source has too"
            ]
        );
        assert!(!system.own("maps/SET.map").exists());
        // The member of that name is the mapset.
        let (_dir, _, maps) = labelled(&[("A.bms", "SET"), ("SET.bms", "SET")]);
        assert_eq!((maps.mapsets.len(), maps.labels.len()), (2, 0));
        assert!(
            maps.findings.iter().all(|f| !f.is_error),
            "{:?}",
            maps.findings
        );
    }

    #[test]
    fn members_of_one_name_are_an_error_and_other_files_go_by_their_label() {
        let (_dir, _, maps) = labelled(&[("PAY.bms", "A"), ("PAY.map", "B")]);
        assert_eq!(
            said(&maps)[0],
            "bms/PAY.map: TXMSI0020E mapset PAY is also in bms/PAY.bms"
        );
        let (_dir, _, maps) = labelled(&[("customer-maps.bms", "CUST"), ("1ST.bms", "FIRST")]);
        assert_eq!(maps.mapsets, ["FIRST", "CUST"]);
        assert!(maps.findings.is_empty(), "{:?}", maps.findings);
    }

    #[test]
    fn the_suffix_of_a_version_stands_once() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("bms")).unwrap();
        let text = SOURCE.replace("MODE=INOUT", "SUFFIX=9");
        for file in ["HELLO.bms", "GREET9.bms", "WELCOME.bms"] {
            std::fs::write(dir.path().join("bms").join(file), &text).unwrap();
        }
        let maps = build(&system(dir.path())).unwrap();
        assert_eq!(maps.mapsets, ["GREET9", "HELLO9", "WELCOME9"]);
    }

    #[test]
    fn a_job_is_a_source_too_and_messages_have_its_lines() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("bms")).unwrap();
        let job =
            format!("//ASM JOB\n//S1 EXEC DFHMAPS,MAPNAME=GREET\n//COPY.SYSUT1 DD *\n{SOURCE}/*\n");
        std::fs::write(dir.path().join("bms/asm.jcl"), &job).unwrap();
        let other = system(dir.path());
        let maps = build(&other).unwrap();
        assert_eq!(
            (maps.mapsets, maps.labels),
            (vec!["GREET".to_owned()], vec!["HELLO".to_owned()])
        );
        let wrong = job.replace("POS=(3,10)", "POS=(3,100)");
        std::fs::write(dir.path().join("bms/asm.jcl"), wrong).unwrap();
        let maps = build(&other).unwrap();
        assert!(
            said(&maps)[0].starts_with("bms/asm.jcl:6:"),
            "{:?}",
            maps.findings
        );
        std::fs::write(
            dir.path().join("bms/asm.jcl"),
            "//ASM JOB\n//S1 EXEC PGM=ASMA90\n",
        )
        .unwrap();
        let maps = build(&other).unwrap();
        assert_eq!(
            said(&maps),
            ["bms/asm.jcl: TXMSI0056E no DFHMSD stands in the in-stream data of the job"]
        );
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
