//! CEDA, CEDB and CEDC: resource definitions from a terminal.
//!
//! DEFINE, ALTER, DELETE, COPY, RENAME, ADD and REMOVE become a statement of the region's own deck;
//! DISPLAY, VIEW, CHECK and INSTALL read all decks. CEDB cannot install, CEDC only look. State between
//! inputs: the line and what it answered.

use super::definition_request::{Request, Wanted};
use super::interpret::{Value, words};
use super::panel::{Key, Panel};
use super::session::Session;
use crate::codec::{Reader, Writer};
use crate::command::ask_region;
use crate::requests::Domain;
use transom_csd::ResourceKind;
use transom_types::Resp;
use transom_workers::seam::Outcome;

const ROWS: usize = 18;
const LINE_CHARS: usize = 78;
/// Lines kept between inputs.
const LINES_MAX: usize = 250;
/// Columns of a statement in a deck.
const DECK_CHARS: usize = 70;

/// What a transaction may do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Power {
    View,
    Change,
    Install,
}

#[derive(Default)]
struct Shown {
    line: String,
    top: usize,
    lines: Vec<String>,
}

/// CEDA.
pub(super) fn all(session: &mut Session<'_>) -> Outcome {
    run(session, Power::Install)
}

/// CEDB.
pub(super) fn without_install(session: &mut Session<'_>) -> Outcome {
    run(session, Power::Change)
}

/// CEDC.
pub(super) fn view_only(session: &mut Session<'_>) -> Outcome {
    run(session, Power::View)
}

fn run(session: &mut Session<'_>, power: Power) -> Outcome {
    let reply = session.receive();
    let Some(mut shown) = session.state.take().as_deref().and_then(Shown::decode) else {
        let name = session.transid();
        let typed = reply.text.trim_start();
        let typed = typed
            .get(name.as_str().len()..)
            .unwrap_or("")
            .trim()
            .to_owned();
        return execute(session, power, typed);
    };
    match reply.key {
        Key::Pf(3 | 15) | Key::Clear => session.end("TXMAM0020I The session has ended."),
        Key::Pf(7 | 19) => {
            shown.top = shown.top.saturating_sub(ROWS);
            show(session, &shown)
        }
        Key::Pf(8 | 20) => {
            if shown.top + ROWS < shown.lines.len() {
                shown.top += ROWS;
            }
            show(session, &shown)
        }
        _ => {
            let typed = layout(&shown).read(&reply, "LINE").unwrap_or_default();
            execute(session, power, typed.trim().to_owned())
        }
    }
}

fn execute(session: &mut Session<'_>, power: Power, line: String) -> Outcome {
    let lines = match request(&line, power) {
        Err(problem) => vec![problem],
        Ok(request) => {
            let answer = ask_region(session.host, Domain::Definition, &request.encode());
            let text = match answer.resp {
                Resp::NORMAL => String::from_utf8_lossy(&answer.data).into_owned(),
                _ => answer.text,
            };
            text.lines().take(LINES_MAX).map(str::to_owned).collect()
        }
    };
    let shown = Shown {
        line,
        top: 0,
        lines,
    };
    show(session, &shown)
}

/// Understands a line.
fn request(line: &str, power: Power) -> Result<Request, String> {
    const VERBS: [(&str, Power); 13] = [
        ("DEFINE", Power::Change),
        ("ALTER", Power::Change),
        ("DELETE", Power::Change),
        ("COPY", Power::Change),
        ("RENAME", Power::Change),
        ("ADD", Power::Change),
        ("REMOVE", Power::Change),
        ("APPEND", Power::Change),
        ("VIEW", Power::View),
        ("DISPLAY", Power::View),
        ("EXPAND", Power::View),
        ("CHECK", Power::View),
        ("INSTALL", Power::Install),
    ];
    if line.is_empty() {
        return Err(
            "TXMAM0021I Type DEFINE, ALTER, VIEW, DISPLAY, INSTALL, CHECK, COPY, DELETE ...".into(),
        );
    }
    let mut parts = words(line)?;
    let typed = parts
        .first()
        .map(|word| word.text.clone())
        .unwrap_or_default();
    let found = VERBS.iter().find(|(verb, _)| verb.starts_with(&typed));
    let Some((verb, needs)) = found else {
        return Err(format!("TXMAM0022E {typed} is not known here"));
    };
    if power < *needs {
        return Err(format!("TXMAM0023E this transaction may not {verb}"));
    }
    parts.remove(0);
    let mut wanted = Wanted::default();
    for part in &mut parts {
        let value = literal(part.value.as_ref()).to_ascii_uppercase();
        if "GROUP".starts_with(&part.text) && !part.text.is_empty() {
            part.text = "GROUP".into();
            wanted.group = value;
        } else if wanted.kind.is_empty()
            && let Some(kind) = kind(&part.text)
        {
            part.text = kind.keyword().to_owned();
            (wanted.kind, wanted.name) = (part.text.clone(), value);
        }
    }
    Ok(match *verb {
        "VIEW" | "EXPAND" if !wanted.kind.is_empty() => Request::View(wanted),
        "VIEW" | "DISPLAY" | "EXPAND" => Request::Show(wanted),
        "CHECK" => Request::Check(wanted),
        "INSTALL" if wanted.group.is_empty() => {
            return Err("TXMAM0024E INSTALL needs GROUP(name)".into());
        }
        "INSTALL" => Request::Install(wanted),
        verb => {
            let text = parts.iter().map(|word| match &word.value {
                Some(value) => format!("{}({})", word.text, literal(Some(value))),
                None => word.text.clone(),
            });
            Request::Change(statement(verb, text))
        }
    })
}

