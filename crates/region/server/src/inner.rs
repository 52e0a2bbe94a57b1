//! A region put together: its services, and who hears of whom.
//!
//! Why: the one place that knows every service, so that services need not know each other. Not
//! here: what they start from (`config`), what they do.

use super::asynchronous::Children;
use super::config::{QueueConfig, TerminalConfig};
use super::dispatcher::Dispatcher;
use super::kernel::Kernel;
use super::resources::Resources;
use super::services::{Services, Subscriber};
use super::starter::Starter;
use super::tasks::{Means, Tasks};
use super::terminal::Terminals;
use super::workers::Workers;
use std::sync::{Arc, Weak};
use transom_types::AbendCode;
use transom_wire::definitions::ClassLimit;

/// A region as its services find each other.
pub(crate) struct Inner {
    pub(crate) kernel: Arc<Kernel>,
    pub(crate) pool: Arc<dyn Workers>,
    pub(crate) dispatcher: Arc<Dispatcher>,
    pub(crate) resources: Arc<Resources>,
    pub(crate) tasks: Arc<Tasks>,
    pub(crate) terminals: Arc<Terminals>,
    pub(crate) children: Arc<Children>,
    pub(crate) services: Services,
    /// What tells the services of tasks.
    _subscriber: Arc<Subscriber>,
}

impl std::ops::Deref for Inner {
    type Target = Kernel;
    fn deref(&self) -> &Kernel {
        &self.kernel
    }
}

impl Inner {
    /// Ends a task. A task that waits for an answer of the region ends at once.
    pub(crate) fn purge(&self, task_number: u32, code: AbendCode, force: bool) -> bool {
        self.tasks.purge(task_number, code, force)
    }
}

/// What a region is put together from.
pub(crate) struct Parts {
    pub(crate) kernel: Arc<Kernel>,
    pub(crate) workers: Arc<dyn Workers>,
    pub(crate) resources: Arc<Resources>,
    pub(crate) queue_max: usize,
    pub(crate) classes: Vec<ClassLimit>,
    pub(crate) queues: QueueConfig,
    pub(crate) terminals: TerminalConfig,
    pub(crate) services: Services,
}

/// Puts a region together.
pub(crate) fn assemble(parts: Parts) -> Arc<Inner> {
    let (kernel, pool) = (parts.kernel, parts.workers);
    let (resources, services) = (parts.resources, parts.services);
    let max_tasks = kernel.system.max_tasks;
    let dispatcher = Dispatcher::new(max_tasks, parts.queue_max, parts.classes);
    let dispatcher = Arc::new(dispatcher);
    let tasks = Tasks::new(Means {
        kernel: kernel.clone(),
        workers: pool.clone(),
        dispatcher: dispatcher.clone(),
        resources: resources.clone(),
        authority: services.security.authority().clone(),
        waits: services.waits.clone(),
    });
    let children = Children::new(kernel.clone(), tasks.clone(), &parts.queues);
    let authority = services.security.authority().clone();
    let terminals = Terminals::new(kernel.clone(), tasks.clone(), authority, parts.terminals);
    let (children, terminals) = (Arc::new(children), Arc::new(terminals));
    Arc::new_cyclic(|me: &Weak<Inner>| {
        let subscriber = Arc::new(Subscriber(me.clone()));
        tasks.subscribe([subscriber.clone(), children.clone(), terminals.clone()]);
        terminals.subscribe([subscriber.clone()]);
        Inner {
            kernel,
            pool,
            dispatcher,
            resources,
            tasks,
            terminals,
            children,
            services,
            _subscriber: subscriber,
        }
    })
}
