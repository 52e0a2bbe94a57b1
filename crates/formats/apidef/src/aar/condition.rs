//! Conditions that choose a response code: fields of the service's answer compared with constants,
//! joined by AND and OR.

use crate::problem::Result;
use crate::xml::Element;
use transom_messages as messages;
use transom_messages::Problem;

/// Most tests in one condition.
pub(crate) const TESTS_MAX: usize = 64;

/// When a response applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// One comparison.
    Test(Test),
    /// All of them.
    And(Vec<Condition>),
    /// At least one of them.
    Or(Vec<Condition>),
}

/// One comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    /// Member of the service's answer, names with `/` between, from the root of the document.
    pub field: String,
    /// Comparison.
    pub op: Comparison,
    /// Constant. Numbers compare by value where the field is a number.
    pub value: String,
}

/// Comparisons the API editor offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// Text that begins with the constant.
    StartsWith,
    /// Text that ends with the constant, trailing blanks of the field not counted.
    EndsWith,
    /// Text that has the constant in it.
    Contains,
}

const OPERATORS: &[(&str, Comparison)] = &[
    ("=", Comparison::Eq),
    ("==", Comparison::Eq),
    ("eq", Comparison::Eq),
    ("equals", Comparison::Eq),
    ("!=", Comparison::Ne),
    ("<>", Comparison::Ne),
    ("ne", Comparison::Ne),
    ("notequals", Comparison::Ne),
    ("<", Comparison::Lt),
    ("lt", Comparison::Lt),
    ("lessthan", Comparison::Lt),
    ("<=", Comparison::Le),
    ("le", Comparison::Le),
    ("lessthanorequal", Comparison::Le),
    (">", Comparison::Gt),
    ("gt", Comparison::Gt),
    ("greaterthan", Comparison::Gt),
    (">=", Comparison::Ge),
    ("ge", Comparison::Ge),
    ("greaterthanorequal", Comparison::Ge),
    ("startswith", Comparison::StartsWith),
    ("endswith", Comparison::EndsWith),
    ("contains", Comparison::Contains),
];

impl Comparison {
    /// By sign or word, blanks, `_` and `-` between words not counted.
    pub fn parse(text: &str) -> Option<Comparison> {
        let word: String = text
            .to_ascii_lowercase()
            .chars()
            .filter(|c| !matches!(c, ' ' | '_' | '-'))
            .collect();
        OPERATORS
            .iter()
            .find(|(name, _)| *name == word)
            .map(|(_, op)| *op)
    }

    /// The sign or word that [`Comparison::parse`] reads back.
    pub fn sign(self) -> &'static str {
        OPERATORS
            .iter()
            .find(|(_, op)| *op == self)
            .map_or("=", |(name, _)| name)
    }
}

impl Condition {
    /// `a/b = 1 AND c/d startswith 'X' OR e != "y"`; AND binds closer; constants may be quoted.
    ///
    /// # Errors
    /// One sentence without a place.
    pub fn parse(text: &str) -> std::result::Result<Condition, String> {
        let words = words(text)?;
        let mut any = Vec::new();
        let mut all = Vec::new();
        let mut rest = words.as_slice();
        let mut tests = 0;
        loop {
            let [(field, false), (op, false), (value, _), after @ ..] = rest else {
                return Err(format!(
                    "\"{text}\" is not of the form field operator value"
                ));
            };
            let op = Comparison::parse(op).ok_or_else(|| format!("\"{op}\" is no comparison"))?;
            all.push(Condition::Test(Test {
                field: clean_path(field),
                op,
                value: value.clone(),
            }));
            tests += 1;
            if tests > TESTS_MAX {
                return Err(format!("more than {TESTS_MAX} comparisons"));
            }
            match after {
                [] => break,
                [(join, false), next @ ..] if join.eq_ignore_ascii_case("and") => rest = next,
                [(join, false), next @ ..] if join.eq_ignore_ascii_case("or") => {
                    any.push(joined(std::mem::take(&mut all), Condition::And));
                    rest = next;
                }
                [(word, _), ..] => return Err(format!("\"{word}\" where AND or OR is expected")),
            }
        }
        any.push(joined(all, Condition::And));
        Ok(joined(any, Condition::Or))
    }

