//! The region side: admits tasks, hands them to COBOL workers and answers their callers.
//!
//! What: [`LocalRegion`] implements the facets of `transom_region_api`. Reading order: `dispatcher`
//! (who may run), `starter` and `tasks` (one task), `link` (its caller), `asks` and `services`
//! (what workers ask back), `inner` (the services put together), `resources` (definitions and SET),
//! `report` (statistics). Not here: processes (`transom_workers`), commands (worker side).

#![forbid(unsafe_code)]

mod asks;
mod asynchronous;
mod clock;
mod config;
mod definitions;
mod dispatcher;
mod file_control;
mod gauge;
mod inner;
mod interval;
mod kernel;
mod link;
mod replier;
mod report;
mod resources;
mod security;
mod services;
mod shutdown;
mod starter;
mod syncpoint;
mod system;
mod tasks;
mod temporary_storage;
mod terminal;
mod transient_data;
mod warm;
mod workers;

pub use clock::{Clock, Sleep, SystemClock};
pub use config::{
    DataConfig, MAP_BYTES, MEMORY_STORE_BYTES, PagingConfig, QueueConfig, SecurityMode, StartError,
    StoreHandle, TerminalConfig, UserConfig,
};
pub use definitions::{CsdConfig, Definitions, Remark};
pub use security::{
    Access, Denied, PASSWORD_CHARS_MAX, PHRASE_CHARS, PasswordRules, Rules, Secret, User, UserFile,
    UserRegistry, userid,
};
use transom_messages::{self as messages, Line, Message, Operator};
pub use workers::{Completions, SharedMemory, Workers};

use inner::{Inner, Parts};
use kernel::Kernel;
use resources::Resources;
use std::future::{Future, poll_fn};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;
use transom_region_api::{
    self as api, Attention, LinkFailure, LinkOutput, LinkRequest, Logon, LogonRefused,
    ProgramStatus, RegionInfo, Reply, Seat, SeatRefused, Session, SetFailure, SetRequest,
    StatisticsGroup, TerminalOutput, TransactionStatus, Unreachable,
};
use transom_types::{AbendCode, ProgramName, TermId, TransId};
use transom_wire::Module;
use transom_wire::definitions::{
    ClassLimit, FileEntry, ProgramEntry, SystemEntry, TransactionEntry,
};
use transom_workers::{AskHandler, Pool, PoolConfig};
use workers::CobolWorkers;

/// Everything a region starts from.
pub struct RegionConfig {
    /// Identity and limits. `max_tasks` is MXT.
    pub system: SystemEntry,
    /// Tasks that may wait because of MXT or a class; beyond it work is refused.
    pub queue_max: usize,
    /// Programs to install.
    pub programs: Vec<ProgramEntry>,
    /// Transactions to install, besides the supplied mirrors.
    pub transactions: Vec<TransactionEntry>,
    /// Transactions of the region itself, with the program each starts.
    pub supplied: Vec<(TransactionEntry, ProgramEntry)>,
    /// Transaction classes.
    pub classes: Vec<ClassLimit>,
    /// Folder of compiled modules, `NAME.so`, for program autoinstall and CALL.
    pub module_dir: PathBuf,
    /// Folder of transaction dumps.
    pub dump_dir: PathBuf,
    /// Executable and arguments that become the zygote.
    pub zygote: (PathBuf, Vec<std::ffi::OsString>),
    /// Workers kept ready.
    pub min_idle: usize,
    /// Shared storage in bytes.
    pub shared_bytes: usize,
    /// Files and units of work.
    pub data: DataConfig,
    /// Temporary storage, transient data, START.
    pub queues: QueueConfig,
    /// Terminals and maps.
    pub terminals: TerminalConfig,
    /// Users.
    pub users: UserConfig,
    /// Decks that CEDA reads and the one it writes.
    pub csd: CsdConfig,
    /// Hears what programs, workers and the region say.
    pub operator: Operator,
}

/// A region whose tasks run in workers of this machine.
pub struct LocalRegion {
    inner: Arc<Inner>,
}

impl LocalRegion {
    /// Starts the workers and installs the definitions. The region runs programs once
    /// [`LocalRegion::pump`] is polled.
    pub fn start(config: RegionConfig) -> Result<Self, StartError> {
        Self::start_over(config, Arc::new(SystemClock), |config, ask| {
            let pool = Pool::start(pool_config(config, ask))?;
            Ok(Arc::new(CobolWorkers::new(pool)))
        })
    }

