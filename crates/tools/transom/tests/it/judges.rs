//! The live 3270 door: a second emulator as judge, and clients that are broken, slow, rude or gone.
//!
//! Whatever comes in, the region lives, other sessions work, and nothing stays behind: file
//! descriptors, LU names, memory.

use crate::harness::{EXE, fixtures, free_port, root};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use transom_copybook::codepage::CP037;
use transom_datastream::{Aid, Client, ClientEvent, ClientOptions, Screen, ScreenOptions};

const PATIENCE: Duration = Duration::from_secs(20);

/// A menu of one field, a task that takes its time, one that talks, one that never stops sending.
pub(crate) const PROGRAMS: [(&str, &str, &str); 4] = [
    (
        "MENU",
        "01  A PIC X(4).\nCOPY DFHAID.",
        "IF EIBAID = DFHCLEAR
    EXEC CICS SEND CONTROL ERASE FREEKB END-EXEC
    EXEC CICS RETURN END-EXEC
END-IF.
IF EIBCALEN = 0
    EXEC CICS SEND MAP('MENU') MAPSET('MENUS')
      MAPONLY ERASE END-EXEC
ELSE
    EXEC CICS RECEIVE MAP('MENU') MAPSET('MENUS')
      RESP(RC) END-EXEC
    IF RC = 0
       STRING 'GOT ' OPTIONI DELIMITED BY SIZE INTO MSGO
    ELSE MOVE 'NOTHING' TO MSGO END-IF
    EXEC CICS SEND MAP('MENU') MAPSET('MENUS')
      DATAONLY FREEKB END-EXEC
END-IF.
EXEC CICS RETURN TRANSID('MENU') COMMAREA(A) END-EXEC.",
    ),
    (
        "SLOW",
        "",
        "EXEC CICS DELAY FOR SECONDS(1) END-EXEC.\nEXEC CICS SEND TEXT FROM('SLOW DONE') LENGTH(9)\n    ERASE FREEKB END-EXEC.\nEXEC CICS RETURN END-EXEC.",
    ),
    (
        "TALK",
        "01  A PIC X(20).\n01  L PIC S9(4) COMP VALUE 20.",
        "PERFORM 5 TIMES\n    MOVE 20 TO L\n    EXEC CICS CONVERSE FROM('SAY') FROMLENGTH(3)\n      ERASE INTO(A) TOLENGTH(L) RESP(RC) END-EXEC\nEND-PERFORM.\nEXEC CICS RETURN END-EXEC.",
    ),
    (
        "MANY",
        "01  A PIC X(1500) VALUE ALL 'X'.",
        "PERFORM 2000 TIMES\n    EXEC CICS SEND TEXT FROM(A) LENGTH(1500) ERASE\n      FREEKB RESP(RC) END-EXEC\nEND-PERFORM.\nEXEC CICS RETURN END-EXEC.",
    ),
];

const MAP: &str = "\
MENUS    DFHMSD TYPE=MAP,MODE=INOUT,LANG=COBOL,STORAGE=AUTO,TIOAPFX=YES
MENU     DFHMDI SIZE=(24,80),LINE=1,COLUMN=1
         DFHMDF POS=(1,30),LENGTH=8,ATTRB=ASKIP,INITIAL='THE MENU'
OPTION   DFHMDF POS=(4,13),LENGTH=8,ATTRB=(UNPROT,IC)
         DFHMDF POS=(4,22),LENGTH=0,ATTRB=ASKIP
MSG      DFHMDF POS=(24,1),LENGTH=60,ATTRB=ASKIP
         DFHMSD TYPE=FINAL
         END
";

fn source(name: &str, storage: &str, procedure: &str) -> String {
    let mut text = format!(
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. {name}.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n       01  RC PIC S9(8) COMP.\n"
    );
    if name == "MENU" {
        text += "       COPY MENUS.\n";
    }
    for line in storage.lines() {
        text += &format!("       {line}\n");
    }
    text += "       PROCEDURE DIVISION.\n";
    for line in procedure.lines() {
        text += &format!("           {line}\n");
    }
    text
}

/// A running region with nothing but these programs.
pub(crate) struct Live {
    pub(crate) child: Child,
    pub(crate) port: u16,
    pub(crate) folder: TempDir,
}

/// What a process holds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Held {
    pub(crate) descriptors: usize,
    pub(crate) kilobytes: usize,
    pub(crate) threads: usize,
}

