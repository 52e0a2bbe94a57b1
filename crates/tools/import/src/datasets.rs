//! Jobs of a checkout in its system directory: those that make data sets, with the files they load,
//! and those that run programs.
//!
//! Not here: choosing among jobs (`clusters`), forms of files (`data`).

use crate::clusters::{Candidate, choose};
use crate::data::{self, FILE_MAX, Form};
use crate::draft::Plan;
use crate::jobs::Facts;
use crate::kind::Kind;
use crate::names::Names;
use crate::sorted::Sorted;
use crate::tasks::Tasks;
use crate::write::{Content, Item};
use std::collections::BTreeSet;
use transom_messages::im;

/// What stands in `data/`.
#[derive(Default)]
struct Placed {
    names: Names,
    /// Data sets and members.
    files: BTreeSet<String>,
}

impl Plan {
    /// Jobs that make clusters, and the files they load.
    pub(crate) fn clusters(&mut self, sorted: &Sorted, tasks: &Tasks, files: &[(String, String)]) {
        let wanted: Vec<String> = files.iter().map(|(name, _)| name.clone()).collect();
        let is_open = |text: &str| !sorted.open_in(text).is_empty();
        // What has no value yet is asked for, whatever it will be.
        let has_file = |name: &str| {
            name.is_empty() || is_open(name) || data::find(&sorted.files, name).is_some()
        };
        let fits = |a: &str, b: &str| sorted.fits(a, b);
        let choice = choose(&tasks.all, &wanted, &has_file, &fits, &is_open);
        for name in &choice.undefined {
            let file = files.iter().find(|(data_set, _)| data_set == name);
            let file = file.map_or("", |(_, file)| file);
            self.remarks.push(im::not_defined(name, file));
        }
        for (at, input) in &choice.without_data {
            let shown = &sorted.files[tasks.all[*at].file].shown;
            self.remarks.push(im::no_data(shown, input));
        }
        let mut placed = Placed::default();
        let ordered = in_order(&choice.taken, &tasks.all);
        let is_sorted = ordered.is_sorted_by_key(|at| sorted.files[tasks.all[*at].file].name());
        for (number, at) in (1..).zip(ordered) {
            // Files of `data/` are run in the order of their names.
            let front = Some(format!("{number:03}-")).filter(|_| !is_sorted);
            self.data_job(sorted, tasks, at, &front.unwrap_or_default(), &mut placed);
        }
    }

    /// A job of `data/` with what it reads; left where it cannot load its records.
    fn data_job(
        &mut self,
        sorted: &Sorted,
        tasks: &Tasks,
        at: usize,
        front: &str,
        placed: &mut Placed,
    ) {
        let candidate = &tasks.all[at];
        let (file, facts) = (candidate.file, &candidate.facts);
        let mut records = Vec::new();
        let mut sound = true;
        for (from, to) in &facts.loads {
            let length = facts.lengths.get(to).copied();
            sound &= self.records(sorted, file, from, length, &mut records);
        }
        if !sound {
            return;
        }
        self.asked_by(sorted, file, facts);
        for (name, item, found) in records {
            if placed.files.insert(name) {
                self.items.push(item);
                self.summary.take(found, "records");
            }
        }
        let ending = match sorted.texts.get(&file) {
            Some((Kind::Job, _)) => "jcl",
            _ => "idcams",
        };
        let name = placed.names.free_with(sorted, file, "data", front, ending);
        self.add_text(sorted, file, "data", name);
        for member in &tasks.members[at] {
            let stem = sorted.files[*member].stem().to_ascii_uppercase();
            let name = format!("data/{stem}.ctl");
            if placed.files.insert(name.clone()) {
                self.add_text(sorted, *member, "members", name);
            }
        }
    }

    /// The file of a data set, in the form it has in `data/`; false where it cannot be loaded as it
    /// is.
    fn records(
        &mut self,
        sorted: &Sorted,
        job: usize,
        name: &str,
        length: Option<u32>,
        records: &mut Vec<(String, Item, usize)>,
    ) -> bool {
        let Some(file) = data::find(&sorted.files, name).filter(|_| !name.is_empty()) else {
            return true;
        };
        if let Some(other) = data::another(&sorted.files, name) {
            self.errors
                .push(im::twice("data set", name, &file.shown, &other.shown));
            return false;
        }
        if file.bytes > FILE_MAX {
            self.remarks
                .push(im::too_long(&file.shown, file.bytes, FILE_MAX));
            return false;
        }
        let at = sorted
            .files
            .iter()
            .position(|f| f.shown == file.shown)
            .unwrap_or_default();
        let form = match data::form(file) {
            Ok(form) => form,
            Err(message) => {
                self.errors.push(message);
                return false;
            }
        };
        let copy = Content::Copy(file.path.clone());
        let (to, content) = match (form, length) {
            (Form::Lines, _) => (format!("data/{name}.txt"), copy),
            (Form::Text, Some(length)) if length > 0 => {
                let length = usize::try_from(length).unwrap_or(usize::MAX);
                (
                    format!("data/{name}.txt"),
                    Content::Lines(file.path.clone(), length),
                )
            }
            (Form::Ebcdic, _) => (format!("data/{name}"), copy),
            _ => {
                let job = &sorted.files[job].shown;
                self.remarks.push(im::no_characters(&file.shown, job, name));
                return false;
            }
        };
        records.push((name.to_owned(), Item { to, content }, at));
        true
    }

    /// What a job that makes clusters cannot do without.
    fn asked_by(&mut self, sorted: &Sorted, file: usize, facts: &Facts) {
        self.asked_in(sorted, file, &facts.text);
        for name in facts.defines.iter().chain(&facts.inputs) {
            self.asked_in(sorted, file, name);
        }
        for (from, to) in &facts.loads {
            self.asked_in(sorted, file, from);
            self.asked_in(sorted, file, to);
        }
        for symbol in &facts.symbols {
            self.asked.entry(symbol.clone()).or_default().insert(file);
        }
    }

    /// Jobs that run programs of the application, and procedures.
    pub(crate) fn jobs(&mut self, sorted: &Sorted, tasks: &Tasks) {
        let mut names = Names::default();
        let mut used: BTreeSet<usize> = BTreeSet::new();
        for (at, candidate) in tasks.all.iter().enumerate() {
            if !candidate.facts.programs.is_empty() {
                let name = names.free(sorted, candidate.file, "jcl", "jcl");
                self.add_text(sorted, candidate.file, "jcl", name);
                used.extend(&tasks.members[at]);
            }
        }
        for at in used {
            let name = names.free(sorted, at, "proc", "jcl");
            self.add_text(sorted, at, "proc", name);
        }
        for candidate in &tasks.all {
            self.summary
                .leave(candidate.file, "jobs that have nothing to do here");
        }
    }
}

/// Candidates in the order their clusters have to be made.
fn in_order(taken: &[usize], all: &[Candidate]) -> Vec<usize> {
    let mut rest = taken.to_vec();
    let mut ordered = Vec::new();
    while !rest.is_empty() {
        let waits = |at: usize| {
            let others = rest.iter().filter(|other| **other != at);
            let mut made = others.flat_map(|other| &all[*other].facts.defines);
            made.any(|name| {
                let facts = &all[at].facts;
                facts.inputs.contains(name) && !facts.defines.contains(name)
            })
        };
        let next = rest.iter().position(|at| !waits(*at)).unwrap_or(0);
        ordered.push(rest.remove(next));
    }
    ordered
}
