//! Named places where tests make things go wrong.
//!
//! What: with the feature `failpoints` a test or the variable FAILPOINTS gives a place an action of
//! the crate `fail`: `return(kill)` ends the process at once, `return(nospace)` and `return(io)`
//! are errors, `sleep(ms)` and `panic` are themselves. Without the feature nothing is compiled in.
//! Not here: what must hold afterwards.

use crate::StoreError;

/// Passes a place; the error is the one a test asked for.
#[cfg(feature = "failpoints")]
pub fn fail_point(name: &str) -> Result<(), StoreError> {
    let failed = fail::eval(name, |action| match action.as_deref() {
        Some("kill") => die(name),
        Some("nospace") => StoreError::NoSpace(name.to_owned()),
        _ => StoreError::Io(name.to_owned()),
    });
    failed.map_or(Ok(()), Err)
}

/// SIGKILL to this process: no handler, no destructor, no flush.
#[cfg(feature = "failpoints")]
fn die(name: &str) -> StoreError {
    use rustix::process::{Signal, getpid, kill_process};
    let _ = kill_process(getpid(), Signal::KILL);
    // It comes at any moment; nothing of this thread goes on.
    std::thread::sleep(std::time::Duration::from_secs(60));
    StoreError::Io(name.to_owned())
}

/// Passes a place.
#[cfg(not(feature = "failpoints"))]
#[inline(always)]
pub fn fail_point(_name: &str) -> Result<(), StoreError> {
    Ok(())
}
