//! One message page and its parts.

use std::fmt;

/// A message page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    stem: &'static str,
    /// What the message says, inserts in braces: `program {program} was not found`.
    pub text: &'static str,
    /// What it means.
    pub explanation: &'static str,
    /// What Transom does.
    pub system_action: &'static str,
    /// What the reader can do.
    pub user_response: &'static str,
}

impl Page {
    /// The whole id: `TXMPG0012E`.
    pub fn id(&self) -> String {
        format!("TXM{}", self.stem)
    }

    /// The two letters of the domain: `PG`.
    pub fn domain(&self) -> &'static str {
        self.stem.get(..2).unwrap_or("")
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        match self.stem.as_bytes().last() {
            Some(b'I') => Severity::Information,
            Some(b'W') => Severity::Warning,
            Some(b'S') => Severity::Severe,
            _ => Severity::Error,
        }
    }
}

/// How bad a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// I
    Information,
    /// W
    Warning,
    /// E
    Error,
    /// S
    Severe,
}

/// Why a page is not one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageError {
    /// The file name is not two letters of a known domain, four digits and I, W, E or S.
    BadName,
    /// The first line is not `# TXM<file name> <text>`.
    BadTitle,
    /// A section is missing, empty, twice or in the wrong place.
    Section(&'static str),
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PageError::BadName => f.write_str("the file name is not like PG0012E.md"),
            PageError::BadTitle => f.write_str("the first line is not `# TXM<id> <text>`"),
            PageError::Section(name) => write!(f, "section `## {name}` is missing or empty"),
        }
    }
}

impl std::error::Error for PageError {}

const DOMAINS: &[(&str, &str)] = &[
    ("AC", "transactions at terminals"),
    ("AD", "API definitions and archives"),
    ("AM", "resource definition at terminals"),
    ("AP", "applications and abends"),
    ("AS", "asynchronous services"),
    ("BM", "maps"),
    ("BR", "queue browser"),
    ("CB", "copybooks and conversion"),
    ("CE", "sign-on"),
    ("CH", "channels and containers"),
    ("CI", "command interpreter"),
    ("CM", "messages at terminals"),
    ("CS", "resource definitions"),
    ("CW", "write to operator"),
    ("DR", "workload driver"),
    ("DS", "dispatcher"),
    ("EI", "EXEC interface"),
    ("FC", "file control"),
    ("GW", "API gateway"),
    ("IC", "interval control"),
    ("ID", "IDCAMS statements and data sets"),
    ("IS", "intersystem links and local adapters"),
    ("JC", "journals"),
    ("MT", "master terminal"),
    ("NC", "named counters"),
    ("NQ", "enqueue"),
    ("PG", "program control"),
    ("RM", "units of work and recovery"),
    ("SI", "system initialization and configuration"),
    ("SM", "storage"),
    ("ST", "statistics"),
    ("TC", "TCP/IP and TLS"),
    ("TD", "transient data"),
    ("TP", "terminal paging"),
    ("TR", "translator"),
    ("TS", "temporary storage"),
    ("WK", "workers"),
    ("XM", "transactions"),
    ("XS", "users and security"),
    ("ZC", "terminal control"),
];

/// What a domain is about.
pub(crate) fn domain_name(domain: &str) -> Option<&'static str> {
    DOMAINS.iter().find(|row| row.0 == domain).map(|row| row.1)
}

const SECTIONS: [&str; 3] = ["Explanation", "System action", "User response"];

/// Reads a page. `stem` is the file name without `.md`, that is the id without `TXM`.
pub fn parse(stem: &'static str, markdown: &'static str) -> Result<Page, PageError> {
    if !is_id(stem) {
        return Err(PageError::BadName);
    }
    let (title, body) = markdown.split_once('\n').unwrap_or((markdown, ""));
    let text = title
        .strip_prefix("# TXM")
        .and_then(|rest| rest.strip_prefix(stem))
        .and_then(|rest| rest.strip_prefix(' '))
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .ok_or(PageError::BadTitle)?;
    let mut parts = [""; 3];
    let mut rest = body;
    for (at, name) in SECTIONS.iter().enumerate() {
        let error = || PageError::Section(name);
        let start = heading(rest, name).ok_or_else(error)?;
        if !rest[..start.0].trim().is_empty() && at == 0 {
            return Err(error());
        }
        let section = &rest[start.1..];
        let end = section.find("\n## ").map_or(section.len(), |i| i + 1);
        parts[at] = section[..end].trim();
        if parts[at].is_empty() {
            return Err(error());
        }
        rest = &section[end..];
    }
    let [explanation, system_action, user_response] = parts;
    Ok(Page {
        stem,
        text,
        explanation,
        system_action,
        user_response,
    })
}

fn is_id(stem: &str) -> bool {
    let bytes = stem.as_bytes();
    bytes.len() == 7
        && stem.is_ascii()
        && domain_name(&stem[..2]).is_some()
        && bytes[2..6].iter().all(u8::is_ascii_digit)
        && b"IWES".contains(&bytes[6])
}

/// Start of the heading line and end of it, when the next heading in `text` has this name.
fn heading(text: &str, name: &str) -> Option<(usize, usize)> {
    let start = if text.starts_with("## ") {
        0
    } else {
        text.find("\n## ")? + 1
    };
    let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
    (text[start + 3..line_end].trim() == name).then_some((start, line_end))
}
