//! The task of a supplied program: its commands, its screen, its COMMAREA.
//!
//! What: [`Session`]. Everything goes through [`Executor`]'s commands, so a supplied program can do
//! no more than any other program. Not here: what the programs do.

use super::call::InternalCall;
use super::interpreter::command::Variables;
use super::interpreter::conversation::Interpreter;
use super::panel::{Panel, Reply};
use transom_commands::{cmd, opt};
use transom_datastream::ScreenSize;
use transom_messages as messages;
use transom_region_commands::{Executor, eib};
use transom_types::{Applid, SysId, TermId, TransId};
use transom_wire::definitions::SystemEntry;
use transom_workers::seam::{Area, Commands, Host, Outcome};

/// Most bytes a panel can send back: every position changed, an address before each field.
const INPUT_BYTES_MAX: usize = 8_192;

/// A supplied program at work.
pub(crate) struct Session<'a> {
    /// CECI of this task, while the program it linked to ran.
    pub waiting: &'a mut Option<Box<Interpreter>>,
    pub executor: &'a mut Executor,
    pub host: &'a mut dyn Host,
    /// The COMMAREA of the previous task of the pseudo-conversation.
    pub state: Option<Vec<u8>>,
    /// What `&NAME` means in lines of CEMT.
    pub variables: Variables,
}

impl<'a> Session<'a> {
    /// A program at its start.
    pub(crate) fn new(
        waiting: &'a mut Option<Box<Interpreter>>,
        executor: &'a mut Executor,
        host: &'a mut dyn Host,
        area: Area,
    ) -> Self {
        let state = (area.bytes > 0).then(|| host.memory(area.address, area.bytes).to_vec());
        Self {
            waiting,
            executor,
            host,
            state,
            variables: Variables::new(),
        }
    }

    /// Runs a command.
    pub(crate) fn run(&mut self, call: &mut InternalCall) -> Outcome {
        self.executor.execute(self.host, call)
    }

    /// Runs a command and hands it back.
    pub(crate) fn ran(&mut self, mut call: InternalCall) -> InternalCall {
        self.run(&mut call);
        call
    }

    /// The transaction that started the program.
    pub(crate) fn transid(&mut self) -> TransId {
        eib::transid(self.host.eib_mut())
    }

    /// What was typed behind the transaction's name.
    pub(crate) fn typed(&mut self, reply: &Reply) -> String {
        let name = self.transid();
        let line = reply.text.trim_start();
        let typed = line.get(name.as_str().len()..).unwrap_or("");
        typed.trim().to_owned()
    }

    /// The region's facts.
    pub(crate) fn facts(&self) -> SystemEntry {
        SystemEntry::find(self.host.shared())
            .unwrap_or_else(|| SystemEntry::new(Applid::BLANK, SysId::BLANK))
    }

    /// Rows and columns a panel may have.
    pub(crate) fn screen(&self) -> ScreenSize {
        self.executor.screen()
    }

    /// The terminal of the task; blank without one.
    pub(crate) fn terminal(&mut self) -> TermId {
        eib::terminal(self.host.eib_mut())
    }

    /// What the terminal sent.
    pub(crate) fn receive(&mut self) -> Reply {
        // Without a key the task was not started by input; RECEIVE would wait for some.
        if eib::input(self.host.eib_mut()).0 == 0 {
            return Reply::default();
        }
        self.wait().unwrap_or_default()
    }

    /// Waits for input of the terminal, conversationally; `None`: it is gone.
    pub(crate) fn wait(&mut self) -> Option<Reply> {
        let mut call = InternalCall::new(cmd::RECEIVE)
            .out_bytes(opt::INTO, INPUT_BYTES_MAX)
            .number(opt::LENGTH, INPUT_BYTES_MAX as i64)
            .flag(opt::ASIS);
        self.run(&mut call);
        if !call.is_normal() {
            return None;
        }
        let length = usize::try_from(call.got_number(opt::LENGTH)).unwrap_or(0);
        let into = call.arguments().first()?;
        let data = into.storage.get(..length).unwrap_or_default();
        let (aid, cursor) = eib::input(self.host.eib_mut());
        Some(Reply::new(aid, cursor, data))
    }

    /// Shows a panel on an erased screen.
    pub(crate) fn show(&mut self, panel: &Panel) {
        let mut panel = panel.clone();
        if self.facts().cics_messages {
            panel.name_as_cics();
        }
        let (wcc, stream) = panel.stream().into_application();
        let mut call = InternalCall::new(cmd::SEND)
            .text(opt::FROM, stream)
            .flag(opt::ERASE)
            .text(opt::CTLCHAR, [wcc]);
        call = match panel.size() == ScreenSize::MODEL_2 {
            true => call.flag(opt::DEFAULT),
            false => call.flag(opt::ALTERNATE),
        };
        self.run(&mut call);
        if !call.is_normal() {
            let (resp, resp2) = call.response();
            let name = self.transid();
            self.host
                .log(messages::pg::screen_not_shown(name, resp, resp2).line());
        }
    }

    /// Ends the task; the next input of the terminal goes to the same transaction with this state.
    pub(crate) fn again(&mut self, state: &[u8]) -> Outcome {
        let transid = self.transid();
        let Some(address) = self.host.getmain(state.len().max(1), None) else {
            return self.end(messages::sm::no_storage_for_state());
        };
        self.host
            .memory_mut(address, state.len())
            .copy_from_slice(state);
        let mut call = InternalCall::new(cmd::RETURN)
            .text(opt::TRANSID, transid.as_bytes())
            .text(opt::COMMAREA, state)
            .number(opt::LENGTH, state.len() as i64);
        for argument in call.arguments_mut() {
            if argument.option == opt::COMMAREA {
                argument.address = address;
            }
        }
        match self.run(&mut call) {
            Outcome::Continue => Outcome::Return,
            outcome => outcome,
        }
    }

    /// Ends the conversation with one line and room to type the next transaction.
    pub(crate) fn end(&mut self, text: impl AsRef<str>) -> Outcome {
        let mut panel = Panel::new();
        panel
            .text(1, 2, text.as_ref())
            .input("NEXT", (2, 2), 78, "");
        self.show(&panel);
        Outcome::Return
    }
}
