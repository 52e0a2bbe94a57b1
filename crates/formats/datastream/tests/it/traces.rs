//! Recorded sessions of x3270 with real and test hosts, both directions.
//!
//! Host blocks go through the client into a screen; terminal blocks through the inbound parser.
//! What the recorded terminal answered or showed is the expectation. DBCS and file transfer are
//! beyond the screen model: their records must be refused or shown, never panic.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use transom_copybook::codepage::CodePage;
use transom_datastream::inbound::{self, Inbound, InboundField, QueryReply};
use transom_datastream::telnet::{Decoder, Item, WILL, WONT};
use transom_datastream::tn3270e::{DataType, Functions, Header};
use transom_datastream::{
    Client, ClientEvent, ClientOptions, Command, Screen, ScreenOptions, ScreenSize, Server,
    ServerEvent, ServerOptions, StreamError,
};

/// One block of bytes, or a line the terminal wrote about itself.
#[derive(Debug, Clone)]
enum Line {
    Host(Vec<u8>),
    Terminal(Vec<u8>),
    Note(String),
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.map(byte).collect()
}

fn data_line(line: &str) -> Option<(bool, usize, Vec<u8>)> {
    let host = line.starts_with("< 0x");
    let rest = line.strip_prefix("< 0x").or(line.strip_prefix("> 0x"))?;
    let (offset, data) = rest.split_once(char::is_whitespace)?;
    Some((
        host,
        usize::from_str_radix(offset, 16).ok()?,
        hex(data.trim())?,
    ))
}

fn read_trace(path: &Path) -> Vec<Line> {
    let text = String::from_utf8_lossy(&fs::read(path).expect("readable")).into_owned();
    let mut lines = Vec::new();
    for line in text.lines() {
        let Some((host, offset, data)) = data_line(line) else {
            lines.push(Line::Note(line.to_owned()));
            continue;
        };
        match lines.last_mut() {
            Some(Line::Host(block)) if host && offset == block.len() && offset > 0 => {
                block.extend(data);
            }
            Some(Line::Terminal(block)) if !host && offset == block.len() && offset > 0 => {
                block.extend(data);
            }
            _ if host => lines.push(Line::Host(data)),
            _ => lines.push(Line::Terminal(data)),
        }
    }
    lines
}

