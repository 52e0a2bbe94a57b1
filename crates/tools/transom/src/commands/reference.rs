//! `transom reference`: writes the generated pages of docs/reference.
//!
//! What: a page per room that has one, and that of the command line it is given. Not here: what the
//! pages say.

use std::path::Path;

pub(crate) fn run(dir: &Path, command_line: clap::Command) -> Result<(), String> {
    let pages = [
        ("abends.md", transom_messages::abends_page()),
        ("bms.md", transom_bms::macros_page()),
        ("cobol.md", transom_translator::cobol_page()),
        ("commands.md", transom_differences::commands_page()),
        ("differences.md", transom_differences::reference_page()),
        ("messages.md", transom_messages::reference_page()),
        ("resources.md", transom_resources::reference_page()),
        ("sql.md", transom_sql::sql_page()),
        ("configuration.md", transom_settings::reference_page()),
        ("cli.md", transom_manual::reference_page(command_line)),
    ];
    for (name, text) in pages {
        let path = dir.join(name);
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}
