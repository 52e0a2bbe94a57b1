//! Commands of SYSTSIN: DSN and its RUN.
//!
//! Not here: what is run (`job`).

/// One command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Command {
    /// DSN SYSTEM, END.
    Nothing,
    Run {
        program: String,
        parm: String,
    },
    /// Its first word.
    Unknown(String),
}

/// The commands of some lines; a line that ends with - or + goes on in the next one.
pub(crate) fn commands(lines: &[String]) -> Vec<Command> {
    let mut all = Vec::new();
    let mut text = String::new();
    for line in lines {
        let line = line.trim();
        match line.strip_suffix(['-', '+']) {
            Some(begun) => text += begun,
            None => {
                text += line;
                all.extend(command(&std::mem::take(&mut text)));
            }
        }
        text.push_str(if text.is_empty() { "" } else { " " });
    }
    all.extend(command(&text));
    all
}

fn command(text: &str) -> Option<Command> {
    let word = text.split([' ', '(']).find(|word| !word.is_empty())?;
    Some(match word.to_ascii_uppercase().as_str() {
        "DSN" | "END" => Command::Nothing,
        "RUN" => match operand(text, &["PROGRAM", "PROG"]) {
            Some(program) => Command::Run {
                program: program.to_ascii_uppercase(),
                parm: operand(text, &["PARMS", "PARM"]).unwrap_or_default(),
            },
            None => Command::Unknown(word.to_owned()),
        },
        _ => Command::Unknown(word.to_owned()),
    })
}

/// What stands in brackets behind one of these words, without apostrophes.
fn operand(text: &str, words: &[&str]) -> Option<String> {
    let mut quoted = false;
    let mut at = 0;
    for (place, c) in text.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            '(' if !quoted => {
                let word = text.get(at..place)?.trim().to_ascii_uppercase();
                let word = word.rsplit(' ').next().unwrap_or_default();
                if words.contains(&word) {
                    return Some(inner(text.get(place + 1..)?));
                }
            }
            ')' if !quoted => at = place + 1,
            _ => {}
        }
    }
    None
}

/// Up to the closing bracket.
fn inner(text: &str) -> String {
    let (mut quoted, mut found) = (false, String::new());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\'' if quoted && rest.peek() == Some(&'\'') => found.extend(rest.next()),
            '\'' => quoted = !quoted,
            ')' if !quoted => break,
            c => found.push(c),
        }
    }
    found.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<Command> {
        commands(&text.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn run_names_a_program_and_its_parm() {
        let text = " DSN SYSTEM(DBCG)\n RUN PROGRAM(BANKDATA)  -\n PLAN(CBSA) -\n PARM('1,10,1,9') -\n LIB('A.B')\n END";
        let run = Command::Run {
            program: "BANKDATA".to_owned(),
            parm: "1,10,1,9".to_owned(),
        };
        assert_eq!(of(text), [Command::Nothing, run, Command::Nothing]);
        let quoted = Command::Run {
            program: "A".to_owned(),
            parm: "it's (x)".to_owned(),
        };
        assert_eq!(of("run prog(a) parms('it''s (x)')"), [quoted]);
        assert_eq!(of("BIND PACKAGE(X)"), [Command::Unknown("BIND".to_owned())]);
        assert_eq!(of(" "), []);
    }
}
