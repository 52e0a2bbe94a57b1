//! The handle, and the thread behind it.

use crate::collector::Collector;
use crate::config::OtlpConfig;
use crate::documents::{Attribute, Metric, Span, metrics, traces};
use crate::join::Join;
use crate::queue::Queue;
use crate::request::Request;
use crate::task::Task;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use transom_messages::{self as messages, Operator};
use transom_region_monitoring::TaskSeen;
use transom_telemetry::Access;

/// How long spans are collected before they are sent.
const EVERY: Duration = Duration::from_millis(500);
/// Spans of one document.
const SPANS_MAX: usize = 1_000;
/// Between two lines about a collector that does not answer.
const TOLD_EVERY: Duration = Duration::from_secs(60);
/// How long the end of the process waits for the last spans.
const END: Duration = Duration::from_secs(2);
/// How long what comes is left in the queue, so that not each item wakes the thread.
const REST: Duration = Duration::from_millis(50);

/// Figures of a moment.
pub(crate) type Figures = Box<dyn Fn() -> Vec<Metric> + Send>;

enum Item {
    Request(Box<Request>),
    Task(Box<Task>),
}

/// Is told of requests and tasks. Nobody who tells waits.
pub struct Otlp {
    queue: Queue<Item>,
    sent: AtomicU64,
    lost: AtomicU64,
    figures: Mutex<Option<Figures>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Otlp {
    /// Starts the thread.
    ///
    /// # Errors
    /// There is none to be had.
    pub(crate) fn start(config: OtlpConfig, operator: Operator) -> io::Result<Arc<Self>> {
        let collector = Collector::new(&config)?;
        let me = Arc::new(Self {
            queue: Queue::new(config.queue_max),
            sent: AtomicU64::new(0),
            lost: AtomicU64::new(0),
            figures: Mutex::default(),
            thread: Mutex::default(),
        });
        let work = Work {
            me: me.clone(),
            about: vec![
                ("service.name", config.applid.as_str().into()),
                ("service.namespace", "transom".into()),
                ("service.version", config.version.as_str().into()),
                ("cics.applid", config.applid.as_str().into()),
            ],
            join: Join::new(config.sampled_ppm),
            collector,
            operator,
            told: None,
            untold: 0,
            started_ns: unix_ns(),
            config,
        };
        let thread = std::thread::Builder::new().name("otlp".to_owned());
        let thread = thread.spawn(move || work.run())?;
        *me.thread.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
        Ok(me)
    }

    /// A request is over.
    pub fn request(&self, access: &Access<'_>) {
        self.queue.put(Item::Request(Box::new(Request::of(access))));
    }

    /// A task has ended.
    pub fn task(&self, seen: TaskSeen) {
        self.queue.put(Item::Task(Box::new(Task { seen })));
    }

    /// Figures to send now and then.
    pub(crate) fn with_figures(&self, figures: Figures) {
        *self.figures.lock().unwrap_or_else(PoisonError::into_inner) = Some(figures);
    }

    /// What waits, the most that did, spans that were sent, requests, tasks and spans that were
    /// not.
    pub(crate) fn statistics(&self) -> Vec<(&'static str, u64)> {
        let (waiting, peak, dropped) = self.queue.figures();
        vec![
            ("queued", waiting as u64),
            ("queued_peak", peak as u64),
            ("spans_sent", self.sent.load(Relaxed)),
            ("spans_lost", self.lost.load(Relaxed)),
            ("times_queue_full", dropped),
        ]
    }

    /// The process ends: what waits is sent, if the collector takes it in time.
    pub(crate) fn stop(&self) {
        self.queue.close();
        let thread = self
            .thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let begin = Instant::now();
        while let Some(thread) = &thread
            && !thread.is_finished()
            && begin.elapsed() < END
        {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

struct Work {
    me: Arc<Otlp>,
    config: OtlpConfig,
    about: Vec<Attribute>,
    join: Join,
    collector: Collector,
    operator: Operator,
    /// When the operator heard that the collector does not answer.
    told: Option<Instant>,
    untold: u64,
    started_ns: u64,
}

impl Work {
    fn run(mut self) {
        let now = Instant::now();
        let (mut send_at, mut spans) = (now, Vec::new());
        let mut metrics_at = now + self.config.metrics_every;
        while let Some(items) = self
            .me
            .queue
            .take(self.wakes_at(send_at, metrics_at, &spans))
        {
            let now = Instant::now();
            for item in items {
                match item {
                    Item::Request(request) => self.join.request(*request),
                    Item::Task(task) => self.join.task(*task, now),
                }
            }
            self.join.give_up(Some(now));
            spans.extend(self.join.take());
            if spans.len() >= SPANS_MAX || (now >= send_at && !spans.is_empty()) {
                self.send(&mut spans);
                send_at = Instant::now() + EVERY;
            }
            if now >= metrics_at {
                self.send_figures();
                metrics_at = Instant::now() + self.config.metrics_every;
            }
            self.me.queue.rest(REST);
        }
        self.join.give_up(None);
        spans.extend(self.join.take());
        self.send(&mut spans);
        self.send_figures();
    }

    /// Nothing to do, no wake-up.
    fn wakes_at(&self, send_at: Instant, metrics_at: Instant, spans: &[Span]) -> Instant {
        let (now, mut at) = (Instant::now(), metrics_at);
        if !spans.is_empty() {
            at = at.min(send_at);
        }
        if self.join.waits() {
            at = at.min(now + Duration::from_secs(1));
        }
        at
    }

    /// After a piece that is not taken the others are not tried: that would be time for each.
    fn send(&mut self, spans: &mut Vec<Span>) {
        let mut left = spans.len();
        for some in spans.chunks(SPANS_MAX) {
            let sent = self.collector.post("traces", traces(&self.about, some));
            let count = match &sent {
                Ok(()) => some.len(),
                Err(_) => left,
            };
            left -= count;
            let counter = match &sent {
                Ok(()) => &self.me.sent,
                Err(_) => &self.me.lost,
            };
            counter.fetch_add(count as u64, Relaxed);
            self.tell(sent, count as u64);
            if left == 0 {
                break;
            }
        }
        spans.clear();
    }

    fn send_figures(&mut self) {
        let figures = self
            .me
            .figures
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let Some(all) = figures.as_ref().map(|figures| figures()) else {
            return;
        };
        drop(figures);
        let document = metrics(&self.about, (self.started_ns, unix_ns()), &all);
        let sent = self.collector.post("metrics", document);
        self.tell(sent, 0);
    }

    /// The operator hears when a collector stops to answer, and when it answers again.
    fn tell(&mut self, sent: Result<(), String>, count: u64) {
        let endpoint = &self.config.endpoint;
        match sent {
            Ok(()) => {
                if self.told.take().is_some() {
                    let lost = std::mem::take(&mut self.untold);
                    self.operator
                        .tell(messages::ot::answers_again(endpoint, lost));
                }
            }
            Err(why) => {
                self.untold += count;
                if self.told.is_none_or(|told| told.elapsed() >= TOLD_EVERY) {
                    self.told = Some(Instant::now());
                    let lost = self.untold;
                    self.operator
                        .tell(messages::ot::no_answer(endpoint, why, lost));
                }
            }
        }
    }
}

fn unix_ns() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| u64::try_from(since.as_nanos()).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Endpoint;
    use serde_json::Value;
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::sync::mpsc;
    use transom_monitoring::{Record, field};

    /// A collector that takes everything; documents with their paths.
    fn collector() -> (String, mpsc::Receiver<(String, Value)>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let at = format!("http://{}", listener.local_addr().unwrap());
        let (tell, told) = mpsc::sync_channel(100);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut read = Vec::new();
                let mut piece = [0; 4_096];
                while let Ok(n @ 1..) = stream.read(&mut piece) {
                    read.extend(&piece[..n]);
                    let text = String::from_utf8_lossy(&read).into_owned();
                    let Some((head, body)) = text.split_once("\r\n\r\n") else {
                        continue;
                    };
                    let Ok(document) = serde_json::from_str(body) else {
                        continue;
                    };
                    let path = head.split(' ').nth(1).unwrap().to_owned();
                    tell.send((path, document)).unwrap();
                    read.clear();
                    let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
                    stream.write_all(answer).unwrap();
                }
            }
        });
        (at, told)
    }

