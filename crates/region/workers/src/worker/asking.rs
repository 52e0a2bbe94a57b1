//! What a worker asks of the region: one round trip, with what waited for it (`later`).
//!
//! Not here: what is asked (`region/commands`), how a worker sleeps (`waiting`).

use super::host::WorkerHost;
use super::link::{self, COMPLETION_FD};
use crate::config::MAX_PAYLOAD_BYTES;
use crate::shm::payload;
use std::sync::atomic::Ordering::SeqCst;
use transom_region_trace::Asked;
use transom_wire::requests::RegionAnswer;

/// Longest request to the region.
const MAX_ASK_BYTES: usize = MAX_PAYLOAD_BYTES;

impl WorkerHost {
    /// One round trip, with what waits for it.
    pub(super) fn ask_with_later(&mut self, request: &[u8]) -> Vec<u8> {
        if !self.later.is_some() {
            return self.ask(request).unwrap_or_default();
        }
        if request.len() > MAX_ASK_BYTES / 2 {
            // Both may be too long for one message.
            let said = self.ask_with_later(&[]);
            return match RegionAnswer::of(&said).is_normal() {
                true => self.ask(request).unwrap_or_default(),
                false => said,
            };
        }
        let Some(along) = self.later.with(request) else {
            link::die(
                &self.slot().view,
                "a REWRITE was overwritten before it was asked",
            )
        };
        let answer = self.ask(&along);
        if answer.is_some() {
            self.later.forget();
        }
        answer.unwrap_or_default()
    }

    /// `None`: there was no room for the request, and it was not asked.
    fn ask(&mut self, request: &[u8]) -> Option<Vec<u8>> {
        let block = self.segment.task(self.task);
        if request.len() > MAX_ASK_BYTES {
            return None;
        }
        if !payload::put_ask(self.segment, block, self.task_number, request) {
            return None;
        }
        self.asked += 1;
        let asked = Asked::of(request);
        self.make_entry(&asked.entry());
        block.asking.store(1, SeqCst);
        self.begin_wait();
        link::push_done(self.segment, self.task, COMPLETION_FD);
        while block.asking.load(SeqCst) != 2 {
            self.sleep(None, &|| block.asking.load(SeqCst) == 2);
        }
        block.asking.store(0, SeqCst);
        self.end_wait();
        let answer = payload::take_ask(self.segment, block, self.task_number);
        if let Some(answer) = &answer {
            self.make_entry(&asked.answered(answer));
        }
        // The region has done what it was asked for; a task that takes it for refused would go on
        // with something that is not so.
        Some(answer.unwrap_or_else(|| {
            link::die(
                &self.slot().view,
                "the region's answer was overwritten in shared memory",
            )
        }))
    }
}
