//! Parts of a serving process whose end is the end of the process.
//!
//! What: a part holds a [`Life`]; when that goes (its task or thread panicked or returned), the
//! process learns the name of the part, stops and says so. Why: a process that listens and can
//! answer nothing looks healthy to who supervises it. Not here: the stop itself.

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Hands out lives.
#[derive(Clone)]
pub(crate) struct Lives(UnboundedSender<&'static str>);

/// Held by a part as long as it lives.
pub(crate) struct Life {
    part: &'static str,
    ended: Option<UnboundedSender<&'static str>>,
}

impl Lives {
    /// With the names of parts that ended; one each, so the channel has as many as there are parts.
    pub(crate) fn new() -> (Self, UnboundedReceiver<&'static str>) {
        let (tell, told) = unbounded_channel();
        (Self(tell), told)
    }

    /// For a part that must live as long as the process.
    pub(crate) fn must_live(&self, part: &'static str) -> Life {
        Life {
            part,
            ended: Some(self.0.clone()),
        }
    }
}

impl Life {
    /// The part said why it ends; the process goes on without it.
    pub(crate) fn may_end(mut self) {
        self.ended = None;
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        if let Some(ended) = self.ended.take() {
            // Nobody listens any more: the process ends already.
            let _ = ended.send(self.part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_task_that_panics_is_noticed_and_one_that_said_why_is_not() {
        let (lives, mut ended) = Lives::new();
        let (listener, pump) = (lives.must_live("listener"), lives.must_live("pump"));
        let said = tokio::spawn(async move { listener.may_end() });
        said.await.unwrap();
        let panics = tokio::spawn(async move {
            let _pump = pump;
            tokio::task::yield_now().await;
            panic!("a defect of ours");
        });
        assert!(panics.await.is_err());
        assert_eq!(ended.recv().await, Some("pump"));
    }
}
