//! Decks out: what is written reads back as the same definitions.

use crate::{BANK, read, value};
use transom_csd::{write_deck, write_definition};

#[test]
fn layout() {
    let (csd, _) = read(BANK);
    let text = write_definition(&csd.group("MYBANK").unwrap()[2]);
    assert_eq!(
        text,
        " DEFINE TRANSACTION(MYB1) GROUP(MYBANK)\n       \
         PROGRAM(MYBMENU) TASKDATALOC(ANY) TASKDATAKEY(USER) PRIORITY(50)\n       \
         TRANCLASS(MYBCLASS) DTIMOUT(130) RUNAWAY(5000) SPURGE(YES)\n       \
         WAITTIME(0,0,0)\n"
    );
}

#[test]
fn what_is_written_reads_back() {
    let (csd, _) = read(BANK);
    let text = write_deck(&csd);
    assert!(
        text.lines().all(|line| line.chars().count() <= 72),
        "{text}"
    );
    let (again, problems) = read(&text);
    assert_eq!(problems, [""; 0]);
    assert_eq!(write_deck(&again), text);
    assert_eq!(again.list("MYBLIST"), csd.list("MYBLIST"));
    for group in csd.groups() {
        let (old, new) = (csd.group(group).unwrap(), again.group(group).unwrap());
        assert_eq!(old.len(), new.len());
        for (old, new) in old.iter().zip(new) {
            assert_eq!((old.kind, &old.name), (new.kind, &new.name));
            assert!(old.attributes().eq(new.attributes()));
        }
    }
}

#[test]
fn long_and_odd_values_survive() {
    let path = format!("/u/{}/config.xml", "abcdefghi/".repeat(20));
    let odd = "it's ) here (";
    let deck = format!(
        " DEFINE PIPELINE(P) GROUP(G)\n CONFIGFILE({}\n {}\n {}\n {})\n DESCRIPTION('it''s ) here (')\n",
        &path[..60],
        &path[60..120],
        &path[120..180],
        &path[180..]
    );
    let (csd, problems) = read(&deck);
    assert_eq!(problems, [""; 0]);
    assert_eq!(value(&csd, "G", "P", "CONFIGFILE"), Some(path.as_str()));
    let (again, problems) = read(&write_deck(&csd));
    assert_eq!(problems, [""; 0]);
    assert_eq!(value(&again, "G", "P", "CONFIGFILE"), Some(path.as_str()));
    assert_eq!(value(&again, "G", "P", "DESCRIPTION"), Some(odd));
}
