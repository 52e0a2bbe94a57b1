//! Layouts of outside copybooks against the layout listings that came with them.

use transom_copybook::{FieldId, Layout, ParseOptions, Profile, parse};

fn text(name: &str) -> Option<String> {
    let bytes = transom_needed::fixture(&format!("copybook-json/{name}"))?;
    Some(String::from_utf8(bytes).unwrap())
}

fn read(name: &str) -> Option<Layout> {
    let text = text(name)?;
    let (copybook, problems) = parse(&text, &ParseOptions::default());
    let errors: Vec<String> = problems
        .iter()
        .filter(|p| p.is_error())
        .map(|p| p.place_first().to_string())
        .collect();
    assert!(errors.is_empty(), "{name}: {errors:#?}");
    Some(Layout::new(&copybook, Profile::Host).unwrap_or_else(|p| panic!("{name}: {p:?}")))
}

/// Level, name, start (from 1) and length.
type Row = (Option<u8>, String, usize, usize);

/// The lines of a listing.
fn listing(name: &str) -> Option<Vec<Row>> {
    let text = text(name)?;
    let rows = text.lines().skip(2).filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (&len, rest) = words.split_last()?;
        let start = rest[rest.len() - 2];
        let level = words[0].parse().ok();
        let name = words[usize::from(level.is_some())];
        Some((
            level,
            name.to_owned(),
            start.parse().ok()?,
            len.parse().ok()?,
        ))
    });
    Some(rows.collect())
}

/// The listings give siblings that share storage the length of the longest of them.
fn shared_len(layout: &Layout, id: FieldId) -> usize {
    let first = layout[id].redefines.unwrap_or(id);
    let all = layout[first].redefined_by.iter().chain([&first]);
    all.map(|&s| layout[s].extent()).max().unwrap_or(0)
}

#[test]
fn offsets_and_lengths_match_the_listings() {
    let pairs = [
        ("test6_copybook.cob", "test6_expected/test6_layout.txt"),
        ("test7_fillers.cob", "test7_expected/test7_layout.txt"),
        ("test11_copybook.cob", "test11_expected/test11_layout.txt"),
        (
            "test19_display_num.cob",
            "test19_display_num_expected/test19_layout.txt",
        ),
    ];
    let mut compared = 0;
    let mut wrong = Vec::new();
    for (copybook, expected) in pairs {
        let (Some(layout), Some(rows)) = (read(copybook), listing(expected)) else {
            continue;
        };
        assert_eq!(layout.fields.len(), rows.len(), "{copybook}");
        for (id, (level, name, start, len)) in layout.ids().zip(rows) {
            let field = &layout[id];
            let shown = if field.is_filler() {
                "FILLER".to_owned()
            } else {
                field.name.replace('-', "_")
            };
            assert_eq!(shown, name, "{copybook}");
            assert!(level.is_none_or(|l| l == field.level), "{copybook} {name}");
            if (field.offset + 1, shared_len(&layout, id)) != (start, len) {
                wrong.push(format!(
                    "{copybook} {name}: {} {} for {start} {len}",
                    field.offset + 1,
                    shared_len(&layout, id)
                ));
            }
            compared += 1;
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    println!("{compared} items compared");
}

#[test]
fn every_fixture_copybook_is_laid_out() {
    let known = [
        ("test1_copybook.cob", 14),
        ("test3_copybook.cob", 0),
        ("test9_copybook.cob", 0),
        ("test25_copybook.cob", 6),
    ];
    for (name, max) in known {
        let Some(layout) = read(name) else { continue };
        if max > 0 {
            println!("{}", transom_copybook::layout::report(&layout));
        }
        assert!(
            layout.max_bytes >= layout.min_bytes && layout.min_bytes > 0,
            "{name}"
        );
    }
}
