//! Two regions of stores and mirrors without processes, and callers that misbehave.

#[path = "../../server/tests/it/fake_shared.rs"]
mod fake_shared;
mod fakes;
mod messages;
mod over_tcp;
mod units;

use crate::frames::{Answered, Asked, Attach, Hello, Holds, MAGIC, VERSION, table};
use crate::stream::Stream;
use crate::{LinkConfig, Links, reach};
use fake_shared::FakeShared;
pub(crate) use fakes::*;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use transom_recovery::*;
use transom_types::{Applid, Resp, SysId, TransId, UserId};

#[test]
fn a_unit_of_work_ends_in_both_regions_alike() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let one = Fake::start("ONE", "TWO", dir.path(), memory());
        let two = Fake::start("TWO", "ONE", dir.path(), memory());
        // Both changed: two phases. Nothing is seen before.
        assert_eq!(one.put("TWO", uow(1), "A").await.resp, Resp::NORMAL);
        one.stage(uow(1), "B");
        assert!(!two.has("A") && !one.has("B"));
        one.managed.manager.commit(uow(1)).await.unwrap();
        assert!(two.has("A") && one.has("B"));
        // The partner alone: it decides.
        assert_eq!(one.put("TWO", uow(2), "C").await.resp, Resp::NORMAL);
        one.managed.manager.commit(uow(2)).await.unwrap();
        assert!(two.has("C"));
        // Backed out in both.
        assert_eq!(one.put("TWO", uow(3), "D").await.resp, Resp::NORMAL);
        one.stage(uow(3), "E");
        one.managed.manager.backout(uow(3)).await.unwrap();
        assert!(!two.has("D") && !one.has("E"));
        until("mirrors end", || two.links().mirrors() == 0).await;
        assert_eq!((one.in_doubt(), two.in_doubt()), (0, 0));
    });
}

#[test]
fn a_conversation_that_holds_nothing_ends_without_an_answer() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let one = Fake::start("ONE", "TWO", dir.path(), memory());
        let two = Fake::start("TWO", "ONE", dir.path(), memory());
        let manager = &one.managed.manager;
        for n in 1..100 {
            let answer = one.put("TWO", uow(n), "??").await;
            assert_eq!((answer.resp, answer.data.as_slice()), (Resp::NORMAL, READS));
            match n % 2 {
                0 => manager.commit(uow(n)).await.unwrap(),
                _ => manager.backout(uow(n)).await.unwrap(),
            }
        }
        until("mirrors end", || two.links().mirrors() == 0).await;
        let link = one.links().link(SysId::from_field(b"TWO")).unwrap();
        assert_eq!(link.conversations(), 0);
        assert_eq!(*two.purged.lock().unwrap(), []);
        // What has changed something ends as it must, whatever it did before and after.
        for key in ["??", "KEY", "??"] {
            one.put("TWO", uow(100), key).await;
        }
        manager.commit(uow(100)).await.unwrap();
        assert!(two.has("KEY"));
        // The partner is gone: what holds nothing there is committed all the same.
        one.put("TWO", uow(101), "??").await;
        two.links().stop();
        drop(two);
        manager.commit(uow(101)).await.unwrap();
    });
}

#[test]
fn who_lets_go_of_changes_has_not_committed_them() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let two = Fake::start("TWO", "ONE", dir.path(), memory());
        let mut stream = greeted(dir.path()).await;
        for key in ["FIRST", "SECOND"] {
            let answered = stream.exchange(&attach(key)).await.unwrap();
            assert!(matches!(
                answered,
                Answered::Ran {
                    holds: Holds::Changes,
                    ..
                }
            ));
            stream.say(&Asked::LetGo).await.unwrap();
        }
        until("mirrors end", || two.links().mirrors() == 0).await;
        assert!(!two.has("FIRST") && !two.has("SECOND"));
    });
}

#[test]
fn a_caller_that_dies_leaves_nothing_that_it_had_not_prepared() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let two = Fake::start("TWO", "ONE", dir.path(), memory());
        let mut stream = greeted(dir.path()).await;
        stream.exchange(&attach("A")).await.unwrap();
        drop(stream);
        until("the mirror ends", || two.links().mirrors() == 0).await;
        assert!(!two.has("A"));
        assert_eq!(two.in_doubt(), 0);
    });
}

/// A caller that dies after it has prepared; what its log says when it comes back.
fn comes_back(decided: bool) -> bool {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let two = Fake::start("TWO", "ONE", dir.path(), memory());
        let mut stream = greeted(dir.path()).await;
        stream.exchange(&attach("A")).await.unwrap();
        let prepare = Asked::Prepare(uow(7).to_bytes());
        let answered = stream.exchange(&prepare).await.unwrap();
        assert_eq!(answered, Answered::Done);
        drop(stream);
        until("the mirror ends", || two.links().mirrors() == 0).await;
        assert_eq!(two.in_doubt(), 1);
        assert!(!two.has("A"));
        let store = memory();
        if decided {
            let names = Change::Put(b"region:TWO".to_vec());
            store.define("uow/decided").await.unwrap();
            let write = Write::new("uow/decided", uow(7).to_bytes(), names);
            store.write_now(None, vec![write], Wait::No).await.unwrap();
        }
        let _one = Fake::start("ONE", "TWO", dir.path(), store);
        until("it is resolved", || two.in_doubt() == 0).await;
        two.has("A")
    })
}

