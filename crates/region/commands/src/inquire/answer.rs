//! Values of an INQUIRE put into the program's options.

use crate::command::Cx;
use transom_commands::OptionId;
use transom_resources::{Constant, ResourceKind};
use transom_wire::definitions::Told;

/// Answers options in the way of a resource that has nothing to say about them.
pub(super) fn no_value(
    cx: &mut Cx<'_>,
    texts: &[OptionId],
    numbers: &[OptionId],
    cvdas: &[OptionId],
) {
    texts.iter().for_each(|option| cx.set_text(*option, ""));
    numbers.iter().for_each(|option| cx.set_number(*option, 0));
    cvdas
        .iter()
        .for_each(|option| cx.set_cvda(*option, "NOTAPPLIC"));
}

/// Answers what all resources of a kind say alike. What one says itself comes after it.
pub(super) fn constants(cx: &mut Cx<'_>, kind: ResourceKind) {
    for (option, constant) in kind.constants() {
        match constant {
            Constant::Value(name) => cx.set_cvda(option, name),
            Constant::Number(number) => cx.set_number(option, i64::from(number)),
            Constant::Text => cx.set_text(option, ""),
        }
    }
}

/// Answers the value of a field.
pub(super) fn tell(cx: &mut Cx<'_>, option: OptionId, told: Told<'_>) {
    match told {
        Told::Value(name) => cx.set_cvda(option, name),
        Told::Number(number) => cx.set_number(option, number),
        Told::Text(text) => cx.set_text(option, text),
        Told::Bytes(bytes) => cx.set_bytes(option, bytes, b' '),
    }
}

/// CVDA name of a yes-or-no attribute.
pub(super) fn either(yes: bool, when: &'static str, otherwise: &'static str) -> &'static str {
    if yes { when } else { otherwise }
}
