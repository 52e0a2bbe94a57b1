//! A real emulator (s3270) as client: what it shows and sends is what our screen shows and sends.
//!
//! Without s3270 these tests print `skipped`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;
use transom_datastream::inbound::{Capabilities, Inbound, parse};
use transom_datastream::tn3270e::{Bind, Functions, Outcome, RESPONSE_ALWAYS};
use transom_datastream::{
    Aid, Attribute, AttributeKind, Extended, FieldAttribute, Fill, Inhibit, Outbound, Screen,
    ScreenOptions, ScreenSize, Server, ServerEvent, ServerOptions, StructuredFields, Wcc,
    WriteCommand,
};

/// s3270 connected to our server.
struct Emulator {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    socket: TcpStream,
    server: Server,
    events: Vec<ServerEvent>,
}

impl Emulator {
    /// Starts s3270 with these arguments and negotiates; `None` with a notice where there is no
    /// s3270.
    fn start(options: ServerOptions, prefix: &str, arguments: &[&str]) -> Option<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let started = Command::new("s3270")
            .args([
                "-clear",
                "aidWait",
                "-clear",
                "unlockDelay",
                "-clear",
                "blankFill",
            ])
            .args(arguments)
            .arg(format!("{prefix}{address}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut child) = started else {
            transom_needed::skipped("s3270 is not installed");
            return None;
        };
        listener.set_nonblocking(true).expect("a listener");
        let (socket, _) = loop {
            if let Ok(accepted) = listener.accept() {
                break accepted;
            }
            let ended = child.try_wait().expect("a child");
            assert!(ended.is_none(), "s3270 did not connect: {ended:?}");
            std::thread::sleep(Duration::from_millis(5));
        };
        socket.set_nonblocking(false).expect("a socket");
        socket
            .set_read_timeout(Some(Duration::from_secs(10)))
            .expect("a socket");
        let mut emulator = Self {
            stdin: child.stdin.take().expect("piped"),
            stdout: BufReader::new(child.stdout.take().expect("piped")),
            child,
            socket,
            server: Server::new(options),
            events: Vec::new(),
        };
        emulator.until("connected", |event| {
            matches!(event, ServerEvent::Connected(_))
        });
        Some(emulator)
    }

    /// Serves the connection until an event is there; gives all events since the last call.
    fn until(&mut self, what: &str, wanted: impl Fn(&ServerEvent) -> bool) -> Vec<ServerEvent> {
        let mut buffer = [0; 4096];
        loop {
            let mut more = Vec::new();
            if self
                .events
                .iter()
                .any(|event| matches!(event, ServerEvent::Device(_)))
            {
                self.events
                    .retain(|event| !matches!(event, ServerEvent::Device(_)));
                self.server.accept_device("TRM00001", &mut more);
                self.events.append(&mut more);
            }
            let out = std::mem::take(self.server.output());
            if let Err(error) = self.socket.write_all(&out) {
                panic!(
                    "waiting for {what}: {error}, s3270: {:?}",
                    self.child.try_wait()
                );
            }
            if self.events.iter().any(&wanted) {
                return std::mem::take(&mut self.events);
            }
            let count = self.socket.read(&mut buffer).unwrap_or(0);
            assert!(count > 0, "waiting for {what}: {:?}", self.events);
            self.server.feed(&buffer[..count], &mut self.events);
        }
    }

    /// Sends a stream and waits until it was processed.
    fn show(&mut self, stream: &[u8]) -> Vec<ServerEvent> {
        self.server.send(stream, 0).expect("connected");
        self.server.ask_alive();
        self.until("an answer", |event| *event == ServerEvent::Alive)
    }

    /// Runs an action and gives its output.
    fn action(&mut self, action: &str) -> Vec<String> {
        writeln!(self.stdin, "{action}").expect("s3270 runs");
        let (done, data) = self.outcome();
        assert!(done, "{action}: {data:?}");
        data
    }

    /// Whether the action succeeded, and its output.
    fn outcome(&mut self) -> (bool, Vec<String>) {
        let mut data = Vec::new();
        loop {
            let mut line = String::new();
            assert!(
                self.stdout.read_line(&mut line).expect("s3270 runs") > 0,
                "s3270 ended"
            );
            match line.trim_end() {
                "ok" => return (true, data),
                "error" => return (false, data),
                line => data.extend(line.strip_prefix("data: ").map(str::to_owned)),
            }
        }
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }
}

/// One position as ReadBuffer(Ebcdic) prints it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Position {
    /// Bits of a field attribute.
    field: Option<u8>,
    byte: u8,
    /// Highlight and foreground; of the character alone or of the field attribute here.
    attributes: [u8; 2],
    graphic: bool,
}

