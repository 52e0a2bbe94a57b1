//! Who may run in a region, and what is counted of it.
//!
//! What: [`Dispatcher`], places of MXT and of transaction classes with the queues in front of them,
//! and their counts; numbers of tasks and maps by them ([`TaskNumbers`], [`ByTask`]); the time as a
//! region sees it ([`Clock`]). Why a room: it starts what it is handed and knows no service. Not
//! here: the QR token and processors (`transom_workers`), what is started.

#![forbid(unsafe_code)]

mod by_task;
mod clock;
mod dispatcher;
mod numbers;
mod places;
mod waiting;

pub use by_task::{ByTask, TaskHasher};
pub use clock::{Clock, Elapsed, Sleep, SystemClock};
pub use dispatcher::{Dispatcher, NotAdmitted};
pub use numbers::{TaskNumber, TaskNumbers};
pub use places::{ClassCounts, Counts};
pub use waiting::{Now, Start};
