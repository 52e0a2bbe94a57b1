//! SEND MAP: program storage in, screen out.

use super::{ORDER, map, model2};
use transom_bms::{
    BRIGHT, Content, Controls, Cursor, Erase, ExtraSet, MODIFIED, NUMERIC, Order, PROTECTED,
    SendOptions, merge,
};
use transom_datastream::{Attribute, AttributeKind, ScreenSize};

const ERASE: SendOptions = SendOptions {
    content: Content::Merged,
    cursor: Cursor::NotGiven,
    erase: Erase::Default,
    controls: Controls {
        print: false,
        free_keyboard: false,
        alarm: false,
        reset_modified: false,
        line: transom_bms::PrintLine::Honeom,
    },
};

/// Program storage of ORDMAP: prefix 12, then per field 2+1+4 and data (6, 10, 38).
const NUMBER: usize = 12;
const TEXT: usize = NUMBER + 7 + 6;
const MSG: usize = TEXT + 7 + 10;

fn storage() -> Vec<u8> {
    vec![0; MSG + 7 + 38]
}

fn put(area: &mut [u8], at: usize, text: &str) {
    area[at..at + text.len()].copy_from_slice(text.as_bytes());
}

#[test]
fn data_of_the_program_and_defaults_of_the_map() {
    let map = map(ORDER);
    assert_eq!(map.area_bytes as usize, storage().len());
    let mut area = storage();
    put(&mut area, NUMBER + 7, "000042");
    put(&mut area, MSG + 7, "Order not found");
    let write = merge(&map, Some(&area), &ERASE, &model2()).expect("fits");
    let rows = write.rows(&model2());
    assert_eq!(rows[0].trim_end(), " Order: 000042");
    assert_eq!(rows[1].trim_end(), " none", "nulls leave INITIAL");
    assert_eq!(rows[4].trim_end(), " Order not found");
    assert_eq!(write.cursor, Some(8), "IC of the map, behind its attribute");
    assert!(write.controls.free_keyboard, "CTRL of the map");
}

#[test]
fn orders_of_a_map() {
    let mut area = storage();
    area[NUMBER + 2] = b'1'; // DFHBMASF
    area[TEXT + 3] = b'2'; // DFHRED
    area[TEXT + 5] = 0xff; // DFHDFT
    put(&mut area, MSG + 7, "Hi");
    let write = merge(&map(ORDER), Some(&area), &ERASE, &model2()).expect("fits");
    assert_eq!(
        write.orders,
        [
            Order::SetAddress(0),
            Order::StartField(PROTECTED | BRIGHT, vec![]),
            Order::Text(b"Order:".to_vec()),
            Order::StartField(PROTECTED | NUMERIC | MODIFIED, vec![]),
            Order::SetAddress(14),
            Order::StartField(PROTECTED | NUMERIC, vec![]),
            Order::SetAddress(80),
            Order::StartField(0, vec![Attribute::new(AttributeKind::Foreground, 0xf2)]),
            Order::Text(b"none      ".to_vec()),
            Order::StartField(PROTECTED | NUMERIC, vec![]),
            Order::SetAddress(320),
            Order::StartField(
                PROTECTED | NUMERIC | BRIGHT,
                vec![Attribute::new(AttributeKind::Foreground, 0xf2)]
            ),
            Order::Text(b"Hi".to_vec()),
        ]
    );
}

#[test]
fn a_terminal_gets_only_what_it_reported() {
    let plain = transom_bms::Device {
        extras: ExtraSet::default(),
        ..model2()
    };
    let write = merge(&map(ORDER), None, &ERASE, &plain).expect("fits");
    assert!(write.orders.iter().all(|o| match o {
        Order::StartField(_, extras) => extras.is_empty(),
        _ => true,
    }));
}

#[test]
fn dataonly_sends_what_the_program_changed() {
    let options = SendOptions {
        content: Content::DataOnly,
        cursor: Cursor::Symbolic,
        ..SendOptions::default()
    };
    let mut area = storage();
    put(&mut area, NUMBER + 7, "7\0\0\0\0\0");
    area[TEXT] = 0xff;
    area[TEXT + 1] = 0xff;
    area[TEXT + 2] = b'A'; // DFHBMFSE
    area[MSG] = 0xff;
    area[MSG + 1] = 0xff;
    let write = merge(&map(ORDER), Some(&area), &options, &model2()).expect("fits");
    assert_eq!(
        write.orders,
        [
            Order::SetAddress(8),
            Order::Text(b"7\0\0\0\0\0".to_vec()),
            Order::SetAddress(80),
            Order::ModifyField(Some(MODIFIED), vec![]),
        ]
    );
    assert_eq!(write.cursor, Some(81), "the first length of -1");
}

