//! A region put together: its services, and who hears of whom.
//!
//! Why: the one place that knows every service, so that services need not know each other; none of
//! them knows this. What a worker asks goes from here to the service of its domain. Not here: what
//! they start from (`config`), what they do (a module each).

mod asked;

use super::asynchronous::Children;
use super::config::{DataConfig, QueueConfig, RegionConfig};
use super::control::RegionControl;
use super::counter::Counters;
use super::definitions::DefinitionFile;
use super::file_control::{Files, Journals};
use super::interval::{self, Intervals};
use super::kernel::Kernel;
use super::link::Links;
use super::partner::Partners;
use super::program_list_config::ProgramListConfig;
use super::program_lists::ProgramLists;
use super::replier::Waits;
use super::report::{Statistics, Times};
use super::resources::Resources;
use super::security::{self, Security};
use super::shutdown::Shutdown;
use super::sql::Sql;
use super::starter::Starter;
use super::syncpoint::{self, UnitsOfWork};
use super::system::System;
use super::tasks::{self, Tasks};
use super::temporary_storage::Queues;
use super::terminal::Terminals;
use super::transient_data::{self, TransientData};
use super::warm::WarmStart;
use super::workers::Workers;
use std::sync::{Arc, RwLock};
use tokio::sync::OnceCell;
use transom_datasets::Datasets;
use transom_decks::CsdConfig;
use transom_messages::{self as messages, Line};
use transom_recovery::guard;
use transom_region_dispatcher::Clock;
use transom_region_dispatcher::Dispatcher;
use transom_region_trace::Trace;
use transom_security::{Authority, Rights};
use transom_wire::definitions::FileEntry;

/// All services of a region.
pub(crate) struct Services {
    pub(crate) base: Base,
    pub(crate) links: Links,
    pub(crate) control: RegionControl,
    pub(crate) files: Arc<Files>,
    pub(crate) intervals: Arc<Intervals>,
    pub(crate) statistics: Arc<Statistics>,
    pub(crate) warm: WarmStart,
    pub(crate) sql: Arc<Sql>,
    pub(crate) counters: Arc<Counters>,
    pub(crate) program_lists: ProgramLists,
    recovered: OnceCell<()>,
    children: Arc<Children>,
    journals: Arc<Journals>,
    queues: Arc<Queues>,
    transient: Arc<TransientData>,
    pub(crate) security: Arc<Security>,
    pub(crate) definitions: Arc<DefinitionFile>,
    pub(crate) partners: Arc<Partners>,
    pub(crate) system: System,
}

/// What services of domains stand on.
pub(crate) struct Base {
    pub(crate) kernel: Arc<Kernel>,
    pub(crate) workers: Arc<dyn Workers>,
    pub(crate) dispatcher: Arc<Dispatcher>,
    pub(crate) resources: Arc<Resources>,
    pub(crate) tasks: Arc<Tasks>,
    pub(crate) terminals: Arc<Terminals>,
    pub(crate) uows: Arc<UnitsOfWork>,
    pub(crate) shutdown: Arc<Shutdown>,
    /// Tasks whose answer takes time.
    waits: Arc<Waits>,
}

/// What is open before there are workers: without it a region must not run anything.
pub(crate) struct Opened {
    pub(crate) store: syncpoint::Opened,
    pub(crate) datasets: Arc<Datasets>,
    pub(crate) users: security::Opened,
}

impl Services {
    /// Puts a region together, installs its definitions and opens its files.
    pub(crate) fn assemble(
        config: &RegionConfig,
        clock: Arc<dyn Clock>,
        workers: Arc<dyn Workers>,
        opened: Opened,
    ) -> Arc<Self> {
        let (users, datasets) = (opened.users, opened.datasets);
        let base = Base::new(config, clock, workers, opened.store, &users.authority);
        let (kernel, terminals) = (&base.kernel, &base.terminals);
        let (journals, files) = base.files(&config.data, datasets);
        let transient = base.transient(&config.queues);
        let intervals = base.intervals(&config.queues);
        let (queues, children) = (base.queues(config), base.children(&config.queues));
        let security = Security::new(kernel.clone(), terminals.clone(), users, &config.users);
        let partners = base.partners(&intervals, config);
        let statistics = Arc::new(Statistics {
            times: Times::new(kernel, &base.tasks.monitoring, &config.monitoring),
            workers: base.workers.clone(),
            dispatcher: base.dispatcher.clone(),
            terminals: terminals.clone(),
            children: children.clone(),
            journals: journals.clone(),
            queues: queues.clone(),
            intervals: intervals.clone(),
            transient: transient.clone(),
            files: files.clone(),
            uows: base.uows.clone(),
            links: partners.links.clone(),
            sql: config.sql.clone(),
            others: RwLock::default(),
        });
        Arc::new(Self {
            links: Links(base.kernel.clone(), base.starter()),
            partners,
            control: base.control(&config.program_lists),
            definitions: Arc::new(base.definitions(&files, config.csd.clone())),
            system: base.system(config, &statistics),
            program_lists: base.program_lists(&config.program_lists),
            recovered: OnceCell::new(),
            warm: base.warm((&queues, &transient, &intervals), &config.queues),
            sql: Sql(kernel.clone(), base.uows.clone(), config.sql.clone()).into(),
            counters: Counters::new(kernel.clone(), base.uows.clone()).into(),
            security: Arc::new(security),
            base,
            files,
            intervals,
            statistics,
            children,
            journals,
            queues,
            transient,
        })
        .subscribe(config)
    }