    fn start(at: &str, queue_max: usize) -> Arc<Otlp> {
        let config = OtlpConfig {
            endpoint: Endpoint::read(at).unwrap(),
            tls: None,
            sampled_ppm: 1_000_000,
            queue_max,
            metrics_every: Duration::from_secs(3_600),
            headers: vec![(
                hyper::header::AUTHORIZATION,
                "Bearer secret".parse().unwrap(),
            )],
            applid: "REGION1".to_owned(),
            version: "1".to_owned(),
        };
        Otlp::start(config, Operator::nobody()).unwrap()
    }

    fn seen() -> TaskSeen {
        let mut record = Record::default();
        record
            .set(field::TRANNUM, 7)
            .set(field::START, 1_000)
            .set(field::STOP, 9_000)
            .set(field::TRANFLAG, 0x20 << 48)
            .set(field::FCTOTCT, 3)
            .set_text(field::TRAN, b"PAY1")
            .set_text(field::PGMNAME, b"PAYPROG ")
            .set_text(field::CLIPADDR, b"127.0.0.1");
        TaskSeen {
            record,
            calls: Vec::new(),
            calls_lost: 0,
        }
    }

    const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    fn access() -> Access<'static> {
        Access {
            client: [127, 0, 0, 1].into(),
            user: "SMITH",
            unix_ns: 500,
            method: "PUT",
            target: "/bank?secret",
            version: "HTTP/1.1",
            status: 200,
            bytes: 5,
            micros: 10,
            referer: "",
            agent: "",
            traceparent: PARENT,
            api: "bank",
            task: 7,
        }
    }

    #[test]
    fn a_request_with_its_task_is_one_trace_of_whom_sent_it() {
        let (at, told) = collector();
        let otlp = start(&at, 100);
        // The task ends before its reply is read.
        otlp.task(seen());
        otlp.request(&access());
        let (path, document) = told.recv_timeout(Duration::from_secs(60)).unwrap();
        assert_eq!(path, "/v1/traces");
        let spans = &document["resourceSpans"][0]["scopeSpans"][0]["spans"];
        let span = |n: usize| &spans[n];
        let trace = &PARENT[3..35];
        assert!((0..3).all(|n| span(n)["traceId"] == trace), "{document}");
        assert_eq!(span(0)["parentSpanId"], PARENT[36..52]);
        assert_eq!(span(1)["parentSpanId"], span(0)["spanId"]);
        assert_eq!(span(2)["parentSpanId"], span(1)["spanId"]);
        let names: Vec<_> = (0..3).map(|n| span(n)["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["PUT bank", "PAY1", "PAYPROG"]);
        assert!(!document.to_string().contains("secret"));
        otlp.stop();
    }

    #[test]
    fn a_collector_that_is_not_there_costs_spans_and_no_time() {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let at = format!("http://{}", free.local_addr().unwrap());
        drop(free);
        let otlp = start(&at, 10);
        let begin = Instant::now();
        (0..1_000).for_each(|_| otlp.request(&access()));
        assert!(begin.elapsed() < Duration::from_secs(5));
        otlp.stop();
        let figures = otlp.statistics();
        let of = |name| figures.iter().find(|f| f.0 == name).unwrap().1;
        assert_eq!(of("spans_sent"), 0);
        assert_eq!(of("spans_lost") + of("times_queue_full"), 1_000);
    }
}
