//! Channels and containers.

use crate::fake::{FakeCall, Task, exec, start, task};
use transom_commands::{cmd, opt};
use transom_types::{ChannelName, ContainerName, Resp};
use transom_types::{Container, ContainerData, Payload, StartedBy};
use transom_wire::payload::TaskReply;
use transom_workers::seam::Outcome;

fn put(channel: &str, container: &str, data: &str) -> FakeCall {
    let call = exec(cmd::PUT_CONTAINER)
        .text(opt::CONTAINER, container)
        .text(opt::FROM, data);
    if channel.is_empty() {
        call
    } else {
        call.text(opt::CHANNEL, channel)
    }
}

fn get(channel: &str, container: &str, room: usize) -> FakeCall {
    let call = exec(cmd::GET_CONTAINER)
        .text(opt::CONTAINER, container)
        .out(opt::INTO, room)
        .int(opt::FLENGTH, room as i64);
    if channel.is_empty() {
        call
    } else {
        call.text(opt::CHANNEL, channel)
    }
}

fn channel_task(containers: Vec<Container>) -> Task {
    let name = ChannelName::new("ORDERS").unwrap();
    let payload = Payload::Channel { name, containers };
    start(
        &crate::fake::region(),
        7,
        "MAIN",
        StartedBy::Gateway,
        0,
        payload,
    )
    .expect("a task")
}

fn bit(name: &str, bytes: &[u8]) -> Container {
    let data = ContainerData::Bit(bytes.to_vec());
    Container {
        name: ContainerName::new(name).unwrap(),
        data,
    }
}

#[test]
fn data_is_put_and_got() {
    let mut task = task(b"");
    task.ok(put("C1", "A", "hello"));
    let call = task.ok(get("C1", "A", 8));
    assert_eq!(
        (
            call.got_text(opt::INTO).as_str(),
            call.got_int(opt::FLENGTH)
        ),
        ("hello???", 5)
    );
    // Put again replaces, APPEND adds.
    task.ok(put("C1", "A", "bye"));
    task.ok(put("C1", "A", "-bye").flag(opt::APPEND));
    assert_eq!(task.ok(get("C1", "A", 7)).got_text(opt::INTO), "bye-bye");
    task.ok(put("C1", "A", "1").flag(opt::PREPEND));
    assert_eq!(task.ok(get("C1", "A", 8)).got_text(opt::INTO), "1bye-bye");
    // FLENGTH of PUT cuts the data.
    task.ok(put("C1", "A", "abcdef").int(opt::FLENGTH, 2));
    assert_eq!(task.ok(get("C1", "A", 2)).got_text(opt::INTO), "ab");
}

#[test]
fn a_short_area_gets_the_start_and_lengerr() {
    let mut task = task(b"");
    task.ok(put("C1", "A", "hello"));
    let mut call = get("C1", "A", 3);
    assert_eq!(task.resp_of(&mut call), (Resp::LENGERR, 11));
    assert_eq!(
        (
            call.got_text(opt::INTO).as_str(),
            call.got_int(opt::FLENGTH)
        ),
        ("hel", 5)
    );
}

#[test]
fn part_of_the_data_set_and_nodata() {
    let mut task = task(b"");
    task.ok(put("C1", "A", "0123456789"));
    let call = task.ok(get("C1", "A", 3).int(opt::BYTEOFFSET, 4));
    assert_eq!(call.got_text(opt::INTO), "456");
    let length = exec(cmd::GET_CONTAINER)
        .text(opt::CONTAINER, "A")
        .text(opt::CHANNEL, "C1")
        .flag(opt::NODATA)
        .int(opt::FLENGTH, 0);
    assert_eq!(task.ok(length).got_int(opt::FLENGTH), 10);
    let set = || {
        exec(cmd::GET_CONTAINER)
            .text(opt::CONTAINER, "A")
            .text(opt::CHANNEL, "C1")
            .ptr(opt::SET, 0)
            .int(opt::FLENGTH, 0)
    };
    let call = task.ok(set());
    let first = call.got_pointer(opt::SET);
    assert_eq!(call.got_int(opt::FLENGTH), 10);
    assert_eq!(task.host.storage[&first], b"0123456789");
    // The next GET SET gives the first area back.
    let second = task.ok(set()).got_pointer(opt::SET);
    assert!(first != second && !task.host.storage.contains_key(&first));
    // The program may not free what belongs to the container.
    let free = exec(cmd::FREEMAIN).ptr(opt::DATAPOINTER, second);
    assert_eq!(task.resp(free), (Resp::INVREQ, 1));
}

