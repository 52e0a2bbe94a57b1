//! Dynamic routing: the program of DTRPGM says where a transaction runs.
//!
//! What: it is called to select a region, again while that fails, and at the end where it asked for
//! that. DFHDYP, the default, is called where a system has such a program; else what it would do is
//! done: the region of the definition. EYU9XLOP is the region's own choice (`region/links`). Not
//! here: the COMMAREA (`block`), doing it (`super`).

use super::way::{Target, ended, not_routed, output, selection_error, send};
use crate::call::InternalCall;
use transom_commands::{cmd, opt};
use transom_messages::{self as messages, Message};
use transom_region_commands::routing::{self as block, Block, First, Kind};
use transom_region_commands::{Executor, eib};
use transom_types::{AbendCode, ProgramName, SysId, TransId};
use transom_wire::definitions::{ConnectionEntry, ProgramEntry, SystemEntry, TransactionEntry};
use transom_wire::requests::RegionAnswer;
use transom_wire::routing::Over;
use transom_workers::seam::{Area, Commands, Host, Outcome};

/// Calls for selection of one transaction: a program that never gives up does not go on for ever.
pub(super) const SELECTIONS_MAX: u32 = 1_000;
/// The program every system may have.
const DEFAULT: &[u8] = b"DFHDYP";
/// The name of CICSPlex SM's program: the region chooses, unless a system has such a program.
const SUPPLIED: &[u8] = b"EYU9XLOP";

/// A transaction on its way.
pub(crate) struct Dynamic {
    block: Block,
    program: ProgramName,
    own: SysId,
    transid: TransId,
    /// The program of the transaction here.
    local: ProgramName,
    stage: Stage,
    count: u32,
}

/// What the program was called for.
enum Stage {
    /// Selection, the first time or again, with what went wrong.
    Select(Option<RegionAnswer>),
    /// What began at the terminal without its user, and goes there.
    Told(Target),
    /// The end.
    End(Over),
}

/// Begins: calls the program, or does what the default one would.
pub(super) fn begin(
    kept: &mut Option<Box<Dynamic>>,
    executor: &mut Executor,
    host: &mut dyn Host,
    entry: &TransactionEntry,
) -> Outcome {
    let started = executor.is_started();
    let Some(facts) = SystemEntry::find(host.shared()) else {
        return Outcome::Abend(AbendCode::from_field(b"ACRA"), String::new());
    };
    let program = facts.routing_program;
    let target = Target::of(entry, facts.sysid);
    let is_there = ProgramEntry::find(host.shared(), program).is_some();
    let is = |name| !is_there && program == ProgramName::from_field(name);
    if started && !is_there {
        return straight(executor, host, entry, facts.sysid);
    }
    if is(SUPPLIED) {
        let target = Target {
            system: SysId::BLANK,
            ..target
        };
        let answer = send(executor, host, &target, None);
        return ended(executor, host, entry.transid, &target, answer);
    }
    if is(DEFAULT) {
        return straight(executor, host, entry, facts.sysid);
    }
    let Some(block) = block(executor, host, entry, &target) else {
        let text = messages::is::routing_program_failed(program, "there is no storage");
        return Outcome::Abend(AbendCode::from_field(b"ACRA"), text.to_string());
    };
    let dynamic = Dynamic {
        block,
        program,
        own: facts.sysid,
        transid: entry.transid,
        local: entry.program,
        stage: match started {
            true => Stage::Told(target),
            false => Stage::Select(None),
        },
        count: 0,
    };
    let function = if started { b'3' } else { b'0' };
    block.function(host, function);
    Box::new(dynamic).call(kept, executor, host)
}

/// What the program is given; `None`: there is no storage.
fn block(
    executor: &mut Executor,
    host: &mut dyn Host,
    entry: &TransactionEntry,
    target: &Target,
) -> Option<Block> {
    let userid = executor.user();
    let first = First {
        kind: match executor.is_started() {
            true => Kind::Started,
            false => Kind::Input,
        },
        system: target.system,
        netname: netname(host, target.system),
        transid: target.transid,
        program: entry.program,
        userid: userid.as_bytes(),
        channel: &executor.start_channel(),
        commarea: executor.start_area(),
        input: &executor.typed(),
    };
    Block::new(host, &first)
}

/// Where the definition says.
fn straight(
    executor: &mut Executor,
    host: &mut dyn Host,
    entry: &TransactionEntry,
    own: SysId,
) -> Outcome {
    let target = Target::of(entry, own);
    if target.system == own {
        return local(executor, host, entry.program);
    }
    let answer = send(executor, host, &target, None);
    ended(executor, host, entry.transid, &target, answer)
}

fn netname(host: &dyn Host, system: SysId) -> [u8; 8] {
    let entry = ConnectionEntry::to(host.shared(), system);
    entry.map_or([b' '; 8], |entry| entry.netname)
}

