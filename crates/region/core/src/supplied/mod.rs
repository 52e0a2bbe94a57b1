//! Transactions every region has: sign-on, master terminal and so on, as programs of its own.
//!
//! What: [`run`] finds the program; each is a file. They run as tasks in workers, use the same
//! commands as any program and keep nothing between inputs but a COMMAREA.

use crate::exec::Executor;
use transom_types::AbendCode;
use transom_workers::seam::{Area, Host, Module, Outcome};

/// Where a supplied program goes on after a LINK.
#[derive(Default)]
pub(crate) struct TaskSupplied {}

/// Runs a supplied program.
pub(crate) fn run(
    _executor: &mut Executor,
    _host: &mut dyn Host,
    module: &Module,
    _area: Area,
) -> Outcome {
    let text = format!("TXMPG0024E there is no supplied program {}", module.program);
    Outcome::Abend(AbendCode::APCT, text)
}