impl Live {
    pub(crate) fn start() -> Self {
        let mut live = Self::with(&PROGRAMS, "", "");
        live.begins_records();
        live
    }

    /// With these programs (each a transaction of its name), definitions and lines of
    /// `[terminals]`.
    pub(crate) fn with(
        programs: &[(&str, &str, &str)],
        definitions: &str,
        configuration: &str,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path();
        for part in ["cobol", "bms", "csd"] {
            std::fs::create_dir(dir.join(part)).unwrap();
        }
        let mut deck = format!("DEFINE MAPSET(MENUS) GROUP(T)\n{definitions}");
        for (name, storage, procedure) in programs {
            let text = source(name, storage, procedure);
            std::fs::write(dir.join(format!("cobol/{name}.cbl")), text).unwrap();
            deck += &format!("DEFINE PROGRAM({name}) GROUP(T) LANGUAGE(COBOL)\n");
            deck += &format!("DEFINE TRANSACTION({name}) GROUP(T) PROGRAM({name})\n");
        }
        std::fs::write(dir.join("csd/T.csd"), deck).unwrap();
        std::fs::write(dir.join("bms/MENUS.bms"), MAP).unwrap();
        let port = free_port();
        let config =
            format!("[region]\nAPPLID = \"LIVE\"\n[terminals]\nport = {port}\n{configuration}");
        std::fs::write(dir.join("transom.toml"), config).unwrap();
        let log = std::fs::File::create(dir.join("region.log")).unwrap();
        let child = Command::new(EXE)
            .args(["run", "."])
            .current_dir(dir)
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut live = Self {
            child,
            port,
            folder,
        };
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            live.lives();
            assert!(begin.elapsed() < PATIENCE * 3, "{}", live.log());
            std::thread::sleep(Duration::from_millis(20));
        }
        live
    }

    /// The first session that ends is told in statistics, and the stream of records is open from
    /// then on: with a thread and a file that are nobody's.
    pub(crate) fn begins_records(&mut self) {
        let mut first = User::logon(self, None);
        first.works("FIRST");
        drop(first);
        let begin = Instant::now();
        while !self.has_records() {
            self.lives();
            assert!(begin.elapsed() < PATIENCE * 2, "{}", self.log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn has_records(&self) -> bool {
        let all = Command::new("find").arg(self.folder.path()).output();
        String::from_utf8_lossy(&all.unwrap().stdout).contains(".cmf")
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("region.log")).unwrap_or_default()
    }

    pub(crate) fn lives(&mut self) {
        let ended = self.child.try_wait().unwrap();
        assert!(ended.is_none(), "{ended:?}\n{}", self.log());
        assert!(!self.log().contains("panicked"), "{}", self.log());
    }

    pub(crate) fn socket(&self) -> TcpStream {
        let socket = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let time = Some(Duration::from_millis(5));
        socket.set_read_timeout(time).unwrap();
        socket
            .set_write_timeout(Some(Duration::from_secs(5)))
            .unwrap();
        socket
    }

    pub(crate) fn held(&self) -> Held {
        let process = format!("/proc/{}", self.child.id());
        let status = std::fs::read_to_string(format!("{process}/status")).unwrap();
        let number = |name: &str| {
            let line = status.lines().find(|l| l.starts_with(name)).unwrap();
            line.split_whitespace().nth(1).unwrap().parse().unwrap()
        };
        Held {
            descriptors: descriptors(&process),
            kilobytes: number("VmRSS:"),
            threads: number("Threads:"),
        }
    }

    /// Ctrl-C.
    pub(crate) fn stops(&mut self) {
        let pid = self.child.id().to_string();
        Command::new("kill").args(["-INT", &pid]).status().unwrap();
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                println!("stopped in {:?}", begin.elapsed());
                assert!(status.success(), "{status}\n{}", self.log());
                return;
            }
            assert!(begin.elapsed() < PATIENCE * 2, "it does not stop");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until no more descriptors are held than before.
    pub(crate) fn settles(&mut self, before: Held) -> Held {
        let begin = Instant::now();
        loop {
            self.lives();
            let held = self.held();
            if held.descriptors <= before.descriptors {
                return held;
            }
            assert!(
                begin.elapsed() < PATIENCE * 2,
                "left behind: {before:?} -> {held:?}\n{}",
                self.log()
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Without those of workers: how many of them are alive is another matter.
fn descriptors(process: &str) -> usize {
    let all = std::fs::read_dir(format!("{process}/fd")).unwrap();
    let target = |entry: std::fs::DirEntry| std::fs::read_link(entry.path()).unwrap_or_default();
    let of_worker = |path: &std::path::PathBuf| path.to_string_lossy().contains("pidfd");
    all.flatten()
        .map(target)
        .filter(|path| !of_worker(path))
        .count()
}

impl Drop for Live {
    fn drop(&mut self) {
        let _killed = self.child.kill();
        let _gone = self.child.wait();
    }
}

/// A well-behaved terminal, until its raw socket is used.
pub(crate) struct User {
    pub(crate) socket: TcpStream,
    pub(crate) client: Client,
    pub(crate) screen: Screen,
    pub(crate) lu: String,
    pub(crate) rejected: bool,
    pub(crate) ended: bool,
}

impl User {
    pub(crate) fn new(live: &Live, lu: Option<&str>) -> Self {
        let options = ClientOptions {
            types: vec!["IBM-3278-2".into()],
            lu: lu.map(str::to_owned),
            ..ClientOptions::default()
        };
        Self {
            socket: live.socket(),
            client: Client::new(options),
            screen: Screen::new(ScreenOptions::default()),
            lu: String::new(),
            rejected: false,
            ended: false,
        }
    }

    pub(crate) fn logon(live: &Live, lu: Option<&str>) -> Self {
        let mut user = Self::new(live, lu);
        user.wait("a first screen", |user| {
            user.client.is_connected() && !user.screen.is_locked()
        });
        user
    }

    /// Takes what has come, for a few milliseconds.
    pub(crate) fn turn(&mut self) {
        let out = std::mem::take(self.client.output());
        if self.socket.write_all(&out).is_err() {
            self.ended = true;
        }
        let mut buffer = [0; 16_384];
        let n = match self.socket.read(&mut buffer) {
            Ok(0) => return self.ended = true,
            Ok(n) => n,
            Err(e) if e.kind() == std::io::ErrorKind::ConnectionReset => return self.ended = true,
            Err(_) => return,
        };
        let mut events = Vec::new();
        self.client.feed(&buffer[..n], &mut events);
        for event in events {
            match event {
                ClientEvent::Connected { lu, .. } => self.lu = lu,
                ClientEvent::Rejected(_) => self.rejected = true,
                ClientEvent::Data { stream, .. } => {
                    let applied = self.screen.apply(&stream);
                    let reply = applied
                        .unwrap_or_else(|e| panic!("{e}: {stream:02X?}"))
                        .reply;
                    reply.map(|reply| self.client.send(&reply));
                }
                _ => {}
            }
        }
    }

    pub(crate) fn wait(&mut self, what: &str, seen: impl Fn(&Self) -> bool) {
        let begin = Instant::now();
        while !seen(self) {
            let shown = self.screen.text(&CP037.to_char);
            assert!(
                begin.elapsed() < PATIENCE && !self.ended,
                "{}: no {what}, ended {}:\n{shown}",
                self.lu,
                self.ended
            );
            self.turn();
        }
    }

    pub(crate) fn press(&mut self, key: &str) {
        let record = self.screen.press(Aid::from_name(key).unwrap()).unwrap();
        self.client.send(&record);
        self.turn();
    }

    pub(crate) fn types(&mut self, text: &str) {
        self.screen.type_text(&CP037.encode(text).0).unwrap();
    }

    pub(crate) fn shows(&mut self, text: &str) {
        self.wait(text, |user| {
            user.screen.contains(text, &CP037.to_char) && !user.screen.is_locked()
        });
    }

    /// Clears and types a transaction.
    pub(crate) fn enters(&mut self, text: &str) {
        self.press("CLEAR");
        self.wait("an unlocked keyboard", |user| !user.screen.is_locked());
        self.types(text);
        self.press("ENTER");
    }

    /// One turn of the menu.
    pub(crate) fn works(&mut self, word: &str) {
        self.enters("MENU");
        self.shows("THE MENU");
        self.types(word);
        self.press("ENTER");
        self.shows(&format!("GOT {word}"));
    }

    /// Bytes as they are; a door that has gone is no error.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        let _sent = self.socket.write_all(bytes);
    }
}

/// A small generator (xorshift), so that a failure can be repeated.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }

    /// Damages bytes: cut, flipped, doubled, or another byte.
    pub(crate) fn damage(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..1 + self.below(4) {
            let at = self.below(bytes.len());
            match self.below(4) {
                _ if bytes.is_empty() => {}
                0 => bytes.truncate(at),
                1 => bytes[at] ^= 1 << self.below(8),
                2 => bytes.insert(at, 0xFF),
                _ => bytes[at] = self.below(256) as u8,
            }
        }
        bytes
    }
}

/// The blocks of a trace that the terminal sent.
fn terminal_side(path: &Path) -> Vec<Vec<u8>> {
    let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
    let mut blocks: Vec<Vec<u8>> = Vec::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        if words.next() != Some(">") {
            continue;
        }
        let (Some(offset), Some(data)) = (words.next(), words.next()) else {
            continue;
        };
        let bytes: Option<Vec<u8>> = (0..data.len() / 2)
            .map(|i| u8::from_str_radix(data.get(2 * i..2 * i + 2)?, 16).ok())
            .collect();
        let Some(bytes) = bytes.filter(|_| offset.starts_with("0x")) else {
            continue;
        };
        match blocks.last_mut() {
            Some(block) if offset != "0x0" => block.extend(bytes),
            _ => blocks.push(bytes),
        }
    }
    blocks
}

fn traces() -> Vec<(String, Vec<Vec<u8>>)> {
    let Some(folder) = fixtures("tn3270-traces") else {
        return Vec::new();
    };
    let mut traces: Vec<(String, Vec<Vec<u8>>)> = std::fs::read_dir(folder)
        .unwrap()
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|e| e == "trc"))
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, terminal_side(&entry.path()))
        })
        .collect();
    // Some hold only a host's side.
    traces.retain(|(_, blocks)| !blocks.is_empty());
    traces.sort();
    assert!(!traces.is_empty());
    traces
}

