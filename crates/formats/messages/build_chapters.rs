//! Reads the chapters and writes the Rust that knows them: the table of texts, the table of pages,
//! a module for each domain with one constructor for each text.
//!
//! Used by build.rs and, for its mistakes, by the crate's tests. Not here: files.

use std::fmt::Write as _;

/// One chapter: a domain and its messages.
pub(crate) struct Chapter {
    /// The two letters of its ids: `PG`.
    pub(crate) letters: String,
    /// What it is about: `program control`.
    pub(crate) title: String,
    /// Its messages in the order of their ids.
    pub(crate) messages: Vec<Section>,
}

/// One message.
pub(crate) struct Section {
    /// `TXMPG0001E`
    pub(crate) id: String,
    /// Its texts; most messages have one.
    pub(crate) texts: Vec<Text>,
    /// What it means.
    pub(crate) explanation: String,
    /// What Transom does.
    pub(crate) system_action: String,
    /// What the reader can do.
    pub(crate) user_response: String,
}

/// One wording of a message.
pub(crate) struct Text {
    /// Name of its constructor: `not_defined`.
    pub(crate) name: String,
    /// Where the problem lies, as the page shows it: `{file}:{line}:`. Whoever reports adds it.
    pub(crate) place: String,
    /// The words, inserts in braces, `{{` for a brace.
    pub(crate) words: String,
    /// Names of the inserts in the order of their first use.
    pub(crate) inserts: Vec<String>,
}

const ACTION: &str = "*System action.* ";
const RESPONSE: &str = "*User response.* ";
/// `TXM`, two letters, four digits, severity.
const ID_BYTES: usize = 10;

/// Reads a chapter. The error names the line.
pub(crate) fn read(markdown: &str) -> Result<Chapter, String> {
    let mut lines = (1_usize..).zip(markdown.lines()).peekable();
    let (letters, title) = lines
        .next()
        .and_then(|(_, line)| line.strip_prefix("# ")?.split_once(": "))
        .filter(|(letters, _)| letters.len() == 2)
        .ok_or("1: `# PG: program control` is expected")?;
    let mut messages: Vec<Section> = Vec::new();
    while let Some((number, line)) = lines.next() {
        if line.is_empty() {
            continue;
        }
        let at = |text: &str| format!("{number}: {text}");
        let id = line
            .strip_prefix("## ")
            .filter(|id| is_id(id, letters))
            .ok_or_else(|| at(&format!("`## TXM{letters}0001E` is expected")))?;
        // The severity is not part of the number.
        if messages.last().is_some_and(|last| last.id[..9] >= id[..9]) {
            return Err(at("ids rise, and a number has one severity"));
        }
        let mut body = Vec::new();
        while let Some((_, line)) = lines.next_if(|(_, line)| !line.starts_with("## ")) {
            body.push(line);
        }
        messages.push(section(id, &body).map_err(|text| at(&format!("{id}: {text}")))?);
    }
    let mut names: Vec<&str> = messages
        .iter()
        .flat_map(|m| m.texts.iter().map(|t| t.name.as_str()))
        .collect();
    names.sort_unstable();
    if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("1: two texts are named `{}`", twice[0]));
    }
    Ok(Chapter {
        letters: letters.to_owned(),
        title: title.to_owned(),
        messages,
    })
}

fn is_id(id: &str, letters: &str) -> bool {
    id.len() == ID_BYTES
        && id.is_ascii()
        && id.starts_with("TXM")
        && &id[3..5] == letters
        && id[5..9].bytes().all(|b| b.is_ascii_digit())
        && b"IWES".contains(&id.as_bytes()[9])
}

fn section(id: &str, body: &[&str]) -> Result<Section, String> {
    let mut texts = Vec::new();
    let mut rest = Vec::new();
    for line in body {
        match line.strip_prefix("- `").filter(|_| rest.is_empty()) {
            Some(line) => texts.push(text(line)?),
            None if line.is_empty() && rest.is_empty() => {}
            None => rest.push(*line),
        }
    }
    if texts.is_empty() {
        return Err("a line `- `name`: text` is expected".to_owned());
    }
    let rest = rest.join("\n");
    let (explanation, rest) = rest
        .split_once(ACTION)
        .ok_or_else(|| format!("{ACTION}is missing"))?;
    let (system_action, user_response) = rest
        .split_once(RESPONSE)
        .ok_or_else(|| format!("{RESPONSE}is missing"))?;
    let part = |text: &str| match text.trim() {
        "" => Err("explanation, system action or user response is empty".to_owned()),
        text => Ok(text.to_owned()),
    };
    Ok(Section {
        id: id.to_owned(),
        texts,
        explanation: part(explanation)?,
        system_action: part(system_action)?,
        user_response: part(user_response)?,
    })
}

