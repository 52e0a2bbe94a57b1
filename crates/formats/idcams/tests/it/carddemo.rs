//! The jobs of AWS CardDemo, where they are at hand.

use transom_idcams::jcl::{DdSource, read};
use transom_idcams::{Command, SourceLine, StatementKind, parse};

#[test]
fn every_job_and_every_statement_is_understood() {
    let Some(root) = std::env::var_os("TRANSOM_CARDDEMO") else {
        println!("skipped: TRANSOM_CARDDEMO does not name a copy of CardDemo");
        return;
    };
    let root = std::path::Path::new(&root).join("app");
    let library =
        |name: &str| std::fs::read_to_string(root.join("proc").join(format!("{name}.prc"))).ok();
    let (mut statements, mut clusters, mut indexes) = (0, 0, 0);
    for entry in std::fs::read_dir(root.join("jcl")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let job = read(&text, &[], &library);
        for problem in job.problems.iter().filter(|p| p.is_error()) {
            // Procedures of the compiler and Db2 are not part of CardDemo.
            assert!(
                matches!(problem.id(), "TXMID0031E" | "TXMID0034E"),
                "{}: {problem:?}",
                path.display()
            );
            println!("{}:{}", path.display(), problem.place_first());
        }
        for step in job.steps.iter().filter(|s| s.program == "IDCAMS") {
            let Some(DdSource::Instream(lines)) = step.dd("SYSIN").map(|d| &d.sources[0]) else {
                continue;
            };
            let lines: Vec<SourceLine<'_>> = lines
                .iter()
                .map(|l| SourceLine {
                    number: l.number,
                    text: &l.text,
                })
                .collect();
            let script = parse(&lines);
            assert_eq!(script.problems, [], "{}", path.display());
            statements += script.statements.len();
            for statement in &script.statements {
                let StatementKind::Command(command) = &statement.kind else {
                    continue;
                };
                clusters += usize::from(matches!(**command, Command::DefineCluster(_)));
                indexes += usize::from(matches!(**command, Command::DefineAix(_)));
            }
        }
    }
    assert_eq!((clusters, indexes), (16, 4));
    println!("{statements} statements");
}
