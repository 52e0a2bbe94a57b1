//! What authority a request of a worker takes.
//!
//! What: for each request the kind of command, the resource and the user whose authority it is
//! carried out under. Why here: a worker makes the same checks before it asks
//! (`region/commands/security`), but a program runs in the worker's process and may have the
//! request made without them. Several commands make one request: it takes the least that any of
//! them does. Not here: whose authority it is, when checks are made (`rights`).

use std::borrow::Cow;
use transom_types::{SetRequest, UserId};
use transom_wire::definitions::request::Request as Definitions;
use transom_wire::file_control::{Action, FileRequest};
use transom_wire::journal::{JournalAction, JournalRequest};
use transom_wire::partner::Request as Partner;
use transom_wire::requests::{Domain, RegionRequest};
use transom_wire::security::{Access, Request as Security};
use transom_wire::sql::Request as Sql;
use transom_wire::system::Request as System;
use transom_wire::temporary_storage::Request as TemporaryStorage;
use transom_wire::transient_data::{self, Request as TransientData};
use transom_wire::{asynchronous, interval, syncpoint, terminal};

/// RESP2 of NOTAUTH for a resource.
const RESOURCE: u32 = 101;
/// RESP2 of NOTAUTH for the transaction of START.
const STARTED: u32 = 7;
/// Programs of CEDA, CEDB and CEDC.
const CEDA: &[&str] = &["DFHEDAP"];
const CEDA_CEDB: &[&str] = &["DFHEDAP", "DFHEDBP"];
const CEDA_CEDB_CEDC: &[&str] = &["DFHEDAP", "DFHEDBP", "DFHEDCP"];

/// What system programming commands of definitions are about.
const CSD: &str = "CSD";

/// What a request takes; nothing by default.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Demand {
    /// Who asks, as the request says.
    pub(crate) asker: Option<UserId>,
    /// With CMDSEC: kind of resource, and access.
    pub(crate) command: Option<(Cow<'static, str>, Access)>,
    /// With RESSEC.
    pub(crate) resource: Option<Resource>,
    /// In any case: the user it is done or answered for, and what the class SURROGATE calls that.
    pub(crate) stands_for: Option<(UserId, &'static str)>,
    /// With RESSEC, where the task does not run a program of the region: one of these programs.
    pub(crate) programs: &'static [&'static str],
    /// What the task learns of its own user's authority: the same holds from then on.
    pub(crate) learns: Option<(String, String)>,
}

/// A resource and what is done with it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Resource {
    pub(crate) class: &'static str,
    pub(crate) name: String,
    pub(crate) access: Access,
    /// RESP2 of NOTAUTH.
    pub(crate) resp2: u32,
}

impl Demand {
    fn command(kind: impl Into<Cow<'static, str>>, access: Access) -> Self {
        Self {
            command: Some((kind.into(), access)),
            ..Self::default()
        }
    }

    fn resource(class: &'static str, name: &[u8], access: Access) -> Self {
        Self::default().of(class, name, access)
    }

    fn of(self, class: &'static str, name: &[u8], access: Access) -> Self {
        let resource = Resource {
            class,
            name: text(name),
            access,
            resp2: RESOURCE,
        };
        Self {
            resource: Some(resource),
            ..self
        }
    }

    fn by(self, asker: UserId) -> Self {
        Self {
            asker: Some(asker),
            ..self
        }
    }
}

/// As the command has it: without what pads it.
fn text(name: &[u8]) -> String {
    let text: String = name.iter().map(|byte| char::from(*byte)).collect();
    text.trim_end_matches([' ', '\0']).to_owned()
}

/// Requests of the domain take something although neither CMDSEC nor RESSEC is asked for.
pub(crate) fn always(domain: Domain) -> bool {
    matches!(
        domain,
        Domain::Interval
            | Domain::Asynchronous
            | Domain::Security
            | Domain::Region
            | Domain::Definitions
            | Domain::Sql
            | Domain::Partner
    )
}

