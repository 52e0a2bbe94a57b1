//! Broken decks: never a panic, and whatever was understood can be written and read again.

use crate::BANK;
use transom_csd::{Csd, write_deck};

const ROUNDS: u64 = 20_000;

/// A fixed sequence, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % (below.max(1) as u64)).unwrap_or(0)
    }
}

const PIECES: &[&str] = &[
    "(",
    ")",
    "'",
    "''",
    "*",
    "\n",
    "\r",
    "\t",
    " ",
    ",",
    "//",
    "/*",
    "DEFINE ",
    "ALTER ",
    "GROUP(",
    "LIST(",
    "COPY ",
    "DELETE ",
    "TO(",
    "AS(",
    "REPLACE",
    "\u{e4}",
    "\u{1F600}",
    "\0",
    "()",
    "(((",
    "99999999999999999999",
    "-1",
    "                                                  ",
];

fn mutate(random: &mut Random, text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=random.next(8) {
        let at = random.next(chars.len() + 1);
        match random.next(4) {
            0 => {
                let end = (at + random.next(40)).min(chars.len());
                chars.drain(at..end);
            }
            1 => {
                let piece = PIECES[random.next(PIECES.len())];
                chars.splice(at..at, piece.chars());
            }
            2 => {
                let end = (at + random.next(80)).min(chars.len());
                let copy: Vec<char> = chars[at..end].to_vec();
                let to = random.next(chars.len() + 1);
                chars.splice(to..to, copy);
            }
            _ => {
                if at < chars.len() {
                    chars[at] = char::from(u8::try_from(32 + random.next(95)).unwrap_or(b' '));
                }
            }
        }
    }
    chars.into_iter().collect()
}

#[test]
fn mutated_decks() {
    let mut random = Random(0x5EED);
    let mut definitions = 0;
    for round in 0..ROUNDS {
        let deck = mutate(&mut random, BANK);
        let mut csd = Csd::new();
        csd.parse_deck("fuzz", &deck);
        definitions += csd.definition_count();
        for definition in csd.install_all() {
            // Whatever a deck says, what is kept of it is an attribute with a value.
            for (keyword, value) in definition.attributes() {
                let known = definition.kind.attribute(keyword);
                assert!(
                    known.is_some_and(|a| a.keyword == keyword),
                    "round {round}: {keyword}"
                );
                assert!(!value.is_empty(), "round {round}: {keyword}");
            }
        }
        if round % 4 == 0 {
            reads_back(&csd, round);
        }
    }
    assert!(
        definitions > 60_000,
        "the mutations leave too little: {definitions}"
    );
}

fn reads_back(csd: &Csd, round: u64) {
    let written = write_deck(csd);
    let mut again = Csd::new();
    let problems = again.parse_deck("again", &written);
    assert!(
        problems.is_empty(),
        "round {round}: {problems:?}\n{written}"
    );
    assert_eq!(write_deck(&again), written, "round {round}");
}
