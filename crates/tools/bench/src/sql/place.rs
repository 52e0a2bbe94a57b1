//! The processor that servers and peers are held on: callers do not count as load there.

use crate::runs::quick;
use std::path::Path;
use std::process::Command;

/// The last one; `None` where there is only one.
pub(crate) fn processor() -> Option<usize> {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    (all > 1).then(|| all - 1)
}

/// A command that runs there, and all it starts.
pub(crate) fn held(program: &Path) -> Command {
    match processor() {
        None => Command::new(program),
        Some(processor) => {
            let mut command = Command::new("taskset");
            command.arg("-c").arg(processor.to_string()).arg(program);
            command
        }
    }
}

/// Seconds of one measurement.
pub(crate) fn seconds() -> u64 {
    if quick() { 3 } else { 10 }
}
