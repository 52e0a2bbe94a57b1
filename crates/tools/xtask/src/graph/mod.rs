//! The structure of the project: rooms, arrows between them, circles of files inside them.
//!
//! What: `cargo xtask graph` prints each crate with what it depends on, its inner rooms (folders
//! and files beside lib.rs) and the files that depend on each other in a circle; with a room's
//! name, the arrows of that room one by one. Why: a circle is code that can only be understood at
//! once, and a compiler finds none inside a crate. Not here: how a name is traced to its file
//! (`modules`).

mod circles;
mod modules;

use crate::arrows::dependencies;
use crate::ratchet::Numbers;
use crate::tree::{Source, rooms, sources};
use circles::circles;
use modules::arrows;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Files of one room and how they depend on each other.
struct Room {
    files: Vec<Source>,
    /// Places in `files`, from and to.
    arrows: BTreeSet<(usize, usize)>,
    /// Files that depend on each other in a circle, largest circle first.
    circles: Vec<Vec<usize>>,
}

/// Files in circles, by room.
pub(crate) fn in_circles(root: &Path) -> Numbers {
    let numbers = rooms(root).into_iter().map(|room| {
        let files = Room::read(root, &room).in_circles();
        (room, files)
    });
    numbers.filter(|(_, files)| *files > 0).collect()
}

/// Prints all rooms, or the arrows and circles of one.
pub(crate) fn print(root: &Path, one: Option<&str>) -> Vec<String> {
    if let Some(name) = one {
        if !root.join(name).is_dir() {
            return vec![format!("{name}: no such room")];
        }
        Room::read(root, name).print();
        return Vec::new();
    }
    let workspace = fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default();
    println!(
        "{:26} {:>5} {:>6} {:>6} {:>7}  depends on",
        "room", "files", "inner", "arrows", "circles"
    );
    for name in rooms(root) {
        let room = Room::read(root, &name);
        let (inner, arrows) = room.inner();
        let manifest = fs::read_to_string(root.join(&name).join("Cargo.toml")).unwrap_or_default();
        let others = dependencies(&manifest, &workspace);
        let others: Vec<&str> = others
            .iter()
            .filter_map(|o| o.strip_prefix("crates/"))
            .collect();
        println!(
            "{:26} {:5} {inner:6} {arrows:6} {:7}  {}",
            name.trim_start_matches("crates/"),
            room.files.len(),
            room.in_circles(),
            others.join(" ")
        );
    }
    Vec::new()
}

impl Room {
    fn read(root: &Path, name: &str) -> Room {
        let folder = format!("{name}/src/");
        let mut files = sources(root, &folder, &["rs"]);
        files.retain(|file| !file.is_test());
        for file in &mut files {
            file.name.drain(..folder.len());
        }
        let arrows = arrows(&files);
        let circles = circles(files.len(), &arrows);
        Room {
            files,
            arrows,
            circles,
        }
    }

    fn in_circles(&self) -> usize {
        self.circles.iter().map(Vec::len).sum()
    }

    /// Inner rooms, and arrows between different ones.
    fn inner(&self) -> (usize, usize) {
        let rooms: BTreeSet<&str> = self.files.iter().map(inner_room).collect();
        (rooms.len(), self.inner_arrows().len())
    }

    fn inner_arrows(&self) -> BTreeSet<(&str, &str)> {
        let ends = self.arrows.iter();
        let ends =
            ends.map(|(from, to)| (inner_room(&self.files[*from]), inner_room(&self.files[*to])));
        ends.filter(|(from, to)| from != to).collect()
    }

    fn print(&self) {
        for (from, to) in self.inner_arrows() {
            println!("{from} -> {to}");
        }
        for circle in &self.circles {
            println!("circle of {} files:", circle.len());
            for (from, to) in &self.arrows {
                if circle.contains(from) && circle.contains(to) {
                    println!("  {} -> {}", self.files[*from].name, self.files[*to].name);
                }
            }
        }
    }
}

/// The folder below `src`, or the file's own name: `region`, `exec`.
fn inner_room(file: &Source) -> &str {
    let first = file.name.split('/').next().unwrap_or_default();
    first.strip_suffix(".rs").unwrap_or(first)
}
