//! What reading API definitions gives: the value, or the problem that made it impossible.
//!
//! A problem ending in `W` or `I` comes beside a usable value. Not here: what a problem is
//! (`transom-messages`).

use transom_messages::Problem;

/// Reading gives the value or the first problem that made it impossible.
pub type Result<T> = std::result::Result<T, Problem>;
