//! Health as MicroProfile Health has it: a status, and the checks it comes from.
//!
//! What: live (the process answers), started (the region has taken up what was left, run PLTPI and
//! opened its listeners), ready (it takes work). 200 with `UP`, 503 with `DOWN`. Not here: why a
//! region is not ready.

use crate::desk::Desk;
use crate::reply::{self, JSON, Reply};
use hyper::StatusCode;
use serde_json::{Value, json};
use transom_region_api::Stage;

/// This answer is the check.
pub(crate) fn live() -> Reply {
    answer(&[("process", true)])
}

/// Once it has started it stays so.
pub(crate) fn started(desk: &Desk) -> Reply {
    answer(&[("region", has_started(desk))])
}

/// It takes work now.
pub(crate) fn ready(desk: &Desk) -> Reply {
    answer(&[("region", is_ready(desk))])
}

/// All three.
pub(crate) fn all(desk: &Desk) -> Reply {
    answer(&[
        ("process", true),
        ("region-started", has_started(desk)),
        ("region", is_ready(desk)),
    ])
}

fn has_started(desk: &Desk) -> bool {
    desk.opened.get().is_some() && desk.overview.stage() != Stage::Starting
}

pub(crate) fn is_ready(desk: &Desk) -> bool {
    desk.opened.get().is_some() && desk.overview.stage() == Stage::Running
}

fn answer(checks: &[(&str, bool)]) -> Reply {
    let word = |up: bool| if up { "UP" } else { "DOWN" };
    let up = checks.iter().all(|(_, up)| *up);
    let check = |(name, up): &(&str, bool)| json!({"name": name, "status": word(*up)});
    let checks: Vec<Value> = checks.iter().map(check).collect();
    let body = json!({"status": word(up), "checks": checks});
    let status = match up {
        true => StatusCode::OK,
        false => StatusCode::SERVICE_UNAVAILABLE,
    };
    reply::document(status, JSON, body.to_string())
}
