//! The system directory: settings, space, file system, rights, store.

use crate::report::{Report, State};
use rustix::fs::{StatVfsMountFlags, statfs, statvfs};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use transom_datasets::check_structure;
use transom_recovery::StoreError;
use transom_system::{Finding, SystemDirectory};

/// The file of a store in its folder.
const DATA: &str = "data.mdb";
const MB: u64 = 1 << 20;
/// A region soon fails below it.
const SPACE_FAULT: u64 = 100 * MB;
/// It is worth a look below it.
const SPACE_NOTE: u64 = 1_024 * MB;
/// A store up to this is read as a whole.
const STORE_READ_MAX: u64 = 2_048 * MB;

/// File systems by the kernel's number, and what becomes of a store there.
const FILE_SYSTEMS: [(u64, &str, State, &str); 7] = [
    (0xEF53, "ext4", State::Ok, ""),
    (0x5846_5342, "xfs", State::Ok, ""),
    (0x9123_683E, "btrfs", State::Ok, ""),
    (
        0x0102_1994,
        "tmpfs",
        State::Note,
        "data are gone when the machine starts again",
    ),
    (
        0x794C_7630,
        "overlay",
        State::Note,
        "of a container: data may be gone with it; mount a volume",
    ),
    (
        0x6969,
        "nfs",
        State::Fault,
        "locks and mappings of another machine do not hold; use a local disk",
    ),
    (
        0xFF53_4D42,
        "cifs",
        State::Fault,
        "locks and mappings of another machine do not hold; use a local disk",
    ),
];

pub(crate) fn look(system: &SystemDirectory, findings: &[Finding], report: &mut Report) {
    settings(system, findings, report);
    let store = there(&system.settings.data.path(&system.root));
    space(&store, report);
    file_system(&store, report);
    rights(system, report);
}

fn settings(system: &SystemDirectory, findings: &[Finding], report: &mut Report) {
    for finding in findings {
        match finding.is_error {
            true => report.fault("settings", finding.text.as_str(), "correct transom.toml"),
            false => report.note(
                "settings",
                finding.text.as_str(),
                "transom explain has more",
            ),
        }
    }
    if findings.is_empty() {
        report.ok("settings", "transom.toml is understood");
    }
    let file = system.root.join("transom.toml");
    let changed = std::fs::metadata(&file).and_then(|about| about.modified());
    let ahead = changed
        .ok()
        .and_then(|at| at.duration_since(SystemTime::now()).ok());
    if ahead.is_some_and(|ahead| ahead > Duration::from_secs(60)) {
        let text = "transom.toml is younger than the clock of this machine";
        let todo = "set the clock: what changed is compiled by times of files";
        report.fault("clock", text, todo);
    }
}

/// The folder, or what of its path there is.
fn there(folder: &Path) -> PathBuf {
    let mut all = folder.ancestors();
    let found = all.find(|folder| folder.exists());
    found.unwrap_or(folder).to_owned()
}

fn space(folder: &Path, report: &mut Report) {
    let Ok(about) = statvfs(folder) else {
        let text = format!("{} cannot be looked at", folder.display());
        return report.note("space", text, "look at the rights of the folder");
    };
    if about.f_flag.contains(StatVfsMountFlags::RDONLY) {
        let text = format!(
            "{} lies on a file system that is read-only",
            folder.display()
        );
        return report.fault("space", text, "mount it for writing");
    }
    let free = about.f_bavail.saturating_mul(about.f_frsize);
    let text = format!("{} MB are free for the store", free / MB);
    let todo = "make room: a store that cannot grow ends units of work";
    match (free < SPACE_FAULT, free < SPACE_NOTE) {
        (true, _) => report.fault("space", text, todo),
        (_, true) => report.note("space", text, todo),
        _ => report.ok("space", text),
    }
    if about.f_files > 0 && about.f_favail < 1_000 {
        let text = format!("{} files can be made", about.f_favail);
        report.fault(
            "space",
            text,
            "remove files: dumps, journals and logs are one each",
        );
    }
}

fn file_system(folder: &Path, report: &mut Report) {
    let Ok(about) = statfs(folder) else {
        return;
    };
    let kind = about.f_type as u64 & 0xFFFF_FFFF;
    match FILE_SYSTEMS.iter().find(|(number, ..)| *number == kind) {
        Some((_, name, state, todo)) => {
            report.add(
                *state,
                "file system",
                format!("the store lies on {name}"),
                *todo,
            );
        }
        None => {
            let text = format!("the store lies on a file system of the kind {kind:#x}");
            report.note(
                "file system",
                text,
                "a local ext4 or xfs is what regions are tested on",
            );
        }
    }
}

