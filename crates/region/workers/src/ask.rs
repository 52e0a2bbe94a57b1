//! What a command asks of the region, and where the answer goes.
//!
//! What: the bytes of a request with the way back to the task that waits. Why: the configuration
//! of a pool names who answers, and the pool hands requests out. Not here: how request and answer
//! travel (`pool::completions`), what they mean.

/// A request of a command to the region.
pub struct Ask {
    /// Task that asks.
    pub task_number: u32,
    /// Its bytes.
    pub request: Vec<u8>,
    answer_to: Option<AnswerTo>,
}

type AnswerTo = Box<dyn FnOnce(&[u8]) + Send>;

impl Ask {
    /// A request whose answer goes to `answer`, which is called once.
    pub fn new(
        task_number: u32,
        request: Vec<u8>,
        answer: impl FnOnce(&[u8]) + Send + 'static,
    ) -> Self {
        Self {
            task_number,
            request,
            answer_to: Some(Box::new(answer)),
        }
    }

    /// Answers; the task goes on. Dropping an `Ask` answers with no bytes.
    pub fn answer(mut self, reply: &[u8]) {
        if let Some(answer) = self.answer_to.take() {
            answer(reply);
        }
    }
}

impl Drop for Ask {
    fn drop(&mut self) {
        if let Some(answer) = self.answer_to.take() {
            answer(&[]);
        }
    }
}

impl std::fmt::Debug for Ask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ask")
            .field("task_number", &self.task_number)
            .field("request", &self.request)
            .finish_non_exhaustive()
    }
}
