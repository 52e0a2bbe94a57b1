//! Jobs and statements of a checkout, looked at.
//!
//! Not here: what a text of them does (`jobs`), which are taken (`clusters`).

use crate::clusters::Candidate;
use crate::jobs;
use crate::kind::{Kind, program_id};
use crate::sorted::Sorted;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Jobs and statements of a checkout, looked at.
pub(crate) struct Tasks {
    pub(crate) all: Vec<Candidate>,
    /// Members each of them reads, by their files.
    pub(crate) members: Vec<BTreeSet<usize>>,
}

impl Tasks {
    pub(crate) fn of(sorted: &Sorted) -> Self {
        let programs: BTreeSet<String> = sorted
            .of(Kind::Program)
            .flat_map(|(at, text)| {
                let stem = sorted.files[at].stem().to_ascii_uppercase();
                program_id(text).into_iter().chain([stem])
            })
            .collect();
        let symbols: Vec<(String, String)> = sorted.values.clone().into_iter().collect();
        let mut tasks = Self {
            all: Vec::new(),
            members: Vec::new(),
        };
        for (file, (kind, text)) in &sorted.texts {
            let text = match kind {
                Kind::Job | Kind::Statements => sorted.closed(text),
                _ => continue,
            };
            let read = RefCell::new(BTreeSet::new());
            let member = |name: &str| {
                let at = member(sorted, *file, name)?;
                read.borrow_mut().insert(at);
                Some(sorted.closed(&sorted.texts.get(&at)?.1))
            };
            let facts = match kind {
                Kind::Job => {
                    jobs::of_job(&text, &symbols, &member, &|name| programs.contains(name))
                }
                _ => jobs::of_statements(&text),
            };
            tasks.all.push(Candidate { file: *file, facts });
            tasks.members.push(read.into_inner());
        }
        tasks
    }
}

/// The text of a member that a job names: in its folder, or in the one nearest to it.
fn member(sorted: &Sorted, job: usize, name: &str) -> Option<usize> {
    let own = &sorted.files[job].shown;
    let near = |shown: &str| {
        let common = own
            .bytes()
            .zip(shown.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        own[..common].matches('/').count()
    };
    let fits = sorted.texts.iter().filter(|(at, (kind, _))| {
        let usable = !matches!(
            kind,
            Kind::Program | Kind::Copybook | Kind::Map | Kind::Server
        );
        usable && **at != job && sorted.files[**at].stem().eq_ignore_ascii_case(name)
    });
    let rank = |at: &usize| (near(&sorted.files[*at].shown), std::cmp::Reverse(*at));
    fits.map(|(at, _)| *at).max_by_key(rank)
}
