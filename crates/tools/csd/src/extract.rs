//! EXTRACT: definitions as a deck that defines them again.
//!
//! That is what the user program DFH0CBDC of CICS writes; other user programs are not called.

use transom_csd::{Command, Csd, write_definition};
use transom_messages::{Message, cs};

/// The user program of CICS that writes DEFINE commands.
const AS_COMMANDS: &str = "DFH0CBDC";

/// The deck, and how many definitions it has.
pub(crate) fn extract(command: &Command, csd: &Csd) -> Result<(String, usize), Message> {
    let program = command.value("USERPROGRAM");
    if let Some(program) = program.filter(|program| program != AS_COMMANDS) {
        let why = format!("USERPROGRAM({program}) is not called; DFH0CBDC writes DEFINE commands");
        return Err(cs::refused_command("EXTRACT", why));
    }
    let (group, list) = (command.value("GROUP"), command.value("LIST"));
    let mut groups: Vec<&str> = Vec::new();
    let mut adds = String::new();
    match (&group, &list) {
        (Some(pattern), None) => {
            groups.extend(csd.groups().filter(|name| Command::fits(pattern, name)));
            if groups.is_empty() {
                return Err(cs::group_not_found(pattern));
            }
        }
        (None, Some(name)) => {
            let Some(of) = csd.list(name) else {
                return Err(cs::list_not_found("EXTRACT", name));
            };
            groups.extend(of.iter().map(String::as_str));
            for group in of {
                adds.push_str(&format!(" ADD GROUP({group}) LIST({name})\n"));
            }
        }
        (Some(_), Some(_)) => return Err(cs::operands_exclude("GROUP", "LIST")),
        (None, None) => return Err(cs::operand_missing("EXTRACT", "GROUP")),
    }
    let mut text = String::new();
    let mut count = 0;
    for group in groups {
        text.push_str(&format!("* Group {group}\n"));
        for definition in csd.group(group).unwrap_or_default() {
            text.push_str(&write_definition(definition));
            count += 1;
        }
    }
    Ok((text + &adds, count))
}
