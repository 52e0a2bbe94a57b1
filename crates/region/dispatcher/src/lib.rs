//! Who may run in a region, and what is counted of it.
//!
//! What: [`Dispatcher`], places of MXT and of transaction classes with the queues in front of them,
//! and their counts; the time as a region sees it ([`Clock`]). Why a room: it starts what it is
//! handed and knows no task and no service. Not here: the QR token and processors
//! (`transom_workers`), what is started.

#![forbid(unsafe_code)]

mod clock;
mod dispatcher;
mod places;
mod waiting;

pub use clock::{Clock, Elapsed, Sleep, SystemClock};
pub use dispatcher::{Dispatcher, NotAdmitted};
pub use places::{ClassCounts, Counts};
pub use waiting::{Now, Start};
