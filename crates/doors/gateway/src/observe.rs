//! What interceptors are told about a request, gathered only when one is configured.

use crate::door::Door;
use crate::interceptors::{Finished, Place, Records, RequestType, audit_line, log_line};
use crate::operation::Operation;
use crate::peer::Peer;
use crate::reply_body::ReplyBody;
use crate::security::{Policy, Principal};
use hyper::Response;
use hyper::header::HeaderMap;
use hyper::http::request::Parts;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::SystemTime;
use transom_http::Served;
use transom_region_api::{Fault, LinkFailure};

/// A request from its begin to its record, which it leaves also when it ends before a reply.
pub(crate) struct Recorded<'a> {
    /// What is seen of it.
    pub(crate) seen: Observation,
    door: &'a Door,
    peer: Peer,
    parts: &'a Parts,
    operation: Option<&'a Operation>,
}

impl<'a> Recorded<'a> {
    /// Waits where no record may be lost and there is no room for one.
    pub(crate) async fn begin(
        policy: &Policy,
        (door, peer, parts): (&'a Door, Peer, &'a Parts),
        operation: Option<&'a Operation>,
    ) -> Self {
        Self {
            seen: Observation::begin(policy, door.config.access.is_some()).await,
            door,
            peer,
            parts,
            operation,
        }
    }

    /// Hands the record to the interceptors; the access log finds with the reply what it tells.
    pub(crate) fn end(mut self, response: &mut Response<ReplyBody>) {
        if self.seen.told {
            let api = self.operation.map(|o| match &o.api {
                Some(api) => api.name.clone(),
                None => o.service.name.clone(),
            });
            let user = self.seen.user.as_ref().map(|user| user.name.clone());
            response.extensions_mut().insert(Served {
                user: user.unwrap_or_default(),
                api: api.unwrap_or_default(),
                task: self.seen.task,
            });
        }
        self.record(Some(response));
    }

    fn record(&mut self, response: Option<&Response<ReplyBody>>) {
        if self.seen.wanted() {
            let about = (self.door, self.peer, self.parts);
            self.seen.record(about, self.operation, response);
            self.seen.entry = None;
        }
    }
}

impl Drop for Recorded<'_> {
    /// The client went away.
    fn drop(&mut self) {
        self.record(None);
    }
}

/// A request while it runs.
pub(crate) struct Observation {
    audit: Option<(Records, Place)>,
    logger: Option<(Records, Place)>,
    entry: Option<SystemTime>,
    sent: Option<SystemTime>,
    received: Option<SystemTime>,
    timed_out: bool,
    /// The access log tells of it.
    told: bool,
    /// Task number in the region, 0 when none.
    pub(crate) task: u32,
    /// Body bytes received.
    pub(crate) bytes_in: usize,
    /// Who asked.
    pub(crate) user: Option<Arc<Principal>>,
}

impl Observation {
    async fn begin(policy: &Policy, told: bool) -> Self {
        let wanted = policy.audit.is_some() || policy.logger.is_some();
        Self {
            audit: place(policy.audit.as_ref()).await,
            logger: place(policy.logger.as_ref()).await,
            entry: wanted.then(SystemTime::now),
            sent: None,
            received: None,
            timed_out: false,
            told,
            task: 0,
            bytes_in: 0,
            user: None,
        }
    }

    /// An interceptor wants a record of this request.
    pub(crate) fn wanted(&self) -> bool {
        self.entry.is_some()
    }

    /// Somebody is told who asked.
    pub(crate) fn tells_user(&self) -> bool {
        self.told || self.wanted()
    }

    pub(crate) fn sent(&mut self) {
        if self.wanted() {
            self.sent = Some(SystemTime::now());
        }
    }

    pub(crate) fn received(&mut self) {
        if self.wanted() {
            self.received = Some(SystemTime::now());
        }
    }

    pub(crate) fn failed(&mut self, failure: &LinkFailure) {
        self.timed_out = failure.fault == Fault::TimedOut;
        self.task = failure.task_number.unwrap_or(0);
    }

    /// Hands the record to the interceptors; a status of 0 is no reply.
    fn record(
        &mut self,
        (door, peer, parts): (&Door, Peer, &Parts),
        operation: Option<&Operation>,
        response: Option<&Response<ReplyBody>>,
    ) {
        let none = HeaderMap::new();
        let (audit, logger) = (self.audit.take(), self.logger.take());
        let api = operation.and_then(|o| o.api.as_ref());
        let user = self.user.as_ref();
        let program = operation.map(|o| o.backend.program);
        let finished = Finished {
            kind: match (operation, api) {
                (None, _) => RequestType::Admin,
                (Some(_), None) => RequestType::Service,
                (Some(_), Some(_)) => RequestType::Api,
            },
            entry: self.entry.unwrap_or(SystemTime::UNIX_EPOCH),
            exit: SystemTime::now(),
            sent: self.sent,
            received: self.received,
            number: door.requests.fetch_add(1, Relaxed),
            client: peer.address,
            user: user.map_or("", |u| &u.name),
            region_user: user
                .and_then(|u| u.userid.as_ref())
                .map_or("", |u| u.as_str()),
            api: api.map_or(("", ""), |a| (&a.name, &a.version)),
            service: operation.map_or(("", ""), |o| (&o.service.name, &o.service.version)),
            method: parts.method.as_str(),
            path: parts.uri.path(),
            query: parts.uri.query().unwrap_or(""),
            status: response.map_or(0, |r| r.status().as_u16()),
            timed_out: self.timed_out,
            bytes_in: self.bytes_in,
            bytes_out: response.map_or(0, |r| r.body().len()),
            program: program.as_ref().map_or("", |p| p.as_str()),
            connection: operation.map_or("", |o| &o.backend.connection),
            task: self.task,
            request_headers: &parts.headers,
            response_headers: response.map_or(&none, |r| r.headers()),
        };
        if let Some((audit, place)) = audit {
            audit.put(audit_line(&finished, audit.options()), place);
        }
        if let Some((logger, place)) = logger {
            logger.put(log_line(&finished), place);
        }
    }
}

/// Room for a record.
async fn place(records: Option<&Records>) -> Option<(Records, Place)> {
    let records = records?;
    Some((records.clone(), records.reserve().await))
}
