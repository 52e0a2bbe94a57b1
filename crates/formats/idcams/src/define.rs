//! DEFINE.

use crate::params::Params;
use crate::script::{
    AixDef, ClusterDef, Command, Kept, Log, Organization, OtherKind, PathDef, Retention,
};
use crate::table::{AIX, CLUSTER, COMPONENT, OTHER, PATH, SPACE};
use crate::tree::Node;
use transom_messages as messages;

/// Longest record without SPANNED, in bytes.
const MAX_RECORD: u64 = 32_761;
/// Longest spanned record we keep, in bytes.
const MAX_SPANNED: u64 = 16 << 20;
/// KEYS when not given.
const DEFAULT_KEYS: (u64, u64) = (64, 0);
/// RECORDSIZE when not given.
const DEFAULT_RECORD: (u64, u64) = (4089, 4089);
/// RECORDSIZE of an alternate index when not given.
const DEFAULT_AIX_RECORD: (u64, u64) = (4086, 32_600);

/// `nodes` are the words after DEFINE. The answer is `None` when it cannot be used.
pub(crate) fn define<'a>(nodes: &'a [Node], params: &mut Params<'a>) -> Option<Command> {
    let Some((object, rest)) = nodes.split_first() else {
        params.missing("the type of object");
        return None;
    };
    let own = object.inside();
    match object.word.as_str() {
        "CLUSTER" | "CL" => cluster(own, rest, params),
        "ALTERNATEINDEX" | "AIX" => aix(own, rest, params),
        "PATH" => path(own, rest, params),
        "NONVSAM" | "NVSAM" => other(OtherKind::NonVsam, "DEFINE NONVSAM", own, rest, params),
        "GENERATIONDATAGROUP" | "GDG" => {
            let name = "DEFINE GENERATIONDATAGROUP";
            other(OtherKind::GenerationGroup, name, own, rest, params)
        }
        "ALIAS" => other(OtherKind::Alias, "DEFINE ALIAS", own, rest, params),
        "USERCATALOG" | "UCAT" | "MASTERCATALOG" | "MCAT" | "PAGESPACE" | "PGSPC" | "SPACE"
        | "SPC" => other(OtherKind::Catalog, "DEFINE USERCATALOG", own, rest, params),
        word => {
            params.problem(object.at(), messages::id::define_what(word));
            None
        }
    }
}

/// Parameters may stand at the cluster, at its DATA or at its INDEX; those of the cluster count
/// first.
struct Levels<'a> {
    data_name: Option<String>,
    index_name: Option<String>,
    data: Params<'a>,
}

fn levels<'a>(rest: &'a [Node], params: &mut Params<'a>) -> Levels<'a> {
    let mut levels = Levels {
        data_name: None,
        index_name: None,
        data: Params::new(params.command, params.at),
    };
    for node in rest {
        let mut index = Params::new(params.command, node.at());
        match node.word.as_str() {
            "DATA" => {
                levels.data.take(node.inside(), &[COMPONENT, SPACE]);
                levels.data_name = levels.data.dataset("NAME");
            }
            "INDEX" | "IX" => {
                index.take(node.inside(), &[COMPONENT, SPACE]);
                levels.index_name = index.dataset("NAME");
            }
            "CATALOG" | "CAT" => {}
            word => {
                let shown = if word.is_empty() { "( )" } else { word };
                params.problem(
                    node.at(),
                    messages::id::not_a_parameter(shown, params.command),
                );
            }
        }
        params.problems.append(&mut index.problems);
    }
    params.problems.append(&mut levels.data.problems);
    levels
}

impl<'a> Levels<'a> {
    fn pair(&mut self, params: &mut Params<'a>, name: &str) -> Option<(u64, u64, &'a Node)> {
        let own = params.has(name);
        let source = if own { params } else { &mut self.data };
        let (a, b) = source.pair(name)?;
        Some((a, b, source.node(name)?))
    }

    fn has(&self, params: &Params<'a>, name: &str) -> bool {
        params.has(name) || self.data.has(name)
    }

