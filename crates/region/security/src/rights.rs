//! What running tasks may ask of the region, decided where no program can write.
//!
//! What: [`Rights`] remembers for each task that begins while checks are made whose it is and which
//! checks its transaction asks for, and holds each request against that. Why: the worker checks
//! before each command, which keeps NOTAUTH cheap, but a program runs in its process and can
//! overwrite what it decides by, or write requests itself. A decision holds to the end of the task,
//! here as in the worker, so that both agree when rules change meanwhile. Not here: what a request
//! takes (`demands`), rules (`authority`); what a worker does without asking is not checked again.

use crate::authority::Authority;
use crate::by_task::ByTask;
use crate::demands::{self, Demand};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use transom_messages::{self as messages, Message};
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
mod tests {
    use super::*;
    use crate::config::{SecurityMode, UserConfig};
    use transom_messages::Operator;
    use transom_types::{FileName, ProgramName, ReqId, SetRequest, TdQueueName, TermId};
    use transom_wire::association::{Association, Inherited, Itself, Previous};
    use transom_wire::definitions::request::Request as Definitions;
    use transom_wire::file_control::{Action, Busy, FileRequest, Patience};
    use transom_wire::requests::{RegionRequest, Shutdown, ToRegion};
    use transom_wire::security::{Question, Request as Security};
    use transom_wire::sql::{Request as Sql, SqlFrom};
    use transom_wire::{asynchronous, interval, terminal, transient_data};

    fn user(name: &str) -> UserId {
        UserId::from_field(name.as_bytes())
    }

    fn rights(mode: SecurityMode) -> (Arc<Rights>, Arc<Mutex<Vec<String>>>) {
        let said = Arc::new(Mutex::new(Vec::new()));
        let lines = said.clone();
        let operator = Operator::new(move |line| lines.lock().unwrap().push(line.to_string()));
        let mut config = UserConfig {
            security: mode,
            ..UserConfig::default()
        };
        for (key, who) in [
            ("FILE PAY", "ALICE READ"),
            ("FILE OWN", "ALICE UPDATE"),
            ("TDQUEUE NAME", "ALICE UPDATE"),
            ("TRANSACTION PAY1", "ALICE READ"),
            ("TRANSACTION *", "BOB READ"),
            ("COMMAND FILE", "ALICE UPDATE"),
            ("PROGRAM DFHEDCP", "ALICE READ"),
            ("SURROGATE BOB.DFHSTART", "ALICE READ"),
        ] {
            config.rules.set(key, who).unwrap();
        }
        let authority = Authority::new(&config, user("CICSUSER"), operator);
        (Rights::new(&Arc::new(authority)), said)
    }

    /// Task 7 of ALICE.
    fn begin(
        rights: &Arc<Rights>,
        (cmdsec, ressec): (bool, bool),
        supplied: bool,
    ) -> Option<Known> {
        let program = ProgramName::from_field(b"PAYROLL");
        let transaction = TransactionEntry {
            cmdsec,
            ressec,
            ..TransactionEntry::new(TransId::from_field(b"PAY1"), program)
        };
        rights.begin(7, user("ALICE"), &transaction, supplied)
    }

    /// RESP2 of NOTAUTH; 0: it may.
    fn refused(rights: &Rights, request: &impl ToRegion) -> u32 {
        let message = request.message();
        let (domain, bytes) = Domain::open(&message).unwrap();
        match rights.check(7, domain, bytes) {
            Ok(()) => 0,
            Err(answer) => {
                assert_eq!(answer.resp, Resp::NOTAUTH);
                answer.resp2
            }
        }
    }

    fn file(name: &str, action: Action) -> FileRequest {
        FileRequest {
            file: FileName::from_field(name.as_bytes()),
            action,
        }
    }

    fn write(name: &str) -> FileRequest {
        let patience = Patience {
            no_suspend: false,
            dtimout_ms: 0,
        };
        file(name, Action::Insert(None, b"record".to_vec(), patience))
    }

    fn start(transid: &str, userid: &str) -> interval::Request {
        let request = interval::StartRequest {
            reqid: ReqId::BLANK,
            transid: TransId::from_field(transid.as_bytes()),
            termid: None,
            userid: user(userid),
            protect: false,
            attach: false,
            due_ms: 0,
            data: interval::StartData::default(),
            channel: None,
            inherited: None,
        };
        interval::Request::Start(0, request)
    }

