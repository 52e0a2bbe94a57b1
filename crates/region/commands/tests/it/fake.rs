//! A worker that is only memory, and calls written like the EXEC CICS commands they stand for.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use transom_commands::{CommandId, OptionId, opt};
use transom_region_commands::Executor;
use transom_region_commands::eib::EIB_BYTES;
use transom_resources::ResourceKind;
use transom_types::{AbendCode, ProgramName, Resp, TransId, UserId};
use transom_types::{Payload, StartedBy};
use transom_wire::definitions::request::Request;
use transom_wire::definitions::{ProgramEntry, SystemEntry, TransactionEntry, set, take_off};
use transom_wire::payload::{Sections, StartInfo, TaskReply, read_reply, write_start};
use transom_wire::requests::{Domain, RegionAnswer, RegionRequest};
use transom_wire::{Group, Module, Shared, Space, counter};
use transom_workers::seam::{
    AbendAction, Address, Area, AttachBlock, Call, Commands, Host, Outcome, TaskEnd, Waited,
};
use transom_workers::seam::{DumpError, LoadError, Loaded, Place};

/// Noon of 2026-11-20 as ABSTIME.
pub(crate) const NOON: i64 = 4_004_164_800_000;

type Items = BTreeMap<u32, Vec<u8>>;

/// Shared memory of a region.
#[derive(Default)]
pub(crate) struct FakeShared {
    groups: RefCell<BTreeMap<(Space, Vec<u8>), Items>>,
    /// No item may be stored any more.
    pub full: std::cell::Cell<bool>,
    changes: std::cell::Cell<u64>,
}

struct FakeGroup<'a> {
    items: &'a mut Items,
    full: bool,
}

impl Group for FakeGroup<'_> {
    fn get(&self, item: u32) -> Option<&[u8]> {
        self.items.get(&item).map(Vec::as_slice)
    }
    fn put(&mut self, item: u32, value: &[u8]) -> bool {
        let fits = !self.full
            || self
                .items
                .get(&item)
                .is_some_and(|v| v.len() >= value.len());
        if fits {
            self.items.insert(item, value.to_vec());
        }
        fits
    }
    fn remove(&mut self, item: u32) {
        self.items.remove(&item);
    }
    fn remove_all(&mut self) {
        self.items.clear();
    }
    fn items(&self) -> Vec<u32> {
        self.items.keys().copied().collect()
    }
}

impl Shared for FakeShared {
    fn with_group(&self, space: Space, group: &[u8], f: &mut dyn FnMut(&mut dyn Group)) {
        let key = (space, group.to_vec());
        let mut items = self.groups.borrow_mut().remove(&key).unwrap_or_default();
        let before = items.get(&0).cloned();
        f(&mut FakeGroup {
            items: &mut items,
            full: self.full.get(),
        });
        if items.get(&0) != before.as_ref() {
            self.changes.set(self.changes.get() + 1);
        }
        if !items.is_empty() {
            self.groups.borrow_mut().insert(key, items);
        }
    }
    fn changes(&self, _: Space) -> u64 {
        self.changes.get()
    }
    fn group_names(&self, space: Space) -> Vec<Vec<u8>> {
        let groups = self.groups.borrow();
        groups
            .keys()
            .filter(|(kind, _)| *kind == space)
            .map(|(_, name)| name.clone())
            .collect()
    }
}

type OnWait = Box<dyn FnOnce(&FakeShared) -> Waited>;

/// A worker.
pub(crate) struct FakeHost {
    pub clock: i64,
    pub offset_s: i32,
    pub shared: Rc<FakeShared>,
    pub storage: BTreeMap<Address, Vec<u8>>,
    pub shared_storage: BTreeMap<Address, Vec<u8>>,
    next: Address,
    pub storage_left: usize,
    pub eib: [u8; EIB_BYTES],
    pub waits: VecDeque<OnWait>,
    pub waited: Vec<Option<u64>>,
    pub yields: u32,
    pub posts: RefCell<Vec<u32>>,
    pub lines: RefCell<Vec<String>>,
    pub dumps: Vec<(String, String)>,
    pub asked: Vec<String>,
    pub later: Vec<Vec<u8>>,
    pub answer: RegionAnswer,
    pub broken_modules: Vec<String>,
    /// Where the next program check happened.
    pub place: Option<Place>,
}