    /// Moves what was found out late to the command; answers what is kept of it.
    fn finish(&mut self, params: &mut Params<'a>) -> Kept {
        params.problems.append(&mut self.data.problems);
        let mut kept = kept(params);
        for (name, value) in std::mem::take(&mut self.data.listed) {
            if kept.listed.iter().all(|(n, _)| *n != name) {
                kept.listed.push((name, value));
            }
        }
        kept.data_name = self.data_name.take();
        kept.index_name = self.index_name.take();
        kept
    }
}

fn cluster<'a>(own: &'a [Node], rest: &'a [Node], params: &mut Params<'a>) -> Option<Command> {
    params.command = "DEFINE CLUSTER";
    params.take(own, &[CLUSTER, COMPONENT, SPACE]);
    let mut levels = levels(rest, params);
    let name = required_name(params);
    let organization = match params.one_of(&["INDEXED", "NONINDEXED", "NUMBERED"]) {
        Some("NONINDEXED") => Organization::NonIndexed,
        Some("NUMBERED") => Organization::Numbered,
        _ => Organization::Indexed,
    };
    let spanned = levels.has(params, "SPANNED");
    let (average_len, max_len) = record_size(&mut levels, params, DEFAULT_RECORD, spanned);
    let (mut key_len, mut key_offset) = (0, 0);
    if organization == Organization::Indexed {
        (key_len, key_offset) = keys(&mut levels, params, DEFAULT_KEYS);
        check_key_inside(&levels, params, key_len.saturating_add(key_offset), max_len);
    } else if let Some(node) = params.node("KEYS").or_else(|| levels.data.node("KEYS")) {
        params.bad(node, "only an INDEXED cluster has KEYS");
    }
    let log = log(params);
    let reuse = levels.has(params, "REUSE");
    let kept = levels.finish(params);
    Some(Command::DefineCluster(ClusterDef {
        name: name?,
        organization,
        key_len,
        key_offset,
        average_len,
        max_len,
        spanned,
        reuse,
        log,
        kept,
    }))
}

fn aix<'a>(own: &'a [Node], rest: &'a [Node], params: &mut Params<'a>) -> Option<Command> {
    params.command = "DEFINE ALTERNATEINDEX";
    params.take(own, &[AIX, COMPONENT, SPACE]);
    let mut levels = levels(rest, params);
    let name = required_name(params);
    let relate = params.dataset("RELATE");
    if !params.has("RELATE") {
        params.missing("RELATE");
    }
    let (key_len, key_offset) = keys(&mut levels, params, DEFAULT_KEYS);
    let (average_len, max_len) = record_size(&mut levels, params, DEFAULT_AIX_RECORD, true);
    let unique = params.one_of(&["UNIQUEKEY", "NONUNIQUEKEY"]) == Some("UNIQUEKEY");
    let upgrade = params.one_of(&["UPGRADE", "NOUPGRADE"]) != Some("NOUPGRADE");
    let reuse = levels.has(params, "REUSE");
    let kept = levels.finish(params);
    Some(Command::DefineAix(AixDef {
        name: name?,
        relate: relate?,
        key_len,
        key_offset,
        unique,
        upgrade,
        average_len,
        max_len,
        reuse,
        kept,
    }))
}

fn path<'a>(own: &'a [Node], rest: &'a [Node], params: &mut Params<'a>) -> Option<Command> {
    params.command = "DEFINE PATH";
    params.take(own, &[PATH, SPACE]);
    params.take(rest, &[SPACE]);
    let name = required_name(params);
    let entry = params.dataset("PATHENTRY");
    if !params.has("PATHENTRY") {
        params.missing("PATHENTRY");
    }
    let update = params.one_of(&["UPDATE", "NOUPDATE"]) != Some("NOUPDATE");
    Some(Command::DefinePath(PathDef {
        name: name?,
        entry: entry?,
        update,
        kept: kept(params),
    }))
}

