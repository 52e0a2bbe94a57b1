//! Programs of a system: to compile all of them, to find that none has changed, to look at them.

use super::flat::flat;
use crate::figure::{self, Goal};
use crate::runs::quick;
use crate::servers::{run_to_end, transom_exe};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

fn sizes() -> [usize; 3] {
    match quick() {
        true => [4, 12, 40],
        false => [6, 60, 600],
    }
}

pub(super) fn run() -> Result<(), String> {
    let (mut cold, mut again) = (vec![], vec![]);
    for size in sizes() {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        write_system(folder.path(), size)?;
        let step = |what: &str, verb: &str| -> Result<f64, String> {
            let begin = Instant::now();
            run_to_end(Command::new(transom_exe()?).arg(verb).arg(folder.path()))?;
            let seconds = begin.elapsed().as_secs_f64();
            let name = format!("growth_builds_{what}_{size}");
            figure::value(&name, seconds, "s", Goal::None);
            Ok(seconds * 1e3 / size as f64)
        };
        cold.push((size, step("build", "build")?));
        again.push((size, step("build_again", "build")?));
        step("check", "check")?;
        step("check_again", "check")?;
    }
    flat("program_built", "ms", &cold);
    flat("program_built_again", "ms", &again);
    Ok(())
}

/// Programs of a usual kind: a record, a queue, a LINK, arithmetic; each differs from the others.
fn write_system(root: &Path, programs: usize) -> Result<(), String> {
    let io = |e: std::io::Error| e.to_string();
    fs::create_dir_all(root.join("cobol")).map_err(io)?;
    fs::write(root.join("transom.toml"), "[region]\nAPPLID = \"BENCH\"\n").map_err(io)?;
    for number in 0..programs {
        let name = format!("P{number:07}");
        let next = format!("P{:07}", (number + 1) % programs);
        let mut text = format!(
            "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. {name}.\n       DATA DIVISION.\n       \
             WORKING-STORAGE SECTION.\n       01  WS-NEXT PIC X(8) VALUE '{next}'.\n       \
             01  WS-QUEUE PIC X(8) VALUE '{name}'.\n       01  WS-RESP PIC S9(8) COMP.\n"
        );
        for field in 0..40 {
            text.push_str(&format!(
                "       01  WS-F{field:02} PIC S9(7)V99 COMP-3 VALUE {}.\n",
                (number * 37 + field) % 9_999
            ));
        }
        text.push_str("       LINKAGE SECTION.\n       01  DFHCOMMAREA PIC X(100).\n");
        text.push_str("       PROCEDURE DIVISION.\n");
        for field in 1..40 {
            let before = field - 1;
            text.push_str(&format!(
                "           IF WS-F{before:02} > {} ADD WS-F{before:02} TO WS-F{field:02}\n           \
                 ELSE COMPUTE WS-F{field:02} ROUNDED = WS-F{before:02} * 1.05 END-IF.\n",
                number % 777
            ));
        }
        text.push_str(
            "           EXEC CICS WRITEQ TS QUEUE(WS-QUEUE) FROM(DFHCOMMAREA)\n               \
             RESP(WS-RESP) END-EXEC.\n           EXEC CICS LINK PROGRAM(WS-NEXT)\n               \
             COMMAREA(DFHCOMMAREA) RESP(WS-RESP) END-EXEC.\n           EXEC CICS RETURN END-EXEC.\n",
        );
        fs::write(root.join(format!("cobol/{name}.cbl")), text).map_err(io)?;
    }
    Ok(())
}
