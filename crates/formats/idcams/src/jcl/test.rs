//! Expressions of IF: return codes of steps, RUN and ABEND.
//!
//! Steps here end with a code and never abnormally: ABEND is false, and a comparison of ABENDCC
//! too.

use crate::MAX_DEPTH;
use crate::script::Comparison;

/// Most comparisons of one expression.
const MAX_PARTS: usize = 100;

/// What an IF asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IfTest {
    /// `RC > 4`, `STEP1.RC = 0`: the highest code so far, or that of a step that ran.
    Code {
        step: Option<String>,
        comparison: Comparison,
        value: u32,
    },
    /// `STEP1.RUN`; without a step it is true.
    Ran(Option<String>),
    /// ABEND and ABENDCC.
    Never,
    Not(Box<IfTest>),
    And(Box<IfTest>, Box<IfTest>),
    Or(Box<IfTest>, Box<IfTest>),
}

impl IfTest {
    /// Reads an expression without its THEN.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parser = Parser {
            words: words(text)?,
            at: 0,
            parts: 0,
        };
        let test = parser.any(0)?;
        (parser.at == parser.words.len()).then_some(test)
    }

    /// Whether it holds, given name and condition code of each step that ran. `prefix` is the name
    /// of the EXEC a procedure was called by: names in a procedure are those of its own steps
    /// first.
    pub fn holds(&self, codes: &[(String, u32)], prefix: &str) -> bool {
        match self {
            IfTest::Code {
                step: None,
                comparison,
                value,
            } => {
                let highest = codes.iter().map(|c| c.1).max().unwrap_or(0);
                comparison.holds(highest, *value)
            }
            IfTest::Code {
                step: Some(step),
                comparison,
                value,
            } => find(codes, step, prefix).is_some_and(|code| comparison.holds(code, *value)),
            IfTest::Ran(step) => step
                .as_ref()
                .is_none_or(|step| find(codes, step, prefix).is_some()),
            IfTest::Never => false,
            IfTest::Not(test) => !test.holds(codes, prefix),
            IfTest::And(a, b) => a.holds(codes, prefix) && b.holds(codes, prefix),
            IfTest::Or(a, b) => a.holds(codes, prefix) || b.holds(codes, prefix),
        }
    }
}

/// The code of a step that ran, by its name in the job or in the procedure that asks; the last one
/// of that name.
pub(super) fn find(codes: &[(String, u32)], step: &str, prefix: &str) -> Option<u32> {
    let own = format!("{prefix}.{step}");
    let mut latest = codes.iter().rev();
    let found = latest
        .clone()
        .find(|(name, _)| !prefix.is_empty() && *name == own);
    found
        .or_else(|| latest.find(|(name, _)| name == step))
        .map(|c| c.1)
}

struct Parser {
    words: Vec<String>,
    at: usize,
    parts: usize,
}

impl Parser {
    fn peek(&self) -> &str {
        self.words.get(self.at).map_or("", String::as_str)
    }

    fn take(&mut self, wanted: &[&str]) -> bool {
        let found = wanted.contains(&self.peek());
        self.at += usize::from(found);
        found
    }

    fn any(&mut self, depth: usize) -> Option<IfTest> {
        let mut left = self.all(depth)?;
        while self.take(&["|", "OR"]) {
            left = IfTest::Or(Box::new(left), Box::new(self.all(depth)?));
        }
        Some(left)
    }

    fn all(&mut self, depth: usize) -> Option<IfTest> {
        let mut left = self.one(depth)?;
        while self.take(&["&", "AND"]) {
            left = IfTest::And(Box::new(left), Box::new(self.one(depth)?));
        }
        Some(left)
    }