    /// Who hears of tasks and of sessions, in this order; then definitions.
    fn subscribe(self: Arc<Self>, config: &RegionConfig) -> Arc<Self> {
        self.base.tasks.subscribe([
            self.base.uows.clone(),
            self.intervals.clone(),
            self.transient.clone(),
            self.files.clone(),
            self.children.clone(),
            self.base.terminals.clone(),
            self.sql.clone(),
        ]);
        self.base
            .terminals
            .subscribe([self.intervals.clone(), self.transient.clone()]);
        guard::write(&self.statistics.others).push(self.partners.reporter());
        self.install(config);
        self
    }

    /// Definitions of queues and files; says what does not fit.
    fn install(&self, config: &RegionConfig) {
        let kernel = &self.base.kernel;
        let mut stored = self.transient.install(&config.queues.td_queues);
        for model in &config.queues.ts_models {
            stored &= model.install(kernel.shared());
        }
        if !stored {
            kernel.tell(messages::sm::shared_full_not_all("queue definition"));
        }
        let files = &config.data.files;
        transom_recovery::wait(self.files.forget_tables());
        for text in self.files.install(files) {
            kernel.tell(Line::heard(text));
        }
        for message in files.iter().filter_map(FileEntry::warning) {
            kernel.tell(message);
        }
    }

    /// Takes up what an earlier run left in the store, once: queues and protected START requests.
    pub(crate) async fn recover(&self) {
        self.recovered.get_or_init(|| self.take_up()).await;
    }

    async fn take_up(&self) {
        let done = async {
            self.queues.recover().await?;
            self.transient.recover().await?;
            self.intervals.recover().await
        };
        if let Err(error) = done.await {
            let text = messages::rm::queues_not_usable(&error);
            self.base.kernel.tell(text);
        }
    }
}

impl Drop for Services {
    /// A region that is dropped without an orderly end lets go of its store too: who waits for the
    /// end of a unit of work holds on to a service, and that to the store.
    fn drop(&mut self) {
        self.files.close_all();
        self.sql.2.close();
        self.base.uows.close();
    }
}

impl Base {
    fn new(
        config: &RegionConfig,
        clock: Arc<dyn Clock>,
        workers: Arc<dyn Workers>,
        store: syncpoint::Opened,
        authority: &Arc<Authority>,
    ) -> Self {
        let resources = Resources::install(config, workers.shared(), Rights::new(authority));
        let (system, shared) = (config.system.clone(), workers.shared().clone());
        let kernel = Arc::new(Kernel::new(clock, system, shared, config.operator.clone()));
        let (max_tasks, aging_ms) = (kernel.system.max_tasks, kernel.system.priority_aging_ms);
        let dispatcher = Dispatcher::new(max_tasks, config.queue_max, config.classes.clone())
            .with_aging(kernel.now(), aging_ms);
        let dispatcher = Arc::new(dispatcher);
        let (shutdown, waits) = (Arc::new(Shutdown::default()), Arc::new(Waits::default()));
        let tasks = Tasks::new(tasks::Means {
            monitoring: tasks::monitoring(&kernel, &config.monitoring),
            kernel: kernel.clone(),
            workers: workers.clone(),
            dispatcher: dispatcher.clone(),
            resources: resources.clone(),
            rights: resources.rights.clone(),
            waits: waits.clone(),
        });
        let terminals = Terminals::new(
            kernel.clone(),
            tasks.clone(),
            authority.clone(),
            config.terminals.clone(),
        );
        let uows = UnitsOfWork::new(kernel.clone(), shutdown.clone(), store);
        Self {
            kernel,
            workers,
            dispatcher,
            resources,
            tasks,
            terminals: Arc::new(terminals),
            uows: Arc::new(uows),
            shutdown,
            waits,
        }
    }

