//! A whole region of a test.

use crate::fake_clock::HandClock;
use crate::fake_workers::{FakeWorkers, Handle, Running};
use crate::program::{Ending, Task, commarea};
use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, UNIX_EPOCH};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use transom_region_api::{Control as _, LinkFailure, LinkOutput, LinkRequest, Programs, StartedBy};
use transom_region_server::{Clock as _, LocalRegion, RegionConfig};
use transom_types::{Applid, FileName, ProgramName, SysId, TransId};
use transom_wire::Space;
use transom_wire::definitions::{FileEntry, FileUse, ProgramEntry, SystemEntry, TransactionEntry};
use transom_wire::definitions::{count_use, discard};

/// A region, its clock and its workers.
pub(crate) struct TestRegion {
    pub(crate) region: Arc<LocalRegion>,
    pub(crate) clock: Arc<HandClock>,
    workers: Arc<FakeWorkers>,
    log: Arc<Mutex<Vec<String>>>,
    gates: Arc<Mutex<HashMap<String, Arc<Semaphore>>>>,
}

/// A transaction and the program it starts.
pub(crate) fn transaction(transid: &str, program: &str) -> TransactionEntry {
    TransactionEntry::new(
        TransId::from_field(transid.as_bytes()),
        ProgramName::from_field(program.as_bytes()),
    )
}

impl TestRegion {
    /// Starts a region with what `setup` defines; needs a runtime.
    pub(crate) fn start(setup: impl FnOnce(&mut RegionConfig)) -> Self {
        let log = Arc::new(Mutex::new(Vec::new()));
        let mut config = config(log.clone());
        config.data.define_missing = true;
        setup(&mut config);
        let clock = Arc::new(HandClock::new());
        let cell = OnceLock::new();
        let started = LocalRegion::start_over(config, clock.clone(), |_, ask| {
            let workers = Arc::new(FakeWorkers::new(ask));
            assert!(cell.set(workers.clone()).is_ok(), "workers start once");
            Ok(Arc::new(Handle(workers)))
        });
        let region = Arc::new(started.unwrap_or_else(|error| panic!("{error}")));
        tokio::spawn(region.pump());
        Self {
            region,
            clock,
            workers: cell.into_inner().expect("workers were started"),
            log,
            gates: Arc::default(),
        }
    }

