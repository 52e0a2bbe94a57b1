//! Modules by what they were made of, shared by system directories.
//!
//! What: a folder with a module under the hash of everything that makes it what it is: the
//! translated source with its copybooks, options, versions of the compilers. Who needs the same one
//! takes a copy. Why: a second system directory of the same sources, another branch, or options
//! that go back to what they were, cost no compilation. Not here: when it is asked (`compile`).
//!
//! Limits: the folder must belong to this user, and nobody else may write in it, since what lies
//! there is run; `[cobol] module_store_megabytes`, beyond which the modules that were not used
//! longest go.

use super::scratch::scratch;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use transom_messages::{Message, si};

/// Of a hundred, what is left when it was full.
const LEFT_PERCENT: u64 = 90;

/// The folder.
pub(super) struct Store {
    folder: PathBuf,
    bytes_max: u64,
}

/// What lies beside a module.
#[derive(Serialize, Deserialize)]
struct About {
    /// Hash of the module.
    module: String,
    /// What the compiler said.
    said: String,
}

impl Store {
    /// Opens, or makes, the folder.
    ///
    /// # Errors
    /// TXMSI0096W: it is not for this user alone, or cannot be made.
    pub(super) fn open(folder: &Path, bytes_max: u64) -> Result<Self, Message> {
        let refused = |why: &dyn std::fmt::Display| si::module_store_refused(folder.display(), why);
        let made = fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder);
        let found = made.and_then(|()| fs::metadata(folder));
        let found = found.map_err(|e| refused(&e))?;
        // What this process writes has its user.
        let own = fs::metadata("/proc/self").map_err(|e| refused(&e))?.uid();
        if found.uid() != own || found.mode() & 0o022 != 0 {
            return Err(refused(&"other users can write in it"));
        }
        Ok(Self {
            folder: folder.to_owned(),
            bytes_max,
        })
    }

    /// The hash of all that a module is made of.
    pub(super) fn key(compiler: &[u8], flags: &[String], name: &str, source: &[u8]) -> String {
        let mut hash = Sha256::new();
        let parts = [compiler, name.as_bytes(), source];
        let flags = flags.iter().map(String::as_bytes);
        for part in parts.into_iter().chain(flags) {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        hex(&hash.finalize())
    }

    /// Puts a copy of a module at `target`, if it is there whole; what the compiler said of it.
    pub(super) fn take(&self, key: &str, target: &Path) -> Option<String> {
        let path = self.about(key);
        let about: About = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
        let module = fs::read(self.module(key)).ok()?;
        if hex(&Sha256::digest(&module)) != about.module {
            return None;
        }
        let fresh = scratch(target);
        let taken = fs::write(&fresh, module).and_then(|()| fs::rename(&fresh, target));
        taken.ok()?;
        // Was used now; the one that was not used longest goes first.
        let _touched = File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        Some(about.said)
    }

    /// Keeps a module. One that cannot be kept is compiled again by who needs it.
    pub(super) fn put(&self, key: &str, module: &Path, said: &str) {
        let put = || {
            let bytes = fs::read(module).ok()?;
            let about = About {
                module: hex(&Sha256::digest(&bytes)),
                said: said.to_owned(),
            };
            // First the module: it does not count without the other.
            for (path, bytes) in [
                (self.module(key), bytes),
                (self.about(key), serde_json::to_vec(&about).ok()?),
            ] {
                fs::create_dir_all(path.parent()?).ok()?;
                let fresh = scratch(&path);
                let written = fs::write(&fresh, bytes).and_then(|()| fs::rename(&fresh, &path));
                written.ok()?;
            }
            Some(())
        };
        let _kept = put();
    }

    /// Makes room when there is more than there may be.
    pub(super) fn prune(&self) {
        let mut all: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        let mut other = 0;
        let files = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
        for entry in files(&self.folder).flat_map(|folder| files(&folder.path())) {
            let Ok(found) = entry.metadata() else {
                continue;
            };
            let path = entry.path();
            match (path.extension().and_then(|e| e.to_str()), found.modified()) {
                (Some("json"), Ok(used)) => {
                    let module = fs::metadata(path.with_extension("so")).map_or(0, |m| m.len());
                    all.push((used, found.len() + module, path));
                }
                (Some("new"), _) => other += found.len(),
                _ => {}
            }
        }
        let mut bytes: u64 = all.iter().map(|(_, bytes, _)| bytes).sum::<u64>() + other;
        if bytes <= self.bytes_max {
            return;
        }
        all.sort();
        for (_, length, path) in all {
            if bytes <= self.bytes_max / 100 * LEFT_PERCENT {
                return;
            }
            let _gone = fs::remove_file(&path);
            let _gone = fs::remove_file(path.with_extension("so"));
            bytes = bytes.saturating_sub(length);
        }
    }

    fn module(&self, key: &str) -> PathBuf {
        self.folder.join(&key[..2]).join(format!("{key}.so"))
    }

    fn about(&self, key: &str) -> PathBuf {
        self.folder.join(&key[..2]).join(format!("{key}.json"))
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;
    use std::time::Duration;

    fn key(source: &str) -> String {
        Store::key(b"cobc 3", &["-O2".to_owned()], "PAY.cob", source.as_bytes())
    }

    #[test]
    fn a_module_is_taken_by_what_it_was_made_of_and_only_whole() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("store"), 1 << 20).unwrap();
        let (made, target) = (
            folder.path().join("made.so"),
            folder.path().join("taken.so"),
        );
        fs::write(&made, b"module").unwrap();
        store.put(&key("A"), &made, "PAY.cob:1: warning");
        assert_eq!(store.take(&key("B"), &target), None);
        assert_eq!(
            store.take(&key("A"), &target).as_deref(),
            Some("PAY.cob:1: warning")
        );
        assert_eq!(fs::read(&target).unwrap(), b"module");
        // Half of it, as a loss of power leaves it.
        fs::write(store.module(&key("A")), b"mod").unwrap();
        fs::remove_file(&target).unwrap();
        assert_eq!(store.take(&key("A"), &target), None);
        assert!(!target.exists());
    }

    #[test]
    fn what_was_not_used_longest_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("store"), 30_000).unwrap();
        let made = folder.path().join("made.so");
        fs::write(&made, vec![7; 10_000]).unwrap();
        for (age, name) in [(30, "A"), (20, "B"), (10, "C")] {
            store.put(&key(name), &made, "");
            let about = File::open(store.about(&key(name))).unwrap();
            about
                .set_modified(SystemTime::now() - Duration::from_secs(age))
                .unwrap();
        }
        let target = folder.path().join("taken.so");
        assert!(store.take(&key("A"), &target).is_some(), "it is used now");
        store.prune();
        let there = ["A", "B", "C"].map(|name| store.take(&key(name), &target).is_some());
        assert_eq!(there, [true, false, true]);
    }

    #[test]
    fn a_folder_of_others_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
        let refused = Store::open(folder.path(), 1).err().unwrap();
        assert!(
            refused.to_string().contains("other users can write in it"),
            "{refused}"
        );
    }
}
