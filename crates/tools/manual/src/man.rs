//! Manual pages: one for each command, named as `man` users look for them.

use clap::Command;
use clap_mangen::Man;

/// A page of section 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManPage {
    /// Such as `transom-run.1`.
    pub file: String,
    /// The page in roff.
    pub text: Vec<u8>,
}

/// The page of the command and those of all commands below it that `--help` shows.
pub fn man_pages(mut command: Command) -> Vec<ManPage> {
    command.build();
    let name = command.get_name().to_owned();
    let version = command.get_version().unwrap_or_default().to_owned();
    let mut pages = Vec::new();
    collect(&command, &name, &version, &mut pages);
    pages
}

fn collect(command: &Command, name: &str, version: &str, pages: &mut Vec<ManPage>) {
    let mut text = Vec::new();
    // A Vec takes all that is written.
    let _written = Man::new(command.clone())
        .title(name.to_uppercase())
        .source(format!("Transom {version}"))
        .manual("Transom")
        .render(&mut text);
    pages.push(ManPage {
        file: format!("{name}.1"),
        text,
    });
    for below in command.get_subcommands() {
        if !below.is_hide_set() && below.get_name() != "help" {
            let full = format!("{name}-{}", below.get_name());
            collect(below, &full, version, pages);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Arg;

    fn sample() -> Command {
        Command::new("tool")
            .version("1.2 (abc)")
            .about("Does it")
            .subcommand(
                Command::new("run")
                    .about("Serve a folder")
                    .arg(Arg::new("dir").help("The folder")),
            )
            .subcommand(Command::new("inner").hide(true))
    }

    #[test]
    fn each_command_that_is_shown_has_a_page() {
        let files: Vec<String> = man_pages(sample()).into_iter().map(|p| p.file).collect();
        assert_eq!(files, ["tool.1", "tool-run.1"]);
    }

    #[test]
    fn a_page_says_what_help_says() {
        let page = man_pages(sample()).pop().unwrap();
        let text = String::from_utf8(page.text).unwrap();
        for said in ["TOOL-RUN", "Serve a folder", "The folder", "tool run"] {
            assert!(text.contains(said), "{said} in\n{text}");
        }
    }
}
