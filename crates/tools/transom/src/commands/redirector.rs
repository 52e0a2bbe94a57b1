//! `transom redirector`: everything of it is the door's.

use super::output::print;
use transom_log::operator;
use transom_redirector::RedirectorArgs;

pub(crate) fn run(args: &RedirectorArgs) -> Result<(), String> {
    let run = transom_redirector::run(args, &operator(), print, transom_log::serve);
    run.map_err(|e| e.to_string())
}