/// Sends blocks in pieces and reads now and then what comes.
fn replay(socket: &mut TcpStream, blocks: &[Vec<u8>], random: &mut Random, split: bool) {
    let mut sink = [0; 16_384];
    for block in blocks {
        let mut rest = &block[..];
        while !rest.is_empty() {
            let n = match split {
                true => 1 + random.below(rest.len().min(40)),
                false => rest.len(),
            };
            if socket.write_all(&rest[..n]).is_err() {
                return;
            }
            rest = &rest[n..];
        }
        let _come = socket.read(&mut sink);
    }
}

/// Tests of one region each take both processors; one after the other they say more.
pub(crate) fn alone() -> std::sync::MutexGuard<'static, ()> {
    static ONE: OnceLock<std::sync::Mutex<()>> = OnceLock::new();
    let one = ONE.get_or_init(Default::default).lock();
    one.unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[test]
fn tnz_and_s3270_see_the_same() {
    let _alone = alone();
    let output = Command::new(root().join("scripts/tnz"))
        .arg(EXE)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    println!("{said}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{errors}");
}

#[test]
fn what_terminals_of_traces_send_and_damaged() {
    let mutations: usize = std::env::var("TRANSOM_MUTATIONS").map_or(4, |n| n.parse().unwrap());
    let traces = traces();
    if traces.is_empty() {
        return;
    }
    let _alone = alone();
    let mut live = Live::start();
    let mut bystander = User::logon(&live, Some("BYSTAND"));
    bystander.works("FIRST");
    let before = live.held();
    let mut random = Random(0x3270);
    for (number, (name, blocks)) in traces.iter().enumerate() {
        for mutation in 0..=mutations {
            let sent: Vec<Vec<u8>> = match mutation {
                0 => blocks.clone(),
                _ => blocks.iter().map(|block| random.damage(block)).collect(),
            };
            replay(&mut live.socket(), &sent, &mut random, mutation % 2 == 1);
        }
        // The records alone, to a program that is on: one of maps, one that reads what comes.
        let mut user = User::logon(&live, None);
        let (transaction, shown) = [("MENU", "THE MENU"), ("TALK", "SAY")][number % 2];
        user.enters(transaction);
        user.shows(shown);
        let records: Vec<Vec<u8>> = blocks
            .iter()
            .filter(|block| block.ends_with(&[0xFF, 0xEF]) && !block.starts_with(&[0xFF]))
            .flat_map(|block| [block.clone(), random.damage(block), vec![0xFF, 0xEF]])
            .collect();
        replay(&mut user.socket, &records, &mut random, true);
        live.lives();
        bystander.works(&name[..name.len().min(3)].to_uppercase());
    }
    let after = live.settles(before);
    println!("{} traces: {before:?} -> {after:?}", traces.len());
    assert!(after.kilobytes < before.kilobytes + 30_000, "{after:?}");
}

