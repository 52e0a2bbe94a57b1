//! The file system logger: one readable line per request.

use super::Finished;
use super::time::stamp;
use std::fmt::Write as _;

/// `time client user "METHOD uri" status in out microseconds api service program task`.
pub(crate) fn log_line(request: &Finished<'_>) -> String {
    let mut line = String::with_capacity(256);
    stamp(&mut line, request.entry);
    let micros = request
        .exit
        .duration_since(request.entry)
        .unwrap_or_default()
        .as_micros();
    let _ = write!(
        line,
        " {} {} \"{} {}",
        request.client,
        or_dash(request.user),
        request.method,
        request.path
    );
    if !request.query.is_empty() {
        let _ = write!(line, "?{}", request.query);
    }
    let _ = write!(
        line,
        "\" {} {} {} {} {} {} {} {}",
        request.status,
        request.bytes_in,
        request.bytes_out,
        micros,
        or_dash(request.api.0),
        or_dash(request.service.0),
        or_dash(request.program),
        request.task
    );
    line
}

fn or_dash(text: &str) -> &str {
    if text.is_empty() { "-" } else { text }
}
