//! What is sent and what the device answers: one confirmed record at a time.
//!
//! What: [`Deliveries`] numbers records, waits for the response of the one on its way, sends it
//! again when a printer was not ready, and ends print jobs. Why: a printer prints at its own pace,
//! and a job's outcome is the program's to know. Not here: the queue (`output`), the bytes of
//! records (`transom_datastream`).

use crate::output::{Item, Next};
use crate::statistics::SessionCounts;
use transom_datastream::Server;
use transom_datastream::tn3270e::{
    Functions, Outcome, RESPONSE_ALWAYS, RESPONSE_ERROR, RESPONSE_NONE,
};
use transom_region_api::{self as api, Done};

/// The records of a session that are on their way.
#[derive(Default)]
pub(crate) struct Deliveries {
    flight: Option<Flight>,
    /// Who learns of success as soon as the bytes are written: devices without responses.
    written: Vec<Done>,
    /// Who learns that nothing was sent.
    refused: Vec<Done>,
}

/// A record whose response is awaited.
struct Flight {
    sequence: u16,
    item: Item,
    /// The printer was not ready: the record is sent again when it is.
    held: bool,
}

impl Deliveries {
    /// Nothing is on its way: the next thing may be sent.
    pub(crate) fn is_free(&self) -> bool {
        self.flight.is_none()
    }

    /// Sends one thing. Answers whether the session must end.
    pub(crate) fn put(&mut self, server: &mut Server, counts: &SessionCounts, next: Next) -> bool {
        match next {
            Next::Send(item) => {
                self.send(server, counts, item);
                false
            }
            Next::Disconnect => true,
        }
    }

    fn send(&mut self, server: &mut Server, counts: &SessionCounts, mut item: Item) {
        let responds = responds(server);
        let response = match item.done.is_some() {
            true => RESPONSE_ALWAYS,
            // A data stream that a display refuses is an error of ours, and counted.
            false if responds => RESPONSE_ERROR,
            false => RESPONSE_NONE,
        };
        let stream = &item.delivery.stream;
        if item.delivery.scs && !agreed(server, Functions::SCS_CTL_CODES) {
            // A client that never said it can print SCS.
            counts.records_refused.add();
            self.refused.extend(item.done.take());
            return;
        }
        let sequence = match item.delivery.scs {
            _ if stream.is_empty() => None,
            true => server.send_scs(stream, response),
            false => server.send(stream, response),
        };
        if sequence.is_some() {
            counts.records_out.add();
        }
        match sequence {
            Some(sequence) if responds && item.done.is_some() => {
                let held = false;
                self.flight = Some(Flight {
                    sequence,
                    item,
                    held,
                });
            }
            _ => {
                if item.delivery.end_of_job {
                    server.send_end_of_job();
                }
                self.written.extend(item.done.take());
            }
        }
    }

    /// What was put has been written to the network.
    pub(crate) fn flushed(&mut self) {
        let written = std::mem::take(&mut self.written);
        written
            .into_iter()
            .for_each(|done| done(api::Outcome::Taken));
        let refused = std::mem::take(&mut self.refused);
        refused
            .into_iter()
            .for_each(|done| done(api::Outcome::Refused));
    }

    /// The device answered a record.
    pub(crate) fn response(
        &mut self,
        server: &mut Server,
        counts: &SessionCounts,
        (sequence, outcome): (u16, Outcome),
    ) {
        let own = self.flight.as_ref().map(|flight| flight.sequence) == Some(sequence);
        let Some(mut flight) = self.flight.take_if(|_| own) else {
            if outcome != Outcome::Done {
                counts.records_refused.add();
            }
            return;
        };
        let answer = match outcome {
            Outcome::Done => {
                if flight.item.delivery.end_of_job {
                    server.send_end_of_job();
                }
                api::Outcome::Taken
            }
            Outcome::InterventionRequired => {
                flight.held = true;
                self.flight = Some(flight);
                return;
            }
            _ => {
                counts.records_refused.add();
                api::Outcome::Refused
            }
        };
        if let Some(done) = flight.item.done {
            done(answer);
        }
    }

    /// A printer is ready again.
    pub(crate) fn ready(&mut self, server: &mut Server, counts: &SessionCounts) {
        if let Some(flight) = self.flight.take_if(|flight| flight.held) {
            self.send(server, counts, flight.item);
        }
    }
}

fn responds(server: &Server) -> bool {
    agreed(server, Functions::RESPONSES)
}

fn agreed(server: &Server, function: Functions) -> bool {
    let session = server.session();
    session.is_some_and(|s| s.tn3270e && s.functions.contains(function))
}
