//! All terminals: those with a session, and those that are only defined.
//!
//! What: who gets which name and LU, and what a defined terminal keeps between its sessions. Why:
//! INQUIRE and SET know terminals nobody is connected to. Not here: what happens in a session
//! (`record`, `run`).

use super::super::config::TerminalConfig;
use super::super::replier::lock;
use super::super::starter::NewTask;
use super::names;
use super::record::{Shared, Terminal, of_definition};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use transom_messages::{self as messages, Message};
use transom_monitoring::statistics::{Counted, TERMINAL, Value};
use transom_region_api::{Logon, LogonRefused, Seat, SeatRefused, Session, TerminalOutput};
use transom_settings::PresetPlace;
use transom_types::{TermId, UserId};
use transom_wire::definitions::{TerminalDefinition, TerminalEntry};

/// Terminals by name.
#[derive(Default)]
pub(super) struct Table {
    pub(super) by_name: HashMap<TermId, Shared>,
    pub(super) by_netname: HashMap<String, TermId>,
    /// Definitions, with what is kept while there is no session.
    defined: BTreeMap<TermId, Defined>,
    names: names::Generator,
    pub(super) peak: usize,
    pub(super) logons: u64,
    pub(super) refused: u64,
}

/// What INQUIRE calls a terminal.
pub(super) enum Named<'a> {
    Name(TermId),
    /// Its LU.
    Netname(&'a str),
}

struct Defined {
    definition: TerminalDefinition,
    user_area: Vec<u8>,
}

/// The client may be signed on as the user of its definition: the name of an LU is not enough, but
/// a printer types nothing. `certified`: whose certificate it has shown.
pub(super) fn preset(
    config: &TerminalConfig,
    definition: &TerminalDefinition,
    (logon, certified): (&Logon, Option<UserId>),
) -> bool {
    let address = logon.client.map(|client| client.client.ip());
    let covers = |place: &PresetPlace, address| place.covers(&definition.netname, address);
    let meant = |place: &PresetPlace| address.is_some_and(|address| covers(place, address));
    let proved = certified.is_some() && certified == definition.user;
    proved || logon.device.printer || config.preset_from.iter().any(meant)
}

impl Table {
    /// Takes definitions over; one of the same name is replaced.
    pub(super) fn define(&mut self, definitions: &[TerminalDefinition]) {
        for definition in definitions {
            let defined = Defined {
                user_area: vec![0; usize::from(definition.user_area_bytes)],
                definition: definition.clone(),
            };
            self.defined.insert(definition.terminal, defined);
        }
    }

    /// Names in order.
    pub(super) fn all(&self) -> Vec<TermId> {
        let mut names: Vec<TermId> = self.by_name.keys().copied().collect();
        names.extend(self.defined.keys());
        names.sort();
        names.dedup();
        names
    }

    pub(super) fn is_defined(&self, terminal: TermId) -> bool {
        self.defined.contains_key(&terminal)
    }

    /// The definition of a terminal without session.
    pub(super) fn idle(&mut self, terminal: TermId) -> Option<&mut TerminalDefinition> {
        let idle = !self.by_name.contains_key(&terminal);
        let defined = self.defined.get_mut(&terminal).filter(|_| idle);
        defined.map(|defined| &mut defined.definition)
    }

    /// What INQUIRE is told of a terminal without session.
    pub(super) fn idle_entry(&self, terminal: Named<'_>) -> Option<TerminalEntry> {
        let found = match terminal {
            Named::Name(name) => self.defined.get(&name),
            Named::Netname(netname) => self.of_netname(netname),
        }?;
        Some(of_definition(&found.definition))
    }

    fn of_netname(&self, netname: &str) -> Option<&Defined> {
        let mut all = self.defined.values();
        all.find(|defined| defined.definition.netname == netname)
    }

    /// The session with this LU name.
    pub(super) fn session_of(&self, netname: &str) -> Option<&Shared> {
        self.by_name.get(self.by_netname.get(netname)?)
    }

    pub(super) fn seat(
        &self,
        config: &TerminalConfig,
        seat: Seat<'_>,
        printer: bool,
    ) -> Result<Option<String>, SeatRefused> {
        match seat {
            Seat::Any if config.autoinstall => Ok(None),
            Seat::Any => self.any_free(printer).map(Some),
            Seat::Named(name) => {
                let defined = self.of_netname(name).map(|found| &found.definition);
                match defined {
                    _ if self.by_netname.contains_key(name) => Err(SeatRefused::InUse),
                    Some(found) if !found.in_service => Err(SeatRefused::InUse),
                    Some(found) if found.kind.is_printer() != printer => {
                        Err(SeatRefused::WrongType)
                    }
                    None if !config.autoinstall => Err(SeatRefused::Unknown),
                    _ => Ok(Some(name.to_owned())),
                }
            }
            Seat::PrinterOf(display) => self.printer_of(config, display),
        }
    }

    /// A defined terminal nobody uses.
    fn any_free(&self, printer: bool) -> Result<String, SeatRefused> {
        let free = |definition: &&TerminalDefinition| {
            definition.in_service
                && definition.kind.is_printer() == printer
                && !self.by_name.contains_key(&definition.terminal)
        };
        let mut all = self.defined.values().map(|defined| &defined.definition);
        let found = all.find(free).ok_or(SeatRefused::InUse)?;
        Ok(found.netname.clone())
    }

