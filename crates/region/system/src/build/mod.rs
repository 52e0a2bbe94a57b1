//! Translates and compiles the COBOL sources that changed.
//!
//! What: source -> translator -> cobc -> `.transom/modules/NAME.so`, with listing and coverage
//! report beside it. A source is translated again when it, one of its copybooks, its options or
//! Transom itself changed, and compiled again when that gives other code. A new version gets a new
//! file and the link NAME.so moves at the end, so running tasks keep the module they have. What is
//! compiled is noted at once (`state`), so an interrupted build goes on where it was. Reading
//! order: here, `builder`, `compile`, `later`. Not here: what the translator does.

mod builder;
mod compile;
mod finish;
mod later;
mod lines;
mod outcome;
mod scratch;
mod state;
mod store;

pub use later::{Ended, Later, Rest};
pub use lines::Lines;
pub use outcome::{Mode, Module, Outcome, Pending};

use crate::directory::SystemDirectory;
use crate::guard::lock;
use builder::Builder;
use compile::How;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use transom_messages::{Message, si};

/// Builds all sources, several at a time. `progress` hears of each one that is done.
pub fn build(
    system: &SystemDirectory,
    mode: Mode,
    progress: &(dyn Fn(usize, usize, &str) + Sync),
) -> Result<Outcome, Message> {
    let folders = ["modules", "listings", "generated", "dumps"];
    for folder in folders {
        let path = system.own(folder);
        std::fs::create_dir_all(&path).map_err(|e| si::not_written(path.display(), e))?;
    }
    // Maps come first: programs COPY what they make.
    let maps = crate::maps::build(system)?;
    let (builder, refused) = Builder::new(system);
    let how = match mode {
        Mode::Compile => Some(How::Now),
        Mode::Prepare => None,
        Mode::CheckOnly => Some(How::Check),
    };
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers.min(system.sources.len()) {
            scope.spawn(|| {
                while let Some(source) = system.sources.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let name = system.shown(source);
                    let result = builder.one(source, mode, how);
                    let mut results = lock(&results);
                    results.push((name.clone(), result));
                    progress(results.len(), system.sources.len(), &name);
                }
            });
        }
    });
    let results = results
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut outcome = finish::finish(system, mode, results);
    if let Some(store) = builder.store.as_ref().filter(|_| outcome.compiled > 0) {
        store.prune();
    }
    outcome.mapsets = maps.mapsets;
    outcome.labels = maps.labels;
    let copybooks = builder.library.findings();
    let first = maps.findings.into_iter().chain(copybooks).chain(refused);
    outcome.findings.splice(0..0, first);
    Ok(outcome)
}
