//! Functions of Db2: which there are, what they take, what type they give.
//!
//! Why one table: the rewriter writes by it, the engine's room registers what it names, and the
//! reference page shows it. Not here: what a function computes.

mod function;
mod result;
mod table;

pub use function::{EngineFunction, Function, FunctionKind};
pub(crate) use result::{Arguments, common, concatenation, result};

/// What the rewriter calls that is no function of Db2: operators, conversions, constants.
#[rustfmt::skip]
const OPERATORS: &[(&str, usize, bool, &str)] = &[
    ("db2_exact", 2, false, "a number, or its digits, as a DECIMAL or DECFLOAT of the type whose code follows"),
    ("db2_chars", 1, false, "the characters whose bytes in the code page are these hexadecimal digits"),
    ("db2_fail", 1, false, "no value: the statement ends with this SQLCODE"),
    ("db2_only", 1, true, "the value of the only row; -811 when there are more"),
    ("db2_sum_distinct", 3, true, "SUM of values that differ"),
    ("db2_avg_distinct", 3, true, "AVG of values that differ"),
    ("db2_add", 5, false, "sum; -802 beyond the type of the result"),
    ("db2_subtract", 5, false, "difference of numbers, or the duration between two dates, times or timestamps"),
    ("db2_multiply", 5, false, "product; -802 beyond the type of the result"),
    ("db2_divide", 5, false, "quotient, cut off to the type of the result; -802 for zero"),
    ("db2_negate", 3, false, "negative number"),
    ("db2_add_duration", 5, false, "date, time or timestamp, number, unit (Y M D H N S U, P: duration), codes"),
    ("db2_subtract_duration", 5, false, "the same, backwards"),
    ("db2_convert", 3, false, "a value as the type of the result, as Db2 assigns it: cut off, padded, checked (-302, -404, -406, -407, -180)"),
    ("db2_concat", 5, false, "strings one behind the other"),
    ("db2_like", 3, false, "value, pattern, escape or NULL: Db2's LIKE, which knows case and blanks at the end"),
    ("db2_nextval", 1, false, "NEXT VALUE of the sequence"),
    ("db2_prevval", 1, false, "PREVIOUS VALUE of the sequence; -845"),
    ("db2_next_identity", 2, false, "the next number of the identity column: table, column"),
    ("db2_identity", 3, false, "a number given for an identity column: table, column, value"),
];

/// All functions of Db2 that are known by name.
pub fn functions() -> &'static [Function] {
    table::FUNCTIONS
}

/// A function by any of its names.
pub(crate) fn function(name: &str) -> Option<&'static Function> {
    functions()
        .iter()
        .find(|f| f.name == name || f.aliases.contains(&name))
}

/// Every function an engine must have before a rewritten statement runs.
pub fn engine_functions() -> Vec<EngineFunction> {
    let operators = OPERATORS
        .iter()
        .map(|(name, count, aggregate, _)| EngineFunction {
            name: (*name).to_owned(),
            arguments: (*count, *count),
            aggregate: *aggregate,
        });
    let own = functions()
        .iter()
        .filter(|f| matches!(f.kind, FunctionKind::Own | FunctionKind::OwnAggregate));
    let own = own.map(|f| EngineFunction {
        name: format!("db2_{}", f.name.to_lowercase()),
        // A keyword (ISO, OCTETS) is one more; STRIP is always written with side and character.
        arguments: match f.name {
            "STRIP" => (5, 5),
            _ => (f.arguments.0 + 2, f.arguments.1 + 3),
        },
        aggregate: f.kind == FunctionKind::OwnAggregate,
    });
    operators.chain(own).collect()
}

/// Operators with what they do, for the page.
pub(crate) fn operators() -> impl Iterator<Item = (&'static str, usize, &'static str)> {
    OPERATORS
        .iter()
        .map(|(name, count, _, note)| (*name, *count, *note))
}
