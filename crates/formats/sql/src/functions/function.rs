//! What is said of a function.

/// A function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Function {
    /// As Db2 writes it.
    pub name: &'static str,
    /// Other names of it.
    pub aliases: &'static [&'static str],
    /// Least and most arguments.
    pub arguments: (usize, usize),
    pub kind: FunctionKind,
    pub(crate) result: Rule,
    /// For the page: what is to be known of it.
    pub note: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionKind {
    /// `db2_name(arguments, type of the first, type of the result)`, registered with the engine.
    Own,
    /// As `Own`, of the rows of a group.
    OwnAggregate,
    /// The engine's own function of this name has the same meaning.
    Engine,
    /// The same, of the rows of a group.
    EngineAggregate,
    /// Only with OVER.
    Window,
    /// Db2 has it and Transom does not.
    Refused,
}

/// How the type of a result follows from those of the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    Fixed(crate::types::Type),
    First,
    /// A VARCHAR of the length of the first.
    Varying,
    /// One type for all arguments.
    Common,
    /// A rule of its own, by the name.
    Own,
}

/// A function the engine's room registers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineFunction {
    /// In lower case: `db2_substr`.
    pub name: String,
    /// Least and most arguments, the codes of types at the end among them.
    pub arguments: (usize, usize),
    pub aggregate: bool,
}
