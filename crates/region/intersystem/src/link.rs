//! LINK requests and their answers as frames, and back.
//!
//! Data are lent to a frame, and taken out of one, without a copy. Not here: how a frame lies in
//! bytes (`frames`).

use crate::frames::{
    Answered, Asked, Condition, Container as ContainerFrame, Content, Data, Failure, Origin,
    Output, Request, Why,
};
use std::time::Duration;
use transom_language::little::{List, Number};
use transom_region_api::{
    Container, ContainerData, Fault, LinkFailure, LinkOutput, LinkRequest, Payload, StartedBy,
};
use transom_types::{Resp, TransId, UserId};

/// Longest text of a failure, bytes; longer ones are cut.
const TEXT_MAX: usize = 4_096;
/// Stands for a request without a limit of time.
const NO_LIMIT: u64 = u64::MAX;
/// Stands for a failure without a task.
const NO_TASK: u32 = u32::MAX;

/// The frame of a request.
pub(crate) fn asked(request: &LinkRequest) -> Asked<'_> {
    match request.client {
        Some(client) => Asked::LinkFor(client, request.into()),
        None => Asked::Link(request.into()),
    }
}

/// The request in a frame; `None`: it is none.
pub(crate) fn request(frame: Asked<'_>) -> Option<LinkRequest> {
    match frame {
        Asked::Link(request) => Some(request.into()),
        Asked::LinkFor(client, request) => Some(LinkRequest {
            client: Some(client),
            ..request.into()
        }),
        Asked::Hello(_) | Asked::Ask(..) => None,
    }
}

impl<'a> From<&'a LinkRequest> for Request<'a> {
    fn from(request: &'a LinkRequest) -> Self {
        let micros = |limit: Duration| u64::try_from(limit.as_micros()).unwrap_or(NO_LIMIT);
        Self {
            program: request.program,
            transid: request.transid.unwrap_or(TransId::BLANK),
            userid: request.userid.unwrap_or(UserId::BLANK),
            origin: match request.started_by {
                StartedBy::Gateway => Origin::Gateway,
                StartedBy::Region => Origin::Region,
                _ => Origin::Internal,
            },
            reply_bytes_max: Number(request.reply_bytes_max as u64),
            timeout: Number(request.timeout.map_or(NO_LIMIT, micros)),
            data: (&request.payload).into(),
        }
    }
}

impl From<Request<'_>> for LinkRequest {
    fn from(request: Request<'_>) -> Self {
        let Number(timeout) = request.timeout;
        Self {
            program: request.program,
            transid: Some(request.transid).filter(|name| !name.is_blank()),
            userid: Some(request.userid).filter(|name| !name.is_blank()),
            payload: request.data.into(),
            reply_bytes_max: usize::try_from(request.reply_bytes_max.0).unwrap_or(usize::MAX),
            timeout: (timeout != NO_LIMIT).then(|| Duration::from_micros(timeout)),
            started_by: match request.origin {
                Origin::Gateway => StartedBy::Gateway,
                Origin::Region => StartedBy::Region,
                Origin::Internal => StartedBy::Internal,
            },
            client: None,
        }
    }
}

/// The frame that answers a request.
pub(crate) fn answered(answer: &Result<LinkOutput, LinkFailure>) -> Answered<'_> {
    match answer {
        Ok(output) => Answered::Output(Output {
            task_number: Number(output.task_number),
            transid: output.transid,
            cpu_ns: Number(output.cpu_ns),
            data: (&output.payload).into(),
        }),
        Err(failure) => Answered::Failure(Failure {
            why: failure.fault.into(),
            task_number: Number(failure.task_number.unwrap_or(NO_TASK)),
            text: cut(&failure.text).into(),
        }),
    }
}

/// The answer in a frame; `None`: it answers no request.
pub(crate) fn answer(frame: Answered<'_>) -> Option<Result<LinkOutput, LinkFailure>> {
    match frame {
        Answered::Output(output) => Some(Ok(LinkOutput {
            payload: output.data.into(),
            task_number: output.task_number.0,
            transid: output.transid,
            cpu_ns: output.cpu_ns.0,
        })),
        Answered::Failure(failure) => Some(Err(LinkFailure {
            fault: failure.why.into(),
            text: failure.text.0.into_owned(),
            task_number: Some(failure.task_number.0).filter(|task| *task != NO_TASK),
        })),
        Answered::Hello(_) | Answered::Refused(_) | Answered::Told => None,
    }
}

