//! The generated page `docs/reference/commands.md`.

use crate::{Command, Status};
use std::fmt::Write as _;

/// Every command and option with what Transom does with it, as Markdown: options by name.
pub fn reference_page() -> String {
    let mut page = String::from(HEAD);
    let mut group = "";
    for command in crate::all().iter().filter(|c| !c.words.is_empty()) {
        if command.group != group {
            group = command.group;
            let _ = write!(page, "\n## {group}\n");
        }
        section(&mut page, command);
    }
    page
}

fn section(page: &mut String, command: &Command) {
    let _ = write!(
        page,
        "\n### {}\n\n{}.",
        command.name,
        describe(command.status)
    );
    if let Some([a, b]) = command.fn_code {
        let _ = write!(page, " EIBFN X'{a:02X}{b:02X}'.");
    }
    if command.open_options {
        page.push_str(" Options that are not listed are accepted and ignored.");
    }
    page.push('\n');
    for (status, title) in SECTIONS {
        let of_status = command.options.iter().filter(|o| o.status == *status);
        let mut list: Vec<&str> = of_status.map(|option| option.keyword).collect();
        if !list.is_empty() {
            list.sort_unstable();
            let _ = write!(page, "\n- {title}: `{}`", list.join("` `"));
        }
    }
    if !command.conditions.is_empty() {
        let mut conditions = command.conditions.to_vec();
        conditions.sort_unstable();
        let _ = write!(page, "\n- Conditions: {}", conditions.join(" "));
    }
    page.push('\n');
}

const HEAD: &str = "# EXEC CICS commands\n\n\
    Generated from the command table; do not edit.\n\n\
    Every command here translates and compiles. *Works*: it does what the CICS command reference\n\
    says. *Constant*: an option answers the same value whatever the region does (blanks, 0, or what\n\
    CICS answers where there is nothing of the kind). *Accepted and ignored*: it has no effect.\n\
    *INVREQ*: it raises INVREQ at run time and a message names it. RESP, RESP2 and NOHANDLE belong to\n\
    every command.\n";

const SECTIONS: &[(Status, &str)] = &[
    (Status::Works, "Works"),
    (Status::Constant, "Constant"),
    (Status::Ignored, "Accepted and ignored"),
    (Status::Invreq, "INVREQ"),
];

fn describe(status: Status) -> &'static str {
    match status {
        Status::Works => "Works",
        Status::Constant => "Constant",
        Status::Ignored => "Accepted and ignored",
        Status::Invreq => "INVREQ",
    }
}
