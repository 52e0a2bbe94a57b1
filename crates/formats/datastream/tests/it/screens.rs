//! What a person sees and types, end to end: builder, screen, parser.

use transom_datastream::inbound::{self, Capabilities, Inbound, ReadData};
use transom_datastream::{
    Aid, Attribute, AttributeKind, FieldAttribute, Fill, Inhibit, Intensity, Outbound, ReplyMode,
    Screen, ScreenOptions, ScreenSize, StructuredFields, Wcc, WriteCommand, colour,
};

const SIZE: ScreenSize = ScreenSize::MODEL_2;

/// Enough of code page 037 for these tests.
fn table() -> [char; 256] {
    let mut table = ['.'; 256];
    for (first, start) in [('A', 0xC1), ('J', 0xD1), ('a', 0x81), ('j', 0x91)] {
        for step in 0..9u8 {
            table[start + usize::from(step)] = char::from(first as u8 + step);
        }
    }
    for (first, start) in [('S', 0xE2), ('s', 0xA2)] {
        for step in 0..8u8 {
            table[start + usize::from(step)] = char::from(first as u8 + step);
        }
    }
    for step in 0..10u8 {
        table[0xF0 + usize::from(step)] = char::from(b'0' + step);
    }
    table[0x40] = ' ';
    table
}

fn ebcdic(text: &str) -> Vec<u8> {
    let table = table();
    let code = |c| table.iter().position(|t| *t == c).expect("in the table") as u8;
    text.chars().map(code).collect()
}

fn screen() -> Screen {
    Screen::new(ScreenOptions::default())
}

/// `Name: [__________] skip [__]`, as CICS would send it.
fn form() -> Outbound {
    let plain = FieldAttribute::default();
    let skip = plain.with_protected(true).with_numeric(true);
    let mut out = Outbound::new(WriteCommand::EraseWrite, Wcc::UNLOCK, SIZE);
    out.set_buffer_address(80)
        .start_field(skip)
        .text(&ebcdic("Name"))
        .start_field(plain)
        .insert_cursor()
        .set_buffer_address(96)
        .start_field(skip)
        .set_buffer_address(100)
        .start_field(plain.with_numeric(true))
        .set_buffer_address(103)
        .start_field(skip);
    out
}

fn shown(stream: &Outbound) -> Screen {
    let mut screen = screen();
    screen.apply(stream.bytes()).expect("our own stream");
    screen
}

fn typed(screen: &mut Screen, text: &str) {
    screen.type_text(&ebcdic(text)).expect("an input field");
}

#[test]
fn a_form_is_filled_in_and_sent() {
    let mut screen = shown(&form());
    assert!(!screen.is_locked());
    assert_eq!(screen.cursor(), 86);
    typed(&mut screen, "Maria");
    screen.tab().expect("unlocked");
    assert_eq!(screen.cursor(), 101);
    typed(&mut screen, "42");
    assert_eq!(
        screen.cursor(),
        86,
        "over the skip field, around to the first input field"
    );
    assert_eq!(
        screen.row(2, &table()).trim_end(),
        " Name Maria          42"
    );
    let record = screen.press(Aid::ENTER).expect("unlocked");
    assert_eq!(screen.press(Aid::ENTER), Err(Inhibit::Locked));
    let Ok(Inbound::Read(read)) = inbound::parse(&record, SIZE) else {
        panic!("{record:02X?}")
    };
    assert_eq!((read.aid, read.cursor), (Aid::ENTER, Some(86)));
    let fields: Vec<_> = read
        .fields()
        .iter()
        .map(|f| (f.position, f.characters.text().into_owned()))
        .collect();
    assert_eq!(fields, [(86, ebcdic("Maria")), (101, ebcdic("42"))]);
}

#[test]
fn an_unformatted_screen_sends_what_was_typed() {
    let mut screen = screen();
    typed(&mut screen, "CC00");
    let record = screen.press(Aid::ENTER).expect("unlocked");
    assert_eq!(record, [&[0x7D, 0x40, 0xC4][..], &ebcdic("CC00")].concat());
}

#[test]
fn clear_and_pa_keys_send_themselves_only() {
    let mut screen = shown(&form());
    typed(&mut screen, "Maria");
    assert_eq!(screen.press(Aid::PA1), Ok(vec![0x6C]));
    screen.apply(&[0xF1, 0xC2]).expect("a write");
    assert_eq!(screen.press(Aid::CLEAR), Ok(vec![0x6D]));
    assert!(!screen.is_formatted() && screen.is_locked());
    assert_eq!(screen.text(&table()).trim(), "");
    // The host asks for everything nevertheless.
    let applied = screen.apply(&[0x6E]).expect("a read");
    assert_eq!(applied.reply, Some(vec![0x6D, 0x40, 0x40]));
}

#[test]
fn protected_and_numeric_fields() {
    let mut screen = Screen::new(ScreenOptions {
        numeric_lock: true,
        ..ScreenOptions::default()
    });
    screen.apply(form().bytes()).expect("our own stream");
    screen.set_cursor(82);
    assert_eq!(screen.type_byte(0xC1), Err(Inhibit::Protected));
    screen.set_cursor(101);
    assert_eq!(screen.type_byte(0xC1), Err(Inhibit::Numeric));
    assert_eq!(screen.type_byte(0xF1), Ok(()));
}