#[test]
fn char_data_is_converted() {
    let mut task = task(b"");
    task.ok(put("C1", "T", "AB1").flag(opt::CHAR));
    let call = task.ok(get("C1", "T", 3).int(opt::INTOCCSID, 37));
    assert_eq!(call.got_bytes(opt::INTO), [0xC1, 0xC2, 0xF1]);
    // X'C1C2' is AB on the host.
    let host_text = exec(cmd::PUT_CONTAINER)
        .text(opt::CONTAINER, "H")
        .text(opt::CHANNEL, "C1")
        .bytes_of(opt::FROM, &[0xC1, 0xC2])
        .int(opt::FROMCCSID, 37);
    task.ok(host_text);
    assert_eq!(task.ok(get("C1", "H", 2)).got_text(opt::INTO), "AB");
    let as_stored = get("C1", "H", 2)
        .cvda(opt::CONVERTST, "NOCONVERT")
        .int(opt::CCSID, 0);
    let call = task.ok(as_stored);
    assert_eq!(call.got_int(opt::CCSID), 37);
    assert_eq!(call.got_bytes(opt::INTO), [0xC1, 0xC2]);
    let utf8 = task.ok(get("C1", "H", 2).text(opt::INTOCODEPAGE, "UTF-8"));
    assert_eq!(utf8.got_text(opt::INTO), "AB");
}

#[test]
fn code_pages_that_cannot_be() {
    let mut task = task(b"");
    task.ok(put("C1", "T", "AB1").flag(opt::CHAR));
    task.ok(put("C1", "B", "AB1").flag(opt::BIT));
    assert_eq!(
        task.resp(get("C1", "T", 3).int(opt::INTOCCSID, 0)),
        (Resp::CCSIDERR, 1)
    );
    assert_eq!(
        task.resp(get("C1", "T", 3).int(opt::INTOCCSID, 9)),
        (Resp::CCSIDERR, 2)
    );
    assert_eq!(
        task.resp(get("C1", "B", 3).int(opt::INTOCCSID, 37)),
        (Resp::CCSIDERR, 3)
    );
    let klingon = get("C1", "T", 3).text(opt::INTOCODEPAGE, "klingon");
    assert_eq!(task.resp(klingon), (Resp::CODEPAGEERR, 2));
    let euro = "\u{20AC}";
    task.ok(put("C1", "E", euro).int(opt::FROMCCSID, 1208));
    let mut call = get("C1", "E", 1).int(opt::INTOCCSID, 37);
    assert_eq!(task.resp_of(&mut call), (Resp::CCSIDERR, 4));
    assert_eq!(
        call.got_text(opt::INTO),
        "@",
        "the blank of the host stands for it"
    );
    assert_eq!(
        task.resp(put("C1", "T", "x").flag(opt::BIT)),
        (Resp::INVREQ, 33)
    );
    assert_eq!(
        task.resp(put("C1", "T", "x").int(opt::DATATYPE, 99)),
        (Resp::INVREQ, 32)
    );
}

#[test]
fn names_and_things_that_are_not_there() {
    let mut task = task(b"");
    assert_eq!(task.resp(put("", "A", "x")), (Resp::INVREQ, 4));
    assert_eq!(task.resp(get("", "A", 1)), (Resp::INVREQ, 4));
    assert_eq!(task.resp(get("NONE", "A", 1)), (Resp::CHANNELERR, 2));
    assert_eq!(task.resp(put("BAD NAME", "A", "x")), (Resp::CHANNELERR, 1));
    assert_eq!(task.resp(put("C1", "A*B", "x")), (Resp::CONTAINERERR, 18));
    assert_eq!(
        task.resp(put("C1", "A", "x").int(opt::FLENGTH, -1)),
        (Resp::LENGERR, 1)
    );
    task.ok(put("C1", "A", "x"));
    assert_eq!(task.resp(get("C1", "B", 1)), (Resp::CONTAINERERR, 10));
}