/// All traces by name; `None` with a notice where there are none.
fn traces() -> Option<BTreeMap<String, Vec<Line>>> {
    let entries = fs::read_dir(transom_needed::fixtures("tn3270-traces")?).unwrap();
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let traces = paths.filter(|path| path.extension().is_some_and(|e| e == "trc"));
    let name = |path: &Path| {
        path.file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    Some(
        traces
            .map(|path| (name(&path), read_trace(&path)))
            .collect(),
    )
}

fn client() -> Client {
    Client::new(ClientOptions {
        types: vec!["IBM-3278-4-E".into()],
        functions: Functions::DISPLAY,
        ..ClientOptions::default()
    })
}

/// `Model 3279-2-E, 24 rows ...` in the head of a trace.
fn model(note: &str) -> Option<ScreenSize> {
    let name = note.trim().strip_prefix("Model 327")?;
    ScreenSize::of_model(name.as_bytes().get(2)?.wrapping_sub(b'0'))
}

/// A terminal that replays the host's half of a trace.
struct Terminal {
    client: Client,
    screen: Screen,
    applied: usize,
    failed: Vec<(StreamError, Vec<u8>)>,
    replies: Vec<Vec<u8>>,
}

impl Terminal {
    fn new(lines: &[Line]) -> Self {
        let models = lines.iter().filter_map(|line| match line {
            Line::Note(note) => model(note),
            _ => None,
        });
        let options = options(models.take(1).last().unwrap_or(ScreenSize::MODEL_4));
        Self {
            client: client(),
            screen: Screen::new(options),
            applied: 0,
            failed: Vec::new(),
            replies: Vec::new(),
        }
    }

    fn host(&mut self, block: &[u8]) {
        let mut events = Vec::new();
        self.client.feed(block, &mut events);
        for event in events {
            match event {
                ClientEvent::Bind(bind) => {
                    let size = bind.alternate.unwrap_or(ScreenSize::MODEL_2);
                    self.screen = Screen::new(options(size));
                }
                ClientEvent::Data { stream, .. } => match self.screen.apply(&stream) {
                    Ok(applied) => {
                        self.applied += 1;
                        self.replies.extend(applied.reply);
                    }
                    Err(error) => self.failed.push((error, stream)),
                },
                _ => {}
            }
        }
    }
}

fn options(alternate: ScreenSize) -> ScreenOptions {
    ScreenOptions {
        alternate,
        ..ScreenOptions::default()
    }
}

/// How many 3270 records the terminal wrote that it got; `None` where it did not write so of all.
fn noted_records(lines: &[Line]) -> Option<usize> {
    let noted = |text: &str| {
        let notes = lines
            .iter()
            .filter(|l| matches!(l, Line::Note(n) if n.contains(text)));
        notes.count()
    };
    let all = noted("RCVD TN3270E(3270-DATA");
    (all > 0 && noted("in connected-3270 mode") == 0).then_some(all)
}

#[test]
fn host_records_are_shown() {
    let Some(traces) = traces() else { return };
    let mut total = 0;
    for (name, lines) in &traces {
        let mut terminal = Terminal::new(lines);
        for line in lines {
            if let Line::Host(block) = line {
                terminal.host(block);
            }
        }
        // DDM of file transfers is not the screen's.
        let wrong: Vec<_> = terminal
            .failed
            .iter()
            .filter(|(_, stream)| !(stream.first() == Some(&0xF3) && stream.contains(&0xD0)))
            .map(|(error, stream)| (error.to_string(), &stream[..stream.len().min(12)]))
            .collect();
        println!(
            "{name}: {} records, {} refused",
            terminal.applied,
            terminal.failed.len()
        );
        let noted = noted_records(lines);
        // The file transfers carry traces of others in their data.
        if let Some(noted) = noted.filter(|_| !name.starts_with("ft")) {
            assert_eq!(terminal.applied + terminal.failed.len(), noted, "{name}");
        }
        assert!(wrong.is_empty(), "{name}: {wrong:02x?}");
        total += terminal.applied;
    }
    println!("{total} records");
}

/// `L F U C(host) I model rows columns cursor-row cursor-column ...`
fn status(note: &str) -> Option<(bool, [usize; 4])> {
    let status = note.split_once("Output for ")?.1.split_once(": ")?.1;
    let words: Vec<&str> = status.trim_matches('\'').split_whitespace().collect();
    let [
        keyboard @ ("U" | "L"),
        formatted,
        _,
        connected,
        _,
        _,
        rest @ ..,
    ] = words.as_slice()
    else {
        return None;
    };
    if !connected.starts_with("C(") {
        return None;
    }
    let _ = keyboard;
    let numbers: Vec<usize> = rest.iter().take(4).filter_map(|n| n.parse().ok()).collect();
    Some((*formatted == "F", numbers.try_into().ok()?))
}

#[test]
fn formats_and_sizes_are_those_the_terminal_reported() {
    let Some(traces) = traces() else { return };
    let mut compared = 0;
    for (name, lines) in &traces {
        let mut terminal = Terminal::new(lines);
        let mut typed = false;
        for line in lines {
            match line {
                Line::Host(block) => {
                    terminal.host(block);
                    typed = false;
                }
                Line::Terminal(_) => {}
                Line::Note(note) => {
                    typed |= note.contains("String(") || note.contains("s3stdin read");
                    let Some((formatted, [rows, columns, row, column])) = status(note) else {
                        continue;
                    };
                    if terminal.applied == 0 {
                        continue;
                    }
                    let size = terminal.screen.size();
                    assert_eq!(
                        (size.rows(), size.columns()),
                        (rows, columns),
                        "{name}: {note}"
                    );
                    assert_eq!(terminal.screen.is_formatted(), formatted, "{name}: {note}");
                    if !typed {
                        let cursor = size.position(row + 1, column + 1);
                        assert_eq!(terminal.screen.cursor(), cursor, "{name}: {note}");
                    }
                    compared += 1;
                }
            }
        }
    }
    println!("{compared} status lines");
    assert!(compared > 10);
}

/// Records of the terminal with their data type, as long as it speaks TN3270E.
fn terminal_records(lines: &[Line]) -> Vec<(Option<DataType>, Vec<u8>)> {
    let mut decoder = Decoder::new();
    decoder.set_records(true);
    let mut tn3270e = false;
    let mut records = Vec::new();
    for line in lines {
        let Line::Terminal(block) = line else {
            continue;
        };
        let mut input = block.as_slice();
        while let Some(item) = decoder.next(&mut input).expect("within limits") {
            match item {
                Item::Negotiate(WILL, 40) => tn3270e = true,
                Item::Negotiate(WONT, 40) => tn3270e = false,
                Item::Record(record) if tn3270e => {
                    if let Some((header, data)) = Header::split(&record) {
                        records.push((Some(header.data_type), data.to_vec()));
                    }
                }
                Item::Record(record) => records.push((None, record)),
                _ => {}
            }
        }
    }
    records
}

#[test]
fn terminal_records_are_understood() {
    let Some(traces) = traces() else { return };
    let size = ScreenSize::MODEL_4;
    let (mut parsed, mut buffers, mut replies) = (0, 0, 0);
    for (name, lines) in &traces {
        for (kind, record) in terminal_records(lines) {
            if !matches!(kind, None | Some(DataType::Data3270)) || record.is_empty() {
                continue;
            }
            match inbound::parse(&record, size) {
                Ok(Inbound::Structured(fields)) => {
                    let other = |f: &&InboundField<'_>| {
                        matches!(f, InboundField::QueryReply(QueryReply::Other(..)))
                    };
                    assert_eq!(fields.iter().find(other), None, "{name}");
                    replies += fields.len();
                }
                Ok(_) => parsed += 1,
                // The answers to Read Buffer hold fields, which a Read Modified cannot.
                Err(error) => match inbound::parse_buffer(&record, size) {
                    Ok(_) => buffers += 1,
                    Err(again) => {
                        let start = &record[..record.len().min(16)];
                        panic!("{name}: {error}; {again}: {start:02x?}")
                    }
                },
            }
        }
    }
    println!("{parsed} reads, {buffers} buffers, {replies} structured fields");
    assert!(parsed > 20 && buffers >= 3 && replies > 20);
}

