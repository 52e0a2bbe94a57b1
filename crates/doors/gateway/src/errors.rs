//! Every failure a client can see: its status and its z/OS Connect error body.
//!
//! The body is `{"errorMessage":"BAQRnnnnW: ...","errorDetails":"..."}`; `< > ' " &` are written as
//! HTML entities (public page "Error responses"). BAQR0417W, BAQR0429W and BAQR0431W are the
//! documented numbers and words of the product; the other numbers are ours in the same form.
//! Nothing else in this crate builds an error reply, but for who has no connection (`no_room`).

use crate::reply_body::ReplyBody;
use hyper::header::{self, HeaderValue};
use hyper::{Response, StatusCode};
use std::fmt::Write as _;
use std::time::Duration;
use transom_region_api::{Fault, LinkFailure};
use transom_types::Resp;

/// Seconds a client is asked to wait before it repeats a request the region was too busy for.
pub(crate) const RETRY_SECONDS: &str = "1";

/// A failure on its way to the client.
#[derive(Debug)]
pub(crate) struct Failure(Box<Parts>);

#[derive(Debug)]
struct Parts {
    status: StatusCode,
    message: String,
    details: Option<String>,
    header: Option<(header::HeaderName, String)>,
    close: bool,
}

/// What a request was about, for the words of a message.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Subject<'a> {
    /// An API by name.
    Api(&'a str),
    /// A service by name.
    Service(&'a str),
}

impl Failure {
    fn new(status: StatusCode, message: String) -> Self {
        Self(Box::new(Parts {
            status,
            message,
            details: None,
            header: None,
            close: false,
        }))
    }

    pub(crate) fn with(mut self, details: impl Into<String>) -> Self {
        self.0.details = Some(details.into());
        self
    }

    fn header(mut self, name: header::HeaderName, value: impl Into<String>) -> Self {
        self.0.header = Some((name, value.into()));
        self
    }

    fn closing(mut self) -> Self {
        self.0.close = true;
        self
    }

    /// The failure is ours or the region's, not the client's.
    pub(crate) fn is_ours(&self) -> bool {
        self.0.status.is_server_error()
    }

    /// Message and details in one line, for logs.
    pub(crate) fn text(&self) -> String {
        match &self.0.details {
            Some(details) => format!("{} {details}", self.0.message),
            None => self.0.message.clone(),
        }
    }

    /// The reply.
    pub(crate) fn response(&self) -> Response<ReplyBody> {
        let mut body = String::with_capacity(256);
        body.push_str("{\"errorMessage\":\"");
        escape(&mut body, &self.0.message);
        if let Some(details) = &self.0.details {
            body.push_str("\",\"errorDetails\":\"");
            escape(&mut body, details);
        }
        body.push_str("\"}");
        let mut response = Response::new(ReplyBody::from(body));
        *response.status_mut() = self.0.status;
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        );
        if let Some((name, value)) = &self.0.header
            && let Ok(value) = HeaderValue::from_str(value)
        {
            headers.insert(name.clone(), value);
        }
        if self.0.close {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

/// Nothing is deployed under this URL.
pub(crate) fn no_route(url: &str) -> Failure {
    Failure::new(
        StatusCode::NOT_FOUND,
        format!("BAQR0434W: No API or service is available under URL {url}."),
    )
}

/// The path exists, not with this method.
pub(crate) fn method_not_allowed(method: &str, url: &str, allow: String) -> Failure {
    Failure::new(
        StatusCode::METHOD_NOT_ALLOWED,
        format!("BAQR0436W: Method {method} is not supported under URL {url}."),
    )
    .header(header::ALLOW, allow)
}

/// A service name that is not installed.
pub(crate) fn no_service(name: &str) -> Failure {
    Failure::new(
        StatusCode::NOT_FOUND,
        format!("BAQR0431W: Service {name} is not available."),
    )
}

/// An API name that is not installed.
pub(crate) fn no_api(name: &str) -> Failure {
    Failure::new(
        StatusCode::NOT_FOUND,
        format!("BAQR0433W: API {name} is not available."),
    )
}

/// An installed API or service that is stopped.
pub(crate) fn stopped(subject: Subject<'_>) -> Failure {
    let message = match subject {
        Subject::Api(name) => format!("BAQR0437W: API {name} is stopped."),
        Subject::Service(name) => format!("BAQR0438W: Service {name} is stopped."),
    };
    Failure::new(StatusCode::SERVICE_UNAVAILABLE, message)
}

/// The payload is no JSON text.
pub(crate) fn not_json(detail: &str) -> Failure {
    Failure::new(
        StatusCode::BAD_REQUEST,
        format!(
            "BAQR0417W: The request payload could not be parsed. A JSON object format payload is \
             expected. Error: {detail}"
        ),
    )
}

/// The request does not fit the interface: a wrong type, a value out of range, a bad parameter.
pub(crate) fn bad_value(subject: Subject<'_>, url: &str, detail: &str) -> Failure {
    encountered(StatusCode::BAD_REQUEST, subject, url).with(detail)
}

/// A body in a format nobody converts.
pub(crate) fn media_type(found: &str) -> Failure {
    Failure::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        format!("BAQR0418W: Content type {found} is not supported; application/json is expected."),
    )
}

/// A compressed body.
pub(crate) fn content_coding(found: &str) -> Failure {
    let text = format!("BAQR0418W: Content coding {found} is not supported; send plain JSON.");
    Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, text)
}

/// An archive under a content type other than zip.
pub(crate) fn not_zip(found: &str) -> Failure {
    Failure::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        format!("BAQR0419W: Content type {found} is not supported; application/zip is expected."),
    )
}

