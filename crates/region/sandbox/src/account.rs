//! The account a process of root goes on as.
//!
//! What: the account that is named, else the owner of the folder; its groups and its user, for
//! good. Of root's rights one stays, ports below 1024. Why here: it takes system calls. Not here:
//! the user of workers (`rights`).

use super::rights::{done, is_root, keep};
use std::ffi::{CStr, CString};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use transom_messages::{self as messages, Message};

/// Listening on ports below 1024.
const CAP_NET_BIND_SERVICE: u32 = 10;
/// Bytes for the texts of an account, at most.
const TEXTS_MAX: usize = 1 << 20;

struct Known {
    name: CString,
    user: u32,
    group: u32,
}

/// A process of root goes on as the account of a name, or, where that is empty, as the owner of a
/// folder; its name. `Ok(None)`: the process is not root's, or the account is root itself.
///
/// # Errors
/// There is no such account, or the system refuses: the process may have given up a part of what it
/// had and must end.
pub fn leave_root(named: &str, folder: &Path) -> Result<Option<String>, Message> {
    // A folder that is not there: who opens it says why.
    let owner = std::fs::metadata(folder).map_or((0, 0), |found| (found.uid(), found.gid()));
    if !is_root() || (named.is_empty() && owner.0 == 0) {
        return Ok(None);
    }
    let shown = match named {
        "" => owner.0.to_string(),
        name => name.to_owned(),
    };
    let known = match named {
        "" => by_number(owner.0),
        name => by_name(name).map(Some),
    };
    let taken = known.and_then(|known| become_one(known.as_ref(), owner).map(|()| known));
    let taken = taken.map_err(|e| messages::si::account_refused(&shown, &e))?;
    let name = taken.map(|known| known.name.to_string_lossy().into_owned());
    Ok(Some(name.unwrap_or(shown)).filter(|_| !is_root()))
}

/// An account, or a user and a group of none.
fn become_one(known: Option<&Known>, owner: (u32, u32)) -> io::Result<()> {
    let (user, group) = known.map_or(owner, |known| (known.user, known.group));
    if user == 0 {
        return Ok(());
    }
    // SAFETY: plain system calls; the name is a string of C that lives as long.
    unsafe {
        done(libc::prctl(libc::PR_SET_KEEPCAPS, 1, 0, 0, 0))?;
        match known {
            Some(known) => done(libc::initgroups(known.name.as_ptr(), group))?,
            None => done(libc::setgroups(0, std::ptr::null()))?,
        }
        done(libc::setresgid(group, group, group))?;
        done(libc::setresuid(user, user, user))?;
    }
    keep(1 << CAP_NET_BIND_SERVICE)
}

fn by_name(name: &str) -> io::Result<Known> {
    let name = CString::new(name).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
    // SAFETY: the name is a string of C; the rest is as `found` hands it in.
    let known = found(|entry, texts, result| unsafe {
        libc::getpwnam_r(
            name.as_ptr(),
            entry,
            texts.as_mut_ptr(),
            texts.len(),
            result,
        )
    })?;
    known.ok_or_else(|| io::ErrorKind::NotFound.into())
}

fn by_number(user: u32) -> io::Result<Option<Known>> {
    // SAFETY: as `found` hands it in.
    found(|entry, texts, result| unsafe {
        libc::getpwuid_r(user, entry, texts.as_mut_ptr(), texts.len(), result)
    })
}

/// An entry of the system's accounts; `ask` fills in the entry, whose texts lie in the buffer, and
/// says by the last argument whether there is one.
fn found(
    ask: impl Fn(*mut libc::passwd, &mut [libc::c_char], *mut *mut libc::passwd) -> libc::c_int,
) -> io::Result<Option<Known>> {
    let mut bytes = 1_024;
    loop {
        // SAFETY: an entry of numbers and pointers that are none.
        let mut entry = unsafe { std::mem::zeroed::<libc::passwd>() };
        let mut texts = vec![0; bytes];
        let mut result = std::ptr::null_mut();
        match ask(&raw mut entry, &mut texts, &raw mut result) {
            0 if result.is_null() => return Ok(None),
            0 => {
                // SAFETY: a string of C in `texts`, which is still there.
                let name = unsafe { CStr::from_ptr(entry.pw_name) }.to_owned();
                return Ok(Some(Known {
                    name,
                    user: entry.pw_uid,
                    group: entry.pw_gid,
                }));
            }
            libc::ERANGE if bytes < TEXTS_MAX => bytes *= 4,
            error => return Err(io::Error::from_raw_os_error(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_are_found_by_name_and_number() {
        let root = by_name("root").unwrap();
        assert_eq!((root.user, root.group), (0, 0));
        assert_eq!(by_number(0).unwrap().unwrap().name, c"root".to_owned());
        assert!(by_name("no-such-account-here").is_err());
        assert!(by_number(4_000_000_001).unwrap().is_none());
        // Root stays root.
        assert_eq!(leave_root("root", Path::new("/")), Ok(None));
    }
}
