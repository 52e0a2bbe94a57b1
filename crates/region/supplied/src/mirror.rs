//! DFHMIRS: runs commands that a program of another region gave.
//!
//! What: asks its region for work, runs it as any program would, and answers with what the command
//! stored. It lasts as long as the unit of work of its caller, so that browses, records read for
//! update and their tokens are there at the next command. Why a program: a command of another
//! region can do no more than one of this region under the same user. Not here: conversations
//! (`region/links`), which commands travel (`region/commands::partner`).

use crate::call::InternalCall;
use transom_commands::{ArgKind, CommandId, DataKind, OptionId, OptionSpec, cmd, opt};
use transom_messages as messages;
use transom_region_commands::{Executor, ask_region, eib};
use transom_types::{AbendCode, ProgramName, Resp, TransId};
use transom_wire::SUPPLIED;
use transom_wire::definitions::{Concurrency, ProgramEntry, TransactionEntry};
use transom_wire::partner::{Answer, Command, Given, Got, MIRROR, Request, Stored, Work};
use transom_workers::seam::{Address, Area, Call, Commands, Host, Outcome};

/// Where its program is found, and the transaction of a caller that names none.
pub(crate) const TRANSACTION: &str = "CSMI";
/// RIDFLD can grow by what a browse finds.
const KEY_MAX: usize = 255;

/// Transaction and program.
pub(crate) fn definition() -> (TransactionEntry, ProgramEntry) {
    let program = ProgramName::from_field(MIRROR);
    let mut entry = ProgramEntry::new(program, &format!("{SUPPLIED}{TRANSACTION}"));
    entry.concurrency = Concurrency::Threadsafe;
    let transid = TransId::from_field(TRANSACTION.as_bytes());
    (TransactionEntry::new(transid, program), entry)
}

/// A LINK whose program runs, or the routing program of that.
pub(crate) struct Linked(MirrorCall);

/// What becomes of a command.
enum Step {
    Answer(Answer),
    Leave(Outcome),
}

/// The program, at its start and whenever a program it linked to has ended.
pub(crate) fn run(
    linked: &mut Option<Box<Linked>>,
    executor: &mut Executor,
    host: &mut dyn Host,
) -> Outcome {
    let back = linked.take().map(|l| match executor.repeats() {
        true => step(l.0, linked, executor, host),
        false => Step::Answer(l.0.linked(executor, host)),
    });
    let mut answer = match back {
        Some(Step::Leave(outcome)) => return outcome,
        Some(Step::Answer(answer)) => Some(answer),
        None => None,
    };
    loop {
        let next = Request::Next(answer.take().map(|answer: Answer| answer.encode()));
        let told = ask_region(host, &next);
        if let Some(code) = told.abend {
            return Outcome::Abend(code, told.text);
        }
        let command = match Work::decode(&told.data) {
            Some(Work::Run(command)) => Command::decode(&command),
            Some(Work::End) | None => {
                executor.unit_was_ended();
                return Outcome::Return;
            }
        };
        let Some(command) = command.filter(|c| Executor::is_shipped(CommandId(c.id))) else {
            answer = Some(Answer::of(Resp::ISCINVREQ, 0));
            continue;
        };
        let call = MirrorCall::new(&command, host);
        if let Some(channel) = &command.channel
            && !executor.take_channel(channel)
        {
            answer = Some(Answer::of(Resp::ISCINVREQ, 0));
            continue;
        }
        match step(call, linked, executor, host) {
            Step::Answer(said) => answer = Some(said),
            Step::Leave(outcome) => return outcome,
        }
    }
}

/// Carries out a command, or goes on with one.
fn step(
    mut call: MirrorCall,
    linked: &mut Option<Box<Linked>>,
    executor: &mut Executor,
    host: &mut dyn Host,
) -> Step {
    let left = match executor.execute(host, &mut call) {
        // A region farther away has run it, or the one that was here has been told of.
        Outcome::Continue if call.command == cmd::LINK && call.resp.0 == 0 => {
            return Step::Answer(call.linked(executor, host));
        }
        Outcome::Continue => return Step::Answer(call.answer(host)),
        Outcome::Link(module, area) => {
            *linked = Some(Box::new(Linked(call)));
            Outcome::Link(module, area)
        }
        outcome @ Outcome::Abend(..) => outcome,
        _ => {
            let text = messages::is::mirror_ended().to_string();
            Outcome::Abend(AbendCode::from_field(b"AZI6"), text)
        }
    };
    Step::Leave(left)
}

