//! What the user of a task may do, as far as it was asked.

use std::collections::HashMap;
use transom_types::UserId;
use transom_wire::security::Answer;

/// What the region answered in this task.
#[derive(Default)]
pub struct Remembered(pub HashMap<(UserId, &'static str, String), Answer>);