#[test]
fn sessions_come_and_go() {
    const CYCLES: usize = 1_000;
    let _alone = alone();
    let mut live = Live::start();
    let mut bystander = User::logon(&live, None);
    bystander.works("FIRST");
    let cycle = |live: &Live, number: usize| match number % 5 {
        // Gone before a byte, in the middle of negotiation, after logon, in a task, half closed.
        0 => drop(live.socket()),
        1 => {
            let mut socket = live.socket();
            let _sent = socket.write_all(&[0xFF, 0xFB, 0x28, 0xFF, 0xFA, 0x28, 0x02]);
        }
        2 => drop(User::logon(live, Some("SAMELU"))),
        3 => {
            let mut user = User::logon(live, None);
            user.enters(if number.is_multiple_of(2) {
                "TALK"
            } else {
                "SLOW"
            });
        }
        _ => {
            let user = User::logon(live, None);
            user.socket.shutdown(Shutdown::Write).unwrap();
        }
    };
    let before = live.held();
    for number in 0..CYCLES {
        // The name is free again as soon as the door has seen the end.
        if number % 5 == 2 {
            live.settles(Held {
                descriptors: before.descriptors + 40,
                ..before
            });
        }
        cycle(&live, number);
    }
    let warm = live.settles(before);
    for number in 0..CYCLES {
        cycle(&live, number);
    }
    let after = live.settles(before);
    println!("{CYCLES} cycles twice: {before:?} -> {warm:?} -> {after:?}");
    assert!(after.kilobytes < warm.kilobytes + 4_000, "it grows");
    assert!(after.threads <= warm.threads + 2, "it grows");
    bystander.works("LAST");
}