#[test]
fn the_current_channel_is_the_callers() {
    let mut task = channel_task(vec![bit("IN", b"12")]);
    assert_eq!(task.ok(get("", "IN", 2)).got_text(opt::INTO), "12");
    task.ok(put("", "OUT", "done"));
    task.ok(put("PRIVATE", "X", "not seen"));
    let TaskReply::Normal(Payload::Channel { name, containers }, _) = task.end() else {
        panic!("a channel comes back")
    };
    assert_eq!(name.as_str(), "ORDERS");
    assert_eq!(containers, [bit("IN", b"12"), bit("OUT", b"done")]);
}

#[test]
fn a_program_linked_without_it_does_not_see_the_callers_channel() {
    let mut task = channel_task(vec![bit("IN", b"12")]);
    assert_eq!(task.ok(get("ORDERS", "IN", 2)).got_text(opt::INTO), "12");
    task.link("SUB");
    assert_eq!(task.resp(get("", "IN", 2)), (Resp::INVREQ, 4));
    assert_eq!(task.resp(get("ORDERS", "IN", 2)), (Resp::CHANNELERR, 2));
    task.ok(put("ORDERS", "OUT", "another channel of this name"));
    task.back();
    let TaskReply::Normal(Payload::Channel { containers, .. }, _) = task.end() else {
        panic!("a channel comes back")
    };
    assert_eq!(containers, [bit("IN", b"12")]);
}

#[test]
fn a_channel_lives_as_long_as_the_level_that_made_it() {
    let mut task = task(b"");
    task.ok(put("MINE", "A", "from main"));
    let mut link = exec(cmd::LINK)
        .text(opt::PROGRAM, "SUB")
        .text(opt::CHANNEL, "MINE");
    assert!(matches!(task.run(&mut link), Outcome::Link(_, area) if area.bytes == 0));
    assert_eq!(task.ok(get("", "A", 9)).got_text(opt::INTO), "from main");
    task.ok(put("", "B", "from sub"));
    task.ok(put("SUBS", "C", "gone soon"));
    task.back();
    assert_eq!(task.ok(get("MINE", "B", 8)).got_text(opt::INTO), "from sub");
    assert_eq!(task.resp(get("SUBS", "C", 9)), (Resp::CHANNELERR, 2));
    // A program linked without the channel does not see it, but sees the transaction's.
    task.ok(put("DFHTRANSACTION", "T", "all"));
    task.link("SUB");
    assert_eq!(task.resp(get("MINE", "A", 9)), (Resp::CHANNELERR, 2));
    assert_eq!(
        task.ok(get("DFHTRANSACTION", "T", 3)).got_text(opt::INTO),
        "all"
    );
}

#[test]
fn xctl_hands_a_channel_on() {
    let mut task = task(b"");
    task.ok(put("MINE", "A", "kept"));
    task.ok(put("OTHER", "A", "lost"));
    let mut xctl = exec(cmd::XCTL)
        .text(opt::PROGRAM, "SUB")
        .text(opt::CHANNEL, "MINE");
    assert!(matches!(task.run(&mut xctl), Outcome::Xctl(..)));
    assert_eq!(task.ok(get("", "A", 4)).got_text(opt::INTO), "kept");
    assert_eq!(task.resp(get("OTHER", "A", 4)), (Resp::CHANNELERR, 2));
}