impl FakeHost {
    pub(crate) fn new(shared: Rc<FakeShared>) -> Self {
        Self {
            clock: NOON,
            offset_s: 3_600,
            shared,
            storage: BTreeMap::new(),
            shared_storage: BTreeMap::new(),
            next: 0x10_0000,
            storage_left: 1 << 24,
            eib: [0xEE; EIB_BYTES],
            waits: VecDeque::new(),
            waited: Vec::new(),
            yields: 0,
            posts: RefCell::default(),
            lines: RefCell::default(),
            dumps: Vec::new(),
            asked: Vec::new(),
            later: Vec::new(),
            answer: RegionAnswer::refused(Resp::PGMIDERR, 1, "no module"),
            broken_modules: Vec::new(),
            place: None,
        }
    }

    /// Storage outside any GETMAIN: WORKING-STORAGE of some program.
    pub(crate) fn working_storage(&mut self, bytes: &[u8]) -> Address {
        self.allocate(bytes.to_vec())
    }

    fn allocate(&mut self, bytes: Vec<u8>) -> Address {
        let address = self.next;
        self.next += bytes.len().next_multiple_of(16) + 16;
        self.storage.insert(address, bytes);
        address
    }
}

impl Host for FakeHost {
    fn place_of_check(&mut self) -> Option<Place> {
        self.place.take()
    }
    fn abstime_ms(&self) -> i64 {
        self.clock
    }
    fn utc_offset_s(&self) -> i32 {
        self.offset_s
    }
    fn getmain(&mut self, bytes: usize, init: Option<u8>) -> Option<Address> {
        self.storage_left = self.storage_left.checked_sub(bytes)?;
        Some(self.allocate(vec![init.unwrap_or(0xDD); bytes]))
    }
    fn freemain(&mut self, address: Address) -> bool {
        self.storage.remove(&address).is_some()
    }
    fn getmain_below(&mut self, bytes: usize) -> Option<Address> {
        self.getmain(bytes, None)
    }
    fn getmain_shared(&mut self, bytes: usize, init: Option<u8>) -> Option<Address> {
        let address = self.getmain(bytes, init)?;
        let storage = self.storage.remove(&address)?;
        self.shared_storage.insert(address, storage);
        Some(address)
    }
    fn cwa(&mut self, bytes: usize) -> Option<Address> {
        let address = 0x1000_0000 - bytes;
        let storage = self.shared_storage.entry(address);
        (bytes != 0).then(|| storage.or_insert_with(|| vec![0; bytes]))?;
        Some(address)
    }
    fn freemain_shared(&mut self, address: Address) -> bool {
        self.shared_storage.remove(&address).is_some()
    }
    fn is_shared(&self, address: Address) -> bool {
        let block = self.shared_storage.range(..=address).next_back();
        block.is_some_and(|(start, bytes)| address - start < bytes.len())
    }
    fn memory(&self, address: Address, bytes: usize) -> &[u8] {
        let below = |map: &'_ BTreeMap<Address, Vec<u8>>| {
            map.range(..=address).next_back().map(|(start, _)| *start)
        };
        for map in [&self.storage, &self.shared_storage] {
            if let Some(start) = below(map)
                && let Some(found) = map[&start].get(address - start..address - start + bytes)
            {
                return found;
            }
        }
        panic!("S0C4 at {address:X} for {bytes} bytes");
    }
    fn memory_mut(&mut self, address: Address, bytes: usize) -> &mut [u8] {
        for map in [&mut self.storage, &mut self.shared_storage] {
            if let Some((start, area)) = map.range_mut(..=address).next_back() {
                let at = address - start;
                if at + bytes <= area.len() {
                    return &mut area[at..at + bytes];
                }
            }
        }
        panic!("S0C4 at {address:X} for {bytes} bytes");
    }
    fn eib_mut(&mut self) -> &mut [u8] {
        &mut self.eib
    }
    fn wait(&mut self, timeout_ms: Option<u64>) -> Waited {
        self.waited.push(timeout_ms);
        let waited = match self.waits.pop_front() {
            Some(then) => then(&self.shared),
            None => Waited::TimedOut,
        };
        if waited == Waited::TimedOut {
            self.clock += timeout_ms.expect("an endless wait timed out") as i64;
        }
        waited
    }
    fn post(&self, task_number: u32) {
        self.posts.borrow_mut().push(task_number);
    }
    fn yield_turn(&mut self) {
        self.yields += 1;
    }
    fn shared(&self) -> &dyn Shared {
        &*self.shared
    }
    fn ask_region(&mut self, request: &[u8]) -> Vec<u8> {
        let (domain, request) = Domain::open(request).expect("a request in its envelope");
        if domain == Domain::Definitions
            && let Some(answer) = definitions(&*self.shared, request)
        {
            return answer.encode();
        }
        let done = match counter::Request::decode(request) {
            Some(request) if domain == Domain::Counter && self.answer.is_normal() => {
                Some(request.carry_out(&*self.shared))
            }
            _ => None,
        };
        self.asked.push(match domain {
            Domain::Region => format!("{:?}", RegionRequest::decode(request).unwrap()),
            domain => format!("domain {}", domain as u8),
        });
        match done {
            Some(Ok(number)) => RegionAnswer::with(&number).encode(),
            Some(Err((resp, resp2))) => RegionAnswer::refused(resp, resp2, "").encode(),
            None => self.answer.encode(),
        }
    }
    fn ask_later(&mut self, request: Vec<u8>) {
        self.later.push(request);
    }
    fn has_later(&self) -> bool {
        !self.later.is_empty()
    }
    fn forget_later(&mut self) {
        self.later.clear();
    }
    fn asked(&self) -> u64 {
        self.asked.len() as u64
    }
    fn log(&self, line: &str) {
        self.lines.borrow_mut().push(line.to_owned());
    }
    fn write_dump(&mut self, name_hint: &str, text: &str) -> Result<String, DumpError> {
        self.dumps.push((name_hint.to_owned(), text.to_owned()));
        Ok(format!("1/{:04}", self.dumps.len()))
    }
    fn load(&mut self, module: &Module) -> Result<Loaded, LoadError> {
        match self.broken_modules.contains(&module.path) {
            true => Err(LoadError::Loader("not a module".into())),
            false => Ok(Loaded {
                entry: 0x7000_0100,
                load_point: 0x7000_0000,
                bytes: 40_000,
                table: None,
            }),
        }
    }
}