/// What a request takes; `None`: it is damaged, and nobody carries it out.
pub(crate) fn of(domain: Domain, request: &[u8]) -> Option<Demand> {
    Some(match domain {
        Domain::Region => region(RegionRequest::decode(request)?),
        Domain::FileControl => file(&FileRequest::decode(request)?),
        Domain::Syncpoint => syncpoint(syncpoint::Request::decode(request)?),
        Domain::TemporaryStorage => temporary_storage(TemporaryStorage::decode(request)?),
        Domain::TransientData => transient_data(&TransientData::decode(request)?),
        Domain::Interval => interval(interval::Request::decode(request)?),
        Domain::Terminal => terminal(&terminal::Asked::decode(request)?.request),
        Domain::Asynchronous => asynchronous(asynchronous::Request::decode(request)?),
        Domain::Security => security(Security::decode(request)?),
        Domain::Journal => journal(&JournalRequest::decode(request)?),
        Domain::Definitions => definitions(Definitions::decode(request)?),
        Domain::System => system(&System::decode(request)?),
        Domain::Sql => sql(Sql::decode(request)?),
        Domain::Partner => partner(Partner::decode(request)?),
        // Authority over named counters is not checked, as on z/OS. What comes along is asked for
        // by itself.
        Domain::Counter | Domain::Along => Demand::default(),
    })
}

/// The partner checks what it is asked for under the user the request carries.
fn partner(request: Partner) -> Demand {
    match request {
        Partner::Ship { userid, .. } => Demand::default().by(userid),
        Partner::Route(routing) => Demand::default().by(routing.userid),
        Partner::Next(_) => Demand::default(),
        Partner::UnitLinks => Demand::command("UOWLINK", Access::Read),
        Partner::ForgetUnitLink(_) => Demand::command("UOWLINK", Access::Update),
    }
}

fn region(request: RegionRequest) -> Demand {
    match request {
        RegionRequest::Shutdown(asked) => {
            Demand::command("SHUTDOWN", Access::Update).by(asked.userid)
        }
        RegionRequest::Set(change) => match change {
            SetRequest::ProgramEnabled(name, _) | SetRequest::ProgramNewCopy(name) => {
                Demand::command("PROGRAM", Access::Update).of(
                    "PROGRAM",
                    name.as_bytes(),
                    Access::Update,
                )
            }
            SetRequest::TransactionEnabled(..) | SetRequest::TransactionPriority(..) => {
                Demand::command("TRANSACTION", Access::Update)
            }
            SetRequest::MaxTasks(_) => Demand::command("SYSTEM", Access::Update),
            SetRequest::Purge { .. } => Demand::command("TASK", Access::Update),
        },
        RegionRequest::InstallProgram(_)
        | RegionRequest::Operator(..)
        | RegionRequest::WhyNot(_)
        | RegionRequest::Module(_) => Demand::default(),
    }
}

fn file(request: &FileRequest) -> Demand {
    let name = request.file.as_bytes();
    match &request.action {
        // READNEXT UPDATE takes no more than STARTBR; what changes the record does.
        // READ REPEATABLE locks the record, too, and takes no more than READ.
        Action::Open | Action::Read(..) | Action::Scan(..) | Action::ReadAt(..) => {
            Demand::resource("FILE", name, Access::Read)
        }
        Action::Insert(..)
        | Action::Rewrite(..)
        | Action::Delete(..)
        | Action::DeleteKey(..)
        | Action::DeleteGeneric(..) => Demand::resource("FILE", name, Access::Update),
        Action::Close(_) | Action::Disable(_) | Action::Empty => {
            Demand::command("FILE", Access::Update).of("FILE", name, Access::Update)
        }
        Action::Unlock(_) | Action::Left => Demand::default(),
    }
}

