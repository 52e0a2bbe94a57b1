//! The listing: the user's source with line numbers, and each message under its line.

use crate::Translated;
use std::fmt::Write as _;
use transom_messages::Problem;

impl Translated {
    /// The program's source, then every copybook that a message points into.
    pub fn listing(&self) -> String {
        let mut out = String::new();
        for (n, (file, text)) in self.files.iter().enumerate() {
            let here: Vec<&Problem> = self
                .problems
                .iter()
                .filter(|p| p.place.file == *file)
                .collect();
            if n == 0 || !here.is_empty() {
                list(&mut out, file, text, &here);
            }
        }
        let _ = writeln!(out, "\nProgram      Line  Commands  COMMAREA  Labels");
        for program in &self.programs {
            let _ = writeln!(
                out,
                "{:<10} {:>6} {:>9}  {:<8}  {}",
                program.name,
                program.line,
                program.commands,
                if program.has_commarea { "yes" } else { "no" },
                program.labels.join(" "),
            );
        }
        out.push('\n');
        out.push_str(&self.coverage.report());
        out
    }
}

fn list(out: &mut String, file: &str, text: &str, problems: &[&Problem]) {
    let _ = writeln!(out, "{file}");
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let _ = writeln!(out, "{number:>6}  {}", line.trim_end());
        for problem in problems.iter().filter(|p| p.place.line as usize == number) {
            let column = (problem.place.column.unwrap_or(0) as usize)
                .saturating_sub(1)
                .min(120);
            if column > 0 {
                let _ = writeln!(out, "        {:column$}^", "");
            }
            let _ = writeln!(out, "     ** {} {}", problem.id(), problem.words());
        }
    }
}
