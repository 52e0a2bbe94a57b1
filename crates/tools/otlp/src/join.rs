//! Requests and tasks become traces.
//!
//! What: a task that ran for a request is part of it, one that a task started is part of that one.
//! Who ends later than who it is part of waits for a moment; what nobody claims in time begins a
//! trace of its own. Not here: what spans look like, sending them.

use crate::documents::{Span, TraceContext};
use crate::request::Request;
use crate::sampling::Ids;
use crate::task::Task;
use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// How long a task waits for its request, whose reply may be read slowly, or for the task that
/// started it.
const PATIENCE: Duration = Duration::from_secs(10);
/// Tasks that wait; the oldest waits no longer when there are more.
const WAITING_MAX: usize = 4_096;
/// Requests and tasks whose traces are remembered, of each.
const KNOWN_MAX: usize = 8_192;

/// What a task is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Of {
    /// The request it ran for, by the task's own number.
    Request(u32),
    /// Another task.
    Task(u32),
}

pub(crate) struct Join {
    ids: Ids,
    sampled_ppm: u32,
    known: HashMap<Of, TraceContext>,
    order: VecDeque<Of>,
    waiting: HashMap<Of, Vec<Task>>,
    /// The oldest first; what waits no longer has no entry in `waiting`.
    since: VecDeque<(Instant, Of)>,
    spans: Vec<Span>,
}

impl Join {
    pub(crate) fn new(sampled_ppm: u32) -> Self {
        Self {
            ids: Ids::new(),
            sampled_ppm,
            known: HashMap::new(),
            order: VecDeque::new(),
            waiting: HashMap::new(),
            since: VecDeque::new(),
            spans: Vec::new(),
        }
    }

    /// A request is over.
    pub(crate) fn request(&mut self, request: Request) {
        let context = self.ids.below(request.parent, self.sampled_ppm);
        let task = request.task;
        if context.sampled {
            self.spans.push(request.span(context));
        }
        if task != 0 {
            self.is_known(Of::Request(task), context);
        }
    }

    /// A task has ended.
    pub(crate) fn task(&mut self, task: Task, now: Instant) {
        let of = match task.started_by() {
            _ if task.is_of_request() => Of::Request(task.number()),
            Some(other) => Of::Task(other),
            None => return self.ended(&task, None),
        };
        if let Some(parent) = self.known.get(&of).copied() {
            return self.ended(&task, Some(parent));
        }
        self.waiting.entry(of).or_default().push(task);
        self.since.push_back((now, of));
        if self.since.len() > WAITING_MAX {
            self.give_up_oldest();
        }
    }

    /// What has waited long enough waits no longer; `now` of `None`: nothing does.
    pub(crate) fn give_up(&mut self, now: Option<Instant>) {
        let is_over = |since: &Instant| {
            now.is_none_or(|now| now.saturating_duration_since(*since) >= PATIENCE)
        };
        while self.since.front().is_some_and(|(since, _)| is_over(since)) {
            self.give_up_oldest();
        }
    }

    fn give_up_oldest(&mut self) {
        let Some((_, of)) = self.since.pop_front() else {
            return;
        };
        for task in self.waiting.remove(&of).unwrap_or_default() {
            self.ended(&task, None);
        }
    }

    fn ended(&mut self, task: &Task, parent: Option<TraceContext>) {
        let context = self.ids.below(parent, self.sampled_ppm);
        if context.sampled {
            let parent = parent.map(|parent| parent.span);
            self.spans
                .extend(task.spans(context, parent, &mut self.ids));
        }
        self.is_known(Of::Task(task.number()), context);
    }

    fn is_known(&mut self, of: Of, context: TraceContext) {
        if self.known.insert(of, context).is_none() {
            self.order.push_back(of);
        }
        if self.order.len() > 2 * KNOWN_MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        for task in self.waiting.remove(&of).unwrap_or_default() {
            self.ended(&task, Some(context));
        }
    }

    /// Spans so far.
    pub(crate) fn take(&mut self) -> Vec<Span> {
        std::mem::take(&mut self.spans)
    }

    /// Something waits.
    pub(crate) fn waits(&self) -> bool {
        !self.waiting.is_empty()
    }
}