fn syncpoint(request: syncpoint::Request) -> Demand {
    match request {
        syncpoint::Request::Commit | syncpoint::Request::Backout => Demand::default(),
        syncpoint::Request::List | syncpoint::Request::Inquire(_) => {
            Demand::command("UOW", Access::Read)
        }
        syncpoint::Request::Decide { .. } => Demand::command("UOW", Access::Update),
    }
}

fn temporary_storage(request: TemporaryStorage) -> Demand {
    const CLASS: &str = "TSQUEUE";
    match request {
        TemporaryStorage::Write { name, .. } | TemporaryStorage::Delete { name, .. } => {
            Demand::resource(CLASS, name.as_bytes(), Access::Update)
        }
        TemporaryStorage::Read(name, _) => Demand::resource(CLASS, name.as_bytes(), Access::Read),
        TemporaryStorage::Inquire(_) | TemporaryStorage::List => {
            Demand::command(CLASS, Access::Read)
        }
        TemporaryStorage::DeleteNow(_) => Demand::command(CLASS, Access::Update),
        TemporaryStorage::Spill(name, _) => {
            Demand::resource(CLASS, name.as_bytes(), Access::Update)
        }
        TemporaryStorage::Fetch(name, _) => Demand::resource(CLASS, name.as_bytes(), Access::Read),
        // Of queues whose time is over each command frees them, and SET TSQUEUE.
        TemporaryStorage::Free(..) => Demand::default(),
    }
}

fn transient_data(request: &TransientData) -> Demand {
    const CLASS: &str = "TDQUEUE";
    let name = request.queue.as_bytes();
    match request.action {
        transient_data::Action::Write(_)
        | transient_data::Action::Read { .. }
        | transient_data::Action::Delete => Demand::resource(CLASS, name, Access::Update),
        transient_data::Action::Inquire => Demand::command(CLASS, Access::Read),
        transient_data::Action::Close => {
            Demand::command(CLASS, Access::Update).of(CLASS, name, Access::Update)
        }
    }
}

fn interval(request: interval::Request) -> Demand {
    match request {
        // It runs under who is signed on at that terminal and has switched EDF on there.
        interval::Request::Start(_, start) if start.is_display() => Demand::default(),
        interval::Request::Start(_, start) => {
            let (transid, user) = (start.transid, start.userid);
            let mut demand = Demand::resource("TRANSACTION", transid.as_bytes(), Access::Read);
            if let Some(resource) = &mut demand.resource {
                resource.resp2 = STARTED;
            }
            demand.stands_for = Some((user, "DFHSTART")).filter(|_| !user.is_blank());
            demand
        }
        // A task gets the data it was started with, whatever it says.
        interval::Request::Retrieve { .. } | interval::Request::Cancel(_) => Demand::default(),
        interval::Request::Inquire(_) | interval::Request::List => {
            Demand::command("REQID", Access::Read)
        }
    }
}

fn asynchronous(request: asynchronous::Request) -> Demand {
    match request {
        asynchronous::Request::Run {
            transid, userid, ..
        } => Demand::resource("TRANSACTION", transid.as_bytes(), Access::Read).by(userid),
        asynchronous::Request::Fetch { .. } | asynchronous::Request::Free(_) => Demand::default(),
    }
}

/// What a task does with its own terminal is its own; SEND MAP and ROUTE ask what terminals are.
fn terminal(request: &terminal::Request) -> Demand {
    match request {
        terminal::Request::List => Demand::command("TERMINAL", Access::Read),
        terminal::Request::Set(..) => Demand::command("TERMINAL", Access::Update),
        _ => Demand::default(),
    }
}

