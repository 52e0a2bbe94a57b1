//! Random and truncated input never panics, and what the builder writes is always taken.

use transom_datastream::inbound;
use transom_datastream::tn3270e::{Bind, DeviceType, Header, RejectReason};
use transom_datastream::{
    Aid, Attribute, AttributeKind, Client, ClientEvent, ClientOptions, FieldAttribute, Fill,
    Orders, Outbound, Screen, ScreenOptions, ScreenSize, Server, ServerEvent, ServerOptions, Wcc,
    WriteCommand,
};

/// A small generator (xorshift), so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    fn byte(&mut self) -> u8 {
        self.next() as u8
    }

    /// Bytes among which orders, addresses and telnet commands are frequent.
    fn bytes(&mut self, length: usize, likely: &[u8]) -> Vec<u8> {
        let mut one = || match self.below(3) {
            0 => self.byte(),
            _ => likely[self.below(likely.len())],
        };
        (0..length).map(|_| one()).collect()
    }
}

const STREAM: &[u8] = &[
    0xF1, 0xF5, 0x7E, 0xF3, 0x6F, 0xF2, 0x05, 0x08, 0x11, 0x12, 0x13, 0x1D, 0x28, 0x29, 0x2C, 0x3C,
    0x40, 0x5D, 0x7F, 0xC0, 0x42, 0xF2, 0x00, 0x01, 0x02, 0xC1, 0x0E, 0x0F,
];
const TELNET: &[u8] = &[
    0xFF, 0xFF, 0xFA, 0xF0, 0xFB, 0xFC, 0xFD, 0xFE, 0xEF, 0xF3, 0xF4, 0xF5, 0x00, 0x01, 0x02, 0x03,
    0x04, 0x07, 0x08, 0x18, 0x19, 0x27, 0x28, 0x2E, 0x06,
];

#[test]
fn random_streams_into_screen_and_parsers() {
    let mut random = Random(0x5EED);
    let mut screen = Screen::new(ScreenOptions {
        alternate: ScreenSize::MODEL_5,
        ..ScreenOptions::default()
    });
    for _ in 0..1_200 {
        let length = random.below(60);
        let record = random.bytes(length, STREAM);
        let size = screen.size();
        let _refused_or_not = screen.apply(&record);
        let _parsed_or_not = inbound::parse(&record, size);
        let _parsed_or_not = inbound::parse_buffer(&record, size);
        let _checked = Outbound::from_application(WriteCommand::Write, 0xC3, &record, size);
        keys(&mut screen, &mut random);
        assert!(usize::from(screen.cursor()) < screen.size().positions());
        assert_eq!(
            screen.is_formatted(),
            screen.field_positions().next().is_some()
        );
    }
}

fn keys(screen: &mut Screen, random: &mut Random) {
    screen.reset();
    screen.set_cursor(random.next() as u16);
    screen.set_insert(random.below(2) == 0);
    let _refused_or_not = match random.below(10) {
        0 => screen.tab(),
        1 => screen.back_tab(),
        2 => screen.erase_eof(),
        3 => screen.delete(),
        4 => screen.new_line(),
        5 => screen.erase_input(),
        6 => screen.duplicate(),
        7 => screen.move_cursor(random.next() as i16, random.next() as i16),
        _ => screen.type_text(&[0xC1, 0xC2, 0xC3]),
    };
    let aid = [Aid::ENTER, Aid::PA1, Aid(0xF1)][random.below(3)];
    if let Ok(record) = screen.press(aid) {
        inbound::parse(&record, screen.size()).expect("what a screen sends can be parsed");
    }
    let buffer = screen
        .apply(&[0xF2])
        .expect("a read")
        .reply
        .expect("an answer");
    let parsed = inbound::parse_buffer(&buffer, screen.size()).expect("a buffer can be parsed");
    assert_eq!(parsed.positions(), screen.size().positions());
}

#[test]
fn random_bytes_into_both_ends() {
    let mut random = Random(0xBAD5EED);
    for round in 0..1_500 {
        let mut server = Server::new(ServerOptions {
            environment: round % 2 == 0,
            ..ServerOptions::default()
        });
        let mut client = Client::new(ClientOptions::default());
        for _ in 0..20 {
            let length = random.below(40);
            let input = random.bytes(length, TELNET);
            let mut events = Vec::new();
            server.feed(&input, &mut events);
            for event in std::mem::take(&mut events) {
                match event {
                    ServerEvent::Device(_) if random.below(2) == 0 => {
                        server.accept_device("LU", &mut events)
                    }
                    ServerEvent::Device(_) => {
                        server.reject_device(RejectReason::InvName, &mut events)
                    }
                    ServerEvent::Connected(_) => {
                        server.send(&[0xF1, 0xC3], 2);
                    }
                    _ => {}
                }
            }
            let mut events: Vec<ClientEvent> = Vec::new();
            client.feed(&input, &mut events);
            client.respond(1, transom_datastream::tn3270e::Outcome::Done);
        }
        let _header = Header::split(&random.bytes(7, TELNET));
        let _bind = Bind::parse(&random.bytes(40, &[0x31, 0x7F, 0x7E]));
        let _device = DeviceType::parse(&String::from_utf8_lossy(&random.bytes(12, b"IBM-3278-E")));
    }
}

/// Any sequence of builder calls, with any arguments.
#[test]
fn what_the_builder_writes_is_whole() {
    let mut random = Random(0xC1C5);
    let sizes = [
        ScreenSize::MODEL_2,
        ScreenSize::MODEL_5,
        ScreenSize::new(62, 160).expect("fits"),
    ];
    for _ in 0..1_000 {
        let size = sizes[random.below(3)];
        let mut out = Outbound::new(
            WriteCommand::EraseWriteAlternate,
            Wcc::from_byte(random.byte()),
            size,
        );
        for _ in 0..random.below(30) {
            step(&mut out, &mut random);
        }
        for order in Orders::new(&out.bytes()[2..]) {
            order.expect("a whole order");
        }
        let mut screen = Screen::new(ScreenOptions {
            alternate: size,
            ..ScreenOptions::default()
        });
        screen.apply(out.bytes()).expect("a terminal takes it");
    }
}

fn step(out: &mut Outbound, random: &mut Random) {
    let position = random.next() as u16;
    let attribute = FieldAttribute::from_byte(random.byte());
    let kinds = [
        AttributeKind::Foreground,
        AttributeKind::Highlight,
        AttributeKind::Field,
        AttributeKind::All,
    ];
    let pair = Attribute::new(kinds[random.below(4)], random.byte());
    let text = random.bytes(5, STREAM);
    match random.below(11) {
        0 => out.set_buffer_address(position),
        1 => out.start_field(attribute),
        2 => out.start_field_extended(attribute, &[pair, pair]),
        3 => out
            .set_buffer_address(7)
            .start_field(attribute)
            .set_buffer_address(7)
            .modify_field(Some(attribute), &[pair]),
        4 => out.set_attribute(pair),
        5 => out.insert_cursor(),
        6 => out.program_tab(),
        7 => out.repeat_to_address(position, Fill::Character(random.byte())),
        8 => out.erase_unprotected_to_address(position),
        9 => out
            .graphic_escape(random.byte())
            .repeat_to_address(position, Fill::Graphic(random.byte())),
        _ => out.text(&text).double_byte_text(&text),
    };
}