/// What a region does for SET and DISCARD of definitions.
fn definitions(shared: &dyn Shared, request: &[u8]) -> Option<RegionAnswer> {
    match Request::decode(request)? {
        Request::Set { kind, name, record } => Some(match set(shared, &kind, &name, &record) {
            Resp::NORMAL => RegionAnswer::normal(),
            resp => RegionAnswer::refused(resp, 0, ""),
        }),
        Request::Discard { kind, name } => {
            take_off(shared, ResourceKind::by_keyword(&kind)?, &name);
            None
        }
        _ => None,
    }
}

enum Field {
    Bytes(Vec<u8>, Address),
    Int(i64),
    Pointer(Address),
    Flag,
    Label(u16),
}

/// One EXEC CICS call.
pub(crate) struct FakeCall {
    command: CommandId,
    fields: Vec<(OptionId, Field)>,
    nohandle: bool,
}

/// A call without options.
pub(crate) fn exec(command: CommandId) -> FakeCall {
    FakeCall {
        command,
        fields: Vec::new(),
        nohandle: false,
    }
}

impl FakeCall {
    fn with(mut self, option: OptionId, field: Field) -> Self {
        self.fields.push((option, field));
        self
    }
    pub(crate) fn text(self, option: OptionId, text: &str) -> Self {
        self.with(option, Field::Bytes(text.as_bytes().to_vec(), 0))
    }
    pub(crate) fn bytes_of(self, option: OptionId, bytes: &[u8]) -> Self {
        self.with(option, Field::Bytes(bytes.to_vec(), 0))
    }
    /// An empty output field.
    pub(crate) fn out(self, option: OptionId, bytes: usize) -> Self {
        self.with(option, Field::Bytes(vec![b'?'; bytes], 0))
    }
    /// A field at an address of the program's storage.
    pub(crate) fn area(self, option: OptionId, host: &FakeHost, at: Address, bytes: usize) -> Self {
        self.with(option, Field::Bytes(host.memory(at, bytes).to_vec(), at))
    }
    pub(crate) fn int(self, option: OptionId, value: i64) -> Self {
        self.with(option, Field::Int(value))
    }
    pub(crate) fn cvda(self, option: OptionId, name: &str) -> Self {
        let value = transom_commands::dfhvalue(name).expect("a CVDA");
        self.int(option, i64::from(value))
    }
    pub(crate) fn ptr(self, option: OptionId, value: Address) -> Self {
        self.with(option, Field::Pointer(value))
    }
    pub(crate) fn flag(self, option: OptionId) -> Self {
        self.with(option, Field::Flag)
    }
    pub(crate) fn label_at(self, option: OptionId, label: u16) -> Self {
        self.with(option, Field::Label(label))
    }
    fn field(&self, option: OptionId) -> Option<&Field> {
        self.fields
            .iter()
            .find(|(known, _)| *known == option)
            .map(|(_, field)| field)
    }
    /// What the call left in a numeric field.
    pub(crate) fn got_int(&self, option: OptionId) -> i64 {
        self.number(option).expect("a numeric field")
    }
    /// What the call left in a text field.
    pub(crate) fn got_text(&self, option: OptionId) -> String {
        String::from_utf8_lossy(self.bytes(option).expect("a field")).into_owned()
    }
    /// What the call left in a field.
    pub(crate) fn got_bytes(&self, option: OptionId) -> &[u8] {
        self.bytes(option).expect("a field")
    }
    /// What the call left in a pointer.
    pub(crate) fn got_pointer(&self, option: OptionId) -> Address {
        self.pointer(option).expect("a pointer")
    }
    /// The CVDA the call left; names without known number are stored as 0.
    pub(crate) fn got_cvda(&self, option: OptionId, name: &str) -> bool {
        let value = transom_commands::dfhvalue(name).unwrap_or(0);
        self.number(option) == Some(i64::from(value))
    }
}

