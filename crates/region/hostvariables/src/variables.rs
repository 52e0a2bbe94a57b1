//! Host variables of a call: which items belong together.
//!
//! Not here: their values.

use transom_commands::sql::Role;
use transom_workers::seam::SqlCall;

/// The items of a role with what belongs to each: length and indicator.
pub(crate) struct Variable {
    pub(crate) item: usize,
    pub(crate) length: Option<usize>,
    pub(crate) indicator: Option<usize>,
}

/// Host variables that are given, or filled, in order.
pub(crate) fn variables(call: &dyn SqlCall, filled: bool) -> Vec<Variable> {
    let mut out: Vec<Variable> = Vec::new();
    let mut length = None;
    // The last item is one of those that are asked for.
    let mut mine = false;
    for (n, role) in call.roles().into_iter().enumerate() {
        match role {
            Role::InputLength | Role::OutputLength => length = Some(n),
            Role::Input | Role::Output => {
                mine = (role == Role::Output) == filled;
                let length = length.take();
                if mine {
                    out.push(Variable {
                        item: n,
                        length,
                        indicator: None,
                    });
                }
            }
            Role::Indicator if mine => {
                if let Some(last) = out.last_mut() {
                    last.indicator = Some(n);
                }
            }
            Role::Indicator
            | Role::Sqlca
            | Role::Sqlcode
            | Role::Sqlstate
            | Role::Descriptor
            | Role::Count => {}
        }
    }
    out
}
