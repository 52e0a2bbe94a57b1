//! What a task knows of its children and its parent.

/// Children and parent of a task.
#[derive(Default)]
pub struct TaskChildren {
    /// What the region said of the parent.
    pub parent: Vec<u8>,
    /// Answers taken so far; makes the names of their channels.
    pub fetched: u32,
}

impl TaskChildren {
    /// The task begins.
    pub fn begin(&mut self, parent: Option<&[u8]>) {
        self.parent = parent.unwrap_or_default().to_vec();
    }
}