#[test]
fn editing_keys() {
    let mut screen = shown(&form());
    typed(&mut screen, "abcde");
    screen.set_cursor(87);
    screen.delete().expect("input");
    assert_eq!(screen.field_text(86, &table()), "acde");
    screen.set_insert(true);
    typed(&mut screen, "xy");
    assert_eq!(screen.field_text(86, &table()), "axycde");
    typed(&mut screen, "1234");
    assert_eq!(screen.type_byte(0xF5), Err(Inhibit::Full));
    screen.set_insert(false);
    screen.set_cursor(88);
    screen.erase_eof().expect("input");
    assert_eq!(screen.field_text(86, &table()), "ax");
    screen.set_cursor(101);
    screen.back_tab().expect("unlocked");
    assert_eq!(screen.cursor(), 86);
    screen.back_tab().expect("unlocked");
    assert_eq!(screen.cursor(), 101);
    screen.set_cursor(0);
    screen.new_line().expect("unlocked");
    assert_eq!(screen.cursor(), 86);
    screen.move_cursor(-1, -7).expect("unlocked");
    assert_eq!(screen.cursor(), 1919);
    screen.home().expect("unlocked");
    screen.duplicate().expect("input");
    assert_eq!((screen.cell(86).byte, screen.cursor()), (0x1C, 101));
    screen.erase_input().expect("unlocked");
    assert_eq!(screen.press(Aid::ENTER), Ok(vec![0x7D, 0xC1, 0xD6]));
}

#[test]
fn resetting_modified_tags_and_unprotected_fields() {
    let mut screen = shown(&form());
    typed(&mut screen, "Maria");
    screen.press(Aid::ENTER).expect("unlocked");
    screen.apply(&[0xF1, 0xC3]).expect("FRSET and FREEKB");
    assert_eq!(screen.press(Aid::ENTER), Ok(vec![0x7D, 0xC1, 0x5B]));
    let applied = screen.apply(&[0x6F]).expect("EAU");
    assert!(applied.unlocked);
    assert_eq!(
        (screen.field_text(86, &table()).as_str(), screen.cursor()),
        ("", 86)
    );
}

#[test]
fn extended_attributes_of_fields_and_characters() {
    let red = Attribute::new(AttributeKind::Foreground, colour::RED);
    let blue = Attribute::new(AttributeKind::Foreground, colour::BLUE);
    let mut out = Outbound::new(WriteCommand::EraseWrite, Wcc::UNLOCK, SIZE);
    out.set_buffer_address(0)
        .start_field_extended(FieldAttribute::default(), &[red])
        .text(&ebcdic("ab"))
        .set_attribute(blue)
        .text(&ebcdic("c"))
        .set_attribute(Attribute::new(AttributeKind::All, 0))
        .text(&ebcdic("d"));
    let mut screen = shown(&out);
    let colour_of = |screen: &Screen, at| screen.shown(at).get(AttributeKind::Foreground);
    assert_eq!(
        [1, 3, 4].map(|at| colour_of(&screen, at)),
        [0xF2, 0xF1, 0xF2]
    );
    assert!(screen.cell(1).extended.is_default());
    let mut change = Outbound::new(WriteCommand::Write, Wcc::UNLOCK, SIZE);
    let bright = FieldAttribute::default().with_intensity(Intensity::Bright);
    change
        .set_buffer_address(0)
        .modify_field(Some(bright), &[blue]);
    screen.apply(change.bytes()).expect("a field is there");
    assert_eq!(colour_of(&screen, 1), 0xF1);
    assert_eq!(
        screen.cell(0).field.map(FieldAttribute::intensity),
        Some(Intensity::Bright)
    );
    assert_eq!(screen.field_text(1, &table()), "abcd");

    let mut modes = StructuredFields::new();
    modes.set_reply_mode(ReplyMode::Character, &[AttributeKind::Foreground]);
    screen.apply(modes.bytes()).expect("a reply mode");
    let record = screen
        .apply(&[0xF2])
        .expect("a read")
        .reply
        .expect("an answer");
    let buffer = inbound::parse_buffer(&record, SIZE).expect("our own buffer");
    assert_eq!(buffer.positions(), 1920);
}

#[test]
fn dark_fields_are_not_shown() {
    let dark = FieldAttribute::default().with_intensity(Intensity::Dark);
    let mut out = Outbound::new(WriteCommand::EraseWrite, Wcc::UNLOCK, SIZE);
    out.set_buffer_address(0)
        .start_field(dark)
        .text(&ebcdic("secret"));
    let screen = shown(&out);
    assert!(!screen.contains("secret", &table()));
    assert_eq!(screen.field_text(1, &table()), "secret");
}

