//! The region side: admits tasks, hands them to COBOL workers and answers their callers.
//!
//! What: [`LocalRegion`] implements the facets of `transom_region_api`. Reading order: `dispatcher`
//! (who may run), `starter` and `tasks` (one task), `link` (its caller), `services` (all services
//! put together, and what workers ask back), `resources` and `control` (definitions and SET),
//! `report` (statistics). Not here: processes (`transom_workers`), commands (worker side).

#![forbid(unsafe_code)]

mod asynchronous;
mod cold;
mod config;
mod control;
mod counter;
mod definitions;
mod file_control;
mod interval;
mod kernel;
mod link;
mod overview;
mod paging_config;
mod partner;
mod program_list_config;
mod program_lists;
mod replier;
mod report;
mod resources;
mod restart;
mod routing;
mod security;
mod services;
mod shutdown;
mod sql;
mod starter;
mod syncpoint;
mod system;
mod task_end;
mod tasks;
mod temporary_storage;
mod terminal;
mod transient_data;
mod warm;
mod workers;

pub use config::{
    Absent, DataConfig, MAP_BYTES, MEMORY_STORE_BYTES, QueueConfig, RegionConfig, StartError,
    StartMode, StoreHandle, TerminalConfig,
};
pub use paging_config::PagingConfig;
pub use program_list_config::ProgramListConfig;
pub use report::Reporter;
pub use transom_decks::CsdConfig;
pub use transom_region_dispatcher::{Clock, Sleep, SystemClock};
pub use transom_region_monitoring::{MonitoringConfig, RecorderConfig, Schedule, processes};
pub use transom_region_trace::TraceConfig;
pub use workers::{Completions, SharedMemory, Workers};

use services::{Opened, Services};
use starter::Starter;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;
use transom_messages as messages;
use transom_region_api::{
    self as api, Attention, LinkFailure, LinkOutput, LinkRequest, Logon, LogonRefused,
    ProgramStatus, RegionInfo, Reply, Seat, SeatRefused, Session, SetFailure, SetRequest,
    StatisticsGroup, TerminalOutput, TransactionStatus, Unreachable,
};
use transom_types::{AbendCode, ProgramName, TermId, TransId};
use transom_wire::Module;
use transom_wire::definitions::ProgramEntry;
use transom_workers::{AskHandler, Pool, PoolConfig};
use workers::CobolWorkers;