    #[test]
    fn resources_are_checked_by_what_the_region_knows_of_the_task() {
        let (rights, said) = rights(SecurityMode::Yes);
        let known = begin(&rights, (false, true), false);
        assert_eq!(refused(&rights, &file("PAY", Action::Open)), 0);
        assert_eq!(refused(&rights, &write("PAY")), 101);
        assert_eq!(refused(&rights, &write("OWN")), 0);
        assert_eq!(refused(&rights, &file("TAX", Action::Open)), 101);
        let queue = |name: &[u8; 4]| transient_data::Request {
            queue: TdQueueName::new(*name),
            dtimout_ms: 0,
            action: transient_data::Action::Delete,
        };
        assert_eq!(refused(&rights, &queue(b"NAME")), 0);
        assert_eq!(refused(&rights, &queue(b"REAL")), 101);
        assert_eq!(refused(&rights, &start("PAY1", "ALICE")), 0);
        assert_eq!(refused(&rights, &start("TAX1", "ALICE")), 7);
        // CMDSEC(NO): the command is free, the file is not.
        let close = |name| file(name, Action::Close(Busy::NoWait));
        assert_eq!(refused(&rights, &close("PAY")), 101);
        assert_eq!(refused(&rights, &close("OWN")), 0);
        let said = said.lock().unwrap();
        assert_eq!(said.len(), 5, "{said:?}");
        assert!(said[0].starts_with("TXMXS0035W task 7 (PAY1, ALICE)"));
        assert!(said[0].contains("Update of FILE PAY"), "{said:?}");
        drop(known);
        assert_eq!(refused(&rights, &write("PAY")), 0, "no such task");
    }

    #[test]
    fn a_transaction_is_what_was_installed_whatever_its_definition_says_by_now() {
        let (rights, _) = rights(SecurityMode::Yes);
        let program = ProgramName::from_field(b"PAYROLL");
        let mut transaction = TransactionEntry::new(TransId::from_field(b"PAY1"), program);
        transaction.ressec = true;
        rights.installed(&transaction);
        let known = begin(&rights, (false, false), false);
        assert_eq!(refused(&rights, &write("PAY")), 101);
        drop(known);
        transaction.ressec = false;
        rights.installed(&transaction);
        let _known = begin(&rights, (false, true), false);
        assert_eq!(refused(&rights, &write("PAY")), 0);
    }

    #[test]
    fn commands_are_checked() {
        let (rights, _) = rights(SecurityMode::Yes);
        let _known = begin(&rights, (true, false), false);
        let purge = SetRequest::Purge {
            task: 8,
            force: true,
        };
        let shutdown = Shutdown {
            immediate: true,
            transid: TransId::from_field(b"PAY1"),
            userid: user("ALICE"),
            table: None,
        };
        let create = |kind: &str| Definitions::Discarded {
            kind: kind.into(),
            name: "X".into(),
        };
        let release = terminal::Request::Set(
            TermId::from_field(b"T001"),
            terminal::Change {
                release: true,
                ..terminal::Change::default()
            },
        );
        let own = TermId::BLANK;
        assert_eq!(refused(&rights, &RegionRequest::Set(purge)), 100);
        assert_eq!(refused(&rights, &RegionRequest::Shutdown(shutdown)), 100);
        assert_eq!(refused(&rights, &create("PROGRAM")), 100);
        assert_eq!(refused(&rights, &create("FILE")), 100, "UPDATE, no ALTER");
        assert_eq!(refused(&rights, &Security::Rebuild), 100);
        let release = terminal::Asked {
            own,
            request: release,
        };
        assert_eq!(refused(&rights, &release), 100);
        // RESSEC(NO): that file is everybody's.
        assert_eq!(refused(&rights, &file("TAX", Action::Empty)), 0);
        assert_eq!(refused(&rights, &write("TAX")), 0);
    }

