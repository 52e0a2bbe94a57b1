//! Attributes of one element: variables replaced, values checked, unknown names noticed.

use crate::problem::Result;
use crate::xml::Element;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use transom_messages as messages;
use transom_messages::Problem;

/// Deepest nesting of variables in variables.
const VARIABLE_DEPTH_MAX: usize = 8;
/// Longest text after replacing variables, in bytes.
const EXPANDED_BYTES_MAX: usize = 64 * 1024;

pub(super) struct Context<'a> {
    pub(super) file: &'a str,
    pub(super) variables: &'a BTreeMap<String, String>,
}

pub(super) struct Attributes<'a> {
    context: &'a Context<'a>,
    element: &'a Element,
    asked: RefCell<BTreeSet<String>>,
    notices: RefCell<Vec<Problem>>,
}

impl<'a> Attributes<'a> {
    pub(super) fn new(context: &'a Context<'a>, element: &'a Element) -> Attributes<'a> {
        Attributes {
            context,
            element,
            asked: RefCell::default(),
            notices: RefCell::default(),
        }
    }

    /// The attributes of an element inside.
    pub(super) fn of(&self, element: &'a Element) -> Attributes<'a> {
        Attributes {
            context: self.context,
            element,
            asked: RefCell::default(),
            notices: RefCell::default(),
        }
    }

    /// Takes over the notices of an inner element.
    pub(super) fn absorb(&self, inner: Attributes<'_>) {
        self.notices.borrow_mut().append(&mut inner.finish(false));
    }

    /// Notices so far, and one for each attribute nobody asked for; those of an element nobody
    /// knows are not told one by one.
    pub(super) fn finish(self, unknown: bool) -> Vec<Problem> {
        let asked = self.asked.into_inner();
        let mut notices = self.notices.into_inner();
        for (name, _) in &self.element.attributes {
            if !unknown && !asked.contains(name) && name != "id" {
                notices.push(self.element.problem(
                    messages::ad::attribute_without_effect(name, &self.element.name),
                    self.context.file,
                ));
            }
        }
        notices
    }

    /// Says that these attributes are understood elsewhere.
    pub(super) fn known(&self, names: &[&str]) {
        self.asked
            .borrow_mut()
            .extend(names.iter().map(|n| (*n).to_owned()));
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.known(&[name]);
        self.element.attr(name).map(|v| self.expand(v))
    }

    pub(super) fn text_or(&self, name: &str, default: &str) -> String {
        self.text(name).unwrap_or_else(|| default.to_owned())
    }

    pub(super) fn need(&self, name: &str) -> Result<String> {
        self.text(name)
            .filter(|t| !t.trim().is_empty())
            .ok_or_else(|| self.bad(format!("the attribute {name} is missing")))
    }

    pub(super) fn id(&self) -> String {
        self.text_or("id", "")
    }

    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>> {
        self.text(name)
            .map(|t| match t.trim().to_ascii_lowercase().as_str() {
                "true" => Ok(true),
                "false" => Ok(false),
                _ => Err(self.bad(format!("{name}=\"{t}\" must be true or false"))),
            })
            .transpose()
    }

    pub(super) fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>> {
        self.text(name)
            .map(|t| {
                t.trim()
                    .parse()
                    .map_err(|_| self.bad(format!("{name}=\"{t}\" must be a number in its range")))
            })
            .transpose()
    }

    /// `5s`, `500ms`, `1m30s`; without a unit milliseconds, as Liberty has it.
    pub(super) fn duration(&self, name: &str) -> Result<Option<Duration>> {
        self.text(name)
            .map(|t| {
                duration(&t).ok_or_else(|| {
                    self.bad(format!("{name}=\"{t}\" must be a time such as 5s or 500ms"))
                })
            })
            .transpose()
    }

    /// Names with commas between.
    pub(super) fn list(&self, name: &str) -> Vec<String> {
        let text = self.text(name).unwrap_or_default();
        text.split(',')
            .map(str::trim)
            .filter(|t| !t.is_empty())
            .map(str::to_owned)
            .collect()
    }

    pub(super) fn bad(&self, text: impl std::fmt::Display) -> Problem {
        self.element.problem(
            messages::ad::element_not_valid(&self.element.name, &text),
            self.context.file,
        )
    }

    /// Replaces `${name}`; an unknown variable stays as it is written, with a notice.
    pub(super) fn expand(&self, text: &str) -> String {
        let mut missing = BTreeSet::new();
        let out = expand(text, self.context.variables, 0, &mut missing);
        for name in missing {
            self.notices.borrow_mut().push(self.element.problem(
                messages::ad::variable_without_value(&name),
                self.context.file,
            ));
        }
        out
    }
}

fn expand(
    text: &str,
    variables: &BTreeMap<String, String>,
    depth: usize,
    missing: &mut BTreeSet<String>,
) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        out.push_str(before);
        let Some((name, behind)) = after.split_once('}') else {
            out.push_str("${");
            rest = after;
            continue;
        };
        match variables.get(name) {
            Some(value) if depth < VARIABLE_DEPTH_MAX && out.len() < EXPANDED_BYTES_MAX => {
                out.push_str(&expand(value, variables, depth + 1, missing));
            }
            _ => {
                missing.insert(name.to_owned());
                out.push_str(&format!("${{{name}}}"));
            }
        }
        rest = behind;
    }
    out.push_str(rest);
    let mut end = out.len().min(EXPANDED_BYTES_MAX);
    while !out.is_char_boundary(end) {
        end -= 1;
    }
    out.truncate(end);
    out
}

fn duration(text: &str) -> Option<Duration> {
    let mut total = Duration::ZERO;
    let mut rest = text.trim();
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let n: u64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        let letters = rest
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(rest.len());
        let part = match rest[..letters].to_ascii_lowercase().as_str() {
            "" | "ms" => Duration::from_millis(n),
            "s" => Duration::from_secs(n),
            "m" => Duration::from_secs(n.checked_mul(60)?),
            "h" => Duration::from_secs(n.checked_mul(3600)?),
            "d" => Duration::from_secs(n.checked_mul(86_400)?),
            _ => return None,
        };
        total = total.checked_add(part)?;
        rest = rest[letters..].trim_start();
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_variables() {
        assert_eq!(duration("1m30s"), Some(Duration::from_secs(90)));
        assert_eq!(duration("500"), Some(Duration::from_millis(500)));
        assert_eq!(duration("2 parsecs"), None);
        let variables = BTreeMap::from([
            ("a".to_owned(), "x${b}".to_owned()),
            ("b".to_owned(), "y".to_owned()),
            ("c".to_owned(), "${c}".to_owned()),
        ]);
        let mut missing = BTreeSet::new();
        assert_eq!(
            expand("1${a}2${nope}${", &variables, 0, &mut missing),
            "1xy2${nope}${"
        );
        assert_eq!(missing.pop_first().as_deref(), Some("nope"));
        assert_eq!(expand("${c}", &variables, 0, &mut missing), "${c}");
    }
}
