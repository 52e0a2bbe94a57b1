//! `transom explain`: the page of a message or an abend code.
//!
//! Not here: texts (`transom_messages`).

/// The page, or a list of all messages.
///
/// # Errors
/// There is none of that name.
pub fn explain(id: Option<&str>) -> Result<String, String> {
    let Some(id) = id else {
        let lines: Vec<String> = transom_messages::all()
            .iter()
            .map(|page| format!("{} {}", page.id(), page.text))
            .collect();
        return Ok(lines.join("\n") + "\n");
    };
    if let Some(abend) = transom_messages::abend(id) {
        return Ok(format!(
            "{} {}\n\nExplanation: {}\n\nSystem action: {}\n\nUser response: {}\n",
            abend.code, abend.text, abend.explanation, abend.system_action, abend.user_response
        ));
    }
    let page = transom_messages::lookup(id).ok_or_else(|| unknown(id))?;
    Ok(format!(
        "{} {}\n\nExplanation: {}\n\nSystem action: {}\n\nUser response: {}\n",
        page.id(),
        page.text,
        page.explanation,
        page.system_action,
        page.user_response
    ))
}

fn unknown(id: &str) -> String {
    if id.len() == 4 {
        return format!(
            "this region ends no task with {id}; if it is no message either, a program has chosen it (ABEND ABCODE)"
        );
    }
    format!("there is no message {id}; `transom explain` lists all")
}
