//! What a worker knows of its task: levels, the next step, why a program was left.

use super::call::Bad;
use super::documents::Documents;
use super::edge;
use super::host::WorkerHost;
use super::modules::InstanceId;
use crate::failure::RunError;
use crate::seam::{AbendAction, Area, Commands, Outcome, Place, TaskEnd};
use std::sync::atomic::Ordering;
use transom_types::AbendCode;
use transom_wire::Module;

/// State of a worker process.
pub(crate) struct Worker {
    pub(crate) commands: Box<dyn Commands>,
    pub(crate) host: WorkerHost,
    pub(super) documents: Documents,
    pub(super) levels: Vec<Level>,
    pub(super) pending: Option<Next>,
    /// The process must not run another task.
    pub(crate) retire: bool,
    pub(super) jumps: u32,
    /// Tasks it ran.
    pub(super) tasks: u32,
    /// Bytes on the heap when they were counted first.
    pub(super) heap: Option<usize>,
}

/// A LINK level.
pub(super) struct Level {
    pub(super) main: Option<InstanceId>,
    /// CALLed subprograms of this level, by name.
    pub(super) called: Vec<(String, InstanceId)>,
    pub(super) quasirent: bool,
    pub(super) cics_key: bool,
}

/// What a level does after its program was left by a jump.
pub(super) enum Next {
    Return,
    Xctl(Module, Area),
    To(usize, Resume),
    End(TaskEnd),
}

/// Where a level goes on after an abend.
pub(super) enum Resume {
    Label(u16),
    Program(Module, Area),
}

/// How a level was left.
pub(super) enum Left {
    Returned,
    To(usize, Resume),
    End(TaskEnd),
}

impl Worker {
    pub(crate) fn new(commands: Box<dyn Commands>, host: WorkerHost) -> Self {
        Self {
            commands,
            host,
            documents: Documents::default(),
            levels: Vec::new(),
            pending: None,
            retire: false,
            jumps: 0,
            tasks: 0,
            heap: None,
        }
    }

    /// What the program of a level has as its first parameter.
    pub(super) fn first_argument(&mut self, area: Area) -> *mut u8 {
        match self.commands.has_eib() {
            true => self.host.eib.as_mut_ptr(),
            false => area.address as *mut u8,
        }
    }

    pub(super) fn abend(&mut self, code: AbendCode, text: &str) -> Next {
        let level = self.levels.len().saturating_sub(1);
        let action = self.commands.abend(&mut self.host, level, code, text);
        self.host.check = None;
        match action {
            AbendAction::Branch { level: to, label } if to <= level => {
                Next::To(to, Resume::Label(label))
            }
            AbendAction::Program {
                level: to,
                module,
                area,
            } if to <= level => Next::To(to, Resume::Program(module, area)),
            _ => Next::End(TaskEnd::Abend(code, text.to_owned())),
        }
    }

    /// What follows a program that came back to the edge.
    pub(super) fn next_after(&mut self, how: Result<std::ffi::c_int, RunError>) -> Next {
        match how {
            Err(why) => self.abend(AbendCode::APCT, &why.to_string()),
            Ok(edge::CHECKED) => {
                self.jumps += 1;
                let (code, text) = self.check();
                self.abend(code, &text)
            }
            Ok(edge::JUMPED) => {
                self.jumps += 1;
                self.pending.take().unwrap_or(Next::Return)
            }
            Ok(_) => Next::Return,
        }
    }

    /// The program of an instance is about to begin.
    pub(super) fn begins(&mut self, id: InstanceId) {
        self.host.begins = Some(id);
        self.commands.program_begins(&mut self.host);
        self.host.begins = None;
        self.host.drop_stand_ins();
    }

    pub(super) fn release_instances(&mut self, keep_main: bool) {
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        for (_, id) in level.called.drain(..) {
            self.host.modules.unbind(id);
        }
        if !keep_main && let Some(id) = level.main.take() {
            self.host.modules.unbind(id);
        }
    }

