//! What of a checkout goes where.
//!
//! Why first a plan: whatever speaks against the system directory is known before a file of it is
//! written. Not here: what a file is (`sorted`), jobs and data sets (`datasets`).

use crate::decks::{self, Deck};
use crate::draft::Plan;
use crate::jobs;
use crate::kind::{Kind, program_id};
use crate::maps::Symbolic;
use crate::members::Members;
use crate::names::Names;
use crate::sorted::Sorted;
use crate::tables::{self, Sql};
use crate::tasks::Tasks;
use crate::write::{Content, Item};
use std::collections::BTreeSet;
use transom_csd::ResourceKind;
use transom_messages::im;

/// Makes the plan.
pub(crate) fn plan(sorted: &Sorted) -> Plan {
    let mut plan = Plan::default();
    plan.sources(sorted);
    let files = plan.decks(sorted);
    let tasks = Tasks::of(sorted);
    plan.clusters(sorted, &tasks, &files);
    plan.jobs(sorted, &tasks);
    plan.tables(sorted, &tasks);
    plan.archives(sorted);
    plan.ask(sorted);
    plan.summary.others = sorted.files.len() - plan.summary.taken.len();
    plan
}

impl Plan {
    /// Programs, copybooks and maps.
    fn sources(&mut self, sorted: &Sorted) {
        let mut members = Members::default();
        let mut symbolic = Symbolic::default();
        for (at, text) in sorted.of(Kind::Map) {
            let file = &sorted.files[at];
            symbolic.add(file.stem(), &file.shown, text);
            self.member(sorted, &mut members, at, "map", "bms", None);
        }
        for (at, text) in sorted.of(Kind::Program) {
            self.member(
                sorted,
                &mut members,
                at,
                "program",
                "cobol",
                program_id(text),
            );
        }
        for (at, text) in sorted.of(Kind::Copybook) {
            if symbolic.makes(sorted.files[at].stem(), text) {
                self.summary
                    .leave(at, "copybooks of maps, made here from bms/");
                continue;
            }
            self.member(sorted, &mut members, at, "copybook", "copy", None);
        }
        for (at, _) in sorted.of(Kind::Assembler) {
            self.summary
                .leave(at, "assembler and macros, which are not translated");
        }
        self.errors.append(&mut members.errors);
        self.remarks.append(&mut members.remarks);
    }

    fn member(
        &mut self,
        sorted: &Sorted,
        members: &mut Members,
        at: usize,
        kind: &'static str,
        folder: &'static str,
        name: Option<String>,
    ) {
        let ending = match kind {
            "program" => "cbl",
            "copybook" => "cpy",
            _ => match sorted.texts.get(&at) {
                Some((_, text)) if text.starts_with("//") => "jcl",
                _ => "bms",
            },
        };
        let text = sorted.texts.get(&at).map_or("", |(_, text)| text);
        if let Some(name) = members.name(kind, &sorted.files[at], text, name) {
            self.add(sorted, at, folder, format!("{folder}/{name}.{ending}"));
        }
    }

