//! Callable services as programs find and enter them.
//!
//! What: the address behind a name when no program of the system has it, an entry of the edge
//! (`edge/services.c`) that reaches the arguments first; the storage and the log that services use
//! are the worker's. Not here: what a service does (`region/language_environment`), CEE3ABD
//! (`edge/runtime.c` ends the program, which no Rust frame may see).

use super::current::with_host;
use super::host::WorkerHost;
use super::output;
use crate::seam::Host;
use std::ffi::{c_char, c_int, c_void};
use transom_language_environment::{Process, serve};

unsafe extern "C" {
    fn txm_cee3abd(code: *const u8, clean_up: *const u8) -> c_int;
    fn txm_service_entry(name: *const c_char, length: usize) -> *mut c_void;
}

/// The entry of a service.
pub(super) fn entry(name: &str) -> Option<*mut c_void> {
    if name == "CEE3ABD" {
        return Some(txm_cee3abd as *mut c_void);
    }
    // CEEUTC is CEEGMT by another name.
    let name = if name == "CEEUTC" { "CEEGMT" } else { name };
    // SAFETY: looks the name up; nothing is kept.
    let entry = unsafe { txm_service_entry(name.as_ptr().cast(), name.len()) };
    (!entry.is_null()).then_some(entry)
}

/// Runs a service; answers the number of its message, 0 when it did what it should.
///
/// # Safety
/// The edge calls it with an index it got the entry for, and addresses of the lengths that belong
/// to that service; the feedback code alone may be null.
#[unsafe(no_mangle)]
unsafe extern "C" fn txm_service(number: c_int, arguments: *const *mut u8) -> c_int {
    let Ok(number) = usize::try_from(number) else {
        return 0;
    };
    let served = with_host(|host| {
        let mut enclave = std::mem::take(&mut host.enclave);
        // SAFETY: by the caller.
        let message = unsafe { serve(number, arguments, &mut enclave, host) };
        host.enclave = enclave;
        message
    });
    // Without a worker no service is found (`txm_resolve`).
    served.unwrap_or(0)
}

impl Process for WorkerHost {
    fn getmain(&mut self, bytes: usize) -> Option<usize> {
        Host::getmain(self, bytes, None)
    }

    fn freemain(&mut self, at: usize) -> bool {
        Host::freemain(self, at)
    }

    fn message(&mut self, text: &[u8]) {
        output::write(1, &[text, b"\n"].concat());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_services() {
        for name in ["CEEDAYS", "CEEDYWK", "CEEUTC", "CEE3ABD"] {
            assert!(entry(name).is_some(), "{name}");
        }
        assert_eq!(entry("CEEXYZ"), None);
    }
}
