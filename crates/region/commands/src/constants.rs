//! Options that answer the same whatever the region does.
//!
//! What: answers what the command table says of them (`~constant=VALUE`) when a command has ended
//! normally. Why here: no command can answer such an option itself, so the table cannot say
//! *constant* of an option that is not, nor a command answer a constant nobody sees in the table.
//! Not here: what all resources of a kind say alike (`inquire::answer`).

use crate::command::Cx;
use transom_commands::{Command, Constant, OptionId};

/// Answers all constants of a command that were asked for.
pub(crate) fn answer(cx: &mut Cx<'_>, command: &Command) {
    for (option, constant) in command.constants {
        tell(cx, *option, *constant);
    }
}

/// Answers one option. `false`: it is not constant.
pub(crate) fn answer_one(cx: &mut Cx<'_>, option: OptionId) -> bool {
    let command = transom_commands::command(cx.call.command());
    let constants = command.map_or(&[][..], |command| command.constants);
    let Some((_, constant)) = constants.iter().find(|(id, _)| *id == option) else {
        return false;
    };
    tell(cx, option, *constant);
    true
}

fn tell(cx: &mut Cx<'_>, option: OptionId, constant: Constant) {
    match constant {
        Constant::Text(text) => cx.set_text(option, text),
        Constant::Number(number) => cx.set_number(option, number),
        Constant::Value(name) => cx.set_cvda(option, name),
        Constant::Low => cx.set_bytes(option, &[], 0),
        Constant::Null => cx.call.set_pointer(option, 0),
    }
}