    /// What a program does.
    pub(crate) fn program<F>(&self, name: &str, program: impl Fn(Task) -> F + Send + Sync + 'static)
    where
        F: Future<Output = Result<Ending, Ending>> + Send + 'static,
    {
        let run = move |task: Task| -> Running {
            let running = program(task);
            Box::pin(async move { running.await.unwrap_or_else(|early| early) })
        };
        self.workers.program(name, Arc::new(run));
    }

    /// A program that waits at a gate of its name and then returns its COMMAREA.
    pub(crate) fn held_program(&self, name: &str) {
        let gate = self.gate(name);
        self.program(name, move |task| {
            let gate = gate.clone();
            async move {
                pass(&gate).await;
                let commarea = task.commarea();
                task.done(&commarea).await
            }
        });
    }

    /// Something programs wait at.
    pub(crate) fn gate(&self, name: &str) -> Arc<Semaphore> {
        let mut gates = self.gates.lock().unwrap();
        let gate = gates.entry(name.to_owned());
        gate.or_insert_with(|| Arc::new(Semaphore::new(0))).clone()
    }

    /// Lets so many pass.
    pub(crate) async fn open(&self, gate: &str, passes: usize) {
        self.gate(gate).add_permits(passes);
        self.settle().await;
    }

    /// A LINK from outside, begun at once.
    pub(crate) fn link(
        &self,
        transid: &str,
        program: &str,
        data: &[u8],
    ) -> JoinHandle<Result<LinkOutput, LinkFailure>> {
        tokio::spawn(self.region.link(LinkRequest {
            program: ProgramName::from_field(program.as_bytes()),
            transid: Some(TransId::from_field(transid.as_bytes())),
            userid: None,
            payload: commarea(data),
            reply_bytes_max: 0,
            timeout: None,
            started_by: StartedBy::Internal,
            client: None,
        }))
    }

    /// A LINK from outside that ends normally: its COMMAREA.
    pub(crate) async fn run(&self, program: &str, data: &[u8]) -> Vec<u8> {
        match self.link("CSMI", program, data).await.unwrap() {
            Ok(output) => match output.payload {
                transom_types::Payload::Commarea(bytes) => bytes,
                other => panic!("no COMMAREA: {other:?}"),
            },
            Err(failure) => panic!("{}", failure.text),
        }
    }

    /// What the operator was told with an id in front.
    pub(crate) fn told(&self, id: &str) -> Vec<String> {
        let log = self.log.lock().unwrap();
        log.iter()
            .filter(|line| line.starts_with(id))
            .cloned()
            .collect()
    }

    /// Time passes.
    pub(crate) async fn advance(&self, time: Duration) {
        self.settle().await;
        self.clock.advance(time);
        self.settle().await;
    }

    /// Until nothing happens any more on this thread.
    pub(crate) async fn settle(&self) {
        for _ in 0..200 {
            tokio::task::yield_now().await;
        }
    }

    /// Until something is so; threads of the store may have a part in it.
    pub(crate) async fn until(&self, what: &str, is_so: impl Fn() -> bool) {
        for _ in 0..2_000_000 {
            if is_so() {
                return;
            }
            std::thread::yield_now();
            tokio::task::yield_now().await;
        }
        panic!("{what} did not come: {:?}", self.log.lock().unwrap());
    }

    /// The time of day as programs have it.
    pub(crate) fn abstime(&self) -> i64 {
        let since_1970 = self.clock.wall().duration_since(UNIX_EPOCH);
        transom_time::abstime_at(since_1970.unwrap().as_millis() as i64)
    }

    /// Names of all temporary storage queues in shared memory.
    pub(crate) fn queues(&self) -> Vec<String> {
        let names = self.workers.memory().group_names(Space::TsMain);
        let names = names.iter().map(|name| String::from_utf8_lossy(name));
        names.map(|name| name.trim_end().to_owned()).collect()
    }

    /// A transaction is gone; its tasks are not.
    pub(crate) fn discard_transaction(&self, transid: &str) {
        let memory = self.workers.memory();
        discard(memory, Space::Transaction, transid.as_bytes());
    }

    /// Workers count uses of a file, and of a transaction.
    pub(crate) fn count_uses(&self, file: &str, used: FileUse, times: u64) {
        let file = FileName::from_field(file.as_bytes());
        FileEntry::count(self.workers.memory(), file, used, times);
    }

    pub(crate) fn count_use(&self, transid: &str) {
        let name = TransId::from_field(transid.as_bytes());
        count_use(self.workers.memory(), Space::Transaction, name.as_bytes());
    }

    /// One figure of the statistics.
    pub(crate) fn figure(&self, group: &str, name: &str) -> u64 {
        let groups = self.region.statistics().unwrap();
        let group = groups.iter().find(|known| known.name == group).unwrap();
        let value = group.values.iter().find(|value| value.name == name);
        value.unwrap().value
    }

    /// Transactions of all tasks so far, in the order they were attached.
    pub(crate) fn attached(&self) -> Vec<String> {
        let attached = self.workers.attached();
        attached
            .iter()
            .map(|(transid, _)| transid.to_string())
            .collect()
    }

    /// RUNAWAY of all tasks so far, in the order they were attached.
    pub(crate) fn runaways(&self) -> Vec<u32> {
        let attached = self.workers.attached();
        attached
            .iter()
            .filter_map(|(_, options)| options.runaway_ms)
            .collect()
    }

    /// The region has told the operator something.
    pub(crate) fn has_said(&self, text: &str) -> bool {
        self.log
            .lock()
            .unwrap()
            .iter()
            .any(|line| line.contains(text))
    }
}

/// Waits at a gate.
pub(crate) async fn pass(gate: &Semaphore) {
    gate.acquire()
        .await
        .expect("a gate is never closed")
        .forget();
}

fn config(log: Arc<Mutex<Vec<String>>>) -> RegionConfig {
    let system = SystemEntry::new(Applid::from_field(b"TEST"), SysId::from_field(b"TST1"));
    let program = |name: &str| {
        let program = ProgramName::from_field(name.as_bytes());
        ProgramEntry::new(program, "/in/memory.so")
    };
    RegionConfig {
        system,
        queue_max: 10_000,
        programs: ["ONE", "TWO", "THREE", "WORK"].map(program).to_vec(),
        transactions: vec![
            transaction("ONE", "ONE"),
            transaction("TWO", "TWO"),
            transaction("WORK", "WORK"),
        ],
        supplied: Vec::new(),
        classes: Vec::new(),
        resources: Vec::new(),
        module_dir: "/nowhere".into(),
        absent: Default::default(),
        late: None,
        dump_dir: "/nowhere".into(),
        zygote: ("/nowhere".into(), Vec::new()),
        min_idle: 0,
        preload_max: 0,
        shared_bytes: 0,
        data: Default::default(),
        links: transom_region_links::LinkConfig::here("/nowhere/links"),
        sql: Default::default(),
        queues: Default::default(),
        terminals: Default::default(),
        users: Default::default(),
        csd: Default::default(),
        program_lists: Default::default(),
        monitoring: Default::default(),
        trace: Default::default(),
        operator: transom_messages::Operator::new(move |line| {
            log.lock().unwrap().push(line.to_string());
        }),
    }
}
