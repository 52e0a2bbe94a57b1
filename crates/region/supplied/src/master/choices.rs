//! What can be typed next, where a line of CEMT ends too early, or a kind is not told from others:
//! verbs, kinds, words of PERFORM.
//!
//! Capital letters are the abbreviation. A choice is typed behind the line, or taken by ENTER with
//! the cursor on it. Not here: the words of a kind (`screen::syntax`).

use super::line::{self, Verb};
use super::perform;
use crate::abbreviation::abbreviated;
use crate::words::words;
use transom_resources::{Meant, View, views};

const VERBS: [&str; 4] = ["Discard", "Inquire", "Perform", "Set"];

/// The line with its verb whole, and what can stand behind it; `None`: it does not end too early.
pub(super) fn of(line: &str) -> Option<(String, Vec<String>)> {
    let typed = words(line).ok()?;
    match typed.as_slice() {
        [] => Some((String::new(), VERBS.map(str::to_owned).to_vec())),
        [verb] if verb.value.is_none() => behind(&verb.text),
        [verb, kind] if verb.value.is_none() && kind.value.is_none() => {
            fitting(&verb.text, &kind.text)
        }
        _ => None,
    }
}

/// The kinds that a word fits, where it fits several.
fn fitting(verb: &str, word: &str) -> Option<(String, Vec<String>)> {
    let (verb, of) = match verb {
        verb if "INQUIRE".starts_with(verb) => ("INQUIRE", Verb::Inquire),
        verb if "SET".starts_with(verb) => ("SET", Verb::Set),
        verb if "DISCARD".starts_with(verb) => ("DISCARD", Verb::Discard),
        _ => return None,
    };
    let fits = line::fitting(word, of);
    let names: Vec<&str> = fits.into_iter().map(Meant::name).collect();
    (names.len() > 1).then(|| (verb.to_owned(), shown(&names)))
}

fn behind(typed: &str) -> Option<(String, Vec<String>)> {
    let mut verbs = VERBS.iter().map(|verb| verb.to_ascii_uppercase());
    let verb = verbs.find(|verb| !typed.is_empty() && verb.starts_with(typed))?;
    let choices = match verb.as_str() {
        "PERFORM" => perform::words().collect(),
        "SET" => kinds(|view| view.set.is_some()),
        "DISCARD" => kinds(|view| view.discard.is_some()),
        _ => kinds(|_| true),
    };
    Some((verb, choices))
}

fn kinds(fits: impl Fn(&View) -> bool) -> Vec<String> {
    let mut names: Vec<&'static str> = views().iter().filter(|view| fits(view)).map(name).collect();
    names.sort_unstable();
    shown(&names)
}

fn shown(names: &[&str]) -> Vec<String> {
    let means = |name: &str, short: &str| View::of(short).is_some_and(|view| view.name == name);
    let shown = names
        .iter()
        .map(|name| abbreviated(name, |short| means(name, short)));
    shown.collect()
}

fn name(view: &View) -> &'static str {
    view.name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_behind_a_line() {
        let (line, verbs) = of("").unwrap();
        assert_eq!((line.as_str(), verbs.len()), ("", 4));
        let (line, kinds) = of(" inq ").unwrap();
        assert_eq!(line, "INQUIRE");
        for kind in &kinds {
            let short: String = kind.chars().filter(|c| !c.is_lowercase()).collect();
            assert_eq!(View::of(&short).unwrap().name, kind.to_ascii_uppercase());
        }
        let set = of("S").unwrap().1;
        assert!(set.len() < kinds.len() && set.iter().all(|kind| kinds.contains(kind)));
        assert!(
            of("P").unwrap().1.contains(&"Shutdown".to_owned()),
            "{:?}",
            of("P")
        );
        assert_eq!(of("I TASK"), None);
        let (line, kinds) = of("I TR").unwrap();
        assert_eq!(
            (line.as_str(), kinds.as_slice()),
            (
                "INQUIRE",
                &["TRAnsaction".to_owned(), "TRDumpcode".to_owned()][..]
            )
        );
        assert_eq!(of("FROB"), None);
    }
}
