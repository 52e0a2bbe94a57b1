//! The record of one task, from its attach to its end.
//!
//! What: what the region knows when the task gets its number, then what its worker says of it, or
//! nothing more where the worker died. Why times are durations behind the attach: a clock that is
//! set back makes none negative. Not here: whether a task is measured (`service`).

use std::net::IpAddr;
use transom_monitoring::{FieldId, More, Record, field};
use transom_types::StartedBy;
use transom_types::{AbendCode, Applid, ProgramName, TcpClient, TransClass, TransId, UserId};
use transom_wire::association::{Facility, Itself, Origin};
use transom_wire::monitoring::{Called, Costs};
use transom_wire::payload::take_costs;

/// A client linked to the program from outside, in byte 1 of TRANFLAG.
const DPL_MIRROR: u64 = 0x20 << 48;
/// What it was started by, in byte 0 of TRANFLAG.
const NO_FACILITY: u64 = 0x80 << 56;
const TERMINAL: u64 = 0x40 << 56;
const DESTINATION: u64 = 0x10 << 56;

/// A task as the region attaches it.
pub struct NewTask {
    pub task_number: u32,
    pub transid: TransId,
    pub program: ProgramName,
    pub userid: UserId,
    pub class: TransClass,
    pub priority: u8,
    /// STARTCODE.
    pub start_code: [u8; 2],
    /// Who asked for it.
    pub started_by: StartedBy,
    /// The client over TCP/IP whose request it is.
    pub client: Option<TcpClient>,
}

/// A task that is measured.
pub struct Measured {
    /// Nanoseconds since 1970.
    start: u64,
    task: NewTask,
}

impl Measured {
    pub(crate) fn new(task: NewTask, start: u64) -> Self {
        Self { start, task }
    }

    /// Transaction and first program.
    pub(crate) fn what(&self) -> (TransId, ProgramName) {
        (self.task.transid, self.task.program)
    }

    /// The task has ended: sets the fields of a record that has none. Takes what its worker said
    /// of it off its reply; answers what it asked for, and the number of calls there was no room
    /// for. `abstime_at` makes ABSTIME of milliseconds since 1970, `now` is asked
    /// where the worker has said nothing.
    pub(crate) fn end(
        &self,
        record: &mut Record,
        (now, abend): (impl FnOnce() -> u64, Option<AbendCode>),
        reply: &mut Vec<u8>,
        region: (Applid, fn(i64) -> i64),
    ) -> (Vec<Called>, u32) {
        self.attached(record);
        let calls = match take_costs(reply) {
            Some(costs) => {
                self.told(record, &costs, region);
                (costs.calls, costs.calls_lost)
            }
            // A clock that went back meanwhile makes the end that of the attach.
            None => {
                record.set(field::STOP, now().max(self.start));
                (Vec::new(), 0)
            }
        };
        if let Some(code) = abend
            && record.text(field::ABCODEC).is_empty()
        {
            record
                .set_text(field::ABCODEO, code.as_bytes())
                .set_text(field::ABCODEC, code.as_bytes());
        }
        record.add_up();
        calls
    }

    /// What is known from its attach.
    fn attached(&self, record: &mut Record) {
        let task = &self.task;
        record
            .set(field::START, self.start)
            .set(field::TRANNUM, task.task_number.into())
            .set(field::TRANPRI, task.priority.into())
            .set(field::PERRECNT, 1)
            .set_text(field::RTYPE, b"   T")
            .set_text(field::TRAN, task.transid.as_bytes())
            .set_text(field::PGMNAME, task.program.as_bytes())
            .set_text(field::USERID, task.userid.as_bytes())
            .set_text(field::TCLSNAME, task.class.as_bytes())
            .set_text(field::TTYPE, start_type(task.start_code));
        if let StartedBy::Gateway | StartedBy::Region = task.started_by {
            record.set(field::TRANFLAG, DPL_MIRROR);
        }
        if let Some(TcpClient { client, server }) = &task.client {
            set_address(record, field::CLIPADDR, client.ip());
            record.set(field::PORTNUM, server.port().into());
        }
    }