/// What s3270 answered to Read Buffer in the three reply modes.
#[test]
fn read_buffer_equals_that_of_a_real_terminal() {
    let Some(traces) = traces() else { return };
    for name in ["reply_modes_rb"] {
        let Some(lines) = traces.get(name) else {
            continue;
        };
        let mut terminal = Terminal::new(lines);
        for line in lines {
            if let Line::Host(block) = line {
                terminal.host(block);
            }
        }
        let theirs: Vec<_> = terminal_records(lines)
            .into_iter()
            .filter(|(kind, data)| *kind == Some(DataType::Data3270) && data.len() > 1000)
            .map(|(_, data)| data)
            .collect();
        let ours: Vec<_> = terminal.replies.iter().filter(|r| r.len() > 1000).collect();
        assert_eq!(ours.len(), theirs.len(), "{name}");
        for (index, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            let first = ours.iter().zip(theirs).position(|(a, b)| a != b);
            if let Some(at) = first {
                let end = at + 24;
                panic!(
                    "{name} {index}: at {at}: ours {:02x?}, theirs {:02x?}",
                    &ours[at..end.min(ours.len())],
                    &theirs[at..end.min(theirs.len())]
                );
            }
            assert_eq!(ours.len(), theirs.len(), "{name} {index}");
        }
        println!("{name}: {} buffers equal", theirs.len());
    }
}

/// Types what a person typed and presses the same key: the record must be the recorded one.
#[test]
fn keys_give_the_records_a_real_terminal_sent() {
    let Some(traces) = traces() else { return };
    let (mut equal, mut data) = (0, 0);
    for (name, lines) in &traces {
        // Double-byte fields and the typing of file transfers are not modelled.
        if name.starts_with("ft") || name == "korean" {
            continue;
        }
        let mut terminal = Terminal::new(lines);
        let mut tn3270e = false;
        for line in lines {
            match line {
                Line::Host(block) => terminal.host(block),
                Line::Terminal(block) => {
                    tn3270e |= block.starts_with(&[0xFF, WILL, 40]);
                    tn3270e &= !block.starts_with(&[0xFF, WONT, 40]);
                    let Some(record) = whole_record(block, tn3270e) else {
                        continue;
                    };
                    if terminal.applied == 0 {
                        continue;
                    }
                    if let Some(ours) = retyped(&mut terminal.screen, &record) {
                        assert_eq!(
                            ours, record,
                            "{name}\nours   {ours:02x?}\ntheirs {record:02x?}"
                        );
                        equal += 1;
                        data += usize::from(record.len() > 3);
                    }
                }
                Line::Note(_) => {}
            }
        }
    }
    println!("{equal} records equal, {data} of them with data");
    assert!(equal > 30 && data > 10);
}

