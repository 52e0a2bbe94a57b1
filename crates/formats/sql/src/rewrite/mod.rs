//! A statement as the text of an engine.
//!
//! What: numbered parameters, types of parameters and result columns, and what the engine cannot do
//! and the run time must. Why: what an engine does otherwise than Db2 becomes a `db2_*` function of
//! the engine's room or a refusal, never another result. Not here: running it.
//!
//! What SQLite must bring: the functions of [`crate::engine_functions`]; a collation DB2, in which
//! blanks at the end do not count; DECIMAL and DECFLOAT values that tell their own type and sort by
//! value as they are; quotes that make names and never strings (SQLITE_DBCONFIG_DQS_DML off).

mod api;
mod arithmetic;
mod assign;
mod calls;
mod changes;
mod column_types;
mod conditions;
mod constants;
mod definitions;
mod engine_names;
mod expressions;
mod grouping;
mod inserts;
mod merges;
mod ordering;
mod passing;
mod quantified;
mod queries;
mod readable;
mod schema;
mod scope;
mod scopes;
mod selects;
mod sets;
mod table;
mod tables;
mod typed;
mod values;
mod writer;

use crate::problem::SqlProblem;
use crate::statement::{Statement, Tree};
use writer::Writer;

pub use api::{Dialect, Parameter, ResultColumn, Rewritten, Setting, Value};
pub use column_types::engine_type;
pub use engine_names::engine_name;
pub(crate) use readable::readable;
pub(crate) use table::{ROWS, TABLE};

/// The text of a statement for an engine; `None`: there is nothing to send, the run time does it
/// alone (FETCH, WHENEVER, COMMIT).
pub fn rewrite(
    statement: &Statement,
    setting: &Setting<'_>,
) -> Result<Option<Rewritten>, SqlProblem> {
    let mut writer = Writer::new(*setting);
    let rewritten = match &statement.tree {
        Tree::None => return Ok(None),
        Tree::Query(query) => writer.statement_query(query, &statement.kind)?,
        Tree::Values(values) => writer.statement_values(values)?,
        Tree::Change(change) => writer.statement_change(change)?,
        Tree::Definition(definition) => match writer.statement_definition(definition)? {
            Some(rewritten) => rewritten,
            None => return Ok(None),
        },
    };
    Ok(Some(rewritten))
}