impl Call for FakeCall {
    fn command(&self) -> CommandId {
        self.command
    }
    fn line(&self) -> u32 {
        42
    }
    fn nohandle(&self) -> bool {
        self.nohandle
    }
    fn has(&self, option: OptionId) -> bool {
        self.field(option).is_some()
    }
    fn number(&self, option: OptionId) -> Option<i64> {
        match self.field(option)? {
            Field::Int(value) => Some(*value),
            _ => None,
        }
    }
    fn bytes(&self, option: OptionId) -> Option<&[u8]> {
        match self.field(option)? {
            Field::Bytes(bytes, _) => Some(bytes),
            _ => None,
        }
    }
    fn bytes_mut(&mut self, option: OptionId) -> Option<&mut [u8]> {
        match self.fields.iter_mut().find(|(known, _)| *known == option) {
            Some((_, Field::Bytes(bytes, _))) => Some(bytes),
            _ => None,
        }
    }
    fn address_of(&self, option: OptionId) -> Option<Address> {
        match self.field(option)? {
            Field::Bytes(_, address) => Some(*address),
            _ => None,
        }
    }
    fn pointer(&self, option: OptionId) -> Option<Address> {
        match self.field(option)? {
            Field::Pointer(address) => Some(*address),
            _ => None,
        }
    }
    fn set_number(&mut self, option: OptionId, new: i64) {
        for (known, field) in &mut self.fields {
            if let Field::Int(value) = field
                && *known == option
            {
                *value = new;
            }
        }
    }
    fn set_text(&mut self, option: OptionId, value: &str) {
        if let Some(field) = self.bytes_mut(option) {
            field.fill(b' ');
            let bytes = value.len().min(field.len());
            field[..bytes].copy_from_slice(&value.as_bytes()[..bytes]);
        }
    }
    fn set_pointer(&mut self, option: OptionId, value: Address) {
        for (known, field) in &mut self.fields {
            if *known == option {
                *field = Field::Pointer(value);
            }
        }
    }
    fn label(&self, option: OptionId) -> Option<u16> {
        match self.field(option)? {
            Field::Label(label) => Some(*label),
            _ => Some(0),
        }
    }
    fn options(&self) -> Vec<OptionId> {
        self.fields.iter().map(|(option, _)| *option).collect()
    }
}

