//! CEMT PERFORM: SHUTDOWN, STATISTICS, DUMP and so on.

use super::line::Line;
use crate::call::InternalCall;
use crate::session::Session;
use transom_commands::{CommandId, cmd, opt};
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

/// Does it; answers one line.
pub(super) fn perform(session: &mut Session<'_>, line: &Line) -> String {
    let Some((what, _)) = line.words.first() else {
        return "TXMMT0013I Type SHUTDOWN, STATISTICS, DUMP, SECURITY or RESETTIME.".into();
    };
    let found = COMMANDS
        .iter()
        .find(|(name, _)| name.starts_with(what.as_str()));
    let Some((name, command)) = found else {
        return format!("TXMMT0014E PERFORM {what} is not known");
    };
    let rest = line.words.get(1..).unwrap_or_default();
    let given = |wanted: &str| {
        rest.iter()
            .find(|(word, _)| wanted.starts_with(word.as_str()))
    };
    let mut call = InternalCall::new(*command);
    match *command {
        cmd::PERFORM_SHUTDOWN if given("IMMEDIATE").is_some() => call = call.flag(opt::IMMEDIATE),
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
            format!("TXMMT0015I PERFORM {name}: NORMAL  DUMPID( {id} )")
        }
        (Resp::NORMAL, _) => format!("TXMMT0015I PERFORM {name}: NORMAL"),
        (Resp::INVREQ, 0) => format!("TXMMT0005E PERFORM {name} is not available in this region"),
        (Resp::NOTAUTH, _) => format!("TXMMT0016E PERFORM {name}: NOT AUTHORIZED"),
        (resp, resp2) => format!("TXMMT0006E PERFORM {name}: {resp} {resp2}"),
    }
}