/// A body larger than the listener takes.
pub(crate) fn too_large(limit: u64) -> Failure {
    Failure::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        format!("BAQR0420W: The request payload is larger than {limit} bytes."),
    )
    .closing()
}

/// A body that did not arrive in time.
pub(crate) fn body_time(seconds: u64) -> Failure {
    Failure::new(
        StatusCode::REQUEST_TIMEOUT,
        format!("BAQR0421W: The request payload did not arrive within {seconds} seconds."),
    )
    .closing()
}

/// The bodies of all requests under way need more memory than is set aside.
pub(crate) fn bodies_busy() -> Failure {
    let text = "BAQR0423W: Too many request payloads are being received.".into();
    Failure::new(StatusCode::SERVICE_UNAVAILABLE, text)
        .header(header::RETRY_AFTER, RETRY_SECONDS)
        .closing()
}

/// A body cut short or wrongly framed.
pub(crate) fn body_broken() -> Failure {
    Failure::new(
        StatusCode::BAD_REQUEST,
        "BAQR0422W: The request payload ended early or is not framed as HTTP says.".into(),
    )
    .closing()
}

/// Nobody is logged on, or the password is wrong; which of both is not said.
pub(crate) fn unauthorized(realm: &str) -> Failure {
    let realm: String = realm
        .chars()
        .filter(|c| !c.is_control() && *c != '"')
        .collect();
    Failure::new(
        StatusCode::UNAUTHORIZED,
        "BAQR0410W: The request needs a valid user identifier and password.".into(),
    )
    .header(header::WWW_AUTHENTICATE, format!("Basic realm=\"{realm}\""))
}

/// A user without the role or group an action needs.
pub(crate) fn forbidden(user: &str, needs: &str, url: &str) -> Failure {
    not_authorized(user, url).with(format!("{needs} authority is needed."))
}

/// A user whose name no region can have.
pub(crate) fn no_region_user(user: &str, url: &str) -> Failure {
    not_authorized(user, url)
        .with("Programs run for users whose names have 1 to 8 letters, digits or # @ $.")
}

fn not_authorized(user: &str, url: &str) -> Failure {
    let text = format!("BAQR0435W: User {user} is not authorized for the request under URL {url}.");
    Failure::new(StatusCode::FORBIDDEN, text)
}

/// A page of another site, which no `cors` element allows.
pub(crate) fn other_site(url: &str) -> Failure {
    Failure::new(
        StatusCode::FORBIDDEN,
        format!("BAQR0413W: The request under URL {url} comes from a page of another site."),
    )
    .with("A cors element of server.xml can allow its origin.")
}

/// A client of this machine that names it otherwise.
pub(crate) fn other_host(url: &str) -> Failure {
    Failure::new(
        StatusCode::FORBIDDEN,
        format!("BAQR0414W: The request under URL {url} names another host than this machine."),
    )
    .with("Without a logon the administration interface is for localhost; a proxy needs a logon.")
}

/// An address from which too many passwords were wrong.
pub(crate) fn too_many_logons(wait: Duration) -> Failure {
    Failure::new(
        StatusCode::TOO_MANY_REQUESTS,
        "BAQR0415W: Too many passwords were refused to this address.".into(),
    )
    .header(header::RETRY_AFTER, (wait.as_secs() + 1).to_string())
}

/// Too many passwords are being checked at the moment.
pub(crate) fn logon_busy() -> Failure {
    Failure::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "BAQR0411W: Too many logons at the same time.".into(),
    )
    .header(header::RETRY_AFTER, RETRY_SECONDS)
}