/// Kinds s3270 prints for characters.
const KINDS: [AttributeKind; 2] = [AttributeKind::Highlight, AttributeKind::Foreground];

/// `42=f2,41=f1` into the places of [`KINDS`]; gives c0 if it is among them.
fn pairs(text: &str, attributes: &mut [u8; 2]) -> Option<u8> {
    let mut field = None;
    for pair in text.split(',') {
        let (kind, value) = pair.split_once('=').expect("type=value");
        let kind = u8::from_str_radix(kind, 16).expect("a type");
        let value = u8::from_str_radix(value, 16).expect("a value");
        match KINDS.iter().position(|k| *k as u8 == kind) {
            // It prints X'F0' when a highlight ends.
            Some(place) => attributes[place] = if value == 0xF0 { 0 } else { value },
            None if kind == 0xC0 => field = Some(value),
            None => {}
        }
    }
    field
}

fn printed(rows: &[String]) -> Vec<Position> {
    let mut current = [0; 2];
    let mut all = Vec::new();
    for token in rows.iter().flat_map(|row| row.split_whitespace()) {
        let inside = |name| {
            token
                .strip_prefix(name)
                .and_then(|rest| rest.strip_suffix(')'))
        };
        if let Some(text) = inside("SA(") {
            pairs(text, &mut current);
        } else if let Some(text) = inside("SF(") {
            let mut attributes = [0; 2];
            let field = pairs(text, &mut attributes);
            all.push(Position {
                field,
                attributes,
                ..Position::default()
            });
        } else {
            let hex = inside("GE(").unwrap_or(token);
            all.push(Position {
                byte: u8::from_str_radix(hex, 16).expect("a byte"),
                attributes: current,
                graphic: hex != token,
                field: None,
            });
        }
    }
    all
}

fn ours(screen: &Screen) -> Vec<Position> {
    let position = |at| {
        let cell = screen.cell(at);
        let set = cell.extended.get(AttributeKind::CharacterSet);
        Position {
            field: cell.field.map(|field| 0xC0 | field.byte() & 0x3F),
            byte: cell.byte,
            attributes: KINDS.map(|kind| cell.extended.get(kind)),
            graphic: cell.field.is_none() && set == Extended::GRAPHIC,
        }
    };
    (0..screen.size().positions() as u16)
        .map(position)
        .collect()
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    fn attribute(&mut self) -> Attribute {
        let kind = self.pick(&KINDS);
        let value = match kind {
            AttributeKind::Highlight => self.pick(&[0x00, 0xF1, 0xF2, 0xF4]),
            _ => self.pick(&[0x00, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7]),
        };
        Attribute::new(kind, value)
    }

    /// Near the last address, mostly: so that orders meet.
    fn address(&mut self, size: ScreenSize) -> u16 {
        let all = size.positions() as u64;
        (match self.below(4) {
            0 => self.below(all),
            1 => all - 1 - self.below(30),
            _ => self.below(200),
        }) as u16
    }
}

/// Whether a field attribute stands where MF would go is known to our screen only, so MF follows an
/// SF.
fn random_order(out: &mut Outbound, random: &mut Random) {
    let size = out.size();
    let field = FieldAttribute::from_byte(random.below(256) as u8);
    let pair = random.attribute();
    let position = random.address(size);
    let byte = random.pick(&[0x40, 0xC1, 0xC2, 0x81, 0xF0, 0xFF, 0x00, 0x1C]);
    match random.below(12) {
        0 => out.set_buffer_address(position).start_field(field),
        1 => out.start_field_extended(field, &[pair, random.attribute()]),
        2 => out
            .set_buffer_address(position)
            .start_field(field)
            .set_buffer_address(position)
            .modify_field(Some(field), &[pair]),
        3 => out.set_attribute(pair),
        4 => out.insert_cursor(),
        // Right behind the only unprotected attribute s3270 stays, where the manual says 0: not
        // asked here.
        5 => out.set_buffer_address(position).program_tab(),
        6 => out.repeat_to_address(position, Fill::Character(byte)),
        // Behind PT s3270 still has the protection of before, so there is an SBA between.
        7 => out
            .set_buffer_address(random.address(size))
            .erase_unprotected_to_address(position),
        8 => out.graphic_escape(0xAD),
        9 => out.set_buffer_address(position),
        10 => out.text(&[0xC1]).program_tab(),
        _ => out.text(&[0xC1, byte, 0xC3]),
    };
}

