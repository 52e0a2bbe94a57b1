//! The generated page `docs/reference/differences.md`.

use crate::{Area, areas};
use std::fmt::Write as _;
use transom_commands::{Command, Status};
use transom_resources::{Attribute, Effect, Installs, ResourceKind};

/// Every difference that a table knows, as Markdown.
pub fn reference_page() -> String {
    let mut page = String::from(HEAD);
    let mut product = "";
    for area in areas() {
        if area.product != product {
            product = area.product;
            let _ = write!(page, "\n## {product}\n");
            if product == "CICS TS" {
                commands(&mut page);
                parameters(&mut page);
                resources(&mut page);
            }
        }
        rows(&mut page, area);
    }
    page
}

const HEAD: &str = "# Differences\n\n\
    Generated from the tables Transom works by; do not edit. What is not on this page is meant to be\n\
    as on z/OS: report it if it is not. A difference that a message tells when it happens names the\n\
    message ([all of them](messages.md)).\n";

fn rows(page: &mut String, area: &Area) {
    if area.rows.is_empty() {
        return;
    }
    let _ = write!(page, "\n### {}\n\n", area.title);
    page.push_str("| what | on z/OS | here | told by |\n| --- | --- | --- | --- |\n");
    for row in area.rows {
        let see = row
            .see
            .iter()
            .map(|target| match target.strip_prefix("docs/") {
                Some(below) => format!(" [(more)](../{below})"),
                None => format!(" [(more)](../../{target})"),
            });
        let _ = writeln!(
            page,
            "| {} | {} | {}{} | {} |",
            row.subject,
            row.there,
            row.here,
            see.collect::<String>(),
            row.told.join(" ")
        );
    }
}

/// What the command table says: everything that is not `works`.
fn commands(page: &mut String) {
    let all = || {
        transom_commands::all()
            .iter()
            .filter(|c| !c.words.is_empty())
    };
    let count = |status: Status| {
        let commands = all().filter(|c| c.status == status).count();
        let options = all().flat_map(|c| c.options).filter(|o| o.status == status);
        format!("| {commands} | {} |\n", options.count())
    };
    page.push_str("\n### Commands and options\n\n| | commands | options |\n| --- | --- | --- |\n");
    for (status, title) in STATUSES {
        let _ = write!(page, "| {title} {}", count(*status));
    }
    page.push_str(
        "\nThe [list of commands](commands.md) has each of them. A message names a command or \
         option\nthat raises INVREQ when a program uses it.\n",
    );
    page.push_str("\n**Commands that raise INVREQ** (RESP2 990):\n");
    let mut group = "";
    for command in all().filter(|c| c.status == Status::Invreq) {
        let name = if command.group == group {
            format!(", `{}`", command.name)
        } else {
            group = command.group;
            format!("\n- {group}: `{}`", command.name)
        };
        page.push_str(&name);
    }
    page.push('\n');
    let working = || all().filter(|c| c.status != Status::Invreq);
    let open: Vec<_> = working().filter(|c| c.open_options).collect();
    for (status, title) in OPTIONS {
        let _ = write!(page, "\n**{title}**\n\n");
        for command in working() {
            options(page, command, *status);
        }
    }
    let _ = write!(
        page,
        "\nOptions that are in no list of CICS are accepted and ignored by {} system programming\n\
         commands.\n",
        open.len()
    );
}

const STATUSES: &[(Status, &str)] = &[
    (Status::Works, "work"),
    (Status::Constant, "answer a constant"),
    (Status::Ignored, "are accepted and ignored"),
    (Status::Invreq, "raise INVREQ"),
];

const OPTIONS: &[(Status, &str)] = &[
    (
        Status::Constant,
        "Options that answer the same whatever the region does:",
    ),
    (
        Status::Ignored,
        "Commands and options that are accepted and have no effect:",
    ),
    (
        Status::Invreq,
        "Options of other commands that raise INVREQ (RESP2 991):",
    ),
];

fn options(page: &mut String, command: &Command, status: Status) {
    let of_status = command.options.iter().filter(|o| o.status == status);
    let mut list: Vec<&str> = of_status.map(|option| option.keyword).collect();
    list.sort_unstable();
    match (command.status == status, list.is_empty()) {
        (true, true) => {
            let _ = writeln!(page, "- {}", command.name);
        }
        (_, false) => {
            let _ = writeln!(page, "- {}: `{}`", command.name, list.join("` `"));
        }
        _ => {}
    }
}

fn parameters(page: &mut String) {
    let _ = write!(
        page,
        "\n### System initialization parameters\n\nAccepted in `transom.toml` without effect; one \
         message at start names those that are there.\nThe others stand in \
         [configuration](configuration.md).\n\n{}.\n",
        transom_settings::accepted_parameters().join(", ")
    );
}

fn resources(page: &mut String) {
    page.push_str(
        "\n### Resource definitions\n\nAttributes that a deck may have and that change nothing. \
         *Shown*: INQUIRE, CEMT or CEDA show the value.\nThe others act \
         ([resource definitions](resources.md)).\n\n\
         | kind | shown | no effect |\n| --- | --- | --- |\n",
    );
    let (mut refused, mut accepted) = (Vec::new(), Vec::new());
    for kind in ResourceKind::all() {
        match kind.installs() {
            Installs::Refused => refused.push(format!("`{}`", kind.keyword())),
            Installs::Accepted => accepted.push(format!("`{}`", kind.keyword())),
            Installs::Now | Installs::AtStart => {
                let shown = keywords(kind.attributes(), Effect::Shown);
                let kept = keywords(kind.attributes(), Effect::Kept);
                let _ = writeln!(page, "| `{}` | {shown} | {kept} |", kind.keyword());
            }
        }
    }
    let common = transom_resources::common_attributes();
    let _ = writeln!(
        page,
        "| all kinds | {} | {} |",
        keywords(common, Effect::Shown),
        keywords(common, Effect::Kept)
    );
    let _ = write!(
        page,
        "\nKinds that are read and change nothing: {}.\n\nKinds that this region does not have: {}.\n",
        accepted.join(" "),
        refused.join(" ")
    );
}

fn keywords(attributes: &[Attribute], effect: Effect) -> String {
    let list = attributes.iter().filter(|a| a.effect == effect);
    let list: Vec<String> = list.map(|a| format!("`{}`", a.keyword)).collect();
    list.join(" ")
}
