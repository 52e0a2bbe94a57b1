//! Messages on paper.
//!
//! What: the pages of a message go to a printer one by one, each when the printer has confirmed the
//! one before. Why: a printer is slower than any program, and a report is larger than what a door
//! keeps for a client. Not here: jobs of tasks (`run`), ISSUE PRINT.

use super::super::record::{Delivered, Terminal};
use super::super::{Shared, Terminals, lock, run};
use super::Message;
use std::sync::Arc;
use tokio::sync::oneshot;
use transom_datastream::scs::of_record;
use transom_region_api::Outcome;

/// A free printer begins to print the message that waits longest, as a job of its own. `false`:
/// none waits.
pub(super) fn next(terminals: &Arc<Terminals>, shared: &Shared, terminal: &mut Terminal) -> bool {
    let Ok(runtime) = tokio::runtime::Handle::try_current() else {
        return false;
    };
    let Some(message) = terminal.paging.waiting.pop_front() else {
        return false;
    };
    terminal.printing = true;
    let (region, own) = (terminals.clone(), shared.clone());
    runtime.spawn(async move {
        print(&own, &message, true).await;
        lock(&own).printing = false;
        run::go_on(&region, &own);
    });
    true
}

/// Prints a message. `false`: the session was over before.
pub(super) async fn print(printer: &Shared, message: &Message, end_of_job: bool) -> bool {
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