    /// As [`LocalRegion::start`], with another clock and other workers than COBOL processes of this
    /// machine. `workers` starts them; what their tasks ask goes to the handler it is given.
    pub fn start_over(
        mut config: RegionConfig,
        clock: Arc<dyn Clock>,
        workers: impl FnOnce(&RegionConfig, AskHandler) -> Result<Arc<dyn Workers>, StartError>,
    ) -> Result<Self, StartError> {
        if let Some(dir) = &config.terminals.map_dir {
            config.system.map_dir = dir.display().to_string();
        }
        let services = services::Services::default();
        // Before the workers: without its data the region must not run anything.
        let applid = config.system.applid;
        let opened = services
            .uows
            .open(&config.data, applid, &clock, &config.operator);
        opened.map_err(StartError::Store)?;
        if let Some(store) = services.uows.store() {
            let read = services.files.start(store, &config.data);
            read.map_err(StartError::Store)?;
        }
        config.system.store_dir = syncpoint::readable_dir(&config.data);
        let security = &services.security;
        security.open(&config.users, &config.operator, &clock);
        config.system.security = security.checks();
        let cell: Arc<OnceLock<Weak<Inner>>> = Arc::new(OnceLock::new());
        let pool = workers(&config, ask_handler(cell.clone()))?;
        let resources = Resources::install(&config, pool.shared());
        let transient = &services.transient;
        transient.install(&config.queues, pool.shared(), &config.operator);
        let folder = config.data.store.as_deref();
        services.queues.configure(&config.queues, folder);
        services.intervals.configure(&config.queues);
        let said = services.files.install(&config.data.files, pool.shared());
        let files = config.data.files.iter();
        let warnings: Vec<Message> = files.filter_map(FileEntry::warning).collect();
        services.csd.open(config.csd.clone());
        let kernel = Arc::new(Kernel::new(
            clock,
            config.system,
            pool.shared().clone(),
            config.operator,
        ));
        let inner = inner::assemble(Parts {
            kernel,
            workers: pool,
            resources: Arc::new(resources),
            queue_max: config.queue_max,
            classes: config.classes,
            queues: config.queues,
            terminals: config.terminals,
            services,
        });
        said.into_iter()
            .for_each(|text| inner.tell(Line::heard(text)));
        warnings.into_iter().for_each(|message| inner.tell(message));
        // The handler of asks reaches the region through this cell; before it is set there is no
        // task that could ask.
        let _set_once = cell.set(Arc::downgrade(&inner));
        warm::open_now(&inner);
        Ok(Self { inner })
    }

    /// Delivers the replies of tasks. Spawn it where the callers of `link` are polled: then an
    /// answer costs no change of thread. Ends when the region stops.
    pub fn pump(&self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let mut completions = match inner.pool.completions() {
                Ok(completions) => completions,
                Err(error) => {
                    return inner.tell(messages::xm::replies_not_readable(&error));
                }
            };
            // Before the first reply: what an earlier run left is there when the first task asks.
            services::recover(&inner).await;
            while !inner.is_stopping() {
                let more = poll_fn(|context| completions.poll_ready(context));
                if !more.await {
                    return;
                }
                inner.pool.drain();
            }
        })
    }

    /// Waits until a task asks for the end of the region (PERFORM SHUTDOWN); true: IMMEDIATE, tasks
    /// are not waited for. The caller then calls [`LocalRegion::stop`].
    pub async fn shutdown_asked(&self) -> bool {
        self.inner.services.shutdown.asked().await
    }

    /// Stops taking work and waits for running tasks, at most this long; then ends all workers.
    pub async fn stop(&self, patience: Duration) {
        self.inner.kernel.stop();
        // Nobody answers for a user who has gone home.
        for task in self.inner.terminals.waiting_tasks() {
            self.inner.purge(task, AbendCode::AKC3, false);
        }
        interval::end_waits(&self.inner);
        let clock = &self.inner.clock;
        let until = clock.after(patience);
        while self.inner.dispatcher.active() > 0 && clock.now() < until {
            self.inner.pool.wake();
            self.inner.pool.drain();
            clock.sleep(Duration::from_millis(5)).await;
        }
        let idle = self.inner.dispatcher.active() == 0;
        self.inner.pool.stop();
        if idle {
            warm::keep(&self.inner).await;
        }
        self.inner.services.files.close_all();
        self.inner.services.uows.close();
    }
}

