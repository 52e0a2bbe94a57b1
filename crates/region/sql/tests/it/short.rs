//! What is short for sure is run by who brings it: it waits for no thread, and is no different.

use super::{World, execute, select, uow};
use transom_recovery::{Part, Participant, wait};
use transom_region_sql::SqlSessions;
use transom_wire::sql::{Request, SqlAnswer, SqlValue};

const TRIES: u32 = 50;

/// The answer, and whether it was there at once. What a thread has done may be, too, where that was
/// faster than the look: it is not so each time.
fn asked(sessions: &SqlSessions, request: Request) -> (SqlAnswer, bool) {
    let mut answer = sessions.run(1, uow(1), request).unwrap();
    match answer.try_recv() {
        Ok(answer) => (answer, true),
        Err(_) => (wait(answer).unwrap(), false),
    }
}

#[test]
fn a_row_of_a_whole_key_needs_no_thread_once_something_was_changed() {
    let world = World::new();
    let sessions = SqlSessions::new(world.engine);
    let run = |text: &str| asked(&sessions, execute(text, Vec::new()));
    let add = "UPDATE ACCOUNT SET OWNER = 'NOBODY' WHERE NO = 1";
    let read = || {
        asked(
            &sessions,
            select("SELECT OWNER INTO :O FROM ACCOUNT WHERE NO = 1", Vec::new()),
        )
    };
    // Nothing has been changed: it may have to wait for the turn to write.
    assert!((0..TRIES).any(|_| !read().1));
    let (first, _) = run(add);
    assert_eq!((first.code, first.count), (0, 1));
    let (second, at_once) = run(add);
    assert_eq!((second.code, second.count, at_once), (0, 1, true));
    assert_eq!(second, first);
    let (owner, at_once) = read();
    assert!(at_once);
    let [SqlValue::Text(owner)] = &owner.rows[0].values[..] else {
        panic!("{owner:?}")
    };
    assert_eq!(owner.trim_end(), "NOBODY");
    let all = "UPDATE ACCOUNT SET OWNER = 'ALL'";
    assert!((0..TRIES).any(|_| !run(all).1), "it may be long");
    // One that is refused leaves what was before.
    let nine = "INSERT INTO ACCOUNT VALUES (9, 'NINE', 0, NULL)";
    assert_eq!(run(nine).0.code, 0);
    let (twice, at_once) = run(nine);
    assert_eq!((twice.code, at_once), (-803, true), "{twice:?}");
    // Rows that refer to it are looked for.
    let gone = "DELETE FROM ACCOUNT WHERE NO = 9";
    assert_eq!(run(gone).0.code, 0);
    assert!((0..TRIES).any(|_| !run(gone).1));
    assert_eq!(sessions.part(uow(1)), Part::Changes);
    wait(sessions.backout(uow(1))).unwrap();
    assert_eq!(sessions.part(uow(1)), Part::None);
    assert!((0..TRIES).any(|_| !read().1));
}