/// ``name`: [place] words``.
fn text(line: &str) -> Result<Text, String> {
    let (name, words) = line
        .split_once("`: ")
        .ok_or_else(|| format!("`{line}: the name ends with a backtick and a colon"))?;
    let (place, words) = match words.strip_prefix('[') {
        Some(rest) => rest
            .split_once("] ")
            .ok_or_else(|| format!("{name}: the place has no ]"))?,
        None => ("", words),
    };
    let inserts = inserts(words).map_err(|insert| format!("{name}: {{{insert}}} is no insert"))?;
    if let Some(bad) = std::iter::once(name).find(|name| !is_name(name)) {
        return Err(format!("{bad:?} is no name of a constructor"));
    }
    Ok(Text {
        name: name.to_owned(),
        place: place.to_owned(),
        words: words.to_owned(),
        inserts,
    })
}

/// Names in braces, each once.
fn inserts(words: &str) -> Result<Vec<String>, String> {
    let mut found: Vec<String> = Vec::new();
    let plain = words.replace("{{", "").replace("}}", "");
    for part in plain.split('{').skip(1) {
        let name = part.split('}').next().unwrap_or_default();
        if !is_name(name) || !part.contains('}') {
            return Err(name.to_owned());
        }
        if !found.iter().any(|known| known == name) {
            found.push(name.to_owned());
        }
    }
    Ok(found)
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Name of a domain's module; `as` is a word of Rust.
fn module(letters: &str) -> String {
    match letters {
        "AS" => "as_".to_owned(),
        letters => letters.to_ascii_lowercase(),
    }
}

/// The Rust of all chapters.
pub(crate) fn rust(chapters: &[Chapter]) -> String {
    let mut texts = String::from("static TEXTS: &[Text] = &[\n");
    let mut pages = String::from("static PAGES: &[Page] = &[\n");
    let mut modules = String::new();
    let mut number = 0;
    for chapter in chapters {
        let (module, title) = (module(&chapter.letters), &chapter.title);
        let _ = writeln!(
            modules,
            "#[doc = {:?}]\npub mod {module} {{\nuse crate::{{Message, TEXTS}};",
            format!("{}: {title}.", chapter.letters)
        );
        for message in &chapter.messages {
            let id = &message.id;
            for Text {
                name,
                words,
                inserts,
                ..
            } in &message.texts
            {
                let _ = writeln!(
                    texts,
                    "Text {{ module: {module:?}, name: {name:?}, id: {id:?}, words: {words:?}, inserts: &{inserts:?} }},"
                );
                let parameters: Vec<String> = inserts
                    .iter()
                    .map(|insert| format!("{insert}: impl std::fmt::Display"))
                    .collect();
                let values: Vec<String> =
                    inserts.iter().map(|insert| format!("&{insert}")).collect();
                let _ = writeln!(
                    modules,
                    "#[doc = {:?}]\n#[cold]\npub fn {name}({}) -> Message {{ Message::new(&TEXTS[{number}], &[{}]) }}",
                    format!("`{id} {words}`"),
                    parameters.join(", "),
                    values.join(", ")
                );
                number += 1;
            }
            let _ = writeln!(
                pages,
                "Page {{ id: {id:?}, domain: {title:?}, text: {:?}, explanation: {:?}, system_action: {:?}, user_response: {:?} }},",
                shown(&message.texts),
                message.explanation,
                message.system_action,
                message.user_response
            );
        }
        modules.push_str("}\n");
    }
    format!("{texts}];\n{pages}];\n{modules}")
}

/// The texts as a page shows them.
fn shown(texts: &[Text]) -> String {
    let texts: Vec<String> = texts
        .iter()
        .map(|text| {
            let words = text.words.replace("{{", "{").replace("}}", "}");
            format!("{} {words}", text.place).trim().to_owned()
        })
        .collect();
    texts.join(", or: ")
}