impl LocalRegion {
    /// Ends its units of work; whoever takes part in them beside the record store joins here.
    /// `None` after the region has stopped.
    pub fn syncpoint_manager(&self) -> Option<Arc<dyn transom_recovery::SyncpointManager>> {
        self.inner.services.uows.manager()
    }

    /// The catalog of data sets, for utilities that define, load or copy them.
    pub fn datasets(&self) -> Option<Arc<transom_datasets::Datasets>> {
        self.inner.services.files.datasets()
    }
}

impl api::Programs for LocalRegion {
    fn link(&self, request: LinkRequest) -> Reply<Result<LinkOutput, LinkFailure>> {
        link::link(&self.inner, request)
    }
}

impl api::Control for LocalRegion {
    fn info(&self) -> Result<RegionInfo, Unreachable> {
        let statistics = self.inner.pool.statistics();
        Ok(RegionInfo {
            applid: self.inner.system.applid,
            sysid: self.inner.system.sysid,
            local_ccsid: self.inner.system.local_ccsid,
            max_tasks: self.inner.dispatcher.max_tasks(),
            tasks: u32::try_from(self.inner.dispatcher.active()).unwrap_or(u32::MAX),
            workers: u32::try_from(statistics.workers).unwrap_or(u32::MAX),
            stopping: self.inner.is_stopping(),
        })
    }

    fn program(&self, name: ProgramName) -> Result<Option<ProgramStatus>, Unreachable> {
        let shared = self.inner.pool.shared();
        Ok(self.inner.resources.program_status(name, shared))
    }

    fn transaction(&self, name: TransId) -> Result<Option<TransactionStatus>, Unreachable> {
        let shared = self.inner.pool.shared();
        Ok(self.inner.resources.transaction_status(name, shared))
    }

    fn set(&self, request: SetRequest) -> Result<(), SetFailure> {
        let answer = asks::set(&self.inner, &request);
        if answer.resp == transom_types::Resp::NORMAL {
            return Ok(());
        }
        Err(SetFailure::Refused {
            resp: answer.resp,
            resp2: answer.resp2,
            text: answer.text,
        })
    }

    fn statistics(&self) -> Result<Vec<StatisticsGroup>, Unreachable> {
        Ok(report::statistics(&self.inner))
    }
}

impl api::Terminals for LocalRegion {
    fn logon(
        &self,
        logon: Logon,
        output: Arc<dyn TerminalOutput>,
    ) -> Result<Session, LogonRefused> {
        self.inner.terminals.logon(logon, output)
    }

    fn seat(&self, seat: Seat<'_>, printer: bool) -> Result<Option<String>, SeatRefused> {
        self.inner.terminals.seat(seat, printer)
    }

    fn input(&self, terminal: TermId, record: Vec<u8>) {
        self.inner.terminals.input(terminal, record);
    }

    fn attention(&self, terminal: TermId, attention: Attention) {
        self.inner.terminals.attention(terminal, attention);
    }

    fn logoff(&self, terminal: TermId) {
        self.inner.terminals.logoff(terminal);
    }
}

/// Hands what tasks ask to the region; before it has started and after it has ended they get no
/// answer.
fn ask_handler(cell: Arc<OnceLock<Weak<Inner>>>) -> AskHandler {
    Arc::new(move |ask| match cell.get().and_then(Weak::upgrade) {
        Some(inner) => asks::answer(&inner, ask),
        None => ask.answer(&[]),
    })
}

fn pool_config(config: &RegionConfig, ask: AskHandler) -> PoolConfig {
    let mut pool = PoolConfig::new(config.zygote.0.clone());
    pool.zygote_args.clone_from(&config.zygote.1);
    pool.max_workers = config.system.max_tasks as usize;
    pool.min_idle = config.min_idle.min(pool.max_workers);
    pool.max_tasks = pool.max_workers + 1;
    pool.module_dirs = vec![config.module_dir.clone()];
    pool.preload = preload(&config.programs);
    pool.dump_dir.clone_from(&config.dump_dir);
    pool.runaway_ms = u32::try_from(config.system.runaway_ms).unwrap_or(u32::MAX);
    pool.shared_bytes = config.shared_bytes;
    pool.operator = config.operator.clone();
    pool.ask = ask;
    pool
}

/// Modules every worker finds loaded: the installed programs that have one.
fn preload(programs: &[ProgramEntry]) -> Vec<Module> {
    const PRELOAD_MAX: usize = 200;
    programs
        .iter()
        .filter(|p| !p.path.is_empty())
        .take(PRELOAD_MAX)
        .map(ProgramEntry::module)
        .collect()
}
