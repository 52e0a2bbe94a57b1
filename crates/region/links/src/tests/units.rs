//! UOW links: who is told which, and when one may be deleted.

use super::*;
use transom_wire::partner::{LinkState, UnitLink};

fn region(name: &[u8]) -> Applid {
    Applid::from_field(name)
}

/// The only one.
async fn only(fake: &Fake) -> UnitLink {
    let mut all = fake.links().unit_links().await;
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

async fn delete(fake: &Fake, token: u32) -> (Resp, u32) {
    let answer = fake.links().forget_unit_link(token).await;
    (answer.resp, answer.resp2)
}

#[test]
fn both_regions_know_who_says_how_a_unit_of_work_ends() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let one = Fake::start("ONE", "TWO", dir.path(), memory());
        let two = Fake::start("TWO", "ONE", dir.path(), memory());
        assert_eq!(one.put("TWO", uow(1), "A").await.resp, Resp::NORMAL);
        let (here, there) = (only(&one).await, only(&two).await);
        assert_eq!((here.applid, here.coordinates), (region(b"TWO"), false));
        assert_eq!(here.unit[..8], 1_u64.to_be_bytes());
        assert_eq!((there.applid, there.coordinates), (region(b"ONE"), true));
        assert_eq!(here.system, SysId::from_field(b"TWO"));
        assert_eq!(only(&one).await.token, here.token);
        assert_eq!(delete(&one, here.token).await, (Resp::INVREQ, 5));
        assert_eq!(delete(&two, there.token).await, (Resp::INVREQ, 5));
        let none = here.token + 1;
        assert_eq!(delete(&one, none).await, (Resp::UOWLNOTFOUND, 1));
        one.managed.manager.commit(uow(1)).await.unwrap();
        until("mirrors end", || two.links().mirrors() == 0).await;
        assert!(one.links().unit_links().await.is_empty());
        assert!(two.links().unit_links().await.is_empty());
        // Another unit of work is another UOW link.
        one.put("TWO", uow(2), "B").await;
        assert_ne!(only(&one).await.token, here.token);
    });
}

#[test]
fn a_prepared_unit_of_work_waits_for_its_coordinator() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let two = Fake::start("TWO", "ONE", dir.path(), memory());
        let mut stream = greeted(dir.path()).await;
        stream.exchange(&attach("A")).await.unwrap();
        let prepare = Asked::Prepare(uow(7).to_bytes());
        stream.exchange(&prepare).await.unwrap();
        drop(stream);
        until("the mirror ends", || two.links().mirrors() == 0).await;
        let link = only(&two).await;
        assert_eq!((link.applid, link.coordinates), (region(b"ONE"), true));
        assert_eq!(link.state, LinkState::Unavailable);
        assert_eq!(delete(&two, link.token).await, (Resp::INVREQ, 3));
    });
}

/// A region whose log says that TWO and THR have not been told of a commit, and one that it has a
/// link to: decisions are read when somebody takes part.
async fn owes(partners: &[&str], dir: &Path) -> [Arc<Fake>; 2] {
    let store = memory();
    store.define("uow/decided").await.unwrap();
    let names = Change::Put(b"region:TWO,region:THR".to_vec());
    let write = Write::new("uow/decided", uow(7).to_bytes(), names);
    store.write_now(None, vec![write], Wait::No).await.unwrap();
    let other = Fake::start("OTH", "ONE", dir, memory());
    let one = Fake::among("ONE", partners, dir, store);
    one.put("OTH", uow(8), "A").await;
    one.managed.manager.commit(uow(8)).await.unwrap();
    [one, other]
}

#[test]
fn what_a_region_without_connection_is_owed_can_be_forgotten() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let [one, _other] = owes(&["OTH"], dir.path()).await;
        let all = one.links().unit_links().await;
        let two = all.iter().find(|link| link.applid == region(b"TWO"));
        let two = two.unwrap().clone();
        assert_eq!(all.len(), 2);
        assert_eq!(
            (two.state, two.coordinates),
            (LinkState::Unconnected, false)
        );
        assert!(two.system.is_blank());
        assert_eq!(delete(&one, two.token).await, (Resp::NORMAL, 0));
        assert_eq!(delete(&one, two.token).await, (Resp::UOWLNOTFOUND, 1));
        // The other one is still to be told, also by the next run.
        let key = uow(7).to_bytes();
        let read = one
            .managed
            .store
            .read(None, "uow/decided", &key, Match::Equal, Lock::None);
        let row = read.await.unwrap().unwrap();
        assert_eq!(row.record, b"region:THR".to_vec());
        let left = only(&one).await;
        assert_eq!(left.applid, region(b"THR"));
        assert_eq!(delete(&one, left.token).await, (Resp::NORMAL, 0));
        let read = one
            .managed
            .store
            .read(None, "uow/decided", &key, Match::Equal, Lock::None);
        assert_eq!(read.await.unwrap(), None);
    });
}

#[test]
fn what_a_region_with_a_connection_is_owed_stays() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let [one, _other] = owes(&["OTH", "TWO"], dir.path()).await;
        let all = one.links().unit_links().await;
        let two = all.iter().find(|link| link.applid == region(b"TWO"));
        let two = two.unwrap();
        assert_eq!(delete(&one, two.token).await, (Resp::INVREQ, 7));
        assert_eq!(one.links().unit_links().await.len(), 2);
    });
}
