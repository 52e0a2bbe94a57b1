//! BLDINDEX, REPRO, PRINT, LISTCAT, DELETE and VERIFY.

use crate::name::Pattern;
use crate::params::{Params, find};
use crate::script::{
    BuildIndex, Command, Delete, EntryType, ListCatalog, Place, Print, PrintFormat, Range, Repro,
    Verify,
};
use crate::table::{BLDINDEX, DELETE, LISTCAT, PRINT, RECORDS, REPRO, TYPES, VERIFY};
use crate::tree::Node;

/// Bad records that REPRO goes on after when ERRORLIMIT is not given.
const ERROR_LIMIT: u32 = 4;

pub(crate) fn build_index<'a>(nodes: &'a [Node], params: &mut Params<'a>) -> Option<Command> {
    params.command = "BLDINDEX";
    params.take(nodes, &[BLDINDEX]);
    let base = params.place("INFILE", "INDATASET");
    if base.is_none() {
        params.missing("INFILE or INDATASET");
    }
    let mut indexes = Vec::new();
    match params
        .one_of(&["OUTFILE", "OUTDATASET"])
        .and_then(|w| params.node(w).map(|n| (w, n)))
    {
        None => params.missing("OUTFILE or OUTDATASET"),
        Some((word, node)) => {
            for one in node.inside() {
                if word == "OUTFILE" {
                    indexes.push(Place::Dd(one.word.clone()));
                } else if let Some(name) = params.checked_name(one) {
                    indexes.push(Place::Dataset(name));
                }
            }
        }
    }
    Some(Command::BuildIndex(BuildIndex {
        base: base?,
        indexes,
    }))
}

pub(crate) fn repro<'a>(nodes: &'a [Node], params: &mut Params<'a>) -> Option<Command> {
    params.command = "REPRO";
    params.take(nodes, &[RECORDS, REPRO]);
    let from = params.place("INFILE", "INDATASET");
    let to = params.place("OUTFILE", "OUTDATASET");
    if from.is_none() {
        params.missing("INFILE or INDATASET");
    }
    if to.is_none() {
        params.missing("OUTFILE or OUTDATASET");
    }
    let range = range(params);
    let replace = params.one_of(&["REPLACE", "NOREPLACE"]) == Some("REPLACE");
    let reuse = params.one_of(&["REUSE", "NOREUSE"]) == Some("REUSE");
    let limit = params.number("ERRORLIMIT");
    Some(Command::Repro(Repro {
        from: from?,
        to: to?,
        range,
        replace,
        reuse,
        error_limit: limit.map_or(ERROR_LIMIT, |n| u32::try_from(n).unwrap_or(u32::MAX)),
    }))
}

pub(crate) fn print<'a>(nodes: &'a [Node], params: &mut Params<'a>) -> Option<Command> {
    params.command = "PRINT";
    params.take(nodes, &[RECORDS, PRINT]);
    let from = params.place("INFILE", "INDATASET");
    if from.is_none() {
        params.missing("INFILE or INDATASET");
    }
    let to = params.place("OUTFILE", "OUTDATASET");
    let range = range(params);
    let format = match params.one_of(&["CHARACTER", "HEX", "DUMP"]) {
        Some("CHARACTER") => PrintFormat::Character,
        Some("HEX") => PrintFormat::Hex,
        _ => PrintFormat::Dump,
    };
    Some(Command::Print(Print {
        from: from?,
        to,
        range,
        format,
    }))
}

fn range(params: &mut Params<'_>) -> Range {
    params.one_of(&["FROMKEY", "FROMADDRESS", "FROMNUMBER", "SKIP"]);
    params.one_of(&["TOKEY", "TOADDRESS", "TONUMBER", "COUNT"]);
    Range {
        from_key: params.key("FROMKEY"),
        to_key: params.key("TOKEY"),
        from_address: params.number("FROMADDRESS"),
        to_address: params.number("TOADDRESS"),
        from_number: params.number("FROMNUMBER"),
        to_number: params.number("TONUMBER"),
        skip: params.number("SKIP").unwrap_or(0),
        count: params.number("COUNT"),
    }
}