    /// Code and text of the check the edge reports; its place is kept for the abend.
    pub(super) fn check(&mut self) -> (AbendCode, String) {
        let check = edge::last_check();
        self.note_place(check.place, check.line, interruption(check), check.address);
        let place = match (&self.host.check, check.line) {
            (_, 0) => String::new(),
            (None, line) => format!(" in program {} at line {line}", check.module()),
            (Some(place), line) => format!(
                " in program {} at line {line} (offset X'{:08X}')",
                check.module(),
                place.offset()
            ),
        };
        match check.kind {
            edge::CHECK_ASYNC => {
                let slot = self.host.slot();
                let code = slot.async_code.load(Ordering::SeqCst).to_le_bytes();
                slot.view.async_task.store(0, Ordering::SeqCst);
                let code = AbendCode::from_field(&code);
                let what = if code == AbendCode::AICA {
                    "runaway task"
                } else {
                    "task purged"
                };
                (code, format!("{what}{place}"))
            }
            edge::CHECK_MISSING_CALL => (AbendCode::APCN, format!("{}{place}", check.text())),
            edge::CHECK_ABEND => {
                let text = check.text();
                let code = text.as_bytes().get(..4).unwrap_or(b"????");
                (AbendCode::from_field(code), format!("{text}{place}"))
            }
            kind => {
                self.retire |= kind == edge::CHECK_SIGNAL;
                let text = check.text();
                let named = kind != edge::CHECK_DATA || text.starts_with("S0C");
                let name = if named { "" } else { "S0C7 data exception: " };
                (AbendCode::ASRA, format!("{name}{text}{place}"))
            }
        }
    }

    /// Keeps where a check happened until its abend is told.
    fn note_place(&mut self, address: usize, line: u32, interruption: u8, operand: usize) {
        let found = self.host.modules.at(address);
        self.host.check = found.map(|(program, load_point)| Place {
            program,
            address,
            load_point,
            line,
            interruption,
            operand: if matches!(interruption, 4 | 5) {
                operand
            } else {
                0
            },
        });
    }

    /// A bad address the command met comes before what it decided.
    pub(super) fn after_command(
        &mut self,
        outcome: Outcome,
        bad_argument: Option<Bad>,
        line: u32,
    ) -> Outcome {
        self.host.drop_stand_ins();
        let met = match (self.host.fault.take(), bad_argument) {
            (Some((bad, text)), _) => Some((bad, format!("{text} in the command at line {line}"))),
            (None, Some(bad)) => {
                let text = format!("S0C4 protection exception: an argument at line {line}");
                Some((bad, text))
            }
            (None, None) => None,
        };
        let Some((bad, text)) = met else {
            return outcome;
        };
        self.note_place(edge::place(), line, PROTECTION, 0);
        let code = match bad {
            Bad::Input => AbendCode::ASRA,
            Bad::Output => self.commands.abend_of_bad_output(),
        };
        Outcome::Abend(code, text)
    }
}

/// Program interruption code of a protection exception.
const PROTECTION: u8 = 4;

/// The program interruption code of a check, as z/Architecture numbers them; 0: none fits.
fn interruption(check: &edge::Check) -> u8 {
    match (check.kind, check.signal) {
        (edge::CHECK_DATA, _) => 7,
        (edge::CHECK_ZERO_DIVIDE, _) => 0xB,
        (edge::CHECK_SIGNAL, libc::SIGSEGV) => PROTECTION,
        (edge::CHECK_SIGNAL, libc::SIGBUS) => 5,
        (edge::CHECK_SIGNAL, libc::SIGFPE) => 9,
        (edge::CHECK_SIGNAL, libc::SIGILL) => 1,
        _ => 0,
    }
}

/// What a panic says.
pub(super) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("panic")
        .to_owned()
}