#[test]
fn rude_clients_disturb_nobody() {
    let _alone = alone();
    let mut live = Live::start();
    let mut bystander = User::logon(&live, None);
    bystander.works("FIRST");
    let before = live.held();

    // Half-open: connected and silent.
    let silent: Vec<TcpStream> = (0..200).map(|_| live.socket()).collect();
    // A slow reader of a task that floods it.
    let mut slow = User::logon(&live, None);
    slow.enters("MANY");
    // Keys at odd times: input, attention and SYSREQ while a task runs.
    let mut rude = User::logon(&live, Some("RUDE"));
    rude.enters("SLOW");
    for _ in 0..20 {
        rude.client.send(&[0x7D, 0x40, 0x40]);
        rude.client.attention();
        rude.client.system_request();
        rude.client.send(&[0x6D]);
        rude.client.send(&[]);
        rude.client.send(&[0x88, 0xFF, 0xFF]);
        rude.turn();
    }
    // The same LU twice.
    let mut second = User::new(&live, Some("RUDE"));
    second.wait("refusal", |user| user.rejected);
    bystander.works("DURING");

    // One byte at a time still is a record.
    let mut snail = User::logon(&live, None);
    snail.screen.type_text(&CP037.encode("MENU").0).unwrap();
    let record = snail
        .screen
        .press(Aid::from_name("ENTER").unwrap())
        .unwrap();
    snail.client.send(&record);
    for byte in std::mem::take(snail.client.output()) {
        snail.raw(&[byte]);
    }
    snail.shows("THE MENU");

    // A record without an end: the door gives up, the client cannot fill memory.
    let mut endless = User::logon(&live, None);
    let flood = vec![0xC1; 60_000];
    for _ in 0..200 {
        if endless.socket.write_all(&flood).is_err() {
            break;
        }
    }
    live.lives();
    assert!(live.held().kilobytes < before.kilobytes + 60_000);

    drop((silent, slow, rude, second, snail, endless));
    let after = live.settles(before);
    println!("{before:?} -> {after:?}");
    let mut again = User::logon(&live, Some("RUDE"));
    assert_eq!(again.lu, "RUDE");
    again.works("AGAIN");
    bystander.works("LAST");

    // The end comes in the middle of work, and is an orderly one.
    bystander.enters("TALK");
    again.enters("SLOW");
    live.stops();
}
