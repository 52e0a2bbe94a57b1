//! `transom explain`: the page of a message.

use super::output::print;

pub(crate) fn run(id: Option<&str>) -> Result<(), String> {
    let Some(id) = id else {
        let lines: Vec<String> = transom_messages::all()
            .iter()
            .map(|page| format!("{} {}", page.id(), page.text))
            .collect();
        print(&(lines.join("\n") + "\n"));
        return Ok(());
    };
    let page = transom_messages::lookup(id)
        .ok_or_else(|| format!("there is no message {id}; `transom explain` lists all"))?;
    print(&format!(
        "{} {}\n\nExplanation: {}\n\nSystem action: {}\n\nUser response: {}\n",
        page.id(),
        page.text,
        page.explanation,
        page.system_action,
        page.user_response
    ));
    Ok(())
}
