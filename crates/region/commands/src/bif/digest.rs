//! EXEC CICS BIF DIGEST: SHA-1 of some data.
//!
//! RESULT holds 40 hexadecimal digits, 20 bytes (BINARY) or 28 characters (BASE64); HEX is the
//! default. Conditions: INVREQ 1 (DIGESTTYPE not known); LENGERR 1 (RECORDLEN negative), 2 (RESULT
//! too short). SHA-1 is what the command is defined to use; it must not protect anything.

use crate::command::{Cx, Done, NORMAL, area_in, area_out, raise};
use transom_commands::opt;
use transom_types::Resp;

/// The command.
pub(crate) fn digest(cx: &mut Cx<'_>) -> Done {
    let length = match cx.number(opt::RECORDLEN) {
        Some(length) => usize::try_from(length).or_else(|_| raise(Resp::LENGERR, 1))?,
        None => cx.call.bytes(opt::RECORD).map_or(0, <[u8]>::len),
    };
    let digest = sha1(area_in(cx.host, cx.call, opt::RECORD, length));
    let result = if cx.value_is(opt::BINARY, opt::DIGESTTYPE, "BINARY") {
        digest.to_vec()
    } else if cx.value_is(opt::BASE64, opt::DIGESTTYPE, "BASE64") {
        base64(&digest)
    } else if cx.value_is(opt::HEX, opt::DIGESTTYPE, "HEX") || !cx.has(opt::DIGESTTYPE) {
        digest
            .iter()
            .flat_map(|byte| format!("{byte:02X}").into_bytes())
            .collect()
    } else {
        return raise(Resp::INVREQ, 1);
    };
    if cx
        .call
        .bytes(opt::RESULT)
        .is_some_and(|field| field.len() < result.len())
    {
        return raise(Resp::LENGERR, 2);
    }
    area_out(cx.host, cx.call, opt::RESULT, &result);
    NORMAL
}

fn sha1(data: &[u8]) -> [u8; 20] {
    let mut state = [
        0x6745_2301u32,
        0xEFCD_AB89,
        0x98BA_DCFE,
        0x1032_5476,
        0xC3D2_E1F0,
    ];
    let (blocks, rest) = data.as_chunks::<64>();
    blocks.iter().for_each(|block| compress(&mut state, block));
    let mut tail = rest.to_vec();
    tail.push(0x80);
    tail.resize(if tail.len() > 56 { 120 } else { 56 }, 0);
    tail.extend_from_slice(&(data.len() as u64).wrapping_mul(8).to_be_bytes());
    tail.as_chunks::<64>()
        .0
        .iter()
        .for_each(|block| compress(&mut state, block));
    let mut out = [0; 20];
    for (to, word) in out.as_chunks_mut::<4>().0.iter_mut().zip(state) {
        *to = word.to_be_bytes();
    }
    out
}

fn compress(state: &mut [u32; 5], block: &[u8; 64]) {
    let mut schedule = [0u32; 80];
    for (word, bytes) in schedule.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for i in 16..80 {
        let mixed = schedule[i - 3] ^ schedule[i - 8] ^ schedule[i - 14] ^ schedule[i - 16];
        schedule[i] = mixed.rotate_left(1);
    }
    let [mut a, mut b, mut c, mut d, mut e] = *state;
    for (round, word) in schedule.iter().enumerate() {
        let (f, k) = match round {
            0..20 => ((b & c) | (!b & d), 0x5A82_7999),
            20..40 => (b ^ c ^ d, 0x6ED9_EBA1),
            40..60 => ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC),
            _ => (b ^ c ^ d, 0xCA62_C1D6u32),
        };
        let next = a.rotate_left(5).wrapping_add(f).wrapping_add(e);
        let next = next.wrapping_add(k).wrapping_add(*word);
        (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
    }
    for (word, add) in state.iter_mut().zip([a, b, c, d, e]) {
        *word = word.wrapping_add(add);
    }
}

fn base64(data: &[u8]) -> Vec<u8> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = Vec::with_capacity(data.len().div_ceil(3) * 4);
    for chunk in data.chunks(3) {
        let bits = chunk.iter().fold(0u32, |bits, b| bits << 8 | u32::from(*b));
        let bits = bits << (8 * (3 - chunk.len()));
        for at in 0..4 {
            let letter = ALPHABET[(bits >> (18 - 6 * at) & 63) as usize];
            out.push(if at <= chunk.len() { letter } else { b'=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn published_examples() {
        assert_eq!(
            hex(&sha1(b"abc")),
            "a9993e364706816aba3e25717850c26c9cd0d89d"
        );
        assert_eq!(hex(&sha1(b"")), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
        let two_blocks = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(
            hex(&sha1(two_blocks)),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        );
        let million = vec![b'a'; 1_000_000];
        assert_eq!(
            hex(&sha1(&million)),
            "34aa973cd4c4daa4f61eeb2bdbad27316534016f"
        );
        assert_eq!(base64(b"Ma"), b"TWE=");
        assert_eq!(base64(b"Man"), b"TWFu");
        assert_eq!(base64(b"M"), b"TQ==");
    }
}
