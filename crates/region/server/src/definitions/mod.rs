//! Resource definitions while the region runs: what CEDA reads, writes and installs.
//!
//! The decks of the user are read, never written; a change is a statement at the end of one deck of
//! the region's own, which counts after all others. Not here: the syntax (`transom_csd`), the
//! screen (`supplied::definition`), installing one definition (`install`).

mod catalog;
mod create;
mod csd;
mod install;
mod renewed;
mod taken_up;

use super::file_control::Files;
use super::kernel::Kernel;
use super::replier::{Replier, lock};
use super::resources::Resources;
use super::syncpoint::UnitsOfWork;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};
use transom_csd::{Csd, Definition};
use transom_decks::{CsdConfig, Decks, KEPT, change, watch};
use transom_messages::{self as messages, Message};
use transom_region_dispatcher::Dispatcher;
use transom_types::Resp;
use transom_wire::definitions::request::Request;
use transom_wire::definitions::{Names, set};
use transom_wire::requests::RegionAnswer;

/// Lines of one answer; how many there are more is said.
const LINES_MAX: usize = 300;

/// The service.
pub(crate) struct DefinitionFile {
    kernel: Arc<Kernel>,
    resources: Arc<Resources>,
    files: Arc<Files>,
    dispatcher: Arc<Dispatcher>,
    config: CsdConfig,
    catalog: catalog::Catalog,
    /// What the decks of this start have installed.
    of_decks: OnceLock<Mutex<Names>>,
    /// One writer at a time.
    writing: Mutex<()>,
    decks: Arc<Decks>,
}

/// Why nothing was done; a line for each message.
struct Refusal(Vec<Message>);

impl From<Message> for Refusal {
    fn from(message: Message) -> Self {
        Self(vec![message])
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<&str> = self.0.iter().map(Message::line).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl DefinitionFile {
    pub(crate) fn new(
        kernel: Arc<Kernel>,
        resources: Arc<Resources>,
        files: Arc<Files>,
        dispatcher: Arc<Dispatcher>,
        uows: Arc<UnitsOfWork>,
        config: CsdConfig,
    ) -> Self {
        let catalog = catalog::Catalog {
            kernel: kernel.clone(),
            uows,
        };
        Self {
            kernel,
            resources,
            files,
            dispatcher,
            config,
            catalog,
            of_decks: OnceLock::new(),
            writing: Mutex::default(),
            decks: Arc::default(),
        }
    }

    /// Answers a worker. Decks are read on a thread that may wait for the disk.
    pub(crate) fn answer(self: &Arc<Self>, replier: Replier, request: &[u8]) {
        let Some(request) = Request::decode(request) else {
            let text = messages::ei::request_damaged();
            return replier.answer(&RegionAnswer::refused(Resp::INVREQ, 0, text));
        };
        let service = self.clone();
        replier.answer_with(async move {
            let (decks, clock) = (service.decks.clone(), service.kernel.clock.clone());
            let done = tokio::task::spawn_blocking(move || service.carry_out(&request)).await;
            if decks.needs_watch() {
                tokio::spawn(watch(Arc::downgrade(&decks), move || clock.sleep(KEPT)));
            }
            done.unwrap_or_else(|_| {
                RegionAnswer::refused(Resp::INVREQ, 2, messages::am::decks_not_readable())
            })
        });
    }

    fn carry_out(&self, request: &Request) -> RegionAnswer {
        if let Some(answer) = self.for_program(request) {
            return answer;
        }
        match request {
            Request::Create {
                kind,
                name,
                attributes,
                log,
            } => self.create(kind, name, attributes, *log),
            Request::Discard { kind, name } => self.discard(kind, name),
            Request::Set { kind, name, record } => {
                match set(self.kernel.shared(), kind, name, record) {
                    Resp::NORMAL => RegionAnswer::normal(),
                    resp => RegionAnswer::refused(resp, 0, ""),
                }
            }
            _ => match self.run(request) {
                Ok(lines) => RegionAnswer::with_data(lines.join("\n").into_bytes()),
                Err(refusal) => RegionAnswer::refused(Resp::INVREQ, 1, refusal.to_string()),
            },
        }
    }

    fn read(&self) -> Result<Arc<Csd>, Message> {
        self.decks.read(&self.config, self.kernel.clock.wall())
    }

    fn run(&self, request: &Request) -> Result<Vec<String>, Refusal> {
        let config = &self.config;
        if config.decks.is_empty() && config.local.is_none() {
            return Err(messages::am::no_decks().into());
        }
        let mut lines = match request {
            Request::Change(statement, user) => {
                let _one = lock(&self.writing);
                change(config, statement, user).map_err(Refusal)?
            }
            Request::Show {
                wanted,
                from,
                count,
            } => {
                let csd = self.read()?;
                let all = wanted.selected(&csd);
                let from = (*from).min(all.len().saturating_sub(1));
                let part = all.iter().skip(from).take((*count).min(LINES_MAX - 1));
                let head = (!all.is_empty()).then(|| format!("{from} {}", all.len()));
                head.into_iter().chain(part.map(|d| shown(d))).collect()
            }
            Request::View(wanted) => {
                let csd = self.read()?;
                let chosen = wanted.selected(&csd);
                let texts = chosen.into_iter().map(transom_csd::write_definition);
                let texts: Vec<String> = texts.collect();
                texts
                    .iter()
                    .flat_map(|text| text.lines().map(str::to_owned))
                    .collect()
            }
            Request::Values(wanted) => {
                let csd = self.read()?;
                let found = wanted.selected(&csd);
                let Some(definition) = found.first() else {
                    return Err(messages::am::nothing_found().into());
                };
                let head = format!("={}", definition.name);
                let given = definition.attributes();
                let given = given.map(|(keyword, value)| format!("{keyword}={value}"));
                std::iter::once(head).chain(given).collect()
            }
            Request::Lists(wanted) => wanted.lists(&*self.read()?),
            Request::Install(wanted) => self.install_texts(&*self.read()?, wanted, true),
            Request::Check(wanted) => self.install_texts(&*self.read()?, wanted, false),
            // Answered before (`carry_out`).
            _ => Vec::new(),
        };
        if let Some(beyond @ 1..) = lines.len().checked_sub(LINES_MAX) {
            lines.truncate(LINES_MAX - 1);
            lines.push(messages::am::more_lines(beyond + 1).to_string());
        }
        if lines.is_empty() {
            return Err(messages::am::nothing_found().into());
        }
        Ok(lines)
    }
}

/// A definition in one line.
fn shown(d: &Definition) -> String {
    let text = d.get("DESCRIPTION").unwrap_or("");
    let kind = d.kind.keyword();
    format!("{:8} {kind:12} {:8} {text}", d.name, d.group)
}