fn other<'a>(
    kind: OtherKind,
    command: &'static str,
    own: &'a [Node],
    rest: &'a [Node],
    params: &mut Params<'a>,
) -> Option<Command> {
    params.command = command;
    if kind == OtherKind::Catalog {
        let name = own.iter().find(|n| n.word == "NAME").map(Node::inside);
        let name = name
            .and_then(|inside| inside.first())
            .map_or("", |n| n.word.as_str());
        let name = name.to_owned();
        return Some(Command::DefineOther { kind, name });
    }
    params.take(own, &[OTHER, SPACE]);
    params.take(rest, &[SPACE]);
    let name = required_name(params)?;
    Some(Command::DefineOther { kind, name })
}

fn required_name(params: &mut Params<'_>) -> Option<String> {
    if !params.has("NAME") {
        params.missing("NAME");
    }
    params.dataset("NAME")
}

fn keys<'a>(levels: &mut Levels<'a>, params: &mut Params<'a>, default: (u64, u64)) -> (u32, u32) {
    let Some((len, offset, node)) = levels.pair(params, "KEYS") else {
        return (narrow(default.0), narrow(default.1));
    };
    if !(1..=255).contains(&len) {
        params.bad(node, "a key has 1 to 255 bytes");
    }
    if offset >= MAX_SPANNED {
        params.bad(node, "the key begins behind the longest record");
    }
    (narrow(len), narrow(offset))
}

fn record_size<'a>(
    levels: &mut Levels<'a>,
    params: &mut Params<'a>,
    default: (u64, u64),
    spanned: bool,
) -> (u32, u32) {
    let Some((average, max, node)) = levels.pair(params, "RECORDSIZE") else {
        return (narrow(default.0), narrow(default.1));
    };
    let limit = if spanned { MAX_SPANNED } else { MAX_RECORD };
    if max == 0 || average == 0 || max > limit {
        params.bad(node, &format!("a record has 1 to {limit} bytes"));
    } else if average > max {
        params.bad(node, "the average length is greater than the maximum");
    }
    (narrow(average), narrow(max))
}

fn check_key_inside<'a>(levels: &Levels<'a>, params: &mut Params<'a>, end: u32, max: u32) {
    if end <= max {
        return;
    }
    let node = params.node("KEYS").or_else(|| levels.data.node("KEYS"));
    let text = format!("the key ends at byte {end}, the longest record has {max}");
    match node {
        Some(node) => params.bad(node, &text),
        None => params.missing(&format!("KEYS: {text}; it")),
    }
}

/// What DEFINE and ALTER keep for listings.
pub(crate) fn kept(params: &mut Params<'_>) -> Kept {
    Kept {
        retention: retention(params),
        listed: std::mem::take(&mut params.listed),
        ..Kept::default()
    }
}

/// TO(date) or FOR(days).
fn retention(params: &mut Params<'_>) -> Option<Retention> {
    let word = params.one_of(&["TO", "FOR"])?;
    let node = params.node(word)?;
    let value = params.number(word)?;
    let found = match word {
        "FOR" => u32::try_from(value)
            .ok()
            .filter(|d| *d <= 9999)
            .map(Retention::Days),
        _ => date(value),
    };
    if found.is_none() {
        params.bad(node, "TO has a date yyyyddd or yyddd, FOR 0 to 9999 days");
    }
    found
}

/// `2030365` or `30365`.
fn date(value: u64) -> Option<Retention> {
    let (year, day) = (value / 1000, value % 1000);
    // Two digits of a year: 51 to 99 are of the last century.
    let year = match year {
        0..=50 => year + 2000,
        51..=99 => year + 1900,
        other => other,
    };
    let fits = (1900..=2155).contains(&year) && (1..=366).contains(&day);
    fits.then(|| Retention::Until(format!("{year:04}.{day:03}")))
}

pub(crate) fn log(params: &mut Params<'_>) -> Option<Log> {
    let node = params.node("LOG")?;
    match node.inside().first().map(|n| n.word.as_str()) {
        Some("NONE") => Some(Log::None),
        Some("UNDO") => Some(Log::Undo),
        Some("ALL") => Some(Log::All),
        _ => {
            params.bad(node, "NONE, UNDO or ALL is expected");
            None
        }
    }
}

pub(crate) fn narrow(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
