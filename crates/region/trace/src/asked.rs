//! What a worker asks the region, as the trace shows it.
//!
//! Not here: asking (`region/workers`), what is asked (`wire`).

use transom_trace::{Component, Entry, Point};
use transom_types::Resp;
use transom_wire::requests::{Along, Domain, RegionAnswer};

/// A question to the region, as the trace shows it.
pub struct Asked(Component, &'static str);

impl Asked {
    /// Of the bytes of a request.
    pub fn of(request: &[u8]) -> Self {
        let (component, name) = match Domain::open(request) {
            None => (Component::AP, "UNKNOWN"),
            Some((Domain::FileControl, _)) => (Component::FC, "FILE"),
            Some((Domain::Syncpoint, _)) => (Component::RM, "SYNCPT"),
            Some((Domain::TemporaryStorage, _)) => (Component::TS, "TSQUEUE"),
            Some((Domain::TransientData, _)) => (Component::TD, "TDQUEUE"),
            Some((Domain::Interval, _)) => (Component::IC, "INTERVAL"),
            Some((Domain::Terminal, _)) => (Component::TC, "TERMINAL"),
            Some((Domain::Asynchronous, _)) => (Component::SH, "ASYNC"),
            Some((Domain::Security, _)) => (Component::US, "SECURITY"),
            Some((Domain::Journal, _)) => (Component::LG, "JOURNAL"),
            Some((Domain::Sql, _)) => (Component::RI, "SQL"),
            Some((Domain::Partner, _)) => (Component::IS, "PARTNER"),
            Some((Domain::Counter, _)) => (Component::AP, "COUNTER"),
            Some((Domain::Definitions, _)) => (Component::AP, "DEFINE"),
            Some((Domain::System, _)) => (Component::AP, "SYSTEM"),
            Some((Domain::Region, _)) => (Component::AP, "REGION"),
            // What was told before, and a question behind it.
            Some((Domain::Along, body)) => return Self::behind(body),
        };
        Self(component, name)
    }

    fn behind(along: &[u8]) -> Self {
        match Along::question(along) {
            Some(then) if !matches!(Domain::open(then), None | Some((Domain::Along, _))) => {
                Self::of(then)
            }
            _ => Self(Component::FC, "FILE"),
        }
    }

    /// It is asked.
    pub fn entry(&self) -> Entry {
        let mut resource = [b' '; 8];
        resource[..self.1.len()].copy_from_slice(self.1.as_bytes());
        Entry {
            resource,
            ..Entry::new(self.0, Point::RequestEntry)
        }
    }

    /// It is answered.
    pub fn answered(&self, answer: &[u8]) -> Entry {
        let (resp, resp2) = RegionAnswer::condition(answer).unwrap_or((Resp::ERROR, 0));
        Entry {
            point: Point::RequestExit,
            resp: resp.0,
            resp2,
            ..self.entry()
        }
    }
}
