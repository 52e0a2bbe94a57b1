//! Telling the operator something.
//!
//! What: a line for the operator, and the handle every room has to send one. Why: region, doors and
//! tools say what they have to say in one way, with level and fields, and know no log. Not here:
//! where lines go, how they look and what time it is; that is the sink's, which the executable
//! brings. Whatever comes between (a queue, a file, another format) comes into the sink.

use crate::{Message, Severity};
use std::fmt;
use std::sync::Arc;

/// One thing to tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// How urgent it is: of a message its severity, unless the room knows better.
    pub level: Severity,
    /// Who says it.
    pub source: Source,
    /// The task it is about; 0: none.
    pub task: u32,
    /// Whose task that is, where it is known.
    pub who: Option<Box<Who>>,
    /// What is said.
    pub said: Said,
    /// What else is known, by name.
    pub fields: Vec<(&'static str, String)>,
}

/// Whose a task is; a name is empty where there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Who {
    /// Its transaction.
    pub transaction: String,
    /// Its terminal.
    pub terminal: String,
    /// Its user.
    pub user: String,
}

impl Who {
    /// Of names that may be padded; `None`: all of them are empty.
    pub fn new(transaction: &str, terminal: &str, user: &str) -> Option<Self> {
        let name = |padded: &str| padded.trim_end().to_owned();
        let who = Self {
            transaction: name(transaction),
            terminal: name(terminal),
            user: name(user),
        };
        let known = who.names().any(|(_, name)| !name.is_empty());
        known.then_some(who)
    }

    /// Each of them with what it is.
    pub fn names(&self) -> impl Iterator<Item = (&'static str, &str)> {
        [
            ("transaction", self.transaction.as_str()),
            ("terminal", &self.terminal),
            ("user", &self.user),
        ]
        .into_iter()
    }
}

/// Words with or without an id of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// A message; its inserts are fields, too.
    Message(Message),
    /// Words of a program, of the operating system, or with the id of another product.
    Text(String),
}

/// Where a line comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Source {
    /// The region and what starts and stops it.
    #[default]
    Region,
    /// A command of a program.
    Command,
    /// DISPLAY of a program.
    Display,
    /// A door, while it serves.
    Door,
}

impl Line {
    /// Words without an id of ours.
    pub fn text(level: Severity, text: impl Into<String>) -> Self {
        Self {
            level,
            source: Source::default(),
            task: 0,
            who: None,
            said: Said::Text(text.into()),
            fields: Vec::new(),
        }
    }

    /// Words that come from another process or a worker: an id of ours in front gives the level.
    pub fn heard(text: impl Into<String>) -> Self {
        let text = text.into();
        let level = leading_id(&text).map_or(Severity::Information, Severity::of);
        Self::text(level, text)
    }

    /// The same of another level: a warning for the region can be an error for a client.
    #[must_use]
    pub fn at(mut self, level: Severity) -> Self {
        self.level = level;
        self
    }

    /// The same about a task.
    #[must_use]
    pub fn of_task(mut self, task: u32) -> Self {
        self.task = task;
        self
    }

    /// The same about somebody's task.
    #[must_use]
    pub fn by(mut self, who: Option<Who>) -> Self {
        self.who = who.map(Box::new);
        self
    }

    /// The same with one thing more by name.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.fields.push((name, value.to_string()));
        self
    }

    /// Id of the message; none for words that do not begin with one.
    pub fn id(&self) -> Option<&str> {
        match &self.said {
            Said::Message(message) => Some(message.id()),
            Said::Text(text) => leading_id(text),
        }
    }

    /// Everything known by name: inserts of the message, then fields.
    pub fn all_fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let inserts = match &self.said {
            Said::Message(message) => Some(message.inserts()),
            Said::Text(_) => None,
        };
        let fields = self
            .fields
            .iter()
            .map(|(name, value)| (*name, value.as_str()));
        inserts.into_iter().flatten().chain(fields)
    }
}

fn leading_id(text: &str) -> Option<&'static str> {
    let id = text.split(' ').next().unwrap_or_default();
    crate::lookup(id)
        .map(|page| page.id())
        .filter(|known| *known == id)
}

impl From<Message> for Line {
    fn from(message: Message) -> Self {
        Self {
            level: message.severity(),
            source: Source::default(),
            task: 0,
            who: None,
            said: Said::Message(message),
            fields: Vec::new(),
        }
    }
}

impl fmt::Display for Line {
    /// What is said, with its id.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.said {
            Said::Message(message) => message.fmt(f),
            Said::Text(text) => f.pad(text),
        }
    }
}

type Sink = Arc<dyn Fn(Line) + Send + Sync>;
type Flush = Arc<dyn Fn() + Send + Sync>;

/// The way to the operator. Cloning is cheap; all clones lead to the same sink.
#[derive(Clone)]
pub struct Operator {
    sink: Sink,
    flush: Flush,
    source: Source,
}

impl Operator {
    /// Lines go to `sink`, on the thread that tells.
    pub fn new(sink: impl Fn(Line) + Send + Sync + 'static) -> Self {
        Self {
            sink: Arc::new(sink),
            flush: Arc::new(|| ()),
            source: Source::default(),
        }
    }

    /// The same way for a sink that keeps lines for a while: `flush` waits until they are out, for
    /// so long as a stalled reader is worth.
    #[must_use]
    pub fn with_flush(self, flush: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            flush: Arc::new(flush),
            ..self
        }
    }

    /// Nobody listens.
    pub fn nobody() -> Self {
        Self::new(drop)
    }

    /// The same way for another source.
    #[must_use]
    pub fn of(&self, source: Source) -> Self {
        Self {
            sink: self.sink.clone(),
            flush: self.flush.clone(),
            source,
        }
    }

    /// What was told is out: for who ends the process by itself.
    pub fn flush(&self) {
        (self.flush)();
    }

    /// Tells it.
    pub fn tell(&self, line: impl Into<Line>) {
        let line = Line {
            source: self.source,
            ..line.into()
        };
        (self.sink)(line);
    }
}

impl fmt::Debug for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Operator")
            .field("source", &self.source)
            .finish_non_exhaustive()
    }
}
