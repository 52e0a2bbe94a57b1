//! The decks as they were read last.
//!
//! What: [`Decks::read`] reads and understands the decks again when one of them changed, else it
//! answers what it has. Why: CEDA asks at each key, and fifty thousand definitions take a quarter
//! of a second. Nobody asks for [`KEPT`]: what is kept goes. Not here: changes (`change`).

use crate::CsdConfig;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, SystemTime};
use transom_csd::{Csd, MAX_DECK_BYTES};
use transom_messages::{self as messages, Message};
use transom_recovery::guard::lock;

/// How long decks are kept that nobody asks for, at least.
pub const KEPT: Duration = Duration::from_secs(60);
/// A file may change twice within one step of its time; one that changed only just is not kept.
const SETTLED: Duration = Duration::from_secs(2);

/// Inode, length and time of a deck; `None`: it is not there.
type Stamp = Option<(u64, u64, SystemTime)>;

/// What is kept.
#[derive(Default)]
pub struct Decks(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    read: Option<(Vec<Stamp>, Arc<Csd>)>,
    used: bool,
    /// Somebody waits to let it go.
    watched: bool,
}

impl Decks {
    /// The definitions of all decks; `now`: the time of day. Reads files.
    ///
    /// # Errors
    /// A deck cannot be read.
    pub fn read(&self, config: &CsdConfig, now: SystemTime) -> Result<Arc<Csd>, Message> {
        let stamps = stamps(config);
        {
            let mut kept = lock(&self.0);
            kept.used = true;
            if let Some((of, csd)) = &kept.read
                && *of == stamps
            {
                return Ok(csd.clone());
            }
            kept.read = None;
        }
        let csd = Arc::new(read(config)?);
        let before = now.checked_sub(SETTLED);
        let settled = |stamp: &Stamp| stamp.is_none_or(|(.., at)| before.is_some_and(|b| at < b));
        if stamps.iter().all(settled) {
            lock(&self.0).read = Some((stamps, csd.clone()));
        }
        Ok(csd)
    }

    /// Somebody must [`watch`] from now on.
    pub fn needs_watch(&self) -> bool {
        let mut kept = lock(&self.0);
        kept.read.is_some() && !std::mem::replace(&mut kept.watched, true)
    }

    /// Lets go what nobody has asked for since the last call; true when it did.
    fn let_go(&self) -> bool {
        let mut kept = lock(&self.0);
        let goes = !std::mem::replace(&mut kept.used, false);
        if goes {
            *kept = Kept::default();
        }
        goes
    }
}

/// Lets decks go that nobody asks for any more. `sleep`: for [`KEPT`].
pub async fn watch<F: Future<Output = ()>>(decks: Weak<Decks>, sleep: impl Fn() -> F) {
    loop {
        sleep().await;
        match decks.upgrade() {
            Some(decks) if !decks.let_go() => {}
            _ => return,
        }
    }
}

fn decks(config: &CsdConfig) -> impl Iterator<Item = &Path> {
    let others = config.decks.iter();
    let others = others.filter(|deck| Some(*deck) != config.local.as_ref());
    others.chain(&config.local).map(|deck| deck.as_path())
}

fn stamps(config: &CsdConfig) -> Vec<Stamp> {
    let stamp = |deck: &Path| {
        let found = fs::metadata(deck).ok()?;
        Some((found.ino(), found.len(), found.modified().ok()?))
    };
    decks(config).map(stamp).collect()
}

/// The decks as they are now.
pub(super) fn read(config: &CsdConfig) -> Result<Csd, Message> {
    let mut csd = Csd::new();
    let own = |deck: &Path| config.local.as_deref() == Some(deck);
    for deck in decks(config).filter(|deck| !own(deck) || deck.exists()) {
        let bytes =
            fs::read(deck).map_err(|e| messages::am::deck_not_readable(deck.display(), &e))?;
        if bytes.len() > MAX_DECK_BYTES {
            return Err(messages::am::deck_not_readable(deck.display(), "too large"));
        }
        // What is wrong in a deck was said when the region started.
        csd.parse_deck(
            &deck.display().to_string(),
            &String::from_utf8_lossy(&bytes),
        );
    }
    Ok(csd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decks_are_read_again_when_one_changed() {
        let folder = tempfile::tempdir().unwrap();
        let (deck, local) = (folder.path().join("a.csd"), folder.path().join("local.csd"));
        let old = SystemTime::now() - Duration::from_secs(60);
        let write = |deck: &Path, program: &str, at: SystemTime| {
            fs::write(deck, format!("DEFINE PROGRAM({program}) GROUP(G)\n")).unwrap();
            fs::File::open(deck).unwrap().set_modified(at).unwrap();
        };
        write(&deck, "ONE", old);
        let config = CsdConfig {
            decks: vec![deck.clone()],
            local: Some(local.clone()),
        };
        let decks = Decks::default();
        let read = || decks.read(&config, SystemTime::now()).unwrap();
        let names = |csd: &Csd| -> Vec<String> {
            let all = csd.group("G").unwrap_or_default();
            all.iter().map(|d| d.name.clone()).collect()
        };
        let first = read();
        assert_eq!(names(&first), ["ONE"]);
        assert!(Arc::ptr_eq(&first, &read()), "nothing changed");
        write(&local, "TWO", old);
        assert_eq!(names(&read()), ["ONE", "TWO"]);
        // Of the same length; a time that is not settled is not believed.
        write(&deck, "ONF", SystemTime::now());
        assert_eq!(names(&read()), ["ONF", "TWO"]);
        write(
            &deck,
            "ONG",
            fs::metadata(&deck).unwrap().modified().unwrap(),
        );
        assert_eq!(names(&read()), ["ONG", "TWO"]);
        fs::remove_file(&local).unwrap();
        assert_eq!(names(&read()), ["ONG"]);
        assert!(!decks.let_go(), "it was asked for");
        assert!(decks.let_go());
    }
}
