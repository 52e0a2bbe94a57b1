//! Reads, changes and browses through alternate indexes.

use super::Report;
use super::customers::{Checked, access, filled, keys, name, shown};
use crate::{Access, Condition, Datasets, Find, Position, Start};
use std::sync::Arc;
use transom_recovery::{Direction, UowStore, wait};

/// Key, how, expected; for the base and both paths.
pub(super) fn finds(store: &Arc<dyn UowStore>, _: bool, report: &mut Report) -> Checked {
    let all = filled(store)?;
    let wrong = r#"Invalid("the key has a wrong length")"#;
    let table: &[(&str, &str, Find, &str)] = &[
        ("", "0003", Find::Equal, "0003JONESLON"),
        ("", "0004", Find::Equal, "NotFound"),
        ("", "000", Find::Equal, wrong),
        ("", "00003", Find::Equal, wrong),
        ("", "", Find::Generic, wrong),
        ("", "0004", Find::GreaterOrEqual, "0005BROWNNYC"),
        ("", "0005", Find::GreaterOrEqual, "0005BROWNNYC"),
        ("", "0012", Find::GreaterOrEqual, "NotFound"),
        ("", "0", Find::GreaterOrEqual, "0001SMITHNYC"),
        ("", "001", Find::GreaterOrEqual, "0011BLACKLON"),
        ("", "002", Find::GreaterOrEqual, "NotFound"),
        ("", "00", Find::Generic, "0001SMITHNYC"),
        ("", "001", Find::Generic, "0011BLACKLON"),
        ("", "01", Find::Generic, "NotFound"),
        ("", "0009", Find::Generic, "0009WHITENYC"),
        (".NAMEP", "BROWN", Find::Equal, "0005BROWNNYC"),
        (".NAMEP", "BROWM", Find::Equal, "NotFound"),
        (".NAMEP", "B", Find::Equal, wrong),
        (".NAMEP", "B", Find::Generic, "0011BLACKLON"),
        (".NAMEP", "BR", Find::Generic, "0005BROWNNYC"),
        (".NAMEP", "C", Find::GreaterOrEqual, "0007GREENPAR"),
        (".NAMEP", "X", Find::GreaterOrEqual, "NotFound"),
        (".CITYP", "NYC", Find::Equal, "0001SMITHNYC+"),
        (".CITYP", "LON", Find::Equal, "0003JONESLON+"),
        (".CITYP", "PAR", Find::Equal, "0007GREENPAR"),
        (".CITYP", "ROM", Find::Equal, "NotFound"),
        (".CITYP", "N", Find::Generic, "0001SMITHNYC+"),
        (".CITYP", "M", Find::GreaterOrEqual, "0001SMITHNYC+"),
        (".CITYP", "O", Find::GreaterOrEqual, "0007GREENPAR"),
        (".CITYP", "Q", Find::GreaterOrEqual, "NotFound"),
    ];
    for (path, key, find, expected) in table {
        let dataset = all.dataset(&name(&format!("TEST.CUST{path}")))?;
        let case = format!("find{path} {key:?} {find:?}");
        let got = shown(wait(dataset.read(None, key.as_bytes(), *find)));
        report.check(&case, got.as_str(), expected);
        let locked = shown(wait(dataset.read_for_update(
            access(1, true),
            key.as_bytes(),
            *find,
        )));
        report.check(&format!("{case} for update"), locked.as_str(), expected);
    }
    Ok(())
}

pub(super) fn unique_index(
    store: &Arc<dyn UowStore>,
    recoverable: bool,
    report: &mut Report,
) -> Checked {
    let all = filled(store)?;
    let base = all.dataset(&name("TEST.CUST"))?;
    let by_name = all.dataset(&name("TEST.CUST.NAMEP"))?;
    let by_city = all.dataset(&name("TEST.CUST.CITYP"))?;
    let a = access(1, recoverable);
    let same = wait(base.insert(a, None, b"0002SMITHROM"));
    report.check(
        "index: name is taken",
        same.err(),
        Some(Condition::Duplicate),
    );
    let gone = wait(base.read(Some(a.uow), b"0002", Find::Equal));
    report.check(
        "index: nothing was added",
        gone.err(),
        Some(Condition::NotFound),
    );
    let none = wait(by_city.read(Some(a.uow), b"ROM", Find::Equal));
    report.check(
        "index: nothing indexed",
        none.err(),
        Some(Condition::NotFound),
    );
    let smith = wait(by_name.read_for_update(a, b"SMITH", Find::Equal))?;
    report.check(
        "index: base key",
        smith.position.base.as_slice(),
        b"0001".as_slice(),
    );
    let taken = wait(by_name.rewrite(a, &smith.position, b"0001JONESNYC"));
    report.check("index: other's name", taken, Err(Condition::Duplicate));
    let moved = wait(by_name.rewrite(a, &smith.position, b"0001SMYTHLON"));
    report.check("index: new name and city", moved, Ok(()));
    let own = shown(wait(by_name.read(Some(a.uow), b"SMYTH", Find::Equal)));
    report.check("index: seen at once", own.as_str(), "0001SMYTHLON");
    let old = wait(by_name.read(Some(a.uow), b"SMITH", Find::Equal));
    report.check("index: old name gone", old.err(), Some(Condition::NotFound));
    if recoverable {
        uncommitted_names(store, &all, a, report)?;
    }
    through_path(store, &all, a, report)
}

