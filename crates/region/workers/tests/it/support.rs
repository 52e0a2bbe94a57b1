//! Pools and tasks for tests.

use crate::{cobol, commands};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, mpsc};
use std::time::{Duration, Instant};
use transom_messages::{Line, Operator};
use transom_types::{ProgramName, TransId, UserId};
use transom_workers::seam::{AttachBlock, TaskEnd};
use transom_workers::{Pool, PoolConfig, TaskOptions, TaskReply};

/// Longest any task of a test may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// The compiled modules; made once.
pub(crate) fn modules() -> &'static Path {
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    DIR.get_or_init(|| {
        let base =
            option_env!("CARGO_TARGET_TMPDIR").map_or_else(std::env::temp_dir, PathBuf::from);
        let dir = base.join("transom-workers-modules");
        std::fs::create_dir_all(&dir).expect("folder");
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        cobol::compile_all(&data, &dir);
        let loan = std::fs::read_to_string(data.join("LOAN.cbl")).expect("source");
        // So much storage is put back in another way.
        let big = loan
            .replace("LOAN.", "LOANBIG.")
            .replace("X(10)", "X(400000)");
        cobol::compile("LOANBIG", &big, &dir);
        dir
    })
}

/// A pool and what it logged.
pub(crate) struct Region {
    pub(crate) pool: Arc<Pool>,
    pub(crate) log: Arc<Mutex<Vec<Line>>>,
    next: AtomicU32,
}

impl Region {
    /// With the defaults of the tests, changed by `f`.
    pub(crate) fn start(f: impl FnOnce(&mut PoolConfig)) -> Self {
        let log = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&log);
        let mut config = PoolConfig::new(std::env::current_exe().expect("own path"));
        config.max_workers = 30;
        config.min_idle = 1;
        config.max_tasks = 400;
        config.shared_bytes = 32 << 20;
        config.dump_dir = modules().to_path_buf();
        config.module_dirs = vec![modules().to_path_buf()];
        let dir = modules().to_string_lossy().into_owned();
        config
            .environment
            .push((commands::MODULES_VARIABLE.into(), dir));
        config.operator = Operator::new(move |line| sink.lock().expect("log").push(line));
        f(&mut config);
        let pool = Arc::new(Pool::start(config).expect("the pool starts"));
        Self {
            pool,
            log,
            next: AtomicU32::new(1),
        }
    }

    /// Attaches a task; its reply comes over the channel.
    pub(crate) fn attach(&self, program: &str, input: &[u8]) -> (u32, mpsc::Receiver<TaskReply>) {
        let number = self.next.fetch_add(1, Ordering::SeqCst);
        #[expect(clippy::disallowed_methods, reason = "a test ends by itself")]
        let (tell, told) = mpsc::channel();
        let block = AttachBlock {
            task_number: number,
            transid: TransId::from_field(b"TEST"),
            program: ProgramName::from_field(program.as_bytes()),
            userid: UserId::from_field(b"USER1"),
            input: input.to_vec(),
        };
        let quasirent = !program.starts_with('T');
        let options = TaskOptions {
            quasirent,
            ..TaskOptions::default()
        };
        let done = Box::new(move |reply| drop(tell.send(reply)));
        self.pool.attach(&block, options, done).expect("attached");
        (number, told)
    }

    /// Drains until `told` has the reply.
    pub(crate) fn reply(&self, told: &mpsc::Receiver<TaskReply>) -> TaskReply {
        let end = Instant::now() + PATIENCE;
        loop {
            self.pool.drain_completions();
            if let Ok(reply) = told.try_recv() {
                return reply;
            }
            assert!(
                Instant::now() < end,
                "no reply; log: {:?}; {:?}",
                self.log.lock().expect("log"),
                self.pool
            );
            self.pool.wait_completions(Duration::from_millis(100));
        }
    }

    /// Runs a task to its end.
    pub(crate) fn run(&self, program: &str, input: &[u8]) -> TaskReply {
        let (_, told) = self.attach(program, input);
        self.reply(&told)
    }

    /// Runs a task that must end normally; answers its reply as text.
    pub(crate) fn normal(&self, program: &str, input: &str) -> String {
        let reply = self.run(program, input.as_bytes());
        assert_eq!(
            reply.end,
            TaskEnd::Normal,
            "{:?}",
            self.log.lock().expect("log")
        );
        String::from_utf8_lossy(&reply.reply).into_owned()
    }

    /// Runs a task that must abend; answers code and text.
    pub(crate) fn abend(&self, program: &str, input: &str) -> (String, String) {
        match self.run(program, input.as_bytes()).end {
            TaskEnd::Abend(code, text) => (code.to_string(), text),
            TaskEnd::Normal => panic!("{program} {input} ended normally"),
        }
    }

    /// Waits until the log has a line with this text.
    pub(crate) fn logged(&self, text: &str) -> Line {
        let end = Instant::now() + PATIENCE;
        loop {
            let lines = self.log.lock().expect("log");
            if let Some(line) = lines.iter().find(|l| l.to_string().contains(text)) {
                return line.clone();
            }
            assert!(Instant::now() < end, "not logged: {text}; but {lines:?}");
            drop(lines);
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