fn random_stream(
    random: &mut Random,
    default: ScreenSize,
    alternate: ScreenSize,
    now: ScreenSize,
) -> Outbound {
    let (command, size) = match random.below(4) {
        0 => (WriteCommand::EraseWrite, default),
        1 => (WriteCommand::EraseWriteAlternate, alternate),
        _ => (WriteCommand::Write, now),
    };
    let wcc = random.pick(&[Wcc::UNLOCK, Wcc::UNLOCK_RESET]);
    let mut out = Outbound::new(command, wcc, size);
    for _ in 0..random.below(14) {
        random_order(&mut out, random);
    }
    out
}

/// Positions without the attributes of nulls: s3270 leaves them when EUA erases, which nobody sees.
fn visible(positions: Vec<Position>) -> Vec<Position> {
    let one = |position: Position| match position {
        Position {
            byte: 0,
            field: None,
            ..
        } => Position::default(),
        position => position,
    };
    positions.into_iter().map(one).collect()
}

/// Any sequence of orders: every position with its attributes, and the cursor, as s3270 has them.
#[test]
fn screens_are_those_of_s3270() {
    let options = ServerOptions {
        functions: Functions::RESPONSES,
        ..ServerOptions::default()
    };
    let Some(mut emulator) = Emulator::start(options, "", &["-model", "3279-5"]) else {
        return;
    };
    let (default, alternate) = (ScreenSize::MODEL_2, ScreenSize::MODEL_5);
    let mut screen = Screen::new(ScreenOptions {
        alternate,
        ..ScreenOptions::default()
    });
    let mut random = Random(0x3270);
    let erase = Outbound::new(WriteCommand::EraseWrite, Wcc::UNLOCK, default);
    screen.apply(erase.bytes()).expect("our own stream");
    emulator.show(erase.bytes());
    for round in 0..400 {
        let stream = random_stream(&mut random, default, alternate, screen.size());
        screen.apply(stream.bytes()).expect("our own stream");
        emulator.show(stream.bytes());
        let theirs = visible(printed(&emulator.action("ReadBuffer(Ebcdic)")));
        let ours = visible(ours(&screen));
        let different = (0..ours.len()).find(|at| theirs.get(*at) != ours.get(*at));
        if let Some(at) = different {
            panic!(
                "round {round}, position {at}: ours {:x?}, theirs {:x?}, after {:02x?}",
                ours[at],
                theirs.get(at),
                stream.bytes()
            );
        }
        let cursor = emulator.action("Query(Cursor)").join(" ");
        let columns = screen.size().columns();
        let at = usize::from(screen.cursor());
        assert_eq!(
            cursor,
            format!("{} {}", at / columns, at % columns),
            "round {round}"
        );
    }
}

/// Presses random keys on both screens, then ENTER: same cursor, same record.
#[test]
fn keys_do_what_they_do_in_s3270() {
    let options = ServerOptions {
        functions: Functions::RESPONSES,
        ..ServerOptions::default()
    };
    let Some(mut emulator) = Emulator::start(options, "", &["-model", "3279-2"]) else {
        return;
    };
    let mut random = Random(0xA1D);
    for round in 0..120 {
        let stream = input_screen(&mut random);
        let mut screen = Screen::new(ScreenOptions::default());
        screen.apply(stream.bytes()).expect("our own stream");
        emulator.show(stream.bytes());
        let mut pressed = Vec::new();
        for _ in 0..random.below(8) {
            pressed.push(press_both(&mut random, &mut screen, &mut emulator));
            let cursor = emulator.action("Query(Cursor)").join(" ");
            let at = usize::from(screen.cursor());
            let ours = format!("{} {}", at / 80, at % 80);
            assert_eq!(
                ours,
                cursor,
                "round {round}: {pressed:?} after {:02x?}",
                stream.bytes()
            );
        }
        emulator.action("Enter()");
        let events = emulator.until("ENTER", |event| matches!(event, ServerEvent::Data(_)));
        let ours = screen.press(Aid::ENTER).expect("unlocked");
        assert_eq!(
            events,
            [ServerEvent::Data(ours)],
            "round {round}: {pressed:?}"
        );
    }
}

/// A few fields on two lines, some of them one behind the other or at the end of the screen.
fn input_screen(random: &mut Random) -> Outbound {
    let mut out = Outbound::new(WriteCommand::EraseWrite, Wcc::UNLOCK, ScreenSize::MODEL_2);
    let plain = FieldAttribute::default();
    let skip = plain.with_protected(true).with_numeric(true);
    for _ in 0..1 + random.below(6) {
        let at = random.pick(&[0, 5, 20, 79, 100, 155, 1900, 1917]);
        let field = random.pick(&[
            plain,
            plain.with_modified(true),
            skip,
            plain.with_protected(true),
        ]);
        out.set_buffer_address(at)
            .start_field(field)
            .text(random.pick(&[&[][..], &[0xC1, 0xC2]]));
    }
    // At least one input field.
    out.set_buffer_address(200)
        .start_field(plain)
        .insert_cursor();
    out.set_buffer_address(210).start_field(skip);
    out
}