    /// Decks, and jobs with definitions in them. Answers the data sets of files, with their files.
    fn decks(&mut self, sorted: &Sorted) -> Vec<(String, String)> {
        let no_member = |_: &str| None;
        let is_deck = |text: &str| jobs::of_job(text, &[], &no_member, &|_| false).deck;
        let of_jobs = sorted
            .of(Kind::Job)
            .map(|(file, text)| (file, sorted.closed(text)));
        let of_jobs = of_jobs.filter(|(_, text)| is_deck(text));
        let alone = sorted
            .of(Kind::Deck)
            .map(|(file, text)| (file, sorted.closed(text)));
        let mut all: Vec<Deck> = alone
            .chain(of_jobs)
            .map(|(file, text)| Deck { file, text })
            .collect();
        all.sort_by_key(|deck| deck.file);
        let sources: BTreeSet<String> = [Kind::Program, Kind::Map]
            .into_iter()
            .flat_map(|kind| sorted.of(kind))
            .map(|(at, _)| sorted.files[at].stem().to_ascii_uppercase())
            .collect();
        let chosen = decks::choose(&all, &|name| sources.contains(name));
        for (file, first, what) in &chosen.again {
            let (file, first) = (&sorted.files[*file].shown, &sorted.files[*first].shown);
            self.remarks.push(im::other_version(file, what, first));
        }
        for file in &chosen.elsewhere {
            self.summary.leave(*file, "decks of other regions");
        }
        let mut names = Names::default();
        for deck in all.iter().filter(|deck| chosen.files.contains(&deck.file)) {
            for line in deck.text.lines() {
                if !line.starts_with('*') && !line.starts_with("//") {
                    self.asked_in(sorted, deck.file, line);
                }
            }
            let job = deck.text.starts_with("//");
            let name = names.free(sorted, deck.file, "csd", if job { "jcl" } else { "csd" });
            self.add_text(sorted, deck.file, "csd", name);
        }
        if let Some(list) = &chosen.home {
            let add = |group: &String| format!("ADD GROUP({group}) LIST({list})\n");
            let text: String = chosen.loose.iter().map(add).collect();
            let to = names.free_as("csd/zz-more", "csd");
            let content = Content::Text(text);
            self.items
                .extend((!chosen.loose.is_empty()).then_some(Item { to, content }));
        }
        self.lists = chosen.lists;
        let files = chosen
            .defined
            .iter()
            .filter(|d| d.kind == ResourceKind::File);
        let names =
            files.filter_map(|d| Some((d.get("DSNAME")?.to_ascii_uppercase(), d.name.clone())));
        names.filter(|(name, _)| !name.is_empty()).collect()
    }

    /// Tables, in one script.
    fn tables(&mut self, sorted: &Sorted, tasks: &Tasks) {
        let mut all: Vec<Sql> = Vec::new();
        for (at, text) in sorted.of(Kind::Sql) {
            all.extend(tables::statements(
                at,
                &tables::numbered(&sorted.closed(text)),
            ));
        }
        for candidate in &tasks.all {
            all.extend(tables::statements(candidate.file, &candidate.facts.sql));
        }
        let is_open = |text: &str| !sorted.open_in(text).is_empty() || text.contains('&');
        let all = tables::in_order(all, &is_open);
        if all.is_empty() {
            return;
        }
        let shown = |at: usize| sorted.files[at].shown.clone();
        for sql in &all {
            let (place, text) = sql.alone(&shown);
            self.asked_in(sorted, sql.file, &text);
            self.statements.push((place, text));
            self.summary.take(sql.file, "sql");
        }
        self.qualifier = tables::qualifier(&all);
        self.items.push(Item {
            to: "sql/tables.sql".to_owned(),
            content: Content::Text(tables::script(&all, &shown)),
        });
    }

    /// Archives, bind files and server.xml of z/OS Connect.
    fn archives(&mut self, sorted: &Sorted) {
        let mut names = Names::default();
        for at in &sorted.archives {
            let ending = sorted.files[*at].ending();
            let folder = if ending == "sar" { "services" } else { "apis" };
            let folder = format!("resources/zosconnect/{folder}");
            let name = names.free(sorted, *at, &folder, &ending);
            self.add(sorted, *at, "archives", name);
        }
        for (at, file) in sorted.files.iter().enumerate() {
            match file.ending().as_str() {
                "wsbind" => {
                    let name = names.free(sorted, at, "bindfiles", "wsbind");
                    self.add(sorted, at, "bindfiles", name);
                }
                "si" => self
                    .summary
                    .leave(at, "service interfaces, which are in the archives"),
                _ => {}
            }
        }
        let mut servers = sorted.of(Kind::Server);
        let Some((at, text)) = servers.next() else {
            return;
        };
        if let Some((other, _)) = servers.find(|(_, other)| *other != text) {
            let (first, second) = (&sorted.files[at].shown, &sorted.files[other].shown);
            self.errors
                .push(im::twice("server.xml", "of z/OS Connect", first, second));
        }
        let text = match is_open_to_all(text) {
            true => {
                self.remarks.push(im::host());
                text.replace("host=\"*\"", "host=\"127.0.0.1\"")
            }
            false => text.to_owned(),
        };
        let (to, content) = ("server.xml".to_owned(), Content::Text(text));
        self.items.push(Item { to, content });
        self.summary.take(at, "server.xml");
    }
}

fn is_open_to_all(text: &str) -> bool {
    let endpoints = text.split("<httpEndpoint").skip(1);
    let mut heads = endpoints.map(|rest| rest.split('>').next().unwrap_or_default());
    heads.any(|head| head.contains("host=\"*\""))
}