#[test]
fn what_a_dead_caller_had_decided_is_committed_when_it_is_back() {
    assert!(comes_back(true));
}

#[test]
fn what_a_dead_caller_had_not_decided_is_backed_out_when_it_is_back() {
    assert!(!comes_back(false));
}

#[test]
fn a_partner_that_dies_before_the_end_backs_the_unit_of_work_out() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let one = Fake::start("ONE", "TWO", dir.path(), memory());
        let two = Fake::start("TWO", "ONE", dir.path(), memory());
        assert_eq!(one.put("TWO", uow(1), "A").await.resp, Resp::NORMAL);
        one.stage(uow(1), "B");
        // Its session breaks off.
        one.links().break_off(uow(1)).await;
        assert!(one.managed.manager.commit(uow(1)).await.is_err());
        assert!(!one.has("B") && !two.has("A"));
        until("the mirror ends", || two.links().mirrors() == 0).await;
    });
}

impl Links {
    /// Ends the session of a unit of work, as a death does.
    async fn break_off(&self, uow: UowId) {
        let links: Vec<_> = self.table.lock().unwrap().values().cloned().collect();
        for link in links {
            if let Some(talk) = link.talk(uow) {
                talk.stream.lock().await.take();
            }
        }
    }
}

fn hello(version: u16, applid: &str, partner: &str) -> Asked {
    Asked::Hello(Hello {
        magic: MAGIC,
        version,
        table: table(),
        applid: Applid::from_field(applid.as_bytes()),
        sysid: SysId::from_field(b"S"),
        partner: Applid::from_field(partner.as_bytes()),
    })
}

fn attach(key: &str) -> Asked {
    Asked::Attach(Attach {
        userid: UserId::BLANK,
        transid: TransId::BLANK,
        depth: 1,
        apart: false,
        command: key.as_bytes().to_vec(),
        origin: Vec::new(),
    })
}

pub(crate) async fn connected(dir: &Path) -> UnixStream {
    let socket = reach::socket(&dir.join(GROUP), Applid::from_field(b"TWO"));
    let begin = Instant::now();
    loop {
        match UnixStream::connect(&socket).await {
            Ok(carrier) => return carrier,
            Err(error) => assert!(begin.elapsed() < PATIENCE, "{error}"),
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

pub(crate) async fn greeted(dir: &Path) -> Stream {
    let mut stream = Stream::new(connected(dir).await);
    let welcome = stream.exchange(&hello(VERSION, "ONE", "TWO")).await;
    assert!(matches!(welcome, Ok(Answered::Welcome(_))));
    stream
}

/// What somebody who says this first is told.
async fn refused(dir: &Path, first: Asked) -> String {
    let mut stream = Stream::new(connected(dir).await);
    match stream.exchange(&first).await.unwrap() {
        Answered::Refused(text) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn strangers_are_refused_and_harm_nobody() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let _two = Fake::start("TWO", "ONE", dir.path(), memory());
        let dir = dir.path();
        let begins = |text: String, id: &str| assert!(text.starts_with(id), "{text}");
        begins(refused(dir, hello(9, "ONE", "TWO")).await, "TXMIS0021E");
        begins(
            refused(dir, hello(VERSION, "SIX", "TWO")).await,
            "TXMIS0023E",
        );
        begins(
            refused(dir, hello(VERSION, "ONE", "SIX")).await,
            "TXMIS0022E",
        );
        begins(refused(dir, attach("A")).await, "TXMIS0020E");
        // Garbage, more than a frame may have, half a frame: the connection ends.
        for bytes in [
            &b"\x08\0\0\0garbage!"[..],
            b"\xFF\xFF\xFF\xFF",
            b"\x40\0\0\0half",
        ] {
            let mut carrier = connected(dir).await;
            carrier.write_all(bytes).await.unwrap();
            carrier.shutdown().await.unwrap();
            let mut told = Vec::new();
            let read = carrier.read_to_end(&mut told);
            let ended = tokio::time::timeout(PATIENCE, read).await;
            assert!(ended.is_ok(), "{bytes:?}");
        }
        // A frame out of turn.
        let mut stream = greeted(dir).await;
        assert!(stream.exchange(&Asked::Commit).await.is_err());
        // Regions still get what they ask for.
        let mut stream = greeted(dir).await;
        let doubts = stream.exchange(&Asked::Doubts).await.unwrap();
        assert_eq!(doubts, Answered::Doubts(Vec::new()));
    });
}
