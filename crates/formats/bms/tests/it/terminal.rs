//! The whole way: storage of a program, 3270 data stream, a terminal, keys, storage again.

use super::{ORDER, map, model2};
use transom_bms::{Erase, Received, SendOptions, UnpackOptions, merge, unpack};
use transom_copybook::CodePage;
use transom_datastream::inbound::{Inbound, parse};
use transom_datastream::{Aid, Screen, ScreenOptions};

fn tables() -> ([u8; 256], [u8; 256], [char; 256]) {
    let ebcdic = CodePage::by_ccsid(37).expect("known");
    let ascii = CodePage::by_ccsid(819).expect("known");
    let back = ebcdic.translate_table(ascii);
    let characters = back.map(char::from);
    (ascii.translate_table(ebcdic), back, characters)
}

#[test]
fn what_is_typed_comes_back_in_the_map() {
    let (out, back, characters) = tables();
    let map = map(ORDER);
    let options = SendOptions {
        erase: Erase::Default,
        ..SendOptions::default()
    };
    let mut area = vec![0; map.area_bytes as usize];
    area[12 + 7..12 + 13].copy_from_slice(b"000042");
    area[12 + 3] = b'6'; // DFHYELLO
    let write = merge(&map, Some(&area), &options, &model2()).expect("fits");
    let stream = write.to_stream(&model2(), &out);
    let begin = [
        0xf5, 0xc2, 0x11, 0x40, 0x40, 0x1d, 0xe8, 0xd6, 0x99, 0x84, 0x85, 0x99, 0x7a, 0x29, 2,
        0xc0, 0x50, 0x42, 0xf6, 0xf0,
    ];
    assert_eq!(stream.bytes()[..begin.len()], begin);

    let mut screen = Screen::new(ScreenOptions::default());
    screen.apply(stream.bytes()).expect("a good stream");
    assert_eq!(screen.row(1, &characters).trim_end(), " Order: 000042");
    assert_eq!(screen.cursor(), 8);
    assert!(!screen.is_locked(), "FREEKB");

    screen.erase_eof().expect("unprotected");
    let typed: Vec<u8> = b"17".iter().map(|b| out[usize::from(*b)]).collect();
    screen.type_text(&typed).expect("room");
    screen.tab().expect("another field");
    screen.erase_eof().expect("unprotected");
    let record = screen.press(Aid::ENTER).expect("unlocked");

    let Ok(Inbound::Read(read)) = parse(&record, screen.size()) else {
        panic!("a read");
    };
    let options = UnpackOptions {
        cursor: read.cursor.expect("long read"),
        upper_case: true,
        table: &back,
    };
    let received = Received::of(read.fields().iter().cloned());
    let area = unpack(&map, &received, &model2(), &options).expect("mapped");
    assert_eq!(area[12..19], [0, 2, 0, 0, 0, 0, 0]);
    assert_eq!(&area[19..25], b"000017");
    assert_eq!(area[25..28], [0, 0, 0x80], "erased");
}
