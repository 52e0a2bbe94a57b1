//! A small `Commands` of the tests: enough CICS to drive the plumbing.

use std::collections::HashMap;
use transom_commands::{CommandId, OptionId};
use transom_types::{AbendCode, ProgramName};
use transom_wire::{Module, Space};
use transom_workers::seam::{
    AbendAction, Address, Area, Call, Commands, Host, Outcome, Reply, TaskEnd, TaskStart, Waited,
};

const COMMANDS: &[&str] = &[
    "LINK",
    "XCTL",
    "RETURN",
    "ABEND",
    "HANDLEABEND",
    "WAIT",
    "POST",
    "PEEK",
    "POKE",
    "INCR",
    "ASK",
    "GETMAIN",
    "LOG",
    "NUMBER",
    "SETNUMBER",
    "SETTEXT",
    "HANDLECOND",
    "RAISE",
    "NOTE",
    "YIELD",
    "NOP",
    "SETPTR",
    "HANDLEPGM",
    "SHAREDMAIN",
    "LOAD",
    "PANIC",
    "EIBTRN",
    "FIRST8",
];
const OPTIONS: &[&str] = &[
    "PROGRAM", "COMMAREA", "ABCODE", "LABEL", "TASK", "MS", "ADDRESS", "LENGTH", "INTO", "FROM",
];

/// Number of a test command.
pub(crate) fn command(name: &str) -> CommandId {
    let i = COMMANDS
        .iter()
        .position(|c| *c == name)
        .unwrap_or_else(|| panic!("command {name}"));
    CommandId(i as u16 + 1)
}

/// Number of a test option.
pub(crate) fn option(name: &str) -> OptionId {
    let i = OPTIONS
        .iter()
        .position(|c| *c == name)
        .unwrap_or_else(|| panic!("option {name}"));
    OptionId(i as u16 + 1)
}

/// State of the test commands in a worker.
#[derive(Default)]
pub(crate) struct TestCommands {
    area: Area,
    level: usize,
    handles: HashMap<usize, Handle>,
    condition: Option<u16>,
    notes: String,
    tasks: u32,
}

enum Handle {
    Label(u16),
    Program(Module),
}

/// Where the modules of the tests are.
pub(crate) const MODULES_VARIABLE: &str = "TRANSOM_TEST_MODULES";

/// What the executable gives the zygote.
pub(crate) fn make() -> Box<dyn Commands> {
    Box::new(TestCommands::default())
}

/// THREADSAFE programs of the tests begin with T.
pub(crate) fn module(name: &str) -> Module {
    let dir = std::env::var(MODULES_VARIABLE).unwrap_or_default();
    let name = name.trim_end();
    Module {
        program: transom_types::ProgramName::from_field(name.as_bytes()),
        path: format!("{dir}/{name}.so"),
        quasirent: !name.starts_with('T'),
        cics_key: false,
    }
}

fn text(call: &dyn Call, name: &str) -> String {
    String::from_utf8_lossy(call.bytes(option(name)).unwrap_or_default())
        .trim_end()
        .to_owned()
}

fn number(call: &dyn Call, name: &str) -> i64 {
    call.number(option(name)).unwrap_or(-1)
}

impl TestCommands {
    fn area_of(call: &dyn Call) -> Area {
        Area {
            address: call.address_of(option("COMMAREA")).unwrap_or(0),
            bytes: call.bytes(option("COMMAREA")).map_or(0, <[u8]>::len),
        }
    }

    fn memory(&mut self, host: &mut dyn Host, call: &mut dyn Call, name: &str) {
        match name {
            "PEEK" => {
                let at: Address = call.pointer(option("ADDRESS")).unwrap_or(0);
                let bytes = number(call, "LENGTH") as usize;
                let sum: i64 = host.memory(at, bytes).iter().map(|b| i64::from(*b)).sum();
                call.set_number(option("INTO"), sum);
            }
            "POKE" => {
                let at: Address = call.pointer(option("ADDRESS")).unwrap_or(0);
                host.memory_mut(at, 4).copy_from_slice(b"POKE");
            }
            "GETMAIN" => {
                let at = host.getmain(number(call, "LENGTH") as usize, Some(b'x'));
                call.set_pointer(option("ADDRESS"), at.unwrap_or(0));
            }
            "SHAREDMAIN" => {
                let at = host.getmain_shared(number(call, "LENGTH") as usize, Some(b's'));
                let at = at.expect("shared storage");
                let sum: i64 = host.memory(at, 4).iter().map(|b| i64::from(*b)).sum();
                assert!(host.freemain_shared(at) && !host.freemain_shared(at));
                call.set_number(option("INTO"), sum);
            }
            _ => {
                let module = module(&text(call, "PROGRAM"));
                let found = host.load(&module).map_or(0, |loaded| loaded.bytes as i64);
                call.set_number(option("INTO"), found);
            }
        }
    }