    /// What its worker says of it.
    fn told(
        &self,
        record: &mut Record,
        costs: &Costs,
        (applid, abstime_at): (Applid, fn(i64) -> i64),
    ) {
        let (start, task) = (self.start, &self.task);
        let delay = costs.began_ns.saturating_sub(start);
        let stop = start.saturating_add(delay).saturating_add(costs.elapsed_ns);
        record
            .add_clock(field::DSPDELAY, delay, 1)
            .add_clock(field::SUSPTIME, delay, 1)
            .set(field::STOP, stop);
        costs.add_to(record);
        if !costs.user.is_empty() {
            let (fields, values) = (0, costs.user.clone());
            record.set_more(More { fields, values });
        }
        beginning(record, costs);
        let own = Itself {
            applid,
            task_number: task.task_number,
            transid: task.transid,
            userid: task.userid,
            start_abstime_ms: 0,
        };
        let started = match &costs.association.origin {
            Some(origin) => unix_ns_of(origin.start_abstime_ms, start, abstime_at),
            None => start,
        };
        record.set(field::OSTART, started);
        origin(record, &costs.association.origin_of(&own));
    }
}

/// An address in characters. Those of IPv4 are written here: a record has two of them, and the
/// formatter costs more than the rest of it.
fn set_address(record: &mut Record, id: FieldId, address: IpAddr) {
    let IpAddr::V4(v4) = address else {
        record.set_text(id, address.to_string().as_bytes());
        return;
    };
    let (mut text, mut length) = ([0; 16], 0);
    let mut push = |byte: u8| {
        text[length] = byte;
        length += 1;
    };
    for (n, octet) in v4.octets().into_iter().enumerate() {
        if n > 0 {
            push(b'.');
        }
        if octet >= 100 {
            push(b'0' + octet / 100);
        }
        if octet >= 10 {
            push(b'0' + octet / 10 % 10);
        }
        push(b'0' + octet % 10);
    }
    record.set_text(id, &text[..length]);
}

/// TTYPE of a STARTCODE.
fn start_type(start_code: [u8; 2]) -> &'static [u8] {
    match &start_code {
        b"TD" => b"TO",
        b"S " => b"S",
        b"SD" => b"SD",
        b"QD" => b"QD",
        _ => b"U",
    }
}

/// What began the task.
fn beginning(record: &mut Record, costs: &Costs) {
    let association = &costs.association;
    let beginning = &association.beginning;
    let flags = record.number(field::TRANFLAG);
    let facility = match beginning.facility {
        Facility::Terminal | Facility::StartAtTerminal => {
            record.set_text(field::TERM, &beginning.facility_name);
            TERMINAL
        }
        Facility::TransientData => DESTINATION,
        _ => NO_FACILITY,
    };
    record
        .set(field::TRANFLAG, flags | facility)
        .set_text(field::FCTYNAME, &beginning.facility_name)
        .set_text(field::LUNAME, &beginning.luname);
    if let Some(abends) = &costs.abends {
        record
            .set_text(field::ABCODEO, abends.first.as_bytes())
            .set_text(field::ABCODEC, abends.last.as_bytes());
    }
    if let Some(previous) = &association.previous {
        record
            .set(field::PHTRANNO, previous.task_number.into())
            .set_text(field::PHTRAN, previous.transid.as_bytes())
            .set(field::PHCOUNT, previous.count.into());
    }
}

/// Where its work began.
fn origin(record: &mut Record, origin: &Origin) {
    record
        .set_text(field::OAPPLID, origin.applid.as_bytes())
        .set(field::OTRANNUM, origin.task_number.into())
        .set_text(field::OTRAN, origin.transid.as_bytes())
        .set_text(field::OUSERID, origin.userid.as_bytes())
        .set_text(field::OUSERCOR, &origin.correlation)
        .set_text(field::OFCTYNME, &origin.beginning.facility_name);
    if let Some(TcpClient { client, .. }) = &origin.beginning.client {
        set_address(record, field::OCLIPADR, client.ip());
        record.set(field::OCLIPORT, client.port().into());
    }
}

