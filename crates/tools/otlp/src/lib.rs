//! Traces and metrics of a region, sent to a collector by OTLP.
//!
//! What: [`Otlp`] is told of requests and of tasks that have ended; a thread of its own joins them
//! to traces and sends them over HTTP, and figures now and then. Why nobody waits for it: what a
//! collector that does not answer costs is spans, which are counted and told. Why requests and
//! tasks meet here, by the number of the task: neither door nor region then carries a trace along.
//! Not here: what is measured (`region/monitoring`), traceparent and what a request was
//! (`formats/telemetry`).

#![forbid(unsafe_code)]

mod call;
mod collector;
mod config;
mod documents;
mod figures;
mod headers;
mod join;
mod process;
mod queue;
mod request;
mod sampling;
mod sender;
mod task;

pub use process::{observer, sender, start, statistics, stop, with_figures};