pub(crate) fn program(name: &str) -> ProgramName {
    ProgramName::new(name).expect("a program name")
}

/// A region with programs MAIN, SUB, OTHER, OFF (disabled), GONE (no module) and transaction TRN1.
pub(crate) fn region() -> Rc<FakeShared> {
    let shared = Rc::new(FakeShared::default());
    let mut system = SystemEntry::new("CICSA".parse().unwrap(), "SYSA".parse().unwrap());
    system.initparm.push((program("MAIN"), "TRACE=ON".into()));
    assert!(system.install(&*shared));
    for name in ["MAIN", "SUB", "OTHER"] {
        let path = format!("/modules/{name}.so");
        assert!(ProgramEntry::new(program(name), &path).install(&*shared));
    }
    let mut off = ProgramEntry::new(program("OFF"), "/modules/OFF.so");
    off.enabled = false;
    assert!(off.install(&*shared));
    assert!(ProgramEntry::new(program("GONE"), "").install(&*shared));
    let mut transaction = TransactionEntry::new("TRN1".parse().unwrap(), program("MAIN"));
    transaction.twa_bytes = 100;
    (transaction.dtimout_ms, transaction.spurge) = (10_000, true);
    assert!(transaction.install(&*shared));
    shared
}

/// A task in its worker.
pub(crate) struct Task {
    pub exec: Executor,
    pub host: FakeHost,
    /// First program and its COMMAREA.
    pub first: (Module, Area),
}

/// A task in a region of its own, as the gateway starts it, with a COMMAREA.
pub(crate) fn task(commarea: &[u8]) -> Task {
    task_in(&region(), 1, commarea)
}

/// A task of a region.
pub(crate) fn task_in(shared: &Rc<FakeShared>, number: u32, commarea: &[u8]) -> Task {
    let payload = Payload::Commarea(commarea.to_vec());
    start(shared, number, "MAIN", StartedBy::Gateway, 0, payload).expect("the task starts")
}

/// A task that nobody outside linked to.
pub(crate) fn task_alone() -> Task {
    let payload = Payload::Commarea(Vec::new());
    start(&region(), 1, "MAIN", StartedBy::Internal, 0, payload).expect("the task starts")
}

/// Starts a task; a refusal answers the reply its caller sees.
pub(crate) fn start(
    shared: &Rc<FakeShared>,
    number: u32,
    first: &str,
    started_by: StartedBy,
    reply_bytes_max: u32,
    payload: Payload,
) -> Result<Task, TaskReply> {
    start_by(
        Executor::new(),
        (shared, number, first),
        started_by,
        reply_bytes_max,
        payload,
    )
}

