//! What every command function gets and answers, and the argument helpers they share.
//!
//! Not here: which function serves which command (`dispatch`), what happens to a raised condition
//! (`exception`).

pub use crate::condition::{Done, Fail, NORMAL, Remote, Resource, raise};

use crate::caches::Caches;
use crate::last_commands::LastCommands;
use crate::state::TaskState;
use std::collections::HashSet;
use transom_commands::{CommandId, OptionId, opt};
use transom_types::Resp;
use transom_wire::definitions::{Given, SystemEntry};
use transom_wire::requests::{Domain, RegionAnswer, ToRegion};
use transom_wire::{Shared, Space};
use transom_workers::seam::{Address, Call, Host};

/// A command function.
pub type Handler = fn(&mut Cx<'_>) -> Done;

/// One command while it runs.
pub struct Cx<'a> {
    /// The worker.
    pub host: &'a mut dyn Host,
    /// The call.
    pub call: &'a mut dyn Call,
    /// The task.
    pub task: &'a mut TaskState,
    /// What the worker knows about its region.
    pub region: &'a mut RegionView,
}

/// What a worker keeps about its region between tasks.
pub struct RegionView {
    /// Facts as of the start of the task.
    pub facts: SystemEntry,
    /// What [`Shared::changes`] said when they were read.
    pub facts_changes: Option<u64>,
    /// Commands and options already reported as not supported.
    pub reported: HashSet<(CommandId, OptionId)>,
    /// What domains keep.
    pub caches: Caches,
    /// The last commands of the task.
    pub last: LastCommands,
}

impl RegionView {
    /// Reads the facts again when they changed.
    pub fn read_facts(&mut self, shared: &dyn Shared) {
        let changes = shared.changes(Space::System);
        if self.facts_changes != Some(changes)
            && let Some(facts) = SystemEntry::find(shared)
        {
            self.facts = facts;
            self.facts_changes = Some(changes);
        }
    }
}

impl Cx<'_> {
    /// The option was given.
    pub fn has(&self, option: OptionId) -> bool {
        self.call.has(option)
    }

    /// Numeric argument.
    pub fn number(&self, option: OptionId) -> Option<i64> {
        self.call.number(option)
    }

    /// A name argument as `N` bytes, blank padded; low values count as blanks.
    pub fn name<const N: usize>(&self, option: OptionId) -> Option<[u8; N]> {
        let field = self.call.bytes(option)?;
        let mut name = [b' '; N];
        for (to, from) in name.iter_mut().zip(field) {
            *to = if *from == 0 { b' ' } else { *from };
        }
        Some(name)
    }

    /// The same of a name that programs may make of any bytes: low values stay.
    pub fn raw_name<const N: usize>(&self, option: OptionId) -> Option<[u8; N]> {
        let field = self.call.bytes(option)?;
        let mut name = [b' '; N];
        let bytes = field.len().min(N);
        name[..bytes].copy_from_slice(&field[..bytes]);
        Some(name)
    }

    /// One round trip to a domain of the region process. A condition it answers is raised; a purge
    /// ends the task.
    pub fn ask(&mut self, request: &impl ToRegion) -> Result<Vec<u8>, Fail> {
        let answer = ask_region(self.host, request);
        match answer.abend {
            Some(code) => Err(Fail::Abend(code, answer.text)),
            None if answer.resp == Resp::NORMAL => Ok(answer.data),
            None => Err(Fail::Raise(answer.resp, answer.resp2)),
        }
    }

    /// Remembers the resource for EIBRSRCE.
    pub fn resource(&mut self, name: &[u8]) {
        crate::eib::set_resource(self.host.eib_mut(), name);
    }

    /// Stores text blank padded; nothing happens when the option was not given.
    pub fn set_text(&mut self, option: OptionId, value: &str) {
        self.call.set_text(option, value);
    }

    /// Stores raw bytes: cut, or padded with `pad`.
    pub fn set_bytes(&mut self, option: OptionId, value: &[u8], pad: u8) {
        if let Some(field) = self.call.bytes_mut(option) {
            let bytes = value.len().min(field.len());
            field[..bytes].copy_from_slice(&value[..bytes]);
            field[bytes..].fill(pad);
        }
    }

    /// Stores a number.
    pub fn set_number(&mut self, option: OptionId, value: i64) {
        self.call.set_number(option, value);
    }

    /// Stores a CICS value by its DFHVALUE name; 0, which is none, while the number of a name is
    /// not known (no program can ask for it by DFHVALUE then).
    pub fn set_cvda(&mut self, option: OptionId, name: &str) {
        let value = transom_commands::dfhvalue(name).unwrap_or(0);
        self.call.set_number(option, i64::from(value));
    }

    /// The CVDA argument has this DFHVALUE name.
    pub fn cvda_is(&self, option: OptionId, name: &str) -> bool {
        self.call.number(option).is_some_and(|given| {
            transom_commands::dfhvalue(name).is_some_and(|value| i64::from(value) == given)
        })
    }

    /// The CICS value is given, either as keyword or through a CVDA option.
    pub fn value_is(&self, keyword: OptionId, cvda: OptionId, name: &str) -> bool {
        self.call.has(keyword) || self.cvda_is(cvda, name)
    }

    /// The other system that the SYSID option names. Without the option, or naming this region:
    /// none.
    pub fn remote(&self, sysid: OptionId) -> Option<[u8; 4]> {
        self.name::<4>(sysid)
            .filter(|name| name != b"    " && name != self.region.facts.sysid.as_bytes())
    }

    /// SYSID names another system.
    pub fn is_remote(&self, sysid: OptionId) -> bool {
        self.remote(sysid).is_some()
    }
}

