//! RECEIVE MAP: received fields in, program storage out.

use super::{ORDER, map, model2};
use transom_bms::{
    FLAG_CURSOR, FLAG_ERASED, PhysicalMap, Received, UnpackError, UnpackOptions, unpack,
};

/// A terminal that sends ASCII: tests need no code page.
fn same() -> [u8; 256] {
    std::array::from_fn(|n| n as u8)
}

fn receive(
    map: &PhysicalMap,
    fields: &[(u16, &[u8])],
    cursor: u16,
) -> Result<Vec<u8>, UnpackError> {
    let received: Vec<_> = fields
        .iter()
        .map(|(position, data)| Received {
            position: *position,
            data: (*data).into(),
        })
        .collect();
    let options = UnpackOptions {
        cursor,
        upper_case: false,
        table: &same(),
    };
    unpack(map, &received, &model2(), &options)
}

#[test]
fn length_flag_and_justified_data() {
    let fields: [(u16, &[u8]); 3] = [(8, b"42"), (81, b""), (999, b"not in the map")];
    let area = receive(&map(ORDER), &fields, 8).expect("mapped");
    assert_eq!(area[..12], [0; 12], "prefix");
    assert_eq!(area[12..15], [0, 2, 0]);
    assert_eq!(
        &area[19..25],
        b"000042",
        "NUM is right justified with zeros"
    );
    assert_eq!(area[25..28], [0, 0, FLAG_ERASED]);
    assert_eq!(area[32..42], [0; 10], "an erased field is nulls");
    assert_eq!(area[42..], [0; 45], "not received: length 0, nulls");
}

#[test]
fn text_is_left_justified_and_cut() {
    let area = receive(&map(ORDER), &[(81, b"abc")], 0).expect("mapped");
    assert_eq!(&area[25..42], b"\0\x03\0\0\0\0\0abc       ");
    let area = receive(&map(ORDER), &[(81, b"abcdefghijklm")], 0).expect("mapped");
    assert_eq!(&area[25..42], b"\0\x0a\0\0\0\0\0abcdefghij");
}

#[test]
fn nothing_received_is_mapfail() {
    assert_eq!(receive(&map(ORDER), &[], 0), Err(UnpackError::MapFail));
    let only_constants = receive(&map(ORDER), &[(999, b"x")], 0);
    assert!(only_constants.is_ok(), "data came, though none for the map");
}

#[test]
fn cursor_case_tables_and_groups() {
    let source = "\
S       DFHMSD TYPE=MAP,MODE=INOUT,CURSLOC=YES
M       DFHMDI SIZE=(24,80)
ROW     DFHMDF POS=(1,1),LENGTH=4,OCCURS=2,ATTRB=UNPROT
DD      DFHMDF POS=(3,1),LENGTH=2,GRPNAME=DAY,ATTRB=UNPROT
MM      DFHMDF POS=(3,4),LENGTH=2,GRPNAME=DAY
KEEP    DFHMDF POS=(4,1),LENGTH=3,ATTRB=UNPROT,CASE=MIXED
        DFHMSD TYPE=FINAL
";
    let map = map(source);
    let fields = [
        Received {
            position: 1,
            data: b"ab"[..].into(),
        },
        Received {
            position: 6,
            data: b"cd\xe4"[..].into(),
        },
        Received {
            position: 161,
            data: b"24-12"[..].into(),
        },
        Received {
            position: 241,
            data: b"xyz"[..].into(),
        },
    ];
    let options = UnpackOptions {
        cursor: 8,
        upper_case: true,
        table: &same(),
    };
    let area = unpack(&map, &fields, &model2(), &options).expect("mapped");
    assert_eq!(&area[..7], b"\0\x02\0AB  ");
    assert_eq!(&area[7..14], &[0, 3, FLAG_CURSOR, b'C', b'D', 0xc4, b' ']);
    assert_eq!(&area[14..21], b"\0\x02\x0024\x31\x32");
    assert_eq!(&area[21..], b"\0\x03\0xyz");
}

#[test]
fn output_maps_cannot_be_received() {
    let map = map("S DFHMSD TYPE=MAP\nM DFHMDI SIZE=(1,5)\n  DFHMSD TYPE=FINAL\n");
    assert_eq!(receive(&map, &[(1, b"x")], 0), Err(UnpackError::OutputOnly));
}
