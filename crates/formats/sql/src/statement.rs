//! A statement as a run time sees it: what it does, and its host variables.
//!
//! Why apart from the tree: translator and run time need names, counts and directions, and nothing
//! of expressions. Not here: reading (`parse`), the text for an engine (`rewrite`).

use crate::catalog::TableDefinition;
use crate::problem::At;
use crate::registers::Register;
use crate::tree::Name;
use crate::tree::definition::Definition;
use crate::tree::node::Change;
use crate::tree::node::Expr;
use crate::tree::node::Query;
use crate::tree::node::Rows;
use crate::tree::words::Isolation;

/// One SQL statement.
#[derive(Debug, Clone)]
pub struct Statement {
    pub kind: Kind,
    /// In the order of the text.
    pub hosts: Vec<HostVariable>,
    /// How many parameter markers it has.
    pub markers: usize,
    pub(crate) tree: Tree,
}

impl Statement {
    /// It is an UPDATE or DELETE without WHERE.
    pub fn changes_all_rows(&self) -> bool {
        let Tree::Change(change) = &self.tree else {
            return false;
        };
        match &**change {
            Change::Update(update) => matches!(update.rows, Rows::All),
            Change::Delete(delete) => matches!(delete.rows, Rows::All),
            _ => false,
        }
    }
}

/// What of a statement is sent to an engine.
#[derive(Debug, Clone)]
pub(crate) enum Tree {
    None,
    /// A query, and how many values INTO takes.
    Query(Box<Query>),
    /// Values without a table: VALUES INTO, SET.
    Values(Vec<Expr>),
    Change(Box<Change>),
    Definition(Box<Definition>),
}

/// A host variable where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostVariable {
    /// In upper case, without colon.
    pub name: String,
    /// The structure in front of the period.
    pub qualifier: Option<String>,
    /// Indicator variable, or array of a structure.
    pub indicator: Option<Indicator>,
    pub role: Role,
    pub at: At,
    /// Offset behind it and its indicator.
    pub end: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indicator {
    pub name: String,
    pub qualifier: Option<String>,
}

/// What a host variable is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Its value goes to the engine.
    Input,
    /// It gets a value.
    Output,
    /// A parameter of CALL: the procedure says.
    Both,
    /// Text of a statement, of a name or a position: the run time reads it itself.
    Control,
    /// An SQLDA.
    Descriptor,
}

/// What a statement does.
#[derive(Debug, Clone)]
pub enum Kind {
    /// A SELECT or VALUES without INTO: prepared, of a script or a cursor.
    Query,
    /// SELECT .. INTO.
    SelectInto,
    /// VALUES .. INTO, and SET of host variables; one value for each target.
    ValuesInto,
    /// SET of a special register; its value is the only column of the rewritten text.
    SetRegister(Register),
    DeclareCursor(Cursor),
    Open {
        cursor: String,
        using: Using,
    },
    Fetch(Fetch),
    Close {
        cursor: String,
    },
    Insert {
        /// FOR n ROWS.
        rows: Option<Count>,
        /// NOT ATOMIC CONTINUE ON SQLEXCEPTION.
        atomic: bool,
    },
    Update {
        current: Option<Current>,
    },
    Delete {
        current: Option<Current>,
    },
    Merge,
    Truncate,
    Prepare {
        name: String,
        from: Text,
        /// Index of the host variable with ATTRIBUTES.
        attributes: Option<usize>,
        /// INTO :SQLDA
        into: Option<usize>,
    },
    Execute {
        name: String,
        using: Using,
    },
    ExecuteImmediate {
        from: Text,
    },
    Describe(Describe),
    GetDiagnostics(Vec<Diagnostic>),
    Whenever {
        condition: Whenever,
        action: Action,
    },
    Include(String),
    DeclareTable(TableDefinition),
    DeclareStatement(Vec<String>),
    /// DECLARE :V VARIABLE CCSID ..
    DeclareVariable,
    BeginDeclareSection,
    EndDeclareSection,
    /// DECLARE GLOBAL TEMPORARY TABLE SESSION.T
    DeclareTemporary(TableDefinition),
    Commit {
        /// WITH HOLD or the like is not said: a cursor's own HOLD counts.
        work: bool,
    },
    Rollback {
        /// `Some(None)`: to the last savepoint.
        savepoint: Option<Option<String>>,
    },
    Savepoint {
        name: String,
        unique: bool,
    },
    ReleaseSavepoint {
        name: String,
    },
    Call {
        procedure: Target,
        descriptor: Option<usize>,
    },
    AssociateLocators {
        procedure: Target,
    },
    AllocateCursor {
        cursor: String,
        locator: usize,
    },
    LockTable {
        table: Name,
        exclusive: bool,
    },
    /// CONNECT TO, RESET, SET CONNECTION, RELEASE.
    Connect {
        server: Option<Target>,
        verb: &'static str,
    },
    FreeLocator,
    HoldLocator,
    CreateTable(TableDefinition),
    /// The columns that are added.
    AlterTable(TableDefinition),
    CreateIndex {
        name: Name,
        table: Name,
        unique: bool,
    },
    CreateView(Name),
    CreateSequence {
        name: Name,
        numbers: crate::tree::words::Numbers,
    },
    CreateAlias {
        name: Name,
        of: Name,
    },
    /// What kind of object (`TABLE`), and which.
    Drop {
        kind: &'static str,
        name: Name,
    },
    /// Storage, authority, remarks: accepted, and nothing is to be done.
    Nothing(String),
}

