//! The command without what runs a system directory.

use clap::Parser;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use transom_import::{Beside, ImportArgs, import};
use transom_system::build::Outcome;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: ImportArgs,
}

/// A checkout, and a place beside it.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    /// A checkout with files of these names and texts.
    pub(crate) fn with(files: &[(&str, &[u8])]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("checkout")).unwrap();
        let place = Self { folder };
        for (name, text) in files {
            place.put(name, text);
        }
        place
    }

    /// A checkout of the made-up application.
    pub(crate) fn shop() -> Self {
        let place = Self::with(&[]);
        let shop = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/shop");
        copy(&shop, &place.checkout());
        place
    }

    pub(crate) fn checkout(&self) -> PathBuf {
        self.folder.path().join("checkout")
    }

    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn put(&self, name: &str, text: &[u8]) {
        let path = self.checkout().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Imports into `system`; answers whether it worked, and what was said.
    pub(crate) fn import(&self, options: &[&str]) -> (bool, String) {
        let said = RefCell::new(String::new());
        let (checkout, dir) = (self.checkout(), self.beside("system"));
        let words = ["import", checkout.to_str().unwrap(), dir.to_str().unwrap()];
        let cli = Cli::parse_from(words.iter().chain(options));
        let beside = Beside {
            build: &|_| Ok(Outcome::default()),
            script: &|_| Err("no database".to_owned()),
            say: &|message| {
                said.borrow_mut().push_str(message.as_ref());
                said.borrow_mut().push('\n');
            },
            print: |_| {},
        };
        let done = import(&cli.args, &beside);
        let mut said = said.into_inner();
        said.push_str(done.as_ref().err().map_or("", String::as_str));
        (done.is_ok(), said)
    }

    /// Files of the system directory, sorted.
    pub(crate) fn made(&self) -> Vec<String> {
        let mut all = Vec::new();
        let dir = self.beside("system");
        list(&dir, &dir, &mut all);
        all.sort();
        all
    }

    /// Nothing was made, and nothing is left of an attempt.
    pub(crate) fn is_untouched(&self) -> bool {
        let entries = std::fs::read_dir(self.folder.path()).unwrap().flatten();
        entries.filter(|e| e.file_name() != "checkout").count() == 0
    }
}

fn list(root: &Path, at: &Path, all: &mut Vec<String>) {
    for entry in std::fs::read_dir(at).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            list(root, &path, all);
        } else {
            all.push(path.strip_prefix(root).unwrap().display().to_string());
        }
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
