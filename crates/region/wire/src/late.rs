//! Programs whose modules are still made while the region runs.
//!
//! What: [`LateModules`], who makes them; whoever starts a region hands it in. Not here: making
//! modules (`region/system`), the task that waits (`region/server`).

use transom_types::ProgramName;

/// Who makes the modules.
pub trait LateModules: Send + Sync {
    /// Whether the module of a program was to be made when the region started.
    fn knows(&self, program: ProgramName) -> bool;

    /// Whether it is still to be made.
    fn is_pending(&self, program: ProgramName) -> bool;

    /// The module is needed before all others. `done` is called when it is there or cannot be.
    fn want(&self, program: ProgramName, done: Box<dyn FnOnce() + Send>);

    /// The source of a program whose module could not be made, as messages name it.
    fn failed(&self, program: ProgramName) -> Option<String>;
}
