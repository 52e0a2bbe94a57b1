//! One client: a keep-alive connection that sends, waits and thinks.

use crate::moments::Moments;
use crate::options::Mode;
use crate::plan::Plan;
use crate::result::Failures;
use crate::timer::Timer;
use bytes::Bytes;
use hdrhistogram::Histogram;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until, timeout_at};

/// What all clients of a step count into.
pub(crate) struct Counts {
    /// Response times of good replies, microseconds.
    pub(crate) times: Histogram<u64>,
    pub(crate) failures: Failures,
    pub(crate) reply_bytes: u64,
    pub(crate) moments: Moments,
    /// Why requests failed, each reason once, as they came.
    pub(crate) reasons: Vec<String>,
}

/// Reasons that are kept of a step.
const REASONS_MAX: usize = 3;
/// Characters of a bad reply that are kept.
const REPLY_MAX: usize = 200;

/// When counting starts and when everything stops.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    pub(crate) from: Instant,
    pub(crate) until: Instant,
}

enum Outcome {
    Good(usize),
    Bad(fn(&mut Failures) -> &mut u64, String),
}

/// Wait before a client whose connection was refused tries again.
const RETRY: Duration = Duration::from_millis(100);

/// Runs until the window closes.
pub(crate) async fn client(
    plan: Rc<Plan>,
    start: Instant,
    window: Window,
    counts: Rc<RefCell<Counts>>,
    timer: Timer,
) {
    sleep_until(start).await;
    let mut connection: Option<SendRequest<Full<Bytes>>> = None;
    let mut due = start;
    while Instant::now() < window.until {
        // In paced mode a late request counts from the time it was due.
        let sent = if plan.mode == Mode::Paced {
            due
        } else {
            Instant::now()
        };
        let limit = (Instant::now() + plan.timeout).min(window.until + plan.timeout);
        let outcome = timeout_at(limit, transaction(&plan, &mut connection)).await;
        let now = Instant::now();
        let outcome = outcome.unwrap_or_else(|_| {
            let limit = plan.timeout.as_millis();
            Outcome::Bad(|f| &mut f.timeout, format!("no reply within {limit} ms"))
        });
        if now >= window.from && now <= window.until {
            count(&mut counts.borrow_mut(), &outcome, now - sent, now.into());
        }
        if matches!(outcome, Outcome::Bad(..)) {
            connection = None;
            sleep_until(now + RETRY.min(plan.think.max(Duration::from_millis(1)))).await;
        }
        match plan.mode {
            Mode::Closed if plan.think.is_zero() => {}
            Mode::Closed => timer.sleep_until((now + plan.think).into()).await,
            Mode::Paced => {
                due += plan.think.max(Duration::from_millis(1));
                timer.sleep_until(due.into()).await;
            }
        }
    }
}

fn count(counts: &mut Counts, outcome: &Outcome, time: Duration, now: std::time::Instant) {
    match outcome {
        Outcome::Good(bytes) => {
            counts
                .times
                .saturating_record(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
            counts.reply_bytes += *bytes as u64;
            counts.moments.good(now, time);
        }
        Outcome::Bad(kind, reason) => {
            *kind(&mut counts.failures) += 1;
            if counts.reasons.len() < REASONS_MAX && !counts.reasons.contains(reason) {
                counts.reasons.push(reason.clone());
            }
            counts.moments.failed(now);
        }
    }
}

async fn transaction(plan: &Plan, connection: &mut Option<SendRequest<Full<Bytes>>>) -> Outcome {
    let mut sender = match connection.take().filter(|c| !c.is_closed()) {
        Some(sender) => sender,
        None => match connect(plan).await {
            Ok(sender) => sender,
            Err(why) => {
                let reason = format!("no connection to {}: {}", plan.address, why.kind());
                return Outcome::Bad(|f| &mut f.connect, reason);
            }
        },
    };
    if let Err(why) = sender.ready().await {
        return broken(&why);
    }
    let reply = match sender.send_request(request(plan)).await {
        Ok(reply) => reply,
        Err(why) => return broken(&why),
    };
    let status = reply.status();
    let body = match reply.into_body().collect().await {
        Ok(body) => body,
        Err(why) => return broken(&why),
    };
    let body = body.to_bytes();
    *connection = Some(sender);
    judge(plan, status, &body)
}

fn broken(why: &hyper::Error) -> Outcome {
    Outcome::Bad(|f| &mut f.broken, format!("the connection broke: {why}"))
}

/// What a bad reply says, as far as people read it.
fn shown(status: StatusCode, body: &[u8]) -> String {
    let text = String::from_utf8_lossy(&body[..body.len().min(4 * REPLY_MAX)]);
    let words: Vec<&str> = text.split_whitespace().collect();
    let plain = |c: char| if c.is_control() { '?' } else { c };
    let text: String = words.join(" ").chars().map(plain).take(REPLY_MAX).collect();
    match text.is_empty() {
        true => format!("status {status}"),
        false => format!("status {status}: {text}"),
    }
}

fn judge(plan: &Plan, status: StatusCode, body: &[u8]) -> Outcome {
    if status.is_client_error() {
        return Outcome::Bad(|f| &mut f.status_4xx, shown(status, body));
    }
    if status.is_server_error() {
        return Outcome::Bad(|f| &mut f.status_5xx, shown(status, body));
    }
    let expected = plan.expect.as_ref().is_none_or(|text| {
        text.is_empty() || body.windows(text.len()).any(|w| w == text.as_slice())
    });
    if !status.is_success() {
        return Outcome::Bad(|f| &mut f.unexpected, shown(status, body));
    }
    if !expected {
        let reason = format!("not the expected text: {}", shown(status, body));
        return Outcome::Bad(|f| &mut f.unexpected, reason);
    }
    Outcome::Good(body.len())
}

async fn connect(plan: &Plan) -> std::io::Result<SendRequest<Full<Bytes>>> {
    let socket = TcpStream::connect(plan.address).await?;
    socket.set_nodelay(true)?;
    let shaken = handshake(TokioIo::new(socket)).await;
    let (sender, connection) = shaken.map_err(std::io::Error::other)?;
    tokio::task::spawn_local(async move {
        // How the connection ends shows in the request that was on it.
        let _ended = connection.await;
    });
    Ok(sender)
}

fn request(plan: &Plan) -> Request<Full<Bytes>> {
    let mut request = Request::new(Full::new(plan.body.clone()));
    *request.method_mut() = plan.method.clone();
    *request.uri_mut() = plan.path.clone();
    let headers = request.headers_mut();
    headers.insert(hyper::header::HOST, plan.host.clone());
    for (name, value) in &plan.headers {
        headers.append(name.clone(), value.clone());
    }
    request
}
