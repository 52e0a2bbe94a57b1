//! What the run time is asked for a statement.

use transom_commands::sql::Verb;
use transom_sql::{
    Count, Describe, Described, Diagnostic, Fetch, Kind, Orientation, Position, Role, Statement,
    Text, Using,
};

/// A question to the run time.
#[derive(Debug)]
pub(crate) struct Ask {
    pub(crate) verb: Verb,
    /// Cursor or prepared statement.
    pub(crate) cursor: Option<String>,
    /// A text other than the statement's own.
    pub(crate) text: Option<String>,
    /// The statement's own text is sent.
    pub(crate) sends_text: bool,
    /// Host variables that are filled, where the statement itself does not say so.
    outputs: Vec<usize>,
    /// Host variables the run time reads by itself, and that are given with the values.
    controls: Vec<usize>,
    /// SQLDAs.
    descriptors: Vec<usize>,
    /// Host variable of FOR n ROWS.
    rows: Option<usize>,
}

impl Ask {
    fn new(verb: Verb) -> Self {
        Self {
            verb,
            cursor: None,
            text: None,
            sends_text: false,
            outputs: Vec::new(),
            controls: Vec::new(),
            descriptors: Vec::new(),
            rows: None,
        }
    }

    fn of(verb: Verb, cursor: &str) -> Self {
        Self {
            cursor: Some(cursor.to_owned()),
            ..Self::new(verb)
        }
    }

    /// The whole statement with its values.
    pub(crate) fn whole() -> Self {
        Self::sent(Verb::Execute)
    }

    fn sent(verb: Verb) -> Self {
        Self {
            sends_text: true,
            ..Self::new(verb)
        }
    }

    /// It names a cursor of the program.
    pub(crate) fn is_of_cursor(&self) -> bool {
        matches!(
            self.verb,
            Verb::Open | Verb::Fetch | Verb::FetchRows | Verb::Close
        )
    }

    /// Its host variables may be arrays, or must be.
    pub(crate) fn has_arrays(&self) -> bool {
        matches!(self.verb, Verb::FetchRows | Verb::InsertRows)
    }

    /// Host variable `n` is none of the statement's values.
    pub(crate) fn is_control(&self, n: usize) -> bool {
        self.controls.contains(&n)
    }

    /// Host variable `n` is that of FOR n ROWS.
    pub(crate) fn is_count(&self, n: usize) -> bool {
        self.rows == Some(n)
    }

    /// Host variable `n` is an SQLDA that is passed.
    pub(crate) fn is_descriptor(&self, n: usize) -> bool {
        self.descriptors.contains(&n)
    }

    fn with(mut self, using: &Using) -> Self {
        match using {
            Using::None => {}
            Using::Hosts(hosts) => self.controls.clone_from(hosts),
            Using::Descriptor(n) => self.descriptors.push(*n),
        }
        self
    }

    /// Whether host variable `n` is filled; `None`: it is not passed.
    pub(crate) fn direction(&self, n: usize, role: Role) -> Option<bool> {
        match role {
            Role::Input => Some(self.outputs.contains(&n)),
            Role::Output => Some(true),
            Role::Control if self.controls.contains(&n) => Some(false),
            Role::Both | Role::Control | Role::Descriptor => None,
        }
    }
}

/// A statement that leaves no CALL behind.
pub(crate) fn is_declaration(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::DeclareCursor(_)
            | Kind::DeclareTable(_)
            | Kind::DeclareStatement(_)
            | Kind::DeclareVariable
            | Kind::BeginDeclareSection
            | Kind::EndDeclareSection
            // What is not supplied was told where it is copied.
            | Kind::Include(_)
            | Kind::Whenever { .. }
    )
}

