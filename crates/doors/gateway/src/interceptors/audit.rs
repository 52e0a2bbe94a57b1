//! Audit records: SMF type 123 subtype 1 version 2 as one JSON object per line.
//!
//! Field names are those of the public record description "API provider data from SMF type 123
//! subtype 1 version 2 records". z/OS packs up to 20 request sections into one record; here each
//! line is complete in itself. Times are RFC 3339 text instead of store-clock values. Fields that
//! have no meaning off z/OS (sysplex, job, STOKEN) are left out.

use super::time::stamp;
use super::{AuditOptions, Finished};
use hyper::header::HeaderMap;
use std::fmt::Write as _;
use std::time::SystemTime;

/// Header values beyond this are cut, bytes (the record has 64 per header).
const HEADER_BYTES: usize = 64;
/// Headers a record has room for.
const HEADERS: usize = 4;

/// The record of a request.
pub(crate) fn audit_line(request: &Finished<'_>, options: &AuditOptions) -> String {
    let mut line = String::with_capacity(1_024);
    outcome(&mut line, request, options);
    way(&mut line, request);
    let (asked, answered) = (request.request_headers, request.response_headers);
    headers(
        &mut line,
        "SMF123S1_REQ_HDR",
        asked,
        &options.request_headers,
    );
    headers(
        &mut line,
        "SMF123S1_RESP_HDR",
        answered,
        &options.response_headers,
    );
    line.push('}');
    line
}

/// Which record this is, how the request ended, who made it.
fn outcome(line: &mut String, request: &Finished<'_>, options: &AuditOptions) {
    line.push_str("{\"SMF123_REC_TYPE\":123,\"SMF123_SSI\":\"ZCON\",\"SMF123_SUBTYPE\":1");
    number(
        line,
        "SMF123_SUBTYPE_VERSION",
        u64::from(options.version.max(1)),
    );
    text(line, "SMF123_SERVER_VERSION", env!("CARGO_PKG_VERSION"));
    number(line, "SMF123S1_REQ_TYPE", request.kind as u64);
    number(line, "SMF123S1_HTTP_RESP_CODE", u64::from(request.status));
    number(line, "SMF123S1_REQ_TIMED_OUT", u64::from(request.timed_out));
    text(line, "SMF123S1_REQ_ID", &request.number.to_string());
    text(line, "SMF123S1_USER_NAME", request.user);
    text(line, "SMF123S1_USER_NAME_MAPPED", request.region_user);
    text(line, "SMF123S1_CLIENT_IP_ADDR", &request.client.to_string());
}

/// What was asked for, when, and which way it went through the region.
fn way(line: &mut String, request: &Finished<'_>) {
    text(line, "SMF123S1_API_NAME", request.api.0);
    text(line, "SMF123S1_API_VERSION", request.api.1);
    text(line, "SMF123S1_SERVICE_NAME", request.service.0);
    text(line, "SMF123S1_SERVICE_VERSION", request.service.1);
    text(line, "SMF123S1_REQ_METHOD", request.method);
    text(line, "SMF123S1_REQ_TARGET_URI", request.path);
    text(line, "SMF123S1_REQ_QUERY_STR", request.query);
    number(line, "SMF123S1_REQ_PAYLOAD_LEN", request.bytes_in as u64);
    number(line, "SMF123S1_RESP_PAYLOAD_LEN", request.bytes_out as u64);
    time(line, "SMF123S1_TIME_ZC_ENTRY", Some(request.entry));
    time(line, "SMF123S1_TIME_ZC_EXIT", Some(request.exit));
    time(line, "SMF123S1_TIME_SOR_SENT", request.sent);
    time(line, "SMF123S1_TIME_SOR_RECV", request.received);
    text(line, "SMF123S1_SOR_REFERENCE", request.connection);
    text(line, "SMF123S1_SOR_RESOURCE", request.program);
    text(line, "SMF123S1_TRACKING_TOKEN", &request.task.to_string());
}

fn headers(line: &mut String, field: &str, map: &HeaderMap, names: &[String]) {
    for (index, name) in names.iter().take(HEADERS).enumerate() {
        let Some(value) = map.get(name.as_str()) else {
            continue;
        };
        let value = String::from_utf8_lossy(value.as_bytes());
        let end = (0..=value.len().min(HEADER_BYTES))
            .rev()
            .find(|i| value.is_char_boundary(*i));
        let kept = &value[..end.unwrap_or(0)];
        text(
            line,
            &format!("{field}{}", index + 1),
            &format!("{name}: {kept}"),
        );
    }
}

fn number(line: &mut String, name: &str, value: u64) {
    let _ = write!(line, ",\"{name}\":{value}");
}

fn time(line: &mut String, name: &str, value: Option<SystemTime>) {
    let Some(value) = value else { return };
    let _ = write!(line, ",\"{name}\":\"");
    stamp(line, value);
    line.push('"');
}

fn text(line: &mut String, name: &str, value: &str) {
    let _ = write!(line, ",\"{name}\":\"");
    json_text(line, value);
    line.push('"');
}

/// Appends text with JSON escapes.
pub(crate) fn json_text(line: &mut String, value: &str) {
    for c in value.chars() {
        match c {
            '"' => line.push_str("\\\""),
            '\\' => line.push_str("\\\\"),
            c if c < ' ' => {
                let _ = write!(line, "\\u{:04x}", c as u32);
            }
            c => line.push(c),
        }
    }
}
