//! Where storage that programs see lies in a worker: all of it below 2 GiB.
//!
//! What: one address range for each kind of storage, and the check that nobody else has it. Why: a
//! POINTER has four bytes. Why fixed: storage that programs share has one address in all workers.
//! Record 0020 has the whole map. Not here: what lies inside a range.

use std::io;
use std::ops::Range;

/// The EXEC interface block, on a page of its own.
pub(crate) const EIB: usize = 0x0010_0000;
/// Task storage whose addresses have three bytes: pages that BMS hands over.
pub(crate) const BELOW_16_MB: Range<usize> = 0x0020_0000..0x0060_0000;
/// Compiled modules with their WORKING-STORAGE. These and the first 63 MB of task storage lie below
/// 100,000,000: programs that compute with addresses in PIC S9(8) COMP lose no digit there.
pub(crate) const MODULES: Range<usize> = 0x0060_0000..0x0200_0000;
/// Task storage of a worker: [`crate::config::MAX_TASK_STORAGE_BYTES`] from here.
pub(crate) const TASK_STORAGE: usize = 0x0200_0000;
/// The page at whose end the CWA lies, between 64 KB without storage on either side.
pub(crate) const CWA: Range<usize> = 0x1201_0000..0x1201_0000 + PAGE;
/// Other storage that programs share, GETMAIN SHARED and LOADed tables:
/// [`crate::config::MAX_SHARED_STORAGE_BYTES`] from here, and nothing behind it.
pub(crate) const SHARED_STORAGE: usize = 0x1203_0000;
/// Compiled modules that find no room in [`MODULES`]. CICS's null address X'FF000000' is 0x7F000000
/// in an address of 31 bits: nothing lies there.
pub(crate) const MORE_MODULES: Range<usize> = 0x2400_0000..0x7E00_0000;

const PAGE: usize = 4096;

/// Private storage at a place of the map.
pub(crate) fn reserve(at: usize, bytes: usize) -> io::Result<usize> {
    let flags =
        libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
    // SAFETY: a fresh reservation that replaces nothing; pages appear as they are touched.
    let got = unsafe {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        libc::mmap(at as *mut libc::c_void, bytes, access, flags, -1, 0)
    };
    if got == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    if got as usize != at {
        // SAFETY: an old kernel took the address as a hint; give back what it chose.
        unsafe { libc::munmap(got, bytes) };
        return Err(io::Error::from(io::ErrorKind::AddrInUse));
    }
    Ok(at)
}

/// The whole map is free: a worker can run here.
pub(crate) fn check() -> io::Result<()> {
    let bytes = MORE_MODULES.end - EIB;
    let at = reserve(EIB, bytes)?;
    // SAFETY: reserved by the line above and used by nobody.
    unsafe { libc::munmap(at as *mut libc::c_void, bytes) };
    Ok(())
}

/// The block of a worker's EXEC interface block.
pub(crate) fn eib<const N: usize>() -> io::Result<&'static mut [u8; N]> {
    const { assert!(N <= PAGE) };
    let at = reserve(EIB, PAGE)?;
    // SAFETY: a page of zeros that was reserved by the line above, is never given back and has no
    // other name in Rust; programs change it only while Rust does not look.
    Ok(unsafe { &mut *(at as *mut [u8; N]) })
}

const _: () = assert!(EIB + PAGE < BELOW_16_MB.start && BELOW_16_MB.end <= MODULES.start);
const _: () = assert!(BELOW_16_MB.end <= 1 << 24 && MODULES.end <= TASK_STORAGE);
/// Storage between which nothing may lie has at least this between.
const GUARD: usize = 64 << 10;
const _: () = assert!(TASK_STORAGE + crate::config::MAX_TASK_STORAGE_BYTES + GUARD <= CWA.start);
const _: () = assert!(CWA.end + GUARD <= SHARED_STORAGE);
const _: () =
    assert!(SHARED_STORAGE + crate::config::MAX_SHARED_STORAGE_BYTES + GUARD <= MORE_MODULES.start);