#[test]
fn repeat_erase_and_program_tab() {
    let plain = FieldAttribute::default();
    let mut out = Outbound::new(WriteCommand::EraseWrite, Wcc::UNLOCK, SIZE);
    out.repeat_to_address(0, Fill::Character(0xC1));
    let mut screen = shown(&out);
    assert!(
        (0..1920).all(|at| screen.cell(at).byte == 0xC1),
        "the whole screen"
    );
    let mut out = Outbound::new(WriteCommand::Write, Wcc::UNLOCK, SIZE);
    out.set_buffer_address(0)
        .start_field(plain)
        .set_buffer_address(10)
        .start_field(plain.with_protected(true))
        .set_buffer_address(20)
        .start_field(plain)
        .set_buffer_address(30)
        .start_field(plain.with_protected(true))
        .set_buffer_address(5)
        .erase_unprotected_to_address(25);
    screen.apply(out.bytes()).expect("our own stream");
    let nulls: Vec<u16> = (0..40).filter(|at| screen.cell(*at).byte == 0).collect();
    assert_eq!(nulls, [0, 5, 6, 7, 8, 9, 10, 20, 21, 22, 23, 24, 30]);
    let mut out = Outbound::new(WriteCommand::Write, Wcc::UNLOCK, SIZE);
    out.set_buffer_address(1)
        .text(&ebcdic("B"))
        .program_tab()
        .text(&ebcdic("C"))
        .insert_cursor();
    screen.apply(out.bytes()).expect("our own stream");
    assert_eq!(screen.cell(2).byte, 0, "the rest of the field is nulled");
    assert_eq!((screen.cell(21).byte, screen.cursor()), (0xC3, 22));
}

#[test]
fn a_query_tells_sizes_colours_and_code_page() {
    let mut screen = Screen::new(ScreenOptions {
        alternate: ScreenSize::MODEL_5,
        code_page: (697, 500),
        ..ScreenOptions::default()
    });
    let mut query = StructuredFields::new();
    query.query();
    let reply = screen
        .apply(query.bytes())
        .expect("a query")
        .reply
        .expect("an answer");
    assert!(screen.is_locked(), "until the host's next write");
    let Ok(Inbound::Structured(fields)) = inbound::parse(&reply, SIZE) else {
        panic!("{reply:02X?}")
    };
    let mut found = Capabilities::basic(SIZE, SIZE);
    found.learn(&fields);
    assert_eq!(
        (found.default, found.alternate),
        (SIZE, ScreenSize::MODEL_5)
    );
    assert_eq!(found.code_page, Some((697, 500)));
    assert!(found.colour && found.highlight && found.graphic_escape && found.character_mode);
    let mut query = StructuredFields::new();
    query.query_list(&[0x95]);
    let reply = screen.apply(query.bytes()).expect("a query").reply;
    assert_eq!(
        reply,
        Some(vec![0x88, 0, 4, 0x81, 0xFF]),
        "it has no file transfer"
    );
}

#[test]
fn default_and_alternate_size() {
    let mut screen = Screen::new(ScreenOptions {
        alternate: ScreenSize::MODEL_4,
        ..ScreenOptions::default()
    });
    screen
        .apply(&[0x7E, 0xC3, 0x11, 0x6B, 0x6F, 0x13])
        .expect("row 35 exists");
    assert_eq!(
        (screen.size(), screen.cursor()),
        (ScreenSize::MODEL_4, 2799)
    );
    screen.apply(&[0xF5, 0xC3]).expect("erase write");
    assert_eq!(screen.size(), SIZE);
    let error = screen
        .apply(&[0xF1, 0xC3, 0x11, 0x6B, 0x6F])
        .expect_err("24 rows");
    assert_eq!(
        error.to_string(),
        "offset 2: buffer address 2799 is not on the screen"
    );
}

#[test]
fn partition_reads_come_as_structured_fields() {
    let mut screen = shown(&form());
    typed(&mut screen, "Maria");
    let mut read = StructuredFields::new();
    read.read_partition(transom_datastream::Command::ReadModified);
    let reply = screen
        .apply(read.bytes())
        .expect("a read")
        .reply
        .expect("an answer");
    let Ok(Inbound::Structured(fields)) = inbound::parse(&reply, SIZE) else {
        panic!("{reply:02X?}")
    };
    let [inbound::InboundField::Data { partition: 0, read }] = fields.as_slice() else {
        panic!("{fields:?}")
    };
    assert_eq!(read.aid, Aid::NONE);
    assert!(matches!(&read.data, ReadData::Fields(fields) if fields.len() == 1));
}

#[test]
fn a_field_may_wrap_around_the_screen() {
    let plain = FieldAttribute::default();
    let mut out = Outbound::new(WriteCommand::EraseWrite, Wcc::UNLOCK, SIZE);
    out.set_buffer_address(1917)
        .start_field(plain)
        .insert_cursor()
        .set_buffer_address(2)
        .start_field(plain.with_protected(true));
    let mut screen = shown(&out);
    typed(&mut screen, "abcd");
    let record = screen.press(Aid::pf(3).expect("PF3")).expect("unlocked");
    let expected = [&[0xF3, 0x40, 0xC3, 0x11, 0x5D, 0x7E][..], &ebcdic("abcd")].concat();
    assert_eq!(record, expected);
}
