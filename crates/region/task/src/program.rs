//! Program levels of a task and the programs it loaded; modules a worker knows.

use crate::exception::Handles;
use foldhash::HashSet;
use transom_types::ProgramName;
use transom_workers::seam::{Address, Area};

/// Deepest LINK nesting of one task. Each level holds C stack of the worker.
pub const LINK_LEVELS_MAX: usize = 200;

/// One program level: the program that LINK (or attach) put there, or its XCTL successor.
pub struct Level {
    /// The running program.
    pub program: ProgramName,
    /// The program that invoked it by LINK or XCTL.
    pub invoked_by: ProgramName,
    /// Its COMMAREA.
    pub area: Area,
    /// Task storage XCTL copied the COMMAREA to; 0: the area is somebody else's.
    pub copied_area: Address,
    /// Its current channel.
    pub channel: Option<u32>,
    /// HANDLE and IGNORE state.
    pub handles: Handles,
    /// States put away by PUSH HANDLE.
    pub pushed: Vec<Handles>,
    /// Whose state that is: 0 the level's own program, else one it CALLed.
    owner: usize,
    /// States of the programs of this level that are suspended by a CALL.
    suspended: Vec<Suspended>,
}

/// HANDLE state of a program that CALLed another, or was CALLed.
struct Suspended {
    owner: usize,
    handles: Handles,
    pushed: Vec<Handles>,
}

/// CALLed programs of one level whose HANDLE state is kept; more than these start afresh.
const SUSPENDED_MAX: usize = 64;

impl Level {
    /// A program starts at a new level.
    pub fn new(
        program: ProgramName,
        invoked_by: ProgramName,
        area: Area,
        channel: Option<u32>,
    ) -> Self {
        let (handles, pushed) = (Handles::default(), Vec::new());
        Self {
            program,
            invoked_by,
            area,
            copied_area: 0,
            channel,
            handles,
            pushed,
            owner: 0,
            suspended: Vec::new(),
        }
    }

    /// Makes the HANDLE state that of this program of the level. A CALL suspends the caller's state
    /// and starts the CALLed program with none, as a PUSH HANDLE would; labels are numbers of one
    /// program and would lead another astray. Back in the level's own program, the others' states
    /// are gone.
    pub fn switch_to(&mut self, owner: usize) {
        if owner == self.owner {
            return;
        }
        let at = self.suspended.iter().position(|s| s.owner == owner);
        let mine = at.map(|at| self.suspended.swap_remove(at));
        let (handles, pushed) = mine.map_or_else(Default::default, |s| (s.handles, s.pushed));
        let left = Suspended {
            owner: std::mem::replace(&mut self.owner, owner),
            handles: std::mem::replace(&mut self.handles, handles),
            pushed: std::mem::replace(&mut self.pushed, pushed),
        };
        if owner == 0 {
            self.suspended.clear();
        } else if self.suspended.len() < SUSPENDED_MAX || left.owner == 0 {
            self.suspended.push(left);
        }
    }
}

/// A program this task loaded.
pub struct Loaded {
    pub program: ProgramName,
    pub count: u32,
}

/// Modules this worker could load once, by their files, kept from task to task.
#[derive(Default)]
pub struct Modules(HashSet<String>);

impl Modules {
    pub fn is_loadable(&self, path: &str) -> bool {
        self.0.contains(path)
    }

    pub fn was_loaded(&mut self, path: &str) {
        self.0.insert(path.to_owned());
    }

    /// Another file may stand there: it is tried again.
    pub fn forget(&mut self, path: &str) {
        self.0.remove(path);
    }
}
