//! A zygote that does not go on: stopped by a signal or a debugger, or stuck.
//!
//! What: a worker that was asked for and is not there, or that is dead and nobody told of, shows
//! it; the zygote is then ended, as if somebody had killed it, and a new one is started. Why: tasks
//! would wait for ever for workers, and those of dead workers for their end. One that is stopped
//! while nobody needs it is let be. Not here: workers that do not go on (`stalled`).

use super::stalled::is_stopped;
use super::supervisor::Supervisor;
use transom_messages as messages;

/// Looks, a second apart, at which a word is due, of a zygote that is stopped.
const STOPPED: u32 = 5;
/// The same of any other: it may load programs, on a machine that does much else.
const STUCK: u32 = 60;

impl Supervisor {
    /// At each look at all tasks.
    pub(super) fn judge_zygote(&mut self) {
        let Some(pid) = self.zygote.as_ref().map(|zygote| zygote.child.id()) else {
            return;
        };
        let slots = self.used_slots().into_iter();
        let silent = slots.map(|slot| self.inner.processes.silent(slot));
        let silent = silent.max().unwrap_or_default();
        if silent > STUCK || silent > STOPPED && is_stopped(pid) {
            self.tell(messages::wk::zygote_silent(pid, silent));
            self.zygote_gone();
        }
    }
}