#[test]
fn maponly_ignores_the_program() {
    let options = SendOptions {
        content: Content::MapOnly,
        cursor: Cursor::At(85),
        ..ERASE
    };
    let area = vec![b'x'; 200];
    let write = merge(&map(ORDER), Some(&area), &options, &model2()).expect("fits");
    assert_eq!(write.rows(&model2())[0].trim_end(), " Order:");
    assert_eq!(write.cursor, Some(85));
}

#[test]
fn options_of_the_command_replace_ctrl() {
    let options = SendOptions {
        controls: Controls {
            alarm: true,
            ..Controls::default()
        },
        ..ERASE
    };
    let write = merge(&map(ORDER), None, &options, &model2()).expect("fits");
    assert!(write.controls.alarm && !write.controls.free_keyboard);
}

#[test]
fn maps_have_a_place_on_the_screen() {
    let source = "\
S       DFHMSD TYPE=MAP
M       DFHMDI SIZE=(2,10),LINE=3,COLUMN=5,JUSTIFY=RIGHT
        DFHMDF POS=(2,1),LENGTH=5,INITIAL='hello'
        DFHMSD TYPE=FINAL
";
    let write = merge(&map(source), None, &ERASE, &model2()).expect("fits");
    assert_eq!(write.orders[0], Order::SetAddress(3 * 80 + 80 - 4 - 10));
    let small = transom_bms::Device {
        size: ScreenSize::new(3, 80).expect("a size"),
        ..model2()
    };
    assert!(
        merge(&map(source), None, &ERASE, &small).is_err(),
        "INVMPSZ"
    );
}

#[test]
fn fields_wrap_and_groups_share_an_attribute() {
    let source = "\
S       DFHMSD TYPE=MAP
M       DFHMDI SIZE=(24,80)
DD      DFHMDF POS=(1,78),LENGTH=2,GRPNAME=DAY,ATTRB=BRT
SEP     DFHMDF POS=(1,80),LENGTH=1,GRPNAME=DAY,INITIAL='-'
MM      DFHMDF POS=(2,1),LENGTH=2,GRPNAME=DAY
LAST    DFHMDF POS=(24,80),LENGTH=1,INITIAL='Z'
        DFHMSD TYPE=FINAL
";
    let mut area = vec![0; 3 + 2 + 1 + 2 + 4];
    put(&mut area, 3, "24");
    put(&mut area, 6, "12");
    let write = merge(&map(source), Some(&area), &ERASE, &model2()).expect("fits");
    let rows = write.rows(&model2());
    assert_eq!(
        rows[0].trim(),
        "Z                                                                             24"
    );
    assert_eq!(rows[1].trim_end(), "-12");
    let fields = write
        .orders
        .iter()
        .filter(|o| matches!(o, Order::StartField(..)));
    assert_eq!(fields.count(), 2);
}

#[test]
fn lines_for_a_printer() {
    let mut area = storage();
    put(&mut area, NUMBER + 7, "000042");
    area[TEXT + 2] = b'<'; // DFHBMDAR
    put(&mut area, TEXT + 7, "secret");
    put(&mut area, MSG + 7, "Printed");
    let write = merge(&map(ORDER), Some(&area), &SendOptions::default(), &model2()).expect("fits");
    // A table that leaves letters alone and makes blanks those of the device.
    let table: [u8; 256] = std::array::from_fn(|byte| match byte as u8 {
        b' ' => 0x40,
        byte => byte | 0x80,
    });
    let stream = write.to_lines(&model2(), &table).into_bytes();
    let shown: Vec<u8> = stream.iter().skip(2).map(|byte| byte & 0x7f).collect();
    assert_eq!(stream[0], 0xf5, "the buffer is erased");
    assert_eq!(shown, b"@Order:@000042\x15\x15\x15\x15@Printed\x15\x19");
}
