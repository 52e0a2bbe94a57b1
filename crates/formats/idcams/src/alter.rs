//! ALTER.

use crate::define::{kept, log, narrow};
use crate::name::Pattern;
use crate::params::Params;
use crate::script::{Alter, Command};
use crate::table::{ALTER, SPACE};
use crate::tree::Node;

/// What NULLIFY may take away, and its name in LISTCAT; what has none was never kept.
const NULLIFY: &[(&str, &str)] = &[
    ("RETENTION", "EXPIRATION"),
    ("RETN", "EXPIRATION"),
    ("OWNER", "OWNER-IDENT"),
    ("BWO", "BWO"),
    ("LOG", "LOG"),
    ("LOGSTREAMID", "LOGSTREAMID"),
    ("LSID", "LOGSTREAMID"),
    ("MANAGEMENTCLASS", "MANAGEMENTCLASS"),
    ("MGMTCLAS", "MANAGEMENTCLASS"),
    ("STORAGECLASS", "STORAGECLASS"),
    ("STORCLAS", "STORAGECLASS"),
    ("AUTHORIZATION", ""),
    ("AUTH", ""),
    ("CODE", ""),
    ("EXCEPTIONEXIT", ""),
    ("EEXT", ""),
];

/// `nodes` are the words after ALTER.
pub(crate) fn alter<'a>(nodes: &'a [Node], params: &mut Params<'a>) -> Option<Command> {
    params.command = "ALTER";
    let Some((entry, rest)) = nodes.split_first() else {
        params.missing("the name of an entry");
        return None;
    };
    params.take(rest, &[ALTER, SPACE]);
    let entry = pattern(entry, params);
    let new_name = new_name(entry.as_ref(), params);
    let mut flag = |yes, no| params.one_of(&[yes, no]).map(|word| word == yes);
    let upgrade = flag("UPGRADE", "NOUPGRADE");
    let unique = flag("UNIQUEKEY", "NONUNIQUEKEY");
    let update = flag("UPDATE", "NOUPDATE");
    let reuse = flag("REUSE", "NOREUSE");
    let inhibit = flag("INHIBIT", "UNINHIBIT");
    let both = |pair: (u64, u64)| (narrow(pair.0), narrow(pair.1));
    Some(Command::Alter(Alter {
        new_name,
        keys: params.pair("KEYS").map(both),
        record_size: params.pair("RECORDSIZE").map(both),
        upgrade,
        unique,
        update,
        reuse,
        inhibit,
        log: log(params),
        nullify: nullify(params),
        kept: kept(params),
        entry: entry?,
    }))
}

fn pattern(node: &Node, params: &mut Params<'_>) -> Option<Pattern> {
    let text = node.word.split('/').next().unwrap_or("");
    match Pattern::new(text, false) {
        Ok(_) if node.args.is_some() => {
            params.bad(node, "members of libraries are not entries here");
            None
        }
        Ok(pattern) => Some(pattern),
        Err(reason) => {
            params.bad(node, &format!("the name {reason}"));
            None
        }
    }
}

/// NEWNAME: as many `*` as the name of the entry has.
fn new_name(entry: Option<&Pattern>, params: &mut Params<'_>) -> Option<Pattern> {
    let node = params.node("NEWNAME")?;
    let [one] = node.inside() else {
        params.bad(node, "one data set name is expected");
        return None;
    };
    let new = pattern(one, params)?;
    if entry.is_some_and(|e| e.stars() != new.stars()) {
        params.bad(
            node,
            "the old and the new name do not have the same number of *",
        );
        return None;
    }
    Some(new)
}

/// The names in LISTCAT of what NULLIFY takes away.
fn nullify(params: &mut Params<'_>) -> Vec<&'static str> {
    let Some(node) = params.node("NULLIFY") else {
        return Vec::new();
    };
    let mut names = Vec::new();
    for inner in node.inside() {
        match NULLIFY.iter().find(|(word, _)| *word == inner.word) {
            Some((_, shown)) => names.push(*shown),
            None => params.bad(inner, "NULLIFY does not know it"),
        }
    }
    names
}