/// A kind of resource, its name possibly cut short.
fn kind(word: &str) -> Option<ResourceKind> {
    let short = || ResourceKind::all().find(|kind| kind.keyword().starts_with(word));
    ResourceKind::by_keyword(word).or_else(|| if word.len() < 2 { None } else { short() })
}

fn literal(value: Option<&Value>) -> String {
    match value {
        Some(Value::Literal(bytes)) => bytes.iter().map(|b| char::from(*b)).collect(),
        Some(Value::Variable(name)) => format!("&{name}"),
        None => String::new(),
    }
}

/// A statement in the columns of a deck.
fn statement(verb: &str, parts: impl Iterator<Item = String>) -> String {
    let mut rows = vec![format!(" {verb}")];
    for part in parts {
        let used = rows.last().map_or(0, String::len);
        if used + 1 + part.len() > DECK_CHARS {
            rows.push(String::from("      "));
        }
        if let Some(row) = rows.last_mut() {
            row.push(' ');
            row.push_str(&part);
        }
    }
    rows.join("\n") + "\n"
}

fn layout(shown: &Shown) -> Panel {
    let mut panel = Panel::new();
    panel.input("LINE", (1, 2), LINE_CHARS, &shown.line);
    panel
}

fn show(session: &mut Session<'_>, shown: &Shown) -> Outcome {
    let mut panel = layout(shown);
    let facts = session.facts();
    panel.text(
        2,
        50,
        format!("SYSID={} APPLID={}", facts.sysid, facts.applid),
    );
    for (at, line) in shown.lines.iter().skip(shown.top).take(ROWS).enumerate() {
        panel.text(4 + at, 2, line);
    }
    panel.text(24, 2, "F3=End F7=Up F8=Down ENTER=Do");
    session.show(&panel);
    session.again(&shown.encode())
}

impl Shown {
    fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(1_024);
        out.bytes(self.line.as_bytes())
            .u32(self.top as u32)
            .u32(self.lines.len() as u32);
        for line in &self.lines {
            let end = line
                .char_indices()
                .nth(LINE_CHARS)
                .map_or(line.len(), |(at, _)| at);
            out.bytes(line.get(..end).unwrap_or_default().as_bytes());
        }
        out.0
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        let (line, top) = (from.text()?, from.u32()? as usize);
        let lines = (0..from.u32()?)
            .map(|_| from.text())
            .collect::<Option<_>>()?;
        Some(Self { line, top, lines })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_requests() {
        let of = |line: &str| request(line, Power::Install);
        let statement = " DEFINE PROGRAM(PAY) GROUP(G1) LANGUAGE(COBOL)\n";
        assert_eq!(
            of("def prog(PAY) g(G1) LANGUAGE(COBOL)"),
            Ok(Request::Change(statement.into()))
        );
        let wanted = Wanted {
            kind: String::new(),
            name: String::new(),
            group: "G1".into(),
        };
        assert_eq!(
            of("INSTALL GROUP(G1)"),
            Ok(Request::Install(wanted.clone()))
        );
        assert_eq!(of("DISPLAY GROUP(g1)"), Ok(Request::Show(wanted)));
        assert!(of("INSTALL PROG(A)").unwrap_err().starts_with("TXMAM0024E"));
        let may_not = request("DEF PROG(A) G(B)", Power::View).unwrap_err();
        assert!(may_not.starts_with("TXMAM0023E"), "{may_not}");
    }
}