fn rights(system: &SystemDirectory, report: &mut Report) {
    let file = system.settings.users.path(&system.root);
    let about = match std::fs::metadata(&file) {
        Ok(about) => about,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return report.ok("users", "there is no file with users: nobody is checked");
        }
        Err(error) => {
            let text = format!("{}: {error}", file.display());
            return report.fault("users", text, "let the user of the region read it");
        }
    };
    let (name, mode) = (system.shown(&file), about.mode() & 0o777);
    let text = format!("{name} has the rights {mode:03o}");
    match mode {
        _ if mode & 0o022 != 0 => {
            report.fault(
                "users",
                text,
                format!("others may write it: chmod 600 {name}"),
            );
        }
        _ if mode & 0o044 != 0 => {
            report.note(
                "users",
                text,
                format!("others may read hashes: chmod 600 {name}"),
            );
        }
        _ => report.ok("users", text),
    }
    let owner = std::fs::metadata(&system.root).map(|root| root.uid());
    if owner.is_ok_and(|owner| owner != about.uid() && about.uid() != 0) {
        let text = format!("{name} belongs to another user than the directory");
        report.note("users", text, "chown it, so that CESN can change passwords");
    }
}

/// Whether its pages belong together; answers whether a region has it open.
pub(crate) fn store(system: &SystemDirectory, report: &mut Report) -> bool {
    let folder = system.settings.data.path(&system.root);
    let data = folder.join(DATA);
    let bytes = match std::fs::metadata(&data) {
        Ok(about) => about.len(),
        Err(_) => {
            report.ok("store", "there is none yet; the first start makes it");
            return false;
        }
    };
    if bytes > STORE_READ_MAX {
        let text = format!("{} MB, which were not read", bytes / MB);
        report.note("store", text, "transom verify reads every record");
        return false;
    }
    match check_structure(&folder) {
        Ok(()) => report.ok(
            "store",
            format!("{} MB, whose pages belong together", bytes / MB),
        ),
        Err(StoreError::InUse(_)) => {
            report.ok("store", "a region has it open");
            return true;
        }
        Err(error) => {
            let todo = "restore a backup (transom restore), then transom forward-recover";
            report.fault("store", error.to_string(), todo);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn seen(prepare: impl FnOnce(&Path)) -> Vec<(&'static str, State, String)> {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("transom.toml"), "").unwrap();
        prepare(home.path());
        let (system, findings) = SystemDirectory::open(home.path(), |_| Vec::new()).unwrap();
        let mut report = Report::default();
        look(&system, &findings, &mut report);
        assert!(!store(&system, &mut report));
        let said = report.said().into_iter();
        said.map(|(check, state, text)| (check, state, text.to_owned()))
            .collect()
    }

    fn state(seen: &[(&'static str, State, String)], check: &str) -> State {
        seen.iter().find(|(name, ..)| *name == check).unwrap().1
    }

    #[test]
    fn a_new_directory_is_well() {
        let seen = seen(|_| ());
        for check in ["settings", "users", "store"] {
            assert_eq!(state(&seen, check), State::Ok, "{check}: {seen:?}");
        }
    }

    #[test]
    fn users_that_others_may_read_or_write_are_told() {
        let with = |mode| {
            seen(|home| {
                let file = home.join("users.toml");
                std::fs::write(&file, "").unwrap();
                std::fs::set_permissions(&file, PermissionsExt::from_mode(mode)).unwrap();
            })
        };
        assert_eq!(state(&with(0o600), "users"), State::Ok);
        assert_eq!(state(&with(0o644), "users"), State::Note);
        assert_eq!(state(&with(0o666), "users"), State::Fault);
    }

    #[test]
    fn settings_that_are_not_known_and_a_store_that_is_none_are_faults() {
        let seen = seen(|home| {
            std::fs::write(home.join("transom.toml"), "[log]\nfiel = \"a\"\n").unwrap();
            let store = home.join("data/store");
            std::fs::create_dir_all(&store).unwrap();
            std::fs::write(store.join(DATA), [7; 10_000]).unwrap();
        });
        assert_eq!(state(&seen, "settings"), State::Fault);
        assert_eq!(state(&seen, "store"), State::Fault);
    }
}
