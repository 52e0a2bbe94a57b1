//! Mapsets a worker has read: files of the region's map folder, kept until the file changes. It is
//! looked at again after [`LOOK_AGAIN`], not at every screen.
//!
//! With the alternate screen size in force, a mapset whose name ends with the terminal's suffix is
//! taken before the one without. Abends: APCT (no such mapset, or its file is damaged), ABM0 (no
//! such map in it).

use crate::condition::Fail;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant, SystemTime};
use std::{fmt, io};
use transom_bms::{MapFileError, PhysicalMap, PhysicalMapset};
use transom_messages as messages;
use transom_types::AbendCode;

/// Mapsets a worker keeps; one more empties the cache.
pub const MAPSETS_MAX: usize = 500;
/// Time in which a file is taken as it was: a changed map is used after it at the latest.
const LOOK_AGAIN: Duration = Duration::from_millis(100);
/// Largest map file.
const FILE_BYTES_MAX: u64 = 4 << 20;

/// The mapsets of a worker.
#[derive(Default)]
pub struct MapsetCache {
    read: HashMap<String, Known>,
}

/// What is known of a name in the folder.
struct Known {
    looked: Instant,
    /// `None`: there was no such file.
    file: Option<(SystemTime, Rc<PhysicalMapset>)>,
}

/// A map, with its mapset.
pub struct Found {
    pub mapset: Rc<PhysicalMapset>,
    at: usize,
}

impl Found {
    pub fn map(&self) -> Option<&PhysicalMap> {
        self.mapset.maps.get(self.at)
    }
}

/// Why a map file cannot be used; each has its path.
enum NotUsable {
    TooLarge(PathBuf),
    Unread(PathBuf, io::Error),
    Damaged(PathBuf, MapFileError),
}

impl fmt::Display for NotUsable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(path) => write!(f, "{} is too large", path.display()),
            Self::Unread(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Damaged(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl MapsetCache {
    /// A map of a mapset; `suffix` is tried first.
    pub fn find(
        &mut self,
        dir: &str,
        mapset: &str,
        map: &str,
        suffix: Option<char>,
    ) -> Result<Found, Fail> {
        let with = suffix.map(|suffix| format!("{mapset}{suffix}"));
        let names = with.iter().map(String::as_str).chain([mapset]);
        let mut why = None;
        for name in names {
            match self.load(Path::new(dir), name) {
                Ok(Some(mapset)) => {
                    let at = mapset.maps.iter().position(|known| known.name == map);
                    return match at {
                        Some(at) => Ok(Found { mapset, at }),
                        None => Err(abend(
                            b"ABM0",
                            messages::bm::map_not_found(map, name).to_string(),
                        )),
                    };
                }
                Ok(None) => {}
                Err(error) => why = Some(error.to_string()),
            }
        }
        let why = why.unwrap_or_else(|| format!("no file {mapset}.map in {dir}"));
        let text = messages::bm::mapset_not_usable(mapset, &why).to_string();
        Err(abend(b"APCT", text))
    }

    /// `None`: there is no such file.
    fn load(&mut self, dir: &Path, name: &str) -> Result<Option<Rc<PhysicalMapset>>, NotUsable> {
        let known = self.read.get(name);
        if let Some(known) = known
            && known.looked.elapsed() < LOOK_AGAIN
        {
            return Ok(known.file.as_ref().map(|(_, mapset)| mapset.clone()));
        }
        let looked = Instant::now();
        let file = read(dir, name, known.and_then(|known| known.file.as_ref()))?;
        let mapset = file.as_ref().map(|(_, mapset)| mapset.clone());
        if known.is_none() && self.read.len() >= MAPSETS_MAX {
            self.read.clear();
        }
        self.read.insert(name.to_owned(), Known { looked, file });
        Ok(mapset)
    }
}

/// A mapset's file with the time of its last change; `old` while it has not changed.
fn read(
    dir: &Path,
    name: &str,
    old: Option<&(SystemTime, Rc<PhysicalMapset>)>,
) -> Result<Option<(SystemTime, Rc<PhysicalMapset>)>, NotUsable> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "$@#".contains(c);
    if name.is_empty() || !name.chars().all(plain) {
        return Ok(None);
    }
    let path = dir.join(format!("{name}.map"));
    let Ok(facts) = std::fs::metadata(&path) else {
        return Ok(None);
    };
    let changed = facts.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    if let Some((_, mapset)) = old.filter(|(when, _)| *when == changed) {
        return Ok(Some((changed, mapset.clone())));
    }
    if facts.len() > FILE_BYTES_MAX {
        return Err(NotUsable::TooLarge(path));
    }
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => return Err(NotUsable::Unread(path, error)),
    };
    match PhysicalMapset::from_bytes(&bytes) {
        Ok(mapset) => Ok(Some((changed, Rc::new(mapset)))),
        Err(error) => Err(NotUsable::Damaged(path, error)),
    }
}

fn abend(code: &[u8; 4], text: String) -> Fail {
    Fail::Abend(AbendCode::from_field(code), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapset(map: &str) -> Vec<u8> {
        let source =
            format!("SET      DFHMSD TYPE=MAP\n{map:8} DFHMDI SIZE=(24,80)\n         END\n");
        PhysicalMapset::from(&transom_bms::read("set.bms", &source).mapsets[0]).to_bytes()
    }

    /// Finds a map within a time in which a busy machine looks often enough.
    fn comes(cache: &mut MapsetCache, dir: &str, map: &str) -> bool {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(20) {
            if cache.find(dir, "SET", map, Some('7')).is_ok() {
                return true;
            }
        }
        false
    }

    #[test]
    fn a_file_that_comes_or_changes_is_used_soon() {
        let folder = std::env::temp_dir().join(format!("transom-mapset-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let dir = folder.to_str().unwrap();
        let mut cache = MapsetCache::default();
        assert!(cache.find(dir, "SET", "ONE", Some('7')).is_err());
        std::fs::write(folder.join("SET.map"), mapset("ONE")).unwrap();
        assert!(comes(&mut cache, dir, "ONE"));
        assert!(cache.find(dir, "SET", "TWO", None).is_err());
        std::fs::write(folder.join("SET7.map"), mapset("TWO")).unwrap();
        assert!(comes(&mut cache, dir, "TWO"), "the suffix is tried first");
        std::fs::write(folder.join("SET7.map"), mapset("THREE")).unwrap();
        assert!(comes(&mut cache, dir, "THREE"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