/// What a statement asks; `None`: nothing. The error says what is not done.
pub(crate) fn ask(statement: &Statement, text: &str) -> Result<Option<Ask>, String> {
    let kind = &statement.kind;
    if is_declaration(kind) {
        return Ok(None);
    }
    Ok(Some(match kind {
        Kind::SelectInto | Kind::ValuesInto => Ask::sent(Verb::Select),
        Kind::Insert {
            rows: Some(rows), ..
        } => {
            let mut ask = Ask::sent(Verb::InsertRows);
            match rows {
                Count::Number(rows) => ask.cursor = Some(rows.to_string()),
                Count::Host(n) => ask.rows = Some(*n),
            }
            ask
        }
        Kind::Insert { .. }
        | Kind::Update { .. }
        | Kind::Delete { .. }
        | Kind::Merge
        | Kind::Truncate
        | Kind::CreateTable(_)
        | Kind::AlterTable(_)
        | Kind::CreateIndex { .. }
        | Kind::CreateView(_)
        | Kind::CreateSequence { .. }
        | Kind::CreateAlias { .. }
        | Kind::Drop { .. }
        | Kind::LockTable { .. }
        | Kind::SetRegister(_)
        | Kind::Savepoint { .. }
        | Kind::ReleaseSavepoint { .. }
        | Kind::Rollback { savepoint: Some(_) }
        | Kind::Nothing(_) => Ask::sent(Verb::Execute),
        Kind::Open { cursor, using } => Ask::of(Verb::Open, cursor).with(using),
        Kind::Close { cursor } => Ask::of(Verb::Close, cursor),
        Kind::Fetch(fetch) => fetched(fetch)?,
        Kind::Commit { .. } => Ask::new(Verb::Commit),
        Kind::Rollback { savepoint: None } => Ask::new(Verb::Rollback),
        Kind::Prepare {
            name,
            from,
            attributes: None,
            into,
        } => {
            let mut ask = given(Ask::of(Verb::Prepare, name), from);
            ask.descriptors.extend(into);
            ask
        }
        Kind::Execute { name, using } => Ask::of(Verb::ExecutePrepared, name).with(using),
        Kind::Describe(describe) => described(describe, text)?,
        Kind::GetDiagnostics(items) => diagnosed(items)?,
        Kind::ExecuteImmediate { from } => given(Ask::new(Verb::ExecuteImmediate), from),
        other => return Err(refused(other, text)),
    }))
}

/// A statement that is not done, with the reason where there is one.
fn refused(kind: &Kind, text: &str) -> String {
    let why = match kind {
        Kind::Call { .. } => {
            "no engine has the procedures of Db2 (SQL PL, or a load module in an address space of its own)"
        }
        Kind::AssociateLocators { .. }
        | Kind::AllocateCursor { .. }
        | Kind::Describe(Describe {
            what: Described::Cursor(_) | Described::Procedure(_),
            ..
        }) => "result sets are those of procedures, and there is no CALL",
        Kind::Connect { .. } => "there is one database, and nothing else to connect to",
        Kind::FreeLocator | Kind::HoldLocator => {
            "a LOB is read as a whole, and there are no locators"
        }
        Kind::Prepare {
            attributes: Some(_),
            ..
        } => "ATTRIBUTES belong into the text of the SELECT",
        Kind::DeclareTemporary(_) => {
            "a unit of work with a temporary table cannot be prepared by PostgreSQL"
        }
        _ => return words(text),
    };
    format!("{} ({why})", words(text))
}

