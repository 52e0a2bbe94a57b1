//! One step: a program from its PARM to its condition code.
//!
//! What: a pool of one COBOL worker, and the answers to what its program asks. At a normal end SQL
//! is committed, at an abend it is backed out; records of files stay as they were written. Not
//! here: files (`files`), statements of SQL (region/sql), which program and which files
//! (tools/batch).

use crate::ends::{StepEnd, step_end};
use crate::files::{Files, Places, SysOut};
use crate::questions::{FileAnswer, Question};
use crate::worker::Begin;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;
use transom_messages::{Line, Message, Operator, Said, Severity, Source, jb};
use transom_recovery::guard::lock;
use transom_region_sql::SqlSession;
use transom_types::{ProgramName, TransId, UserId};
use transom_wire::sql::{Request, SqlAnswer};
use transom_workers::seam::AttachBlock;
use transom_workers::{Ask, Pool, PoolConfig, PoolError, TaskOptions, TaskReply};

/// How long this process sleeps while the program computes.
const LOOK: Duration = Duration::from_millis(500);
/// Shared memory of a step: what crosses at a time.
const SHARED_BYTES: usize = 192 << 20;

/// Opens a session of SQL for the first statement.
pub type OpenSql = Box<dyn FnMut() -> Result<Box<dyn SqlSession>, NoSql> + Send>;

/// Why there is no session; what the operator is told.
pub struct NoSql(pub String);

/// The next record of SYSIN.
pub type SysIn = Box<dyn FnMut() -> Option<Vec<u8>> + Send>;

/// A program and the process it runs in.
pub struct Step {
    /// The hidden subcommand of this executable whose zygote has [`crate::make_commands`].
    pub zygote: Vec<OsString>,
    pub program: ProgramName,
    /// Its module.
    pub module: PathBuf,
    /// Folder of the modules that it CALLs.
    pub modules: PathBuf,
    pub dumps: PathBuf,
    pub parm: Vec<u8>,
    pub user: UserId,
    pub sysout: SysOut,
    /// Who hears the rest.
    pub operator: Operator,
}

/// What a program asks for.
pub struct Environment {
    pub places: Box<dyn Places + Send>,
    pub sql: OpenSql,
    pub sysin: SysIn,
}

/// A step that did not run, or whose end is not as the program wanted it.
pub type StepError = Message;

/// Runs it to its end.
///
/// # Errors
/// It could not be started, or its SQL could not be committed.
pub fn run(step: Step, environment: Environment) -> Result<StepEnd, StepError> {
    let name = step.program;
    let answers = Arc::new(Mutex::new(Answers {
        files: Files::new(
            environment.places,
            step.operator.clone(),
            step.sysout.clone(),
        ),
        sql: environment.sql,
        session: None,
        sysin: environment.sysin,
        operator: step.operator.clone(),
    }));
    let reply = in_worker(step, &answers).map_err(|why| jb::not_started(name, why))?;
    let code = <[u8; 4]>::try_from(reply.reply.as_slice()).map_or(0, i32::from_be_bytes);
    let end = step_end(&reply.end, code);
    let mut answers = lock(&answers);
    answers.files.end();
    answers.end(matches!(end, StepEnd::Code(_)))?;
    Ok(end)
}