/// One round trip outside a command.
pub fn ask_region<T: ToRegion>(host: &mut dyn Host, request: &T) -> RegionAnswer {
    if T::DOMAIN == Domain::Security && host.has_later() {
        // A password is in no message but its own.
        let answer = RegionAnswer::of(&host.ask_region(&[]));
        if !answer.is_normal() {
            return answer;
        }
    }
    let mut message = request.message();
    host.waits_for(transom_wire::monitoring::clock_of(T::DOMAIN));
    let answer = host.ask_region(&message);
    if T::DOMAIN == Domain::Security {
        // A password stays nowhere in memory; the compiler must not take the wiping for useless.
        message.fill(0);
        std::hint::black_box(&message);
    }
    RegionAnswer::of(&answer)
}

/// `length` bytes of an area the program hands in. An area longer than its field goes on in
/// storage, as it does on the mainframe.
pub fn area_in<'a>(
    host: &'a dyn Host,
    call: &'a dyn Call,
    area: OptionId,
    length: usize,
) -> &'a [u8] {
    match call.bytes(area) {
        Some(field) if length <= field.len() => &field[..length],
        _ => match call.address_of(area) {
            Some(address) if address != 0 && length > 0 => host.memory(address, length),
            _ => &[],
        },
    }
}

/// Stores `data` at the start of an area of the program.
pub fn area_out(host: &mut dyn Host, call: &mut dyn Call, area: OptionId, data: &[u8]) {
    if let Some(field) = call.bytes_mut(area)
        && data.len() <= field.len()
    {
        field[..data.len()].copy_from_slice(data);
        return;
    }
    if let Some(address) = call.address_of(area).filter(|address| *address != 0) {
        host.memory_mut(address, data.len()).copy_from_slice(data);
    }
}

/// A length argument between 0 and `max`; without the option, the size of the area's field.
pub fn length_of(
    call: &dyn Call,
    area: OptionId,
    lengths: &[OptionId],
    max: usize,
) -> Option<usize> {
    let given = lengths.iter().find_map(|option| call.number(*option));
    let length = match given {
        Some(length) => usize::try_from(length).ok()?,
        None => call.bytes(area).map_or(0, <[u8]>::len),
    };
    (length <= max).then_some(length)
}

/// Hands data to the program by SET or INTO, with its LENGTH. SET gets new storage, and `kept` is
/// where the task keeps what the last such command gave, which is freed. Condition: LENGERR when
/// INTO has less room.
pub fn give(
    cx: &mut Cx<'_>,
    data: &[u8],
    room: usize,
    kept: fn(&mut TaskState) -> &mut Address,
) -> Done {
    if cx.has(opt::SET) {
        let area = to_storage(cx.host, data)?;
        let old = std::mem::replace(kept(cx.task), area);
        if old != 0 {
            cx.host.freemain(old);
        }
        cx.call.set_pointer(opt::SET, area);
        cx.set_number(opt::LENGTH, data.len() as i64);
        return NORMAL;
    }
    area_out(cx.host, cx.call, opt::INTO, &data[..data.len().min(room)]);
    cx.set_number(opt::LENGTH, data.len() as i64);
    if room < data.len() {
        return raise(Resp::LENGERR, 0);
    }
    NORMAL
}

/// Copies bytes into new task storage; answers its address, or NOSTG.
pub fn to_storage(host: &mut dyn Host, bytes: &[u8]) -> Result<Address, Fail> {
    let Some(address) = host.getmain(bytes.len().max(1), None) else {
        return raise(Resp::NOSTG, 0);
    };
    host.memory_mut(address, bytes.len()).copy_from_slice(bytes);
    Ok(address)
}

impl Given for Cx<'_> {
    fn says(&self, keyword: OptionId, option: OptionId, value: &str) -> bool {
        self.value_is(keyword, option, value)
    }

    fn number(&self, option: OptionId) -> Option<i64> {
        self.call.number(option)
    }

    fn name(&self, option: OptionId) -> Option<&[u8]> {
        self.call.bytes(option)
    }
}