fn security(request: Security) -> Demand {
    match request {
        Security::Rebuild => Demand::command("SECURITY", Access::Update),
        // START asks only whether there is such a user.
        Security::Access(question) if question.class == "SURROGATE" && question.name.is_empty() => {
            Demand::default()
        }
        Security::Access(question) => Demand {
            stands_for: Some((question.user, "DFHQUERY")),
            learns: Some((question.class, question.name)),
            ..Demand::default()
        },
        // A secret proves itself, and a terminal is the task's own or none.
        Security::Check(_) | Security::SignOff(_) | Security::Greeting | Security::User(_) => {
            Demand::default()
        }
    }
}

fn journal(request: &JournalRequest) -> Demand {
    const CLASS: &str = "JOURNALNAME";
    match request.what {
        JournalAction::Write(..) => {
            Demand::resource(CLASS, request.journal.as_bytes(), Access::Update)
        }
        JournalAction::Wait(_) => Demand::default(),
        JournalAction::Inquire | JournalAction::List => Demand::command(CLASS, Access::Read),
        JournalAction::Set(_) => Demand::command(CLASS, Access::Update),
    }
}

/// What CEDA does takes what a LINK to its program does.
fn definitions(request: Definitions) -> Demand {
    let programs = |programs| Demand {
        programs,
        ..Demand::default()
    };
    match request {
        Definitions::Create { kind, .. } | Definitions::Discard { kind, .. } => {
            Demand::command(kind, Access::Alter)
        }
        Definitions::Set { kind, .. } => Demand::command(kind, Access::Update),
        Definitions::Change(_, user) => programs(CEDA_CEDB).by(UserId::from_field(user.as_bytes())),
        Definitions::Install(_) => programs(CEDA),
        Definitions::Operate(_, user) => {
            Demand::command(CSD, Access::Update).by(UserId::from_field(user.as_bytes()))
        }
        Definitions::InstallFor { .. } => Demand::command(CSD, Access::Update),
        Definitions::Look(_) => Demand::command(CSD, Access::Read),
        Definitions::Show { .. }
        | Definitions::View(_)
        | Definitions::Check(_)
        | Definitions::Values(_)
        | Definitions::Lists(_) => programs(CEDA_CEDB_CEDC),
    }
}

fn system(request: &System) -> Demand {
    match request {
        System::Units => Demand::command("UOWENQ", Access::Read),
        System::Classes => Demand::command("TRANCLASS", Access::Read),
        // PERFORM DUMP asks the same as PERFORM STATISTICS.
        System::Statistics => Demand::command("STATISTICS", Access::Read),
        System::SetClass { .. } => Demand::command("TRANCLASS", Access::Update),
        System::Set(_) => Demand::command("SYSTEM", Access::Update),
        System::DiscardClass(_) => Demand::command("TRANCLASS", Access::Alter),
        System::Monitor => Demand::command("MONITOR", Access::Read),
        System::SetMonitor(_) => Demand::command("MONITOR", Access::Update),
        System::Trace(subject) => Demand::command(subject.class(), Access::Read),
        System::SetTrace(change) => Demand::command(change.subject().class(), Access::Update),
        System::StatisticsFacts | System::Collect { .. } => {
            Demand::command("STATISTICS", Access::Read)
        }
        System::SetStatistics(_) | System::RecordStatistics { .. } => {
            Demand::command("STATISTICS", Access::Update)
        }
    }
}

/// Authority over tables is that of the authorization ID, which comes from the user.
fn sql(request: Sql) -> Demand {
    match request {
        Sql::Select { from, .. }
        | Sql::Execute { from, .. }
        | Sql::Immediate { from, .. }
        | Sql::Open { from, .. }
        | Sql::Prepare { from, .. }
        | Sql::ExecutePrepared { from, .. }
        | Sql::OpenPrepared { from, .. }
        | Sql::InsertRows { from, .. }
        | Sql::DescribeTable { from, .. } => {
            Demand::default().by(UserId::from_field(from.user.as_bytes()))
        }
        Sql::Fetch { .. }
        | Sql::Close(_)
        | Sql::Describe { .. }
        | Sql::FetchRows { .. }
        | Sql::Reading => Demand::default(),
    }
}
