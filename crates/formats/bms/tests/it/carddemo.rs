//! Maps of CardDemo against the symbolic copybooks IBM's assembler step made of them.
//!
//! `TRANSOM_CARDDEMO` is the path of a copy of the repository.

use std::path::PathBuf;
use transom_bms::{Content, Erase, PhysicalMapset, SendOptions, copybook, merge, read};
use transom_copybook::{CodePage, Layout, ParseOptions, Profile, parse};
use transom_datastream::{Screen, ScreenOptions};

/// Pairs of map source and copybook, or nothing with a word why.
fn pairs() -> Vec<(PathBuf, PathBuf)> {
    let Ok(root) = std::env::var("TRANSOM_CARDDEMO") else {
        println!("skipped: TRANSOM_CARDDEMO is not set");
        return Vec::new();
    };
    let app = PathBuf::from(root).join("app");
    let folders = [
        "",
        "app-authorization-ims-db2-mq",
        "app-transaction-type-db2",
    ];
    let mut found = Vec::new();
    for folder in folders {
        let Ok(maps) = std::fs::read_dir(app.join(folder).join("bms")) else {
            println!("skipped: no maps in {}", app.join(folder).display());
            continue;
        };
        for map in maps.flatten().map(|e| e.path()) {
            let name = map.file_stem().unwrap_or_default().to_string_lossy();
            for ending in ["CPY", "cpy"] {
                let book = app.join(folder).join(format!("cpy-bms/{name}.{ending}"));
                if book.exists() {
                    found.push((map.clone(), book));
                }
            }
        }
    }
    found.sort();
    found
}

/// Lines without comments, sequence numbers and superfluous blanks.
fn normal(text: &str) -> Vec<String> {
    text.lines()
        .map(|l| l.chars().take(72).skip(6).collect::<String>())
        .filter(|l| !l.starts_with('*'))
        .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|l| !l.is_empty())
        .collect()
}

fn latin1(path: &PathBuf) -> String {
    let bytes = std::fs::read(path).expect("readable");
    bytes.iter().map(|b| char::from(*b)).collect()
}

#[test]
fn copybooks_are_those_of_ibm() {
    for (map, book) in pairs() {
        let source = read(&map.display().to_string(), &latin1(&map));
        let errors: Vec<String> = source
            .problems
            .iter()
            .map(|p| p.id_first().to_string())
            .collect();
        assert!(
            errors.iter().all(|e| !e[..10].ends_with('E')),
            "{errors:#?}"
        );
        for e in &errors {
            println!("{e}");
        }
        let ours = copybook(&source.mapsets[0]).expect("COBOL");
        let (ours, theirs) = (normal(&ours), normal(&latin1(&book)));
        for (n, (a, b)) in ours.iter().zip(&theirs).enumerate() {
            assert_eq!(a, b, "{}: item {n}", book.display());
        }
        assert_eq!(ours.len(), theirs.len(), "{}", book.display());
        println!("{}: {} items", book.display(), ours.len());
    }
}

/// Path, offset and length of every item that has a name.
fn items(text: &str) -> Vec<(String, usize, usize)> {
    let (copybook, problems) = parse(text, &ParseOptions::default());
    assert!(problems.iter().all(|p| !p.is_error()), "{problems:?}");
    let layout = Layout::new(&copybook, Profile::Host).expect("laid out");
    let named = layout.fields.iter().filter(|f| !f.is_filler());
    named.map(|f| (f.name.clone(), f.offset, f.len)).collect()
}

#[test]
fn items_lie_where_ibm_puts_them_and_where_run_time_looks() {
    for (path, book) in pairs() {
        let source = read(&path.display().to_string(), &latin1(&path));
        let ours = items(&copybook(&source.mapsets[0]).expect("COBOL"));
        assert_eq!(ours, items(&latin1(&book)), "{}", book.display());
        let physical = PhysicalMapset::from(&source.mapsets[0]);
        for field in physical.maps[0]
            .fields
            .iter()
            .filter(|f| !f.name.is_empty())
        {
            let area = field.area.expect("named");
            let length = usize::from(field.length);
            let find = |name: String, at: u32, length| {
                assert!(
                    ours.contains(&(name.clone(), at as usize, length)),
                    "{name}"
                );
            };
            find(format!("{}L", field.name), area.adjunct.expect("leads"), 2);
            find(
                format!("{}A", field.name),
                area.adjunct.expect("leads") + 2,
                1,
            );
            find(format!("{}I", field.name), area.data, length);
            find(format!("{}O", field.name), area.data, length);
        }
    }
}

#[test]
fn the_signon_screen() {
    let signon = pairs()
        .into_iter()
        .find(|(m, _)| m.ends_with("COSGN00.bms"));
    let Some((path, _)) = signon else { return };
    let source = read("COSGN00.bms", &latin1(&path));
    let set = PhysicalMapset::from(&source.mapsets[0]);
    let map = set.map("COSGN0A").expect("defined");
    let options = SendOptions {
        content: Content::MapOnly,
        erase: Erase::Default,
        ..SendOptions::default()
    };
    let write = merge(map, None, &options, &super::model2()).expect("fits");
    let rows = write.rows(&super::model2());
    assert_eq!(
        rows[4].trim(),
        "This is a Credit Card Demo Application for Mainframe Modernization"
    );
    assert_eq!(rows[18].trim(), "User ID     :          (8 Char)");
    assert_eq!(write.cursor, Some(18 * 80 + 43), "user id");
    assert!(write.controls.alarm && write.controls.free_keyboard);
}

/// What the terminal model shows is what the write says.
#[test]
fn every_map_on_a_terminal() {
    let ascii = CodePage::by_ccsid(819).expect("known");
    let ebcdic = CodePage::by_ccsid(37).expect("known");
    let characters = ebcdic.translate_table(ascii).map(char::from);
    for (path, _) in pairs() {
        let source = read(&path.display().to_string(), &latin1(&path));
        let set = PhysicalMapset::from(&source.mapsets[0]);
        assert_eq!(PhysicalMapset::from_bytes(&set.to_bytes()), Ok(set.clone()));
        let options = SendOptions {
            content: Content::MapOnly,
            erase: Erase::Default,
            ..SendOptions::default()
        };
        let device = super::model2();
        let write = merge(&set.maps[0], None, &options, &device).expect("fits");
        let stream = write.to_stream(&device, &ascii.translate_table(ebcdic));
        let mut screen = Screen::new(ScreenOptions::default());
        screen.apply(stream.bytes()).expect("a good stream");
        // Dark fields are text in the write and blank on the screen: make them visible in neither.
        let bright = write.orders.iter().all(|o| match o {
            transom_bms::Order::StartField(bits, _) => bits & 0x0c != 0x0c,
            _ => true,
        });
        for (row, text) in write.rows(&device).iter().enumerate().filter(|_| bright) {
            assert_eq!(screen.row(row + 1, &characters).trim_end(), text.trim_end());
        }
        assert_eq!(Some(screen.cursor()), write.cursor.or(Some(0)));
    }
}
