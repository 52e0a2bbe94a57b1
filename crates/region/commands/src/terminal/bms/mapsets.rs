//! Mapsets a worker has read: files of the region's map folder, kept until the file changes.
//!
//! With the alternate screen size in force, a mapset whose name ends with the terminal's suffix is
//! taken before the one without. Abends: APCT (no such mapset, or its file is damaged), ABM0 (no
//! such map in it).

use crate::condition::Fail;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;
use std::{fmt, io};
use transom_bms::{MapFileError, PhysicalMap, PhysicalMapset};
use transom_messages as messages;
use transom_types::AbendCode;

/// Mapsets a worker keeps; one more empties the cache.
pub(crate) const MAPSETS_MAX: usize = 500;
/// Largest map file.
const FILE_BYTES_MAX: u64 = 4 << 20;

/// The mapsets of a worker.
#[derive(Default)]
pub(crate) struct MapsetCache {
    read: HashMap<PathBuf, (SystemTime, Rc<PhysicalMapset>)>,
}

/// A map, with its mapset.
pub(super) struct Found {
    pub mapset: Rc<PhysicalMapset>,
    at: usize,
}

impl Found {
    pub(super) fn map(&self) -> Option<&PhysicalMap> {
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
    pub(super) fn find(
        &mut self,
        dir: &str,
        mapset: &str,
        map: &str,
        suffix: Option<char>,
    ) -> Result<Found, Fail> {
        let with = suffix.map(|suffix| format!("{mapset}{suffix}"));
        let names = with.iter().map(String::as_str).chain([mapset]);
        let mut why = format!("no file {mapset}.map in {dir}");
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
                Err(error) => why = error.to_string(),
            }
        }
        let text = messages::bm::mapset_not_usable(mapset, &why).to_string();
        Err(abend(b"APCT", text))
    }

    /// `None`: there is no such file.
    fn load(&mut self, dir: &Path, name: &str) -> Result<Option<Rc<PhysicalMapset>>, NotUsable> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "$@#".contains(c);
        if name.is_empty() || !name.chars().all(plain) {
            return Ok(None);
        }
        let path = dir.join(format!("{name}.map"));
        let Ok(facts) = std::fs::metadata(&path) else {
            return Ok(None);
        };
        let changed = facts.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        if let Some((when, mapset)) = self.read.get(&path)
            && *when == changed
        {
            return Ok(Some(mapset.clone()));
        }
        if facts.len() > FILE_BYTES_MAX {
            return Err(NotUsable::TooLarge(path));
        }
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => return Err(NotUsable::Unread(path, error)),
        };
        let mapset = match PhysicalMapset::from_bytes(&bytes) {
            Ok(mapset) => mapset,
            Err(error) => return Err(NotUsable::Damaged(path, error)),
        };
        if self.read.len() >= MAPSETS_MAX {
            self.read.clear();
        }
        let mapset = Rc::new(mapset);
        self.read.insert(path, (changed, mapset.clone()));
        Ok(Some(mapset))
    }
}

fn abend(code: &[u8; 4], text: String) -> Fail {
    Fail::Abend(AbendCode::from_field(code), text)
}
