//! The page of the command line in the reference: each command's `--help`.

use clap::{ColorChoice, Command};

/// Columns of the help texts on the page.
const COLUMNS: usize = 100;

/// `--help` of the command and of all that are below it, as a page in Markdown.
pub fn reference_page(mut command: Command) -> String {
    let mut page = String::from("# Command line\n");
    let name = command.get_name().to_owned();
    command.build();
    describe(&mut command, &name, &mut page);
    page
}

fn describe(command: &mut Command, name: &str, page: &mut String) {
    let help = command
        .clone()
        .color(ColorChoice::Never)
        .term_width(COLUMNS)
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
