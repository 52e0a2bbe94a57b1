//! The parser and the layout on damaged copybooks: no panic, no run-away, sensible positions.

use transom_copybook::layout::report;
use transom_copybook::{Layout, ParseOptions, Profile, SourceFormat, parse};

use crate::random::Random;

const ROUNDS: usize = 20_000;

const SEEDS: &[&str] = &[
    include_str!("../data/customer.cpy"),
    include_str!("../data/everything.cpy"),
    include_str!("../data/free.cpy"),
];

const SPLICES: &[&str] = &[
    "PIC X(999999999)",
    "PIC 9(",
    "OCCURS 4294967295",
    "OCCURS 0 TO 999999999 DEPENDING ON",
    ")",
    "(",
    "'",
    "\"",
    ".",
    "\n",
    "\r",
    "\t",
    "\u{0}",
    "\u{1A}",
    "\u{FEFF}",
    "\u{E9}",
    "\u{20AC}",
    "      -",
    "      *",
    "REDEFINES",
    "88",
    "66",
    "01",
    "49",
    "05 ",
    "77",
    "PIC",
    "PIC IS",
    "VALUE",
    "VALUE ALL ALL ALL",
    "X'",
    "X'0",
    "EXEC SQL",
    "COPY A.",
    "PIC S9(31)V9(31)P(99)",
    "PIC .",
    "PIC -(999)9",
    "THRU",
    "*>",
    ">>SOURCE FREE\n",
    "SIGN",
    "USAGE",
    "USAGE COMP-",
    "COMP-5",
    "SYNC",
    "OF",
    ",",
    ";",
    "99999999999999999999",
    "-",
    "+",
    "-.",
    "&",
    ":TAG:",
    "RENAMES A THRU",
    "OCCURS 99999999 TIMES",
    "PIC X(9999999)",
];

fn damaged(random: &mut Random) -> String {
    let mut text: Vec<char> = random.pick(SEEDS).chars().collect();
    for _ in 0..1 + random.below(8) {
        let at = random.below(text.len() + 1);
        match random.below(6) {
            0 => text.truncate(at),
            1 => {
                let end = (at + random.below(40)).min(text.len());
                text.drain(at..end);
            }
            2 => {
                let end = (at + random.below(400)).min(text.len());
                let copy = text[at..end].to_vec();
                let to = random.below(text.len() + 1);
                text.splice(to..to, copy);
            }
            3 if at < text.len() => text[at] = char::from(random.below(256) as u8),
            _ => {
                let splice = random.pick(SPLICES).chars().collect::<Vec<_>>();
                text.splice(at..at, splice);
            }
        }
    }
    text.into_iter().collect()
}

#[test]
fn damaged_copybooks_never_panic() {
    let mut random = Random::new(7);
    let formats = [
        SourceFormat::Auto,
        SourceFormat::Fixed,
        SourceFormat::Variable,
        SourceFormat::Free,
    ];
    let (mut usable, mut laid_out) = (0, 0);
    for round in 0..ROUNDS {
        let text = damaged(&mut random);
        let options = ParseOptions {
            format: formats[random.below(formats.len())],
            decimal_comma: random.chance(20),
            currency: random.chance(10).then_some('E'),
        };
        let (copybook, problems) = parse(&text, &options);
        let lines = text.split('\n').count() as u32;
        assert!(
            problems.iter().all(|p| p.place.line <= lines),
            "round {round}: {problems:?}"
        );
        assert!(problems.len() <= transom_copybook::parse::MAX_PROBLEMS + 1);
        usable += usize::from(problems.iter().all(|p| !p.is_error()));
        for profile in [Profile::Host, Profile::Native] {
            let Ok(layout) = Layout::new(&copybook, profile) else {
                continue;
            };
            laid_out += 1;
            assert!(
                layout.min_bytes <= layout.max_bytes,
                "round {round}\n{text}"
            );
            for field in &layout.fields {
                assert!(
                    field.offset + field.len <= layout.max_bytes,
                    "round {round} {field:?}\n{text}"
                );
            }
            let resolved = layout.resolve(&|id| layout[id].occurs.as_ref().map_or(1, |o| o.max));
            assert_eq!(resolved.total, layout.max_bytes, "round {round}");
            assert!(report(&layout).lines().count() >= layout.fields.len());
        }
    }
    assert!(
        usable > ROUNDS / 100 && laid_out > ROUNDS,
        "{usable} usable, {laid_out} laid out"
    );
}

#[test]
fn extreme_sources_are_bounded() {
    let deep: String = (1..=49).map(|l| format!("       {l:02} G{l}.\n")).collect();
    let huge_line = format!("       01 A PIC X VALUE '{}'.", "x".repeat(100_000));
    let wide = "       05 A PIC X.\n".repeat(transom_copybook::parse::MAX_ITEMS + 10);
    let nested: String = (1..=48)
        .map(|l| format!("       {l:02} G{l} OCCURS 999999999.\n"))
        .collect();
    for text in [
        deep,
        huge_line,
        wide,
        nested,
        "(".repeat(100_000),
        "01".repeat(100_000),
        "01 A\n".repeat(50_000),
    ] {
        let (copybook, problems) = parse(&text, &ParseOptions::default());
        assert!(problems.len() <= transom_copybook::parse::MAX_PROBLEMS + 1);
        assert!(!problems.is_empty(), "{}", text.get(..40).unwrap_or(&text));
        let _ = Layout::new(&copybook, Profile::Host);
    }
}