type Key = (&'static str, fn(&mut Screen) -> Result<(), Inhibit>);

fn press_both(random: &mut Random, screen: &mut Screen, emulator: &mut Emulator) -> &'static str {
    let keys: [Key; 13] = [
        (
            "Tab()",
            Screen::tab as fn(&mut Screen) -> Result<(), Inhibit>,
        ),
        ("BackTab()", Screen::back_tab),
        ("Newline()", Screen::new_line),
        ("Home()", Screen::home),
        ("EraseEOF()", Screen::erase_eof),
        ("Delete()", Screen::delete),
        ("EraseInput()", Screen::erase_input),
        ("Left()", |screen| screen.move_cursor(0, -1)),
        ("Up()", |screen| screen.move_cursor(-1, 0)),
        ("Key(A)", |screen| screen.type_byte(0xC1)),
        ("Key(7)", |screen| screen.type_byte(0xF7)),
        ("FieldMark()", Screen::field_mark),
        ("Dup()", Screen::duplicate),
    ];
    let (name, ours) = random.pick(&keys);
    // A key refused locks the keyboard of s3270 until RESET.
    let refused = ours(screen).is_err();
    writeln!(emulator.stdin, "{name}").expect("s3270 runs");
    emulator.outcome();
    if refused {
        emulator.action("Reset()");
    }
    name
}

#[test]
fn all_flavours_of_a_session() {
    let basic = ServerOptions {
        tn3270e: false,
        ..ServerOptions::default()
    };
    for (options, prefix, tn3270e) in [
        (ServerOptions::default(), "", true),
        (ServerOptions::default(), "N:", false),
        (basic, "", false),
        (
            ServerOptions {
                environment: true,
                ..ServerOptions::default()
            },
            "LUNAME@",
            true,
        ),
    ] {
        let Some(mut emulator) = Emulator::start(options, prefix, &["-model", "3279-4"]) else {
            return;
        };
        let session = emulator.server.session().expect("connected").clone();
        assert_eq!(session.tn3270e, tn3270e, "{prefix}");
        let bind = Bind {
            default: ScreenSize::MODEL_2,
            alternate: Some(ScreenSize::MODEL_4),
            plu_name: "CICSA01".into(),
            printer: false,
            scs: false,
        };
        assert_eq!(
            emulator.server.send_bind(&bind),
            session.functions.contains(Functions::BIND_IMAGE)
        );
        // Screen, alternate size, cursor; with an answer wanted where there are answers.
        let mut out = Outbound::new(
            WriteCommand::EraseWriteAlternate,
            Wcc::UNLOCK,
            ScreenSize::MODEL_4,
        );
        // s3270 does nothing before it has seen an input field.
        out.set_buffer_address(80)
            .text(&[0xC8, 0xC9])
            .start_field(FieldAttribute::default())
            .insert_cursor();
        let sequence = emulator
            .server
            .send(out.bytes(), RESPONSE_ALWAYS)
            .expect("connected");
        let events = emulator.show(StructuredFields::new().query().bytes());
        let response = ServerEvent::Response {
            sequence,
            outcome: Outcome::Done,
        };
        assert_eq!(events.contains(&response), tn3270e, "{prefix}: {events:?}");
        let reply = events.iter().find_map(|event| match event {
            ServerEvent::Data(reply) => Some(reply),
            _ => None,
        });
        let reply = reply.expect("a query is answered");
        let Ok(Inbound::Structured(fields)) = parse(reply, ScreenSize::MODEL_4) else {
            panic!("{reply:02x?}")
        };
        let mut found = Capabilities::basic(ScreenSize::MODEL_2, ScreenSize::MODEL_2);
        found.learn(&fields);
        assert_eq!(
            (found.alternate, found.code_page),
            (ScreenSize::MODEL_4, Some((697, 37)))
        );
        assert!(found.colour && found.highlight && found.character_mode);
        assert!(emulator.action("Ascii(1,0,2)").concat().contains("HI"));

        emulator.action("Attn()");
        emulator.until("Attn", |event| *event == ServerEvent::Attention);
        // A query locks the keyboard.
        emulator.show(&[0xF1, Wcc::UNLOCK.byte()]);
        emulator.action("SysReq()");
        emulator.until("SysReq", |event| match event {
            ServerEvent::Data(record) => !tn3270e && *record == [0x01, 0x6C, 0x61, 0x02],
            event => tn3270e && *event == ServerEvent::SysReq,
        });
        assert_eq!(emulator.server.send_sscp_lu(&[0xD3, 0xE4]), tn3270e);
    }
}
