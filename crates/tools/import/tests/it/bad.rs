//! What a checkout should not have, and what a user should not ask for.

use crate::harness::Place;
use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use transom_copybook::CodePage;

const PAY: &[u8] = b"       ID DIVISION.\n       PROGRAM-ID. PAY.\n       PROCEDURE DIVISION.\n           GOBACK.\n";
const DECK: &[u8] = b"DEFINE FILE(ITEMS) GROUP(A) DSNAME(A.ITEMS)\nDEFINE PROGRAM(PAY) GROUP(A)\n";
const JOB: &[u8] = b"//J JOB 1\n//S EXEC PGM=IDCAMS\n//IN DD DSN=A.LOAD,DISP=SHR\n//SYSIN DD *\n \
DEFINE CLUSTER(NAME(A.ITEMS) KEYS(4 0) RECORDSIZE(20 20))\n REPRO INFILE(IN) OUTDATASET(A.ITEMS)\n/*\n";

#[test]
fn a_folder_with_something_in_it_stays_as_it_is() {
    let place = Place::with(&[("PAY", PAY)]);
    let dir = place.beside("system");
    std::fs::create_dir(&dir).unwrap();
    std::fs::write(dir.join("mine"), "mine").unwrap();
    let (good, said) = place.import(&[]);
    assert!(
        !good && said.contains("TXMIM0002E") && said.contains("not empty"),
        "{said}"
    );
    assert_eq!(place.made(), ["mine"]);
    std::fs::remove_file(dir.join("mine")).unwrap();
    let (good, said) = place.import(&[]);
    assert!(good, "an empty folder is taken: {said}");
}

#[test]
fn links_that_lead_out_are_left_alone() {
    let place = Place::with(&[("src/PAY", PAY)]);
    std::fs::write(place.beside("secret"), PAY).unwrap();
    let link = |to: &std::path::Path, name: &str| {
        std::os::unix::fs::symlink(to, place.checkout().join(name)).unwrap();
    };
    link(&place.beside("secret"), "STOLEN");
    link(std::path::Path::new("/etc"), "etc");
    link(std::path::Path::new("src/PAY"), "PAYALIAS");
    link(std::path::Path::new("."), "round");
    link(std::path::Path::new("nowhere"), "broken");
    let (good, said) = place.import(&[]);
    assert!(good, "{said}");
    for name in ["STOLEN", "etc"] {
        assert!(
            said.contains(&format!("TXMIM0006W {name} is a symbolic link")),
            "{said}"
        );
    }
    let made = ["cobol/PAY.cbl", "cobol/PAYALIAS.cbl", "transom.toml"];
    assert_eq!(place.made(), made);
}

#[test]
fn an_archive_that_leads_out_is_left_out() {
    let place = Place::with(&[("PAY", PAY), ("short.aar", b"PK")]);
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    zip.start_file("../../evil", options).unwrap();
    zip.write_all(b"evil").unwrap();
    place.put("evil.sar", zip.finish().unwrap().get_ref());
    let (good, said) = place.import(&[]);
    assert!(good, "{said}");
    for name in ["evil.sar", "short.aar"] {
        assert!(
            said.contains(&format!("TXMIM0008W {name} is left out:")),
            "{said}"
        );
    }
    assert_eq!(place.made(), ["cobol/PAY.cbl", "transom.toml"]);
}

#[test]
fn two_members_of_one_name_stop_an_import() {
    let other = [PAY, b"      * another\n"].concat();
    let place = Place::with(&[
        ("new/PAY.cbl", PAY),
        ("old/pay.cob", &other),
        ("same/PAY", PAY),
    ]);
    let (good, said) = place.import(&[]);
    assert!(!good && place.is_untouched());
    let expected = "TXMIM0005E program PAY is both new/PAY.cbl and old/pay.cob, which differ; say --without PATH";
    assert!(said.contains(expected), "{said}");
    let (good, said) = place.import(&["--without", "old"]);
    assert!(good, "{said}");
    std::fs::remove_dir_all(place.beside("system")).unwrap();
    let (good, said) = place.import(&["--without", "../secret"]);
    assert!(!good && said.contains("TXMIM0013E"), "{said}");
}

#[test]
fn two_files_of_one_data_set_stop_an_import() {
    let place = Place::with(&[("PAY", PAY), ("deck", DECK), ("job", JOB)]);
    place.put("new/A.LOAD", b"0001Kettle          \n");
    place.put("old/A.LOAD", b"0001Lamp            \n");
    let (good, said) = place.import(&[]);
    let expected = "TXMIM0005E data set A.LOAD is both new/A.LOAD and old/A.LOAD, which differ";
    assert!(
        !good && place.is_untouched() && said.contains(expected),
        "{said}"
    );
    place.put("old/A.LOAD", b"0001Kettle          \n");
    let (good, said) = place.import(&[]);
    assert!(good, "{said}");
}

