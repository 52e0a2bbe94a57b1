//! Messages on paper.
//!
//! What: the pages of a message go to a printer one by one, each when the printer has confirmed the
//! one before. Why: a printer is slower than any program, and a report is larger than what a door
//! keeps for a client. Not here: jobs of tasks (`run`), ISSUE PRINT.

use super::super::super::replier::lock;
use super::super::record::{Delivered, Shared};
use super::state::Message;
use tokio::sync::oneshot;
use transom_datastream::scs::of_record;
use transom_region_api::Outcome;

/// Prints a message. `false`: the session was over before.
pub(crate) async fn print(printer: &Shared, message: &Message, end_of_job: bool) -> bool {
    let pages = &message.pages.records;
    for (nth, page) in pages.iter().enumerate() {
        let (tell, told) = oneshot::channel();
        {
            let mut printer = lock(printer);
            if printer.gone {
                return false;
            }
            let page = match printer.scs() {
                true => of_record(page.clone(), printer.size(), nth > 0),
                false => page.clone(),
            };
            // One that the printer refuses does not keep the others from being printed.
            let done = Box::new(move |_: Outcome| {
                let _gone = tell.send(());
            });
            let ends = end_of_job && nth + 1 == pages.len();
            if printer.deliver(vec![page], ends, done) == Delivered::AtOnce {
                continue;
            }
        }
        if told.await.is_err() {
            return false;
        }
    }
    true
}
