//! Intrinsic functions of Enterprise COBOL that GnuCOBOL lacks.
//!
//! What: [`txm_function`] is called by the edge (`edge/functions.c`) with arguments it has reached.
//! Not here: their values (`formats/functions`).

use std::cell::RefCell;
use std::ffi::{c_char, c_int};
use transom_functions::{Operand, Value, call};

/// `struct txm_operand`.
#[repr(C)]
pub(crate) struct RawOperand {
    data: *const u8,
    size: usize,
    number: i64,
    national: c_int,
}

/// `struct txm_value`.
#[repr(C)]
pub(crate) struct RawValue {
    data: *const u8,
    size: usize,
    national: c_int,
    problem: [c_char; PROBLEM_BYTES],
}

const PROBLEM_BYTES: usize = 120;
thread_local! {
    /// The last value, until the edge has copied it.
    static LAST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The bytes of an operand, copied: in storage that programs share another one may store while they
/// are looked at, and text that was found to be UTF-8 must stay so.
///
/// # Safety
/// Its bytes can be read.
unsafe fn copy_of(operand: &RawOperand) -> Vec<u8> {
    let mut copy = vec![0; operand.size];
    if operand.size > 0 {
        // SAFETY: by the caller, and as long as the copy. An empty one may have any address.
        unsafe { std::ptr::copy_nonoverlapping(operand.data, copy.as_mut_ptr(), operand.size) };
    }
    copy
}

fn random() -> Option<[u8; 16]> {
    let mut random = [0u8; 16];
    // SAFETY: writes as many bytes as the array has.
    let got = unsafe { libc::getrandom(random.as_mut_ptr().cast(), random.len(), 0) };
    (got == random.len() as isize).then_some(random)
}

/// Runs a function.
///
/// # Safety
/// The edge calls it with `length` bytes of name, `count` operands whose bytes can be read, and
/// room for a value.
#[unsafe(no_mangle)]
unsafe extern "C" fn txm_function(
    name: *const u8,
    length: usize,
    operands: *const RawOperand,
    count: c_int,
    value: *mut RawValue,
) {
    // SAFETY: by the caller.
    let (name, raw) = unsafe {
        (
            std::slice::from_raw_parts(name, length),
            std::slice::from_raw_parts(operands, usize::try_from(count).unwrap_or(0)),
        )
    };
    // SAFETY: by the caller.
    let copies: Vec<Vec<u8>> = raw.iter().map(|o| unsafe { copy_of(o) }).collect();
    let operands = raw.iter().zip(&copies).map(|(o, bytes)| Operand {
        bytes,
        number: o.number,
        national: o.national != 0,
    });
    let operands: Vec<Operand<'_>> = operands.collect();
    let name = String::from_utf8_lossy(name);
    let answer = call(&name, &operands, random);
    // SAFETY: by the caller, for writing.
    let value = unsafe { &mut *value };
    let (bytes, national) = match answer {
        Ok(Value::Integer(n)) => {
            value.size = n;
            return;
        }
        Ok(Value::Text(bytes)) => (bytes, false),
        Ok(Value::National(bytes)) => (bytes, true),
        Err(problem) => {
            let name = name.split(':').next().unwrap_or_default();
            let problem = format!("FUNCTION {name}: {problem}");
            for (to, from) in value.problem[..PROBLEM_BYTES - 1]
                .iter_mut()
                .zip(problem.bytes())
            {
                *to = from as c_char;
            }
            return;
        }
    };
    LAST.with_borrow_mut(|last| {
        *last = bytes;
        value.data = last.as_ptr();
        value.size = last.len();
        value.national = c_int::from(national);
    });
}