/// TLS is required: the same URL on the secure port, or a refusal when there is none.
pub(crate) fn needs_secure(location: Option<String>) -> Failure {
    match location {
        Some(to) => Failure::new(
            StatusCode::FOUND,
            "BAQR0412W: The request must be sent over HTTPS.".into(),
        )
        .header(header::LOCATION, to),
        None => Failure::new(
            StatusCode::FORBIDDEN,
            "BAQR0412W: The request must be sent over HTTPS, and no HTTPS port is configured."
                .into(),
        ),
    }
}

/// An archive that cannot be deployed.
pub(crate) fn bad_archive(detail: &str) -> Failure {
    let text = "BAQR7100W: The archive is not valid.".into();
    Failure::new(StatusCode::BAD_REQUEST, text).with(detail)
}

/// A deployment that contradicts what is installed.
pub(crate) fn conflict(detail: &str) -> Failure {
    let text = "BAQR7101W: The request conflicts with what is installed.".into();
    Failure::new(StatusCode::CONFLICT, text).with(detail)
}

/// An administration request with parameters nobody understands.
pub(crate) fn bad_request(detail: &str) -> Failure {
    let text = "BAQR7102W: The request is not valid.".into();
    Failure::new(StatusCode::BAD_REQUEST, text).with(detail)
}

/// The gateway itself failed.
pub(crate) fn internal(detail: &str) -> Failure {
    let text = "BAQR7103E: The request failed.".into();
    Failure::new(StatusCode::INTERNAL_SERVER_ERROR, text).with(detail)
}

/// The program's reply does not fit the interface.
pub(crate) fn bad_output(subject: Subject<'_>, url: &str, detail: &str) -> Failure {
    encountered(StatusCode::INTERNAL_SERVER_ERROR, subject, url).with(detail)
}

/// A LINK that did not end normally.
pub(crate) fn link(subject: Subject<'_>, url: &str, program: &str, why: &LinkFailure) -> Failure {
    let status = fault_status(why.fault);
    let failure = encountered(status, subject, url);
    match why.fault {
        Fault::Abend(code) => {
            failure.with(format!("Program {program} ended with abend code {code}."))
        }
        Fault::Refused { resp, resp2 } => failure.with(format!(
            "Program {program} could not be started: condition {resp}, reason {resp2}."
        )),
        Fault::Busy => failure
            .with("The transaction server takes no more work at the moment.")
            .header(header::RETRY_AFTER, RETRY_SECONDS),
        Fault::TimedOut => failure.with(format!(
            "Program {program} did not answer within the request time-out."
        )),
        Fault::Unavailable => failure.with("The transaction server is not available."),
    }
}

/// The HTTP status of a region's fault. Time-outs are 503, as the CICS service provider answers
/// them.
pub(crate) fn fault_status(fault: Fault) -> StatusCode {
    match fault {
        Fault::Abend(_) => StatusCode::INTERNAL_SERVER_ERROR,
        Fault::Refused {
            resp: Resp::NOTAUTH,
            ..
        } => StatusCode::FORBIDDEN,
        Fault::Refused { .. } => StatusCode::INTERNAL_SERVER_ERROR,
        Fault::Busy | Fault::TimedOut | Fault::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}

pub(crate) fn encountered(status: StatusCode, subject: Subject<'_>, url: &str) -> Failure {
    let message = match subject {
        Subject::Api(name) => format!(
            "BAQR0429W: API {name} encountered an error while processing a request under URL {url}."
        ),
        Subject::Service(name) => format!(
            "BAQR0430W: Service {name} encountered an error while processing a request under URL \
             {url}."
        ),
    };
    Failure::new(status, message)
}

/// HTML entities for the five characters the product encodes, JSON escapes for controls.
fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\'' => out.push_str("&#39;"),
            '"' => out.push_str("&quot;"),
            '&' => out.push_str("&amp;"),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_as_the_product_does() {
        let mut out = String::new();
        escape(&mut out, "<a href='x'>\"&\\\t");
        assert_eq!(out, "&lt;a href=&#39;x&#39;&gt;&quot;&amp;\\\\\\u0009");
    }

    #[test]
    fn time_outs_and_busy_regions_are_503() {
        let refused = |resp| Fault::Refused { resp, resp2: 1 };
        assert_eq!(fault_status(Fault::TimedOut), 503);
        assert_eq!(fault_status(Fault::Busy), 503);
        assert_eq!(fault_status(refused(Resp::PGMIDERR)), 500);
        assert_eq!(fault_status(refused(Resp::NOTAUTH)), 403);
    }
}
