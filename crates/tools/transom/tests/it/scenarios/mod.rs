//! The folders of `scenarios/`: COBOL, decks and maps, steps, and what must come of them.
//!
//! Each folder is a system directory with a file `steps` (`scenarios/README.md` has the words). A
//! new scenario is a new folder; no line of Rust knows one by name. A folder of `samples/` with
//! such a file is played, too. `SCENARIO=001` runs those whose names begin so. Not here: what the
//! steps mean (`stage`), how they are written (`step`).

mod difference;
mod server;
mod stage;
mod step;
mod terminal;

use crate::harness::root;
use server::Server;
use stage::Stage;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Regions that run at the same time; each has workers of its own.
const AT_A_TIME: usize = 2;

#[test]
fn every_scenario() {
    let wanted = std::env::var("SCENARIO").unwrap_or_default();
    let all = ["scenarios", "samples"].map(|all| std::fs::read_dir(root().join(all)).unwrap());
    let mut folders: Vec<PathBuf> = all
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.join("steps").is_file() && name(path).starts_with(&wanted))
        .collect();
    folders.sort();
    folders.reverse();
    let server = Server::for_some_of(&folders);
    let plays = folders
        .into_iter()
        .flat_map(|folder| plays(folder, &server));
    let (left, failed) = (Mutex::new(plays.collect()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                loop {
                    let next = Vec::pop(&mut *left.lock().unwrap());
                    let Some((folder, on)) = next else {
                        return;
                    };
                    if let Err(text) = run(&folder, on) {
                        failed.lock().unwrap().push(text);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "\n{}", failed.join("\n\n"));
}

/// A folder, and the server of its database where it is not the embedded one.
type Play<'s> = (PathBuf, Option<&'s Server>);

/// Once for each engine of EXEC SQL it is for.
fn plays<'s>(folder: PathBuf, server: &'s Option<Server>) -> Vec<Play<'s>> {
    let engines = server::engines(&folder);
    let mut plays = Vec::new();
    if engines.iter().any(|engine| engine == "SQLITE") {
        plays.push((folder.clone(), None));
    }
    if engines.iter().any(|engine| engine == "POSTGRES") {
        match server {
            Some(server) => plays.push((folder, Some(server))),
            None => println!("skipped: {} on PostgreSQL", name(&folder)),
        }
    }
    plays
}

fn name(folder: &Path) -> String {
    folder.file_name().unwrap().to_string_lossy().into_owned()
}

/// Plays the steps of any folder, on the embedded engine.
pub(crate) fn play(folder: &Path) -> Result<(), String> {
    run(folder, None)
}

/// Plays a folder's steps; what is wrong begins with the place.
fn run(folder: &Path, server: Option<&Server>) -> Result<(), String> {
    let text = std::fs::read_to_string(folder.join("steps")).map_err(|e| e.to_string())?;
    let mut stage = Stage::new(folder);
    if let Some(server) = server {
        stage.use_server(server.of(folder)?);
    }
    // Regions beside the scenario's own, and the one that steps are for.
    let (mut others, mut here) = (HashMap::new(), String::new());
    for (at, line) in text.lines().enumerate() {
        let played = step::read(line).and_then(|step| match step {
            Some(step) if step.words[0] == "at" => {
                here = step.words.get(1).cloned().unwrap_or_default();
                if !here.is_empty() && !others.contains_key(&here) {
                    others.insert(here.clone(), stage.beside(&here));
                }
                Ok(())
            }
            Some(step) => others.get_mut(&here).unwrap_or(&mut stage).play(&step),
            None => Ok(()),
        });
        played.map_err(|why| {
            let on = server.map_or("", |_| " (PostgreSQL)");
            let shown = folder.strip_prefix(root()).unwrap_or(folder);
            let place = format!("{}/steps:{}:{on} {line}", shown.display(), at + 1);
            {
                let said = others.get(&here).unwrap_or(&stage).last_words();
                format!("{place}\n{why}\n{said}")
            }
        })?;
    }
    Ok(())
}
