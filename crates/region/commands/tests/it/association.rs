//! Association data of a task as its worker knows them.

use crate::fake::{FakeHost, FakeShared, Task, exec, program, region};
use std::rc::Rc;
use transom_commands::{cmd, opt};
use transom_region_commands::Executor;
use transom_types::{Payload, Resp, StartedBy, TcpClient, TransId, UserId};
use transom_wire::association::Inherited;
use transom_wire::definitions::TaskEntry;
use transom_wire::payload::{Section, Sections, StartInfo, write_start};
use transom_workers::seam::{AttachBlock, Commands};

fn begun(
    shared: &Rc<FakeShared>,
    number: u32,
    started_by: StartedBy,
    client: Option<TcpClient>,
    inherited: Option<&Inherited>,
) -> Task {
    let (mut host, mut exec) = (FakeHost::new(Rc::clone(shared)), Executor::new());
    let mut sections = Sections::default();
    if let Some(inherited) = inherited {
        sections.add(Section::Origin, &inherited.encode());
    }
    let info = StartInfo {
        started_by,
        reply_bytes_max: 0,
        start_code: *b"U ",
        client,
        restarts: 0,
        measured: None,
    };
    let attach = AttachBlock {
        task_number: number,
        transid: TransId::new("TRN1").unwrap(),
        program: program("MAIN"),
        userid: UserId::new("ALICE").unwrap(),
        input: write_start(info, Payload::Commarea(Vec::new()), &sections),
    };
    let first = exec
        .task_start(&mut host, &attach.start())
        .expect("a start");
    Task { exec, host, first }
}

#[test]
fn a_task_of_a_door_is_an_origin_and_tells_its_client() {
    let client = TcpClient::new(
        "192.0.2.7:50000".parse().unwrap(),
        "[2001:db8::1]:8080".parse().unwrap(),
    );
    let shared = region();
    let mut task = begun(&shared, 7, StartedBy::Gateway, Some(client), None);
    let call = task.ok(exec(cmd::INQUIRE_ASSOCIATION)
        .int(opt::ASSOCIATION, 7)
        .int(opt::FACILTYPE, 0)
        .int(opt::ODFACILTYPE, 0)
        .int(opt::ODTASKID, 0)
        .out(opt::ODAPPLID, 8)
        .out(opt::ODUSERID, 8)
        .out(opt::ODFACILNAME, 8)
        .out(opt::ODNETWORKID, 8)
        .out(opt::ODSTARTTIME, 21)
        .out(opt::CLIENTIPADDR, 39)
        .int(opt::CLIENTPORT, 0)
        .int(opt::CLNTIPFAMILY, 0)
        .out(opt::SERVERIPADDR, 39)
        .int(opt::SERVERPORT, 0)
        .int(opt::SRVRIPFAMILY, 0)
        .out(opt::TCPIPJOB, 8)
        .int(opt::PTCOUNT, 9)
        .out(opt::PTTRANSID, 4));
    assert!(call.got_cvda(opt::FACILTYPE, "IPIC"));
    assert!(call.got_cvda(opt::ODFACILTYPE, "IPIC"));
    assert_eq!(call.got_int(opt::ODTASKID), 7);
    assert_eq!(call.got_text(opt::ODAPPLID), "CICSA   ");
    assert_eq!(call.got_text(opt::ODUSERID), "ALICE   ");
    assert_eq!(call.got_text(opt::ODSTARTTIME), "20261120120000.000000");
    let trimmed = |option| call.got_text(option).trim_end().to_owned();
    assert_eq!(trimmed(opt::CLIENTIPADDR), "192.0.2.7");
    assert_eq!(trimmed(opt::SERVERIPADDR), "2001:db8::1");
    assert_eq!(call.got_int(opt::CLIENTPORT), 50_000);
    assert_eq!(call.got_int(opt::SERVERPORT), 8080);
    assert!(call.got_cvda(opt::CLNTIPFAMILY, "IPV4"));
    assert!(call.got_cvda(opt::SRVRIPFAMILY, "IPV6"));
    for blank in [
        opt::ODFACILNAME,
        opt::ODNETWORKID,
        opt::TCPIPJOB,
        opt::PTTRANSID,
    ] {
        assert_eq!(trimmed(blank), "");
    }
    assert_eq!(call.got_int(opt::PTCOUNT), 0);
    let entry = TaskEntry::find(&*shared, 7).unwrap();
    let origin = entry.association.origin;
    assert_eq!(origin, None, "every task writes its entry: nothing twice");
    let other = exec(cmd::INQUIRE_ASSOCIATION).int(opt::ASSOCIATION, 8);
    assert_eq!(task.resp(other), (Resp::TASKIDERR, 1));
}

