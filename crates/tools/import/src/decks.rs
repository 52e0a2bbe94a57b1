//! Which decks define the resources of one region.
//!
//! Why: a checkout has decks for several regions (lists that define the same transaction here and
//! remote there), and older versions of a deck beside the newer; installed together they contradict
//! each other. What: of lists that define the same resources the one with most local ones; a deck
//! that defines again what another has, and most of whose programs are not there, is an older
//! version. Not here: deck syntax (`formats/csd`).

use std::collections::{BTreeMap, BTreeSet};
use transom_csd::{Csd, Definition, ResourceKind};

/// Where a deck comes from, and its text without open placeholders.
pub(crate) struct Deck {
    /// Its place among the files.
    pub(crate) file: usize,
    pub(crate) text: String,
}

/// What was chosen.
#[derive(Default)]
pub(crate) struct Chosen {
    /// Files of the decks that are taken.
    pub(crate) files: BTreeSet<usize>,
    /// Decks that define again what another one does: both files, kind, name and group.
    pub(crate) again: Vec<(usize, usize, String)>,
    /// Decks of other regions.
    pub(crate) elsewhere: Vec<usize>,
    /// Lists to be installed; empty: everything.
    pub(crate) lists: Vec<String>,
    /// The list that groups without one join.
    pub(crate) home: Option<String>,
    /// Groups that join it.
    pub(crate) loose: Vec<String>,
    /// What is installed.
    pub(crate) defined: Vec<Definition>,
}

/// Lists that GRPLIST takes.
const LISTS_MAX: usize = 4;

/// Chooses; `is_there` knows programs and maps of the checkout.
pub(crate) fn choose(decks: &[Deck], is_there: &dyn Fn(&str) -> bool) -> Chosen {
    let mut chosen = Chosen::default();
    let all = parsed(decks.iter());
    let groups = chosen.lists_and_groups(&all);
    let mut ranked: Vec<(isize, usize, Csd)> = Vec::new();
    for (at, deck) in decks.iter().enumerate() {
        let own = parsed(std::iter::once(deck));
        match chosen.is_elsewhere(&own, &groups) {
            true => chosen.elsewhere.push(deck.file),
            false => ranked.push((score(&own, &groups, is_there), at, own)),
        }
    }
    ranked.sort_by_key(|(score, at, _)| (std::cmp::Reverse(*score), *at));
    let taken = chosen.without_versions(decks, &ranked);
    let csd = parsed(taken.into_iter());
    let lists: Vec<&str> = chosen.lists.iter().map(String::as_str).collect();
    chosen.defined = match lists.is_empty() {
        true => csd.install_all(),
        false => csd.install(&lists).unwrap_or_default(),
    };
    let loose = chosen.loose.iter().filter_map(|group| csd.group(group));
    chosen.defined.extend(loose.flatten().cloned());
    chosen
}

impl Chosen {
    /// Chooses the lists; answers the groups that will be installed.
    fn lists_and_groups<'c>(&mut self, all: &'c Csd) -> BTreeSet<&'c str> {
        self.lists = one_region(all);
        let mut groups: BTreeSet<&str> = all.groups().collect();
        let of_lists: Vec<&str> = all.lists().collect();
        let members = |lists: &[&str]| -> BTreeSet<String> {
            let groups = lists.iter().filter_map(|list| all.list(list)).flatten();
            groups.cloned().collect()
        };
        let listed = members(&of_lists);
        let own: Vec<&str> = self.lists.iter().map(String::as_str).collect();
        let installed = members(if own.is_empty() { &of_lists } else { &own });
        if let Some(home) = own.first().or(of_lists.first()) {
            self.home = Some((*home).to_owned());
            let loose = groups.iter().filter(|group| !listed.contains(**group));
            self.loose = loose.map(|group| (*group).to_owned()).collect();
            groups.retain(|group| installed.contains(*group) || !listed.contains(*group));
        }
        // GRPLIST has room for few: groups of the others join the first.
        let more: Vec<&str> = own.into_iter().skip(LISTS_MAX).collect();
        self.loose.extend(members(&more));
        self.lists.truncate(LISTS_MAX);
        groups
    }

    /// Whether a deck is about lists or groups of other regions.
    fn is_elsewhere(&self, deck: &Csd, groups: &BTreeSet<&str>) -> bool {
        let mut lists = deck.lists().peekable();
        match lists.peek() {
            Some(_) if self.lists.is_empty() => false,
            Some(_) => !lists.any(|list| self.lists.iter().any(|l| l == list)),
            None => {
                let mut own = deck.groups().peekable();
                own.peek().is_some() && !own.any(|group| groups.contains(group))
            }
        }
    }

    /// The decks in the order of their files but for older versions of others.
    fn without_versions<'d>(
        &mut self,
        decks: &'d [Deck],
        ranked: &[(isize, usize, Csd)],
    ) -> Vec<&'d Deck> {
        let mut known: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
        let mut taken = Vec::new();
        for (score, at, own) in ranked {
            let all = own.groups().flat_map(|g| own.group(g).unwrap_or_default());
            let all: Vec<&Definition> = all.collect();
            let twice = all.iter().find_map(|d| Some((known.get(&key(d))?, *d)));
            // One whose programs are there only repeats a definition, which does no harm.
            if let Some((first, d)) = twice.filter(|_| *score < 0) {
                let what = format!("{}({}) of group {}", d.kind.keyword(), d.name, d.group);
                self.again.push((decks[*at].file, *first, what));
                continue;
            }
            known.extend(all.into_iter().map(|d| (key(d), decks[*at].file)));
            self.files.insert(decks[*at].file);
            taken.push(&decks[*at]);
        }
        taken.sort_by_key(|deck| deck.file);
        taken
    }
}

