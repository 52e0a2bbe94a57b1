//! CSPG: paging commands typed behind the transaction's name.
//!
//! During a paging session the region takes the commands itself; this is for `CSPG` at a terminal
//! whose messages are not shown by themselves (ATI(NO)), and to say that there are none.

use super::session::Session;
use transom_region_commands::ask_region;
use transom_wire::bms::PageRequest;
use transom_wire::terminal::{Asked, Request};
use transom_workers::seam::Outcome;

/// CSPG.
pub(super) fn run(session: &mut Session<'_>) -> Outcome {
    let typed = session.receive().text.into_bytes();
    let own = session.terminal();
    let request = Request::Page(PageRequest::Command(typed));
    let said = ask_region(session.host, &Asked { own, request }).data;
    match String::from_utf8_lossy(&said).into_owned() {
        said if said.is_empty() => Outcome::Return,
        said => session.end(&said),
    }
}
