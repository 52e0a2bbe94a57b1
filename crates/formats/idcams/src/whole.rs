//! EXAMINE, EXPORT and IMPORT.

use crate::params::Params;
use crate::script::{Command, Examine, Export, Import};
use crate::table::{EXAMINE, EXPORT, IMPORT, OBJECT};
use crate::tree::Node;

/// Faults EXAMINE names when ERRORLIMIT is not given.
const EXAMINE_LIMIT: u64 = 100;

pub(crate) fn examine<'a>(nodes: &'a [Node], params: &mut Params<'a>) -> Option<Command> {
    params.command = "EXAMINE";
    params.take(nodes, &[EXAMINE]);
    let name = params.dataset("NAME");
    if !params.has("NAME") {
        params.missing("NAME");
    }
    let index = params.one_of(&["INDEXTEST", "NOINDEXTEST"]) != Some("NOINDEXTEST");
    let data = params.one_of(&["DATATEST", "NODATATEST"]) == Some("DATATEST");
    let limit = params.number("ERRORLIMIT").unwrap_or(EXAMINE_LIMIT);
    Some(Command::Examine(Examine {
        name: name?,
        index,
        data,
        limit: u32::try_from(limit).unwrap_or(u32::MAX).max(1),
    }))
}

pub(crate) fn export<'a>(nodes: &'a [Node], params: &mut Params<'a>) -> Option<Command> {
    params.command = "EXPORT";
    let Some((entry, rest)) = nodes.split_first() else {
        params.missing("the name of an entry");
        return None;
    };
    params.take(rest, &[EXPORT]);
    let name = params.checked_name(entry);
    let to = params.place("OUTFILE", "OUTDATASET");
    if to.is_none() {
        params.missing("OUTFILE or OUTDATASET");
    }
    Some(Command::Export(Export {
        name: name?,
        to: to?,
        temporary: params.one_of(&["PERMANENT", "TEMPORARY"]) == Some("TEMPORARY"),
        inhibit_source: params.one_of(&["INHIBITSOURCE", "NOINHIBITSOURCE"])
            == Some("INHIBITSOURCE"),
        inhibit_target: params.one_of(&["INHIBITTARGET", "NOINHIBITTARGET"])
            == Some("INHIBITTARGET"),
        purge: params.one_of(&["PURGE", "NOPURGE"]) == Some("PURGE"),
    }))
}

pub(crate) fn import<'a>(nodes: &'a [Node], params: &mut Params<'a>) -> Option<Command> {
    params.command = "IMPORT";
    params.take(nodes, &[IMPORT]);
    let from = params.place("INFILE", "INDATASET");
    if from.is_none() {
        params.missing("INFILE or INDATASET");
    }
    let names = names(params);
    Some(Command::Import(Import {
        from: from?,
        names,
        into_empty: params.has("INTOEMPTY"),
    }))
}

/// `OBJECTS((OLD.NAME NEWNAME(NEW.NAME)) (..))`: other names.
fn names(params: &mut Params<'_>) -> Vec<(String, String)> {
    let Some(node) = params.node("OBJECTS") else {
        return Vec::new();
    };
    let bare = node.inside().first().is_some_and(|n| !n.word.is_empty());
    let objects: Vec<&[Node]> = match bare {
        true => vec![node.inside()],
        false => node.inside().iter().map(Node::inside).collect(),
    };
    let mut names = Vec::new();
    for object in objects {
        let Some((entry, rest)) = object.split_first() else {
            params.bad(node, "the name of an entry is expected");
            continue;
        };
        let mut own = Params::new(params.command, entry.at());
        own.take(rest, &[OBJECT]);
        let old = own.checked_name(entry);
        let new = own.dataset("NEWNAME");
        names.extend(old.zip(new));
        params.problems.append(&mut own.problems);
    }
    names
}