/// A name, or the index of the host variable that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    Named(Name),
    Host(usize),
}

/// Text of a statement: a constant, or the index of a host variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Text {
    Constant(String),
    Host(usize),
}

/// A number, or the index of the host variable that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    Number(u32),
    Host(usize),
}

/// Where values of parameter markers come from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Using {
    #[default]
    None,
    /// Indices of host variables.
    Hosts(Vec<usize>),
    Descriptor(usize),
}

/// WHERE CURRENT OF.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Current {
    pub cursor: String,
    /// FOR ROW n OF ROWSET.
    pub row: Option<Count>,
}

#[derive(Debug, Clone)]
pub struct Cursor {
    pub name: String,
    pub hold: bool,
    /// WITH RETURN.
    pub returns: bool,
    pub rowset: bool,
    pub scroll: Scroll,
    pub source: CursorSource,
    /// FOR UPDATE OF; `Some` and empty: of any column.
    pub update: Option<Vec<String>>,
    /// FOR READ ONLY or FOR FETCH ONLY.
    pub read_only: bool,
    pub isolation: Option<Isolation>,
}

/// Whether a cursor moves freely, and what it sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scroll {
    #[default]
    No,
    Asensitive,
    Insensitive,
    SensitiveStatic,
    SensitiveDynamic,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CursorSource {
    /// The SELECT of the declaration: rewrite the statement.
    Query,
    /// The statement that was prepared under this name.
    Prepared(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetch {
    pub cursor: String,
    pub orientation: Orientation,
    /// ROWSET: FOR n ROWS; `Some(None)`: as many as the last time, or one.
    pub rowset: Option<Option<Count>>,
    /// BEFORE and AFTER, and a FETCH without INTO.
    pub into: Using,
    /// WITH CONTINUE, and FETCH CURRENT CONTINUE.
    pub continues: bool,
    /// SENSITIVE, or INSENSITIVE.
    pub sensitive: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Orientation {
    Next,
    Prior,
    First,
    Last,
    Current,
    Before,
    After,
    /// With its sign.
    Absolute(Position),
    Relative(Position),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    Number(i64),
    Host(usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Describe {
    pub what: Described,
    /// Index of the host variable of INTO.
    pub into: usize,
    /// USING NAMES, LABELS, ANY, BOTH.
    pub using: Option<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Described {
    /// Columns of a prepared statement.
    Output(String),
    /// Parameter markers.
    Input(String),
    Table(usize),
    Cursor(String),
    Procedure(Target),
}

/// One `:HOST = ITEM` of GET DIAGNOSTICS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub host: usize,
    pub item: String,
    /// CONDITION n; none: of the statement.
    pub condition: Option<Count>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whenever {
    NotFound,
    SqlError,
    SqlWarning,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    Continue,
    /// A paragraph or section.
    GoTo(String),
    /// DO PERFORM is none of Db2's; it is read so that it can be refused with its name.
    Do(String),
}