fn cut(text: &str) -> &str {
    let mut ends = (0..=text.len().min(TEXT_MAX)).rev();
    let end = ends.find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

impl From<Fault> for Why {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Abend(code) => Why::Abend(code),
            Fault::Refused { resp, resp2 } => Why::Refused(Condition {
                resp: Number(resp.0),
                resp2: Number(resp2),
            }),
            Fault::Busy => Why::Busy,
            Fault::TimedOut => Why::TimedOut,
            Fault::Unavailable => Why::Unavailable,
        }
    }
}

impl From<Why> for Fault {
    fn from(why: Why) -> Self {
        match why {
            Why::Abend(code) => Fault::Abend(code),
            Why::Refused(Condition { resp, resp2 }) => Fault::Refused {
                resp: Resp(resp.0),
                resp2: resp2.0,
            },
            Why::Busy => Fault::Busy,
            Why::TimedOut => Fault::TimedOut,
            Why::Unavailable => Fault::Unavailable,
        }
    }
}

impl<'a> From<&'a Payload> for Data<'a> {
    fn from(payload: &'a Payload) -> Self {
        match payload {
            Payload::Commarea(bytes) => Data::Commarea(bytes.as_slice().into()),
            Payload::Channel { name, containers } => {
                let containers = containers.iter().map(|container| ContainerFrame {
                    name: container.name,
                    content: match &container.data {
                        ContainerData::Bit(bytes) => Content::Bit(bytes.as_slice().into()),
                        ContainerData::Char { ccsid, bytes } => {
                            Content::Char(Number(*ccsid), bytes.as_slice().into())
                        }
                    },
                });
                Data::Channel(*name, List(containers.collect()))
            }
        }
    }
}

impl From<Data<'_>> for Payload {
    fn from(data: Data<'_>) -> Self {
        match data {
            Data::Commarea(bytes) => Payload::Commarea(bytes.0.into_owned()),
            Data::Channel(name, List(containers)) => {
                let containers = containers.into_iter().map(|container| Container {
                    name: container.name,
                    data: match container.content {
                        Content::Bit(bytes) => ContainerData::Bit(bytes.0.into_owned()),
                        Content::Char(Number(ccsid), bytes) => ContainerData::Char {
                            ccsid,
                            bytes: bytes.0.into_owned(),
                        },
                    },
                });
                Payload::Channel {
                    name,
                    containers: containers.collect(),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_types::{AbendCode, ProgramName, TcpClient};

    #[test]
    fn a_request_tells_its_client() {
        let mut sent = LinkRequest {
            program: ProgramName::new("ECHO").unwrap(),
            transid: None,
            userid: None,
            payload: Payload::Commarea(b"xxx".to_vec()),
            reply_bytes_max: 3,
            timeout: None,
            started_by: StartedBy::Gateway,
            client: None,
        };
        let back = |sent: &LinkRequest| {
            let bytes = asked(sent).encode();
            request(Asked::decode(&bytes).unwrap()).unwrap()
        };
        assert_eq!(back(&sent).client, None);
        sent.client = Some(TcpClient {
            client: "192.0.2.7:50000".parse().unwrap(),
            server: "[2001:db8::1]:8080".parse().unwrap(),
        });
        assert_eq!(format!("{:?}", back(&sent)), format!("{sent:?}"));
    }

    #[test]
    fn failures_keep_their_kind_and_the_beginning_of_their_text() {
        let resp = Resp::PGMIDERR;
        for fault in [
            Fault::Abend(AbendCode::ASRA),
            Fault::Refused { resp, resp2: 3 },
            Fault::Busy,
            Fault::TimedOut,
            Fault::Unavailable,
        ] {
            let failed = Err(LinkFailure {
                fault,
                text: "é".repeat(TEXT_MAX),
                task_number: Some(7),
            });
            let bytes = answered(&failed).encode();
            let read = answer(Answered::decode(&bytes).unwrap()).unwrap();
            let read = read.unwrap_err();
            assert_eq!((read.fault, read.task_number), (fault, Some(7)));
            assert_eq!(read.text, "é".repeat(TEXT_MAX / 2));
        }
    }
}