/// A region whose tasks run in workers of this machine.
pub struct LocalRegion {
    services: Arc<Services>,
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
        // Before the workers: without its data the region must not run anything.
        let store = syncpoint::open(&config.data, &config.operator).map_err(StartError::Store)?;
        let datasets = file_control::catalog(store.store(), config.data.keys.clone())
            .map_err(StartError::Store)?;
        let default_user = config.system.default_user;
        let users = security::open(&config.users, default_user, &config.operator, &clock);
        config.system.store_dir = syncpoint::readable_dir(&config.data);
        config.data.reader_places = store.store().reader_places();
        config.system.security = users.authority.checks();
        config.system.gm_text.clone_from(&config.users.greeting);
        let cell: Arc<OnceLock<Weak<Services>>> = Arc::new(OnceLock::new());
        let workers = workers(&config, ask_handler(cell.clone()))?;
        let opened = Opened {
            store,
            datasets,
            users,
        };
        let start = config.queues.start;
        let services = Services::assemble(&config, clock, workers, opened);
        // The handler of asks reaches the region through this cell; before it is set there is no
        // task that could ask.
        let _set_once = cell.set(Arc::downgrade(&services));
        services.counters.open_now().map_err(StartError::Store)?;
        let sql = services.sql.2.open_now(services.base.uows.manager());
        sql.map_err(StartError::Store)?;
        services.warm.open_now().map_err(StartError::Store)?;
        services.files.settle_logs().map_err(StartError::Store)?;
        services.definitions.take_up(start);
        Ok(Self { services })
    }

    /// The module of a program is there that was still to be made when the region started.
    pub fn module_arrived(&self, program: ProgramName) {
        let base = &self.services.base;
        base.resources.arrived(program, base.kernel.shared());
    }

    /// Delivers the replies of tasks. Spawn it where the callers of `link` are polled: then an
    /// answer costs no change of thread. Ends when the region stops.
    pub fn pump(&self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let services = self.services.clone();
        Box::pin(async move {
            let (kernel, workers) = (&services.base.kernel, &services.base.workers);
            let mut completions = match workers.completions() {
                Ok(completions) => completions,
                Err(error) => {
                    return kernel.tell(messages::xm::replies_not_readable(&error));
                }
            };
            // Before the first reply: what an earlier run left is there when the first task asks.
            services.recover().await;
            services.security.watch();
            services.partners.links.begin();
            services.statistics.begin();
            while !kernel.is_stopping() {
                let more = poll_fn(|context| completions.poll_ready(context));
                if !more.await {
                    return;
                }
                workers.drain();
                if workers.began_together() {
                    tokio::spawn(workers::look_together(
                        workers.clone(),
                        kernel.clock.clone(),
                    ));
                }
            }
        })
    }

    /// What a region does before it takes work: takes up what an earlier run left and runs the
    /// programs of PLTPI. Call it before the pump is polled.
    pub async fn initialize(&self) {
        self.services.recover().await;
        self.services.program_lists.initialize().await;
        self.services.base.kernel.set_initializing(false);
    }

    /// The first quiesce stage of an end that is not immediate: programs of PLTSD run while tasks
    /// and terminals are still there. The caller then calls [`LocalRegion::stop`].
    pub async fn quiesce(&self) {
        self.services.base.kernel.quiesce();
        self.services.program_lists.quiesce().await;
    }

    /// Waits until a task asks for the end without waiting for tasks.
    pub async fn immediate_shutdown_asked(&self) {
        self.services.base.shutdown.asked_immediately().await;
    }

    /// Waits until a task asks for the end of the region (PERFORM SHUTDOWN); true: IMMEDIATE, tasks
    /// are not waited for. The caller then calls [`LocalRegion::stop`].
    pub async fn shutdown_asked(&self) -> bool {
        self.services.base.shutdown.asked().await
    }

    /// Asks for the end of the region from outside, as PERFORM SHUTDOWN does from inside.
    pub fn ask_shutdown(&self, immediate: bool) {
        self.services.base.shutdown.ask(immediate);
    }

    /// Stops taking work and waits for running tasks, at most this long; then, after
    /// [`LocalRegion::quiesce`], runs the second stage of PLTSD, and ends all workers.
    pub async fn stop(&self, patience: Duration) {
        let base = &self.services.base;
        let (kernel, workers, dispatcher) = (&base.kernel, &base.workers, &base.dispatcher);
        kernel.stop();
        let (clock, until) = (&kernel.clock, kernel.clock.after(patience));
        let (mut asked, intervals) = (shutdown::Asked::default(), &self.services.intervals);
        while dispatcher.active() > 0 && clock.now() < until {
            // Nobody answers for a user who has gone home; a task may begin to wait meanwhile.
            let elsewhere = self.services.partners.links.waiting_for_users();
            let waiting = base.terminals.waiting_tasks().into_iter().chain(elsewhere);
            for task in waiting.filter(|task| asked.may(*task, clock.now())) {
                base.tasks.purge(task, AbendCode::AKC3, false);
            }
            intervals.end_waits(|task| asked.may(task, clock.now()));
            workers.wake();
            workers.drain();
            clock.sleep(Duration::from_millis(5)).await;
        }
        let idle = dispatcher.active() == 0;
        if kernel.is_quiescing() && !patience.is_zero() {
            match idle {
                true => self.services.program_lists.finish().await,
                false => self.services.program_lists.leave_out(),
            }
        }
        self.services.statistics.end();
        self.services.partners.links.stop();
        workers.stop();
        if idle {
            self.services.warm.keep().await;
        }
        self.services.files.forget_tables().await;
        self.services.files.close_all();
        self.services.sql.2.close();
        base.uows.close();
        base.tasks.monitoring.stop();
        self.services.system.trace.stop();
    }
}

impl LocalRegion {
    /// Ends its units of work; whoever takes part in them beside the record store joins here.
    /// `None` after the region has stopped.
    pub fn syncpoint_manager(&self) -> Option<Arc<dyn transom_recovery::SyncpointManager>> {
        self.services.base.uows.manager()
    }

    /// Statistics have these figures too from now on.
    pub fn also_report(&self, reporter: Reporter) {
        transom_recovery::guard::write(&self.services.statistics.others).push(reporter);
    }