impl Dynamic {
    /// Calls the program; the relay goes on when it has ended.
    fn call(
        mut self: Box<Self>,
        kept: &mut Option<Box<Self>>,
        executor: &mut Executor,
        host: &mut dyn Host,
    ) -> Outcome {
        if matches!(self.stage, Stage::Select(_)) {
            self.count += 1;
            self.block.number(host, block::COUNT, self.count as usize);
        }
        let mut call = InternalCall::new(cmd::LINK)
            .text(opt::PROGRAM, self.program.as_bytes())
            .text(opt::COMMAREA, b"")
            .number(opt::LENGTH, block::BYTES as i64);
        call.place(opt::COMMAREA, self.block.0);
        match executor.execute(host, &mut call) {
            link @ Outcome::Link(..) => {
                *kept = Some(self);
                link
            }
            Outcome::Continue => {
                let why = messages::is::routing_program_failed(self.program, call.response().0);
                self.give_up(executor, host, &why)
            }
            other => other,
        }
    }

    fn give_up(self, executor: &mut Executor, host: &mut dyn Host, why: &Message) -> Outcome {
        not_routed(executor, host, self.transid, why.as_ref())
    }

    /// The program has ended.
    pub(super) fn go_on(
        mut self: Box<Self>,
        kept: &mut Option<Box<Self>>,
        executor: &mut Executor,
        host: &mut dyn Host,
    ) -> Outcome {
        let failed = match std::mem::replace(&mut self.stage, Stage::Select(None)) {
            Stage::Select(failed) => failed,
            Stage::Told(target) => return self.told(executor, host, &target),
            Stage::End(over) => return self.end(executor, host, over),
        };
        match (self.block.read(host, block::RETC), failed) {
            (0, _) => self.route(kept, executor, host),
            (4, _) => Outcome::Return,
            (_, Some(failed)) => not_routed(executor, host, self.transid, &failed.text),
            (_, None) => {
                let why = messages::is::routing_refused(self.program);
                self.give_up(executor, host, &why)
            }
        }
    }

    /// It knows where the definition sends it.
    fn told(self, executor: &mut Executor, host: &mut dyn Host, target: &Target) -> Outcome {
        if target.system == self.own {
            return local(executor, host, self.local);
        }
        let answer = send(executor, host, target, None);
        ended(executor, host, self.transid, target, answer)
    }

    /// To the region it selected.
    fn route(
        mut self: Box<Self>,
        kept: &mut Option<Box<Self>>,
        executor: &mut Executor,
        host: &mut dyn Host,
    ) -> Outcome {
        let target = Target {
            system: SysId::from_field(&self.block.text(host, block::SYSID)),
            transid: TransId::from_field(&self.block.text(host, block::TRAN)[..4]),
            waits: !self.block.is(host, block::QUEUE, b'N'),
        };
        if target.system == self.own || target.system.is_blank() {
            let program = ProgramName::from_field(&self.block.text(host, block::LPROG));
            return local(executor, host, program);
        }
        let answer = send(executor, host, &target, None);
        if let Some(error) = selection_error(&answer) {
            if self.count >= SELECTIONS_MAX {
                let why = messages::is::too_many_selections(self.program, SELECTIONS_MAX);
                return self.give_up(executor, host, &why);
            }
            self.block.function(host, b'1');
            self.block.put(host, block::ERROR, &[error]);
            self.stage = Stage::Select(Some(answer));
            return self.call(kept, executor, host);
        }
        let over = match (answer.abend, Over::decode(&answer.data)) {
            (None, Some(over)) if self.block.is(host, block::OPTER, b'Y') => over,
            _ => return ended(executor, host, self.transid, &target, answer),
        };
        let function = match &over {
            Over::Failed(failed) if failed.code.is_some() => b'4',
            _ => b'2',
        };
        self.block.function(host, function);
        match &over {
            Over::Failed(failed) => {
                if let Some(code) = failed.code {
                    self.block.abended(host, code);
                }
                self.block.area(host, Area::default());
            }
            Over::Ended(reply) => {
                let area = output(host, reply);
                self.block.area(host, area);
            }
        }
        self.stage = Stage::End(over);
        self.call(kept, executor, host)
    }

    /// It knows of the end.
    fn end(self, executor: &mut Executor, host: &mut dyn Host, over: Over) -> Outcome {
        let silent = self.block.is(host, block::CABP, b'N');
        match over {
            Over::Failed(failed) if failed.code.is_some() && silent => Outcome::Return,
            over => {
                let answer = RegionAnswer::with(&over);
                let target = Target::to(self.own);
                ended(executor, host, self.transid, &target, answer)
            }
        }
    }
}

/// The transaction runs here after all: in this task, as if its program had been the first.
pub(super) fn local(executor: &mut Executor, host: &mut dyn Host, program: ProgramName) -> Outcome {
    let mut call = InternalCall::new(cmd::XCTL).text(opt::PROGRAM, program.as_bytes());
    let (area, channel) = (executor.start_area(), executor.start_channel());
    if !channel.is_empty() {
        call = call.text(opt::CHANNEL, channel);
    } else if area.bytes > 0 {
        call = call
            .text(opt::COMMAREA, b"")
            .number(opt::LENGTH, area.bytes as i64);
        call.place(opt::COMMAREA, area.address);
    }
    match executor.execute(host, &mut call) {
        xctl @ Outcome::Xctl(..) => {
            executor.is_first_program();
            eib::set_function(host.eib_mut(), [0, 0]);
            xctl
        }
        Outcome::Continue => {
            let why = messages::is::routing_program_failed(program, call.response().0);
            let transid = eib::transid(host.eib_mut());
            not_routed(executor, host, transid, why.as_ref())
        }
        other => other,
    }
}
