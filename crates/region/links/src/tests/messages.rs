//! Each message of a unit of work over three regions is cut off, late, or there twice.
//!
//! What: one region calls two others through wires that count messages and harm one of them. What
//! the caller changed and what both partners changed stays together, whatever was harmed. Not here:
//! regions that die (`super`), processes (the testkit).

use super::*;
use tokio::net::UnixListener;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

/// What becomes of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Harm {
    /// The connection ends in front of it.
    Cut,
    /// The connection ends behind it.
    CutBehind,
    Late,
    Twice,
}

/// Messages of a unit of work on one link: a command, the first phase and the second one, each with
/// its answer.
const MESSAGES: u32 = 6;
const LATE: Duration = Duration::from_millis(150);

/// What is to be done with the message that comes after so many.
type Plan = Arc<std::sync::Mutex<Option<(u32, Harm)>>>;

/// A socket in front of that of a region of another folder.
async fn wire(near: &Path, far: &Path, region: &str) -> Plan {
    let applid = Applid::from_field(region.as_bytes());
    let (at, to) = (reach::socket(near, applid), reach::socket(far, applid));
    transom_intersystem::prepare(near).unwrap();
    let (listener, plan) = (UnixListener::bind(at).unwrap(), Plan::default());
    let own = plan.clone();
    tokio::spawn(async move {
        while let Ok((caller, _)) = listener.accept().await {
            let Ok(called) = UnixStream::connect(&to).await else {
                continue;
            };
            let (from_caller, to_caller) = caller.into_split();
            let (from_called, to_called) = called.into_split();
            let (there, back) = (own.clone(), own.clone());
            tokio::spawn(async move {
                tokio::select! {
                    () = pass(from_caller, to_called, there, is_asked) => {}
                    () = pass(from_called, to_caller, back, is_answered) => {}
                }
            });
        }
    });
    plan
}

/// Passes messages one way, to the end of the connection.
async fn pass(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    plan: Plan,
    counts: fn(&[u8]) -> bool,
) {
    while let Some(frame) = next(&mut from).await {
        let harm = match counts(&frame[4..]) {
            true => due(&plan),
            false => None,
        };
        if harm == Some(Harm::Cut) {
            return;
        }
        if harm == Some(Harm::Late) {
            tokio::time::sleep(LATE).await;
        }
        let times = if harm == Some(Harm::Twice) { 2 } else { 1 };
        for _ in 0..times {
            if to.write_all(&frame).await.is_err() {
                return;
            }
        }
        if harm == Some(Harm::CutBehind) {
            return;
        }
    }
}

async fn next(from: &mut OwnedReadHalf) -> Option<Vec<u8>> {
    let mut frame = vec![0; 4];
    from.read_exact(&mut frame).await.ok()?;
    let length = u32::from_le_bytes([frame[0], frame[1], frame[2], frame[3]]);
    frame.resize(4 + length as usize, 0);
    from.read_exact(&mut frame[4..]).await.ok()?;
    Some(frame)
}

fn due(plan: &Plan) -> Option<Harm> {
    let mut plan = plan.lock().unwrap();
    let (left, harm) = (*plan)?;
    *plan = (left > 0).then(|| (left - 1, harm));
    (left == 0).then_some(harm)
}

fn is_asked(body: &[u8]) -> bool {
    use Asked::{Attach, Backout, Commit, LetGo, Prepare, Run};
    let asked = Asked::decode(body).unwrap();
    matches!(
        asked,
        Attach(_) | Run(_) | Prepare(_) | Commit | Backout | LetGo
    )
}

fn is_answered(body: &[u8]) -> bool {
    use Answered::{Abended, Done, Failed, NotRun, Ran};
    let answered = Answered::decode(body).unwrap();
    matches!(
        answered,
        Ran { .. } | Done | Failed { .. } | Abended { .. } | NotRun { .. }
    )
}

/// One unit of work: its keys, and what its end said.
struct Case {
    name: String,
    keys: [String; 3],
    /// It was committed; `None`: nobody knows yet.
    committed: Option<bool>,
}

async fn unit(one: &Fake, number: u64, name: String) -> Case {
    let key = |region: &str| format!("{region}{number}");
    let keys = [key("A"), key("B"), key("C")];
    let id = uow(number);
    let manager = &one.managed.manager;
    one.stage(id, &keys[0]);
    let second = one.put("TWO", id, &keys[1]).await;
    let third = one.put("THR", id, &keys[2]).await;
    let begun = second.resp == Resp::NORMAL && third.resp == Resp::NORMAL;
    let committed = match begun {
        true => match manager.commit(id).await {
            Ok(()) => Some(true),
            Err(StoreError::Unknown(_)) => None,
            Err(_) => Some(false),
        },
        false => {
            // The task abends.
            let _backed_out = manager.backout(id).await;
            Some(false)
        }
    };
    Case {
        name,
        keys,
        committed,
    }
}

#[test]
fn a_unit_of_work_over_three_regions_stays_whole_whatever_message_is_harmed() {
    let (near, far, runtime) = (folder(), folder(), runtime());
    runtime.block_on(async {
        let two = Fake::start("TWO", "ONE", far.path(), memory());
        let three = Fake::start("THR", "ONE", far.path(), memory());
        let group = |dir: &tempfile::TempDir| dir.path().join(GROUP);
        let wires = [
            ("TWO", wire(&group(&near), &group(&far), "TWO").await),
            ("THR", wire(&group(&near), &group(&far), "THR").await),
        ];
        let one = Fake::among("ONE", &["TWO", "THR"], near.path(), memory());
        let mut cases = vec![unit(&one, 1, "unharmed".to_owned()).await];
        for (region, plan) in &wires {
            for harm in [Harm::Cut, Harm::CutBehind, Harm::Late, Harm::Twice] {
                for message in 0..MESSAGES {
                    *plan.lock().unwrap() = Some((message, harm));
                    let name = format!("{harm:?} {message} of {region}");
                    let number = cases.len() as u64 + 1;
                    cases.push(unit(&one, number, name.clone()).await);
                    let left = plan.lock().unwrap().take();
                    assert_eq!(left, None, "{name}: there was no such message");
                }
            }
        }
        until("nothing is in doubt", || {
            [&one, &two, &three].iter().all(|r| r.in_doubt() == 0)
        })
        .await;
        until("mirrors end", || {
            two.links().mirrors() + three.links().mirrors() == 0
        })
        .await;
        for case in &cases {
            let [a, b, c] = &case.keys;
            let has = [one.has(a), two.has(b), three.has(c)];
            let whole = has == [has[0]; 3];
            assert!(whole, "{}: {has:?}", case.name);
            if let Some(committed) = case.committed {
                assert_eq!(has[0], committed, "{}", case.name);
            }
        }
        assert_eq!(cases[0].committed, Some(true));
        // What is only late or told twice behind the decision is committed.
        let late = cases.iter().filter(|case| case.name.starts_with("Late"));
        assert!(late.into_iter().all(|case| case.committed == Some(true)));
    });
}