    /// Authority is checked.
    pub fn checks_authority(&self) -> bool {
        self.services.security.checks()
    }

    /// Links to other regions, with their figures.
    pub fn links(&self) -> Vec<transom_region_links::LinkReading> {
        self.services.partners.links.read()
    }

    /// The database of EXEC SQL.
    pub fn sql(&self) -> transom_region_sql::SqlDatabase {
        self.services.sql.2.clone()
    }

    /// The catalog of data sets, for utilities that define, load or copy them.
    pub fn datasets(&self) -> Option<Arc<transom_datasets::Datasets>> {
        self.services.files.datasets()
    }
}

impl api::Programs for LocalRegion {
    fn link(&self, request: LinkRequest) -> Reply<Result<LinkOutput, LinkFailure>> {
        self.services.links.link(request)
    }
}

impl api::Control for LocalRegion {
    fn info(&self) -> Result<RegionInfo, Unreachable> {
        let base = &self.services.base;
        let statistics = base.workers.statistics();
        Ok(RegionInfo {
            applid: base.kernel.system.applid,
            sysid: base.kernel.system.sysid,
            local_ccsid: base.kernel.system.local_ccsid,
            max_tasks: base.dispatcher.max_tasks(),
            tasks: u32::try_from(base.dispatcher.active()).unwrap_or(u32::MAX),
            workers: u32::try_from(statistics.workers).unwrap_or(u32::MAX),
            stopping: base.kernel.is_stopping(),
        })
    }

    fn program(&self, name: ProgramName) -> Result<Option<ProgramStatus>, Unreachable> {
        let base = &self.services.base;
        Ok(base.resources.program_status(name, base.kernel.shared()))
    }

    fn transaction(&self, name: TransId) -> Result<Option<TransactionStatus>, Unreachable> {
        let base = &self.services.base;
        Ok(base
            .resources
            .transaction_status(name, base.kernel.shared()))
    }

    fn set(&self, request: SetRequest) -> Result<(), SetFailure> {
        let answer = self.services.control.set(&request);
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
        Ok(self.services.statistics.all())
    }
}

impl api::Terminals for LocalRegion {
    fn logon(
        &self,
        logon: Logon,
        output: Arc<dyn TerminalOutput>,
    ) -> Result<Session, LogonRefused> {
        self.services.base.terminals.logon(logon, output)
    }

    fn seat(&self, seat: Seat<'_>, printer: bool) -> Result<Option<String>, SeatRefused> {
        self.services.base.terminals.seat(seat, printer)
    }

    fn input(&self, terminal: TermId, record: Vec<u8>) {
        self.services.base.terminals.input(terminal, record);
    }

    fn attention(&self, terminal: TermId, attention: Attention) {
        self.services.base.terminals.attention(terminal, attention);
    }

    fn logoff(&self, terminal: TermId) {
        self.services.base.terminals.logoff(terminal);
    }
}

/// Hands what tasks ask to the region; before it has started and after it has ended they get no
/// answer.
fn ask_handler(cell: Arc<OnceLock<Weak<Services>>>) -> AskHandler {
    Arc::new(move |ask| match cell.get().and_then(Weak::upgrade) {
        Some(services) => services.answer(ask),
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
    pool.preload = preload(config);
    pool.dump_dir.clone_from(&config.dump_dir);
    pool.reads.extend(config.terminals.map_dir.clone());
    let store = config.data.store.iter();
    let data = store.map(|folder| transom_datasets::reader_file(folder));
    pool.reads.extend(data);
    pool.reads.extend(config.sql.readable());
    pool.reader_places.clone_from(&config.data.reader_places);
    pool.runaway_ms = u32::try_from(config.system.runaway_ms).unwrap_or(u32::MAX);
    pool.shared_bytes = config.shared_bytes;
    pool.operator = config.operator.clone();
    pool.ask = ask;
    pool
}

/// Modules every worker finds loaded: the first installed programs that have one.
fn preload(config: &RegionConfig) -> Vec<Module> {
    config
        .programs
        .iter()
        .filter(|p| !p.path.is_empty())
        .take(config.preload_max)
        .map(ProgramEntry::module)
        .collect()
}

// Clock and shared memory of the tests of whole regions serve those of single services too.
#[cfg(test)]
extern crate self as transom_region_server;

#[cfg(test)]
mod tests;
