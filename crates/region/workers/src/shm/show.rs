//! The dispatcher's state as text, for a pool that does not go on: queues, workers, tasks.

use super::Segment;
use super::layout::{state, worker};
use std::fmt::{Debug, Formatter, Result};
use std::sync::atomic::Ordering::SeqCst;

impl Debug for Segment {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let header = self.header();
        writeln!(
            f,
            "{:?}, done {:?}, region sleeps {:?}, no room {:?}",
            header.queues, header.done_head.0, header.region_sleeps.0, header.no_room.0
        )?;
        for i in 0..self.slots() {
            let slot = self.slot(i);
            if slot.state.load(SeqCst) != worker::FREE {
                writeln!(
                    f,
                    "worker {}: state {:?}, task {:?}, runs number {:?}, sleeps {:?}, posted {:?}",
                    i + 1,
                    slot.state,
                    slot.task,
                    slot.view.current_task,
                    slot.sleeping,
                    slot.posted
                )?;
            }
        }
        for i in 0..self.tasks() {
            let block = self.task(i);
            if block.state.load(SeqCst) != state::FREE {
                writeln!(
                    f,
                    "task {}: state {:?}, number {:?}, worker {:?}, next {:?}, counted {:?}, asking {:?}, restarts {:?}",
                    i + 1,
                    block.state,
                    block.task_number,
                    block.worker,
                    block.next,
                    block.counted,
                    block.asking,
                    block.restarts
                )?;
            }
        }
        Ok(())
    }
}