/// The moment of an ABSTIME, by the local time of another moment.
fn unix_ns_of(abstime_ms: u64, near_ns: u64, abstime_at: fn(i64) -> i64) -> u64 {
    let near_ms = (near_ns / 1_000_000) as i64;
    let local = i64::try_from(abstime_ms).unwrap_or(i64::MAX / 2);
    let unix_ms = local - (abstime_at(near_ms) - near_ms);
    u64::try_from(unix_ms).map_or(0, |ms| ms.saturating_mul(1_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_wire::monitoring::{Abends, Counted, Timed};
    use transom_wire::payload::with_costs;

    const AT: u64 = 1_795_381_507_000_000_000;

    fn measured() -> Measured {
        let task = NewTask {
            task_number: 42,
            transid: TransId::from_field(b"PAY1"),
            program: ProgramName::from_field(b"PAYPROG "),
            userid: UserId::from_field(b"SMITH   "),
            class: TransClass::BLANK,
            priority: 7,
            start_code: *b"TD",
            started_by: StartedBy::Gateway,
            client: None,
        };
        Measured::new(task, AT)
    }

    fn end(now: u64, abend: Option<AbendCode>, reply: &mut Vec<u8>) -> Record {
        fn east(ms: i64) -> i64 {
            ms + 2_208_988_800_000 + 3_600_000
        }
        let mut record = Record::default();
        let region: (_, fn(i64) -> i64) = (Applid::from_field(b"TRANSOM "), east);
        measured().end(&mut record, (|| now, abend), reply, region);
        record
    }

    #[test]
    fn addresses_are_as_everybody_writes_them() {
        for text in ["0.0.0.0", "9.10.99.100", "255.255.255.255", "2001:db8::1"] {
            let mut record = Record::default();
            set_address(&mut record, field::CLIPADDR, text.parse().unwrap());
            assert_eq!(record.text(field::CLIPADDR), text.as_bytes());
        }
    }

    fn costs(began_ns: u64) -> Costs {
        Costs {
            began_ns,
            elapsed_ns: 5_000,
            counts: vec![Counted {
                field: field::FCGETCT.0,
                number: 3,
            }],
            times: vec![Timed {
                field: field::SUSPTIME.0,
                ns: 2_000,
                periods: 1,
            }],
            abends: Some(Abends {
                first: AbendCode::ASRA,
                last: AbendCode::AKC3,
            }),
            association: transom_wire::association::Association::NONE,
            user: Vec::new(),
            calls: Vec::new(),
            calls_lost: 0,
        }
    }

    #[test]
    fn what_the_worker_says_is_added_and_taken_off_the_reply() {
        let mut reply = with_costs(b"reply".to_vec(), &costs(AT + 1_000));
        let record = end(AT, None, &mut reply);
        assert_eq!(reply, b"reply");
        assert_eq!(
            (record.response_ns(), record.number(field::DSPDELAY)),
            (6_000, 1_000)
        );
        assert_eq!(
            (
                record.number(field::SUSPTIME),
                record.periods(field::SUSPTIME)
            ),
            (3_000, 2)
        );
        assert_eq!(
            (record.number(field::FCGETCT), record.number(field::FCTOTCT)),
            (3, 3)
        );
        assert_eq!(
            (record.text(field::ABCODEO), record.text(field::ABCODEC)),
            (&b"ASRA"[..], &b"AKC3"[..])
        );
        assert_eq!(
            (record.text(field::TTYPE), record.text(field::OTRAN)),
            (&b"TO"[..], &b"PAY1"[..])
        );
        assert_eq!(record.number(field::TRANFLAG), 0x8020 << 48);
    }

    #[test]
    fn a_clock_that_went_back_makes_no_time_negative() {
        let mut reply = with_costs(Vec::new(), &costs(AT - 3_600_000_000_000));
        let record = end(AT, None, &mut reply);
        assert_eq!(
            (record.response_ns(), record.number(field::DSPDELAY)),
            (5_000, 0)
        );
    }

    #[test]
    fn a_worker_that_died_leaves_a_record_with_its_response_and_abend() {
        let record = end(AT + 3_000_000, Some(AbendCode::ASRA), &mut Vec::new());
        assert_eq!(record.response_ns(), 3_000_000);
        assert_eq!(record.text(field::ABCODEC), b"ASRA");
    }

    #[test]
    fn an_origin_in_local_time_is_a_moment() {
        let mut costs = costs(AT);
        let own = Itself {
            applid: Applid::from_field(b"OTHER   "),
            task_number: 3,
            transid: TransId::from_field(b"MENU"),
            userid: UserId::from_field(b"JONES   "),
            start_abstime_ms: AT / 1_000_000 + 2_208_988_800_000 + 3_600_000 - 5_000,
        };
        costs.association.origin = Some(costs.association.origin_of(&own));
        let record = end(AT, None, &mut with_costs(Vec::new(), &costs));
        assert_eq!(record.number(field::OSTART), AT - 5_000_000_000);
        assert_eq!(
            (record.text(field::OTRAN), record.number(field::OTRANNUM)),
            (&b"MENU"[..], 3)
        );
    }
}
