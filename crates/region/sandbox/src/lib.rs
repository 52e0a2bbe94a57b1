//! What a worker cannot do to the machine and to the region's files.
//!
//! What: the zygote gives up what it has before it loads the first program, a worker the rest
//! before its first task: privileges, the user, files, system calls, core files. Why twice: the
//! zygote forks and ends workers; a worker does neither. Where the kernel lacks a part the region
//! goes on without it and says so. Not here: what programs may CALL, what the region believes of
//! shared memory (`region/workers`).

#![allow(unsafe_code)]

mod account;
mod calls;
mod files;
mod plan;
mod rights;

use std::io;
use transom_messages::{self as messages, Message};

pub use account::leave_root;
pub use plan::Plan;

/// For the zygote, with everything open that is not in the plan; what could not be done.
pub fn enter_zygote(plan: &Plan) -> Result<Vec<Message>, io::Error> {
    let mut said = Vec::new();
    rights::go_first();
    if plan.open {
        said.push(messages::wk::system_calls_allowed());
        return Ok(said);
    }
    rights::limit()?;
    if rights::is_root() {
        match rights::leave_root() {
            Ok(user) => said.push(messages::wk::workers_have_a_user(user)),
            Err(error) => said.push(messages::wk::workers_are_root(&error)),
        }
    } else {
        rights::drop_capabilities()?;
    }
    rights::no_more()?;
    if let Err(error) = files::restrict(plan) {
        said.push(messages::wk::files_not_restricted(&error));
    }
    if let Err(error) = calls::for_zygote() {
        said.push(messages::wk::calls_not_restricted(&error));
    }
    Ok(said)
}

/// For a worker, a fork of a zygote that has [entered](enter_zygote).
pub fn enter_worker(plan: &Plan) {
    if !plan.open {
        // The zygote has said it where filters cannot be.
        let _ = calls::for_worker();
    }
}
