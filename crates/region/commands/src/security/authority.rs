//! Checks before commands: CMDSEC for system programming commands, RESSEC for resources.
//!
//! What: [`check`], and [`may`] for commands that name users. A check is one question to the
//! region; its answer holds for the rest of the task, as a sign-on does. Made only with SEC=YES,
//! and only when the transaction or the region asks for it. Conditions: NOTAUTH 100 (command), 101
//! (resource), 7 (transaction of START), 9 (USERID of START).

use crate::command::{Cx, Fail, raise};
use transom_commands::{Command, CommandId, OptionId, cmd, opt};
use transom_types::{Resp, UserId};
use transom_wire::security::Access;
use transom_wire::security::{Answer, Question, Request};

/// Answers a task remembers.
const REMEMBERED_MAX: usize = 256;

/// What is checked before a command.
#[derive(Clone, Copy, Default)]
pub(crate) struct Checked {
    /// Kind of resource a system programming command is about, and the access it takes.
    command: Option<(&'static str, Access)>,
    /// Class and option of the resource a command uses.
    resource: Option<(&'static str, OptionId, Access)>,
}

/// Class, options that name the resource, access.
type Row = (&'static [CommandId], &'static str, OptionId, Access);

const RESOURCES: &[Row] = &[
    (&[cmd::READ, cmd::STARTBR], "FILE", opt::FILE, Access::Read),
    (
        &[cmd::WRITE, cmd::REWRITE, cmd::DELETE],
        "FILE",
        opt::FILE,
        Access::Update,
    ),
    (
        &[cmd::LINK, cmd::XCTL, cmd::LOAD],
        "PROGRAM",
        opt::PROGRAM,
        Access::Read,
    ),
    (&[cmd::READQ_TS], "TSQUEUE", opt::QUEUE, Access::Read),
    (
        &[cmd::WRITEQ_TS, cmd::DELETEQ_TS],
        "TSQUEUE",
        opt::QUEUE,
        Access::Update,
    ),
    (
        &[cmd::READQ_TD, cmd::WRITEQ_TD, cmd::DELETEQ_TD],
        "TDQUEUE",
        opt::QUEUE,
        Access::Update,
    ),
    (
        &[cmd::START, cmd::RUN_TRANSID],
        "TRANSACTION",
        opt::TRANSID,
        Access::Read,
    ),
    (
        &[cmd::WRITE_JOURNALNAME],
        "JOURNALNAME",
        opt::JOURNALNAME,
        Access::Update,
    ),
    (
        &[cmd::WRITE_JOURNALNUM],
        "JOURNALNAME",
        opt::JOURNALNUM,
        Access::Update,
    ),
    (&[cmd::INQUIRE_FILE], "FILE", opt::FILE, Access::Read),
    (&[cmd::SET_FILE], "FILE", opt::FILE, Access::Update),
    (
        &[cmd::INQUIRE_PROGRAM],
        "PROGRAM",
        opt::PROGRAM,
        Access::Read,
    ),
    (&[cmd::SET_PROGRAM], "PROGRAM", opt::PROGRAM, Access::Update),
    (
        &[cmd::INQUIRE_TDQUEUE],
        "TDQUEUE",
        opt::TDQUEUE,
        Access::Read,
    ),
    (&[cmd::SET_TDQUEUE], "TDQUEUE", opt::TDQUEUE, Access::Update),
];

impl Checked {
    /// What a command of the table is checked for.
    pub(crate) fn of(command: &Command) -> Self {
        let access = match command.words.first().copied() {
            Some("INQUIRE" | "COLLECT") => Some(Access::Read),
            Some("EXTRACT") if command.words.contains(&"STATISTICS") => Some(Access::Read),
            Some("SET" | "PERFORM" | "ENABLE" | "DISABLE" | "RESYNC" | "ACQUIRE") => {
                Some(Access::Update)
            }
            Some("CREATE" | "DISCARD") => Some(Access::Alter),
            Some("CSD") => Some(of_definitions(command)),
            _ => None,
        };
        let kind = match command.words.get(1).copied().unwrap_or_default() {
            _ if command.words.first() == Some(&"CSD") => "CSD",
            "NETNAME" => "TERMINAL",
            "TSQNAME" => "TSQUEUE",
            "ENQ" => "UOWENQ",
            kind => kind,
        };
        let mut rows = RESOURCES.iter();
        let resource = rows
            .rfind(|row| row.0.contains(&command.id))
            .map(|row| (row.1, row.2, row.3));
        Self {
            command: access.map(|access| (kind, access)),
            resource,
        }
    }
}

/// Access that a command about definitions takes: some only look.
fn of_definitions(command: &Command) -> Access {
    let verb = command.words.get(1).copied().unwrap_or_default();
    let looks = ["INQUIRE", "STARTBR", "GETNEXT", "ENDBR", "DISCONNECT"];
    match looks.iter().any(|start| verb.starts_with(start)) {
        true => Access::Read,
        false => Access::Update,
    }
}

/// Kinds of resources system programming commands are about, for QUERY SECURITY.
pub(crate) fn is_command_kind(name: &str) -> bool {
    let all = transom_commands::all().iter();
    let mut kinds = all.filter_map(|command| Checked::of(command).command);
    kinds.any(|(kind, _)| kind == name)
}

/// The checks of a command; with SEC=NO none.
pub(crate) fn check(cx: &mut Cx<'_>, checked: Checked) -> Result<(), Fail> {
    let checks = cx.region.facts.security;
    if !checks.on {
        return Ok(());
    }
    let (commands, resources) = (
        checks.commands_always || cx.task.transaction.cmdsec,
        checks.resources_always || cx.task.transaction.ressec,
    );
    if let Some((kind, access)) = checked.command.filter(|_| commands)
        && !own_task(cx, kind)
        && !may(cx, "COMMAND", kind.to_owned(), access)?
    {
        return raise(Resp::NOTAUTH, 100);
    }
    if let Some((class, option, access)) = checked.resource.filter(|_| resources)
        && let Some(name) = named(cx, option)
    {
        let access = if cx.call.command() == cmd::READ && cx.has(opt::UPDATE) {
            access.max(Access::Update)
        } else {
            access
        };
        if !may(cx, class, name, access)? {
            let started = cx.call.command() == cmd::START;
            return raise(Resp::NOTAUTH, if started { 7 } else { 101 });
        }
    }
    surrogate(cx)
}

/// A task may always look at itself.
fn own_task(cx: &Cx<'_>, kind: &str) -> bool {
    let own = || cx.number(opt::TASK) == Some(i64::from(cx.task.number));
    kind == "TASK" && cx.call.command() == cmd::INQUIRE_TASK && own()
}

/// START for another user needs authority over that user, whatever RESSEC says.
fn surrogate(cx: &mut Cx<'_>) -> Result<(), Fail> {
    if cx.call.command() != cmd::START {
        return Ok(());
    }
    let Some(other) = cx.name::<8>(opt::USERID) else {
        return Ok(());
    };
    let other = UserId::from_field(&other);
    if other == cx.task.userid || other.is_blank() {
        return Ok(());
    }
    if !question(cx, other, "SURROGATE", String::new(), Access::None)?.user_known {
        return raise(Resp::USERIDERR, 8);
    }
    let name = format!("{other}.DFHSTART");
    if may(cx, "SURROGATE", name, Access::Read)? {
        return Ok(());
    }
    raise(Resp::NOTAUTH, 9)
}

/// The resource the option names; `None`: a browse of INQUIRE, or the option was not given.
fn named(cx: &Cx<'_>, option: OptionId) -> Option<String> {
    const BROWSED: [CommandId; 3] = [
        cmd::INQUIRE_FILE,
        cmd::INQUIRE_PROGRAM,
        cmd::INQUIRE_TDQUEUE,
    ];
    // READQ TS has an option NEXT, too.
    let browse = || [opt::START, opt::NEXT, opt::END].iter().any(|o| cx.has(*o));
    if BROWSED.contains(&cx.call.command()) && browse() {
        return None;
    }
    if option == opt::JOURNALNUM {
        return cx.number(option).map(|number| format!("DFHJ{number:02}"));
    }
    let given = cx.call.bytes(option);
    let bytes = given.or_else(|| cx.call.bytes(opt::QNAME).filter(|_| option == opt::QUEUE))?;
    let text: String = bytes.iter().map(|b| char::from(*b)).collect();
    Some(text.trim_end_matches([' ', '\0']).to_owned())
}

/// The user of the task has this access.
fn may(cx: &mut Cx<'_>, class: &'static str, name: String, wanted: Access) -> Result<bool, Fail> {
    let user = cx.task.userid;
    let answer = question(cx, user, class, name, wanted)?;
    Ok(answer.access.unwrap_or_default() >= wanted)
}

/// Asks the region once in a task.
fn question(
    cx: &mut Cx<'_>,
    user: UserId,
    class: &'static str,
    name: String,
    wanted: Access,
) -> Result<Answer, Fail> {
    let key = (user, class, name);
    if let Some(known) = cx.task.authority.0.get(&key) {
        return Ok(*known);
    }
    let request = Request::Access(Question {
        user,
        class: class.to_owned(),
        name: key.2.clone(),
        wanted,
        log: wanted > Access::None,
    });
    let bytes = cx.ask(&request)?;
    let answer = Answer::decode(&bytes).unwrap_or_default();
    if cx.task.authority.0.len() < REMEMBERED_MAX {
        cx.task.authority.0.insert(key, answer);
    }
    Ok(answer)
}
