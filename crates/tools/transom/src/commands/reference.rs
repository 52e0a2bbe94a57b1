//! `transom reference`: writes the generated pages of docs/reference.

use crate::system::{adapters, config, parts, sit};
use clap::CommandFactory;
use std::path::Path;

pub(crate) fn run(dir: &Path) -> Result<(), String> {
    let pages = [
        ("commands.md", transom_commands::reference_page()),
        ("messages.md", transom_messages::reference_page()),
        ("resources.md", transom_resources::reference_page()),
        ("configuration.md", configuration()),
        ("cli.md", command_line()),
    ];
    for (name, text) in pages {
        let path = dir.join(name);
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

fn configuration() -> String {
    let mut page = String::from(
        "# Configuration\n\n`transom.toml` of a system directory. An unknown key is an error that names the nearest known one.\n\n## [region]\n\nSystem initialization parameters under their CICS names.\n\n",
    );
    page += &sit::reference();
    page += "\n## [gateway]\n\nEverything else about APIs stands in `server.xml`.\n\n| key | default | meaning |\n| --- | --- | --- |\n";
    for (key, default, text) in config::GATEWAY_KEYS {
        page += &format!("| `{key}` | {default} | {text} |\n");
    }
    page += "\n## [local_adapters]\n\nWith this table `transom run` lets gateways in other processes of the machine reach the region (BBOC START_SRVR). `transom gateway` takes the group and the numbers of connections from it.\n\n| key | default | meaning |\n| --- | --- | --- |\n";
    for (key, default, text) in adapters::KEYS {
        page += &format!("| `{key}` | {default} | {text} |\n");
    }
    for (table, about, keys) in [
        ("terminals", "TN3270 listeners.", parts::TERMINAL_KEYS),
        (
            "data",
            "The record store of files, queues and units of work.",
            parts::DATA_KEYS,
        ),
        (
            "data.stores.NAME",
            "A database that keeps some data sets beside the record store; units of work span both. Not with `[data] postgresql`.",
            parts::STORE_KEYS,
        ),
        ("users", "Who may sign on.", parts::USER_KEYS),
    ] {
        page += &format!(
            "\n## [{table}]\n\n{about}\n\n| key | default | meaning |\n| --- | --- | --- |\n"
        );
        for (key, default, text) in keys {
            page += &format!("| `{key}` | {default} | {text} |\n");
        }
    }
    page += "\n## [authority]\n\nRules: class and name on the left, users or groups with their access on the right, as `\"FILE PAY*\" = \"CLERKS READ, BOSSES UPDATE\"`. See [who may do what](../guides/security.md).\n";
    page
}

fn command_line() -> String {
    let mut page = String::from("# Command line\n");
    let mut command = crate::Cli::command();
    command.build();
    describe(&mut command, "transom", &mut page);
    page
}

fn describe(command: &mut clap::Command, name: &str, page: &mut String) {
    let help = command
        .clone()
        .color(clap::ColorChoice::Never)
        .term_width(100)
        .render_long_help();
    let help: Vec<String> = help
        .to_string()
        .lines()
        .map(|l| l.trim_end().to_owned())
        .collect();
    *page += &format!(
        "\n## {name}\n\n```text\n{}\n```\n",
        help.join("\n").trim_end()
    );
    for sub in command
        .get_subcommands_mut()
        .filter(|s| !s.is_hide_set() && s.get_name() != "help")
    {
        let full = format!("{name} {}", sub.get_name());
        describe(sub, &full, page);
    }
}
