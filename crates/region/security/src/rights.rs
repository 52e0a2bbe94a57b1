//! What running tasks may ask of the region, decided where no program can write.
//!
//! What: [`Rights`] remembers for each task that begins while checks are made whose it is and which
//! checks its transaction asks for, and holds each request against that. Why: the worker checks
//! before each command, which keeps NOTAUTH cheap, but a program runs in its process and can
//! overwrite what it decides by, or write requests itself. A decision holds to the end of the task,
//! here as in the worker, so that both agree when rules change meanwhile. Not here: what a request
//! takes (`demands`), rules (`authority`); what a worker does without asking is not checked again.

use crate::authority::Authority;
use crate::demands::{self, Demand};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use transom_messages::{self as messages, Message};
use transom_region_dispatcher::ByTask;
use transom_types::{Resp, TransId, UserId};
use transom_wire::definitions::TransactionEntry;
use transom_wire::requests::{Domain, RegionAnswer};
use transom_wire::security::Access;

/// Decisions a task remembers, as many as in its worker.
const REMEMBERED_MAX: usize = 256;
/// RESP2 of NOTAUTH: the command, a resource, a user.
const COMMAND: u32 = 100;
const RESOURCE: u32 = 101;
const USER: u32 = 9;

/// What tasks may ask.
pub struct Rights {
    /// Rules and users.
    pub authority: Arc<Authority>,
    tasks: Mutex<ByTask<Held>>,
    /// CMDSEC and RESSEC of transactions as they were installed: shared memory may say otherwise.
    installed: Mutex<HashMap<TransId, (bool, bool)>>,
    /// There has been a task to check.
    any: AtomicBool,
}

/// A task as the region attaches it.
#[derive(Debug, Clone, Copy)]
struct Asker {
    transid: TransId,
    user: UserId,
    /// CMDSEC(YES).
    commands: bool,
    /// RESSEC(YES).
    resources: bool,
    /// Its first program is one of the region.
    supplied: bool,
}

/// The region knows the task as long as this is there.
pub struct Known {
    rights: Arc<Rights>,
    task: u32,
}

struct Held {
    asker: Asker,
    decided: Vec<Decision>,
}

struct Decision {
    class: String,
    name: String,
    access: Access,
}

/// Why a request is refused.
struct Refusal {
    resp2: u32,
    access: Access,
    class: String,
    name: String,
}

impl Rights {
    /// Knows no task yet.
    pub fn new(authority: &Arc<Authority>) -> Arc<Self> {
        Arc::new(Self {
            authority: authority.clone(),
            tasks: Mutex::default(),
            installed: Mutex::default(),
            any: AtomicBool::new(false),
        })
    }

    /// A transaction is installed, or replaced.
    pub fn installed(&self, transaction: &TransactionEntry) {
        let flags = (transaction.cmdsec, transaction.ressec);
        locked(&self.installed).insert(transaction.transid, flags);
    }

    /// A task is about to run; whether its first program is one of the region. `None`: no checks
    /// are made, and none will be for this task.
    pub fn begin(
        self: &Arc<Self>,
        task: u32,
        user: UserId,
        transaction: &TransactionEntry,
        supplied: bool,
    ) -> Option<Known> {
        let checks = self.authority.checks();
        if !checks.on {
            return None;
        }
        self.any.store(true, Ordering::Relaxed);
        let of_entry = (transaction.cmdsec, transaction.ressec);
        let installed = locked(&self.installed).get(&transaction.transid).copied();
        let (commands, resources) = installed.unwrap_or(of_entry);
        let held = Held {
            asker: Asker {
                transid: transaction.transid,
                user,
                commands: checks.commands_always || commands,
                resources: checks.resources_always || resources,
                supplied,
            },
            decided: Vec::new(),
        };
        self.lock().insert(task, held);
        let rights = self.clone();
        Some(Known { rights, task })
    }

