//! Where regions and gateways of one machine meet: a folder per group below a runtime folder.
//!
//! What: the three WOLA names of a group become one folder, a registration one socket in it. Why:
//! both sides find each other by names alone, and only processes of the same user may enter. Not
//! here: what is said over the socket.

use crate::IntersystemError;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use transom_messages as messages;

/// Environment variable with the runtime folder, for both sides.
pub const RUNTIME_FOLDER_VARIABLE: &str = "TRANSOM_RUNTIME_DIR";
/// Longest of the three names of a group, characters.
pub const GROUP_NAME_MAX: usize = 8;
/// Longest path of a Unix socket on Linux, bytes without the final zero.
pub const SOCKET_PATH_MAX: usize = 107;

/// The runtime folder when none is configured: `TRANSOM_RUNTIME_DIR`, else `transom` below
/// `XDG_RUNTIME_DIR`, else a folder of this user below `/tmp`.
pub fn runtime_folder() -> PathBuf {
    let of = |name| std::env::var_os(name).filter(|v| !v.is_empty());
    if let Some(folder) = of(RUNTIME_FOLDER_VARIABLE) {
        return folder.into();
    }
    match of("XDG_RUNTIME_DIR") {
        Some(folder) => Path::new(&folder).join("transom"),
        None => format!("/tmp/transom-{}", own_uid().unwrap_or(u32::MAX)).into(),
    }
}

/// Folder of a group (`wolaGroup`, `wolaName2`, `wolaName3`; BBOC: DGN, NDN, SVN). Names are of one
/// case; empty ones are left out.
pub fn group_folder(runtime: &Path, names: [&str; 3]) -> PathBuf {
    let parts = names.iter().map(|n| plain(&n.trim().to_ascii_uppercase()));
    let parts: Vec<String> = parts.filter(|n| !n.is_empty()).collect();
    match parts.is_empty() {
        true => runtime.join("DEFAULT"),
        false => runtime.join(parts.join("+")),
    }
}

/// Where the link server of a registration listens below its group's folder.
pub fn socket_path(folder: &Path, registration: &str) -> PathBuf {
    folder.join(format!("{}.sock", plain(registration)))
}

/// Makes the runtime folder and the group's folder in it, open to this user only.
///
/// # Errors
/// TXMIS0010E: a folder cannot be made, or it is there and belongs to or is open to somebody else.
pub fn prepare(group: &Path) -> Result<(), IntersystemError> {
    let runtime = group.parent().unwrap_or(group);
    for folder in [runtime, group] {
        let made = make(folder);
        made.map_err(|e| {
            let folder = folder.display();
            IntersystemError::new(messages::is::runtime_folder(&folder, &e))
        })?;
    }
    Ok(())
}

fn make(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true).mode(0o700).create(folder)?;
    let found = std::fs::symlink_metadata(folder)?;
    let other = |text| Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
    if !found.is_dir() {
        return other("it is no folder");
    }
    if found.uid() != own_uid()? {
        return other("it belongs to another user");
    }
    // Somebody who may write here could put a socket of their own in the place of a region's.
    if found.mode() & 0o022 != 0 {
        return other("others may write there");
    }
    Ok(())
}

/// True when a process of this user may talk to ours: the same user or root.
pub fn is_trusted(peer: u32) -> bool {
    peer == 0 || own_uid().is_ok_and(|own| own == peer)
}

/// User of this process. The entry of a process in /proc belongs to its effective user.
fn own_uid() -> io::Result<u32> {
    Ok(std::fs::metadata("/proc/self")?.uid())
}

fn plain(name: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || "@#$-_".contains(c) {
            c
        } else {
            '_'
        }
    };
    name.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn groups_and_registrations_are_paths_that_stay_inside() {
        let group = |names| group_folder(Path::new("/run/x"), names);
        assert_eq!(
            group(["CATMGR1", "CATMGR2", "CATMGR3"]),
            Path::new("/run/x/CATMGR1+CATMGR2+CATMGR3")
        );
        assert_eq!(group(["catmgr1", "", " "]), Path::new("/run/x/CATMGR1"));
        assert_eq!(group(["", "", ""]), Path::new("/run/x/DEFAULT"));
        assert_eq!(group(["../..", "a/b", ""]), Path::new("/run/x/_____+A_B"));
        let socket = socket_path(Path::new("/run"), "A/../B");
        assert_eq!(socket, Path::new("/run/A____B.sock"));
    }

    #[test]
    fn folders_are_private_and_open_ones_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let group = dir.path().join("run/G");
        prepare(&group).unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().mode() & 0o777;
        assert_eq!(
            (mode(&group), mode(group.parent().unwrap())),
            (0o700, 0o700)
        );
        std::fs::set_permissions(&group, std::fs::Permissions::from_mode(0o777)).unwrap();
        let error = prepare(&group).unwrap_err();
        assert_eq!(error.id(), "TXMIS0010E");
        assert!(error.to_string().contains("others may write"), "{error}");
        std::fs::set_permissions(&group, std::fs::Permissions::from_mode(0o700)).unwrap();
        std::fs::write(group.join("file"), "").unwrap();
        assert!(prepare(&group.join("file")).is_err());
    }

    #[test]
    fn only_this_user_and_root_are_trusted() {
        let own = own_uid().unwrap();
        assert!(is_trusted(own) && is_trusted(0));
        assert!(!is_trusted(own.wrapping_add(12_345)));
    }
}
