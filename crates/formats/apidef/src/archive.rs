//! Service and API archives as zip files in memory: reading that trusts nothing, writing that is
//! repeatable.
//!
//! IBM's toolkit runs on Windows too, so member names come with back-slashes; they are turned into
//! `/` before any check. Nothing is ever written to a path here; names that would leave the archive
//! are refused all the same, because another program may unpack the same file. Not here: what the
//! members mean.

use crate::problem::Result;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{Cursor, Read, Write};
use transom_messages as messages;
use transom_messages::Problem;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

/// Largest archive accepted, in bytes as it came over the wire.
pub const ARCHIVE_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Most members in one archive. IBM's largest samples have under a hundred.
pub const MEMBERS_MAX: usize = 4096;
/// Largest single member after decompression, in bytes.
pub const MEMBER_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// All members together after decompression, in bytes.
pub const TOTAL_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Most times a member may grow when decompressed. Copybook XML reaches about 30.
pub const RATIO_MAX: u64 = 200;
/// Below this size the ratio is not looked at, in bytes.
const RATIO_FREE_BYTES: u64 = 256 * 1024;
/// Longest member name, in bytes.
pub const NAME_BYTES_MAX: usize = 1024;
/// Smallest possible end-of-central-directory record.
const END_RECORD_BYTES: usize = 22;

/// The members of one archive by normalised name, in name order.
#[derive(Clone, PartialEq, Eq)]
pub struct Archive {
    /// The archive's file name, for messages.
    pub name: String,
    members: BTreeMap<String, Vec<u8>>,
}

impl fmt::Debug for Archive {
    /// Names and sizes; nobody wants to see megabytes of members.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = self.members.iter().map(|(name, data)| (name, data.len()));
        f.write_str(&self.name)?;
        f.debug_map().entries(sizes).finish()
    }
}

impl Archive {
    /// Reads every member. `name` is only for messages.
    ///
    /// # Errors
    /// TXMAD0001E: no zip file, damaged or cut short. TXMAD0002E: a member name that is absolute,
    /// climbs out of the archive, is not text or comes twice. TXMAD0003E: one of the limits of this
    /// module is passed.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Archive> {
        if bytes.len() > ARCHIVE_BYTES_MAX {
            return Err(limit(
                name,
                format!(
                    "the archive has {} bytes, at most {ARCHIVE_BYTES_MAX} are accepted",
                    bytes.len()
                ),
            ));
        }
        let entries = entry_count(name, bytes)?;
        let mut zip =
            ZipArchive::new(Cursor::new(bytes)).map_err(|e| damaged(name, e.to_string()))?;
        if zip.len() != entries {
            return Err(Problem::new(
                messages::ad::member_names_differ(entries, zip.len()),
                name,
            ));
        }
        let mut members = BTreeMap::new();
        let mut total = 0u64;
        for index in 0..zip.len() {
            let (member, is_dir) = {
                let raw = zip
                    .by_index_raw(index)
                    .map_err(|e| damaged(name, e.to_string()))?;
                if raw.encrypted() {
                    return Err(damaged(name, format!("member {} is encrypted", raw.name())));
                }
                (
                    checked_name(name, raw.name_raw())?,
                    raw.is_dir() || raw.name_raw().ends_with(b"\\"),
                )
            };
            if is_dir {
                continue;
            }
            let data = read_member(name, &member, &mut zip, index, &mut total)?;
            if members.insert(member.clone(), data).is_some() {
                return Err(Problem::new(
                    messages::ad::member_twice(),
                    format!("{name}!{member}"),
                ));
            }
        }
        Ok(Archive {
            name: name.to_owned(),
            members,
        })
    }

    /// An archive to be filled with [`Archive::put`].
    pub fn new(name: &str) -> Archive {
        Archive {
            name: name.to_owned(),
            members: BTreeMap::new(),
        }
    }

    /// Adds or replaces a member.
    pub fn put(&mut self, member: &str, data: impl Into<Vec<u8>>) {
        self.members.insert(member.replace('\\', "/"), data.into());
    }

    /// The bytes of a member. Back-slashes in `member` count as `/`.
    pub fn get(&self, member: &str) -> Option<&[u8]> {
        let key = member.replace('\\', "/");
        self.members
            .get(key.trim_start_matches('/'))
            .map(Vec::as_slice)
    }

    /// The bytes of a member that must be there.
    ///
    /// # Errors
    /// TXMAD0004E when there is no such member.
    pub fn need(&self, member: &str) -> Result<&[u8]> {
        self.get(member).ok_or_else(|| {
            Problem::new(
                messages::ad::member_missing(member.replace('\\', "/")),
                &self.name,
            )
        })
    }

    /// The text of a member that must be there, without a byte order mark.
    ///
    /// # Errors
    /// TXMAD0004E when there is none, TXMAD0001E when it is not UTF-8.
    pub fn text(&self, member: &str) -> Result<&str> {
        let bytes = self.need(member)?;
        let text = std::str::from_utf8(bytes).map_err(|e| {
            Problem::new(
                messages::ad::member_not_text(e.valid_up_to()),
                self.place(member),
            )
        })?;
        Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
    }

    /// Normalised member names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.members.keys().map(String::as_str)
    }

    /// `archive!member`, as messages write it.
    pub fn place(&self, member: &str) -> String {
        format!("{}!{}", self.name, member.replace('\\', "/"))
    }

    /// The zip file. The same members give the same bytes on every machine: name order, one fixed
    /// time stamp.
    ///
    /// # Errors
    /// TXMAD0003E when a member is too large for a plain zip file.
    pub fn write(&self) -> Result<Vec<u8>> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let failed = |e: String| limit(&self.name, e);
        for (member, data) in &self.members {
            zip.start_file(member.as_str(), options)
                .map_err(|e| failed(e.to_string()))?;
            zip.write_all(data).map_err(|e| failed(e.to_string()))?;
        }
        let cursor = zip.finish().map_err(|e| failed(e.to_string()))?;
        Ok(cursor.into_inner())
    }
}