/// An argument, with the storage the command sees.
struct Argument {
    option: OptionId,
    held: Held,
    /// The command stored into it.
    stored: bool,
}

enum Held {
    Keyword,
    Number(i64),
    /// Bytes, of which the command may read so many.
    Bytes(Vec<u8>, usize),
    Pointer(Address),
    Area(Area),
}

/// A command of another region as its call.
struct MirrorCall {
    command: CommandId,
    arguments: Vec<Argument>,
    /// LENGTH, where the caller gave none: the area was filled so far.
    length: Option<i64>,
    resp: (i64, i64),
}

impl MirrorCall {
    fn new(command: &Command, host: &mut dyn Host) -> Self {
        let id = CommandId(command.id);
        let row = transom_commands::command(id);
        let known = |option| row.is_some_and(|row| row.option_by_id(option).is_some());
        let mut arguments = Vec::new();
        for given in &command.arguments {
            let option = OptionId(given.option);
            if !known(option) || option == opt::SYSID {
                continue;
            }
            let held = match &given.value {
                Given::Keyword => Held::Keyword,
                Given::Number(number) => Held::Number(*number),
                Given::Bytes(bytes) => {
                    let mut storage = bytes.clone();
                    if option == opt::RIDFLD {
                        storage.resize(storage.len().max(KEY_MAX), 0);
                    }
                    Held::Bytes(storage, bytes.len())
                }
                Given::Room(room) => {
                    let room = (*room as usize).min(i16::MAX as usize);
                    Held::Bytes(vec![0; room], room)
                }
                Given::Pointer => Held::Pointer(0),
                Given::Commarea(room, bytes) => {
                    let area = commarea(host, *room, bytes);
                    arguments.push(Argument {
                        option: opt::LENGTH,
                        held: Held::Number(area.bytes as i64),
                        stored: false,
                    });
                    Held::Area(area)
                }
            };
            arguments.push(Argument {
                option,
                held,
                stored: false,
            });
        }
        Self {
            command: id,
            arguments,
            length: None,
            resp: (0, 0),
        }
    }

    fn find(&self, option: OptionId) -> Option<&Argument> {
        self.arguments.iter().find(|a| a.option == option)
    }

    fn find_mut(&mut self, option: OptionId) -> Option<&mut Argument> {
        self.arguments.iter_mut().find(|a| a.option == option)
    }

    /// What the program of LINK left; with SYNCONRETURN after it was committed.
    fn linked(self, executor: &mut Executor, host: &mut dyn Host) -> Answer {
        let mut answer = Answer::of(Resp::NORMAL, 0);
        if let Some(Held::Area(area)) = self.find(opt::COMMAREA).map(|a| &a.held) {
            answer.values.push(Stored {
                option: opt::COMMAREA.0,
                value: Got::Bytes(host.memory(area.address, area.bytes).to_vec()),
            });
            host.freemain(area.address);
        }
        if let Some(name) = self.bytes(opt::CHANNEL) {
            answer.channel = executor.give_channel(name);
        }
        if executor.ends_its_unit() {
            let mut sync = InternalCall::new(cmd::SYNCPOINT);
            let ended = executor.execute(host, &mut sync);
            if !sync.is_normal() || matches!(ended, Outcome::Abend(..)) {
                return Answer::of(Resp::ROLLEDBACK, 29);
            }
        }
        answer
    }

    /// What the command left.
    fn answer(mut self, host: &mut dyn Host) -> Answer {
        let resp = u16::try_from(self.resp.0).unwrap_or(Resp::ERROR.0);
        let mut answer = Answer::of(Resp(resp), u32::try_from(self.resp.1).unwrap_or(0));
        if self.command == cmd::START && answer.resp == Resp::NORMAL {
            answer.reqid = eib::reqid(host.eib_mut());
        }
        let length = self.filled();
        for argument in std::mem::take(&mut self.arguments) {
            let value = match argument.held {
                Held::Area(area) => {
                    host.freemain(area.address);
                    continue;
                }
                _ if !argument.stored => continue,
                Held::Number(number) => Got::Number(number),
                Held::Pointer(address) => {
                    let bytes = length.unwrap_or(0);
                    Got::Bytes(host.memory(address, bytes).to_vec())
                }
                Held::Bytes(mut bytes, given) => {
                    bytes.truncate(returned(&bytes, given, argument.option, length));
                    Got::Bytes(bytes)
                }
                Held::Keyword => continue,
            };
            answer.values.push(Stored {
                option: argument.option.0,
                value,
            });
        }
        answer
    }

