//! Options that commands answer with a literal.
//!
//! Why: such an option is constant, and the command table must say so (`~constant=VALUE`); the
//! command processor then answers it, and no code does. Not here: options that are constant by
//! the table of resource kinds, which its tests hold against the command table.

/// Ways to answer an option.
const SETTERS: [&str; 4] = ["set_text(", "set_cvda(", "set_number(", "set_bytes("];

/// Options that a source answers with a literal, whatever the command finds.
pub(crate) fn literal_answers(code: &str) -> Vec<&str> {
    let lines = code.lines().map(str::trim_start);
    let answers = lines.filter(|line| !line.starts_with("//"));
    answers.filter_map(literal_answer).collect()
}

fn literal_answer(line: &str) -> Option<&str> {
    // A whole statement: within a `match` the value depends on what is matched.
    let statement = line.starts_with("cx.") && line.ends_with(");");
    let (setter, behind) = SETTERS
        .iter()
        .find_map(|setter| line.split_once(setter))
        .filter(|_| statement)?;
    if !matches!(setter, "cx." | "cx.call.") {
        return None;
    }
    let (option, value) = behind.split_once(", ")?;
    let option = option.strip_prefix("opt::")?;
    let literal = value.starts_with(['"', '-']) || value.starts_with(|c: char| c.is_ascii_digit());
    literal.then_some(option)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_is_found_and_a_value_is_not() {
        let code = "    cx.set_cvda(opt::STATE, \"ACTIVE\");\n    cx.set_number(opt::LENGTH, length);\n\
                    cx.call.set_number(opt::AKP, 0);\n    // cx.set_text(opt::NO, \"\");\n\
                    opt::TNPORT => cx.set_number(option, 0),\n    cx.set_text(opt::NAME, name);\n";
        assert_eq!(literal_answers(code), ["STATE", "AKP"]);
    }
}
