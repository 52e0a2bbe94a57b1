//! Which jobs make the clusters of an application, and the files they load.
//!
//! Why: a checkout has jobs that define, others that copy, unload, delete and define the same
//! cluster again; only one of them may make it. A job is taken as a whole, so that it stays what
//! its author wrote. Not here: running it.

use crate::jobs::Facts;
use std::collections::BTreeSet;

/// A job, or statements, that may make clusters.
pub(crate) struct Candidate {
    /// Its place among the files.
    pub(crate) file: usize,
    pub(crate) facts: Facts,
}

/// What was chosen.
#[derive(Debug, Default)]
pub(crate) struct Choice {
    /// Places among the candidates, in the order of their files.
    pub(crate) taken: Vec<usize>,
    /// What only a job makes whose data are not there: the candidate and the data set it misses.
    pub(crate) without_data: Vec<(usize, String)>,
    /// Wanted and defined by nobody.
    pub(crate) undefined: Vec<String>,
}

/// Chooses; `wanted` are the data sets of files, `has_file` knows which data sets the checkout has,
/// `fits` whether a name may be another one, `is_open` whether a text waits for values.
pub(crate) fn choose(
    candidates: &[Candidate],
    wanted: &[String],
    has_file: &dyn Fn(&str) -> bool,
    fits: &dyn Fn(&str, &str) -> bool,
    is_open: &dyn Fn(&str) -> bool,
) -> Choice {
    let all: BTreeSet<&str> = names(candidates.iter()).collect();
    let missing = |candidate: &Candidate| {
        let inputs = candidate.facts.inputs.iter();
        let mut missing = inputs.filter(|name| !all.contains(name.as_str()) && !has_file(name));
        missing.next().cloned()
    };
    let lacks: Vec<Option<String>> = candidates.iter().map(missing).collect();
    let mut choice = Choice::default();
    let mut made: BTreeSet<String> = BTreeSet::new();
    let needs = wanted.iter().map(|name| (name.as_str(), true));
    let rest = all.iter().map(|name| (*name, false));
    for (name, is_wanted) in needs.chain(rest) {
        if made.iter().any(|there| fits(there, name)) {
            continue;
        }
        let of_name = (0..candidates.len()).filter(|at| {
            let facts = &candidates[*at].facts;
            // Nobody is asked for values of what no file needs, and an empty cluster helps nobody.
            let loads = facts.loads.iter().any(|(_, to)| facts.defines.contains(to));
            let usable = is_wanted || facts.utilities_only && loads && !is_open(&facts.text);
            usable && !facts.wrong && facts.defines.iter().any(|d| fits(d, name))
        });
        let best = of_name.max_by_key(|at| rank(&candidates[*at], lacks[*at].is_some()));
        match best {
            Some(at) => match &lacks[at] {
                None => {
                    made.extend(candidates[at].facts.defines.iter().cloned());
                    choice.taken.push(at);
                }
                Some(input) if is_wanted => choice.without_data.push((at, input.clone())),
                Some(_) => {}
            },
            None if is_wanted => choice.undefined.push(name.to_owned()),
            None => {}
        }
    }
    choice.taken.sort_by_key(|at| candidates[*at].file);
    choice.without_data.dedup_by_key(|(at, _)| *at);
    choice
}

fn names<'a>(list: impl Iterator<Item = &'a Candidate>) -> impl Iterator<Item = &'a str> {
    list.flat_map(|c| c.facts.defines.iter().map(String::as_str))
}

/// A job that loads what it defines before one that only defines; the first file among equals.
fn rank(candidate: &Candidate, lacks: bool) -> (bool, usize, bool, std::cmp::Reverse<usize>) {
    let facts = &candidate.facts;
    let loads = facts
        .loads
        .iter()
        .filter(|(_, to)| facts.defines.contains(to));
    let file = std::cmp::Reverse(candidate.file);
    (!lacks, loads.count(), facts.utilities_only, file)
}