    #[test]
    fn a_task_is_nobody_else_whatever_it_says() {
        let (rights, _) = rights(SecurityMode::Yes);
        let _known = begin(&rights, (false, false), false);
        assert_eq!(refused(&rights, &start("TAX1", "ALICE")), 0, "RESSEC(NO)");
        assert_eq!(refused(&rights, &start("TAX1", "BOB")), 0, "its surrogate");
        assert_eq!(refused(&rights, &start("TAX1", "EVE")), 9);
        let child = |userid| asynchronous::Request::Run {
            transid: TransId::from_field(b"TAX1"),
            userid: user(userid),
            channel: None,
            inherited: inherited(),
        };
        assert_eq!(refused(&rights, &child("ALICE")), 0);
        assert_eq!(refused(&rights, &child("BOB")), 9);
        let select = |user: &str| Sql::Prepare {
            from: SqlFrom {
                user: user.into(),
                ..SqlFrom::default()
            },
            name: "S1".into(),
            text: "SELECT 1 FROM SYSIBM.SYSDUMMY1".into(),
        };
        assert_eq!(refused(&rights, &select("ALICE")), 0);
        assert_eq!(refused(&rights, &select("SYSADM")), 9);
        let change = |user: &str| Definitions::Change("DELETE GROUP(A)".into(), user.into());
        assert_eq!(refused(&rights, &change("ALICE")), 0);
        assert_eq!(refused(&rights, &change("BOB")), 9);
        let question = |user_of: &str, class: &str, name: &str| {
            Security::Access(Question {
                user: user(user_of),
                class: class.into(),
                name: name.into(),
                wanted: Access::Read,
                log: false,
            })
        };
        assert_eq!(refused(&rights, &question("ALICE", "FILE", "PAY")), 0);
        assert_eq!(refused(&rights, &question("BOB", "SURROGATE", "")), 0);
        assert_eq!(refused(&rights, &question("BOB", "FILE", "PAY")), 9);
    }

    fn inherited() -> Inherited {
        Inherited {
            origin: Association::NONE.origin_of(&Itself {
                applid: transom_types::Applid::BLANK,
                task_number: 0,
                transid: TransId::BLANK,
                userid: UserId::BLANK,
                start_abstime_ms: 0,
            }),
            previous: Previous {
                task_number: 0,
                transid: TransId::BLANK,
                start_abstime_ms: 0,
                count: 1,
            },
        }
    }

    #[test]
    fn definitions_are_for_programs_that_show_them() {
        let (rights, _) = rights(SecurityMode::Yes);
        let lists = Definitions::Lists(Default::default());
        let install = Definitions::Install(Default::default());
        let known = begin(&rights, (false, true), false);
        assert_eq!(refused(&rights, &lists), 0, "it may run CEDC's program");
        assert_eq!(refused(&rights, &install), 101);
        drop(known);
        let _known = begin(&rights, (false, true), true);
        assert_eq!(refused(&rights, &install), 0, "CEDA itself");
    }

    #[test]
    fn what_the_worker_was_told_holds_for_the_task() {
        let (rights, _) = rights(SecurityMode::Yes);
        let _known = begin(&rights, (false, true), false);
        let ask = Security::Access(Question {
            user: user("ALICE"),
            class: "FILE".into(),
            name: "OWN".into(),
            wanted: Access::Update,
            log: true,
        });
        assert_eq!(refused(&rights, &ask), 0);
        // Revoked meanwhile: this task goes on, the next one may nothing.
        let gone = crate::User {
            userid: "ALICE".into(),
            ..crate::User::default()
        };
        rights.authority.learn(&gone);
        rights.authority.withdraw(&[]);
        assert_eq!(refused(&rights, &write("OWN")), 0);
        assert_eq!(refused(&rights, &file("PAY", Action::Open)), 101);
    }

    #[test]
    fn without_checks_nothing_is_kept() {
        let (rights, _) = rights(SecurityMode::No);
        assert!(begin(&rights, (true, true), false).is_none());
        assert_eq!(refused(&rights, &write("TAX")), 0);
        assert!(rights.lock().is_empty());
    }

    #[test]
    fn kinds_of_commands_are_those_of_the_table() {
        let words: Vec<_> = transom_commands::all().iter().map(|c| c.words).collect();
        let has = |verbs: &[&str], kind: &str| {
            let is = |words: &&[&str]| verbs.contains(&words[0]) && words.get(1) == Some(&kind);
            words.iter().any(is)
        };
        for (verbs, kind) in [
            (&["PERFORM"][..], "SHUTDOWN"),
            (&["PERFORM"], "SECURITY"),
            (&["COLLECT"], "STATISTICS"),
            (&["SET"], "PROGRAM"),
            (&["SET"], "TRANSACTION"),
            (&["SET"], "SYSTEM"),
            (&["SET"], "TASK"),
            (&["SET"], "FILE"),
            (&["SET"], "UOW"),
            (&["SET"], "TSQUEUE"),
            (&["SET"], "TDQUEUE"),
            (&["INQUIRE"], "REQID"),
            (&["SET"], "TERMINAL"),
            (&["SET"], "JOURNALNAME"),
            (&["INQUIRE"], "UOWENQ"),
            (&["DISCARD"], "TRANCLASS"),
        ] {
            assert!(has(verbs, kind), "{verbs:?} {kind}");
        }
    }
}
