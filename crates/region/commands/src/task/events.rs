//! What becomes of ENQs when a unit of work or the task ends.

use crate::task_state::TaskState;
use transom_wire::Space;
use transom_wire::task::{Lock, forget};
use transom_workers::seam::Host;

/// What the task enqueued upon is still its own: nobody has stored over the lock. A task that says
/// so commits nothing that another one may have changed meanwhile.
pub(crate) fn holds_all(host: &dyn Host, task: &TaskState) -> bool {
    task.held.iter().all(|held| {
        let mut mine = false;
        host.shared()
            .with_group(Space::Enqueue, &held.key, &mut |group| {
                mine = Lock::read(group).owner == task.number;
            });
        mine
    })
}

/// Ends the unit of work: ENQs made for it are freed.
pub(crate) fn release_uow(host: &dyn Host, task: &mut TaskState) {
    let number = task.number;
    task.held.retain(|held| {
        let (mut post, mut still_held) = (None, false);
        host.shared()
            .with_group(Space::Enqueue, &held.key, &mut |group| {
                let mut lock = Lock::read(group);
                if lock.owner == number {
                    lock.uow = 0;
                    post = lock.pass_on();
                    still_held = lock.owner == number;
                    let _ = lock.write(group);
                }
            });
        if let Some(next) = post {
            host.post(next);
        }
        still_held
    });
}

/// Frees all ENQs of the task at its end.
pub(crate) fn release_all(host: &dyn Host, task: &mut TaskState) {
    for held in std::mem::take(&mut task.held) {
        if let Some(next) = forget(host.shared(), &held.key, task.number) {
            host.post(next);
        }
    }
}
