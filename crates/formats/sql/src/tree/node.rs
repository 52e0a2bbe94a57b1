//! Expressions, conditions, queries and changes. They are in each other, so they are in one file.

use super::words::{
    Alias, Comparison, Isolation, Join, Literal, Name, Operator, Quantifier, SetOperator, Tail,
    Unit,
};
use crate::problem::At;
use crate::registers::Register;
use crate::types::Type;

#[derive(Debug, Clone)]
pub(crate) enum Expr {
    /// With its kind of token: integer, decimal, float, string, hexadecimal.
    Literal(Literal),
    Null,
    /// Where a value is assigned.
    Default,
    Column {
        qualifier: Option<Name>,
        name: String,
        at: At,
    },
    /// Index among the host variables of the statement.
    Host(usize, At),
    /// Number of the parameter marker, from 0.
    Marker(usize),
    Register(Register),
    Negate(Box<Expr>, At),
    /// Operators of one rank, from left to right.
    Chain(Box<Expr>, Vec<(Operator, Expr, At)>),
    Call(Call),
    /// COUNT(*) or COUNT_BIG(*)
    CountAll {
        big: bool,
    },
    Case {
        operand: Option<Box<Expr>>,
        whens: Vec<(Condition, Expr)>,
        otherwise: Option<Box<Expr>>,
        at: At,
    },
    Cast(Box<Expr>, Type, At),
    /// `n DAYS`
    Duration(Box<Expr>, Unit),
    Select(Box<Query>, At),
    /// NEXT VALUE FOR, or PREVIOUS VALUE FOR.
    Sequence {
        name: Name,
        next: bool,
    },
    /// `ROW_NUMBER() OVER (...)` and the like.
    Window(Box<Window>),
}

#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) schema: Option<String>,
    pub(crate) name: String,
    pub(crate) distinct: bool,
    pub(crate) arguments: Vec<Expr>,
    /// A keyword argument: ISO of `CHAR(D, ISO)`, LEADING of TRIM, DAY of EXTRACT.
    pub(crate) keyword: Option<String>,
    pub(crate) at: At,
}

#[derive(Debug, Clone)]
pub(crate) struct Window {
    pub(crate) call: Call,
    pub(crate) partition: Vec<Expr>,
    pub(crate) order: Vec<Order>,
}

