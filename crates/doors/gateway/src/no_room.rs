//! The answer for whose connection there is no room: it is sent before any request is read.
//!
//! Not here: replies to requests (`errors`).

use crate::errors::RETRY_SECONDS;

/// The answer as it travels.
pub(crate) fn answer() -> Vec<u8> {
    let body =
        r#"{"errorMessage":"BAQR0424W: The server takes no more connections at the moment."}"#;
    format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: \
         {RETRY_SECONDS}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