    /// The tests in order of writing.
    pub fn tests(&self) -> Vec<&Test> {
        match self {
            Condition::Test(test) => vec![test],
            Condition::And(all) | Condition::Or(all) => {
                all.iter().flat_map(Condition::tests).collect()
            }
        }
    }

    /// The condition below a `responseMessages` element; `None` when it has none.
    pub(super) fn of_element(file: &str, element: &Element) -> Result<Option<Condition>> {
        for name in ["condition", "rule", "expression", "ruleExpression"] {
            if let Some(text) = element.attr(name).filter(|t| !t.trim().is_empty()) {
                return Condition::parse(text)
                    .map(Some)
                    .map_err(|why| element.problem(messages::ad::response_rule(why), file));
            }
        }
        let mut terms = Vec::new();
        for child in &element.children {
            let name = child.name.to_ascii_lowercase();
            match name.as_str() {
                "rule" | "condition" | "test" | "responserule" => terms.push(term(file, child)?),
                "and" | "or" | "rules" | "conditions" | "ruleset" | "expression"
                | "responserules" => {
                    if let Some(inner) = group(file, child)? {
                        terms.push((inner, joins_by_or(child)));
                    }
                }
                "mappingrootmodel" | "description" | "documentation" | "headers" => {}
                _ => {
                    return Err(child.problem(
                        messages::ad::response_rule(format_args!(
                            "the element {} in a response is not known",
                            child.name
                        )),
                        file,
                    ));
                }
            }
        }
        Ok(combine(terms))
    }
}

/// A term and whether OR joins it to the next one.
type Term = (Condition, bool);

fn term(file: &str, element: &Element) -> Result<Term> {
    if element.children.is_empty()
        && element.attributes.is_empty()
        && !element.text.trim().is_empty()
    {
        let parsed = Condition::parse(element.text.trim())
            .map_err(|why| element.problem(messages::ad::response_rule(why), file))?;
        return Ok((parsed, false));
    }
    let first = |names: &[&str]| {
        names
            .iter()
            .find_map(|n| element.attr_any_case(n).or_else(|| element.child_text(n)))
    };
    let need = |what: &str, names: &[&str]| {
        first(names).ok_or_else(|| {
            element.problem(
                messages::ad::response_rule(format_args!("the rule has no {what}")),
                file,
            )
        })
    };
    let field = need(
        "field",
        &["field", "serviceField", "fieldPath", "path", "xpath"],
    )?;
    let op = need(
        "operator",
        &[
            "comparisonOperator",
            "operator",
            "comparator",
            "comparison",
            "op",
        ],
    )?;
    let value = need("value", &["comparisonValue", "value"])?;
    let op = Comparison::parse(op).ok_or_else(|| {
        element.problem(
            messages::ad::response_rule(format_args!("\"{op}\" is no comparison")),
            file,
        )
    })?;
    Ok((
        Condition::Test(Test {
            field: clean_path(field),
            op,
            value: value.to_owned(),
        }),
        joins_by_or(element),
    ))
}

fn joins_by_or(element: &Element) -> bool {
    [
        "logicalOperator",
        "booleanOperator",
        "join",
        "logic",
        "connector",
    ]
    .iter()
    .find_map(|n| element.attr_any_case(n))
    .is_some_and(|v| v.eq_ignore_ascii_case("or"))
}

fn group(file: &str, element: &Element) -> Result<Option<Condition>> {
    let mut terms = Vec::new();
    for child in &element.children {
        let name = child.name.to_ascii_lowercase();
        if matches!(
            name.as_str(),
            "and" | "or" | "rules" | "conditions" | "ruleset"
        ) {
            if let Some(inner) = group(file, child)? {
                terms.push((inner, joins_by_or(child)));
            }
        } else if matches!(
            name.as_str(),
            "rule" | "condition" | "test" | "responserule"
        ) {
            terms.push(term(file, child)?);
        } else {
            return Err(child.problem(
                messages::ad::response_rule(format_args!(
                    "the element {} in a rule is not known",
                    child.name
                )),
                file,
            ));
        }
    }
    if element.name.eq_ignore_ascii_case("or") {
        for (_, or) in &mut terms {
            *or = true;
        }
    }
    if terms.is_empty() && !element.text.trim().is_empty() {
        return Condition::parse(element.text.trim())
            .map(Some)
            .map_err(|why| element.problem(messages::ad::response_rule(why), file));
    }
    if terms.len() > TESTS_MAX {
        return Err(Problem::new(
            messages::ad::limit_passed(format_args!("more than {TESTS_MAX} rules on a response")),
            file,
        ));
    }
    Ok(combine(terms))
}

