//! Decks in, definitions out.

mod decks;
mod fuzz;
mod operations;
mod problems;
mod writer;

use transom_csd::Csd;
use transom_messages::Problem;

/// The sample deck.
const BANK: &str = include_str!("../data/bank.csd");

/// A CSD with one deck, and what was wrong with the deck as `id line: text` or
/// `id line:column: text`.
fn read(text: &str) -> (Csd, Vec<String>) {
    let mut csd = Csd::new();
    let problems = csd.parse_deck("test.csd", text);
    (csd, problems.iter().map(show).collect())
}

fn show(problem: &Problem) -> String {
    let mut problem = problem.clone();
    problem.place.file.clear();
    problem.id_first().to_string()
}

/// An attribute of a definition.
fn value<'a>(csd: &'a Csd, group: &str, name: &str, attribute: &str) -> Option<&'a str> {
    csd.group(group)?
        .iter()
        .find(|d| d.name == name)?
        .get(attribute)
}