fn uncommitted_names(
    store: &Arc<dyn UowStore>,
    all: &Datasets,
    a: Access,
    report: &mut Report,
) -> Checked {
    let base = all.dataset(&name("TEST.CUST"))?;
    let by_name = all.dataset(&name("TEST.CUST.NAMEP"))?;
    let by_city = all.dataset(&name("TEST.CUST.CITYP"))?;
    let others = shown(wait(by_name.read(None, b"SMITH", Find::Equal)));
    report.check("index: others see the old", others.as_str(), "0001SMITHNYC");
    let waits = wait(base.insert(access(2, true), None, b"0004SMITHROM"));
    report.check(
        "index: old name is locked",
        waits.err(),
        Some(Condition::Busy),
    );
    wait(store.backout(a.uow))?;
    let back = shown(wait(by_name.read(None, b"SMITH", Find::Equal)));
    report.check("index: back again", back.as_str(), "0001SMITHNYC");
    wait(base.delete_key(a, b"0003"))?;
    let city = keys(wait(by_city.scan(
        Some(a.uow),
        Start::At(b"LON"),
        Direction::Forward,
        2,
    )));
    report.check("index: deleted entry", city.as_str(), "11 01+");
    wait(store.commit(a.uow))?;
    Ok(())
}

fn through_path(
    store: &Arc<dyn UowStore>,
    all: &Datasets,
    a: Access,
    report: &mut Report,
) -> Checked {
    let base = all.dataset(&name("TEST.CUST"))?;
    let by_name = all.dataset(&name("TEST.CUST.NAMEP"))?;
    let by_city = all.dataset(&name("TEST.CUST.CITYP"))?;
    let written = wait(by_name.insert(a, None, b"0020WOODSOSL"))?;
    report.check(
        "index: written through path",
        written.key.as_slice(),
        b"WOODS".as_slice(),
    );
    wait(store.commit(a.uow))?;
    let read = shown(wait(by_city.read(None, b"OSL", Find::Equal)));
    report.check("index: both indexes", read.as_str(), "0020WOODSOSL");
    report.check(
        "index: delete through path",
        wait(by_name.delete_key(a, b"WOODS")),
        Ok(false),
    );
    wait(store.commit(a.uow))?;
    let gone = wait(base.read(None, b"0020", Find::Equal));
    report.check(
        "index: gone from base",
        gone.err(),
        Some(Condition::NotFound),
    );
    let short = wait(base.insert(a, None, b"0030SHORT"));
    report.check("index: too short for a city", short.is_ok(), true);
    wait(store.commit(a.uow))?;
    let read = shown(wait(by_name.read(None, b"SHORT", Find::Equal)));
    report.check("index: still has a name", read.as_str(), "0030SHORT");
    Ok(())
}