    /// The task may have this request carried out.
    ///
    /// # Errors
    /// It may not: NOTAUTH. The operator was told, since its worker had to refuse it.
    pub fn check(&self, task: u32, domain: Domain, request: &[u8]) -> Result<(), RegionAnswer> {
        if !self.any.load(Ordering::Relaxed) {
            return Ok(());
        }
        let mut tasks = self.lock();
        let Some(held) = tasks.get_mut(&task) else {
            return Ok(());
        };
        if !(held.asker.commands || held.asker.resources || demands::always(domain)) {
            return Ok(());
        }
        let Some(demand) = demands::of(domain, request) else {
            return Ok(());
        };
        let Some(why) = held.refuses(&self.authority, demand) else {
            return Ok(());
        };
        let (transid, user) = (held.asker.transid, held.asker.user);
        drop(tasks);
        let access = format_args!("{:?}", why.access);
        let name = why.name;
        let told = messages::xs::asked_beyond(task, transid, user, access, why.class, name);
        self.tell(told.clone());
        Err(RegionAnswer::refused(Resp::NOTAUTH, why.resp2, told))
    }

    /// Tells the operator.
    pub fn tell(&self, message: Message) {
        self.authority.tell(message);
    }

    fn lock(&self) -> MutexGuard<'_, ByTask<Held>> {
        locked(&self.tasks)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Known {
    fn drop(&mut self) {
        self.rights.lock().remove(&self.task);
    }
}

impl Held {
    /// Why the demand is more than the task may; `None`: it is not.
    fn refuses(&mut self, authority: &Authority, demand: Demand) -> Option<Refusal> {
        let asker = self.asker;
        let refusal = |resp2, access, class: &str, name: String| {
            let class = class.to_owned();
            Some(Refusal {
                resp2,
                access,
                class,
                name,
            })
        };
        if let Some(other) = demand.asker.filter(|named| *named != asker.user) {
            return refusal(USER, Access::Read, "SURROGATE", other.to_string());
        }
        if let Some((kind, access)) = demand.command.filter(|_| asker.commands)
            && !self.may(authority, "COMMAND", &kind, access)
        {
            return refusal(COMMAND, access, "COMMAND", kind.into_owned());
        }
        if let Some(wanted) = demand.resource.filter(|_| asker.resources)
            && !self.may(authority, wanted.class, &wanted.name, wanted.access)
        {
            return refusal(wanted.resp2, wanted.access, wanted.class, wanted.name);
        }
        if let Some((other, what)) = demand.stands_for.filter(|to| to.0 != asker.user) {
            let name = format!("{other}.{what}");
            if !self.may(authority, "SURROGATE", &name, Access::Read) {
                return refusal(USER, Access::Read, "SURROGATE", name);
            }
        } else if let Some((class, name)) = demand.learns {
            self.access(authority, &class, &name);
        }
        if let Some(first) = demand.programs.first().filter(|_| asker.resources)
            && !asker.supplied
        {
            let mut programs = demand.programs.iter();
            if !programs.any(|name| self.may(authority, "PROGRAM", name, Access::Read)) {
                return refusal(RESOURCE, Access::Read, "PROGRAM", (*first).to_owned());
            }
        }
        None
    }

    fn may(&mut self, authority: &Authority, class: &str, name: &str, wanted: Access) -> bool {
        self.access(authority, class, name) >= wanted
    }

    /// What the user of the task may do, decided once.
    fn access(&mut self, authority: &Authority, class: &str, name: &str) -> Access {
        let mut decided = self.decided.iter();
        if let Some(known) = decided.find(|known| known.name == name && known.class == class) {
            return known.access;
        }
        let access = authority.access(class, name, self.asker.user);
        let access = access.unwrap_or_default();
        if self.decided.len() < REMEMBERED_MAX {
            self.decided.push(Decision {
                class: class.to_owned(),
                name: name.to_owned(),
                access,
            });
        }
        access
    }
}

#[cfg(test)]
mod tests;
