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
}

/// When counting starts and when everything stops.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    pub(crate) from: Instant,
    pub(crate) until: Instant,
}

enum Outcome {
    Good(usize),
    Bad(fn(&mut Failures) -> &mut u64),
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
        let outcome = outcome.unwrap_or(Outcome::Bad(|f| &mut f.timeout));
        if now >= window.from && now <= window.until {
            count(&mut counts.borrow_mut(), &outcome, now - sent, now.into());
        }
        if matches!(outcome, Outcome::Bad(_)) {
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
        Outcome::Bad(kind) => {
            *kind(&mut counts.failures) += 1;
            counts.moments.failed(now);
        }
    }
}

async fn transaction(plan: &Plan, connection: &mut Option<SendRequest<Full<Bytes>>>) -> Outcome {
    let mut sender = match connection.take().filter(|c| !c.is_closed()) {
        Some(sender) => sender,
        None => match connect(plan).await {
            Some(sender) => sender,
            None => return Outcome::Bad(|f| &mut f.connect),
        },
    };
    if sender.ready().await.is_err() {
        return Outcome::Bad(|f| &mut f.broken);
    }
    let Ok(reply) = sender.send_request(request(plan)).await else {
        return Outcome::Bad(|f| &mut f.broken);
    };
    let status = reply.status();
    let Ok(body) = reply.into_body().collect().await else {
        return Outcome::Bad(|f| &mut f.broken);
    };
    let body = body.to_bytes();
    *connection = Some(sender);
    judge(plan, status, &body)
}

fn judge(plan: &Plan, status: StatusCode, body: &[u8]) -> Outcome {
    if status.is_client_error() {
        return Outcome::Bad(|f| &mut f.status_4xx);
    }
    if status.is_server_error() {
        return Outcome::Bad(|f| &mut f.status_5xx);
    }
    let expected = plan.expect.as_ref().is_none_or(|text| {
        text.is_empty() || body.windows(text.len()).any(|w| w == text.as_slice())
    });
    if !status.is_success() || !expected {
        return Outcome::Bad(|f| &mut f.unexpected);
    }
    Outcome::Good(body.len())
}

async fn connect(plan: &Plan) -> Option<SendRequest<Full<Bytes>>> {
    let socket = TcpStream::connect(plan.address).await.ok()?;
    socket.set_nodelay(true).ok()?;
    let (sender, connection) = handshake(TokioIo::new(socket)).await.ok()?;
    tokio::task::spawn_local(async move {
        // How the connection ends shows in the request that was on it.
        let _ended = connection.await;
    });
    Some(sender)
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
