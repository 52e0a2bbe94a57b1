//! EXEC CICS CSD: changes, questions and INSTALL of programs.
//!
//! Not here: what is refused and how a change is written (`transom_decks`, `transom_csd`), what
//! installs (`install`).

use super::DefinitionFile;
use crate::replier::lock;
use std::sync::Arc;
use transom_csd::{Csd, Look, Operation, Refused, Resource};
use transom_decks::operate;
use transom_messages::{self as messages, Message};
use transom_types::Resp;
use transom_wire::definitions::request::{Request, Wanted};
use transom_wire::requests::RegionAnswer;

/// RESP2 of CSDERR: the decks cannot be read.
const NOT_READABLE: u32 = 1;
/// RESP2 of what does not install.
const NOT_INSTALLED: u32 = 500;
/// RESP2 of INCOMPLETE.
const SOME_NOT_INSTALLED: u32 = 1;
/// Nothing was attempted.
const EARLY: u8 = 1;

impl DefinitionFile {
    /// Answers a request of these commands; `None`: it is another one.
    pub(super) fn for_program(&self, request: &Request) -> Option<RegionAnswer> {
        let done = match request {
            Request::Operate(operation, user) => self.operate(operation, user),
            Request::Look(look) => self.look(look),
            Request::InstallFor { resource, list } => self.install_for(resource, list),
            _ => return None,
        };
        Some(done.unwrap_or_else(|refused| {
            let mut answer = RegionAnswer::refused(refused.resp, refused.resp2, refused.message);
            if refused.resp == Resp::INVREQ && refused.resp2 != NOT_INSTALLED {
                answer.data = vec![EARLY];
            }
            answer
        }))
    }

    fn operate(&self, operation: &Operation, user: &str) -> Result<RegionAnswer, Refused> {
        let _one = lock(&self.writing);
        let done = operate(&self.config, operation, user);
        if let Err(refused) = &done {
            self.tell(refused);
        }
        done.map(|()| RegionAnswer::normal())
    }

    fn look(&self, look: &Look) -> Result<RegionAnswer, Refused> {
        let found = self.decks()?.look(look)?;
        Ok(RegionAnswer::with_data(found.encode()))
    }

    fn install_for(&self, resource: &Resource, list: &str) -> Result<RegionAnswer, Refused> {
        let csd = self.decks()?;
        let wanted = Wanted {
            kind: resource.kind.clone(),
            name: resource.name.clone(),
            group: resource.group.clone(),
            list: list.to_owned(),
        };
        let look = match (list.is_empty(), resource.kind.is_empty()) {
            (false, _) => Look::List(list.to_owned()),
            (true, false) => Look::Definition(resource.clone()),
            (true, true) => Look::Group {
                group: resource.group.clone(),
                list: String::new(),
            },
        };
        csd.look(&look)?;
        let lines = self.install_all(&csd, &wanted, true);
        let failed: Vec<&str> = lines
            .iter()
            .filter(|line| !line.installed)
            .map(|line| line.text.as_str())
            .collect();
        for text in &failed {
            self.kernel
                .tell(messages::am::not_installed_for_program(text));
        }
        let refused = |resp, resp2| Refused {
            resp,
            resp2,
            message: messages::am::nothing_found(),
        };
        match (failed.is_empty(), resource.kind.is_empty()) {
            (true, _) => Ok(RegionAnswer::normal()),
            (false, true) => Err(refused(Resp::INCOMPLETE, SOME_NOT_INSTALLED)),
            (false, false) => Err(refused(Resp::INVREQ, NOT_INSTALLED)),
        }
    }

    /// The decks; CSDERR where they cannot be read.
    fn decks(&self) -> Result<Arc<Csd>, Refused> {
        let read = match self.config.decks.is_empty() && self.config.local.is_none() {
            true => Err(messages::am::no_decks()),
            false => self.read(),
        };
        read.map_err(|message: Message| {
            let refused = Refused::new(Resp::CSDERR, NOT_READABLE, message);
            self.tell(&refused);
            refused
        })
    }

    /// Mistakes in ATTRIBUTES, and decks that cannot be used, are told the operator: RESP2 is all
    /// that the program learns.
    fn tell(&self, refused: &Refused) {
        if refused.resp == Resp::CSDERR || refused.resp == Resp::INVREQ && refused.resp2 >= 400 {
            self.kernel.tell(refused.message.clone());
        }
    }
}
