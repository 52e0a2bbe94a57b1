//! The program status word of a program check, as far as there is one.
//!
//! What: the forms in which ASSIGN and dumps tell a [`Place`]. The address is that of the
//! instruction in the compiled module, which lies below 2 GiB; the rest of the word is what every
//! COBOL program of a CICS region has: problem state, user key, 31-bit addresses. Not here:
//! registers; those of this machine mean nothing to a program for another one.

use transom_workers::seam::Place;

/// Interrupts allowed, key 8, machine checks, problem state.
const MASKS: [u8; 4] = [0x07, 0x8D, 0x00, 0x00];
/// The same in the long form, and 31-bit addressing.
const LONG_MASKS: [u8; 8] = [0x07, 0x85, 0x00, 0x00, 0x80, 0x00, 0x00, 0x00];
/// 31-bit addressing, in front of the address.
const AMODE_31: u32 = 0x8000_0000;

/// The PSW of 8 bytes.
pub fn short(place: &Place) -> [u8; 8] {
    let mut psw = [0; 8];
    psw[..4].copy_from_slice(&MASKS);
    psw[4..].copy_from_slice(&(place.address as u32 | AMODE_31).to_be_bytes());
    psw
}

/// The PSW of 16 bytes.
pub fn long(place: &Place) -> [u8; 16] {
    let mut psw = [0; 16];
    psw[..8].copy_from_slice(&LONG_MASKS);
    psw[8..].copy_from_slice(&(place.address as u64).to_be_bytes());
    psw
}

/// Length of the instruction (0: unknown), interruption code, address that could not be reached.
pub fn interruption(place: &Place) -> [u8; 8] {
    let mut bytes = [0; 8];
    bytes[3] = place.interruption;
    bytes[4..].copy_from_slice(&(place.operand as u32).to_be_bytes());
    bytes
}

/// A line for a dump.
pub fn line(place: &Place) -> String {
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02X}")).collect::<String>();
    let psw = short(place);
    let mut line = format!(
        "PSW {} {}  program {}  offset X'{:08X}'  loaded at X'{:08X}'",
        hex(&psw[..4]),
        hex(&psw[4..]),
        place.program,
        place.offset(),
        place.load_point,
    );
    if place.line != 0 {
        line.push_str(&format!("  line {}", place.line));
    }
    line
}
