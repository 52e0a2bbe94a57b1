//! How a command ends: the program goes on, a condition, an abend.
//!
//! Not here: what becomes of a raised condition (`exception`), its numbers (`transom_types::Resp`).

use transom_commands::OptionId;
use transom_messages::{self as messages, Message};
use transom_types::{AbendCode, FileName, ProgramName, Resp, SysId, TransId};
use transom_workers::seam::Outcome;

/// How a command ends.
pub type Done = Result<Outcome, Fail>;

/// How a command fails.
#[derive(Debug)]
pub enum Fail {
    /// A condition with its RESP2.
    Raise(Resp, u32),
    /// The task ends abnormally whatever RESP says.
    Abend(AbendCode, String),
    /// Another region carries the command out.
    Ship(Box<Remote>),
}

/// The resource of a command belongs to another system.
#[derive(Debug)]
pub struct Remote {
    /// Which one.
    pub system: SysId,
    /// The option that names the resource, and its name there.
    pub name: Option<(OptionId, Vec<u8>)>,
    /// RESP2 of SYSIDERR when there is no way to it.
    pub resp2: u32,
    /// The definition that said so, for the operator to be told then; `None`: SYSID of the command.
    pub by: Option<Resource>,
}

/// A resource whose definition names another system.
#[derive(Debug, Clone, Copy)]
pub enum Resource {
    File(FileName),
    Program(ProgramName),
    Transaction(TransId),
}

impl Remote {
    /// SYSID of the command names another system.
    pub fn by_sysid(system: [u8; 4], resp2: u32) -> Fail {
        Self::of(SysId::from_field(&system), None, resp2, None)
    }

    /// The definition of the resource does.
    pub fn of(
        system: SysId,
        name: Option<(OptionId, Vec<u8>)>,
        resp2: u32,
        by: Option<Resource>,
    ) -> Fail {
        Fail::Ship(Box::new(Self {
            system,
            name,
            resp2,
            by,
        }))
    }

    /// What the operator is told when there is no way to it.
    pub fn text(&self) -> Option<Message> {
        let system = self.system;
        Some(match self.by? {
            Resource::File(name) => messages::fc::of_another_system(name, system),
            Resource::Program(name) => messages::pg::of_another_system(name, system),
            Resource::Transaction(name) => messages::xm::of_another_system(name, system),
        })
    }
}

/// Raises a condition.
pub fn raise<T>(resp: Resp, resp2: u32) -> Result<T, Fail> {
    Err(Fail::Raise(resp, resp2))
}

/// The command is done, the program goes on.
pub const NORMAL: Done = Ok(Outcome::Continue);