#[derive(Debug, Clone)]
pub(crate) enum Condition {
    And(Vec<Condition>),
    Or(Vec<Condition>),
    Not(Box<Condition>),
    /// One expression or a row on each side.
    Compare(Vec<Expr>, Comparison, Vec<Expr>, At),
    Quantified(Expr, Comparison, Quantifier, Box<Query>, At),
    Between {
        negated: bool,
        value: Expr,
        low: Expr,
        high: Expr,
        at: At,
    },
    Like {
        negated: bool,
        value: Expr,
        pattern: Expr,
        escape: Option<Expr>,
        at: At,
    },
    In {
        negated: bool,
        value: Vec<Expr>,
        list: Vec<Expr>,
        at: At,
    },
    InSelect {
        negated: bool,
        value: Vec<Expr>,
        query: Box<Query>,
        at: At,
    },
    Null {
        negated: bool,
        value: Expr,
    },
    Exists(Box<Query>),
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Query {
    pub(crate) with: Vec<Common>,
    pub(crate) body: Body,
    pub(crate) order: Vec<Order>,
    /// FETCH FIRST n ROWS ONLY.
    pub(crate) first: Option<Expr>,
    pub(crate) offset: Option<Expr>,
    pub(crate) tail: Tail,
}

#[derive(Debug, Clone)]
pub(crate) struct Common {
    pub(crate) name: String,
    pub(crate) columns: Vec<String>,
    pub(crate) query: Query,
}

#[derive(Debug, Clone)]
pub(crate) enum Body {
    Select(Box<Select>),
    /// Operands of UNION and the like, from left to right; the flag is ALL.
    Set(Box<Body>, Vec<(SetOperator, bool, Body)>),
    Nested(Box<Query>),
    /// Rows of a dynamic VALUES.
    Values(Vec<Vec<Expr>>, At),
}

impl Default for Body {
    fn default() -> Self {
        Self::Values(Vec::new(), At::default())
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Select {
    pub(crate) distinct: bool,
    pub(crate) items: Vec<Item>,
    pub(crate) from: Vec<Table>,
    pub(crate) filter: Option<Condition>,
    pub(crate) group: Vec<Expr>,
    pub(crate) having: Option<Condition>,
    pub(crate) at: At,
}

#[derive(Debug, Clone)]
pub(crate) enum Item {
    /// `*`
    All(At),
    /// `T.*`
    AllOf(Name, At),
    Value(Expr, Option<String>),
}

#[derive(Debug, Clone)]
pub(crate) struct Order {
    pub(crate) value: Expr,
    pub(crate) descending: bool,
    /// NULLS FIRST or LAST, where it is said.
    pub(crate) nulls_first: Option<bool>,
}

#[derive(Debug, Clone)]
pub(crate) enum Table {
    Named {
        name: Name,
        alias: Option<Alias>,
        at: At,
    },
    Derived {
        query: Box<Query>,
        alias: Option<Alias>,
    },
    /// FINAL TABLE, OLD TABLE of a change.
    Changed {
        old: bool,
        change: Box<Change>,
        at: At,
    },
    Join {
        left: Box<Table>,
        kind: Join,
        right: Box<Table>,
        on: Option<Box<Condition>>,
    },
}

#[derive(Debug, Clone)]
pub(crate) enum Change {
    Insert(Insert),
    Update(Update),
    Delete(Delete),
    Merge(Box<Merge>),
    Truncate(Name, At),
}

#[derive(Debug, Clone)]
pub(crate) struct Insert {
    pub(crate) table: Name,
    pub(crate) columns: Vec<(String, At)>,
    pub(crate) source: Source,
    pub(crate) at: At,
}

#[derive(Debug, Clone)]
pub(crate) enum Source {
    Values(Vec<Vec<Expr>>),
    Query(Box<Query>),
}

/// Which rows: those of a condition, or the one a cursor is at.
#[derive(Debug, Clone)]
pub(crate) enum Rows {
    All,
    Where(Box<Condition>),
    Current,
}

#[derive(Debug, Clone)]
pub(crate) struct Assignment {
    pub(crate) column: String,
    pub(crate) value: Expr,
    pub(crate) at: At,
}

#[derive(Debug, Clone)]
pub(crate) struct Update {
    pub(crate) table: Name,
    pub(crate) alias: Option<String>,
    pub(crate) set: Vec<Assignment>,
    pub(crate) rows: Rows,
    pub(crate) isolation: Option<Isolation>,
    pub(crate) at: At,
}

#[derive(Debug, Clone)]
pub(crate) struct Delete {
    pub(crate) table: Name,
    pub(crate) alias: Option<String>,
    pub(crate) rows: Rows,
    pub(crate) first: Option<Expr>,
    pub(crate) isolation: Option<Isolation>,
    pub(crate) at: At,
}

#[derive(Debug, Clone)]
pub(crate) struct Merge {
    pub(crate) table: Name,
    pub(crate) alias: Option<String>,
    /// Rows of VALUES.
    pub(crate) source: Vec<Vec<Expr>>,
    pub(crate) source_alias: Alias,
    pub(crate) on: Condition,
    pub(crate) branches: Vec<Branch>,
    pub(crate) at: At,
}

#[derive(Debug, Clone)]
pub(crate) struct Branch {
    pub(crate) matched: bool,
    pub(crate) condition: Option<Condition>,
    pub(crate) action: Action,
}

#[derive(Debug, Clone)]
pub(crate) enum Action {
    Update(Vec<Assignment>),
    Delete,
    Insert(Vec<(String, At)>, Vec<Expr>),
}
