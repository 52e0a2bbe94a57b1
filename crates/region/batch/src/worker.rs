//! A step in its worker: what its program asks becomes questions to the process that started it.
//!
//! What: the first program with its PARM, file statements as the C edge has them, EXEC SQL. Not
//! here: who answers (`step`).

use crate::edge;
use crate::questions::{
    AccessMode, Comparison, Described, FileAnswer, FileOrganization, OpenMode, Question, RecordKey,
    Statement,
};
use transom_hostvariables::{Asks, ProgramSql, Ran};
use transom_types::{AbendCode, ProgramName, UserId};
use transom_wire::sql::{Request, SqlAnswer};
use transom_wire::{Module, language};
use transom_workers::seam::{
    AbendAction, Area, Call, Commands, FileCall, Host, Outcome, Reply, SqlCall, TaskEnd, TaskStart,
};

language! {
    /// What a step begins with.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Begin {
        /// Its shared object.
        pub path: String,
        pub parm: Vec<u8>,
    }
}

/// Storage behind PARM is zeros up to a multiple of this: programs describe more than there is.
const PARM_ROOM: usize = 512;

/// The words of a request of the edge (`edge/files.c`).
mod word {
    pub(super) const STATEMENT: usize = 0;
    pub(super) const FILE: usize = 1;
    pub(super) const ORGANIZATION: usize = 2;
    pub(super) const ACCESS: usize = 3;
    pub(super) const MODE: usize = 4;
    pub(super) const OPTIONAL: usize = 5;
    pub(super) const RECORD_MIN: usize = 6;
    pub(super) const RECORD_MAX: usize = 7;
    pub(super) const OPTION: usize = 8;
    pub(super) const COMPARISON: usize = 9;
    pub(super) const KEY: usize = 10;
    pub(super) const FEATURES: usize = 11;
    pub(super) const SLOT: usize = 12;
    pub(super) const LENGTH: usize = 13;
    pub(super) const STATUS: usize = 14;
    pub(super) const COUNT: usize = 15;
}

/// Items of a file statement.
mod item {
    pub(super) const REQUEST: usize = 0;
    pub(super) const RECORD: usize = 1;
    pub(super) const DD: usize = 2;
    pub(super) const NAME: usize = 3;
    pub(super) const KEYS: usize = 4;
    pub(super) const VALUE: usize = 5;
}

const WORD: usize = size_of::<u32>();

/// What runs in the workers of steps; the executable hands it to its zygote.
pub fn make_commands() -> Box<dyn Commands> {
    Box::new(StepCommands {
        kept: ProgramSql::default(),
        user: UserId::from_field(b""),
        has_files: edge::files_of_step(),
    })
}

struct StepCommands {
    kept: ProgramSql,
    user: UserId,
    has_files: bool,
}

impl Commands for StepCommands {
    fn task_start(
        &mut self,
        host: &mut dyn Host,
        task: &TaskStart<'_>,
    ) -> Result<(Module, Area), (AbendCode, String)> {
        let refused = |text: &str| (AbendCode::ASRA, text.to_owned());
        if !self.has_files {
            return Err(refused("libcob has no file statements"));
        }
        let begin = Begin::decode(task.input).ok_or_else(|| refused("the step is damaged"))?;
        self.user = task.userid;
        let length = u16::try_from(begin.parm.len()).map_err(|_| refused("PARM is too long"))?;
        let parm = [&length.to_be_bytes()[..], &begin.parm].concat();
        let bytes = parm.len().next_multiple_of(PARM_ROOM);
        let address = host.getmain(bytes, Some(0));
        let address = address.ok_or_else(|| refused("there is no storage for PARM"))?;
        host.memory_mut(address, parm.len()).copy_from_slice(&parm);
        let module = Module {
            program: task.program,
            path: begin.path,
            quasirent: false,
            cics_key: false,
        };
        Ok((module, Area { address, bytes }))
    }

    fn has_eib(&self) -> bool {
        false
    }

    fn execute(&mut self, _: &mut dyn Host, call: &mut dyn Call) -> Outcome {
        let line = call.line();
        let text = format!("EXEC CICS at line {line}: a step of a job has no region");
        Outcome::Abend(AbendCode::ASRA, text)
    }

    fn sql(&mut self, host: &mut dyn Host, call: &mut dyn SqlCall) -> Outcome {
        let (kept, user) = (&mut self.kept, self.user);
        transom_hostvariables::execute(&mut StepSql { host, kept, user }, call)
    }

    fn file(&mut self, host: &mut dyn Host, call: &mut dyn FileCall) -> Outcome {
        match file(host, call) {
            Some(()) => Outcome::Continue,
            None => Outcome::Abend(
                AbendCode::ASRA,
                "what is known of a file was overwritten".to_owned(),
            ),
        }
    }

    fn late_module(&mut self, _: &mut dyn Host, _: ProgramName) -> bool {
        false
    }

    fn level_ended(&mut self, _: &mut dyn Host) -> Outcome {
        Outcome::Continue
    }

    fn abend_of_bad_output(&self) -> AbendCode {
        AbendCode::ASRA
    }

    fn abend(&mut self, _: &mut dyn Host, _: usize, _: AbendCode, _: &str) -> AbendAction {
        AbendAction::EndTask
    }

    fn task_end(&mut self, host: &mut dyn Host, _: &TaskEnd) -> Reply {
        Reply::of(host.return_code().to_be_bytes().to_vec())
    }
}

/// Who asks for a statement of EXEC SQL.
struct StepSql<'a> {
    host: &'a mut dyn Host,
    kept: &'a mut ProgramSql,
    user: UserId,
}