    fn printer_of(
        &self,
        config: &TerminalConfig,
        display: &str,
    ) -> Result<Option<String>, SeatRefused> {
        let session = self.session_of(display);
        let definition = match session {
            Some(session) => Some(lock(session).definition.clone()),
            None => self
                .of_netname(display)
                .map(|found| found.definition.clone()),
        };
        let display = definition.ok_or(SeatRefused::Unknown)?;
        if display.kind.is_printer() {
            return Err(SeatRefused::NoPartner);
        }
        match display.printers[0] {
            Some(printer) => {
                let found = self.defined.get(&printer).ok_or(SeatRefused::NoPartner)?;
                self.seat(config, Seat::Named(&found.definition.netname), true)
            }
            None if session.is_some() && config.autoinstall => Ok(None),
            None => Err(SeatRefused::NoPartner),
        }
    }

    pub(super) fn admit(
        &mut self,
        config: &TerminalConfig,
        (logon, certified): (Logon, Option<UserId>),
        output: Arc<dyn TerminalOutput>,
        now: Instant,
    ) -> Result<(Session, Shared), LogonRefused> {
        if self.by_name.len() >= config.terminals_max {
            let text = messages::zc::most_terminals(config.terminals_max).to_string();
            let in_use = false;
            return Err(LogonRefused { in_use, text });
        }
        let refused = |message: Message| LogonRefused {
            in_use: true,
            text: message.into(),
        };
        let asked = logon.netname.as_ref().map(|name| name.to_uppercase());
        if let Some(name) = &asked
            && self.by_netname.contains_key(name)
        {
            return Err(refused(messages::zc::lu_in_use(name)));
        }
        let defined = asked.as_ref().and_then(|name| self.of_netname(name));
        let definition = match defined.map(|defined| &defined.definition) {
            Some(definition) => self.usable(definition, &logon).map_err(refused)?,
            None => self
                .new_definition(config, asked, &logon)
                .map_err(refused)?,
        };
        let name = definition.terminal;
        let preset = preset(config, &definition, (&logon, certified));
        let mut terminal = Terminal::new(definition, logon, output, now);
        if !preset {
            terminal.user = None;
        }
        if let Some(defined) = self.defined.get_mut(&name) {
            terminal.user_area = defined.user_area.clone();
        }
        let session = Session {
            terminal: name,
            netname: terminal.definition.netname.clone(),
            scs: terminal.scs(),
        };
        let terminal = Arc::new(Mutex::new(terminal));
        self.by_netname
            .insert(session.netname.clone(), session.terminal);
        self.by_name.insert(session.terminal, terminal.clone());
        self.peak = self.peak.max(self.by_name.len());
        self.logons += 1;
        Ok((session, terminal))
    }

    /// The definition of the LU name, if this client may have it now.
    fn usable(
        &self,
        definition: &TerminalDefinition,
        logon: &Logon,
    ) -> Result<TerminalDefinition, Message> {
        let name = definition.terminal;
        if !definition.in_service {
            return Err(messages::zc::out_of_service(name));
        }
        if definition.kind.is_printer() != logon.device.printer {
            return Err(messages::zc::other_device(
                name,
                if definition.kind.is_printer() {
                    "printer"
                } else {
                    "display"
                },
            ));
        }
        if self.by_name.contains_key(&name) {
            return Err(messages::zc::terminal_in_use(name));
        }
        Ok(definition.clone())
    }

    /// Autoinstall.
    fn new_definition(
        &mut self,
        config: &TerminalConfig,
        asked: Option<String>,
        logon: &Logon,
    ) -> Result<TerminalDefinition, Message> {
        if !config.autoinstall {
            let name = asked.unwrap_or_default();
            return Err(messages::zc::lu_not_defined(&name));
        }
        let (by_name, defined) = (&self.by_name, &self.defined);
        let taken = |name: &TermId| defined.contains_key(name) || by_name.contains_key(name);
        let Some(name) = self.names.name(asked.as_deref(), taken) else {
            return Err(messages::zc::no_name_free());
        };
        let netname = asked.unwrap_or_else(|| format!("LU{name}"));
        let mut definition = TerminalDefinition::new(name, &netname);
        definition.upper_case = config.upper_case;
        if logon.device.printer {
            definition.kind = transom_wire::definitions::TerminalKind::Printer;
        }
        Ok(definition)
    }

    /// The session is gone. Answers the tasks that waited for it and what it counted; `None`: there
    /// was none.
    pub(super) fn remove(&mut self, name: TermId) -> Option<(VecDeque<NewTask>, Counted)> {
        let gone = self.by_name.remove(&name)?;
        let mut gone = lock(&gone);
        if self.by_netname.get(&gone.definition.netname) == Some(&name) {
            self.by_netname.remove(&gone.definition.netname);
        }
        if let Some(defined) = self.defined.get_mut(&name) {
            defined.definition = gone.definition.clone();
            defined.user_area = std::mem::take(&mut gone.user_area);
        }
        let counted = counted(&gone);
        Some((gone.session_ended(), counted))
    }
}

/// What is counted of a session, as a record of statistics.
pub(super) fn counted(terminal: &Terminal) -> Counted {
    let counts = terminal.counts;
    let names = [
        terminal.definition.terminal.as_bytes().to_vec(),
        terminal.definition.netname.clone().into_bytes(),
    ];
    let numbers = [counts.input, counts.output, counts.tasks];
    let names = names.into_iter().map(Value::Text);
    let values = names.chain(numbers.map(Value::Number));
    Counted::new(&TERMINAL, values.collect())
}