pub(crate) fn list_catalog<'a>(nodes: &'a [Node], params: &mut Params<'a>) -> Option<Command> {
    params.command = "LISTCAT";
    params.take(nodes, &[LISTCAT, TYPES]);
    let mut entries = Vec::new();
    for (word, level) in [("ENTRIES", false), ("LEVEL", true)] {
        let inside = params.node(word).map_or(&[][..], Node::inside);
        for node in inside {
            entries.extend(pattern(node, level, params));
        }
        if params.has(word) && inside.is_empty() {
            params.missing(&format!("the name in {word}"));
        }
    }
    params.one_of(&["ENTRIES", "LEVEL"]);
    let types = TYPES
        .iter()
        .filter(|k| params.has(k.name))
        .map(|k| entry_type(k.name))
        .collect();
    Some(Command::ListCatalog(ListCatalog {
        entries,
        all: params.has("ALL") || params.has("ALLOCATION"),
        history: params.has("HISTORY"),
        created: days(params, "CREATION"),
        expires: days(params, "EXPIRATION"),
        types,
    }))
}

fn days(params: &mut Params<'_>, word: &str) -> Option<u32> {
    let days = params.number(word)?;
    Some(u32::try_from(days).unwrap_or(u32::MAX))
}

pub(crate) fn delete<'a>(nodes: &'a [Node], params: &mut Params<'a>) -> Option<Command> {
    params.command = "DELETE";
    let Some((first, rest)) = nodes.split_first() else {
        params.missing("the name of an entry");
        return None;
    };
    params.take(rest, &[DELETE, TYPES]);
    let list = if first.word.is_empty() {
        first.inside()
    } else {
        std::slice::from_ref(first)
    };
    let mask = params.one_of(&["MASK", "NOMASK"]) == Some("MASK");
    let entries: Vec<Pattern> = list
        .iter()
        .filter_map(|n| match mask {
            true => masked(n, params),
            false => pattern(n, false, params),
        })
        .collect();
    if entries.is_empty() {
        params.missing("the name of an entry");
    }
    let mut types = TYPES
        .iter()
        .filter(|k| params.has(k.name))
        .map(|k| entry_type(k.name));
    let kind = types.next();
    let purge = params.one_of(&["PURGE", "NOPURGE"]) == Some("PURGE");
    Some(Command::Delete(Delete {
        entries,
        kind,
        purge,
    }))
}

pub(crate) fn verify<'a>(nodes: &'a [Node], params: &mut Params<'a>) -> Option<Command> {
    params.command = "VERIFY";
    params.take(nodes, &[VERIFY]);
    let place = params.place("FILE", "DATASET");
    if place.is_none() {
        params.missing("FILE or DATASET");
    }
    Some(Command::Verify(Verify { place: place? }))
}

/// A name with `**`, `*` and `%` as MASK has them.
fn masked(node: &Node, params: &mut Params<'_>) -> Option<Pattern> {
    match Pattern::masked(&node.word.to_ascii_uppercase()) {
        Ok(pattern) if node.args.is_none() => Some(pattern),
        Ok(_) => pattern(node, false, params),
        Err(reason) => {
            params.bad(node, &format!("the name {reason}"));
            None
        }
    }
}

fn pattern(node: &Node, level: bool, params: &mut Params<'_>) -> Option<Pattern> {
    if node.args.is_some() {
        params.bad(
            node,
            "members of libraries and generations are not entries here",
        );
        return None;
    }
    let text = node
        .word
        .split('/')
        .next()
        .unwrap_or("")
        .to_ascii_uppercase();
    match Pattern::new(&text, level) {
        Ok(pattern) => Some(pattern),
        Err(reason) => {
            params.bad(node, &format!("the name {reason}"));
            None
        }
    }
}

fn entry_type(word: &str) -> EntryType {
    let name = find(word, &[TYPES]).map_or("", |k| k.name);
    match name {
        "CLUSTER" => EntryType::Cluster,
        "DATA" => EntryType::Data,
        "INDEX" => EntryType::Index,
        "ALTERNATEINDEX" => EntryType::Aix,
        "PATH" => EntryType::Path,
        "NONVSAM" => EntryType::NonVsam,
        "GENERATIONDATAGROUP" => EntryType::GenerationGroup,
        _ => EntryType::Other,
    }
}