    fn starter(&self) -> Arc<dyn Starter> {
        self.tasks.clone()
    }

    fn files(&self, config: &DataConfig, datasets: Arc<Datasets>) -> (Arc<Journals>, Arc<Files>) {
        let journals = Arc::new(Journals::new(
            self.kernel.clone(),
            config.journal_dir.clone(),
        ));
        let files = Files::new(
            self.kernel.clone(),
            self.uows.clone(),
            self.starter(),
            journals.clone(),
            datasets,
            config,
        );
        (journals, Arc::new(files))
    }

    fn queues(&self, config: &RegionConfig) -> Arc<Queues> {
        Arc::new(Queues::new(
            self.kernel.clone(),
            self.uows.clone(),
            config.data.store.as_deref(),
            config.queues.auxiliary_bytes_max,
        ))
    }

    fn transient(&self, config: &QueueConfig) -> Arc<TransientData> {
        let means = transient_data::Means {
            kernel: self.kernel.clone(),
            uows: self.uows.clone(),
            starter: self.starter(),
            terminals: self.terminals.clone(),
        };
        let folders = transient_data::Folders {
            files: config.extrapartition_dir.clone(),
            umask: config.extrapartition_umask,
            jobs: config.job_dir.clone(),
        };
        TransientData::new(means, folders, config.td_memory_bytes_max)
    }

    fn intervals(&self, config: &QueueConfig) -> Arc<Intervals> {
        let means = interval::Means {
            kernel: self.kernel.clone(),
            uows: self.uows.clone(),
            starter: self.starter(),
            terminals: self.terminals.clone(),
        };
        Intervals::new(means, config.start_requests_max, config.start_bytes_max)
    }

    fn warm(
        &self,
        kept: (&Arc<Queues>, &Arc<TransientData>, &Arc<Intervals>),
        config: &QueueConfig,
    ) -> WarmStart {
        let (queues, transient, intervals) = kept;
        WarmStart {
            kernel: self.kernel.clone(),
            uows: self.uows.clone(),
            queues: queues.clone(),
            transient: transient.clone(),
            intervals: intervals.clone(),
            kept_bytes_max: config.kept_bytes_max,
            start: config.start,
        }
    }

    fn partners(&self, intervals: &Arc<Intervals>, config: &RegionConfig) -> Arc<Partners> {
        let own = (&self.kernel, &self.uows, self.starter());
        let others = (&self.terminals, intervals, &self.dispatcher);
        Partners::new(own, others, config)
    }

    fn children(&self, config: &QueueConfig) -> Arc<Children> {
        let children = Children::new(self.kernel.clone(), self.starter(), config);
        Arc::new(children)
    }

    fn control(&self, lists: &ProgramListConfig) -> RegionControl {
        RegionControl {
            kernel: self.kernel.clone(),
            resources: self.resources.clone(),
            dispatcher: self.dispatcher.clone(),
            starter: self.starter(),
            shutdown: self.shutdown.clone(),
            tables: lists.tables.clone(),
        }
    }

    fn program_lists(&self, config: &ProgramListConfig) -> ProgramLists {
        self.kernel
            .set_initializing(config.initialization.is_some());
        ProgramLists {
            kernel: self.kernel.clone(),
            workers: self.workers.clone(),
            tasks: self.tasks.clone(),
            resources: self.resources.clone(),
            shutdown: self.shutdown.clone(),
            config: config.clone(),
        }
    }

    fn definitions(&self, files: &Arc<Files>, config: CsdConfig) -> DefinitionFile {
        DefinitionFile::new(
            self.kernel.clone(),
            self.resources.clone(),
            files.clone(),
            self.dispatcher.clone(),
            self.uows.clone(),
            config,
        )
    }

    fn system(&self, config: &RegionConfig, statistics: &Arc<Statistics>) -> System {
        let system = &self.kernel.system;
        System {
            trace: Trace::new(
                self.workers.trace(),
                &config.trace,
                (system.applid, system.sysid),
                statistics.times.started(),
                &self.kernel.operator,
            ),
            kernel: self.kernel.clone(),
            dispatcher: self.dispatcher.clone(),
            resources: self.resources.clone(),
            uows: self.uows.clone(),
            statistics: statistics.clone(),
        }
    }
}
