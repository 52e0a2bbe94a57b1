//! `transom reference`: writes the generated pages of docs/reference.
//!
//! What: a page per room that has one, and that of the command line it is given. Not here: what the
//! pages say.

use std::path::Path;

pub(crate) fn run(dir: &Path, command_line: clap::Command) -> Result<(), String> {
    let pages = [
        ("abends.md", transom_messages::abends_page()),
        ("cobol.md", transom_translator::cobol_page()),
        ("commands.md", transom_commands::reference_page()),
        ("differences.md", transom_differences::reference_page()),
        ("messages.md", transom_messages::reference_page()),
        ("resources.md", transom_resources::reference_page()),
        ("sql.md", transom_sql::sql_page()),
        ("configuration.md", transom_settings::reference_page()),
        ("cli.md", page_of(command_line)),
    ];
    for (name, text) in pages {
        let path = dir.join(name);
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

fn page_of(mut command: clap::Command) -> String {
    let mut page = String::from("# Command line\n");
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
