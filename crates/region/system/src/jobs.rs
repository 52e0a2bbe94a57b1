//! BMS sources inside jobs: the in-stream data of an assemble job.
//!
//! Why: many shops keep a map as the job that assembles it, macros behind `//SYSUT1 DD *`. What:
//! each block of in-stream data that has a DFHMSD, its lines where they stand in the job, and the
//! name that the job gives the load module. Not here: other jobs (`formats/idcams`), BMS itself.

use crate::source::member_name;

/// A mapset's source in a job.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct InJob {
    /// MAPNAME of the procedure, NAME of the linkage editor or the member of SYSLMOD.
    pub(crate) name: Option<String>,
    /// The macros; blank lines stand for the lines of the job in front of them.
    pub(crate) text: String,
}

/// Whether a text is a job.
pub(crate) fn is_job(text: &str) -> bool {
    text.starts_with("//")
}

/// The BMS sources of a job, each once.
pub(crate) fn sources(job: &str) -> Vec<InJob> {
    let lines: Vec<&str> = job.lines().collect();
    let mut found: Vec<InJob> = Vec::new();
    // Sources from here on have no name of their own yet.
    let mut unnamed = 0;
    let mut map_name = None;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        let Some(statement) = line.strip_prefix("//").filter(|s| !s.starts_with('*')) else {
            continue;
        };
        if is_exec(statement) {
            map_name = None;
        }
        map_name = parameter(statement, "MAPNAME=").or(map_name);
        if let Some(member) = load_module(statement) {
            give(&mut found[unnamed..], &member);
            unnamed = found.len();
        }
        let Some(end) = delimiter(statement) else {
            continue;
        };
        let start = at;
        at += lines[at..].iter().take_while(|l| !end.ends(l)).count();
        let block = &lines[start..at];
        if let Some(name) = block.iter().find_map(|line| name_statement(line)) {
            give(&mut found[unnamed..], &name);
            unnamed = found.len();
        } else if block.iter().any(|line| is_mapset(line)) {
            let source = InJob {
                name: map_name.clone(),
                text: format!("{}{}\n", "\n".repeat(start), block.join("\n")),
            };
            let same = |other: &InJob| other.text.trim_start() == source.text.trim_start();
            if !found.iter().any(same) {
                found.push(source);
            }
        }
    }
    found
}

/// The name goes to a source that has none.
fn give(sources: &mut [InJob], name: &str) {
    for source in sources.iter_mut().filter(|s| s.name.is_none()) {
        source.name = Some(name.to_owned());
    }
}

/// Where in-stream data ends.
struct End {
    /// Two characters.
    delimiter: String,
    /// Any statement ends it too.
    statement: bool,
}

impl End {
    fn ends(&self, line: &str) -> bool {
        line.starts_with(&self.delimiter) || (self.statement && line.starts_with("//"))
    }
}

/// In-stream data begins behind this statement.
fn delimiter(statement: &str) -> Option<End> {
    let mut words = statement.split_whitespace();
    let operands = words.find(|w| *w == "DD").and_then(|_| words.next())?;
    let kind = operands.split(',').next()?;
    if !matches!(kind, "*" | "DATA") {
        return None;
    }
    let own = parameter_text(operands, "DLM=");
    Some(End {
        statement: kind == "*" && own.is_none(),
        delimiter: own.map_or("/*".to_owned(), |d| d.trim_matches('\'').to_owned()),
    })
}

fn is_exec(statement: &str) -> bool {
    statement.split_whitespace().take(2).any(|w| w == "EXEC")
}

/// The name a keyword parameter gives; symbols are no names.
fn parameter(statement: &str, key: &str) -> Option<String> {
    let text = parameter_text(statement, key)?;
    member_name(text.trim_matches('\''))
}

fn parameter_text<'a>(statement: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = statement.split_once(key)?;
    rest.split([',', ' ', ')']).next()
}

/// `//LKED.SYSLMOD DD DSN=LOAD(NAME)`
fn load_module(statement: &str) -> Option<String> {
    let dd = statement.split_whitespace().next()?;
    dd.ends_with("SYSLMOD").then_some(())?;
    let (_, rest) = statement.split_once('(')?;
    member_name(rest.split(')').next()?)
}

/// ` NAME HELLO(R)` of the linkage editor.
fn name_statement(line: &str) -> Option<String> {
    let mut words = line.strip_prefix(' ')?.split_whitespace();
    let text = (words.next()? == "NAME").then(|| words.next())??;
    member_name(text.split('(').next()?)
}

fn is_mapset(line: &str) -> bool {
    !line.starts_with('*') && line.split_whitespace().take(2).any(|w| w == "DFHMSD")
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOB: &str = "\
//MAPS   JOB CLASS=A
//* two mapsets
//PAY    EXEC DFHMAPS,
//       MAPNAME='PAYSET'
//COPY.SYSUT1 DD *
LABEL    DFHMSD TYPE=&SYSPARM
         DFHMSD TYPE=FINAL
/*
//ASM    EXEC PGM=ASMA90
//SYSIN  DD DATA,DLM=@@
//ORDER  DFHMSD TYPE=MAP
ORDERS   DFHMSD TYPE=MAP
         DFHMSD TYPE=FINAL
@@
//LKED   EXEC PGM=IEWL
//SYSLIN DD *
  NAME ORDSET(R)
";

    #[test]
    fn mapsets_of_a_job_have_the_names_of_their_load_modules() {
        let found = sources(JOB);
        let names: Vec<_> = found.iter().map(|s| s.name.as_deref()).collect();
        assert_eq!(names, [Some("PAYSET"), Some("ORDSET")]);
        assert_eq!(
            found[0].text.lines().nth(5),
            Some("LABEL    DFHMSD TYPE=&SYSPARM")
        );
        assert_eq!(found[1].text.lines().count(), 13);
        let lked = JOB
            .replace("DFHMAPS,", "ASM")
            .replace("MAPNAME='PAYSET'", "X=1");
        let lked = lked.replacen("//ASM", "//LKED.SYSLMOD DD DSN=LIB(MENU)\n//ASM", 1);
        assert_eq!(sources(&lked)[0].name.as_deref(), Some("MENU"));
    }

    #[test]
    fn one_source_twice_is_one() {
        let twice = JOB.replacen("//LKED   EXEC", "//DSECT  EXEC PGM=ASMA90\n//SYSIN DD *\nLABEL    DFHMSD TYPE=&SYSPARM\n         DFHMSD TYPE=FINAL\n/*\n//LKED   EXEC", 1);
        assert_eq!(sources(&twice).len(), 2);
    }
}
