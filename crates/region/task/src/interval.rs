//! What a task knows of the START that began it and of its POST.

use transom_types::{ReqId, TdQueueName};
use transom_wire::Space;
use transom_wire::interval::{Owner, Posted};
use transom_workers::seam::{Address, Host};

/// Item of a group of [`Space::Interval`]: task, time, cancelled.
pub const ITEM: u32 = 0;

/// START and POST of a task.
#[derive(Default)]
pub struct TaskInterval {
    /// What the region said of the START; `None`: the task was not started so.
    pub owner: Option<Owner>,
    /// Data of the last RETRIEVE SET, 0 before the first.
    pub data_area: Address,
    /// The POST in progress: a task has one at a time.
    pub post: Option<Post>,
    /// The POST that expired last was not cancelled after that.
    pub expired_post: bool,
}

impl TaskInterval {
    /// The task begins.
    pub fn begin(&mut self, retrieve: Option<&[u8]>) {
        self.owner = retrieve.and_then(Owner::decode);
    }

    /// The task of this number ends: nobody can cancel its POST any more.
    pub fn end(&mut self, host: &dyn Host, task: u32) {
        if let Some(post) = self.post.take() {
            post.forget(host, task);
        }
    }

    /// The transient data queue whose trigger level began the task.
    pub fn trigger_queue(&self) -> Option<TdQueueName> {
        match self.owner {
            Some(Owner::Trigger(queue, _)) => Some(queue),
            _ => None,
        }
    }
}

/// The POST of a task.
pub struct Post {
    /// The timer event area.
    pub area: Address,
    /// When, as ABSTIME.
    pub at: i64,
    /// For CANCEL by others.
    pub reqid: Option<ReqId>,
}

impl Post {
    /// Nobody can cancel it any more.
    pub fn forget(&self, host: &dyn Host, task: u32) {
        let Some(reqid) = &self.reqid else { return };
        host.shared()
            .with_group(Space::Interval, reqid.as_bytes(), &mut |group| {
                if group
                    .get(ITEM)
                    .and_then(Posted::decode)
                    .is_some_and(|p| p.task == task)
                {
                    group.remove_all();
                }
            });
    }
}