fn in_worker(step: Step, answers: &Arc<Mutex<Answers>>) -> Result<TaskReply, PoolError> {
    let exe = std::env::current_exe().map_err(|error| PoolError::Os {
        doing: "finding the executable",
        error,
    })?;
    let mut config = PoolConfig::new(exe);
    config.zygote_args = step.zygote;
    config.max_workers = 1;
    config.min_idle = 1;
    config.max_tasks = 1;
    config.runaway_ms = 0;
    config.shared_bytes = SHARED_BYTES;
    config.module_dirs = vec![step.modules];
    config.dump_dir = step.dumps;
    let (sysout, others) = (step.sysout, step.operator);
    config.operator = Operator::new(move |line| match (&line.source, &line.said) {
        (Source::Display, Said::Text(text)) => sysout(text),
        // What is said of the process is said of regions.
        _ if line.level == Severity::Information => {}
        _ => others.tell(line),
    });
    // SYSOUT has lines of DISPLAY and of files in the order of the program.
    config.lines_first = true;
    let asked = answers.clone();
    config.ask = Arc::new(move |ask| lock(&asked).answer(ask));
    let pool = Pool::start(config)?;
    let begin = Begin {
        path: step.module.to_string_lossy().into_owned(),
        parm: step.parm,
    };
    let task = AttachBlock {
        task_number: 1,
        transid: TransId::from_field(b"STEP"),
        program: step.program,
        userid: step.user,
        input: begin.encode(),
    };
    let (tell, told) = mpsc::sync_channel(1);
    let done = Box::new(move |reply| drop(tell.send(reply)));
    let options = TaskOptions {
        quasirent: false,
        ..TaskOptions::default()
    };
    let attached = pool.attach(&task, options, done);
    attached.map_err(|why| PoolError::Config(why.to_string()))?;
    loop {
        pool.drain_completions();
        if let Ok(reply) = told.try_recv() {
            // What it displayed is told before the pool has ended.
            pool.stop();
            return Ok(reply);
        }
        if pool.ended().load(std::sync::atomic::Ordering::SeqCst) {
            return Err(PoolError::Zygote("its worker is gone".to_owned()));
        }
        pool.wait_completions(LOOK);
    }
}

/// Who answers the program.
struct Answers {
    files: Files,
    sql: OpenSql,
    session: Option<Box<dyn SqlSession>>,
    sysin: SysIn,
    operator: Operator,
}

impl Answers {
    fn answer(&mut self, ask: Ask) {
        let bytes = match Question::decode(&ask.request) {
            Some(Question::Sql(request)) => self.run(request).encode(),
            Some(Question::End(commit)) => self.ends(commit).encode(),
            Some(Question::File(number, statement)) => {
                self.files.answer(number, statement).encode()
            }
            Some(Question::Accept) => self.accept().encode(),
            // The worker ends the task then.
            None => Vec::new(),
        };
        ask.answer(&bytes);
    }

    fn accept(&mut self) -> FileAnswer {
        let record = (self.sysin)();
        FileAnswer {
            status: if record.is_some() { 0 } else { 10 },
            record,
            slot: 0,
        }
    }

    fn run(&mut self, request: Request) -> SqlAnswer {
        if self.session.is_none() {
            match (self.sql)() {
                Ok(session) => self.session = Some(session),
                Err(NoSql(why)) => {
                    self.operator.tell(Line::heard(why));
                    return SqlAnswer::of(-924, *b"58006");
                }
            }
        }
        let Some(session) = &mut self.session else {
            return SqlAnswer::of(-924, *b"58006");
        };
        let answer = session.run(request);
        if answer.back_out && session.backout().is_err() {
            // The session backs out by itself when it is closed.
            self.session = None;
        }
        answer
    }

    /// COMMIT or ROLLBACK of the program.
    fn ends(&mut self, commit: bool) -> SqlAnswer {
        let ended = match (&mut self.session, commit) {
            (None, _) => return SqlAnswer::done(),
            (Some(session), true) => session.commit(None),
            (Some(session), false) => session.backout(),
        };
        match ended {
            Ok(()) => SqlAnswer::done(),
            Err(why) => {
                self.operator.tell(jb::not_committed(why));
                self.session = None;
                SqlAnswer::of(-924, *b"58006")
            }
        }
    }

    /// The end of the step.
    fn end(&mut self, commit: bool) -> Result<(), Message> {
        let Some(session) = &mut self.session else {
            return Ok(());
        };
        let ended = match commit {
            true => session.commit(None),
            false => session.backout(),
        };
        self.session = None;
        ended.map_err(jb::not_committed)
    }
}
