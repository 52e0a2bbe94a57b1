//! What the statements and jobs of a system directory would define, and mistakes in them.
//!
//! Why: `transom check` tells before a start which data sets will be there. Not here: running
//! anything; conditions of steps and IFs are not answered, so what only one branch defines counts.

use crate::options::FileOptions;
use std::path::{Path, PathBuf};
use transom_copybook::CodePage;
use transom_copybook::codepage::source_text;
use transom_idcams::jcl::{DataSet, DdSource, Step, read};
use transom_idcams::{
    Command, Place, Script, SourceLine, Statement, StatementKind, parse, parse_text,
};
use transom_messages::{Message, Problem, si};

/// What a text says.
#[derive(Debug, Default)]
pub struct Outline {
    /// Clusters, alternate indexes and paths it defines.
    pub defines: Vec<String>,
    /// Data sets it copies records into.
    pub loads: Vec<String>,
    /// Mistakes, without the name of the file.
    pub problems: Vec<Problem>,
}

/// Reads a text of `DIR/data/`.
///
/// # Errors
/// TXMSI0007E: the file cannot be read. TXMSI0047E: it is EBCDIC and its lines cannot be told.
pub fn outline(path: &Path, page: &'static CodePage) -> Result<Outline, Message> {
    let bytes = std::fs::read(path).map_err(|e| si::not_read(path.display(), e))?;
    let source = source_text(bytes, page).map_err(|_| si::ebcdic_without_lines(path.display()))?;
    let text = source.text;
    let mut outline = Outline::default();
    if !text.starts_with("//") {
        outline.add(parse_text(&text), None);
        return Ok(outline);
    }
    let files = FileOptions {
        libraries: path.parent().map(PathBuf::from).into_iter().collect(),
        source_page: Some(page),
        ..FileOptions::default()
    };
    let job = read(&text, &[], &|name| files.member(name));
    outline.problems.extend(job.problems);
    for step in job.steps.iter().filter(|step| step.program == "IDCAMS") {
        let Some(sysin) = step.dd("SYSIN") else {
            continue;
        };
        let mut lines: Vec<(u32, String)> = Vec::new();
        for source in &sysin.sources {
            match source {
                DdSource::Instream(list) => {
                    lines.extend(list.iter().map(|l| (l.number, l.text.clone())));
                }
                DdSource::DataSet(DataSet {
                    member: Some(member),
                    ..
                }) => {
                    let text = files.member(member).unwrap_or_default();
                    lines.extend((1..).zip(text.lines().map(str::to_owned)));
                }
                _ => {}
            }
        }
        let lines: Vec<SourceLine<'_>> = lines
            .iter()
            .map(|(number, text)| SourceLine {
                number: *number,
                text,
            })
            .collect();
        outline.add(parse(&lines), Some(step));
    }
    Ok(outline)
}

impl Outline {
    fn add(&mut self, script: Script, step: Option<&Step>) {
        self.problems.extend(script.problems);
        self.statements(&script.statements, step);
    }

    fn statements(&mut self, list: &[Statement], step: Option<&Step>) {
        for statement in list {
            match &statement.kind {
                StatementKind::Command(command) => self.command(command, step),
                StatementKind::If {
                    then, otherwise, ..
                } => {
                    self.statements(then, step);
                    self.statements(otherwise, step);
                }
                _ => {}
            }
        }
    }

    fn command(&mut self, command: &Command, step: Option<&Step>) {
        match command {
            Command::DefineCluster(cluster) => self.defines.push(cluster.name.clone()),
            Command::DefineAix(index) => self.defines.push(index.name.clone()),
            Command::DefinePath(path) => self.defines.push(path.name.clone()),
            Command::Repro(repro) => self.loads.extend(target(&repro.to, step)),
            _ => {}
        }
    }
}

/// The data set a REPRO writes to: by name, or by the DD statement of its step.
fn target(to: &Place, step: Option<&Step>) -> Option<String> {
    match to {
        Place::Dataset(name) => Some(name.clone()),
        Place::Dd(dd) => {
            let sources = &step?.dd(dd)?.sources;
            sources.iter().find_map(|source| match source {
                DdSource::DataSet(data) => Some(data.name.clone()),
                _ => None,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_defines_and_loads() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("load.jcl");
        let job = "\
//LOAD JOB
//S1 EXEC PGM=IDCAMS
//OUT DD DSN=BANK.CUST,DISP=SHR
//SYSIN DD *
  DELETE BANK.CUST
  IF MAXCC < 9 THEN DO
    DEFINE CLUSTER(NAME(BANK.CUST) INDEXED KEYS(4 0) RECORDSIZE(20 20))
    REPRO INFILE(IN) OUTFILE(OUT)
  END
  DEFINE PATH(NAME(BANK.PATH) PATHENTRY(BANK.AIX))
/*
";
        std::fs::write(&path, job).unwrap();
        let page = CodePage::all()[0];
        let outline = outline(&path, page).unwrap();
        assert_eq!(outline.defines, ["BANK.CUST", "BANK.PATH"]);
        assert_eq!(outline.loads, ["BANK.CUST"]);
        std::fs::write(&path, "DEFNE CLUSTER(NAME(A))\n").unwrap();
        let problems = super::outline(&path, page).unwrap().problems;
        assert!(
            problems[0].is_error() && problems[0].place.line == 1,
            "{problems:?}"
        );
    }
}