fn fetched(fetch: &Fetch) -> Result<Ask, String> {
    if fetch.continues {
        return Err("FETCH WITH CONTINUE".to_owned());
    }
    let several = fetch.rowset.is_some();
    if several && matches!(fetch.into, Using::Descriptor(_)) {
        return Err("FETCH of several rows by an SQLDA".to_owned());
    }
    let verb = if several {
        Verb::FetchRows
    } else {
        Verb::Fetch
    };
    let mut ask = Ask::of(verb, &fetch.cursor);
    match &fetch.into {
        Using::None => {}
        Using::Hosts(hosts) => ask.outputs.clone_from(hosts),
        Using::Descriptor(n) => ask.descriptors.push(*n),
    }
    let (word, position) = orientation(fetch.orientation);
    let mut text = match position {
        None => word.to_owned(),
        Some(Position::Number(n)) => format!("{word} {n}"),
        Some(Position::Host(n)) => {
            ask.controls = vec![n];
            format!("{word} ?")
        }
    };
    match fetch.rowset.flatten() {
        None => {}
        Some(Count::Number(rows)) => text += &format!(" FOR {rows}"),
        Some(Count::Host(n)) => ask.rows = Some(n),
    }
    ask.text = Some(text);
    Ok(ask)
}

/// The text of a dynamic statement: a constant, or the first value.
fn given(mut ask: Ask, from: &Text) -> Ask {
    match from {
        Text::Constant(text) => ask.text = Some(text.clone()),
        Text::Host(n) => ask.controls = vec![*n],
    }
    ask
}

/// DESCRIBE of a prepared statement, with the names of its columns.
fn described(describe: &Describe, text: &str) -> Result<Ask, String> {
    let (mut ask, what) = match &describe.what {
        Described::Output(name) => (Ask::of(Verb::Describe, name), "OUTPUT"),
        Described::Input(name) => (Ask::of(Verb::Describe, name), "INPUT"),
        Described::Table(name) => {
            let mut ask = Ask::new(Verb::DescribeTable);
            ask.controls.push(*name);
            (ask, "")
        }
        Described::Cursor(_) | Described::Procedure(_) => {
            return Err(refused(&Kind::Describe(describe.clone()), text));
        }
    };
    if let Some(using) = describe.using.filter(|using| *using != "NAMES") {
        return Err(format!("DESCRIBE USING {using}"));
    }
    ask.text = Some(what.to_owned());
    ask.descriptors.push(describe.into);
    Ok(ask)
}

/// Items of GET DIAGNOSTICS that the run time knows, of the statement and of its conditions.
const DIAGNOSTICS: &[&str] = &[
    "ROW_COUNT",
    "NUMBER",
    "MORE",
    "DB2_NUMBER_ROWS",
    "DB2_LAST_ROW",
    "DB2_ROW_NUMBER",
    "RETURNED_SQLSTATE",
    "DB2_RETURNED_SQLCODE",
    "MESSAGE_TEXT",
    "MESSAGE_LENGTH",
];

fn diagnosed(items: &[Diagnostic]) -> Result<Ask, String> {
    let mut names = Vec::new();
    for item in items {
        if !DIAGNOSTICS.contains(&item.item.as_str()) {
            return Err(format!("GET DIAGNOSTICS {}", item.item));
        }
        names.push(item.item.clone());
    }
    let mut ask = Ask::new(Verb::Diagnostics);
    let condition = match items.first().and_then(|item| item.condition) {
        None => String::new(),
        Some(Count::Number(n)) => format!("CONDITION {n}:"),
        Some(Count::Host(n)) => {
            ask.controls.push(n);
            "CONDITION ?:".to_owned()
        }
    };
    ask.text = Some(condition + &names.join(","));
    Ok(ask)
}

fn orientation(orientation: Orientation) -> (&'static str, Option<Position>) {
    match orientation {
        Orientation::Next => ("NEXT", None),
        Orientation::Prior => ("PRIOR", None),
        Orientation::First => ("FIRST", None),
        Orientation::Last => ("LAST", None),
        Orientation::Current => ("CURRENT", None),
        Orientation::Before => ("BEFORE", None),
        Orientation::After => ("AFTER", None),
        Orientation::Absolute(at) => ("ABSOLUTE", Some(at)),
        Orientation::Relative(by) => ("RELATIVE", Some(by)),
    }
}

/// The first words of a statement, for a message.
fn words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(3).collect();
    words.join(" ")
}
