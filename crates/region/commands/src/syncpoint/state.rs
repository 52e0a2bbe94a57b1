//! Whether the task has something to commit.

/// The task's unit of work as its worker sees it.
#[derive(Default)]
pub(crate) struct UnitOfWork {
    open: bool,
}

impl UnitOfWork {
    /// Something recoverable is touched: from now on the region keeps a unit of work for the task.
    pub(crate) fn touch(&mut self) {
        self.open = true;
    }

    /// Ends it here; answers whether the region keeps one that must be ended too.
    pub(crate) fn end(&mut self) -> bool {
        std::mem::take(&mut self.open)
    }
}
