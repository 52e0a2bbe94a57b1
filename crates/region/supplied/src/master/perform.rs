//! CEMT PERFORM: SHUTDOWN, STATISTICS, DUMP and so on.

use super::line::Line;
use crate::abbreviation::abbreviated;
use crate::call::InternalCall;
use crate::session::Session;
use transom_commands::{CommandId, OptionId, cmd, opt};
use transom_messages as messages;
use transom_types::Resp;

/// Dump code when none is typed.
const DUMP_CODE: &str = "MT0001";

const COMMANDS: [(&str, CommandId); 7] = [
    ("SHUTDOWN", cmd::PERFORM_SHUTDOWN),
    ("STATISTICS", cmd::PERFORM_STATISTICS),
    ("SNAP", cmd::PERFORM_DUMP),
    ("SECURITY", cmd::PERFORM_SECURITY),
    ("DUMP", cmd::PERFORM_DUMP),
    ("RESETTIME", cmd::PERFORM_RESETTIME),
    ("DELETSHIPPED", cmd::PERFORM_DELETSHIPPED),
];

/// Options of SHUTDOWN, and whether they have a value; the first that a word abbreviates is meant.
const SHUTDOWN: [(&str, OptionId, bool); 10] = [
    ("IMMEDIATE", opt::IMMEDIATE, false),
    ("PLT", opt::PLT, true),
    ("PLTNAME", opt::PLTNAME, true),
    ("NORESTART", opt::NORESTART, false),
    ("NOSDTRAN", opt::NOSDTRAN, false),
    ("DUMP", opt::DUMP, false),
    ("RESTART", opt::RESTART, false),
    ("SDTRAN", opt::SDTRAN, true),
    ("TAKEOVER", opt::TAKEOVER, false),
    ("XLT", opt::XLT, true),
];

/// What can be performed, its abbreviation in capitals.
pub(super) fn words() -> impl Iterator<Item = String> {
    COMMANDS.iter().map(|(word, _)| {
        let means = |short: &str| {
            let first = COMMANDS.iter().find(|(name, _)| name.starts_with(short));
            first.is_some_and(|(name, _)| name == word)
        };
        abbreviated(word, means)
    })
}

/// Does it; answers one line.
pub(super) fn perform(session: &mut Session<'_>, line: &Line) -> String {
    let Some((what, _)) = line.words.first() else {
        return messages::mt::type_perform().to_string();
    };
    let found = COMMANDS
        .iter()
        .find(|(name, _)| name.starts_with(what.as_str()));
    let Some((name, command)) = found else {
        return messages::mt::perform_unknown(what).to_string();
    };
    let rest = line.words.get(1..).unwrap_or_default();
    let given = |wanted: &str| {
        rest.iter()
            .find(|(word, _)| wanted.starts_with(word.as_str()))
    };
    let mut call = InternalCall::new(*command);
    match *command {
        cmd::PERFORM_SHUTDOWN => {
            for (word, value) in rest {
                let known = SHUTDOWN.iter().find(|(name, ..)| name.starts_with(word));
                call = match known {
                    Some((_, option, false)) if value.is_empty() => call.flag(*option),
                    Some((_, option, true)) if !value.is_empty() => {
                        call.text(*option, value.to_ascii_uppercase())
                    }
                    _ => {
                        let all = format_args!("{name} {word}");
                        return messages::mt::perform_unknown(all).to_string();
                    }
                };
            }
        }
        cmd::PERFORM_DUMP => {
            let code = given("DUMPCODE").map_or(DUMP_CODE, |(_, code)| code.as_str());
            call = call
                .text(opt::DUMPCODE, code.to_ascii_uppercase())
                .out(opt::DUMPID);
        }
        cmd::PERFORM_SECURITY => call = call.flag(opt::REBUILD),
        cmd::PERFORM_STATISTICS => call = call.flag(opt::RECORD).flag(opt::ALL),
        _ => {}
    }
    let call = session.ran(call);
    match call.response() {
        (Resp::NORMAL, _) if *command == cmd::PERFORM_DUMP => {
            let id = call.got_text(opt::DUMPID);
            messages::mt::dump_performed(name, &id).to_string()
        }
        (Resp::NORMAL, _) => messages::mt::performed(name).to_string(),
        (Resp::INVREQ, 0) => {
            messages::mt::not_available(format_args!("PERFORM {name}")).to_string()
        }
        (Resp::NOTAUTH, _) => {
            messages::mt::not_authorized(format_args!("PERFORM {name}")).to_string()
        }
        (resp, resp2) => {
            messages::mt::failed(format_args!("PERFORM {name}"), resp, resp2).to_string()
        }
    }
}
