//! Whether the task has something to commit.

/// The task's unit of work as its worker sees it.
#[derive(Default)]
pub struct UnitOfWork {
    open: bool,
    /// SYNCPOINT was given.
    synced: bool,
}

impl UnitOfWork {
    /// Something recoverable is touched: from now on the region keeps a unit of work for the task.
    pub fn touch(&mut self) {
        self.open = true;
    }

    /// The region keeps one for the task.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// The program ends one: SYNCPOINT, with or without ROLLBACK.
    pub fn sync(&mut self) {
        self.synced = true;
    }

    /// The program has ended one.
    pub fn has_synced(&self) -> bool {
        self.synced
    }

    /// Ends it here; answers whether the region keeps one that must be ended too.
    pub fn end(&mut self) -> bool {
        std::mem::take(&mut self.open)
    }
}
