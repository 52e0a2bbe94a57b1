//! Temporary storage queues with an item each: to make them, to stop and start with them.

use super::flat::flat;
use super::system::System;
use crate::figure::{self, Goal};
use crate::runs::quick;

/// Queues made by one task.
const OF_A_TASK: u32 = 10_000;

fn sizes() -> [u32; 3] {
    match quick() {
        true => [1_000, 10_000, 100_000],
        false => [10_000, 100_000, 1_000_000],
    }
}

pub(super) async fn run() -> Result<(), String> {
    let (mut made, mut stopped, mut started) = (vec![], vec![], vec![]);
    for size in sizes() {
        let mut system = System::new()?;
        let empty = system.start()?;
        let mut seconds = 0.0;
        for first in (1..=size).step_by(OF_A_TASK as usize) {
            let last = (first + OF_A_TASK - 1).min(size);
            seconds += system.link("GRTSQ", [first, last]).await?;
        }
        let each = |seconds: f64| (size as usize, seconds * 1e6 / f64::from(size));
        made.push(each(seconds));
        let memory = format!("growth_queues_memory_{size}");
        figure::value(&memory, system.memory_mb(), "MB", Goal::None);
        let stop = system.stop()?;
        let start = system.start()?;
        figure::value(&format!("growth_queues_stop_{size}"), stop, "s", Goal::None);
        figure::value(
            &format!("growth_queues_start_{size}"),
            start,
            "s",
            Goal::None,
        );
        stopped.push(each(stop));
        // A start without queues takes as long and longer on a busy machine.
        started.push(each((start - empty).max(0.01)));
    }
    flat("queue_made", "us", &made);
    // The smallest stop and start are those of the region, not of its queues.
    flat("queue_stopped", "us", &stopped[1..]);
    flat("queue_started", "us", &started[1..]);
    Ok(())
}