/// The data of a block that is one 3270 record.
fn whole_record(block: &[u8], tn3270e: bool) -> Option<Vec<u8>> {
    let mut decoder = Decoder::new();
    decoder.set_records(true);
    let mut input = block;
    let Ok(Some(Item::Record(record))) = decoder.next(&mut input) else {
        return None;
    };
    if !tn3270e {
        return Some(record);
    }
    let (header, data) = Header::split(&record)?;
    (header.data_type == DataType::Data3270).then(|| data.to_vec())
}

/// The record of the same key after typing the same characters; `None` if it was no key.
fn retyped(screen: &mut Screen, record: &[u8]) -> Option<Vec<u8>> {
    let Ok(Inbound::Read(read)) = inbound::parse(record, screen.size()) else {
        return None;
    };
    screen.reset();
    let fields: Vec<_> = match &read.data {
        inbound::ReadData::Fields(fields) => fields
            .iter()
            .map(|f| (f.position, f.characters.text()))
            .collect(),
        inbound::ReadData::Unformatted(text) => vec![(0, text.text())],
        inbound::ReadData::Short => Vec::new(),
    };
    for (position, text) in fields {
        screen.set_cursor(position);
        screen.erase_eof().ok()?;
        screen.type_text(&text).ok()?;
    }
    screen.set_cursor(read.cursor.unwrap_or_default());
    screen.press(read.aid).ok()
}

/// `'text of row'` of an Ascii() in a trace.
fn ascii_row(note: &str) -> Option<&str> {
    let text = note
        .split_once("Output for Macro[")?
        .1
        .split_once("]: '")?
        .1;
    let text = text.strip_suffix('\'')?;
    (text.len() >= 80).then_some(text)
}

#[test]
fn screens_read_as_the_terminal_printed_them() {
    let Some(traces) = traces() else { return };
    let table = &CodePage::by_ccsid(37).expect("known").to_char;
    let mut rows = 0;
    for (name, lines) in &traces {
        if name == "korean" {
            continue;
        }
        let mut terminal = Terminal::new(lines);
        let mut row = 0;
        for line in lines {
            match line {
                Line::Host(block) => {
                    terminal.host(block);
                    row = 0;
                }
                Line::Note(note) => {
                    let Some(theirs) = ascii_row(note) else {
                        row = 0;
                        continue;
                    };
                    row += 1;
                    // Somebody typed over this field.
                    if theirs.contains("ffff") {
                        continue;
                    }
                    assert_eq!(terminal.screen.row(row, table), theirs, "{name} row {row}");
                    rows += 1;
                }
                Line::Terminal(_) => {}
            }
        }
    }
    println!("{rows} rows equal");
    assert!(rows >= 24);
}

#[test]
fn the_server_takes_every_terminal_block() {
    let Some(traces) = traces() else { return };
    for (name, lines) in &traces {
        let mut server = Server::new(ServerOptions::default());
        let mut devices = 0;
        for line in lines {
            let Line::Terminal(block) = line else {
                continue;
            };
            let mut events = Vec::new();
            server.feed(block, &mut events);
            let asked = events
                .iter()
                .filter(|e| matches!(e, ServerEvent::Device(_)))
                .count();
            devices += asked;
            if asked > 0 {
                server.accept_device("TRM00001", &mut events);
            }
            server.output().clear();
        }
        println!("{name}: {devices} devices");
    }
}

#[test]
fn damaged_host_records_do_not_panic() {
    let Some(traces) = traces() else { return };
    let mut records = 0;
    for lines in traces.values() {
        let mut terminal = client();
        let mut events = Vec::new();
        for line in lines {
            if let Line::Host(block) = line {
                terminal.feed(block, &mut events);
            }
        }
        let streams = events.into_iter().filter_map(|event| match event {
            ClientEvent::Data { stream, .. } => Some(stream),
            _ => None,
        });
        for stream in streams.take(3) {
            let mut screen = Screen::new(ScreenOptions::default());
            for end in 0..stream.len().min(1500) {
                let _refused_or_not = screen.apply(&stream[..end]);
                records += 1;
            }
            assert!(
                Command::from_byte(stream.first().copied().unwrap_or_default()).is_some()
                    || stream.is_empty()
            );
        }
    }
    println!("{records} damaged records");
}
