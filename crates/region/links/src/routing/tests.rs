//! Routed transactions between regions without tasks, and partners that misbehave.

use crate::desk::{Later, NewRouted, NotBegun, OnOver, RoutingDesk};
use crate::frames::{Answered, Asked, Routed};
use crate::tests::{Fake, FakeDesk, STOPS, folder, greeted, memory, runtime, until};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use transom_types::{AbendCode, Applid, Device, Payload, Resp, SysId, TermId, TransId, UserId};
use transom_wire::carried::{payload_bytes, payload_of};
use transom_wire::definitions::UpperCase;
use transom_wire::payload::Sections;
use transom_wire::requests::RegionAnswer;
use transom_wire::routing::{Failed, Over, Question, Routing};
use transom_wire::terminal::{Facts, Input, Request};

/// A task asks its terminal once and leaves what it was told.
impl RoutingDesk for FakeDesk {
    fn begin(&self, task: NewRouted, on_over: OnOver) -> Result<u32, NotBegun> {
        if task.transid == TransId::from_field(b"NONE") {
            return Err(NotBegun("there is no NONE".to_owned()));
        }
        self.0.terminals.lock().unwrap().push(task.facts.terminal);
        let (fake, number) = (self.0.clone(), self.0.next.fetch_add(1, Ordering::SeqCst));
        tokio::spawn(async move {
            let question = Question::Terminal(Request::Read(Vec::new(), 0));
            let answer = loop {
                // Known when its start is over.
                match fake.links().asks_elsewhere(number, &question) {
                    Some(answer) => break answer.await,
                    None => tokio::time::sleep(Duration::from_millis(1)).await,
                }
            };
            on_over(match answer.abend {
                Some(code) => Over::Failed(Failed {
                    code: Some(code),
                    text: answer.text,
                    area: None,
                }),
                None => Over::Ended(commarea(&answer.data)),
            });
        });
        Ok(number)
    }

    fn ask(&self, _: u32, own: TermId, _: Question) -> Later<RegionAnswer> {
        Box::pin(async move { RegionAnswer::with_data(own.as_bytes().to_vec()) })
    }

    fn has_terminal(&self, name: TermId) -> bool {
        name == TermId::from_field(b"BUSY")
    }
}

fn commarea(bytes: &[u8]) -> Vec<u8> {
    payload_bytes(Payload::Commarea(bytes.to_vec()), &Sections::default())
}

fn facts(terminal: &str) -> Facts {
    Facts {
        terminal: TermId::from_field(terminal.as_bytes()),
        netname: "LU1".to_owned(),
        device: Device::model_2(),
        upper_case: UpperCase::No,
        alternate: false,
        suffix: 0,
        scs: false,
        natlang: 0,
        user_area: Vec::new(),
        input: Input::None,
        system: SysId::BLANK,
        there: TermId::BLANK,
    }
}

fn routing(system: &str, transid: &str, terminal: &str) -> Routing {
    Routing {
        system: SysId::from_field(system.as_bytes()),
        transid: TransId::from_field(transid.as_bytes()),
        userid: UserId::from_field(b"USER"),
        facts: facts(terminal),
        payload: commarea(b""),
        waits: true,
        started: None,
    }
}

fn routed(path: &[&str], payload: Vec<u8>) -> Asked {
    Asked::Route(Routed {
        userid: UserId::BLANK,
        transid: TransId::from_field(b"TRN"),
        path: path
            .iter()
            .map(|name| Applid::from_field(name.as_bytes()))
            .collect(),
        facts: facts("T001"),
        payload,
        started: None,
    })
}

async fn route(fake: &Fake, routing: &Routing) -> RegionAnswer {
    loop {
        let answer = fake.links().route(7, routing.clone()).await;
        // Links need a moment to begin.
        if answer.resp != Resp::SYSIDERR || answer.data == b"0" && routing.system.as_str() == "SIX"
        {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn left(answer: &RegionAnswer) -> Vec<u8> {
    match Over::decode(&answer.data) {
        Some(Over::Ended(reply)) => match payload_of(reply) {
            Some((Payload::Commarea(bytes), _)) => bytes,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?} {}", answer.text),
    }
}

#[test]
fn a_routed_task_asks_the_terminal_of_the_relay_task() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let one = Fake::start("ONE", "TWO", dir.path(), memory());
        let two = Fake::start("TWO", "ONE", dir.path(), memory());
        let answer = route(&one, &routing("TWO", "TRN", "T001")).await;
        assert_eq!(left(&answer), b"T001");
        // A name that is taken there is another one there, and the terminal's own here.
        let answer = route(&one, &routing("TWO", "TRN", "BUSY")).await;
        assert_eq!(left(&answer), b"BUSY");
        let named: Vec<String> = {
            let terminals = two.terminals.lock().unwrap();
            terminals.iter().map(|t| t.as_str().to_owned()).collect()
        };
        assert_eq!(named, ["T001", "{AAA"]);
        until("surrogates go", || two.links().routed() == 0).await;
        assert_eq!(*two.purged.lock().unwrap(), []);
        // What does not run is told, and what has no way.
        let answer = route(&one, &routing("TWO", "NONE", "T001")).await;
        let Some(Over::Failed(failed)) = Over::decode(&answer.data) else {
            panic!("{answer:?}");
        };
        assert_eq!(
            (failed.code, failed.text.as_str()),
            (None, "there is no NONE")
        );
        let answer = route(&one, &routing("SIX", "TRN", "T001")).await;
        assert_eq!(
            (answer.resp, answer.data.as_slice()),
            (Resp::SYSIDERR, &b"0"[..])
        );
    });
}