#[test]
fn members_may_be_ebcdic_beside_ascii() {
    let page = CodePage::by_ccsid(37).unwrap();
    let mut cards = Vec::new();
    for line in std::str::from_utf8(PAY)
        .unwrap()
        .replace("PAY", "OLD")
        .lines()
    {
        let (mut card, _) = page.encode(line);
        card.resize(80, 0x40);
        cards.extend(card);
    }
    let cut = &cards[..cards.len() - 7];
    let place = Place::with(&[("PAY", PAY), ("OLD", &cards), ("CUT.cbl", cut)]);
    let (good, said) = place.import(&[]);
    assert!(good, "{said}");
    assert!(
        said.contains("TXMIM0008W CUT.cbl is EBCDIC, and its lines cannot be told"),
        "{said}"
    );
    assert_eq!(
        place.made(),
        ["cobol/OLD.cbl", "cobol/PAY.cbl", "transom.toml"]
    );
    let made = std::fs::read(place.beside("system/cobol/OLD.cbl")).unwrap();
    assert_eq!(made, cards, "it is read as it is");
}

#[test]
fn names_of_files_do_no_harm() {
    let place = Place::with(&[("PAY", PAY), ("-rf", PAY), ("a\nTXMIM0001E b.cbl", PAY)]);
    let bytes = OsStr::from_bytes(b"\xff\xfe.cbl");
    std::fs::write(place.checkout().join(bytes), PAY).unwrap();
    let text = String::from_utf8(PAY.to_vec()).unwrap();
    place.put(
        "x y/It's; rm -rf $HOME.cbl",
        text.replace("PAY", "QUOTED").as_bytes(),
    );
    place.put("COM/CON.cbl", text.replace("PAY", "CON").as_bytes());
    place.put(
        &format!("{}.cbl", "L".repeat(240)),
        text.replace("PAY", "TOOLONGNAME").as_bytes(),
    );
    let (good, said) = place.import(&[]);
    assert!(good, "{said}");
    let made = [
        "cobol/CON.cbl",
        "cobol/PAY.cbl",
        "cobol/QUOTED.cbl",
        "transom.toml",
    ];
    assert_eq!(place.made(), made);
    assert!(
        said.lines().all(|line| line.starts_with("TXMIM0008W ")),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn records_that_are_no_characters_or_too_long_are_not_loaded() {
    let place = Place::with(&[("PAY", PAY), ("deck", DECK), ("job", JOB)]);
    place.put("A.LOAD", &[0x00, 0x12, 0x3C, 0xF0]);
    let (good, said) = place.import(&[]);
    assert!(good, "{said}");
    let expected = "TXMIM0010W A.LOAD has bytes that are no characters: job is not taken; load A.LOAD with its copybook";
    assert!(said.contains(expected), "{said}");
    std::fs::remove_dir_all(place.beside("system")).unwrap();
    std::fs::File::create(place.checkout().join("A.LOAD"))
        .unwrap()
        .set_len(5 << 30)
        .unwrap();
    let (good, said) = place.import(&[]);
    assert!(
        good && said.contains("TXMIM0008W A.LOAD has 5368709120 bytes"),
        "{said}"
    );
    assert_eq!(
        place.made(),
        ["cobol/PAY.cbl", "csd/deck.csd", "transom.toml"]
    );
    std::fs::remove_dir_all(place.beside("system")).unwrap();
    std::fs::remove_file(place.checkout().join("A.LOAD")).unwrap();
    let (good, said) = place.import(&[]);
    let expected =
        "TXMIM0010W job loads A.LOAD, of which the checkout has no file: it is not taken";
    assert!(good && said.contains(expected), "{said}");
}

#[test]
fn what_is_asked_for_is_checked_first() {
    let place = Place::with(&[("notes.md", b"# Nothing\n")]);
    for (options, id) in [
        (&["--set", "A"][..], "TXMIM0013E"),
        (&["--set", "=A"], "TXMIM0013E"),
        (&["--set", "A=B\nC"], "TXMIM0013E"),
        (&["--applid", "NO-NAME"], "TXMIM0013E"),
        (&[], "TXMIM0014E"),
    ] {
        let (good, said) = place.import(options);
        assert!(
            !good && said.starts_with(id) && place.is_untouched(),
            "{options:?}: {said}"
        );
    }
    std::fs::remove_dir_all(place.checkout()).unwrap();
    let (good, said) = place.import(&[]);
    assert!(
        !good && said.contains("cannot be read: No such file or directory\n"),
        "{said}"
    );
}

#[test]
fn what_a_killed_import_left_is_removed_by_the_next() {
    let place = Place::with(&[("PAY", PAY)]);
    let left = |name: &str| {
        let folder = place.beside(name).join("cobol");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("PAY.cbl"), PAY).unwrap();
        place.beside(name)
    };
    let killed = left(".transom-import-system-x8Tz1Q");
    // One of a system directory `system-b`, and one in which an import writes at this moment.
    let other = left(".transom-import-system-b-x8Tz1Q");
    let alive = left(".transom-import-system-AliveA");
    let lock = std::fs::File::open(&alive).unwrap();
    lock.lock().unwrap();
    let (good, said) = place.import(&[]);
    assert!(good, "{said}");
    let told: Vec<&str> = said.lines().filter(|l| l.contains("TXMIM0017I")).collect();
    let expected = format!(
        "TXMIM0017I {} of an import that was ended is removed",
        killed.canonicalize().unwrap_or(killed.clone()).display()
    );
    assert_eq!(told, [expected]);
    assert!(!killed.exists() && other.exists() && alive.exists());
    assert_eq!(place.made(), ["cobol/PAY.cbl", "transom.toml"]);
}
