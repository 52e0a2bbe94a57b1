//! All about one resource: every option its INQUIRE answers.

use super::list::{condition, hex, key_bytes};
use crate::call::{Form, InternalCall};
use crate::session::Session;
use transom_commands::ArgKind;
use transom_messages::Message;
use transom_resources::{List, View};

/// Everything INQUIRE tells about one resource: keyword and value.
pub(super) fn detail(
    session: &mut Session<'_>,
    resource: &View,
    key: &str,
) -> Result<Vec<(String, String)>, Message> {
    let mut call = InternalCall::new(resource.inquire);
    let Some(row) = call.row() else {
        return Ok(Vec::new());
    };
    for option in row.options {
        let data = matches!(option.argument, ArgKind::CvdaOut | ArgKind::DataArea { .. });
        let known = option.status != transom_commands::Status::Invreq;
        if data && known && option.id != resource.key && Form::of(option.argument).1 > 0 {
            call = call.out(option.id);
        }
    }
    let call = match resource.list {
        List::One => call.out_bytes(resource.key, resource.key_chars),
        List::Tasks => call.number(resource.key, key.parse().unwrap_or(0)),
        List::Browse => call.text(resource.key, format!("{key:w$}", w = resource.key_chars)),
        List::Hex => call.text(resource.key, key_bytes(resource, key)),
    };
    let call = session.ran(call);
    if !call.is_normal() {
        return Err(condition(&call));
    }
    let mut told = Vec::new();
    for argument in call.arguments() {
        let option = argument.option;
        let spec = row.option_by_id(option);
        let cvda = spec.is_some_and(|spec| matches!(spec.argument, ArgKind::CvdaOut));
        let value = match (cvda, argument.form, argument.as_number()) {
            (true, ..) => call.got_cvda(option).to_owned(),
            (_, Form::Binary | Form::Packed, Some(number)) => number.to_string(),
            (_, Form::Text, _) => {
                let printable = argument.storage.iter().all(|b| *b >= b' ' || *b == 0);
                match printable {
                    true => call.got_text(option),
                    false => hex(&call, option),
                }
            }
            _ => continue,
        };
        told.push((transom_commands::option_name(option).to_owned(), value));
    }
    Ok(told)
}
