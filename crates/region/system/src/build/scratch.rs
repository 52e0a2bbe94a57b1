//! Files that appear in one step, whoever else writes them.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A name that no other compilation of whatever process has.
pub(super) fn scratch(target: &Path) -> PathBuf {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!("{name}.{}-{number}.new", std::process::id()))
}

/// Writes a file in one step: another build may read the one before.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let fresh = scratch(path);
    std::fs::write(&fresh, bytes).and_then(|()| std::fs::rename(&fresh, path))
}
