//! Console support: messages to the operator.

pub(crate) mod perform_shutdown;
pub(crate) mod write_operator;
