//! The made-up application. Its tables are left out: there is no database here.

use crate::harness::Place;

fn without_tables() -> Place {
    let place = Place::shop();
    std::fs::remove_file(place.checkout().join("jobs/TABLES")).unwrap();
    place
}

#[test]
fn members_are_sorted_by_what_stands_in_them() {
    let place = without_tables();
    let (good, said) = place.import(&["--set", "SHOPHLQ=SHOP.PROD", "--applid", "SHOP"]);
    assert!(good, "{said}");
    assert_eq!(said, "");
    let expected = [
        "bms/SHOPSET.bms",
        "cobol/SHOPBAT.cbl",
        "cobol/SHOPMENU.cbl",
        "cobol/SHOPMQ.cbl",
        "copy/SHOPREC.cpy",
        "csd/ALONE.csd",
        "data/DEFITEM.jcl",
        "data/SHOP.PROD.ITEMS.TXT.txt",
        "jcl/COUNT.jcl",
        "transom.toml",
    ];
    assert_eq!(place.made(), expected);
    let text = |name: &str| std::fs::read_to_string(place.beside("system").join(name)).unwrap();
    assert!(text("csd/ALONE.csd").contains("DSNAME(SHOP.PROD.ITEMS)"));
    let job = text("data/DEFITEM.jcl");
    assert!(
        job.contains("NAME(SHOP.PROD.ITEMS)") && job.contains("<NOTUSED>.LOAD"),
        "{job}"
    );
    let expected =
        "[region]\nAPPLID = \"SHOP\"\nGRPLIST = [\"SHOPLIST\"]\n\n[terminals]\nport = 3270\n";
    assert_eq!(text("transom.toml"), expected);
}

#[test]
fn placeholders_that_matter_are_named_once() {
    let place = without_tables();
    let (good, said) = place.import(&[]);
    assert!(!good && place.is_untouched());
    let expected = "\
TXMIM0004E <SHOPHLQ> has no value; it stands in defs/ALONE.txt:5, jobs/DEFITEM:7; say --set 'SHOPHLQ=VALUE' (jobs/DEFITEM has SHOP.PROD)
1 error; nothing was written";
    assert_eq!(said, expected);
    let (good, said) = place.import(&["--suggested"]);
    assert!(good, "{said}");
    assert!(
        place
            .made()
            .contains(&"data/SHOP.PROD.ITEMS.TXT.txt".to_owned())
    );
}

#[test]
fn a_copybook_that_the_map_makes_is_not_taken() {
    let place = without_tables();
    let map = std::fs::read_to_string(place.checkout().join("maps/SHOPSET")).unwrap();
    let made = transom_bms::copybook(&transom_bms::read("SHOPSET", &map).mapsets[0]).unwrap();
    place.put("copies/SHOPSET.cpy", made.as_bytes());
    let (good, said) = place.import(&["--suggested"]);
    assert!(
        good && !place.made().contains(&"copy/SHOPSET.cpy".to_owned()),
        "{said}"
    );
}

#[test]
fn one_that_somebody_changed_is_taken() {
    let place = without_tables();
    place.put(
        "copies/SHOPSET.cpy",
        b"       01  SHOPI.\n           05  ROWS PIC X(16) OCCURS 2.\n",
    );
    let (good, said) = place.import(&["--suggested"]);
    assert!(
        good && place.made().contains(&"copy/SHOPSET.cpy".to_owned()),
        "{said}"
    );
}

#[test]
fn records_without_line_ends_become_lines() {
    let place = without_tables();
    let records = b"0001Kettle          0002Lamp            ";
    std::fs::remove_file(place.checkout().join("records/items.txt")).unwrap();
    place.put("records/SHOP.PROD.ITEMS.TXT", records);
    let (good, said) = place.import(&["--suggested"]);
    assert!(good, "{said}");
    let made = place.beside("system/data/SHOP.PROD.ITEMS.TXT.txt");
    let expected = "0001Kettle          \n0002Lamp            \n";
    assert_eq!(std::fs::read_to_string(made).unwrap(), expected);
}
