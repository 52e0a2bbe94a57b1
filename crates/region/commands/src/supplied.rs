//! Programs that are part of the region, as the command processor sees them.
//!
//! Not here: the programs (`transom_region_supplied`).

use crate::exec::Executor;
use transom_wire::Module;
use transom_workers::seam::{Area, Host, Outcome};

/// Programs that are part of the region and run on ordinary commands (CEMT, CESN ...). They keep
/// what they need between two programs of one task themselves.
pub trait SuppliedPrograms {
    /// Runs one at the level it was started in, as `Commands::supplied` says.
    fn run(
        &mut self,
        executor: &mut Executor,
        host: &mut dyn Host,
        module: &Module,
        area: Area,
    ) -> Outcome;

    /// The task is over: what was kept for it goes.
    fn task_ended(&mut self);
}