fn combine(terms: Vec<Term>) -> Option<Condition> {
    let mut any = Vec::new();
    let mut all = Vec::new();
    for (condition, or) in terms {
        all.push(condition);
        if or {
            any.push(joined(std::mem::take(&mut all), Condition::And));
        }
    }
    if !all.is_empty() {
        any.push(joined(all, Condition::And));
    }
    (!any.is_empty()).then(|| joined(any, Condition::Or))
}

fn joined(mut parts: Vec<Condition>, how: fn(Vec<Condition>) -> Condition) -> Condition {
    if parts.len() == 1 {
        parts.remove(0)
    } else {
        how(parts)
    }
}

/// Without the editor's leading `.../` or `/`, `.` between names turned to `/`.
pub(crate) fn clean_path(path: &str) -> String {
    let path = path.trim();
    let keep = path.starts_with(".../");
    let body = path.trim_start_matches("...").trim_start_matches('/');
    let body = if body.contains('/') {
        body.to_owned()
    } else {
        body.replace('.', "/")
    };
    if keep { format!(".../{body}") } else { body }
}

/// Words of a condition; the flag says that the word was quoted.
fn words(text: &str) -> std::result::Result<Vec<(String, bool)>, String> {
    let mut out = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(&c) = chars.peek() {
        if c.is_whitespace() {
            chars.next();
        } else if c == '\'' || c == '"' {
            chars.next();
            let mut word = String::new();
            loop {
                match chars.next() {
                    Some(q) if q == c && chars.peek() == Some(&c) => {
                        chars.next();
                        word.push(c);
                    }
                    Some(q) if q == c => break,
                    Some(other) => word.push(other),
                    None => return Err(format!("the quote in \"{text}\" is not closed")),
                }
            }
            out.push((word, true));
        } else {
            let sign = |c: char| matches!(c, '=' | '<' | '>' | '!');
            let first = sign(c);
            let mut word = String::new();
            while let Some(&c) = chars.peek() {
                if c.is_whitespace() || c == '\'' || c == '"' || sign(c) != first {
                    break;
                }
                word.push(c);
                chars.next();
            }
            out.push((word, false));
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::parse;

    fn test(field: &str, op: Comparison, value: &str) -> Condition {
        Condition::Test(Test {
            field: field.into(),
            op,
            value: value.into(),
        })
    }

    #[test]
    fn and_binds_closer_than_or() {
        let condition = Condition::parse("a/b=1 AND c startsWith 'it''s' or d >= -2").unwrap();
        let expected = Condition::Or(vec![
            Condition::And(vec![
                test("a/b", Comparison::Eq, "1"),
                test("c", Comparison::StartsWith, "it's"),
            ]),
            test("d", Comparison::Ge, "-2"),
        ]);
        assert_eq!(condition, expected);
        for bad in ["", "a", "a = ", "a ~ 1", "a = 1 b", "a = 'x", "a = 1 AND"] {
            assert!(Condition::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn rules_as_elements() {
        let text = "<responseMessages code='404'><rules>\
            <rule name='Rule 1' serviceField='.../OUT_MESSAGE' operator='Starts with' value='SPECIFIED' logicalOperator='AND'/>\
            <rule name='Rule 2' field='a.b' comparisonOperator='!=' comparisonValue=''/></rules></responseMessages>";
        let condition = Condition::of_element("m", &parse("m", text).unwrap())
            .unwrap()
            .unwrap();
        let expected = Condition::And(vec![
            test(".../OUT_MESSAGE", Comparison::StartsWith, "SPECIFIED"),
            test("a/b", Comparison::Ne, ""),
        ]);
        assert_eq!(condition, expected);
        let bad = parse("m", "<r>\n<rule field='a' operator='like' value='b'/></r>").unwrap();
        let error = Condition::of_element("m", &bad).unwrap_err();
        assert_eq!(
            error.id_first().to_string(),
            "TXMAD0023E m:2:1: \"like\" is no comparison"
        );
    }
}