impl StepSql<'_> {
    fn answer(&mut self, question: &Question) -> Ran {
        let answer = SqlAnswer::decode(&self.host.ask_region(&question.encode()));
        let lost = || (AbendCode::ASRA, "there is no answer of SQL".to_owned());
        let answer = answer.ok_or_else(lost)?;
        if answer.back_out {
            self.kept.unit_ended(true);
        }
        Ok(answer)
    }
}

impl Asks for StepSql<'_> {
    fn host(&mut self) -> &mut dyn Host {
        self.host
    }

    fn user(&self) -> UserId {
        self.user
    }

    fn kept(&mut self) -> &mut ProgramSql {
        self.kept
    }

    fn ask(&mut self, request: &Request) -> Ran {
        self.answer(&Question::Sql(request.clone()))
    }

    fn end(&mut self, commit: bool) -> Ran {
        let answer = self.answer(&Question::End(commit))?;
        if answer.code >= 0 {
            self.kept.unit_ended(!commit);
        }
        Ok(answer)
    }
}

/// Carries out a file statement; `None`: the request is none.
fn file(host: &mut dyn Host, call: &mut dyn FileCall) -> Option<()> {
    let words = words(call.bytes(item::REQUEST))?;
    let question = match words[word::STATEMENT] {
        9 => Question::Accept,
        _ => Question::File(words[word::FILE], statement(call, &words)?),
    };
    let answer = FileAnswer::decode(&host.ask_region(&question.encode()))?;
    if let Some(record) = &answer.record {
        let area = call.bytes_mut(item::RECORD);
        let common = record.len().min(area.len());
        area[..common].copy_from_slice(&record[..common]);
        area[common..].fill(b' ');
        set(call, word::LENGTH, u32::try_from(record.len()).ok()?)?;
    }
    if answer.slot != 0 {
        set(call, word::SLOT, answer.slot)?;
    }
    set(call, word::STATUS, answer.status.into())
}

fn words(request: &[u8]) -> Option<[u32; word::COUNT]> {
    let mut words = [0; word::COUNT];
    for (word, bytes) in words.iter_mut().zip(request.chunks_exact(WORD)) {
        *word = u32::from_ne_bytes(bytes.try_into().ok()?);
    }
    (request.len() == word::COUNT * WORD).then_some(words)
}

fn set(call: &mut dyn FileCall, word: usize, value: u32) -> Option<()> {
    let request = call.bytes_mut(item::REQUEST);
    let place = request.get_mut(word * WORD..(word + 1) * WORD)?;
    place.copy_from_slice(&value.to_ne_bytes());
    Some(())
}

fn statement(call: &dyn FileCall, words: &[u32; word::COUNT]) -> Option<Statement> {
    let slot = words[word::SLOT];
    let (key, value) = (words[word::KEY], || call.bytes(item::VALUE).to_vec());
    let area = call.bytes(item::RECORD);
    // A record longer than its area is refused where lengths are.
    let record = || {
        let length = words[word::LENGTH] as usize;
        let mut record = area.get(..length).unwrap_or(area).to_vec();
        record.resize(length.min(area.len() + 1), 0);
        record
    };
    Some(match words[word::STATEMENT] {
        1 => Statement::Open {
            file: described(call, words)?,
            mode: OpenMode::decode(&[words[word::MODE].try_into().ok()?])?,
        },
        2 => Statement::Close {
            lock: words[word::OPTION] == 1,
        },
        3 => Statement::Next,
        4 => Statement::Read {
            key,
            value: value(),
            slot,
        },
        5 => Statement::Write {
            record: record(),
            slot,
            option: words[word::OPTION],
        },
        6 => Statement::Rewrite {
            record: record(),
            slot,
        },
        7 => Statement::Delete {
            record: area.to_vec(),
            slot,
        },
        8 => Statement::Start {
            comparison: comparison(words[word::COMPARISON])?,
            key,
            value: value(),
            slot,
        },
        _ => return None,
    })
}

/// COB_EQ and the others.
fn comparison(code: u32) -> Option<Comparison> {
    Some(match code {
        1 => Comparison::Equal,
        2 => Comparison::Less,
        3 => Comparison::NotGreater,
        4 => Comparison::Greater,
        5 => Comparison::NotLess,
        _ => return None,
    })
}

fn described(call: &dyn FileCall, words: &[u32; word::COUNT]) -> Option<Described> {
    let text = |n| -> String { call.bytes(n).iter().map(|b| char::from(*b)).collect() };
    let keys = call.bytes(item::KEYS).chunks_exact(2 * WORD);
    let keys = keys.map(|key| {
        let number = |n: usize| {
            let bytes = key.get(n * WORD..(n + 1) * WORD)?;
            Some(u32::from_ne_bytes(bytes.try_into().ok()?))
        };
        Some(RecordKey {
            offset: number(0)?,
            length: number(1)?,
        })
    });
    Some(Described {
        name: text(item::NAME),
        dd: text(item::DD).trim().to_ascii_uppercase(),
        organization: FileOrganization::decode(&[words[word::ORGANIZATION].try_into().ok()?])?,
        access: AccessMode::decode(&[words[word::ACCESS].try_into().ok()?])?,
        optional: words[word::OPTIONAL] != 0,
        record_min: words[word::RECORD_MIN],
        record_max: words[word::RECORD_MAX],
        keys: keys.collect::<Option<_>>()?,
        linage: words[word::FEATURES] & 1 != 0,
        print: words[word::FEATURES] & 2 != 0,
    })
}
