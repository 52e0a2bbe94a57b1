//! Numbers that may only shrink: what the house does not keep to yet.
//!
//! What: lists of names with numbers in `crates/tools/xtask/ratchets`, compared with what the rules
//! find. Why: a rule that is broken in forty places is still worth keeping in the forty-first.
//! Lines with `#` give the reason of those below them. Not here: what is counted.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Names with numbers; a name that is missing counts 0.
pub(crate) type Numbers = BTreeMap<String, usize>;

/// One list.
pub(crate) struct Ratchet {
    /// File of the list, from the root of the project.
    file: String,
    /// What is counted, as a problem says it: `function lines`.
    what: &'static str,
    found: Numbers,
}

impl Ratchet {
    /// The list `name`, and what was found.
    pub(crate) fn new(name: &str, what: &'static str, found: Numbers) -> Self {
        let file = format!("crates/tools/xtask/ratchets/{name}.txt");
        Ratchet { file, what, found }
    }

    /// What is more than listed, and what is less: a list that does not follow would allow it to
    /// grow back.
    pub(crate) fn check(&self, root: &Path, problems: &mut Vec<String>) {
        let listed = self.listed(root);
        let names = listed.keys().chain(self.found.keys());
        let mut names: Vec<&String> = names.collect();
        names.sort();
        names.dedup();
        for name in names {
            let (now, allowed) = (number(&self.found, name), number(&listed, name));
            let (file, what) = (&self.file, self.what);
            if now > allowed {
                problems.push(format!("{name}: {now} {what}, at most {allowed} ({file})"));
            } else if now < allowed {
                let text = format!("{name}: {now} {what}, but {file} allows {allowed}");
                problems.push(format!("{text}: run cargo xtask ratchet"));
            }
        }
    }

    /// Writes the list as it is now, unless all of it together has grown. A name may take over what
    /// another gives up: files move and rooms are divided.
    pub(crate) fn lower(&self, root: &Path, problems: &mut Vec<String>) {
        let (now, before) = (total(&self.found), total(&self.listed(root)));
        if now > before {
            let (file, what) = (&self.file, self.what);
            problems.push(format!("{file}: {now} {what}, {before} before"));
            return;
        }
        let before = fs::read_to_string(root.join(&self.file)).unwrap_or_default();
        let text = rewritten(&before, &self.found);
        if let Err(error) = fs::write(root.join(&self.file), text) {
            problems.push(format!("{}: {error}", self.file));
        }
    }

    fn listed(&self, root: &Path) -> Numbers {
        let text = fs::read_to_string(root.join(&self.file)).unwrap_or_default();
        parse(&text)
    }
}

/// A list with the numbers as they are now. A reason stays while one of its lines is left.
fn rewritten(before: &str, found: &Numbers) -> String {
    let mut text = String::new();
    let mut left = found.clone();
    let mut reason = String::new();
    let mut is_reason = false;
    for line in before.lines() {
        if line.starts_with('#') {
            if !is_reason {
                reason.clear();
            }
            reason += &format!("{line}\n");
        } else if let Some((name, _)) = line.rsplit_once(' ')
            && let Some(number) = left.remove(name)
        {
            text += &format!("{}{name} {number}\n", std::mem::take(&mut reason));
        }
        is_reason = line.starts_with('#');
    }
    left.iter()
        .for_each(|(name, number)| text += &format!("{name} {number}\n"));
    text
}

fn parse(text: &str) -> Numbers {
    let entries = text.lines().filter(|line| !line.starts_with('#'));
    let entries = entries.filter_map(|line| line.rsplit_once(' '));
    entries
        .filter_map(|(name, number)| Some((name.to_owned(), number.parse().ok()?)))
        .collect()
}

fn number(numbers: &Numbers, name: &str) -> usize {
    numbers.get(name).copied().unwrap_or(0)
}

fn total(numbers: &Numbers) -> usize {
    numbers.values().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_stays_with_what_it_is_the_reason_of() {
        let before = "# old\na.rs read 2\nb.rs read 1\n# done\nc.rs read 1\n# big\ne.rs read 1\n";
        let found = parse("a.rs read 1\nb.rs read 1\nd.rs read 1\ne.rs read 1\n");
        let after = "# old\na.rs read 1\nb.rs read 1\n# big\ne.rs read 1\nd.rs read 1\n";
        assert_eq!(rewritten(before, &found), after);
    }

    #[test]
    fn nothing_may_grow_or_grow_back() {
        let root = std::env::temp_dir().join(format!("xtask-ratchet-{}", std::process::id()));
        fs::create_dir_all(root.join("crates/tools/xtask/ratchets")).unwrap();
        let listed = Ratchet::new("t", "lines", parse("a.rs run 70\nb.rs run 80\n"));
        fs::write(root.join(&listed.file), "a.rs run 70\nb.rs run 80\n").unwrap();
        let mut problems = Vec::new();
        let now = Ratchet::new(
            "t",
            "lines",
            parse("a.rs run 71\nb.rs run 61\nc.rs new 1\n"),
        );
        now.check(&root, &mut problems);
        let firsts: Vec<&str> = problems
            .iter()
            .filter_map(|p| p.split(',').next())
            .collect();
        assert_eq!(
            firsts,
            [
                "a.rs run: 71 lines",
                "b.rs run: 61 lines",
                "c.rs new: 1 lines"
            ]
        );
        assert!(problems[1].ends_with("allows 80: run cargo xtask ratchet"));

        // All together it is less, so the list may be written.
        problems.clear();
        now.lower(&root, &mut problems);
        now.check(&root, &mut problems);
        assert_eq!(problems, [""; 0]);
        listed.lower(&root, &mut problems);
        assert_eq!(problems.len(), 1);
        fs::remove_dir_all(&root).unwrap();
    }
}