    fn one(&mut self, depth: usize) -> Option<IfTest> {
        self.parts += 1;
        if depth > MAX_DEPTH || self.parts > MAX_PARTS {
            return None;
        }
        if self.take(&["¬", "NOT", "^", "~", "!"]) {
            return Some(IfTest::Not(Box::new(self.one(depth + 1)?)));
        }
        if self.take(&["("]) {
            let inner = self.any(depth + 1)?;
            return self.take(&[")"]).then_some(inner);
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Option<IfTest> {
        let word = self.peek().to_owned();
        self.at += 1;
        let (step, keyword) = match word.rsplit_once('.') {
            Some((step, keyword)) => (Some(step.to_owned()), keyword.to_owned()),
            None => (None, word),
        };
        let comparison = comparison(self.peek());
        self.at += usize::from(comparison.is_some());
        match (keyword.as_str(), comparison) {
            ("RC", Some(comparison)) => {
                let value = self.peek().parse().ok()?;
                self.at += 1;
                Some(IfTest::Code {
                    step,
                    comparison,
                    value,
                })
            }
            ("ABENDCC", Some(_)) => {
                self.at += 1;
                Some(IfTest::Never)
            }
            ("ABEND" | "RUN", comparison) => {
                let test = match keyword.as_str() {
                    "RUN" => IfTest::Ran(step),
                    _ => IfTest::Never,
                };
                let wanted =
                    match (comparison, self.peek()) {
                        (None, _) => return Some(test),
                        (Some(Comparison::Equal), "TRUE")
                        | (Some(Comparison::NotEqual), "FALSE") => true,
                        (Some(Comparison::Equal), "FALSE")
                        | (Some(Comparison::NotEqual), "TRUE") => false,
                        _ => return None,
                    };
                self.at += 1;
                Some(if wanted {
                    test
                } else {
                    IfTest::Not(Box::new(test))
                })
            }
            _ => None,
        }
    }
}

fn comparison(word: &str) -> Option<Comparison> {
    Some(match word {
        "=" | "EQ" => Comparison::Equal,
        "¬=" | "^=" | "~=" | "!=" | "NE" => Comparison::NotEqual,
        ">" | "GT" => Comparison::Greater,
        "<" | "LT" => Comparison::Less,
        ">=" | "GE" | "¬<" | "^<" | "~<" | "!<" | "NL" => Comparison::GreaterOrEqual,
        "<=" | "LE" | "¬>" | "^>" | "~>" | "!>" | "NG" => Comparison::LessOrEqual,
        _ => return None,
    })
}

/// Words, parentheses and operators; none with a character that is none of them.
fn words(text: &str) -> Option<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut in_word = false;
    for c in text.chars() {
        let part_of_word = c.is_ascii_alphanumeric() || "@#$.".contains(c);
        let operator = "=<>¬^~!&|".contains(c);
        let last = words.last_mut();
        match last {
            Some(last) if part_of_word && in_word => last.push(c.to_ascii_uppercase()),
            Some(last)
                if (c == '=' && ["<", ">", "¬", "^", "~", "!"].contains(&last.as_str()))
                    || ("<>".contains(c) && ["¬", "^", "~", "!"].contains(&last.as_str())) =>
            {
                last.push(c);
            }
            _ if part_of_word || operator || "()".contains(c) => {
                words.push(c.to_ascii_uppercase().to_string());
            }
            _ if c == ' ' => {}
            _ => return None,
        }
        in_word = part_of_word;
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str) -> Option<bool> {
        let codes = [
            ("A".to_owned(), 0),
            ("B".to_owned(), 8),
            ("P.S".to_owned(), 4),
        ];
        IfTest::parse(text).map(|test| test.holds(&codes, "P"))
    }

    #[test]
    fn expressions_of_jobs() {
        for (text, expected) in [
            ("RC = 8", Some(true)),
            ("(RC LE 4)", Some(false)),
            ("A.RC=0 & B.RC>=8", Some(true)),
            ("A.RC EQ 0 AND (B.RC LT 8 OR S.RC = 4)", Some(true)),
            ("NOT (A.RC = 0)", Some(false)),
            ("¬(A.RC ¬= 0)", Some(true)),
            ("B.RC NG 7", Some(false)),
            ("NONE.RC = 0", Some(false)),
            ("NONE.RUN", Some(false)),
            ("A.RUN = TRUE", Some(true)),
            ("ABEND", Some(false)),
            ("A.ABEND=FALSE", Some(true)),
            ("A.ABENDCC = S0C4 | RC > 4", Some(true)),
            ("RC = ", None),
            ("RC = 4 RC", None),
            ("(RC = 4", None),
            ("", None),
            ("PC = 4", None),
        ] {
            assert_eq!(holds(text), expected, "{text}");
        }
    }
}