#[test]
fn a_task_that_inherits_tells_the_origin_of_who_started_it() {
    let shared = region();
    let mut parent = begun(&shared, 1, StartedBy::Internal, None, None);
    parent.ok(exec(cmd::SET_ASSOCIATION).text(opt::USERCORRDATA, "ORDER 4711"));
    let entry = TaskEntry::find(&*shared, 1).unwrap();
    let handed = Inherited {
        origin: entry.association.origin.expect("it said USERCORRDATA"),
        previous: transom_wire::association::Previous {
            task_number: 1,
            transid: entry.transid,
            start_abstime_ms: entry.start_abstime_ms,
            count: 1,
        },
    };
    let mut child = begun(&shared, 2, StartedBy::Child, None, Some(&handed));
    let inquire = |number| {
        exec(cmd::INQUIRE_ASSOCIATION)
            .int(opt::ASSOCIATION, number)
            .int(opt::FACILTYPE, 0)
            .int(opt::ODFACILTYPE, 0)
            .int(opt::ODTASKID, 0)
            .int(opt::PTTASKID, 0)
            .int(opt::PTCOUNT, 0)
            .out(opt::USERCORRDATA, 64)
            .out(opt::TRNGRPID, 28)
            .out(opt::CLIENTIPADDR, 39)
            .int(opt::CLNTIPFAMILY, 0)
    };
    let call = child.ok(inquire(2));
    assert!(call.got_cvda(opt::FACILTYPE, "ASRUNTRAN"));
    assert!(call.got_cvda(opt::ODFACILTYPE, "NONE"));
    assert_eq!(call.got_int(opt::ODTASKID), 1);
    assert_eq!(
        (call.got_int(opt::PTTASKID), call.got_int(opt::PTCOUNT)),
        (1, 1)
    );
    assert!(call.got_text(opt::USERCORRDATA).starts_with("ORDER 4711 "));
    assert_eq!(call.got_text(opt::CLIENTIPADDR).trim_end(), "0.0.0.0");
    assert!(call.got_cvda(opt::CLNTIPFAMILY, "UNKNOWN"));
    // The other task, asked about by the child: one group.
    let of_parent = child.ok(inquire(1));
    let group = |call: &crate::fake::FakeCall| call.got_bytes(opt::TRNGRPID).to_vec();
    assert_eq!(group(&of_parent), group(&call));
    // Only the origin may say what its work belongs to.
    let set = exec(cmd::SET_ASSOCIATION).text(opt::USERCORRDATA, "MINE");
    assert_eq!(child.resp(set), (Resp::INVREQ, 1));
    let list = |wanted: &str| {
        exec(cmd::INQUIRE_ASSOCIATION_LIST)
            .int(opt::LISTSIZE, 9)
            .ptr(opt::SET, 0)
            .text(opt::USERCORRDATA, wanted)
    };
    let call = child.ok(list("ORDER ?7*"));
    assert_eq!(call.got_int(opt::LISTSIZE), 2);
    let listed = &child.host.storage[&call.got_pointer(opt::SET)];
    assert_eq!(listed, &[0, 0, 0, 0x1C, 0, 0, 0, 0x2C]);
    assert_eq!(child.ok(list("ORDER")).got_int(opt::LISTSIZE), 0);
    let named = exec(cmd::INQUIRE_ASSOCIATION_LIST)
        .int(opt::LISTSIZE, 9)
        .text(opt::DNAME, "(CN=FRED)");
    assert_eq!(child.ok(named).got_int(opt::LISTSIZE), 0);
}