    /// Bytes of INTO or SET that the command gave.
    fn filled(&self) -> Option<usize> {
        let given = self.find(opt::LENGTH).filter(|length| length.stored);
        let given = given.and_then(|length| match length.held {
            Held::Number(number) => Some(number),
            _ => None,
        });
        let length = given.or(self.length)?;
        usize::try_from(length).ok()
    }
}

/// How much of an area comes back: RIDFLD as far as it was given or changed, INTO as far as it was
/// filled.
fn returned(bytes: &[u8], given: usize, option: OptionId, length: Option<usize>) -> usize {
    match option {
        opt::RIDFLD => {
            let changed = bytes.iter().rposition(|byte| *byte != 0);
            changed.map_or(given, |last| given.max(last + 1))
        }
        opt::INTO => length.unwrap_or(bytes.len()).min(bytes.len()),
        _ => bytes.len(),
    }
}

/// A COMMAREA of the length its caller has, with what it sent.
fn commarea(host: &mut dyn Host, room: u32, bytes: &[u8]) -> Area {
    let room = (room as usize).min(transom_region_commands::limits::COMMAREA_BYTES_MAX);
    let Some(address) = host.getmain(room.max(1), Some(0)) else {
        return Area::default();
    };
    let sent = bytes.get(..room).unwrap_or(bytes);
    host.memory_mut(address, sent.len()).copy_from_slice(sent);
    Area {
        address,
        bytes: room,
    }
}

/// An area whose bytes may be read as they are.
fn is_bytes(spec: &OptionSpec) -> bool {
    matches!(
        spec.argument,
        ArgKind::Name(_)
            | ArgKind::DataArea {
                kind: DataKind::Bytes | DataKind::Char(_),
                ..
            }
            | ArgKind::DataValue {
                kind: DataKind::Bytes | DataKind::Char(_)
            }
    )
}

impl Call for MirrorCall {
    fn command(&self) -> CommandId {
        self.command
    }
    fn line(&self) -> u32 {
        0
    }
    fn nohandle(&self) -> bool {
        true
    }
    fn repeats(&self) -> bool {
        true
    }
    fn has(&self, option: OptionId) -> bool {
        self.find(option).is_some()
    }
    fn number(&self, option: OptionId) -> Option<i64> {
        match self.find(option)?.held {
            Held::Number(number) => Some(number),
            _ => None,
        }
    }
    fn bytes(&self, option: OptionId) -> Option<&[u8]> {
        match &self.find(option)?.held {
            Held::Bytes(bytes, given) => bytes.get(..*given),
            _ => None,
        }
    }
    fn bytes_mut(&mut self, option: OptionId) -> Option<&mut [u8]> {
        let row = transom_commands::command(self.command)?;
        if !row.option_by_id(option).is_some_and(is_bytes) {
            return None;
        }
        let argument = self.find_mut(option)?;
        argument.stored = true;
        match &mut argument.held {
            Held::Bytes(bytes, _) => Some(bytes),
            _ => None,
        }
    }
    fn address_of(&self, option: OptionId) -> Option<Address> {
        match self.find(option)?.held {
            Held::Area(area) => Some(area.address),
            _ => Some(0),
        }
    }
    fn pointer(&self, option: OptionId) -> Option<Address> {
        match self.find(option)?.held {
            Held::Pointer(address) => Some(address),
            _ => None,
        }
    }
    fn set_number(&mut self, option: OptionId, value: i64) {
        match option {
            opt::RESP => self.resp.0 = value,
            opt::RESP2 => self.resp.1 = value,
            _ => {}
        }
        if option == opt::LENGTH {
            self.length = Some(value);
        }
        if let Some(argument) = self.find_mut(option)
            && let Held::Number(number) = &mut argument.held
        {
            *number = value;
            argument.stored = true;
        }
    }
    fn set_text(&mut self, option: OptionId, value: &str) {
        if let Some(field) = self.bytes_mut(option) {
            field.fill(b' ');
            for (to, from) in field.iter_mut().zip(value.bytes()) {
                *to = from;
            }
        }
    }
    fn set_pointer(&mut self, option: OptionId, value: Address) {
        if let Some(argument) = self.find_mut(option)
            && let Held::Pointer(address) = &mut argument.held
        {
            *address = value;
            argument.stored = true;
        }
    }
    fn label(&self, _option: OptionId) -> Option<u16> {
        None
    }
    fn options(&self) -> Vec<OptionId> {
        self.arguments.iter().map(|a| a.option).collect()
    }
}
