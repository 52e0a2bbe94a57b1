//! The records of a system directory, from its files, as they are and as they come.
//!
//! Why the next file only after the end of one: a region writes one file at a time, so what lies
//! behind the last whole frame of a file with a successor is damage. Not here: which records are
//! meant.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;
use transom_messages::mn;
use transom_monitoring::stream::{Item, Reader};
use transom_region_monitoring::in_order;

/// Bytes that are read at once.
const PIECE_BYTES: usize = 1 << 20;
/// How often a file is looked at for more.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Reads the files of a folder, oldest first.
pub(crate) struct Source {
    folder: PathBuf,
    /// The file that is read, and how far.
    at: Option<(PathBuf, u64)>,
    reader: Reader,
    rest: Vec<u8>,
}

impl Source {
    /// The records of a system directory, or of a folder of files itself.
    ///
    /// # Errors
    /// There are none.
    pub(crate) fn open(dir: &Path) -> Result<Self, String> {
        let own = dir.join("monitoring");
        for folder in [&own, dir] {
            let files = in_order(folder)
                .map_err(|why| mn::not_readable(folder.display(), &why).to_string())?;
            if !files.is_empty() {
                return Ok(Self {
                    folder: folder.to_path_buf(),
                    at: None,
                    reader: Reader::default(),
                    rest: Vec::new(),
                });
            }
        }
        Err(mn::none(own.display()).to_string())
    }

    /// Hands on every item there is; with `follow` also those that come, until `take` says no.
    ///
    /// # Errors
    /// A file cannot be read.
    pub(crate) fn each(
        &mut self,
        follow: bool,
        take: &mut dyn FnMut(Item) -> bool,
    ) -> Result<(), String> {
        loop {
            let more = self.piece(take)?;
            match more {
                Piece::Stop => return Ok(()),
                Piece::More => {}
                Piece::End if !self.next_file()? => {
                    if !follow {
                        for item in self.reader.end(&std::mem::take(&mut self.rest)) {
                            if !take(item) {
                                break;
                            }
                        }
                        return Ok(());
                    }
                    std::thread::sleep(LOOK_EVERY);
                }
                // The file may have grown before the next one was made.
                Piece::End => {
                    while matches!(self.piece(take)?, Piece::More) {}
                    self.leave(take);
                }
            }
        }
    }

    /// Reads on in the file.
    fn piece(&mut self, take: &mut dyn FnMut(Item) -> bool) -> Result<Piece, String> {
        let Some((path, position)) = &mut self.at else {
            return Ok(Piece::End);
        };
        let failed = |why| mn::not_readable(path.display(), &why).to_string();
        let mut file = match File::open(&*path) {
            Ok(file) => file,
            // The region has deleted it.
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(Piece::End),
            Err(why) => return Err(failed(why)),
        };
        file.seek(SeekFrom::Start(*position)).map_err(failed)?;
        let begin = self.rest.len();
        let read = file.take(PIECE_BYTES as u64).read_to_end(&mut self.rest);
        read.map_err(failed)?;
        let bytes = self.rest.len() - begin;
        *position += bytes as u64;
        let mut from = &self.rest[..];
        while let Some(item) = self.reader.next(&mut from) {
            if !take(item) {
                return Ok(Piece::Stop);
            }
        }
        let left = from.len();
        self.rest.drain(..self.rest.len() - left);
        Ok(if bytes == 0 { Piece::End } else { Piece::More })
    }

    /// There is a file behind this one.
    fn next_file(&mut self) -> Result<bool, String> {
        Ok(self.behind()?.is_some())
    }

    fn behind(&self) -> Result<Option<PathBuf>, String> {
        let files = in_order(&self.folder);
        let files =
            files.map_err(|why| mn::not_readable(self.folder.display(), &why).to_string())?;
        let is_behind = |path: &PathBuf| match &self.at {
            None => true,
            Some((at, _)) => (path.as_os_str().len(), path) > (at.as_os_str().len(), at),
        };
        Ok(files.into_iter().find(is_behind))
    }

    /// Goes to the next file; what is left of this one is no record.
    fn leave(&mut self, take: &mut dyn FnMut(Item) -> bool) {
        for item in self.reader.end(&std::mem::take(&mut self.rest)) {
            take(item);
        }
        if let Ok(Some(next)) = self.behind() {
            self.at = Some((next, 0));
        }
    }
}

enum Piece {
    More,
    End,
    Stop,
}