#[test]
fn containers_are_moved_deleted_and_counted() {
    let mut task = task(b"");
    for name in ["A", "B", "C"] {
        task.ok(put("C1", name, name));
    }
    let count = |task: &mut Task, channel: &str| {
        let call = exec(cmd::QUERY_CHANNEL)
            .text(opt::CHANNEL, channel)
            .int(opt::CONTAINERCNT, -1);
        task.ok(call).got_int(opt::CONTAINERCNT)
    };
    let to_c2 = exec(cmd::MOVE_CONTAINER)
        .text(opt::CONTAINER, "A")
        .text(opt::AS, "Z")
        .text(opt::CHANNEL, "C1")
        .text(opt::TOCHANNEL, "C2");
    task.ok(to_c2);
    assert_eq!(task.ok(get("C2", "Z", 1)).got_text(opt::INTO), "A");
    let rename = || {
        exec(cmd::MOVE_CONTAINER)
            .text(opt::CONTAINER, "B")
            .text(opt::AS, "C")
            .text(opt::CHANNEL, "C1")
            .text(opt::TOCHANNEL, "C1")
    };
    task.ok(rename());
    assert_eq!((count(&mut task, "C1"), count(&mut task, "C2")), (1, 1));
    assert_eq!(task.ok(get("C1", "C", 1)).got_text(opt::INTO), "B");
    assert_eq!(task.resp(rename()), (Resp::CONTAINERERR, 10));
    let delete = || {
        exec(cmd::DELETE_CONTAINER)
            .text(opt::CONTAINER, "C")
            .text(opt::CHANNEL, "C1")
    };
    task.ok(delete());
    assert_eq!(task.resp(delete()), (Resp::CONTAINERERR, 10));
    let channel = |name: &str| exec(cmd::DELETE_CHANNEL).text(opt::CHANNEL, name);
    task.ok(channel("C1"));
    assert_eq!(task.resp(channel("C1")), (Resp::CHANNELERR, 2));
    task.ok(put("DFHTRANSACTION", "A", "x"));
    assert_eq!(task.resp(channel("DFHTRANSACTION")), (Resp::CHANNELERR, 5));
    let mut link = exec(cmd::LINK)
        .text(opt::PROGRAM, "SUB")
        .text(opt::CHANNEL, "C2");
    task.run(&mut link);
    assert_eq!(task.resp(channel("C2")), (Resp::CHANNELERR, 4));
}

#[test]
fn browsing_names_every_container_once() {
    let mut task = task(b"");
    for name in ["A", "B", "C"] {
        task.ok(put("C1", name, name));
    }
    let start = exec(cmd::STARTBROWSE_CONTAINER)
        .flag(opt::CONTAINER)
        .text(opt::CHANNEL, "C1")
        .int(opt::BROWSETOKEN, 0);
    let token = task.ok(start).got_int(opt::BROWSETOKEN);
    let next = || {
        exec(cmd::GETNEXT_CONTAINER)
            .out(opt::CONTAINER, 16)
            .int(opt::BROWSETOKEN, token)
    };
    assert_eq!(task.ok(next()).got_text(opt::CONTAINER).trim(), "A");
    task.ok(exec(cmd::DELETE_CONTAINER)
        .text(opt::CONTAINER, "B")
        .text(opt::CHANNEL, "C1"));
    assert_eq!(task.ok(next()).got_text(opt::CONTAINER).trim(), "C");
    assert_eq!(task.resp(next()), (Resp::END, 2));
    let end = || {
        exec(cmd::ENDBROWSE_CONTAINER)
            .flag(opt::CONTAINER)
            .int(opt::BROWSETOKEN, token)
    };
    task.ok(end());
    assert_eq!(task.resp(end()), (Resp::TOKENERR, 3));
    assert_eq!(task.resp(next()), (Resp::TOKENERR, 3));
}

#[test]
fn a_big_container_is_no_matter() {
    let mut task = task(b"");
    let big = vec![b'x'; 20_000_000];
    let put = exec(cmd::PUT64_CONTAINER)
        .text(opt::CONTAINER, "BIG")
        .text(opt::CHANNEL, "C1")
        .bytes_of(opt::FROM, &big);
    task.ok(put);
    let length = exec(cmd::GET64_CONTAINER)
        .text(opt::CONTAINER, "BIG")
        .text(opt::CHANNEL, "C1")
        .flag(opt::NODATA)
        .int(opt::FLENGTH, 0);
    assert_eq!(task.ok(length).got_int(opt::FLENGTH), 20_000_000);
}
