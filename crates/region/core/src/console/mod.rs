//! Console support: messages to the operator.

pub(crate) mod write_operator;