fn damaged(archive: &str, reason: impl std::fmt::Display) -> Problem {
    Problem::new(messages::ad::archive_not_readable(reason), archive)
}

fn limit(place: &str, limit: impl std::fmt::Display) -> Problem {
    Problem::new(messages::ad::limit_passed(limit), place)
}

/// Members the end record promises. Looked at first, because the zip reader keeps one of two equal
/// names silently.
fn entry_count(name: &str, bytes: &[u8]) -> Result<usize> {
    let last = bytes
        .len()
        .checked_sub(END_RECORD_BYTES)
        .ok_or_else(|| damaged(name, format!("only {} bytes", bytes.len())))?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    let at = (first..=last)
        .rev()
        .find(|i| bytes[*i..].starts_with(b"PK\x05\x06"))
        .ok_or_else(|| damaged(name, "no end record; it is no zip file or was cut short"))?;
    let entries = usize::from(u16::from_le_bytes([bytes[at + 10], bytes[at + 11]]));
    if entries > MEMBERS_MAX {
        return Err(limit(
            name,
            format!("the archive has {entries} members, at most {MEMBERS_MAX} are accepted"),
        ));
    }
    Ok(entries)
}

fn checked_name(archive: &str, raw: &[u8]) -> Result<String> {
    let shown = || String::from_utf8_lossy(raw).escape_default().to_string();
    let bad = |why: &str| Problem::new(messages::ad::member_name_unsafe(shown(), why), archive);
    if raw.len() > NAME_BYTES_MAX {
        return Err(limit(
            archive,
            format!(
                "a member name has {} bytes, at most {NAME_BYTES_MAX} are accepted",
                raw.len()
            ),
        ));
    }
    let name = std::str::from_utf8(raw)
        .map_err(|_| bad("is not UTF-8"))?
        .replace('\\', "/");
    if name.is_empty() {
        return Err(bad("is empty"));
    }
    if name.starts_with('/') || name.as_bytes().get(1) == Some(&b':') {
        return Err(bad("is absolute"));
    }
    if name.chars().any(char::is_control) {
        return Err(bad("has a control character"));
    }
    if name.split('/').any(|part| part == "..") {
        return Err(bad("leaves the archive"));
    }
    Ok(name
        .split('/')
        .filter(|p| !p.is_empty() && *p != ".")
        .collect::<Vec<_>>()
        .join("/"))
}

fn read_member(
    archive: &str,
    member: &str,
    zip: &mut ZipArchive<Cursor<&[u8]>>,
    index: usize,
    total: &mut u64,
) -> Result<Vec<u8>> {
    let place = format!("{archive}!{member}");
    let file = zip
        .by_index(index)
        .map_err(|e| damaged(&place, e.to_string()))?;
    let packed = file.compressed_size().max(1);
    let allowed = MEMBER_BYTES_MAX.min(TOTAL_BYTES_MAX.saturating_sub(*total));
    let mut data = Vec::new();
    // The sizes in the directory may lie; what is counted is what really comes out.
    file.take(allowed + 1)
        .read_to_end(&mut data)
        .map_err(|e| damaged(&place, e.to_string()))?;
    let size = data.len() as u64;
    if size > allowed {
        return Err(limit(
            &place,
            format!(
                "more than {MEMBER_BYTES_MAX} bytes in a member or {TOTAL_BYTES_MAX} in the archive after decompression"
            ),
        ));
    }
    if size > RATIO_FREE_BYTES && size / packed > RATIO_MAX {
        return Err(limit(
            &place,
            format!("{packed} bytes grow to {size}, more than {RATIO_MAX} times"),
        ));
    }
    *total += size;
    Ok(data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_the_same_bytes_each_time_and_reads_them_back() {
        let mut archive = Archive::new("a.sar");
        archive.put("files\\interfaces\\X.si", "<x/>");
        archive.put("manifest.yml", "name: a\n");
        let bytes = archive.write().unwrap();
        assert_eq!(bytes, archive.write().unwrap());
        let back = Archive::read("a.sar", &bytes).unwrap();
        assert_eq!(back, archive);
        assert_eq!(back.text("files/interfaces/X.si").unwrap(), "<x/>");
        assert_eq!(
            back.need("x").unwrap_err().id_first().to_string(),
            "TXMAD0004E a.sar: the archive has no member x"
        );
    }

    #[test]
    fn names_that_leave_the_archive_are_refused() {
        for (name, why) in [
            ("../etc/passwd", "leaves"),
            ("a\\..\\..\\b", "leaves"),
            ("/etc/passwd", "absolute"),
            ("C:\\x", "absolute"),
            ("a\nb", "control"),
        ] {
            let error = checked_name("a.sar", name.as_bytes()).unwrap_err();
            assert_eq!(error.id(), "TXMAD0002E");
            assert!(error.words().contains(why), "{error:?}");
        }
        assert_eq!(checked_name("a", b"./a//b\\c").unwrap(), "a/b/c");
    }
}