    fn simple(&mut self, host: &mut dyn Host, call: &mut dyn Call, name: &str) -> Outcome {
        match name {
            "WAIT" => {
                let how = host.wait(u64::try_from(number(call, "MS")).ok());
                if let Waited::Purged(code) = how {
                    return Outcome::Abend(code, "purged".into());
                }
                call.set_number(option("INTO"), i64::from(how == Waited::Posted));
            }
            "POST" => host.post(number(call, "TASK") as u32),
            "YIELD" => host.yield_turn(),
            "NOTE" => self.notes.push_str(&text(call, "FROM")),
            "FIRST8" => {
                let bytes = call.bytes(option("FROM")).unwrap_or_default();
                self.notes.push_str(&String::from_utf8_lossy(&bytes[..8]));
            }
            "LOG" => host.log(&text(call, "FROM")),
            "INCR" => {
                let mut now = 0;
                host.shared()
                    .with_group(Space::Counter, b"TESTCTR", &mut |g| {
                        now = g
                            .get(1)
                            .map_or(0, |b| i64::from(b[0]) | i64::from(b[1]) << 8)
                            + 1;
                        assert!(g.put(1, &(now as u16).to_le_bytes()));
                    });
                call.set_number(option("INTO"), now);
            }
            "ASK" => {
                let answer = host.ask_region(text(call, "FROM").as_bytes());
                call.set_text(option("INTO"), &String::from_utf8_lossy(&answer));
            }
            "NUMBER" => {
                let n = number(call, "FROM");
                call.set_number(option("INTO"), n);
            }
            "SETTEXT" => call.set_text(option("INTO"), "HELLO"),
            "SETPTR" => call.set_pointer(option("ADDRESS"), 0x1234),
            "EIBTRN" => host.eib_mut()[8..12].copy_from_slice(b"TRNX"),
            "PANIC" => panic!("a defect in a command"),
            _ => {}
        }
        Outcome::Continue
    }
}

impl Commands for TestCommands {
    fn abend_of_bad_output(&self) -> AbendCode {
        AbendCode::AEYD
    }

    fn task_start(
        &mut self,
        host: &mut dyn Host,
        task: &TaskStart<'_>,
    ) -> Result<(Module, Area), (AbendCode, String)> {
        let tasks = self.tasks + 1;
        *self = Self {
            tasks,
            ..Self::default()
        };
        if task.program.as_str() == "NOSTART" {
            return Err((AbendCode::APCT, "no such program".into()));
        }
        if !task.input.is_empty() {
            let bytes = task.input.len();
            let address = host.getmain(bytes, None).expect("storage");
            host.memory_mut(address, bytes).copy_from_slice(task.input);
            self.area = Area { address, bytes };
        }
        Ok((module(task.program.as_str()), self.area))
    }

    fn execute(&mut self, host: &mut dyn Host, call: &mut dyn Call) -> Outcome {
        let name = COMMANDS[call.command().0 as usize - 1];
        match name {
            "LINK" => {
                self.level += 1;
                self.handles.remove(&self.level);
                Outcome::Link(module(&text(call, "PROGRAM")), Self::area_of(call))
            }
            "XCTL" => {
                let mut area = Self::area_of(call);
                if area.address != self.area.address {
                    let bytes = host.memory(area.address, area.bytes).to_vec();
                    area.address = host.getmain(area.bytes, None).expect("storage");
                    host.memory_mut(area.address, area.bytes)
                        .copy_from_slice(&bytes);
                }
                Outcome::Xctl(module(&text(call, "PROGRAM")), area)
            }
            "RETURN" => Outcome::Return,
            "ABEND" => {
                let code = AbendCode::from_field(call.bytes(option("ABCODE")).unwrap_or(b"????"));
                Outcome::Abend(code, "by command".into())
            }
            "HANDLEABEND" => {
                let label = call.label(option("LABEL")).unwrap_or(0);
                self.handles.insert(self.level, Handle::Label(label));
                Outcome::Continue
            }
            "HANDLEPGM" => {
                let program = module(&text(call, "PROGRAM"));
                self.handles.insert(self.level, Handle::Program(program));
                Outcome::Continue
            }
            "HANDLECOND" => {
                self.condition = call.label(option("LABEL"));
                Outcome::Continue
            }
            "RAISE" => self.condition.map_or(Outcome::Continue, Outcome::Branch),
            "PEEK" | "POKE" | "GETMAIN" | "SHAREDMAIN" | "LOAD" => {
                self.memory(host, call, name);
                Outcome::Continue
            }
            _ => self.simple(host, call, name),
        }
    }

    fn late_module(&mut self, _: &mut dyn Host, _: ProgramName) -> bool {
        false
    }

    fn level_ended(&mut self, _: &mut dyn Host) -> Outcome {
        self.level -= 1;
        Outcome::Continue
    }

    fn abend(
        &mut self,
        _: &mut dyn Host,
        level: usize,
        code: AbendCode,
        text: &str,
    ) -> AbendAction {
        assert_eq!(
            level, self.level,
            "plumbing and commands count levels alike"
        );
        self.notes.push_str(&format!("[{code} {text}]"));
        let found = (0..=level).rev().find(|l| self.handles.contains_key(l));
        let Some(to) = found else {
            return AbendAction::EndTask;
        };
        self.level = to;
        match self.handles.remove(&to) {
            Some(Handle::Label(label)) => AbendAction::Branch { level: to, label },
            Some(Handle::Program(module)) => AbendAction::Program {
                level: to,
                module,
                area: self.area,
            },
            None => AbendAction::EndTask,
        }
    }

    fn task_end(&mut self, _: &mut dyn Host, _: &TaskEnd) -> Reply {
        match self.notes.is_empty() {
            true => Reply {
                area: self.area,
                rest: Vec::new(),
            },
            false => Reply::of(self.notes.clone().into_bytes()),
        }
    }
}