/// The same in a worker that is handed in.
pub(crate) fn start_by(
    mut exec: Executor,
    (shared, number, first): (&Rc<FakeShared>, u32, &str),
    started_by: StartedBy,
    reply_bytes_max: u32,
    payload: Payload,
) -> Result<Task, TaskReply> {
    let mut host = FakeHost::new(Rc::clone(shared));
    let attach = AttachBlock {
        task_number: number,
        transid: TransId::new("TRN1").unwrap(),
        program: program(first),
        userid: UserId::new("ALICE").unwrap(),
        input: write_start(
            StartInfo {
                started_by,
                reply_bytes_max,
                start_code: *b"DS",
                client: None,
                restarts: 0,
                measured: None,
            },
            payload,
            &Sections::default(),
        ),
    };
    match exec.task_start(&mut host, &attach.start()) {
        Ok(first) => Ok(Task { exec, host, first }),
        Err((code, text)) => {
            let action = exec.abend(&mut host, 0, code, &text);
            assert_eq!(action, AbendAction::EndTask);
            let reply = exec.task_end(&mut host, &TaskEnd::Abend(code, text));
            Err(read_reply(reply.bytes(&host)).expect("a reply"))
        }
    }
}

impl Task {
    /// Runs a command as written.
    pub(crate) fn run(&mut self, call: &mut FakeCall) -> Outcome {
        self.exec.execute(&mut self.host, call)
    }

    /// Runs a command with RESP and RESP2 and answers them.
    pub(crate) fn resp_of(&mut self, call: &mut FakeCall) -> (Resp, u32) {
        call.nohandle = true;
        call.fields
            .retain(|(option, _)| ![opt::RESP, opt::RESP2].contains(option));
        call.fields.push((opt::RESP, Field::Int(-1)));
        call.fields.push((opt::RESP2, Field::Int(-1)));
        let outcome = self.run(call);
        let resp = Resp(call.got_int(opt::RESP) as u16);
        assert_eq!(
            self.eib_number(76),
            u32::from(resp.0),
            "EIBRESP and RESP differ"
        );
        if resp != Resp::NORMAL {
            assert_eq!(
                outcome,
                Outcome::Continue,
                "RESP was given, the program goes on"
            );
        }
        (resp, call.got_int(opt::RESP2) as u32)
    }

    /// As [`Self::resp_of`] for a call whose fields do not matter afterwards.
    pub(crate) fn resp(&mut self, mut call: FakeCall) -> (Resp, u32) {
        self.resp_of(&mut call)
    }

    /// Runs a command that must end normally and answers the call.
    pub(crate) fn ok(&mut self, mut call: FakeCall) -> FakeCall {
        assert_eq!(self.resp_of(&mut call), (Resp::NORMAL, 0));
        call
    }

    /// LINKs to a program; its COMMAREA is an address in the caller's storage.
    pub(crate) fn link(&mut self, to: &str) {
        let outcome = self.run(&mut exec(transom_commands::cmd::LINK).text(opt::PROGRAM, to));
        assert!(matches!(outcome, Outcome::Link(..)), "{outcome:?}");
    }

    /// The running program of a LINK returns.
    pub(crate) fn back(&mut self) {
        assert_eq!(self.exec.level_ended(&mut self.host), Outcome::Continue);
    }

    pub(crate) fn eib_number(&self, at: usize) -> u32 {
        u32::from_be_bytes(self.host.eib[at..at + 4].try_into().unwrap())
    }

    /// Ends the task and answers what its caller sees.
    pub(crate) fn end(&mut self) -> TaskReply {
        let reply = self.exec.task_end(&mut self.host, &TaskEnd::Normal);
        read_reply(reply.bytes(&self.host)).expect("a reply")
    }

    /// An abend of the running program.
    pub(crate) fn abend(&mut self, level: usize, code: &str) -> AbendAction {
        let code = AbendCode::from_field(code.as_bytes());
        self.exec
            .abend(&mut self.host, level, code, "TXMWK0001E program check")
    }

    pub(crate) fn log(&self) -> String {
        self.host.lines.borrow().join("\n")
    }
}