#[test]
fn the_region_with_the_least_work_runs_it_and_one_that_stops_is_passed_over() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let one = Fake::among("ONE", &["TWO", "SIX"], dir.path(), memory());
        let choose = routing("", "TRN", "T001");
        let refused = one.links().route(7, choose.clone()).await;
        assert!(refused.text.starts_with("TXMIS0073E"), "{}", refused.text);
        let two = Fake::start("TWO", "ONE", dir.path(), memory());
        let six = Fake::start("SIX", "ONE", dir.path(), memory());
        let ran = |fake: &Fake| fake.terminals.lock().unwrap().len();
        six.busy.store(50, Ordering::SeqCst);
        let acquired = || {
            one.links()
                .read()
                .iter()
                .filter(|link| link.acquired)
                .count()
                == 2
        };
        until("both are there", acquired).await;
        // Loads are told again and again; what is known by then decides.
        for (busy, idle) in [(&six, &two), (&two, &six)] {
            busy.busy.store(50, Ordering::SeqCst);
            idle.busy.store(0, Ordering::SeqCst);
            let (begin, mut in_a_row) = (Instant::now(), 0);
            while in_a_row < 10 {
                assert!(begin.elapsed() < Duration::from_secs(60), "they take turns");
                let before = ran(idle);
                assert_eq!(left(&one.links().route(7, choose.clone()).await), b"T001");
                in_a_row = match ran(idle) > before {
                    true => in_a_row + 1,
                    false => 0,
                };
            }
        }
        // One that is about to stop gets nothing, however idle it is.
        six.busy.store(STOPS, Ordering::SeqCst);
        let begin = Instant::now();
        let before = ran(&two);
        while ran(&two) == before {
            assert!(
                begin.elapsed() < Duration::from_secs(60),
                "nobody hears of it"
            );
            assert_eq!(left(&one.links().route(7, choose.clone()).await), b"T001");
        }
    });
}

#[test]
fn partners_that_misbehave_end_their_own_task_alone() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let two = Fake::start("TWO", "ONE", dir.path(), memory());
        // It comes back to where it was.
        let mut stream = greeted(dir.path()).await;
        let answered = stream
            .exchange(&routed(&["ONE", "TWO"], commarea(b"")))
            .await;
        let Ok(Answered::Over(Over::Failed(failed))) = answered else {
            panic!("{answered:?}");
        };
        assert!(failed.text.starts_with("TXMIS0060E"), "{}", failed.text);
        // Data that is none.
        let answered = stream
            .exchange(&routed(&["ONE"], b"garbage".to_vec()))
            .await;
        assert!(matches!(answered, Ok(Answered::Over(Over::Failed(_)))));
        // An answer out of turn, and an end in the middle: the task is purged.
        let answered = stream.exchange(&routed(&["ONE"], commarea(b""))).await;
        assert!(matches!(
            answered,
            Ok(Answered::Asks(Question::Terminal(_)))
        ));
        assert!(stream.exchange(&Asked::Commit).await.is_err());
        until("it is purged", || two.purged.lock().unwrap().len() == 1).await;
        let mut stream = greeted(dir.path()).await;
        stream
            .exchange(&routed(&["ONE"], commarea(b"")))
            .await
            .unwrap();
        drop(stream);
        until("it is purged", || two.purged.lock().unwrap().len() == 2).await;
        assert_eq!(two.links().routed(), 0);
        // Others are served, on the same session again and again.
        let mut stream = greeted(dir.path()).await;
        for _ in 0..2 {
            stream
                .exchange(&routed(&["ONE"], commarea(b"")))
                .await
                .unwrap();
            let told = Asked::Told(RegionAnswer::with_data(b"typed".to_vec()));
            let answered = stream.exchange(&told).await.unwrap();
            assert_eq!(answered, Answered::Over(Over::Ended(commarea(b"typed"))));
        }
        // A purge of the terminal's side arrives as the abend it is.
        stream
            .exchange(&routed(&["ONE"], commarea(b"")))
            .await
            .unwrap();
        let purged = RegionAnswer::abend(AbendCode::AKC3, "");
        let answered = stream.exchange(&Asked::Told(purged)).await.unwrap();
        let Answered::Over(Over::Failed(failed)) = answered else {
            panic!("{answered:?}");
        };
        assert_eq!(failed.code, Some(AbendCode::AKC3));
    });
}