fn key(definition: &Definition) -> (&str, &str, &str) {
    let kind = definition.kind.keyword();
    (&definition.group, kind, &definition.name)
}

/// Programs and maps of a deck that are there, less those that are not.
fn score(deck: &Csd, groups: &BTreeSet<&str>, is_there: &dyn Fn(&str) -> bool) -> isize {
    let installed = deck.groups().filter(|group| groups.contains(group));
    let all = installed.flat_map(|group| deck.group(group).unwrap_or_default());
    let sources = all.filter(|d| matches!(d.kind, ResourceKind::Program | ResourceKind::MapSet));
    sources
        .map(|d| if is_there(&d.name) { 1 } else { -1 })
        .sum()
}

fn parsed<'d>(decks: impl Iterator<Item = &'d Deck>) -> Csd {
    let mut csd = Csd::new();
    for deck in decks {
        csd.parse_deck("", &deck.text);
    }
    csd
}

/// The lists that can be installed together, where not all can.
fn one_region(csd: &Csd) -> Vec<String> {
    let resources = |list: &str| -> Vec<&Definition> {
        let groups = csd.list(list).unwrap_or_default().iter();
        groups
            .flat_map(|group| csd.group(group).unwrap_or_default())
            .collect()
    };
    let is_local = |d: &&&Definition| d.given("REMOTESYSTEM").is_none_or(str::is_empty);
    let mut lists: Vec<(usize, &str)> = csd
        .lists()
        .map(|list| (resources(list).iter().filter(is_local).count(), list))
        .collect();
    lists.sort_by_key(|(local, list)| (std::cmp::Reverse(*local), *list));
    let mut known: BTreeMap<(&str, &str), &Definition> = BTreeMap::new();
    let mut together = Vec::new();
    let mut contradict = false;
    for (_, list) in lists {
        let own = resources(list);
        let other = |d: &&Definition| {
            let there = known.get(&(d.kind.keyword(), d.name.as_str()));
            there.is_some_and(|there| there.group != d.group)
        };
        if own.iter().any(other) {
            contradict = true;
            continue;
        }
        known.extend(
            own.into_iter()
                .map(|d| ((d.kind.keyword(), d.name.as_str()), d)),
        );
        together.push(list.to_owned());
    }
    match contradict {
        true => together,
        false => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deck(file: usize, text: &str) -> Deck {
        let text = text.to_owned();
        Deck { file, text }
    }

    #[test]
    fn of_lists_that_contradict_the_local_one_is_installed() {
        let alone = "ADD GROUP(ONE) LIST(ALONE)\nDEFINE TRANS(PAY) GROUP(ONE) PROGRAM(PAY)\n\
                     DEFINE PROGRAM(PAY) GROUP(ONE)\n";
        let apart = "ADD GROUP(TOR) LIST(TORLIST)\nDEFINE TRANS(PAY) GROUP(TOR) PROGRAM(PAY)\n\
                     DEFINE PROGRAM(PAY) GROUP(TOR) REMOTESYSTEM(AOR)\n";
        let loose = "DEFINE FILE(MORE) GROUP(MORE) DSNAME(A.B)\n";
        let decks = [deck(1, apart), deck(2, alone), deck(3, loose)];
        let chosen = choose(&decks, &|_| true);
        assert_eq!(chosen.lists, ["ALONE"]);
        assert_eq!(chosen.loose, ["MORE"]);
        assert_eq!(
            (chosen.elsewhere, chosen.files),
            (vec![1], BTreeSet::from([2, 3]))
        );
        let names: Vec<&str> = chosen.defined.iter().map(|d| d.name.as_str()).collect();
        assert_eq!(names.len(), 3, "{names:?}");
    }

    #[test]
    fn of_two_versions_of_a_deck_the_one_with_its_programs_is_taken() {
        let old = "DEFINE PROGRAM(OLD) GROUP(PAY)\nDEFINE PROGRAM(OLD2) GROUP(PAY)\nDEFINE MAPSET(PAYS) GROUP(PAY)\n";
        let new = "DEFINE PROGRAM(NEW) GROUP(PAY)\nDEFINE MAPSET(PAYS) GROUP(PAY)\n";
        let chosen = choose(&[deck(1, old), deck(2, new)], &|name| {
            !name.starts_with("OLD")
        });
        assert_eq!(chosen.files, BTreeSet::from([2]));
        assert_eq!(
            chosen.again,
            [(1, 2, "MAPSET(PAYS) of group PAY".to_owned())]
        );
        assert!(chosen.lists.is_empty());
    }
}