/// Where, start, direction, limit, expected.
pub(super) fn browse_index(store: &Arc<dyn UowStore>, _: bool, report: &mut Report) -> Checked {
    let all = filled(store)?;
    let (forth, back) = (Direction::Forward, Direction::Backward);
    let (cities, names) = (positions(&all, ".CITYP")?, positions(&all, ".NAMEP")?);
    let at = |positions: &[Position], base: &str| {
        let mine = positions.iter().find(|p| p.base == base.as_bytes());
        mine.cloned()
            .unwrap_or_else(|| Position::of_base(base.as_bytes()))
    };
    let (p3, p11) = (at(&cities, "0003"), at(&cities, "0011"));
    let (p5, p9, p7) = (
        at(&cities, "0005"),
        at(&cities, "0009"),
        at(&cities, "0007"),
    );
    let (b5, n5) = (Position::of_base(b"0005"), at(&names, "0005"));
    let table: &[(&str, Start<'_>, Direction, usize, &str)] = &[
        ("", Start::End, forth, 99, "01 03 05 07 09 11"),
        ("", Start::End, back, 99, "11 09 07 05 03 01"),
        ("", Start::End, back, 2, "11 09"),
        ("", Start::At(b"0004"), forth, 2, "05 07"),
        ("", Start::At(b"0004"), back, 2, "03 01"),
        ("", Start::At(b"0005"), back, 2, "05 03"),
        ("", Start::At(b"001"), back, 2, "11 09"),
        ("", Start::At(b"9999"), forth, 2, ""),
        ("", Start::At(b"0000"), back, 2, ""),
        ("", Start::After(&b5), forth, 9, "07 09 11"),
        ("", Start::After(&b5), back, 9, "03 01"),
        (".NAMEP", Start::End, forth, 99, "11 05 07 03 01 09"),
        (".NAMEP", Start::End, back, 99, "09 01 03 07 05 11"),
        (".NAMEP", Start::At(b"G"), forth, 2, "07 03"),
        (".NAMEP", Start::At(b"G"), back, 2, "07 05"),
        (".NAMEP", Start::After(&n5), forth, 1, "07"),
        (".NAMEP", Start::After(&n5), back, 1, "11"),
        (".CITYP", Start::End, forth, 99, "03+ 11 01+ 05+ 09 07"),
        (".CITYP", Start::End, forth, 1, "03+"),
        (".CITYP", Start::End, forth, 2, "03+ 11"),
        (".CITYP", Start::End, forth, 3, "03+ 11 01+"),
        (".CITYP", Start::After(&p3), forth, 2, "11 01+"),
        (".CITYP", Start::After(&p5), forth, 9, "09 07"),
        (".CITYP", Start::After(&p7), forth, 9, ""),
        (".CITYP", Start::At(b"N"), forth, 2, "01+ 05+"),
        (".CITYP", Start::End, back, 99, "07 01+ 05+ 09 03+ 11"),
        (".CITYP", Start::End, back, 1, "07"),
        (".CITYP", Start::End, back, 3, "07 01+ 05+"),
        (".CITYP", Start::At(b"NYC"), back, 4, "01+ 05+ 09 03+"),
        (".CITYP", Start::At(b"O"), back, 1, "01+"),
        (".CITYP", Start::After(&p5), back, 9, "09 03+ 11"),
        (".CITYP", Start::After(&p9), back, 9, "03+ 11"),
        (".CITYP", Start::After(&p11), back, 9, ""),
    ];
    for (path, start, direction, limit, expected) in table {
        let dataset = all.dataset(&name(&format!("TEST.CUST{path}")))?;
        let got = keys(wait(dataset.scan(None, *start, *direction, *limit)));
        let case = format!("browse{path} {start:?} {direction:?} {limit}");
        report.check(&case, got.as_str(), expected);
    }
    Ok(())
}

/// Positions of all records by a path.
fn positions(all: &Datasets, path: &str) -> Result<Vec<Position>, Condition> {
    let dataset = all.dataset(&name(&format!("TEST.CUST{path}")))?;
    let found = wait(dataset.scan(None, Start::End, Direction::Forward, 99))?;
    Ok(found.into_iter().map(|f| f.position).collect())
}

/// Records with equal alternate keys come in the order they got the key; an index just built has
/// them by base key.
pub(super) fn arrivals(
    store: &Arc<dyn UowStore>,
    recoverable: bool,
    report: &mut Report,
) -> Checked {
    let all = filled(store)?;
    let base = all.dataset(&name("TEST.CUST"))?;
    let by_city = all.dataset(&name("TEST.CUST.CITYP"))?;
    let a = access(1, recoverable);
    let mut check = |case: &str, direction: Direction, expected: &str| {
        let got = keys(wait(by_city.scan(None, Start::End, direction, 99)));
        report.check(case, got.as_str(), expected);
    };
    let (forth, back) = (Direction::Forward, Direction::Backward);
    wait(base.insert(a, None, b"0012AMBERNYC"))?;
    wait(base.insert(a, None, b"0002OCHRENYC"))?;
    wait(store.commit(a.uow))?;
    check("arrival: added", forth, "03+ 11 01+ 05+ 09+ 12+ 02 07");
    check("arrival: backward", back, "07 01+ 05+ 09+ 12+ 02 03+ 11");
    let five = wait(base.read_for_update(a, b"0005", Find::Equal))?;
    wait(base.rewrite(a, &five.position, b"0005BROWNLON"))?;
    wait(store.commit(a.uow))?;
    check("arrival: moved", forth, "03+ 11+ 05 01+ 09+ 12+ 02 07");
    let five = wait(by_city.read_for_update(a, b"LON", Find::Equal))?;
    wait(by_city.delete(a, &five.position))?;
    wait(base.delete_key(a, b"0012"))?;
    wait(store.commit(a.uow))?;
    check("arrival: deleted", forth, "11+ 05 01+ 09+ 02 07");
    let again = wait(base.read_for_update(a, b"0001", Find::Equal))?;
    wait(base.rewrite(a, &again.position, b"0001SMITHROM"))?;
    let again = wait(base.read_for_update(a, b"0001", Find::Equal))?;
    wait(base.rewrite(a, &again.position, b"0001SMITHNYC"))?;
    wait(store.commit(a.uow))?;
    check("arrival: away and back", forth, "11+ 05 09+ 02+ 01 07");
    if recoverable {
        wait(base.delete_key(a, b"0009"))?;
        wait(store.backout(a.uow))?;
        check("arrival: backed out", forth, "11+ 05 09+ 02+ 01 07");
    }
    wait(all.build_index(&name("TEST.CUST.CITY")))?;
    check("arrival: built", forth, "05+ 11 01+ 02+ 09 07");
    Ok(())
}
